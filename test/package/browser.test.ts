// The portable build in a real browser: a Web Worker opens a Blob of a database, a log or a snap file and checks it.
// Skipped, and said so, where no Chromium is installed.
import { accessSync, constants, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from './installed.ts';

const chromiumPath = findInPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
if (chromiumPath === undefined) console.warn('!! no chromium found: the browser tests are skipped');

const LAUNCH_ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const SEGMENT = '/0000000000000000-0000000000000000.wal';
const SNAP = '/0000000000000002-000000000000012f.snap';

/** Runs inside the Web Worker, bundled with the library. */
const WORKER = `
  import { blobSource, check } from 'etcd-datadir/browser';
  self.onmessage = async ({ data: { blob, path } }) => {
    try {
      const { kind, verdict, findings, wal } = await check(blobSource(blob), { path });
      self.postMessage({ kind, verdict, findings: findings.map((finding) => finding.code), entries: wal?.entries });
    } catch (error) {
      self.postMessage({ error: String(error?.stack ?? error) });
    }
  };
`;

/** Runs in the page: hands a file to the worker, whole or cut, and gives back its answer. */
async function checkInWorker({ url, length }: { url: string; length?: number }): Promise<unknown> {
  const whole = await (await fetch(url)).blob();
  const worker = new Worker('/worker.js', { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = (event: { data: unknown }) => resolve(event.data);
      worker.onerror = (event: { message: string }) => reject(new Error(event.message));
      worker.postMessage({ path: url, blob: length === undefined ? whole : whole.slice(0, length) });
    });
  } finally {
    worker.terminate();
  }
}
/** The page's Worker: Node's types do not have it. */
declare class Worker {
  constructor(url: string, options: { type: 'module' });
  onmessage: (event: { data: unknown }) => void;
  onerror: (event: { message: string }) => void;
  postMessage(message: unknown): void;
  terminate(): void;
}

describe.skipIf(chromiumPath === undefined)('in Chromium', () => {
  let server: Server;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    const fixture = (path: string): Uint8Array => readFileSync(join(ROOT, 'fixtures', path));
    const files = new Map<string | undefined, [type: string, body: string | Uint8Array]>([
      ['/', ['text/html', '<!doctype html><title>etcd-datadir</title>']],
      ['/worker.js', ['text/javascript', await bundle(WORKER)]],
      ['/example.db', ['application/octet-stream', fixture('example.db')]],
      [SEGMENT, ['application/octet-stream', fixture(`example/member/wal${SEGMENT}`)]],
      [SNAP, ['application/octet-stream', fixture(`example/member/snap${SNAP}`)]],
    ]);
    server = createServer((request, response) => {
      const [type, body] = files.get(request.url) ?? ['text/plain', undefined];
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: chromiumPath as string, args: LAUNCH_ARGS });
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test.each([
    ['the example database', { url: '/example.db' }, { kind: 'db', verdict: 'healthy', findings: [] }],
    ['a database that was cut short', { url: '/example.db', length: 8192 }, { kind: 'db', verdict: 'damaged' }],
    ['a segment', { url: SEGMENT }, { kind: 'wal', verdict: 'healthy', findings: [], entries: 380 }],
    ['a segment with a torn tail', { url: SEGMENT, length: 313_550 }, { kind: 'wal', findings: ['WAL_TORN_TAIL'] }],
    ['a snap file', { url: SNAP }, { kind: 'snap', verdict: 'healthy' }],
  ])('a worker checks %s', async (_, input, expected) => {
    const page = await browser.newPage();
    await page.goto(origin);
    expect(await page.evaluate(checkInWorker, input)).toMatchObject(expected);
    await page.close();
  });
});

/** Bundles a module that imports the portable build by its name. */
async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    alias: { 'etcd-datadir/browser': join(ROOT, 'dist', 'index.js') },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

/** The path of the first of these commands that is installed. */
function findInPath(...names: string[]): string | undefined {
  const candidates = names.flatMap((name) =>
    (process.env['PATH'] ?? '').split(delimiter).map((dir) => join(dir, name)),
  );
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
