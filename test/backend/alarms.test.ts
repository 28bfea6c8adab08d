/**
 * Bucket `alarm`, whose keys are the messages.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { parseAlarm, readAlarms } from '../../src/backend/alarms.ts';
import { encodeMessage } from '../../src/proto/messages.ts';
import { hex, openDb } from '../support/backend-db.ts';

describe('an alarm', () => {
  test.each([
    ['08 9e9fa5d2979ad3b364 10 01', { memberId: 7234835788977491870n, type: 'NOSPACE' }],
    ['10 02', { memberId: 0n, type: 'CORRUPT' }],
    ['08 01', { memberId: 1n, type: 'NONE' }],
    ['08 01 10 07', { memberId: 1n, type: '7' }],
    ['08 ffffffffffffffffff01 10 02', { memberId: 0xffff_ffff_ffff_ffffn, type: 'CORRUPT' }],
  ])('%s', (key, alarm) => {
    expect(parseAlarm(hex(key))).toEqual(alarm);
  });

  test.each(['08', '10', '0f', '0a05'])('key %s is none', (key) => {
    expect(parseAlarm(hex(key))).toEqual({ problem: expect.stringMatching(/^it is no etcdserverpb\.AlarmMember: /) });
  });

  property.prop([fc.uint8Array()])('any bytes give an alarm or a reason', (key) => {
    const parsed = parseAlarm(key);
    expect('problem' in parsed ? parsed.problem : typeof parsed.memberId).toMatch(/^it is no |^bigint$/);
  });
});

test('the alarms of a db: bad records are passed over and told', async () => {
  const message = encodeMessage('etcdserverpb.AlarmMember', { memberID: 2n ** 63n, alarm: 2 });
  const file = await openDb({
    alarm: [
      [message, ''],
      [hex('08'), ''],
      [hex('0801 1001'), 'values do not count'],
    ],
  });
  const { alarms, unreadable } = readAlarms(file.db);
  expect(alarms).toEqual([
    { memberId: 1n, type: 'NOSPACE' },
    { memberId: 2n ** 63n, type: 'CORRUPT' },
  ]);
  expect(unreadable).toMatchObject({ count: 1, listed: [{ bucket: 'alarm', key: hex('08') }] });
});
