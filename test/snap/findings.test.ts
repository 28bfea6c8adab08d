/**
 * The table of findings: every code is provoked, said in a whole sentence, and explained.
 */
import { describe, expect, test } from 'vitest';
import { DatadirError } from '../../src/errors.ts';
import { describeFinding, type Finding, findingTable } from '../../src/findings.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { snapFindings } from '../../src/snap/findings.ts';
import { MAX_SNAP_SIZE } from '../../src/snap/format.ts';
import { snapName } from '../../src/snap/snap-name.ts';
import { type Content, checkFolder, snapFile, v2Document } from '../support/snap-files.ts';

const NAME = snapName(2n, 5n);
const good = snapFile();
const raft = new Uint8Array([0x0a, 0xff]);
const denied = (): never => {
  throw new DatadirError('NO_PERMISSION', 'no permission');
};

/** A folder for each code. */
const catalogue: Readonly<Record<keyof typeof snapFindings, Readonly<Record<string, Content>>>> = {
  SNAP_EMPTY: { [NAME]: new Uint8Array(0) },
  SNAP_UNPARSABLE: { [NAME]: good.subarray(0, 50) },
  SNAP_CRC_ZERO: { [NAME]: snapFile({ crc: 0 }) },
  SNAP_CRC_MISMATCH: { [NAME]: snapFile({ crc: 1 }) },
  SNAP_RAFT_UNPARSABLE: { [NAME]: snapFile({ raft }) },
  SNAP_V2_STORE_UNPARSABLE: { [NAME]: snapFile({ document: '{' }) },
  SNAP_CONF_STATE: { [NAME]: snapFile({ learners: [1n] }) },
  SNAP_NAME_MISMATCH: { [snapName(2n, 6n)]: good },
  SNAP_ALL_DAMAGED: { [NAME]: new Uint8Array(0), [snapName(2n, 4n)]: new Uint8Array(0) },
  SNAP_UNREADABLE: { [NAME]: denied },
  SNAP_TOO_LARGE: { [NAME]: { ...memorySource(good), size: MAX_SNAP_SIZE + 1 } },
  SNAP_OLDER_DAMAGED: { [NAME]: good, [snapName(2n, 4n)]: good },
  SNAP_NAME_ODD: { [NAME]: good, 'x.snap': good },
  SNAP_MEMBERS_DIFFER: { [NAME]: snapFile({ voters: [1n, 2n] }) },
  SNAP_V2_CUSTOM_CONTENT: { [NAME]: snapFile({ document: v2Document('"1":{"Children":{"a":{}}}') }) },
  SNAP_LEFTOVER_SNAPSHOT_DB: { '0000000000000010.snap.db': good },
  SNAP_LEFTOVER_RECEIVING: { tmp12345: good },
  SNAP_LEFTOVER_DEFRAGMENTING: { 'db.tmp.12345': good },
  SNAP_LEFTOVER_BROKEN: { [`${NAME}.broken`]: good },
};

describe.each(Object.keys(snapFindings) as (keyof typeof snapFindings)[])('%s', (code) => {
  const definition = snapFindings[code];
  const found = checkFolder(catalogue[code]).findings.filter((finding) => finding.code === code) as Finding[];

  test('is provoked, with the severity of the table', () => {
    expect(found).toHaveLength(1);
    expect(found[0]!.severity).toBe(definition.severity);
    expect(findingTable[code]).toBe(definition);
  });

  test('is a whole sentence: lower case, no full stop, nothing missing in it', () => {
    const { message, remedy } = describeFinding(found[0]!);
    expect(message).toMatch(/^[a-z0-9]/);
    expect(message).not.toMatch(/undefined|NaN|null|\[object|\.$|\$\{|\s\s/);
    expect(message.length).toBeGreaterThan(15);
    expect(message.length).toBeLessThan(500);
    expect(remedy).toBe(definition.remedy);
  });

  test('has arguments that are text, a remedy, an explanation and what etcd does', () => {
    for (const [name, value] of Object.entries(found[0]!.args)) {
      expect(typeof value, name).toBe('string');
      expect(value, name).not.toBe('');
    }
    expect(definition.remedy.length).toBeGreaterThan(10);
    expect(definition.meaning).toMatch(/^[A-Z`].*\.$/s);
    expect(definition.peer).toMatch(/^etcd /);
  });
});

test('places are offsets in the file', () => {
  const bytes = snapFile({ document: '{"Root":{"Value":1}}' });
  const [finding] = checkFolder({ [NAME]: bytes }).findings;
  expect(finding).toMatchObject({ code: 'SNAP_V2_STORE_UNPARSABLE', file: NAME, offset: expect.any(Number) });
  expect(describeFinding(finding!).message).toContain(`byte ${(finding as { offset: number }).offset}`);
});
