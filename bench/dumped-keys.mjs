// What `etcd-dump-db iterate-bucket --decode FILE key` says of a file: for judging our answers by it.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How many lines a command prints; it must end with 0. `each` sees every line. */
export async function linesOf([command, ...args], each) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
    lines++;
    each?.(line);
  }
  const exit = await closed;
  if (exit !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${exit}`);
  return lines;
}

const LINE = /^rev=\{Revision:\{Main:\d+ Sub:\d+\} tombstone:(true|false)\}, value=\[key "((?:[^"\\]|\\.)*)"/;

/** The number of records, and the keys that are live: the newest record of each comes first. Keys must be plain text. */
export async function dumpedKeys(dumpDb, file) {
  const seen = new Set();
  const live = new Set();
  const records = await linesOf([dumpDb, 'iterate-bucket', '--decode', file, 'key'], (line) => {
    const found = LINE.exec(line);
    if (found === null) throw new Error(`not understood: ${line.slice(0, 200)}`);
    const [, tombstone, key] = found;
    if (seen.has(key)) return;
    seen.add(key);
    if (tombstone === 'false') live.add(key);
  });
  return { records, live };
}
