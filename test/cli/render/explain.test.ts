import { describe, expect, it } from 'vitest';
import { explanationJson, explanationText } from '../../../src/cli/render/explain.ts';
import { explainReport } from '../../../src/datadir/start/explanation.ts';
import { type Made, madeFinding, madeReport } from '../../support/made-report.ts';

function text(made: Made): string {
  const explanation = explainReport(madeReport(made));
  return explanationText(explanation, explanation.starts, false);
}

describe('the text of an explanation', () => {
  it('tells releases that do the same together', () => {
    expect(text({ level: 'full' })).toBe(
      [
        'DIR: what etcd does when it is started on it',
        'the check of level full says: HEALTHY: no problem was found',
        '',
        'etcd 3.4, 3.5, 3.6 (the release of this directory): STARTS',
        '  - begins with snapshot 303 of term 2, file 0000000000000002-000000000000012f.snap',
        '  - the db has every entry of the log already',
        '  - serves clients as soon as there is a leader',
        '  - everything committed is there',
        '',
        'etcd 3.7: STARTS',
        '  - begins with snapshot 303 of term 2, as the log has it, without a .snap file',
        '  - the db has every entry of the log already',
        '  - serves clients as soon as there is a leader',
        '  - everything committed is there',
        '',
        'what is in the records of the db was not looked at (--level deep)',
        '',
      ].join('\n'),
    );
  });

  it('tells what is done to files on the way', () => {
    const cut = { segment: '0.wal', offset: 1000, bytes: 2000 };
    const printed = text({
      log: { outcome: 'repairs', words: 'repaired WAL', cut },
      dataDir: { consistentIndex: '200', receivedDbs: ['303'] },
      snap: {
        files: [
          { name: 'new.snap', size: 0, usable: false },
          { name: 'old.snap', size: 9, usable: true, index: '303', term: '2' },
        ],
      },
      findings: [madeFinding('SNAP_EMPTY', { name: 'new.snap', reason: 'it is empty' })],
    });
    expect(printed).toContain('  - cannot read new.snap, and renames it to new.snap.broken\n');
    expect(printed).toContain('  - puts 000000000000012f.snap.db, received from the leader, in the place of db\n');
    expect(printed).toContain('keeps a copy of 0.wal (.broken) and cuts it at byte 1,000, 2,000 bytes off\n');
    expect(printed).toContain('  - applies entries 304 to 380 to the db: it is the only voter, so all of them count\n');
    expect(printed).toContain('  - says: repaired WAL\n');
  });

  it('names the reason with its code, and what to do', () => {
    const printed = text({
      dataDir: { consistentIndex: '500' },
      findings: [madeFinding('DIR_INDEX_BEYOND_LOG', { consistentIndex: '500', lastIndex: '380' })],
    });
    expect(printed).toContain('etcd 3.4, 3.5: HANGS: it runs, but does not serve as it should\n');
    expect(printed).toContain('  - says: failed to publish local member to cluster through raft\n');
    expect(printed).toMatch(/ {2}because: the db has entries up to 500, .*\[DIR_INDEX_BEYOND_LOG\]\n {2}to do: {3}/);
  });

  it('says where it is not sure', () => {
    expect(text({ findings: [madeFinding('BOLT_PAGE_ZEROED', {}, { page: 7 })] })).toContain(
      'DOES NOT START: it panics, most likely\n',
    );
  });

  it('lists few of many reasons', () => {
    const findings = Array.from({ length: 9 }, (_, page) => madeFinding('BOLT_PAGE_ZEROED', {}, { page }));
    expect(text({ findings }).match(/because: /g)).toHaveLength(2 * 6);
    expect(text({ findings })).toContain('because: 4 more findings of these kinds\n');
  });

  it('never prints control characters of a name', () => {
    const files = [{ name: '\u001b[31m.snap', size: 0, usable: false }];
    expect(text({ snap: { files } })).not.toContain('\u001b');
  });
});

it('the JSON has the starts, the verdict and the findings with their sentences', () => {
  const explanation = explainReport(madeReport({ findings: [madeFinding('DIR_SNAP_ORPHAN', { name: 'x.snap' })] }));
  const json = JSON.parse(explanationJson(explanation, explanation.starts)) as Record<string, unknown>;
  expect(json).toMatchObject({ schema: 1, path: 'DIR', kind: 'data-dir', verdict: 'healthy', etcdVersion: '3.6' });
  expect(json['starts']).toEqual(explanation.starts);
  expect(json['findings']).toMatchObject([{ code: 'DIR_SNAP_ORPHAN', message: expect.stringContaining('x.snap') }]);
});
