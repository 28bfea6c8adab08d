// Runs the recipes of docs/recipes as they are written, with real etcd servers: all `console live` blocks of a page are one session, in which
// `etcd` and `etcdctl` are peers. One page after the other: they use fixed ports.
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { codeBlocks, consoleCommands } from '../docs/code-blocks.ts';
import { quote, runCommands } from '../docs/console.ts';
import { findEtcds, findPeer } from '../support/peers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, 'docs', 'recipes');
const etcdctl = findPeer('etcdctl-3.4');
const pages = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));

test('there are the four recipes', () => {
  expect(pages.sort()).toEqual([
    'bootstrap-from-a-member-list.md',
    'lost-quorum.md',
    'restore-a-cluster.md',
    'restore-one-member.md',
  ]);
});

for (const { version, path } of findEtcds()) {
  describe.skipIf(etcdctl === undefined)(`with etcd ${version}`, () => {
    for (const page of pages) {
      test(page, { timeout: 90_000 }, () => {
        const cwd = temporaryDirectory();
        symlinkSync(join(ROOT, 'fixtures'), join(cwd, 'fixtures'));
        const blocks = codeBlocks(readFileSync(join(FOLDER, page), 'utf8'));
        const commands = blocks.flatMap(({ flags, code }) => (flags.includes('live') ? consoleCommands(code) : []));
        expect(commands.length).toBeGreaterThan(5);
        const prelude = [
          // Job control, as in a shell that somebody types into: %1 is the first job.
          'set -m',
          `MINOR=${version.split('.').slice(0, 2).join('.')}`,
          `mkdir bin; ln -s ${quote(path)} bin/etcd; ln -s ${quote(etcdctl as string)} bin/etcdctl; export PATH="$PWD/bin:$PATH"`,
          "trap 'kill -9 $(jobs -p) 2> /dev/null' EXIT",
          '',
        ].join('\n');
        runCommands(commands, cwd, prelude, 60_000);
      });
    }
  });
}
