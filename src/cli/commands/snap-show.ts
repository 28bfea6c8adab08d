/**
 * `snap show PATH`: what a `.snap` file holds; of a folder the newest one.
 */
import { join } from 'node:path';
import { DatadirError } from '../../errors.ts';
import { openSnapFolder } from '../../files/snap-folder.ts';
import { openFileSource } from '../../io/file-source.ts';
import { listSnapFolder, newestSnap } from '../../snap/list.ts';
import { readSnap, type Snap } from '../../snap/reader.ts';
import { summarize } from '../../snap/summarize.ts';
import type { V2Key, V2Store } from '../../snap/v2-store.ts';
import { integerOption } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { jsonText } from '../render/json.ts';
import { counted, exactSize, grouped } from '../render/size.ts';
import { visible } from '../render/visible.ts';

const MAX_KEYS = 100;

/** Runs the command. */
export async function run({ positionals, options, json, out, block, note }: Invocation): Promise<number> {
  const path = snapAt(positionals[0] ?? '');
  const maxKeys = integerOption(options['max-keys'], MAX_KEYS);
  const source = openFileSource(path);
  let snap: Snap;
  try {
    snap = block(() => readSnap(source, { maxKeys }));
  } finally {
    source.close();
  }
  out.write(json ? jsonText({ schema: 1, path, ...fields(snap) }) : text(path, snap));
  if (snap.dataProblem !== undefined) note(`the data is not a v2 store: ${snap.dataProblem.reason}`);
  return EXIT.done;
}

/** The file to show: the path itself, or the newest in the folder there. */
function snapAt(path: string): string {
  const folder = openSnapFolder(path);
  if (folder === undefined) return path;
  const newest = newestSnap(listSnapFolder(folder.files.map(({ name }) => name)).snaps);
  if (newest === undefined) {
    throw new DatadirError('NOT_FOUND', `${folder.path}: no .snap file in it`, { path: folder.path });
  }
  return join(folder.path, newest);
}

function fields(snap: Snap): Record<string, unknown> {
  const { size, store, dataProblem } = snap;
  return {
    size,
    ...summarize(snap),
    ...(store === undefined ? {} : { v2Keys: store.keys, v2Auth: store.auth, v2Index: store.currentIndex }),
    ...(dataProblem === undefined ? {} : { dataProblem }),
  };
}

const hex = (id: bigint): string => id.toString(16);
const ids = (list: readonly bigint[]): string => (list.length === 0 ? 'none' : list.map(hex).join(', '));

function text(path: string, { size, index, term, crc, confState, data, dataKind, store }: Snap): string {
  const { voters, learners, votersOutgoing, learnersNext } = confState;
  const lines = [
    path,
    `index:     ${grouped(index)}`,
    `term:      ${grouped(term)}`,
    `size:      ${exactSize(size)}`,
    `checksum:  ${crc.toString(16).padStart(8, '0')}`,
    `voters:    ${ids(voters)}`,
    `learners:  ${ids(learners)}`,
  ];
  if (votersOutgoing.length + learnersNext.length > 0) {
    lines.push(`outgoing:  ${ids(votersOutgoing)}`, `next:      ${ids(learnersNext)}`);
  }
  lines.push(`data:      ${dataKind}, ${exactSize(data.length)}`);
  return [...lines, ...(store === undefined ? [] : storeLines(store))].map((line) => `${visible(line)}\n`).join('');
}

function storeLines({ members, removed, version, keys, auth }: V2Store): string[] {
  const lines = [`version:   ${version ?? 'not agreed on yet'}`, 'members:'];
  for (const { id, name, peerURLs, clientURLs, isLearner } of members) {
    const clients = clientURLs === undefined ? 'not published yet' : `clients ${clientURLs.join(' ')}`;
    lines.push(`  ${hex(id)}  ${name ?? '-'}${isLearner ? ' (learner)' : ''}  peers ${peerURLs.join(' ')}  ${clients}`);
  }
  if (removed.length > 0) lines.push(`removed:   ${ids(removed)}`);
  const { files, directories, listed } = keys;
  if (files + directories > 0) {
    const dirs = `${grouped(directories)} ${directories === 1 ? 'directory' : 'directories'}`;
    lines.push(`v2 keys:   ${counted(files, 'key')}, ${dirs}`, ...listed.map(keyLine));
    const left = files + directories - listed.length;
    if (left > 0) lines.push(`  ${grouped(left)} more (--max-keys)`);
  }
  const { users, roles, enabled } = auth;
  if (enabled || users + roles > 0) {
    lines.push(
      `v2 auth:   ${enabled ? 'enabled' : 'not enabled'}, ${counted(users, 'user')}, ${counted(roles, 'role')}`,
    );
  }
  return lines;
}

function keyLine({ path, directory, expires }: V2Key): string {
  return `  ${path}${directory ? '/' : ''}${expires === undefined ? '' : `  (expires ${expires})`}`;
}
