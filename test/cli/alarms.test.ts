/**
 * `alarms`: of whom, and what they mean.
 */
import { describe, expect, test } from 'vitest';
import { hex, makeDb } from '../support/backend-db.ts';
import { run } from './run.ts';
import { unpackFixture, workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();

describe('alarms', () => {
  test.each([
    ['3.4.23', 8812946787851334163n],
    ['3.5.33', 17863704536214608685n],
    ['3.6.14', 4016192160883310896n],
    ['3.7.1', 17281296622777440541n],
  ])('of a member of %s that has no space left', async (version, id) => {
    const path = unpackFixture(folder, `etcd/${version}/alarm/snapshot`);
    const { code, stdout, stderr } = await run(['alarms', path]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      `${path}\n1 alarm\n  NOSPACE  member ${id.toString(16)} (m1)  puts and new leases are refused until there is room again and the alarm is disarmed\n`,
    );
    expect(JSON.parse((await run(['alarms', path, '--json'])).stdout)).toEqual({
      schema: 1,
      path,
      alarms: [{ type: 'NOSPACE', memberId: `${id}`, memberIdHex: id.toString(16), memberName: 'm1' }],
      unreadable: { count: 0, listed: [] },
    });
  });

  test('none', async () => {
    const path = unpackFixture(folder, 'etcd/3.6.14/fresh/m1');
    expect(await run(['alarms', path])).toMatchObject({ code: 0, stdout: `${path}\nno alarms\n` });
  });

  test('of nobody in particular, of someone who is no member, and what is none', async () => {
    const bytes = await makeDb({
      alarm: [
        [hex('1002'), ''],
        [hex('080a 1002'), ''],
        [hex('08'), ''],
      ],
    });
    const path = writeWorkFile(folder, 'corrupt.db', bytes);
    const { code, stdout, stderr } = await run(['alarms', path]);
    expect(code).toBe(0);
    expect(stdout).toContain('2 alarms\n  CORRUPT  member a (not a member)  its data differs');
    expect(stdout).toContain('\n  CORRUPT  the whole cluster        its data differs');
    expect(stderr).toMatch(/1 record cannot be read and is not in the answer: bucket alarm, key 08, page/);
    const { alarms } = JSON.parse((await run(['alarms', path, '--json'])).stdout);
    expect(alarms).toMatchObject([{ memberId: '10', memberName: null }, { memberId: '0' }]);
  });
});
