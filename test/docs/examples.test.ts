// Runs the examples of README.md and docs/**/*.md, so that what a reader copies works.
//
//   ts, js      a whole ES module; must end with exit code 0. A block of `text output` right below shows what it prints.
//   console     lines that begin with `$ ` are commands, the lines below one are what it prints (stdout and stderr). A command
//               with shown output must print it (see `matches` for what may differ) and may end with any exit code, which
//               `$ echo $?` can show; one without must end with 0. The block is one shell session.
//   sh run      each line must succeed.
//   … no-run    the block is only to be read. There may be few of these.
//   console live  needs a real etcd: all such blocks of a page are one session, run by test/interop/recipes.test.ts.
//
// Blocks of these languages without a flag are run, but for `sh`, which must say which of the two it is. All run in a
// scratch directory where `fixtures` is the project's, 'etcd-datadir' is the built package, and the commands `etcd-datadir`
// and `npx etcd-datadir` are the built command line.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CodeBlock, codeBlocks, consoleCommands } from './code-blocks.ts';
import { bash, expectShown, runCommands, SHELL_PRELUDE } from './console.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** As many blocks as may be marked `no-run`: installing, running the project's own tests, servers that are not here. */
const MAX_NO_RUN = 6;

const RUNNABLE = ['ts', 'js', 'console', 'sh'];

const documents = ['README.md', ...markdownIn('docs')].filter((path) => existsSync(join(ROOT, path)));
const blocks = documents.flatMap((path) =>
  codeBlocks(readFileSync(join(ROOT, path), 'utf8')).map((block, index, all) => ({
    ...block,
    name: `${path}:${block.line} ${block.language}`,
    /** What the next block says that this one prints. */
    shown: all[index + 1]?.flags.includes('output') ? all[index + 1]?.code : undefined,
  })),
);
const runnable = blocks.filter(({ language }) => RUNNABLE.includes(language));
const toRun = runnable.filter(({ flags }) => !flags.includes('no-run') && !flags.includes('live'));

test('the README gives the test command that .ci/run runs', () => {
  const command = 'npm ci && npm test';
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(command);
  expect(readFileSync(join(ROOT, '.ci/run'), 'utf8')).toContain(`\n  ${command}\n`);
});

test('few examples are not run', () => {
  const notRun = runnable.filter(({ flags }) => flags.includes('no-run')).map(({ name }) => name);
  expect(notRun.length, notRun.join(', ')).toBeLessThanOrEqual(MAX_NO_RUN);
});

test('every sh block says whether it is run', () => {
  const unclear = runnable.filter(
    ({ language, flags }) => language === 'sh' && !flags.includes('run') && !flags.includes('no-run'),
  );
  expect(unclear.map(({ name }) => name)).toEqual([]);
});

describe('examples', () => {
  let scratch: string;

  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'etcd-datadir-docs-'));
    symlinkSync(join(ROOT, 'fixtures'), join(scratch, 'fixtures'));
    mkdirSync(join(scratch, 'node_modules'));
    symlinkSync(ROOT, join(scratch, 'node_modules', 'etcd-datadir'));
  });

  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  for (const block of toRun) {
    test(block.name, async () => {
      if (block.language === 'console') runConsole(block, scratch);
      else if (block.language === 'sh') runShell(block, scratch);
      else await runModule(block, block.shown, scratch);
    });
  }
});

async function runModule(block: CodeBlock, shown: string | undefined, cwd: string): Promise<void> {
  const file = join(cwd, 'example.mjs');
  const { code } = await transform(block.code, { loader: block.language as 'ts' | 'js', target: 'node20' });
  writeFileSync(file, code);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd, encoding: 'utf8', timeout: 20_000 });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  if (shown !== undefined) expectShown(shown, stdout);
}

function runConsole(block: CodeBlock, cwd: string): void {
  runCommands(consoleCommands(block.code), cwd);
}

function runShell(block: CodeBlock, cwd: string): void {
  bash(`${SHELL_PRELUDE}set -e\n${block.code}\n`, cwd);
}

function markdownIn(folder: string): string[] {
  const path = join(ROOT, folder);
  if (!existsSync(path)) return [];
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
    .sort()
    .map((file) => `${folder}/${file}`);
}
