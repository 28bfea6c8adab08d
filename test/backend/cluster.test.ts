/**
 * Bucket `cluster`: the agreed version and the downgrade.
 */
import { describe, expect, test } from 'vitest';
import { readCluster } from '../../src/backend/cluster.ts';
import { hex, openDb, type Pairs, put } from '../support/backend-db.ts';

const read = async (cluster: Pairs) => readCluster((await openDb({ cluster })).db);

describe('bucket cluster', () => {
  test('holds nothing until a version is agreed on', async () => {
    expect(await read([])).toMatchObject({ version: null, downgrade: null, unreadable: { count: 0 } });
    const bare = await openDb({ key: [put(2, 0, { key: 'a' })] }, { bare: true });
    expect(readCluster(bare.db)).toMatchObject({ version: null, downgrade: null, unreadable: { count: 0 } });
  });

  test.each([
    ['3.6.0', '{"target-version":"3.5.0","enabled":true}', { targetVersion: '3.5.0', enabled: true }],
    ['3.0.0', '{"target-version":"","enabled":false}', { targetVersion: '', enabled: false }],
    ['3.7.0-alpha.1+dirty', '{"Enabled":false,"other":1}', { targetVersion: '', enabled: false }],
    ['3.5.0', 'null', { targetVersion: '', enabled: false }],
  ])('version %s, downgrade %s', async (version, json, downgrade) => {
    const found = await read([
      ['clusterVersion', version],
      ['downgrade', json],
      ['other', 'x'],
    ]);
    expect(found).toMatchObject({ version, downgrade, unreadable: { count: 0 } });
  });

  test.each([
    ['clusterVersion', '', 'it is not a version'],
    ['clusterVersion', '3.6', 'it is not a version'],
    ['clusterVersion', 'v3.6.0', 'it is not a version'],
    ['clusterVersion', '3.6.0\n', 'it is not a version'],
    ['clusterVersion', hex('ff'), 'it is not a version'],
    ['downgrade', '', 'it is not the JSON of a downgrade: the text ends too early at byte 0'],
    ['downgrade', '[]', 'it is not the JSON of a downgrade: the text is no JSON object'],
    ['downgrade', '{"enabled":"true"}', 'it is not the JSON of a downgrade: "enabled" is not true or false'],
    ['downgrade', '{"target-version":3}', 'it is not the JSON of a downgrade: "target-version" is not a text'],
    ['downgrade', '{"target-version":"3.5","enabled":true}', 'it is enabled, and its target is not a version'],
    ['downgrade', '{"enabled":true}', 'it is enabled, and its target is not a version'],
    ['downgrade', new Uint8Array((1 << 20) + 1), 'it has 1048577 bytes'],
  ])('%s %j counts as absent, and is told', async (key, value, reason) => {
    const { version, downgrade, unreadable } = await read([[key, value]]);
    expect([version, downgrade]).toEqual([null, null]);
    expect(unreadable.count).toBe(1);
    expect(unreadable.listed).toMatchObject([{ bucket: 'cluster', reason }]);
    expect(new TextDecoder().decode(unreadable.listed[0]?.key)).toBe(key);
  });

  test('a bad value is told with its place', async () => {
    const { unreadable } = await read([['clusterVersion', 'x']]);
    const file = await openDb({ cluster: [['clusterVersion', 'x']] });
    const { offset = 0, pageId } = unreadable.listed[0] ?? {};
    const found = new Uint8Array(14);
    file.source.readInto(found, offset);
    expect(new TextDecoder().decode(found)).toBe('clusterVersion');
    expect(pageId).toBe(Math.floor(offset / 4096));
  });
});
