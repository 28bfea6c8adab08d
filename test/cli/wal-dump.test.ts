import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { editableLog, writeLog } from '../support/edited-log.ts';
import { logFixture, logFixtures, unpack } from '../support/log-fixtures.ts';
import { addNodeEntry, buildLog, emptyEntry, metadata, putEntry, snapshot, state } from '../support/small-log.ts';
import { walRecipes } from '../support/wal-recipes.ts';
import { type Ran, run } from './run.ts';
import { workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();
const FIRST = '0000000000000000-0000000000000000.wal';

/** Unpacks the log of a member, once, and gives its data directory. */
const unpacked = new Map<string, string>();
function member(name: string): string {
  const known = unpacked.get(name);
  if (known !== undefined) return known;
  const path = join(folder, name.replaceAll('/', '-'));
  unpack(logFixture(name), path);
  unpacked.set(name, path);
  return path;
}

/** The log of `busy` after one of the recipes. */
function damaged(recipe: string): string {
  const path = join(folder, recipe);
  const found = walRecipes.find(({ name }) => name === recipe);
  if (found === undefined) throw new Error(`there is no recipe ${recipe}`);
  writeLog(found.apply(editableLog(logFixture('3.6.14/busy/m1')), 0), path);
  return path;
}

/** Two leaders: the second overwrites 3 and 4 of the first. */
function overwritten(): string {
  const path = join(folder, 'overwritten.etcd', 'member', 'wal');
  mkdirSync(path, { recursive: true });
  const [segment] = buildLog(
    [
      {
        name: FIRST,
        records: [
          metadata(0x1an, 0x2bn),
          snapshot(0n, 0n),
          addNodeEntry(1n, 1n, 0x1an),
          state(1n, 0n, 1n),
          emptyEntry(2n, 2n),
          putEntry(2n, 3n, 'a', 'lost'),
          putEntry(2n, 4n, 'b', 'lost'),
          state(2n, 0x1an, 2n),
          emptyEntry(3n, 3n),
          putEntry(3n, 4n, 'a', 'kept'),
          state(3n, 0x1an, 4n),
        ],
      },
    ],
    64,
  );
  return writeWorkFile(path, FIRST, segment!.bytes);
}
const twoLeaders = overwritten();

interface Line {
  readonly [name: string]: unknown;
}
const linesOf = ({ stdout }: Ran): Line[] =>
  stdout
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
const rowsOf = ({ stdout }: Ran): string[] => stdout.split('\n').filter((line) => /^ *\d+\t/.test(line));
const indexesOf = (ran: Ran): number[] => rowsOf(ran).map((row) => Number(row.split('\t')[1]));

describe('wal dump', () => {
  test('prints as etcd-dump-logs does, from the first entry on', async () => {
    const { code, stdout, stderr } = await run(['wal', 'dump', twoLeaders]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      [
        'Snapshot:',
        'empty',
        'Start dumping log entries from index 1.',
        'WAL metadata:',
        'nodeID=1a clusterID=2b term=3 commitIndex=4 vote=1a',
        'WAL entries: 4',
        'lastIndex=4',
        'term\t     index\ttype\tdata',
        '   1\t         1\tconf\tmethod=ConfChangeAddNode id=1a',
        '   2\t         2\tnorm\t',
        '   2\t         3\tnorm (overwritten)\theader:<ID:3 > put:<key:"a" value:"lost" > ',
        '   2\t         4\tnorm (overwritten)\theader:<ID:4 > put:<key:"b" value:"lost" > ',
        '   3\t         3\tnorm\t',
        '   3\t         4\tnorm\theader:<ID:4 > put:<key:"a" value:"kept" > ',
        '',
        'Entry types (Normal,ConfigChange) count is : 4',
        'Overwritten entries shown besides: 2',
        '',
      ].join('\n'),
    );
  });

  test('takes a data directory, the directory of the log, or a segment', async () => {
    const wanted = (await run(['wal', 'dump', twoLeaders])).stdout;
    for (const path of [join(twoLeaders, '../../..'), join(twoLeaders, '../..'), join(twoLeaders, '..')]) {
      expect((await run(['wal', 'dump', path])).stdout).toBe(wanted);
    }
  });

  test('a file that was set aside by a repair can be read too', async () => {
    const path = writeWorkFile(folder, `${FIRST}.broken`, logFixture('3.6.14/fresh/m1').walFiles[0]!.bytes);
    const [line] = linesOf(await run(['wal', 'dump', path, '--json', '--raw']));
    expect(line).toMatchObject({ segment: `${FIRST}.broken`, offset: 0, type: 'crc' });
  });

  test('the header tells the newest snapshot', async () => {
    const { stdout } = await run(['wal', 'dump', member('3.6.14/busy/m1')]);
    expect(stdout).toContain(
      'term=2 index=303 nodes=[dc9794014da78a91] confstate={"voters":[15895336143146158737],"auto_leave":false}\n',
    );
  });
});

describe('indexes and terms', () => {
  const busy = member('3.6.14/busy/m1');

  test('--from and --to are both included', async () => {
    const ran = await run(['wal', 'dump', busy, '--from', '10', '--to', '12']);
    expect(indexesOf(ran)).toEqual([10, 11, 12]);
    expect(ran.stdout).toContain('Start dumping log entries from index 10.\n');
    expect(ran.stdout).toContain('WAL entries: 3\nlastIndex=12\n');
    expect(ran.stdout).toContain('count is : 3\n');
  });

  test.each([
    ['-start-index', '-end-index'],
    ['--start-index', '--end-index'],
  ])('%s is included and %s is not, as in etcd-dump-logs 3.7', async (start, end) => {
    expect(indexesOf(await run(['wal', 'dump', start, '10', end, '12', busy]))).toEqual([10, 11]);
    expect(indexesOf(await run(['wal', 'dump', `${start}=379`, busy]))).toEqual([379, 380]);
    expect(indexesOf(await run(['wal', 'dump', `${end}=0`, busy]))).toEqual([]);
  });

  test('the lower of two upper bounds counts', async () => {
    expect(indexesOf(await run(['wal', 'dump', busy, '--from=5', '--to=6', '--end-index=9']))).toEqual([5, 6]);
    expect(indexesOf(await run(['wal', 'dump', busy, '--from=5', '--to=9', '--end-index=7']))).toEqual([5, 6]);
  });

  test('nothing in the range', async () => {
    const ran = await run(['wal', 'dump', busy, '--from', '18446744073709551615']);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain('WAL entries: 0\nterm\t');
  });

  test('--term', async () => {
    expect(indexesOf(await run(['wal', 'dump', twoLeaders, '--term', '3']))).toEqual([3, 4]);
    const types = linesOf(await run(['wal', 'dump', twoLeaders, '--term', '3', '--json'])).map(({ type }) => type);
    expect(types).toEqual(['entry', 'entry', 'state']);
  });

  test.each([
    [['--from', 'x'], "--from must be a decimal number, not 'x'"],
    [['--to', '18446744073709551616'], '--to must be below 2^64'],
    [['--type', 'entry,nonsense'], "--type knows no 'nonsense'"],
    [['-entry-type', 'IRRNothing'], "--type knows no 'IRRNothing'"],
    [['--key', 'a', '--prefix', 'b'], '--key and --prefix exclude each other'],
    [['-entry-typ', 'Normal'], 'wal dump has no option -e'],
  ])('%j is wrong usage', async (args, message) => {
    const { code, stderr } = await run(['wal', 'dump', busy, ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('types', () => {
  const busy = member('3.6.14/busy/m1');
  const rows = async (...args: string[]): Promise<string[]> => rowsOf(await run(['wal', 'dump', busy, ...args]));

  test.each([
    ['IRRPut', / put:</],
    ['IRRDeleteRange', / delete_range:</],
    ['IRRTxn', / txn:</],
    ['IRRCompaction', / compaction:</],
    ['IRRLeaseGrant', / lease_grant:</],
    ['IRRLeaseRevoke', / lease_revoke:</],
    ['ConfigChange', /\tconf\t/],
    ['Normal', /\tnorm\t/],
    ['InternalRaftRequest', /\tnorm\t/],
  ])('%s', async (type, pattern) => {
    const all = await rows();
    const ran = await run(['wal', 'dump', busy, '-entry-type', type]);
    expect(rowsOf(ran)).toEqual(all.filter((row) => pattern.test(row)));
    expect(ran.stdout).toContain(`Entry types (${type}) count is : ${rowsOf(ran).length}\n`);
  });

  test('Request: of the v2 API', async () => {
    const path = member('3.4.23/v2/m1');
    const ran = rowsOf(await run(['wal', 'dump', path, '--type', 'Request']));
    expect(ran.length).toBeGreaterThan(10);
    for (const row of ran) expect(row).toMatch(/\tnorm\tmethod=/);
  });

  test('several, and more than once', async () => {
    const both = await rows('--type', 'IRRTxn,IRRCompaction');
    expect(both).toEqual((await rows()).filter((row) => / (?:txn|compaction):</.test(row)));
    expect(await rows('--type', 'IRRTxn', '--type', 'IRRCompaction')).toEqual(both);
  });

  test('records of other types among the rows', async () => {
    const { stdout } = await run(['wal', 'dump', twoLeaders, '--type', 'state,snapshot,ConfigChange']);
    expect(stdout.slice(stdout.indexOf('data\n') + 5)).toBe(
      [
        'Snapshot: ',
        '   1\t         1\tconf\tmethod=ConfChangeAddNode id=1a',
        'HardState: term:1 commit:1 ',
        'HardState: term:2 vote:26 commit:2 ',
        'HardState: term:3 vote:26 commit:4 ',
        '',
        'Entry types (state,snapshot,ConfigChange) count is : 1',
        '',
      ].join('\n'),
    );
  });
});

describe('who wrote a key', () => {
  test('puts, deletes of ranges, and transactions', async () => {
    const ran = await run(['wal', 'dump', member('3.6.14/busy/m1'), '--key', '/scratch/0/1', '--json']);
    const lines = linesOf(ran);
    expect(lines.length).toBeGreaterThan(1);
    expect(new Set(lines.flatMap(({ touches }) => touches as string[]))).toContain('delete');
    const all = await run(['wal', 'dump', member('3.6.14/busy/m1')]);
    const expected = rowsOf(all).filter(
      (row) => row.includes('"/scratch/0/1"') || row.includes('delete_range:<key:"/scratch/0/"'),
    );
    expect(indexesOf(await run(['wal', 'dump', member('3.6.14/busy/m1'), '--key', '/scratch/0/1']))).toEqual(
      expected.map((row) => Number(row.split('\t')[1])),
    );
  });

  test('--prefix inside transactions', async () => {
    const ran = await run(['wal', 'dump', member('3.6.14/busy/m1'), '--prefix', '/txn/', '--json']);
    const rows = rowsOf(await run(['wal', 'dump', member('3.6.14/busy/m1')]));
    expect(linesOf(ran)).toHaveLength(rows.filter((row) => /"\/txn\//.test(row)).length);
    expect(linesOf(ran)[0]!['touches']).toContain('txn-put');
  });

  test('transactions in transactions', async () => {
    const path = member('3.6.14/nested/m1');
    const rows = rowsOf(await run(['wal', 'dump', path])).filter((row) => row.includes('request_txn:<'));
    expect(rows.length).toBeGreaterThan(0);
    const keys = new Set(
      rows.flatMap((row) => [...row.matchAll(/request_put:<key:"([^"\\]+)"/g)].map(([, key]) => key!)),
    );
    expect(keys.size).toBeGreaterThan(0);
    for (const key of [...keys].slice(0, 5)) {
      const found = rowsOf(await run(['wal', 'dump', path, '--key', key]));
      for (const row of rows.filter((each) => each.includes(`request_put:<key:"${key}"`))) expect(found).toContain(row);
    }
  });
});

describe('--json', () => {
  test('one object a record, with what is in it', async () => {
    const ran = await run(['wal', 'dump', twoLeaders, '--json']);
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
    const lines = linesOf(ran);
    const crc = expect.any(Number);
    const at = (offset: unknown): object => ({ segment: FIRST, offset });
    expect(lines.slice(0, 5)).toEqual([
      { ...at(0), type: 'crc', crc: 0 },
      { ...at(16), type: 'metadata', nodeId: '26', nodeIdHex: '1a', clusterId: '43', clusterIdHex: '2b', crc },
      { ...at(expect.any(Number)), type: 'snapshot', index: '0', term: '0', crc },
      {
        ...at(expect.any(Number)),
        type: 'entry',
        index: '1',
        term: '1',
        entryType: 'EntryConfChange',
        request: expect.objectContaining({ kind: 'conf-change', type: 'ConfChangeAddNode', contextId: '26' }),
        crc,
      },
      { ...at(expect.any(Number)), type: 'state', term: '1', vote: '0', voteHex: '0', commit: '1', crc },
    ]);
    expect(lines[6]).toEqual({
      ...at(expect.any(Number)),
      type: 'entry',
      index: '3',
      term: '2',
      entryType: 'EntryNormal',
      request: {
        kind: 'internal',
        requestName: 'put',
        header: { ID: '3' },
        put: { key: 'YQ==', value: 'bG9zdA==' },
      },
      crc,
      overwritten: true,
    });
    expect(lines.map(({ overwritten }) => overwritten)).toEqual([
      ...Array<undefined>(6).fill(undefined),
      true,
      true,
      ...Array<undefined>(4).fill(undefined),
    ]);
  });

  test('snapshots tell who takes part', async () => {
    const lines = linesOf(await run(['wal', 'dump', member('3.6.14/cluster/m1'), '--json', '--type', 'snapshot']));
    expect(lines.at(-1)).toMatchObject({
      index: '404',
      term: '2',
      confState: { voters: ['12174557711061309227', '15988450232409269246'], autoLeave: false },
    });
  });

  test('has every record of the raw dump, when nothing is damaged', async () => {
    const plain = await run(['wal', 'dump', member('3.6.14/cluster/m4'), '--json']);
    const raw = await run(['wal', 'dump', member('3.6.14/cluster/m4'), '--json', '--raw']);
    expect(linesOf(plain).map(({ overwritten: _, ...rest }) => rest)).toEqual(linesOf(raw));
  });
});

describe('--raw', () => {
  test('gives the place of every record', async () => {
    const { code, stdout } = await run(['wal', 'dump', twoLeaders, '-raw']);
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      FIRST,
      '         0\tCRC: 0',
      '        16\tMetadata: NodeID:26 ClusterID:43 ',
      '        40\tSnapshot: ',
      '        64\tEntry: Term:1 Index:1 Type:EntryConfChange method=ConfChangeAddNode id=1a',
    ]);
    expect(stdout).toMatch(/\nEOF: All entries were processed\.\n$/);
  });

  test.each([
    ['wal-middle-flip', 'crc'],
    ['wal-hole', 'hole'],
    ['wal-length-huge', 'cut'],
    ['wal-inner-length-long', 'unparsable'],
  ])('%s: goes on behind the damage, and marks it', async (recipe, kind) => {
    const path = damaged(recipe);
    const whole = linesOf(await run(['wal', 'dump', member('3.6.14/busy/m1'), '--json', '--raw']));
    const ran = await run(['wal', 'dump', path, '--json', '--raw']);
    expect(ran.code).toBe(1);
    const lines = linesOf(ran);
    const at = lines.findIndex(({ damage }) => damage !== undefined);
    expect(lines[at]).toMatchObject({ damage: { segment: FIRST, kind, message: expect.any(String) } });
    expect(lines.slice(0, at)).toEqual(whole.slice(0, at));
    // The record that is damaged is missing, and nothing else.
    expect(lines.slice(at + 1)).toEqual(whole.slice(at + 1));
    const { damage } = lines[at] as { damage: { offset: number } };
    expect(damage.offset).toBe(whole[at]!['offset']);
    const text = await run(['wal', 'dump', path, '--raw']);
    expect(text.code).toBe(1);
    expect(text.stdout).toMatch(/^ *\d+\tDamage: /m);
    expect(text.stdout).toContain('\nEOF: damaged places: 1\n');
  });

  test('a record of a type that does not exist is shown as such', async () => {
    const ran = await run(['wal', 'dump', damaged('wal-type-unknown'), '--raw']);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/\tUnknown type of record: 9\n/);
  });
});

describe('a damaged log without --raw', () => {
  test.each(['wal-middle-flip', 'wal-length-huge', 'wal-torn-tail-short', 'wal-type-unknown'])(
    '%s ends the dump, with 1',
    async (recipe) => {
      const path = join(folder, `${recipe}-plain`);
      writeLog(
        walRecipes.find(({ name }) => name === recipe)!.apply(editableLog(logFixture('3.6.14/busy/m1')), 0),
        path,
      );
      const text = await run(['wal', 'dump', path]);
      expect(text.code).toBe(1);
      expect(text.stdout).toMatch(/\nDamage: 0{16}-0{16}\.wal at byte \d+: .*\n\nEntry types/);
      expect(text.stderr).toContain('--raw shows what is behind');
      const lines = linesOf(await run(['wal', 'dump', path, '--json']));
      expect(lines.at(-1)).toMatchObject({ damage: { segment: FIRST } });
      expect(lines.filter(({ damage }) => damage !== undefined)).toHaveLength(1);
    },
  );

  test('an entry whose data is no message is shown as one that cannot be decoded', async () => {
    const path = damaged('wal-entry-garbage');
    const ran = await run(['wal', 'dump', path]);
    expect(ran.code).toBe(0);
    expect(rowsOf(ran).filter((row) => row.endsWith('\tnorm\t???'))).toHaveLength(1);
    const kinds = linesOf(await run(['wal', 'dump', path, '--json', '--type', 'entry']));
    expect(kinds.filter(({ request }) => (request as Line)['kind'] === 'undecodable')).toHaveLength(1);
  });

  test('what is no log cannot be read', async () => {
    const empty = join(folder, 'empty-dir');
    mkdirSync(join(empty, 'member', 'wal'), { recursive: true });
    expect((await run(['wal', 'dump', empty])).code).toBe(3);
    expect((await run(['wal', 'dump', join(folder, 'nothing')])).code).toBe(3);
  });
});

describe('secrets are not shown', () => {
  const withAuth = logFixtures().filter(({ scenario }) => scenario === 'auth' || scenario === 'tail-auth');

  test.each(withAuth.map(({ name }) => [name]))('%s', async (name) => {
    // What the real tool shows tells which secrets there are.
    const fixture = logFixture(name);
    const recorded = fixture.dumpLogs() + fixture.dumpLogsRaw();
    const secrets = new Set(['rootpw', 'alicepw', 'alicepw2', 'bobpw', 'erinpw']);
    for (const [, secret] of recorded.matchAll(/(?:password|hashedPassword|simple_token):"([^"]+)"/g)) {
      // Shorter ones are found everywhere.
      if (secret !== '<value removed>' && secret!.length > 4) secrets.add(secret!);
    }
    // 3.5 and later keep the base64 of a hash; tokens behind the snapshot are in the raw dump only.
    for (const [, hash] of recorded.matchAll(/(JDJ[abxy][A-Za-z0-9+/=]{20,})/g)) secrets.add(hash!);
    for (const [, token] of recorded.matchAll(/\\032\\020([A-Za-z]{16})"/g)) secrets.add(token!);
    expect(secrets.size).toBeGreaterThan(4);
    for (const secret of [...secrets].filter((each) => each.startsWith('JDJ'))) {
      secrets.add(Buffer.from(secret, 'base64').toString('latin1').slice(0, 40));
    }
    const path = member(name);
    const modes = [[], ['--json'], ['--raw'], ['--raw', '--json'], ['--type', 'entry,state,snapshot,metadata,crc']];
    for (const mode of modes) {
      const { stdout, stderr, code } = await run(['wal', 'dump', path, ...mode]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/auth_user_add/);
      for (const secret of secrets) {
        const bytes = Buffer.from(secret, 'latin1');
        const forms = [secret, bytes.toString('hex'), ...base64Forms(bytes)];
        for (const form of forms) {
          expect({ secret, mode, shown: stdout.includes(form) || stderr.includes(form) }).toEqual({
            secret,
            mode,
            shown: false,
          });
        }
      }
      expect(stdout).not.toMatch(/\$2[abxy]\$\d\d\$/);
    }
  });

  /** What base64 of the bytes looks like at each of the three offsets in a longer text, without its ends. */
  function base64Forms(bytes: Buffer): string[] {
    return [0, 1, 2].map((shift) => {
      const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
      const start = Math.ceil((shift * 8) / 6);
      return text.slice(start, Math.floor(((shift + bytes.length) * 8) / 6));
    });
  }
});
