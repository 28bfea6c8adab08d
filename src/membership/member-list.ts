/**
 * Lists of members in JSON or YAML, as people have them: the output of `etcdctl member list -w json`, a list or a map of their
 * own, or a configuration file of etcd.
 *
 *     - { name: n1, peerURLs: [http://10.0.0.1:2380] }       # a list, alone or as `members` of an object
 *     n1: http://10.0.0.1:2380                               # a map, likewise
 *     initial-cluster: n1=http://10.0.0.1:2380               # etcd's own key
 *
 * Ids in it are passed over: those of a new cluster are made anew.
 */
import { DatadirError, isDatadirError } from '../errors.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import { asObject, type JsonObject, type JsonValue, parseJson } from '../json/parse.ts';
import { quotedText } from './byte-text.ts';
import { type InitialCluster, initialClusterOf, parseInitialCluster } from './initial-cluster.ts';
import { parsePeerUrls } from './peer-urls.ts';
import { parseYaml } from './yaml.ts';

/** What a list says of a new cluster. */
export interface MemberList {
  readonly cluster: InitialCluster;
  /** Names of the members that do not vote. */
  readonly learners: ReadonlySet<string>;
  /** Undefined if the document has none. */
  readonly token: string | undefined;
}

const MAX_BYTES: number = 1024 * 1024;
const MAX_MEMBERS = 1000;

const LIST = 'members';
const TOKEN = 'token';
/** Keys of etcd's configuration file. */
const ETCD_CLUSTER = 'initial-cluster';
const ETCD_TOKEN = 'initial-cluster-token';

/** Spellings of the fields of a member, in lower case and without `-` and `_`. */
const NAME_KEYS: ReadonlySet<string> = new Set(['name']);
const URL_KEYS: ReadonlySet<string> = new Set(['peerurls', 'peerurl', 'url']);
const LEARNER_KEYS: ReadonlySet<string> = new Set(['islearner', 'learner']);

interface ListedMember {
  readonly name: string;
  readonly urls: readonly string[];
  readonly isLearner: boolean;
}

/** Parses a list of members. Throws `USAGE`, with the place in the document: `members[2]: no peerURLs`. */
export function parseMemberList(text: string, minor: EtcdMinor): MemberList {
  const value = parseDocument(text);
  if (Array.isArray(value)) return memberList(listed(value, minor), undefined);
  const document = asObject(value);
  if (document === undefined) throw usage('the document is neither a list nor an object of members');
  const members = document.get(LIST);
  if (members !== undefined && !isUrls(members)) {
    const token = textAt(document, TOKEN) ?? textAt(document, ETCD_TOKEN);
    if (Array.isArray(members)) return memberList(listed(members, minor), token);
    const map = asObject(members);
    if (map === undefined) throw usage(`${LIST}: neither a list nor an object`);
    return memberList(mapped(map, minor, `${LIST}.`), token);
  }
  if (!document.has(ETCD_CLUSTER)) return memberList(mapped(document, minor, ''), undefined);
  const flag = textAt(document, ETCD_CLUSTER) ?? '';
  const cluster = within(ETCD_CLUSTER, () => parseInitialCluster(flag, minor));
  checkCount(cluster.size);
  return { cluster, learners: new Set(), token: textAt(document, ETCD_TOKEN) };
}

/** All JSON is YAML, but JSON is parsed by our own parser, which is faster and has the better words. */
function parseDocument(text: string): JsonValue {
  // In UTF-16 units first: no text has fewer bytes than these.
  if (text.length > MAX_BYTES || new TextEncoder().encode(text).length > MAX_BYTES) {
    throw usage(`the list of members is longer than ${MAX_BYTES} bytes`);
  }
  if (text.startsWith('\ufeff')) text = text.slice(1);
  if (!/^\s*[[{]/.test(text)) return within('the list of members is no YAML', () => parseYaml(text));
  try {
    return parseJson(text);
  } catch (jsonError) {
    if (!isDatadirError(jsonError, 'JSON_INVALID')) throw jsonError;
    // `[{name: n1, …}]` is YAML too.
    const words = `the list of members is neither JSON (${jsonError.message}) nor YAML`;
    return within(words, () => parseYaml(text));
  }
}

function memberList(members: readonly ListedMember[], token: string | undefined): MemberList {
  const learners = members.filter(({ isLearner }) => isLearner).map(({ name }) => name);
  const cluster = initialClusterOf(members.map(({ name, urls }) => [name, urls]));
  return { cluster, learners: new Set(learners), token };
}

/** The members of a list. */
function listed(values: readonly JsonValue[], minor: EtcdMinor): ListedMember[] {
  checkCount(values.length);
  const names = new Set<string>();
  return values.map((value, i) =>
    within(`${LIST}[${i}]`, () => {
      const fields = asObject(value);
      if (fields === undefined) throw usage('not an object');
      const name = fieldOf(fields, NAME_KEYS);
      // etcdctl has an empty name for a member that was added and has not been started.
      if (name === undefined || name.value === '') throw usage('no name');
      if (typeof name.value !== 'string') throw usage(`${name.key} is not a text`);
      checkName(name.value);
      if (names.has(name.value)) throw usage(`the name ${quotedText(name.value)} comes twice`);
      names.add(name.value);
      const urls = fieldOf(fields, URL_KEYS);
      if (urls === undefined) throw usage('no peerURLs');
      const isLearner = fieldOf(fields, LEARNER_KEYS);
      if (isLearner !== undefined && typeof isLearner.value !== 'boolean') {
        throw usage(`${isLearner.key} is not true or false`);
      }
      return { name: name.value, urls: urlsOf(urls.value, urls.key, minor), isLearner: isLearner?.value === true };
    }),
  );
}

/** The members of a map from name to URLs; `prefix` says where it is. */
function mapped(map: JsonObject, minor: EtcdMinor, prefix: string): ListedMember[] {
  checkCount(map.size);
  return [...map].map(([name, value]) => {
    if (name === '') throw usage(`${prefix}"": no name`);
    return within(prefix + placeOf(name), () => {
      checkName(name);
      return { name, urls: urlsOf(value, 'the value', minor), isLearner: false };
    });
  });
}

function placeOf(name: string): string {
  return /^[\w.-]{1,100}$/.test(name) ? name : quotedText(name.slice(0, 100));
}

function checkCount(members: number): void {
  if (members === 0) throw usage('the list of members is empty');
  if (members > MAX_MEMBERS) throw usage(`${members} members: at most ${MAX_MEMBERS} are taken`);
}

/** etcd takes any name, but one that cannot be written into its flag could never be started with it. */
function checkName(name: string): void {
  if (/[,=]/.test(name)) throw usage(`the name ${quotedText(name)} has a comma or an equals sign in it`);
}

function urlsOf(value: JsonValue, key: string, minor: EtcdMinor): readonly string[] {
  if (value === null || (Array.isArray(value) && value.length === 0)) throw usage('no peerURLs');
  if (!isUrls(value)) throw usage(`${key} is neither a text nor a list of texts`);
  return parsePeerUrls(typeof value === 'string' ? [value] : value, minor);
}

/** Whether it is what a member called `members` would have. */
function isUrls(value: JsonValue): value is string | readonly string[] {
  if (typeof value === 'string') return true;
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

/** The field under any of its spellings, and the one that is used; undefined if there is none, or null. */
function fieldOf(
  fields: JsonObject,
  spellings: ReadonlySet<string>,
): { readonly key: string; readonly value: Exclude<JsonValue, null> } | undefined {
  let found: { key: string; value: Exclude<JsonValue, null> } | undefined;
  for (const [key, value] of fields) {
    if (value === null || !spellings.has(key.toLowerCase().replace(/[-_]/g, ''))) continue;
    if (found !== undefined) throw usage(`both ${found.key} and ${key}`);
    found = { key, value };
  }
  return found;
}

/** The text under that key; undefined if there is none, or null. */
function textAt(document: JsonObject, key: string): string | undefined {
  const value = document.get(key) ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw usage(`${key} is not a text`);
}

/** Puts the place in front of the words of an error. */
function within<T>(place: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!isDatadirError(error, 'USAGE')) throw error;
    throw new DatadirError('USAGE', `${place}: ${error.message}`, { cause: error });
  }
}

function usage(words: string): DatadirError {
  return new DatadirError('USAGE', words);
}
