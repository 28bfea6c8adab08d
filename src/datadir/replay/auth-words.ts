/**
 * Why etcd refuses a request about users and roles, or one that the user may not make, in its own words.
 */
export const NO_ROOT_USER = 'auth: root user does not exist';
export const NO_ROOT_ROLE = 'auth: root user does not have root role';
export const USER_EXISTS = 'auth: user already exists';
export const USER_EMPTY = 'auth: user name is empty';
export const USER_NOT_FOUND = 'auth: user not found';
export const ROLE_EXISTS = 'auth: role already exists';
export const ROLE_NOT_FOUND = 'auth: role not found';
export const ROLE_EMPTY = 'auth: role name is empty';
export const ROLE_NOT_GRANTED = 'auth: role is not granted to the user';
export const PERMISSION_NOT_GIVEN = 'auth: permission not given';
export const PERMISSION_NOT_GRANTED = 'auth: permission is not granted to the role';
export const PERMISSION_DENIED = 'auth: permission denied';
export const OLD_REVISION = 'auth: revision in header is old';
export const INVALID_MANAGEMENT = 'auth: invalid auth management';
/** Its words for every password that cannot be used. */
export const PASSWORD_UNUSABLE = 'auth: authentication failed, password was given for no password user';
