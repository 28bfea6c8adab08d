// Made by scripts/generate-proto.js from proto/*.proto: do not edit.
import $protobuf from "protobufjs/minimal.js";

const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;

const $root = {};

export const authpb = $root.authpb = (() => {

    const authpb = {};

    authpb.UserAddOptions = (function() {

        const UserAddOptions = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        UserAddOptions.prototype.no_password = false;

        UserAddOptions.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.no_password != null && $Object.hasOwnProperty.call(message, "no_password") && message.no_password !== false)
                writer.uint32(8).bool(message.no_password);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        UserAddOptions.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.authpb.UserAddOptions();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.no_password = value;
                        else
                            delete message.no_password;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return UserAddOptions;
    })();

    authpb.User = (function() {

        const User = function (properties) {
            this.roles = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        User.prototype.name = $util.newBuffer([]);
        User.prototype.password = $util.newBuffer([]);
        User.prototype.roles = $util.emptyArray;
        User.prototype.options = null;

        User.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name.length)
                writer.uint32(10).bytes(message.name);
            if (message.password != null && $Object.hasOwnProperty.call(message, "password") && message.password.length)
                writer.uint32(18).bytes(message.password);
            if (message.roles != null && message.roles.length)
                for (let i = 0; i < message.roles.length; ++i)
                    writer.uint32(26).string(message.roles[i]);
            if (message.options != null && $Object.hasOwnProperty.call(message, "options"))
                $root.authpb.UserAddOptions.encode(message.options, writer.uint32(34).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        User.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.authpb.User();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.name = value;
                        else
                            delete message.name;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.password = value;
                        else
                            delete message.password;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if (!(message.roles && message.roles.length))
                            message.roles = [];
                        message.roles.push(reader.stringVerify());
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        message.options = $root.authpb.UserAddOptions.decode(reader, reader.size(), $undefined, _depth + 1, message.options);
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return User;
    })();

    authpb.Permission = (function() {

        const Permission = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Permission.prototype.permType = 0;
        Permission.prototype.key = $util.newBuffer([]);
        Permission.prototype.range_end = $util.newBuffer([]);

        Permission.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.permType != null && $Object.hasOwnProperty.call(message, "permType") && message.permType !== 0)
                writer.uint32(8).int32(message.permType);
            if (message.key != null && $Object.hasOwnProperty.call(message, "key") && message.key.length)
                writer.uint32(18).bytes(message.key);
            if (message.range_end != null && $Object.hasOwnProperty.call(message, "range_end") && message.range_end.length)
                writer.uint32(26).bytes(message.range_end);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Permission.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.authpb.Permission();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.permType = value;
                        else
                            delete message.permType;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.key = value;
                        else
                            delete message.key;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.range_end = value;
                        else
                            delete message.range_end;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        Permission.Type = (function() {
            const valuesById = $Object.create(null), values = $Object.create(valuesById);
            values[valuesById[0] = "READ"] = 0;
            values[valuesById[1] = "WRITE"] = 1;
            values[valuesById[2] = "READWRITE"] = 2;
            return values;
        })();

        return Permission;
    })();

    authpb.Role = (function() {

        const Role = function (properties) {
            this.keyPermission = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Role.prototype.name = $util.newBuffer([]);
        Role.prototype.keyPermission = $util.emptyArray;

        Role.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name.length)
                writer.uint32(10).bytes(message.name);
            if (message.keyPermission != null && message.keyPermission.length)
                for (let i = 0; i < message.keyPermission.length; ++i)
                    $root.authpb.Permission.encode(message.keyPermission[i], writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Role.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.authpb.Role();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.name = value;
                        else
                            delete message.name;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.keyPermission && message.keyPermission.length))
                            message.keyPermission = [];
                        message.keyPermission.push($root.authpb.Permission.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Role;
    })();

    return authpb;
})();

export const etcdserverpb = $root.etcdserverpb = (() => {

    const etcdserverpb = {};

    etcdserverpb.Metadata = (function() {

        const Metadata = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Metadata.prototype.NodeID = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        Metadata.prototype.ClusterID = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

        Metadata.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.NodeID != null && $Object.hasOwnProperty.call(message, "NodeID"))
                writer.uint32(8).uint64(message.NodeID);
            if (message.ClusterID != null && $Object.hasOwnProperty.call(message, "ClusterID"))
                writer.uint32(16).uint64(message.ClusterID);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Metadata.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.Metadata();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        message.NodeID = reader.uint64();
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        message.ClusterID = reader.uint64();
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Metadata;
    })();

    etcdserverpb.Request = (function() {

        const Request = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Request.prototype.ID = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        Request.prototype.Method = "";
        Request.prototype.Path = "";
        Request.prototype.Val = "";
        Request.prototype.Dir = false;
        Request.prototype.PrevValue = "";
        Request.prototype.PrevIndex = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        Request.prototype.PrevExist = false;
        Request.prototype.Expiration = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        Request.prototype.Wait = false;
        Request.prototype.Since = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        Request.prototype.Recursive = false;
        Request.prototype.Sorted = false;
        Request.prototype.Quorum = false;
        Request.prototype.Time = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        Request.prototype.Stream = false;
        Request.prototype.Refresh = false;

        Request.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.ID != null && $Object.hasOwnProperty.call(message, "ID"))
                writer.uint32(8).uint64(message.ID);
            if (message.Method != null && $Object.hasOwnProperty.call(message, "Method"))
                writer.uint32(18).string(message.Method);
            if (message.Path != null && $Object.hasOwnProperty.call(message, "Path"))
                writer.uint32(26).string(message.Path);
            if (message.Val != null && $Object.hasOwnProperty.call(message, "Val"))
                writer.uint32(34).string(message.Val);
            if (message.Dir != null && $Object.hasOwnProperty.call(message, "Dir"))
                writer.uint32(40).bool(message.Dir);
            if (message.PrevValue != null && $Object.hasOwnProperty.call(message, "PrevValue"))
                writer.uint32(50).string(message.PrevValue);
            if (message.PrevIndex != null && $Object.hasOwnProperty.call(message, "PrevIndex"))
                writer.uint32(56).uint64(message.PrevIndex);
            if (message.PrevExist != null && $Object.hasOwnProperty.call(message, "PrevExist"))
                writer.uint32(64).bool(message.PrevExist);
            if (message.Expiration != null && $Object.hasOwnProperty.call(message, "Expiration"))
                writer.uint32(72).int64(message.Expiration);
            if (message.Wait != null && $Object.hasOwnProperty.call(message, "Wait"))
                writer.uint32(80).bool(message.Wait);
            if (message.Since != null && $Object.hasOwnProperty.call(message, "Since"))
                writer.uint32(88).uint64(message.Since);
            if (message.Recursive != null && $Object.hasOwnProperty.call(message, "Recursive"))
                writer.uint32(96).bool(message.Recursive);
            if (message.Sorted != null && $Object.hasOwnProperty.call(message, "Sorted"))
                writer.uint32(104).bool(message.Sorted);
            if (message.Quorum != null && $Object.hasOwnProperty.call(message, "Quorum"))
                writer.uint32(112).bool(message.Quorum);
            if (message.Time != null && $Object.hasOwnProperty.call(message, "Time"))
                writer.uint32(120).int64(message.Time);
            if (message.Stream != null && $Object.hasOwnProperty.call(message, "Stream"))
                writer.uint32(128).bool(message.Stream);
            if (message.Refresh != null && $Object.hasOwnProperty.call(message, "Refresh"))
                writer.uint32(136).bool(message.Refresh);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Request.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.Request();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        message.ID = reader.uint64();
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        message.Method = reader.string();
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        message.Path = reader.string();
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        message.Val = reader.string();
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        message.Dir = reader.bool();
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        message.PrevValue = reader.string();
                        continue;
                    }
                case 7: {
                        if (wireType !== 0)
                            break;
                        message.PrevIndex = reader.uint64();
                        continue;
                    }
                case 8: {
                        if (wireType !== 0)
                            break;
                        message.PrevExist = reader.bool();
                        continue;
                    }
                case 9: {
                        if (wireType !== 0)
                            break;
                        message.Expiration = reader.int64();
                        continue;
                    }
                case 10: {
                        if (wireType !== 0)
                            break;
                        message.Wait = reader.bool();
                        continue;
                    }
                case 11: {
                        if (wireType !== 0)
                            break;
                        message.Since = reader.uint64();
                        continue;
                    }
                case 12: {
                        if (wireType !== 0)
                            break;
                        message.Recursive = reader.bool();
                        continue;
                    }
                case 13: {
                        if (wireType !== 0)
                            break;
                        message.Sorted = reader.bool();
                        continue;
                    }
                case 14: {
                        if (wireType !== 0)
                            break;
                        message.Quorum = reader.bool();
                        continue;
                    }
                case 15: {
                        if (wireType !== 0)
                            break;
                        message.Time = reader.int64();
                        continue;
                    }
                case 16: {
                        if (wireType !== 0)
                            break;
                        message.Stream = reader.bool();
                        continue;
                    }
                case 17: {
                        if (wireType !== 0)
                            break;
                        message.Refresh = reader.bool();
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Request;
    })();

    etcdserverpb.RequestHeader = (function() {

        const RequestHeader = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        RequestHeader.prototype.ID = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        RequestHeader.prototype.username = "";
        RequestHeader.prototype.auth_revision = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

        RequestHeader.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.ID != null && $Object.hasOwnProperty.call(message, "ID") && (typeof message.ID === "object" ? message.ID.low || message.ID.high : message.ID !== 0))
                writer.uint32(8).uint64(message.ID);
            if (message.username != null && $Object.hasOwnProperty.call(message, "username") && message.username !== "")
                writer.uint32(18).string(message.username);
            if (message.auth_revision != null && $Object.hasOwnProperty.call(message, "auth_revision") && (typeof message.auth_revision === "object" ? message.auth_revision.low || message.auth_revision.high : message.auth_revision !== 0))
                writer.uint32(24).uint64(message.auth_revision);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        RequestHeader.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.RequestHeader();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                            message.ID = value;
                        else
                            delete message.ID;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.username = value;
                        else
                            delete message.username;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                            message.auth_revision = value;
                        else
                            delete message.auth_revision;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return RequestHeader;
    })();

    etcdserverpb.InternalRaftRequest = (function() {

        const InternalRaftRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        InternalRaftRequest.prototype.header = null;
        InternalRaftRequest.prototype.ID = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        InternalRaftRequest.prototype.v2 = null;
        InternalRaftRequest.prototype.range = null;
        InternalRaftRequest.prototype.put = null;
        InternalRaftRequest.prototype.delete_range = null;
        InternalRaftRequest.prototype.txn = null;
        InternalRaftRequest.prototype.compaction = null;
        InternalRaftRequest.prototype.lease_grant = null;
        InternalRaftRequest.prototype.lease_revoke = null;
        InternalRaftRequest.prototype.alarm = null;
        InternalRaftRequest.prototype.lease_checkpoint = null;
        InternalRaftRequest.prototype.auth_enable = null;
        InternalRaftRequest.prototype.auth_disable = null;
        InternalRaftRequest.prototype.authenticate = null;
        InternalRaftRequest.prototype.auth_status = null;
        InternalRaftRequest.prototype.auth_user_add = null;
        InternalRaftRequest.prototype.auth_user_delete = null;
        InternalRaftRequest.prototype.auth_user_get = null;
        InternalRaftRequest.prototype.auth_user_change_password = null;
        InternalRaftRequest.prototype.auth_user_grant_role = null;
        InternalRaftRequest.prototype.auth_user_revoke_role = null;
        InternalRaftRequest.prototype.auth_user_list = null;
        InternalRaftRequest.prototype.auth_role_list = null;
        InternalRaftRequest.prototype.auth_role_add = null;
        InternalRaftRequest.prototype.auth_role_delete = null;
        InternalRaftRequest.prototype.auth_role_get = null;
        InternalRaftRequest.prototype.auth_role_grant_permission = null;
        InternalRaftRequest.prototype.auth_role_revoke_permission = null;
        InternalRaftRequest.prototype.cluster_version_set = null;
        InternalRaftRequest.prototype.cluster_member_attr_set = null;
        InternalRaftRequest.prototype.downgrade_info_set = null;
        InternalRaftRequest.prototype.downgrade_version_test = null;

        InternalRaftRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.ID != null && $Object.hasOwnProperty.call(message, "ID") && (typeof message.ID === "object" ? message.ID.low || message.ID.high : message.ID !== 0))
                writer.uint32(8).uint64(message.ID);
            if (message.v2 != null && $Object.hasOwnProperty.call(message, "v2"))
                $root.etcdserverpb.Request.encode(message.v2, writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.range != null && $Object.hasOwnProperty.call(message, "range"))
                $root.etcdserverpb.RangeRequest.encode(message.range, writer.uint32(26).fork(), _depth + 1).ldelim();
            if (message.put != null && $Object.hasOwnProperty.call(message, "put"))
                $root.etcdserverpb.PutRequest.encode(message.put, writer.uint32(34).fork(), _depth + 1).ldelim();
            if (message.delete_range != null && $Object.hasOwnProperty.call(message, "delete_range"))
                $root.etcdserverpb.DeleteRangeRequest.encode(message.delete_range, writer.uint32(42).fork(), _depth + 1).ldelim();
            if (message.txn != null && $Object.hasOwnProperty.call(message, "txn"))
                $root.etcdserverpb.TxnRequest.encode(message.txn, writer.uint32(50).fork(), _depth + 1).ldelim();
            if (message.compaction != null && $Object.hasOwnProperty.call(message, "compaction"))
                $root.etcdserverpb.CompactionRequest.encode(message.compaction, writer.uint32(58).fork(), _depth + 1).ldelim();
            if (message.lease_grant != null && $Object.hasOwnProperty.call(message, "lease_grant"))
                $root.etcdserverpb.LeaseGrantRequest.encode(message.lease_grant, writer.uint32(66).fork(), _depth + 1).ldelim();
            if (message.lease_revoke != null && $Object.hasOwnProperty.call(message, "lease_revoke"))
                $root.etcdserverpb.LeaseRevokeRequest.encode(message.lease_revoke, writer.uint32(74).fork(), _depth + 1).ldelim();
            if (message.alarm != null && $Object.hasOwnProperty.call(message, "alarm"))
                $root.etcdserverpb.AlarmRequest.encode(message.alarm, writer.uint32(82).fork(), _depth + 1).ldelim();
            if (message.lease_checkpoint != null && $Object.hasOwnProperty.call(message, "lease_checkpoint"))
                $root.etcdserverpb.LeaseCheckpointRequest.encode(message.lease_checkpoint, writer.uint32(90).fork(), _depth + 1).ldelim();
            if (message.header != null && $Object.hasOwnProperty.call(message, "header"))
                $root.etcdserverpb.RequestHeader.encode(message.header, writer.uint32(802).fork(), _depth + 1).ldelim();
            if (message.auth_enable != null && $Object.hasOwnProperty.call(message, "auth_enable"))
                $root.etcdserverpb.AuthEnableRequest.encode(message.auth_enable, writer.uint32(8002).fork(), _depth + 1).ldelim();
            if (message.auth_disable != null && $Object.hasOwnProperty.call(message, "auth_disable"))
                $root.etcdserverpb.AuthDisableRequest.encode(message.auth_disable, writer.uint32(8090).fork(), _depth + 1).ldelim();
            if (message.authenticate != null && $Object.hasOwnProperty.call(message, "authenticate"))
                $root.etcdserverpb.InternalAuthenticateRequest.encode(message.authenticate, writer.uint32(8098).fork(), _depth + 1).ldelim();
            if (message.auth_status != null && $Object.hasOwnProperty.call(message, "auth_status"))
                $root.etcdserverpb.AuthStatusRequest.encode(message.auth_status, writer.uint32(8106).fork(), _depth + 1).ldelim();
            if (message.auth_user_add != null && $Object.hasOwnProperty.call(message, "auth_user_add"))
                $root.etcdserverpb.AuthUserAddRequest.encode(message.auth_user_add, writer.uint32(8802).fork(), _depth + 1).ldelim();
            if (message.auth_user_delete != null && $Object.hasOwnProperty.call(message, "auth_user_delete"))
                $root.etcdserverpb.AuthUserDeleteRequest.encode(message.auth_user_delete, writer.uint32(8810).fork(), _depth + 1).ldelim();
            if (message.auth_user_get != null && $Object.hasOwnProperty.call(message, "auth_user_get"))
                $root.etcdserverpb.AuthUserGetRequest.encode(message.auth_user_get, writer.uint32(8818).fork(), _depth + 1).ldelim();
            if (message.auth_user_change_password != null && $Object.hasOwnProperty.call(message, "auth_user_change_password"))
                $root.etcdserverpb.AuthUserChangePasswordRequest.encode(message.auth_user_change_password, writer.uint32(8826).fork(), _depth + 1).ldelim();
            if (message.auth_user_grant_role != null && $Object.hasOwnProperty.call(message, "auth_user_grant_role"))
                $root.etcdserverpb.AuthUserGrantRoleRequest.encode(message.auth_user_grant_role, writer.uint32(8834).fork(), _depth + 1).ldelim();
            if (message.auth_user_revoke_role != null && $Object.hasOwnProperty.call(message, "auth_user_revoke_role"))
                $root.etcdserverpb.AuthUserRevokeRoleRequest.encode(message.auth_user_revoke_role, writer.uint32(8842).fork(), _depth + 1).ldelim();
            if (message.auth_user_list != null && $Object.hasOwnProperty.call(message, "auth_user_list"))
                $root.etcdserverpb.AuthUserListRequest.encode(message.auth_user_list, writer.uint32(8850).fork(), _depth + 1).ldelim();
            if (message.auth_role_list != null && $Object.hasOwnProperty.call(message, "auth_role_list"))
                $root.etcdserverpb.AuthRoleListRequest.encode(message.auth_role_list, writer.uint32(8858).fork(), _depth + 1).ldelim();
            if (message.auth_role_add != null && $Object.hasOwnProperty.call(message, "auth_role_add"))
                $root.etcdserverpb.AuthRoleAddRequest.encode(message.auth_role_add, writer.uint32(9602).fork(), _depth + 1).ldelim();
            if (message.auth_role_delete != null && $Object.hasOwnProperty.call(message, "auth_role_delete"))
                $root.etcdserverpb.AuthRoleDeleteRequest.encode(message.auth_role_delete, writer.uint32(9610).fork(), _depth + 1).ldelim();
            if (message.auth_role_get != null && $Object.hasOwnProperty.call(message, "auth_role_get"))
                $root.etcdserverpb.AuthRoleGetRequest.encode(message.auth_role_get, writer.uint32(9618).fork(), _depth + 1).ldelim();
            if (message.auth_role_grant_permission != null && $Object.hasOwnProperty.call(message, "auth_role_grant_permission"))
                $root.etcdserverpb.AuthRoleGrantPermissionRequest.encode(message.auth_role_grant_permission, writer.uint32(9626).fork(), _depth + 1).ldelim();
            if (message.auth_role_revoke_permission != null && $Object.hasOwnProperty.call(message, "auth_role_revoke_permission"))
                $root.etcdserverpb.AuthRoleRevokePermissionRequest.encode(message.auth_role_revoke_permission, writer.uint32(9634).fork(), _depth + 1).ldelim();
            if (message.cluster_version_set != null && $Object.hasOwnProperty.call(message, "cluster_version_set"))
                $root.membershippb.ClusterVersionSetRequest.encode(message.cluster_version_set, writer.uint32(10402).fork(), _depth + 1).ldelim();
            if (message.cluster_member_attr_set != null && $Object.hasOwnProperty.call(message, "cluster_member_attr_set"))
                $root.membershippb.ClusterMemberAttrSetRequest.encode(message.cluster_member_attr_set, writer.uint32(10410).fork(), _depth + 1).ldelim();
            if (message.downgrade_info_set != null && $Object.hasOwnProperty.call(message, "downgrade_info_set"))
                $root.membershippb.DowngradeInfoSetRequest.encode(message.downgrade_info_set, writer.uint32(10418).fork(), _depth + 1).ldelim();
            if (message.downgrade_version_test != null && $Object.hasOwnProperty.call(message, "downgrade_version_test"))
                $root.etcdserverpb.DowngradeVersionTestRequest.encode(message.downgrade_version_test, writer.uint32(79202).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        InternalRaftRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.InternalRaftRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 100: {
                        if (wireType !== 2)
                            break;
                        message.header = $root.etcdserverpb.RequestHeader.decode(reader, reader.size(), $undefined, _depth + 1, message.header);
                        continue;
                    }
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                            message.ID = value;
                        else
                            delete message.ID;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        message.v2 = $root.etcdserverpb.Request.decode(reader, reader.size(), $undefined, _depth + 1, message.v2);
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        message.range = $root.etcdserverpb.RangeRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.range);
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        message.put = $root.etcdserverpb.PutRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.put);
                        continue;
                    }
                case 5: {
                        if (wireType !== 2)
                            break;
                        message.delete_range = $root.etcdserverpb.DeleteRangeRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.delete_range);
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        message.txn = $root.etcdserverpb.TxnRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.txn);
                        continue;
                    }
                case 7: {
                        if (wireType !== 2)
                            break;
                        message.compaction = $root.etcdserverpb.CompactionRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.compaction);
                        continue;
                    }
                case 8: {
                        if (wireType !== 2)
                            break;
                        message.lease_grant = $root.etcdserverpb.LeaseGrantRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.lease_grant);
                        continue;
                    }
                case 9: {
                        if (wireType !== 2)
                            break;
                        message.lease_revoke = $root.etcdserverpb.LeaseRevokeRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.lease_revoke);
                        continue;
                    }
                case 10: {
                        if (wireType !== 2)
                            break;
                        message.alarm = $root.etcdserverpb.AlarmRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.alarm);
                        continue;
                    }
                case 11: {
                        if (wireType !== 2)
                            break;
                        message.lease_checkpoint = $root.etcdserverpb.LeaseCheckpointRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.lease_checkpoint);
                        continue;
                    }
                case 1000: {
                        if (wireType !== 2)
                            break;
                        message.auth_enable = $root.etcdserverpb.AuthEnableRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.auth_enable);
                        continue;
                    }
                case 1011: {
                        if (wireType !== 2)
                            break;
                        message.auth_disable = $root.etcdserverpb.AuthDisableRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.auth_disable);
                        continue;
                    }
                case 1012: {
                        if (wireType !== 2)
                            break;
                        message.authenticate = $root.etcdserverpb.InternalAuthenticateRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.authenticate);
                        continue;
                    }
                case 1013: {
                        if (wireType !== 2)
                            break;
                        message.auth_status = $root.etcdserverpb.AuthStatusRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.auth_status);
                        continue;
                    }
                case 1100: {
                        if (wireType !== 2)
                            break;
                        message.auth_user_add = $root.etcdserverpb.AuthUserAddRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.auth_user_add);
                        continue;
                    }
                case 1101: {
                        if (wireType !== 2)
                            break;
                        message.auth_user_delete = $root.etcdserverpb.AuthUserDeleteRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.auth_user_delete);
                        continue;
                    }
                case 1102: {
                        if (wireType !== 2)
                            break;
                        message.auth_user_get = $root.etcdserverpb.AuthUserGetRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.auth_user_get);
                        continue;
                    }
                case 1103: {
                        if (wireType !== 2)
                            break;
                        message.auth_user_change_password = $root.etcdserverpb.AuthUserChangePasswordRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.auth_user_change_password);
                        continue;
                    }
                case 1104: {
                        if (wireType !== 2)
                            break;
                        message.auth_user_grant_role = $root.etcdserverpb.AuthUserGrantRoleRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.auth_user_grant_role);
                        continue;
                    }
                case 1105: {
                        if (wireType !== 2)
                            break;
                        message.auth_user_revoke_role = $root.etcdserverpb.AuthUserRevokeRoleRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.auth_user_revoke_role);
                        continue;
                    }
                case 1106: {
                        if (wireType !== 2)
                            break;
                        message.auth_user_list = $root.etcdserverpb.AuthUserListRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.auth_user_list);
                        continue;
                    }
                case 1107: {
                        if (wireType !== 2)
                            break;
                        message.auth_role_list = $root.etcdserverpb.AuthRoleListRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.auth_role_list);
                        continue;
                    }
                case 1200: {
                        if (wireType !== 2)
                            break;
                        message.auth_role_add = $root.etcdserverpb.AuthRoleAddRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.auth_role_add);
                        continue;
                    }
                case 1201: {
                        if (wireType !== 2)
                            break;
                        message.auth_role_delete = $root.etcdserverpb.AuthRoleDeleteRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.auth_role_delete);
                        continue;
                    }
                case 1202: {
                        if (wireType !== 2)
                            break;
                        message.auth_role_get = $root.etcdserverpb.AuthRoleGetRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.auth_role_get);
                        continue;
                    }
                case 1203: {
                        if (wireType !== 2)
                            break;
                        message.auth_role_grant_permission = $root.etcdserverpb.AuthRoleGrantPermissionRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.auth_role_grant_permission);
                        continue;
                    }
                case 1204: {
                        if (wireType !== 2)
                            break;
                        message.auth_role_revoke_permission = $root.etcdserverpb.AuthRoleRevokePermissionRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.auth_role_revoke_permission);
                        continue;
                    }
                case 1300: {
                        if (wireType !== 2)
                            break;
                        message.cluster_version_set = $root.membershippb.ClusterVersionSetRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.cluster_version_set);
                        continue;
                    }
                case 1301: {
                        if (wireType !== 2)
                            break;
                        message.cluster_member_attr_set = $root.membershippb.ClusterMemberAttrSetRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.cluster_member_attr_set);
                        continue;
                    }
                case 1302: {
                        if (wireType !== 2)
                            break;
                        message.downgrade_info_set = $root.membershippb.DowngradeInfoSetRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.downgrade_info_set);
                        continue;
                    }
                case 9900: {
                        if (wireType !== 2)
                            break;
                        message.downgrade_version_test = $root.etcdserverpb.DowngradeVersionTestRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.downgrade_version_test);
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return InternalRaftRequest;
    })();

    etcdserverpb.RangeRequest = (function() {

        const RangeRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        RangeRequest.prototype.key = $util.newBuffer([]);
        RangeRequest.prototype.range_end = $util.newBuffer([]);
        RangeRequest.prototype.limit = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        RangeRequest.prototype.revision = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        RangeRequest.prototype.sort_order = 0;
        RangeRequest.prototype.sort_target = 0;
        RangeRequest.prototype.serializable = false;
        RangeRequest.prototype.keys_only = false;
        RangeRequest.prototype.count_only = false;
        RangeRequest.prototype.min_mod_revision = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        RangeRequest.prototype.max_mod_revision = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        RangeRequest.prototype.min_create_revision = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        RangeRequest.prototype.max_create_revision = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

        RangeRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.key != null && $Object.hasOwnProperty.call(message, "key") && message.key.length)
                writer.uint32(10).bytes(message.key);
            if (message.range_end != null && $Object.hasOwnProperty.call(message, "range_end") && message.range_end.length)
                writer.uint32(18).bytes(message.range_end);
            if (message.limit != null && $Object.hasOwnProperty.call(message, "limit") && (typeof message.limit === "object" ? message.limit.low || message.limit.high : message.limit !== 0))
                writer.uint32(24).int64(message.limit);
            if (message.revision != null && $Object.hasOwnProperty.call(message, "revision") && (typeof message.revision === "object" ? message.revision.low || message.revision.high : message.revision !== 0))
                writer.uint32(32).int64(message.revision);
            if (message.sort_order != null && $Object.hasOwnProperty.call(message, "sort_order") && message.sort_order !== 0)
                writer.uint32(40).int32(message.sort_order);
            if (message.sort_target != null && $Object.hasOwnProperty.call(message, "sort_target") && message.sort_target !== 0)
                writer.uint32(48).int32(message.sort_target);
            if (message.serializable != null && $Object.hasOwnProperty.call(message, "serializable") && message.serializable !== false)
                writer.uint32(56).bool(message.serializable);
            if (message.keys_only != null && $Object.hasOwnProperty.call(message, "keys_only") && message.keys_only !== false)
                writer.uint32(64).bool(message.keys_only);
            if (message.count_only != null && $Object.hasOwnProperty.call(message, "count_only") && message.count_only !== false)
                writer.uint32(72).bool(message.count_only);
            if (message.min_mod_revision != null && $Object.hasOwnProperty.call(message, "min_mod_revision") && (typeof message.min_mod_revision === "object" ? message.min_mod_revision.low || message.min_mod_revision.high : message.min_mod_revision !== 0))
                writer.uint32(80).int64(message.min_mod_revision);
            if (message.max_mod_revision != null && $Object.hasOwnProperty.call(message, "max_mod_revision") && (typeof message.max_mod_revision === "object" ? message.max_mod_revision.low || message.max_mod_revision.high : message.max_mod_revision !== 0))
                writer.uint32(88).int64(message.max_mod_revision);
            if (message.min_create_revision != null && $Object.hasOwnProperty.call(message, "min_create_revision") && (typeof message.min_create_revision === "object" ? message.min_create_revision.low || message.min_create_revision.high : message.min_create_revision !== 0))
                writer.uint32(96).int64(message.min_create_revision);
            if (message.max_create_revision != null && $Object.hasOwnProperty.call(message, "max_create_revision") && (typeof message.max_create_revision === "object" ? message.max_create_revision.low || message.max_create_revision.high : message.max_create_revision !== 0))
                writer.uint32(104).int64(message.max_create_revision);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        RangeRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.RangeRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.key = value;
                        else
                            delete message.key;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.range_end = value;
                        else
                            delete message.range_end;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.limit = value;
                        else
                            delete message.limit;
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.revision = value;
                        else
                            delete message.revision;
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.sort_order = value;
                        else
                            delete message.sort_order;
                        continue;
                    }
                case 6: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.sort_target = value;
                        else
                            delete message.sort_target;
                        continue;
                    }
                case 7: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.serializable = value;
                        else
                            delete message.serializable;
                        continue;
                    }
                case 8: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.keys_only = value;
                        else
                            delete message.keys_only;
                        continue;
                    }
                case 9: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.count_only = value;
                        else
                            delete message.count_only;
                        continue;
                    }
                case 10: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.min_mod_revision = value;
                        else
                            delete message.min_mod_revision;
                        continue;
                    }
                case 11: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.max_mod_revision = value;
                        else
                            delete message.max_mod_revision;
                        continue;
                    }
                case 12: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.min_create_revision = value;
                        else
                            delete message.min_create_revision;
                        continue;
                    }
                case 13: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.max_create_revision = value;
                        else
                            delete message.max_create_revision;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        RangeRequest.SortOrder = (function() {
            const valuesById = $Object.create(null), values = $Object.create(valuesById);
            values[valuesById[0] = "NONE"] = 0;
            values[valuesById[1] = "ASCEND"] = 1;
            values[valuesById[2] = "DESCEND"] = 2;
            return values;
        })();

        RangeRequest.SortTarget = (function() {
            const valuesById = $Object.create(null), values = $Object.create(valuesById);
            values[valuesById[0] = "KEY"] = 0;
            values[valuesById[1] = "VERSION"] = 1;
            values[valuesById[2] = "CREATE"] = 2;
            values[valuesById[3] = "MOD"] = 3;
            values[valuesById[4] = "VALUE"] = 4;
            return values;
        })();

        return RangeRequest;
    })();

    etcdserverpb.PutRequest = (function() {

        const PutRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PutRequest.prototype.key = $util.newBuffer([]);
        PutRequest.prototype.value = $util.newBuffer([]);
        PutRequest.prototype.lease = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PutRequest.prototype.prev_kv = false;
        PutRequest.prototype.ignore_value = false;
        PutRequest.prototype.ignore_lease = false;

        PutRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.key != null && $Object.hasOwnProperty.call(message, "key") && message.key.length)
                writer.uint32(10).bytes(message.key);
            if (message.value != null && $Object.hasOwnProperty.call(message, "value") && message.value.length)
                writer.uint32(18).bytes(message.value);
            if (message.lease != null && $Object.hasOwnProperty.call(message, "lease") && (typeof message.lease === "object" ? message.lease.low || message.lease.high : message.lease !== 0))
                writer.uint32(24).int64(message.lease);
            if (message.prev_kv != null && $Object.hasOwnProperty.call(message, "prev_kv") && message.prev_kv !== false)
                writer.uint32(32).bool(message.prev_kv);
            if (message.ignore_value != null && $Object.hasOwnProperty.call(message, "ignore_value") && message.ignore_value !== false)
                writer.uint32(40).bool(message.ignore_value);
            if (message.ignore_lease != null && $Object.hasOwnProperty.call(message, "ignore_lease") && message.ignore_lease !== false)
                writer.uint32(48).bool(message.ignore_lease);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PutRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.PutRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.key = value;
                        else
                            delete message.key;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.value = value;
                        else
                            delete message.value;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.lease = value;
                        else
                            delete message.lease;
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.prev_kv = value;
                        else
                            delete message.prev_kv;
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.ignore_value = value;
                        else
                            delete message.ignore_value;
                        continue;
                    }
                case 6: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.ignore_lease = value;
                        else
                            delete message.ignore_lease;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PutRequest;
    })();

    etcdserverpb.DeleteRangeRequest = (function() {

        const DeleteRangeRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        DeleteRangeRequest.prototype.key = $util.newBuffer([]);
        DeleteRangeRequest.prototype.range_end = $util.newBuffer([]);
        DeleteRangeRequest.prototype.prev_kv = false;

        DeleteRangeRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.key != null && $Object.hasOwnProperty.call(message, "key") && message.key.length)
                writer.uint32(10).bytes(message.key);
            if (message.range_end != null && $Object.hasOwnProperty.call(message, "range_end") && message.range_end.length)
                writer.uint32(18).bytes(message.range_end);
            if (message.prev_kv != null && $Object.hasOwnProperty.call(message, "prev_kv") && message.prev_kv !== false)
                writer.uint32(24).bool(message.prev_kv);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        DeleteRangeRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.DeleteRangeRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.key = value;
                        else
                            delete message.key;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.range_end = value;
                        else
                            delete message.range_end;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.prev_kv = value;
                        else
                            delete message.prev_kv;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return DeleteRangeRequest;
    })();

    etcdserverpb.RequestOp = (function() {

        const RequestOp = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        RequestOp.prototype.request_range = null;
        RequestOp.prototype.request_put = null;
        RequestOp.prototype.request_delete_range = null;
        RequestOp.prototype.request_txn = null;

        let $oneOfFields;

        $Object.defineProperty(RequestOp.prototype, "request", {
            get: $util.oneOfGetter($oneOfFields = ["request_range", "request_put", "request_delete_range", "request_txn"]),
            set: $util.oneOfSetter($oneOfFields)
        });

        RequestOp.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.request_range != null && $Object.hasOwnProperty.call(message, "request_range"))
                $root.etcdserverpb.RangeRequest.encode(message.request_range, writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.request_put != null && $Object.hasOwnProperty.call(message, "request_put"))
                $root.etcdserverpb.PutRequest.encode(message.request_put, writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.request_delete_range != null && $Object.hasOwnProperty.call(message, "request_delete_range"))
                $root.etcdserverpb.DeleteRangeRequest.encode(message.request_delete_range, writer.uint32(26).fork(), _depth + 1).ldelim();
            if (message.request_txn != null && $Object.hasOwnProperty.call(message, "request_txn"))
                $root.etcdserverpb.TxnRequest.encode(message.request_txn, writer.uint32(34).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        RequestOp.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.RequestOp();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        message.request_range = $root.etcdserverpb.RangeRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.request_range);
                        message.request = "request_range";
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        message.request_put = $root.etcdserverpb.PutRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.request_put);
                        message.request = "request_put";
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        message.request_delete_range = $root.etcdserverpb.DeleteRangeRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.request_delete_range);
                        message.request = "request_delete_range";
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        message.request_txn = $root.etcdserverpb.TxnRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.request_txn);
                        message.request = "request_txn";
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return RequestOp;
    })();

    etcdserverpb.Compare = (function() {

        const Compare = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Compare.prototype.result = 0;
        Compare.prototype.target = 0;
        Compare.prototype.key = $util.newBuffer([]);
        Compare.prototype.version = null;
        Compare.prototype.create_revision = null;
        Compare.prototype.mod_revision = null;
        Compare.prototype.value = null;
        Compare.prototype.lease = null;
        Compare.prototype.range_end = $util.newBuffer([]);

        let $oneOfFields;

        $Object.defineProperty(Compare.prototype, "target_union", {
            get: $util.oneOfGetter($oneOfFields = ["version", "create_revision", "mod_revision", "value", "lease"]),
            set: $util.oneOfSetter($oneOfFields)
        });

        Compare.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.result != null && $Object.hasOwnProperty.call(message, "result") && message.result !== 0)
                writer.uint32(8).int32(message.result);
            if (message.target != null && $Object.hasOwnProperty.call(message, "target") && message.target !== 0)
                writer.uint32(16).int32(message.target);
            if (message.key != null && $Object.hasOwnProperty.call(message, "key") && message.key.length)
                writer.uint32(26).bytes(message.key);
            if (message.version != null && $Object.hasOwnProperty.call(message, "version"))
                writer.uint32(32).int64(message.version);
            if (message.create_revision != null && $Object.hasOwnProperty.call(message, "create_revision"))
                writer.uint32(40).int64(message.create_revision);
            if (message.mod_revision != null && $Object.hasOwnProperty.call(message, "mod_revision"))
                writer.uint32(48).int64(message.mod_revision);
            if (message.value != null && $Object.hasOwnProperty.call(message, "value"))
                writer.uint32(58).bytes(message.value);
            if (message.lease != null && $Object.hasOwnProperty.call(message, "lease"))
                writer.uint32(64).int64(message.lease);
            if (message.range_end != null && $Object.hasOwnProperty.call(message, "range_end") && message.range_end.length)
                writer.uint32(514).bytes(message.range_end);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Compare.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.Compare();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.result = value;
                        else
                            delete message.result;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.target = value;
                        else
                            delete message.target;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.key = value;
                        else
                            delete message.key;
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        message.version = reader.int64();
                        message.target_union = "version";
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        message.create_revision = reader.int64();
                        message.target_union = "create_revision";
                        continue;
                    }
                case 6: {
                        if (wireType !== 0)
                            break;
                        message.mod_revision = reader.int64();
                        message.target_union = "mod_revision";
                        continue;
                    }
                case 7: {
                        if (wireType !== 2)
                            break;
                        message.value = reader.bytes();
                        message.target_union = "value";
                        continue;
                    }
                case 8: {
                        if (wireType !== 0)
                            break;
                        message.lease = reader.int64();
                        message.target_union = "lease";
                        continue;
                    }
                case 64: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.range_end = value;
                        else
                            delete message.range_end;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        Compare.CompareResult = (function() {
            const valuesById = $Object.create(null), values = $Object.create(valuesById);
            values[valuesById[0] = "EQUAL"] = 0;
            values[valuesById[1] = "GREATER"] = 1;
            values[valuesById[2] = "LESS"] = 2;
            values[valuesById[3] = "NOT_EQUAL"] = 3;
            return values;
        })();

        Compare.CompareTarget = (function() {
            const valuesById = $Object.create(null), values = $Object.create(valuesById);
            values[valuesById[0] = "VERSION"] = 0;
            values[valuesById[1] = "CREATE"] = 1;
            values[valuesById[2] = "MOD"] = 2;
            values[valuesById[3] = "VALUE"] = 3;
            values[valuesById[4] = "LEASE"] = 4;
            return values;
        })();

        return Compare;
    })();

    etcdserverpb.TxnRequest = (function() {

        const TxnRequest = function (properties) {
            this.compare = [];
            this.success = [];
            this.failure = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        TxnRequest.prototype.compare = $util.emptyArray;
        TxnRequest.prototype.success = $util.emptyArray;
        TxnRequest.prototype.failure = $util.emptyArray;

        TxnRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.compare != null && message.compare.length)
                for (let i = 0; i < message.compare.length; ++i)
                    $root.etcdserverpb.Compare.encode(message.compare[i], writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.success != null && message.success.length)
                for (let i = 0; i < message.success.length; ++i)
                    $root.etcdserverpb.RequestOp.encode(message.success[i], writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.failure != null && message.failure.length)
                for (let i = 0; i < message.failure.length; ++i)
                    $root.etcdserverpb.RequestOp.encode(message.failure[i], writer.uint32(26).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        TxnRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.TxnRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.compare && message.compare.length))
                            message.compare = [];
                        message.compare.push($root.etcdserverpb.Compare.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.success && message.success.length))
                            message.success = [];
                        message.success.push($root.etcdserverpb.RequestOp.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if (!(message.failure && message.failure.length))
                            message.failure = [];
                        message.failure.push($root.etcdserverpb.RequestOp.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return TxnRequest;
    })();

    etcdserverpb.CompactionRequest = (function() {

        const CompactionRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        CompactionRequest.prototype.revision = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        CompactionRequest.prototype.physical = false;

        CompactionRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.revision != null && $Object.hasOwnProperty.call(message, "revision") && (typeof message.revision === "object" ? message.revision.low || message.revision.high : message.revision !== 0))
                writer.uint32(8).int64(message.revision);
            if (message.physical != null && $Object.hasOwnProperty.call(message, "physical") && message.physical !== false)
                writer.uint32(16).bool(message.physical);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        CompactionRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.CompactionRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.revision = value;
                        else
                            delete message.revision;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.physical = value;
                        else
                            delete message.physical;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return CompactionRequest;
    })();

    etcdserverpb.LeaseGrantRequest = (function() {

        const LeaseGrantRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        LeaseGrantRequest.prototype.TTL = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        LeaseGrantRequest.prototype.ID = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

        LeaseGrantRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.TTL != null && $Object.hasOwnProperty.call(message, "TTL") && (typeof message.TTL === "object" ? message.TTL.low || message.TTL.high : message.TTL !== 0))
                writer.uint32(8).int64(message.TTL);
            if (message.ID != null && $Object.hasOwnProperty.call(message, "ID") && (typeof message.ID === "object" ? message.ID.low || message.ID.high : message.ID !== 0))
                writer.uint32(16).int64(message.ID);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        LeaseGrantRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.LeaseGrantRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.TTL = value;
                        else
                            delete message.TTL;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.ID = value;
                        else
                            delete message.ID;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return LeaseGrantRequest;
    })();

    etcdserverpb.LeaseRevokeRequest = (function() {

        const LeaseRevokeRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        LeaseRevokeRequest.prototype.ID = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

        LeaseRevokeRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.ID != null && $Object.hasOwnProperty.call(message, "ID") && (typeof message.ID === "object" ? message.ID.low || message.ID.high : message.ID !== 0))
                writer.uint32(8).int64(message.ID);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        LeaseRevokeRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.LeaseRevokeRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.ID = value;
                        else
                            delete message.ID;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return LeaseRevokeRequest;
    })();

    etcdserverpb.LeaseCheckpoint = (function() {

        const LeaseCheckpoint = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        LeaseCheckpoint.prototype.ID = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        LeaseCheckpoint.prototype.remaining_TTL = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

        LeaseCheckpoint.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.ID != null && $Object.hasOwnProperty.call(message, "ID") && (typeof message.ID === "object" ? message.ID.low || message.ID.high : message.ID !== 0))
                writer.uint32(8).int64(message.ID);
            if (message.remaining_TTL != null && $Object.hasOwnProperty.call(message, "remaining_TTL") && (typeof message.remaining_TTL === "object" ? message.remaining_TTL.low || message.remaining_TTL.high : message.remaining_TTL !== 0))
                writer.uint32(16).int64(message.remaining_TTL);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        LeaseCheckpoint.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.LeaseCheckpoint();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.ID = value;
                        else
                            delete message.ID;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.remaining_TTL = value;
                        else
                            delete message.remaining_TTL;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return LeaseCheckpoint;
    })();

    etcdserverpb.LeaseCheckpointRequest = (function() {

        const LeaseCheckpointRequest = function (properties) {
            this.checkpoints = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        LeaseCheckpointRequest.prototype.checkpoints = $util.emptyArray;

        LeaseCheckpointRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.checkpoints != null && message.checkpoints.length)
                for (let i = 0; i < message.checkpoints.length; ++i)
                    $root.etcdserverpb.LeaseCheckpoint.encode(message.checkpoints[i], writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        LeaseCheckpointRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.LeaseCheckpointRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.checkpoints && message.checkpoints.length))
                            message.checkpoints = [];
                        message.checkpoints.push($root.etcdserverpb.LeaseCheckpoint.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return LeaseCheckpointRequest;
    })();

    etcdserverpb.AlarmType = (function() {
        const valuesById = $Object.create(null), values = $Object.create(valuesById);
        values[valuesById[0] = "NONE"] = 0;
        values[valuesById[1] = "NOSPACE"] = 1;
        values[valuesById[2] = "CORRUPT"] = 2;
        return values;
    })();

    etcdserverpb.AlarmRequest = (function() {

        const AlarmRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AlarmRequest.prototype.action = 0;
        AlarmRequest.prototype.memberID = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        AlarmRequest.prototype.alarm = 0;

        AlarmRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.action != null && $Object.hasOwnProperty.call(message, "action") && message.action !== 0)
                writer.uint32(8).int32(message.action);
            if (message.memberID != null && $Object.hasOwnProperty.call(message, "memberID") && (typeof message.memberID === "object" ? message.memberID.low || message.memberID.high : message.memberID !== 0))
                writer.uint32(16).uint64(message.memberID);
            if (message.alarm != null && $Object.hasOwnProperty.call(message, "alarm") && message.alarm !== 0)
                writer.uint32(24).int32(message.alarm);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AlarmRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AlarmRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.action = value;
                        else
                            delete message.action;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                            message.memberID = value;
                        else
                            delete message.memberID;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.alarm = value;
                        else
                            delete message.alarm;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        AlarmRequest.AlarmAction = (function() {
            const valuesById = $Object.create(null), values = $Object.create(valuesById);
            values[valuesById[0] = "GET"] = 0;
            values[valuesById[1] = "ACTIVATE"] = 1;
            values[valuesById[2] = "DEACTIVATE"] = 2;
            return values;
        })();

        return AlarmRequest;
    })();

    etcdserverpb.AlarmMember = (function() {

        const AlarmMember = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AlarmMember.prototype.memberID = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        AlarmMember.prototype.alarm = 0;

        AlarmMember.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.memberID != null && $Object.hasOwnProperty.call(message, "memberID") && (typeof message.memberID === "object" ? message.memberID.low || message.memberID.high : message.memberID !== 0))
                writer.uint32(8).uint64(message.memberID);
            if (message.alarm != null && $Object.hasOwnProperty.call(message, "alarm") && message.alarm !== 0)
                writer.uint32(16).int32(message.alarm);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AlarmMember.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AlarmMember();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                            message.memberID = value;
                        else
                            delete message.memberID;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.alarm = value;
                        else
                            delete message.alarm;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AlarmMember;
    })();

    etcdserverpb.AuthEnableRequest = (function() {

        const AuthEnableRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AuthEnableRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AuthEnableRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AuthEnableRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                reader.skipType(tag & 7, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AuthEnableRequest;
    })();

    etcdserverpb.AuthDisableRequest = (function() {

        const AuthDisableRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AuthDisableRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AuthDisableRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AuthDisableRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                reader.skipType(tag & 7, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AuthDisableRequest;
    })();

    etcdserverpb.AuthStatusRequest = (function() {

        const AuthStatusRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AuthStatusRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AuthStatusRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AuthStatusRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                reader.skipType(tag & 7, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AuthStatusRequest;
    })();

    etcdserverpb.InternalAuthenticateRequest = (function() {

        const InternalAuthenticateRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        InternalAuthenticateRequest.prototype.name = "";
        InternalAuthenticateRequest.prototype.password = "";
        InternalAuthenticateRequest.prototype.simple_token = "";

        InternalAuthenticateRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                writer.uint32(10).string(message.name);
            if (message.password != null && $Object.hasOwnProperty.call(message, "password") && message.password !== "")
                writer.uint32(18).string(message.password);
            if (message.simple_token != null && $Object.hasOwnProperty.call(message, "simple_token") && message.simple_token !== "")
                writer.uint32(26).string(message.simple_token);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        InternalAuthenticateRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.InternalAuthenticateRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.name = value;
                        else
                            delete message.name;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.password = value;
                        else
                            delete message.password;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.simple_token = value;
                        else
                            delete message.simple_token;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return InternalAuthenticateRequest;
    })();

    etcdserverpb.AuthUserAddRequest = (function() {

        const AuthUserAddRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AuthUserAddRequest.prototype.name = "";
        AuthUserAddRequest.prototype.password = "";
        AuthUserAddRequest.prototype.options = null;
        AuthUserAddRequest.prototype.hashedPassword = "";

        AuthUserAddRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                writer.uint32(10).string(message.name);
            if (message.password != null && $Object.hasOwnProperty.call(message, "password") && message.password !== "")
                writer.uint32(18).string(message.password);
            if (message.options != null && $Object.hasOwnProperty.call(message, "options"))
                $root.authpb.UserAddOptions.encode(message.options, writer.uint32(26).fork(), _depth + 1).ldelim();
            if (message.hashedPassword != null && $Object.hasOwnProperty.call(message, "hashedPassword") && message.hashedPassword !== "")
                writer.uint32(34).string(message.hashedPassword);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AuthUserAddRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AuthUserAddRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.name = value;
                        else
                            delete message.name;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.password = value;
                        else
                            delete message.password;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        message.options = $root.authpb.UserAddOptions.decode(reader, reader.size(), $undefined, _depth + 1, message.options);
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.hashedPassword = value;
                        else
                            delete message.hashedPassword;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AuthUserAddRequest;
    })();

    etcdserverpb.AuthUserDeleteRequest = (function() {

        const AuthUserDeleteRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AuthUserDeleteRequest.prototype.name = "";

        AuthUserDeleteRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                writer.uint32(10).string(message.name);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AuthUserDeleteRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AuthUserDeleteRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.name = value;
                        else
                            delete message.name;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AuthUserDeleteRequest;
    })();

    etcdserverpb.AuthUserGetRequest = (function() {

        const AuthUserGetRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AuthUserGetRequest.prototype.name = "";

        AuthUserGetRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                writer.uint32(10).string(message.name);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AuthUserGetRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AuthUserGetRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.name = value;
                        else
                            delete message.name;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AuthUserGetRequest;
    })();

    etcdserverpb.AuthUserChangePasswordRequest = (function() {

        const AuthUserChangePasswordRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AuthUserChangePasswordRequest.prototype.name = "";
        AuthUserChangePasswordRequest.prototype.password = "";
        AuthUserChangePasswordRequest.prototype.hashedPassword = "";

        AuthUserChangePasswordRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                writer.uint32(10).string(message.name);
            if (message.password != null && $Object.hasOwnProperty.call(message, "password") && message.password !== "")
                writer.uint32(18).string(message.password);
            if (message.hashedPassword != null && $Object.hasOwnProperty.call(message, "hashedPassword") && message.hashedPassword !== "")
                writer.uint32(26).string(message.hashedPassword);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AuthUserChangePasswordRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AuthUserChangePasswordRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.name = value;
                        else
                            delete message.name;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.password = value;
                        else
                            delete message.password;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.hashedPassword = value;
                        else
                            delete message.hashedPassword;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AuthUserChangePasswordRequest;
    })();

    etcdserverpb.AuthUserGrantRoleRequest = (function() {

        const AuthUserGrantRoleRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AuthUserGrantRoleRequest.prototype.user = "";
        AuthUserGrantRoleRequest.prototype.role = "";

        AuthUserGrantRoleRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.user != null && $Object.hasOwnProperty.call(message, "user") && message.user !== "")
                writer.uint32(10).string(message.user);
            if (message.role != null && $Object.hasOwnProperty.call(message, "role") && message.role !== "")
                writer.uint32(18).string(message.role);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AuthUserGrantRoleRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AuthUserGrantRoleRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.user = value;
                        else
                            delete message.user;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.role = value;
                        else
                            delete message.role;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AuthUserGrantRoleRequest;
    })();

    etcdserverpb.AuthUserRevokeRoleRequest = (function() {

        const AuthUserRevokeRoleRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AuthUserRevokeRoleRequest.prototype.name = "";
        AuthUserRevokeRoleRequest.prototype.role = "";

        AuthUserRevokeRoleRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                writer.uint32(10).string(message.name);
            if (message.role != null && $Object.hasOwnProperty.call(message, "role") && message.role !== "")
                writer.uint32(18).string(message.role);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AuthUserRevokeRoleRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AuthUserRevokeRoleRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.name = value;
                        else
                            delete message.name;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.role = value;
                        else
                            delete message.role;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AuthUserRevokeRoleRequest;
    })();

    etcdserverpb.AuthUserListRequest = (function() {

        const AuthUserListRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AuthUserListRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AuthUserListRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AuthUserListRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                reader.skipType(tag & 7, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AuthUserListRequest;
    })();

    etcdserverpb.AuthRoleListRequest = (function() {

        const AuthRoleListRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AuthRoleListRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AuthRoleListRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AuthRoleListRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                reader.skipType(tag & 7, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AuthRoleListRequest;
    })();

    etcdserverpb.AuthRoleAddRequest = (function() {

        const AuthRoleAddRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AuthRoleAddRequest.prototype.name = "";

        AuthRoleAddRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                writer.uint32(10).string(message.name);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AuthRoleAddRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AuthRoleAddRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.name = value;
                        else
                            delete message.name;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AuthRoleAddRequest;
    })();

    etcdserverpb.AuthRoleDeleteRequest = (function() {

        const AuthRoleDeleteRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AuthRoleDeleteRequest.prototype.role = "";

        AuthRoleDeleteRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.role != null && $Object.hasOwnProperty.call(message, "role") && message.role !== "")
                writer.uint32(10).string(message.role);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AuthRoleDeleteRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AuthRoleDeleteRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.role = value;
                        else
                            delete message.role;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AuthRoleDeleteRequest;
    })();

    etcdserverpb.AuthRoleGetRequest = (function() {

        const AuthRoleGetRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AuthRoleGetRequest.prototype.role = "";

        AuthRoleGetRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.role != null && $Object.hasOwnProperty.call(message, "role") && message.role !== "")
                writer.uint32(10).string(message.role);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AuthRoleGetRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AuthRoleGetRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.role = value;
                        else
                            delete message.role;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AuthRoleGetRequest;
    })();

    etcdserverpb.AuthRoleGrantPermissionRequest = (function() {

        const AuthRoleGrantPermissionRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AuthRoleGrantPermissionRequest.prototype.name = "";
        AuthRoleGrantPermissionRequest.prototype.perm = null;

        AuthRoleGrantPermissionRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                writer.uint32(10).string(message.name);
            if (message.perm != null && $Object.hasOwnProperty.call(message, "perm"))
                $root.authpb.Permission.encode(message.perm, writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AuthRoleGrantPermissionRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AuthRoleGrantPermissionRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.name = value;
                        else
                            delete message.name;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        message.perm = $root.authpb.Permission.decode(reader, reader.size(), $undefined, _depth + 1, message.perm);
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AuthRoleGrantPermissionRequest;
    })();

    etcdserverpb.AuthRoleRevokePermissionRequest = (function() {

        const AuthRoleRevokePermissionRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        AuthRoleRevokePermissionRequest.prototype.role = "";
        AuthRoleRevokePermissionRequest.prototype.key = $util.newBuffer([]);
        AuthRoleRevokePermissionRequest.prototype.range_end = $util.newBuffer([]);

        AuthRoleRevokePermissionRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.role != null && $Object.hasOwnProperty.call(message, "role") && message.role !== "")
                writer.uint32(10).string(message.role);
            if (message.key != null && $Object.hasOwnProperty.call(message, "key") && message.key.length)
                writer.uint32(18).bytes(message.key);
            if (message.range_end != null && $Object.hasOwnProperty.call(message, "range_end") && message.range_end.length)
                writer.uint32(26).bytes(message.range_end);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        AuthRoleRevokePermissionRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.AuthRoleRevokePermissionRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.role = value;
                        else
                            delete message.role;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.key = value;
                        else
                            delete message.key;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.range_end = value;
                        else
                            delete message.range_end;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return AuthRoleRevokePermissionRequest;
    })();

    etcdserverpb.DowngradeVersionTestRequest = (function() {

        const DowngradeVersionTestRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        DowngradeVersionTestRequest.prototype.ver = "";

        DowngradeVersionTestRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.ver != null && $Object.hasOwnProperty.call(message, "ver") && message.ver !== "")
                writer.uint32(10).string(message.ver);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        DowngradeVersionTestRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.etcdserverpb.DowngradeVersionTestRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.ver = value;
                        else
                            delete message.ver;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return DowngradeVersionTestRequest;
    })();

    return etcdserverpb;
})();

export const membershippb = $root.membershippb = (() => {

    const membershippb = {};

    membershippb.Attributes = (function() {

        const Attributes = function (properties) {
            this.client_urls = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Attributes.prototype.name = "";
        Attributes.prototype.client_urls = $util.emptyArray;

        Attributes.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                writer.uint32(10).string(message.name);
            if (message.client_urls != null && message.client_urls.length)
                for (let i = 0; i < message.client_urls.length; ++i)
                    writer.uint32(18).string(message.client_urls[i]);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Attributes.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.membershippb.Attributes();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.name = value;
                        else
                            delete message.name;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.client_urls && message.client_urls.length))
                            message.client_urls = [];
                        message.client_urls.push(reader.stringVerify());
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Attributes;
    })();

    membershippb.ClusterVersionSetRequest = (function() {

        const ClusterVersionSetRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ClusterVersionSetRequest.prototype.ver = "";

        ClusterVersionSetRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.ver != null && $Object.hasOwnProperty.call(message, "ver") && message.ver !== "")
                writer.uint32(10).string(message.ver);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ClusterVersionSetRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.membershippb.ClusterVersionSetRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.ver = value;
                        else
                            delete message.ver;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ClusterVersionSetRequest;
    })();

    membershippb.ClusterMemberAttrSetRequest = (function() {

        const ClusterMemberAttrSetRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ClusterMemberAttrSetRequest.prototype.member_ID = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        ClusterMemberAttrSetRequest.prototype.member_attributes = null;

        ClusterMemberAttrSetRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.member_ID != null && $Object.hasOwnProperty.call(message, "member_ID") && (typeof message.member_ID === "object" ? message.member_ID.low || message.member_ID.high : message.member_ID !== 0))
                writer.uint32(8).uint64(message.member_ID);
            if (message.member_attributes != null && $Object.hasOwnProperty.call(message, "member_attributes"))
                $root.membershippb.Attributes.encode(message.member_attributes, writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ClusterMemberAttrSetRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.membershippb.ClusterMemberAttrSetRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                            message.member_ID = value;
                        else
                            delete message.member_ID;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        message.member_attributes = $root.membershippb.Attributes.decode(reader, reader.size(), $undefined, _depth + 1, message.member_attributes);
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ClusterMemberAttrSetRequest;
    })();

    membershippb.DowngradeInfoSetRequest = (function() {

        const DowngradeInfoSetRequest = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        DowngradeInfoSetRequest.prototype.enabled = false;
        DowngradeInfoSetRequest.prototype.ver = "";

        DowngradeInfoSetRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.enabled != null && $Object.hasOwnProperty.call(message, "enabled") && message.enabled !== false)
                writer.uint32(8).bool(message.enabled);
            if (message.ver != null && $Object.hasOwnProperty.call(message, "ver") && message.ver !== "")
                writer.uint32(18).string(message.ver);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        DowngradeInfoSetRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.membershippb.DowngradeInfoSetRequest();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.enabled = value;
                        else
                            delete message.enabled;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.ver = value;
                        else
                            delete message.ver;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return DowngradeInfoSetRequest;
    })();

    return membershippb;
})();

export const leasepb = $root.leasepb = (() => {

    const leasepb = {};

    leasepb.Lease = (function() {

        const Lease = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Lease.prototype.ID = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        Lease.prototype.TTL = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        Lease.prototype.RemainingTTL = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

        Lease.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.ID != null && $Object.hasOwnProperty.call(message, "ID") && (typeof message.ID === "object" ? message.ID.low || message.ID.high : message.ID !== 0))
                writer.uint32(8).int64(message.ID);
            if (message.TTL != null && $Object.hasOwnProperty.call(message, "TTL") && (typeof message.TTL === "object" ? message.TTL.low || message.TTL.high : message.TTL !== 0))
                writer.uint32(16).int64(message.TTL);
            if (message.RemainingTTL != null && $Object.hasOwnProperty.call(message, "RemainingTTL") && (typeof message.RemainingTTL === "object" ? message.RemainingTTL.low || message.RemainingTTL.high : message.RemainingTTL !== 0))
                writer.uint32(24).int64(message.RemainingTTL);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Lease.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.leasepb.Lease();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.ID = value;
                        else
                            delete message.ID;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.TTL = value;
                        else
                            delete message.TTL;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.RemainingTTL = value;
                        else
                            delete message.RemainingTTL;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Lease;
    })();

    return leasepb;
})();

export const mvccpb = $root.mvccpb = (() => {

    const mvccpb = {};

    mvccpb.KeyValue = (function() {

        const KeyValue = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        KeyValue.prototype.key = $util.newBuffer([]);
        KeyValue.prototype.create_revision = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        KeyValue.prototype.mod_revision = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        KeyValue.prototype.version = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        KeyValue.prototype.value = $util.newBuffer([]);
        KeyValue.prototype.lease = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

        KeyValue.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.key != null && $Object.hasOwnProperty.call(message, "key") && message.key.length)
                writer.uint32(10).bytes(message.key);
            if (message.create_revision != null && $Object.hasOwnProperty.call(message, "create_revision") && (typeof message.create_revision === "object" ? message.create_revision.low || message.create_revision.high : message.create_revision !== 0))
                writer.uint32(16).int64(message.create_revision);
            if (message.mod_revision != null && $Object.hasOwnProperty.call(message, "mod_revision") && (typeof message.mod_revision === "object" ? message.mod_revision.low || message.mod_revision.high : message.mod_revision !== 0))
                writer.uint32(24).int64(message.mod_revision);
            if (message.version != null && $Object.hasOwnProperty.call(message, "version") && (typeof message.version === "object" ? message.version.low || message.version.high : message.version !== 0))
                writer.uint32(32).int64(message.version);
            if (message.value != null && $Object.hasOwnProperty.call(message, "value") && message.value.length)
                writer.uint32(42).bytes(message.value);
            if (message.lease != null && $Object.hasOwnProperty.call(message, "lease") && (typeof message.lease === "object" ? message.lease.low || message.lease.high : message.lease !== 0))
                writer.uint32(48).int64(message.lease);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        KeyValue.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.mvccpb.KeyValue();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.key = value;
                        else
                            delete message.key;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.create_revision = value;
                        else
                            delete message.create_revision;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.mod_revision = value;
                        else
                            delete message.mod_revision;
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.version = value;
                        else
                            delete message.version;
                        continue;
                    }
                case 5: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.value = value;
                        else
                            delete message.value;
                        continue;
                    }
                case 6: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.lease = value;
                        else
                            delete message.lease;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return KeyValue;
    })();

    return mvccpb;
})();

export const raftpb = $root.raftpb = (() => {

    const raftpb = {};

    raftpb.EntryType = (function() {
        const valuesById = $Object.create(null), values = $Object.create(valuesById);
        values[valuesById[0] = "EntryNormal"] = 0;
        values[valuesById[1] = "EntryConfChange"] = 1;
        values[valuesById[2] = "EntryConfChangeV2"] = 2;
        return values;
    })();

    raftpb.Entry = (function() {

        const Entry = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Entry.prototype.Type = 0;
        Entry.prototype.Term = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        Entry.prototype.Index = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        Entry.prototype.Data = $util.newBuffer([]);

        Entry.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.Type != null && $Object.hasOwnProperty.call(message, "Type"))
                writer.uint32(8).int32(message.Type);
            if (message.Term != null && $Object.hasOwnProperty.call(message, "Term"))
                writer.uint32(16).uint64(message.Term);
            if (message.Index != null && $Object.hasOwnProperty.call(message, "Index"))
                writer.uint32(24).uint64(message.Index);
            if (message.Data != null && $Object.hasOwnProperty.call(message, "Data"))
                writer.uint32(34).bytes(message.Data);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Entry.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.raftpb.Entry();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        value = reader.int32();
                        if ($root.raftpb.EntryType[value] !== $undefined)
                            message.Type = value;
                        else if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        message.Term = reader.uint64();
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        message.Index = reader.uint64();
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        message.Data = reader.bytes();
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Entry;
    })();

    raftpb.HardState = (function() {

        const HardState = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        HardState.prototype.term = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        HardState.prototype.vote = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        HardState.prototype.commit = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

        HardState.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.term != null && $Object.hasOwnProperty.call(message, "term"))
                writer.uint32(8).uint64(message.term);
            if (message.vote != null && $Object.hasOwnProperty.call(message, "vote"))
                writer.uint32(16).uint64(message.vote);
            if (message.commit != null && $Object.hasOwnProperty.call(message, "commit"))
                writer.uint32(24).uint64(message.commit);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        HardState.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.raftpb.HardState();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        message.term = reader.uint64();
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        message.vote = reader.uint64();
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        message.commit = reader.uint64();
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return HardState;
    })();

    raftpb.ConfState = (function() {

        const ConfState = function (properties) {
            this.voters = [];
            this.learners = [];
            this.voters_outgoing = [];
            this.learners_next = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ConfState.prototype.voters = $util.emptyArray;
        ConfState.prototype.learners = $util.emptyArray;
        ConfState.prototype.voters_outgoing = $util.emptyArray;
        ConfState.prototype.learners_next = $util.emptyArray;
        ConfState.prototype.auto_leave = false;

        ConfState.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.voters != null && message.voters.length)
                for (let i = 0; i < message.voters.length; ++i)
                    writer.uint32(8).uint64(message.voters[i]);
            if (message.learners != null && message.learners.length)
                for (let i = 0; i < message.learners.length; ++i)
                    writer.uint32(16).uint64(message.learners[i]);
            if (message.voters_outgoing != null && message.voters_outgoing.length)
                for (let i = 0; i < message.voters_outgoing.length; ++i)
                    writer.uint32(24).uint64(message.voters_outgoing[i]);
            if (message.learners_next != null && message.learners_next.length)
                for (let i = 0; i < message.learners_next.length; ++i)
                    writer.uint32(32).uint64(message.learners_next[i]);
            if (message.auto_leave != null && $Object.hasOwnProperty.call(message, "auto_leave"))
                writer.uint32(40).bool(message.auto_leave);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ConfState.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.raftpb.ConfState();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType === 2) {
                            if (!(message.voters && message.voters.length))
                                message.voters = [];
                            reader.uint64s(message.voters);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.voters && message.voters.length))
                            message.voters = [];
                        message.voters.push(reader.uint64());
                        continue;
                    }
                case 2: {
                        if (wireType === 2) {
                            if (!(message.learners && message.learners.length))
                                message.learners = [];
                            reader.uint64s(message.learners);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.learners && message.learners.length))
                            message.learners = [];
                        message.learners.push(reader.uint64());
                        continue;
                    }
                case 3: {
                        if (wireType === 2) {
                            if (!(message.voters_outgoing && message.voters_outgoing.length))
                                message.voters_outgoing = [];
                            reader.uint64s(message.voters_outgoing);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.voters_outgoing && message.voters_outgoing.length))
                            message.voters_outgoing = [];
                        message.voters_outgoing.push(reader.uint64());
                        continue;
                    }
                case 4: {
                        if (wireType === 2) {
                            if (!(message.learners_next && message.learners_next.length))
                                message.learners_next = [];
                            reader.uint64s(message.learners_next);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.learners_next && message.learners_next.length))
                            message.learners_next = [];
                        message.learners_next.push(reader.uint64());
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        message.auto_leave = reader.bool();
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ConfState;
    })();

    raftpb.SnapshotMetadata = (function() {

        const SnapshotMetadata = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        SnapshotMetadata.prototype.conf_state = null;
        SnapshotMetadata.prototype.index = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        SnapshotMetadata.prototype.term = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

        SnapshotMetadata.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.conf_state != null && $Object.hasOwnProperty.call(message, "conf_state"))
                $root.raftpb.ConfState.encode(message.conf_state, writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.index != null && $Object.hasOwnProperty.call(message, "index"))
                writer.uint32(16).uint64(message.index);
            if (message.term != null && $Object.hasOwnProperty.call(message, "term"))
                writer.uint32(24).uint64(message.term);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        SnapshotMetadata.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.raftpb.SnapshotMetadata();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        message.conf_state = $root.raftpb.ConfState.decode(reader, reader.size(), $undefined, _depth + 1, message.conf_state);
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        message.index = reader.uint64();
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        message.term = reader.uint64();
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return SnapshotMetadata;
    })();

    raftpb.Snapshot = (function() {

        const Snapshot = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Snapshot.prototype.data = $util.newBuffer([]);
        Snapshot.prototype.metadata = null;

        Snapshot.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.data != null && $Object.hasOwnProperty.call(message, "data"))
                writer.uint32(10).bytes(message.data);
            if (message.metadata != null && $Object.hasOwnProperty.call(message, "metadata"))
                $root.raftpb.SnapshotMetadata.encode(message.metadata, writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Snapshot.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.raftpb.Snapshot();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        message.data = reader.bytes();
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        message.metadata = $root.raftpb.SnapshotMetadata.decode(reader, reader.size(), $undefined, _depth + 1, message.metadata);
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Snapshot;
    })();

    raftpb.ConfChangeType = (function() {
        const valuesById = $Object.create(null), values = $Object.create(valuesById);
        values[valuesById[0] = "ConfChangeAddNode"] = 0;
        values[valuesById[1] = "ConfChangeRemoveNode"] = 1;
        values[valuesById[2] = "ConfChangeUpdateNode"] = 2;
        values[valuesById[3] = "ConfChangeAddLearnerNode"] = 3;
        return values;
    })();

    raftpb.ConfChange = (function() {

        const ConfChange = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ConfChange.prototype.id = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        ConfChange.prototype.type = 0;
        ConfChange.prototype.node_id = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        ConfChange.prototype.context = $util.newBuffer([]);

        ConfChange.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.id != null && $Object.hasOwnProperty.call(message, "id"))
                writer.uint32(8).uint64(message.id);
            if (message.type != null && $Object.hasOwnProperty.call(message, "type"))
                writer.uint32(16).int32(message.type);
            if (message.node_id != null && $Object.hasOwnProperty.call(message, "node_id"))
                writer.uint32(24).uint64(message.node_id);
            if (message.context != null && $Object.hasOwnProperty.call(message, "context"))
                writer.uint32(34).bytes(message.context);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ConfChange.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.raftpb.ConfChange();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        message.id = reader.uint64();
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        value = reader.int32();
                        if ($root.raftpb.ConfChangeType[value] !== $undefined)
                            message.type = value;
                        else if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        message.node_id = reader.uint64();
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        message.context = reader.bytes();
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ConfChange;
    })();

    raftpb.ConfChangeSingle = (function() {

        const ConfChangeSingle = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ConfChangeSingle.prototype.type = 0;
        ConfChangeSingle.prototype.node_id = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

        ConfChangeSingle.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.type != null && $Object.hasOwnProperty.call(message, "type"))
                writer.uint32(8).int32(message.type);
            if (message.node_id != null && $Object.hasOwnProperty.call(message, "node_id"))
                writer.uint32(16).uint64(message.node_id);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ConfChangeSingle.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.raftpb.ConfChangeSingle();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        value = reader.int32();
                        if ($root.raftpb.ConfChangeType[value] !== $undefined)
                            message.type = value;
                        else if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        message.node_id = reader.uint64();
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ConfChangeSingle;
    })();

    raftpb.ConfChangeTransition = (function() {
        const valuesById = $Object.create(null), values = $Object.create(valuesById);
        values[valuesById[0] = "ConfChangeTransitionAuto"] = 0;
        values[valuesById[1] = "ConfChangeTransitionJointImplicit"] = 1;
        values[valuesById[2] = "ConfChangeTransitionJointExplicit"] = 2;
        return values;
    })();

    raftpb.ConfChangeV2 = (function() {

        const ConfChangeV2 = function (properties) {
            this.changes = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        ConfChangeV2.prototype.transition = 0;
        ConfChangeV2.prototype.changes = $util.emptyArray;
        ConfChangeV2.prototype.context = $util.newBuffer([]);

        ConfChangeV2.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.transition != null && $Object.hasOwnProperty.call(message, "transition"))
                writer.uint32(8).int32(message.transition);
            if (message.changes != null && message.changes.length)
                for (let i = 0; i < message.changes.length; ++i)
                    $root.raftpb.ConfChangeSingle.encode(message.changes[i], writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.context != null && $Object.hasOwnProperty.call(message, "context"))
                writer.uint32(26).bytes(message.context);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        ConfChangeV2.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.raftpb.ConfChangeV2();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        value = reader.int32();
                        if ($root.raftpb.ConfChangeTransition[value] !== $undefined)
                            message.transition = value;
                        else if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.changes && message.changes.length))
                            message.changes = [];
                        message.changes.push($root.raftpb.ConfChangeSingle.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        message.context = reader.bytes();
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return ConfChangeV2;
    })();

    return raftpb;
})();

export const snappb = $root.snappb = (() => {

    const snappb = {};

    snappb.snapshot = (function() {

        const snapshot = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        snapshot.prototype.crc = 0;
        snapshot.prototype.data = $util.newBuffer([]);

        snapshot.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.crc != null && $Object.hasOwnProperty.call(message, "crc"))
                writer.uint32(8).uint32(message.crc);
            if (message.data != null && $Object.hasOwnProperty.call(message, "data"))
                writer.uint32(18).bytes(message.data);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        snapshot.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.snappb.snapshot();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        message.crc = reader.uint32();
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        message.data = reader.bytes();
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return snapshot;
    })();

    return snappb;
})();

export const walpb = $root.walpb = (() => {

    const walpb = {};

    walpb.Record = (function() {

        const Record = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Record.prototype.type = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        Record.prototype.crc = 0;
        Record.prototype.data = $util.newBuffer([]);

        Record.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.type != null && $Object.hasOwnProperty.call(message, "type"))
                writer.uint32(8).int64(message.type);
            if (message.crc != null && $Object.hasOwnProperty.call(message, "crc"))
                writer.uint32(16).uint32(message.crc);
            if (message.data != null && $Object.hasOwnProperty.call(message, "data"))
                writer.uint32(26).bytes(message.data);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Record.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.walpb.Record();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        message.type = reader.int64();
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        message.crc = reader.uint32();
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        message.data = reader.bytes();
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Record;
    })();

    walpb.Snapshot = (function() {

        const Snapshot = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        Snapshot.prototype.index = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        Snapshot.prototype.term = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
        Snapshot.prototype.conf_state = null;

        Snapshot.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.index != null && $Object.hasOwnProperty.call(message, "index"))
                writer.uint32(8).uint64(message.index);
            if (message.term != null && $Object.hasOwnProperty.call(message, "term"))
                writer.uint32(16).uint64(message.term);
            if (message.conf_state != null && $Object.hasOwnProperty.call(message, "conf_state"))
                $root.raftpb.ConfState.encode(message.conf_state, writer.uint32(26).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        Snapshot.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.walpb.Snapshot();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        message.index = reader.uint64();
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        message.term = reader.uint64();
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        message.conf_state = $root.raftpb.ConfState.decode(reader, reader.size(), $undefined, _depth + 1, message.conf_state);
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return Snapshot;
    })();

    return walpb;
})();

/** Decoder and encoder of every message. */
export const codecs = {
  'authpb.UserAddOptions': authpb.UserAddOptions,
  'authpb.User': authpb.User,
  'authpb.Permission': authpb.Permission,
  'authpb.Role': authpb.Role,
  'etcdserverpb.Metadata': etcdserverpb.Metadata,
  'etcdserverpb.Request': etcdserverpb.Request,
  'etcdserverpb.RequestHeader': etcdserverpb.RequestHeader,
  'etcdserverpb.InternalRaftRequest': etcdserverpb.InternalRaftRequest,
  'etcdserverpb.RangeRequest': etcdserverpb.RangeRequest,
  'etcdserverpb.PutRequest': etcdserverpb.PutRequest,
  'etcdserverpb.DeleteRangeRequest': etcdserverpb.DeleteRangeRequest,
  'etcdserverpb.RequestOp': etcdserverpb.RequestOp,
  'etcdserverpb.Compare': etcdserverpb.Compare,
  'etcdserverpb.TxnRequest': etcdserverpb.TxnRequest,
  'etcdserverpb.CompactionRequest': etcdserverpb.CompactionRequest,
  'etcdserverpb.LeaseGrantRequest': etcdserverpb.LeaseGrantRequest,
  'etcdserverpb.LeaseRevokeRequest': etcdserverpb.LeaseRevokeRequest,
  'etcdserverpb.LeaseCheckpoint': etcdserverpb.LeaseCheckpoint,
  'etcdserverpb.LeaseCheckpointRequest': etcdserverpb.LeaseCheckpointRequest,
  'etcdserverpb.AlarmRequest': etcdserverpb.AlarmRequest,
  'etcdserverpb.AlarmMember': etcdserverpb.AlarmMember,
  'etcdserverpb.AuthEnableRequest': etcdserverpb.AuthEnableRequest,
  'etcdserverpb.AuthDisableRequest': etcdserverpb.AuthDisableRequest,
  'etcdserverpb.AuthStatusRequest': etcdserverpb.AuthStatusRequest,
  'etcdserverpb.InternalAuthenticateRequest': etcdserverpb.InternalAuthenticateRequest,
  'etcdserverpb.AuthUserAddRequest': etcdserverpb.AuthUserAddRequest,
  'etcdserverpb.AuthUserDeleteRequest': etcdserverpb.AuthUserDeleteRequest,
  'etcdserverpb.AuthUserGetRequest': etcdserverpb.AuthUserGetRequest,
  'etcdserverpb.AuthUserChangePasswordRequest': etcdserverpb.AuthUserChangePasswordRequest,
  'etcdserverpb.AuthUserGrantRoleRequest': etcdserverpb.AuthUserGrantRoleRequest,
  'etcdserverpb.AuthUserRevokeRoleRequest': etcdserverpb.AuthUserRevokeRoleRequest,
  'etcdserverpb.AuthUserListRequest': etcdserverpb.AuthUserListRequest,
  'etcdserverpb.AuthRoleListRequest': etcdserverpb.AuthRoleListRequest,
  'etcdserverpb.AuthRoleAddRequest': etcdserverpb.AuthRoleAddRequest,
  'etcdserverpb.AuthRoleDeleteRequest': etcdserverpb.AuthRoleDeleteRequest,
  'etcdserverpb.AuthRoleGetRequest': etcdserverpb.AuthRoleGetRequest,
  'etcdserverpb.AuthRoleGrantPermissionRequest': etcdserverpb.AuthRoleGrantPermissionRequest,
  'etcdserverpb.AuthRoleRevokePermissionRequest': etcdserverpb.AuthRoleRevokePermissionRequest,
  'etcdserverpb.DowngradeVersionTestRequest': etcdserverpb.DowngradeVersionTestRequest,
  'membershippb.Attributes': membershippb.Attributes,
  'membershippb.ClusterVersionSetRequest': membershippb.ClusterVersionSetRequest,
  'membershippb.ClusterMemberAttrSetRequest': membershippb.ClusterMemberAttrSetRequest,
  'membershippb.DowngradeInfoSetRequest': membershippb.DowngradeInfoSetRequest,
  'leasepb.Lease': leasepb.Lease,
  'mvccpb.KeyValue': mvccpb.KeyValue,
  'raftpb.Entry': raftpb.Entry,
  'raftpb.HardState': raftpb.HardState,
  'raftpb.ConfState': raftpb.ConfState,
  'raftpb.SnapshotMetadata': raftpb.SnapshotMetadata,
  'raftpb.Snapshot': raftpb.Snapshot,
  'raftpb.ConfChange': raftpb.ConfChange,
  'raftpb.ConfChangeSingle': raftpb.ConfChangeSingle,
  'raftpb.ConfChangeV2': raftpb.ConfChangeV2,
  'snappb.snapshot': snappb.snapshot,
  'walpb.Record': walpb.Record,
  'walpb.Snapshot': walpb.Snapshot,
};

export { $Reader as Reader };
