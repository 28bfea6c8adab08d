/**
 * Users, roles, alarms, members and the version of the cluster, as the entries of the stored logs make them, against what the real
 * servers have stored: byte for byte.
 */
import { describe, expect, it } from 'vitest';
import { bcryptMatches } from '../../../src/datadir/replay/bcrypt.ts';
import { decodeMessage, encodeMessage } from '../../../src/proto/messages.ts';
import { Wal } from '../../../src/wal/reader.ts';
import { restartedFixtures } from '../../support/after-restart-recordings.ts';
import { type LogFixture, logFixture, logFixtures, segments } from '../../support/log-fixtures.ts';
import { bucketContent, fixtureDb, KeptParts, minorOfFixture, payloadsOf } from '../../support/replay-auth.ts';

type Content = ReturnType<KeptParts['content']>;

/** Logs with entries from the first on whose db has all that they did up to its consistent index, or of 3.4 up to their end. */
const whole = logFixtures().filter(
  (log) =>
    !['restored', 'segments'].includes(log.scenario) &&
    !(log.version === '3.4.23' && /^(crash|nested|tail-.*)$/.test(log.scenario)) &&
    new Wal({ segments: segments(log) }).state.firstIndex === 1n,
);
const lastIn = (log: LogFixture): bigint | undefined => (log.version === '3.4.23' ? undefined : log.consistentIndex);

/** Without the hashes of passwords, which 3.4 makes anew at each replay, but with the names of those that have one; and the hashes. */
function hashesApart(content: Content): { readonly content: Content; readonly hashes: Record<string, string> } {
  const hashes: Record<string, string> = {};
  const users: Record<string, string> = {};
  for (const [key, value] of Object.entries(content['authUsers'] ?? {})) {
    const user = decodeMessage('authpb.User', Buffer.from(value, 'hex')) as { password?: Uint8Array };
    if (user.password !== undefined) hashes[text(key)] = Buffer.from(user.password).toString();
    const password = user.password && Uint8Array.of(1);
    users[key] = Buffer.from(encodeMessage('authpb.User', { ...user, password })).toString('hex');
  }
  return { content: { ...content, authUsers: users }, hashes };
}

function usersIn(content: Content): unknown {
  const users = Object.values(content['authUsers'] ?? {}).map((value) => {
    const { name, roles } = decodeMessage('authpb.User', Buffer.from(value, 'hex')) as Record<string, unknown>;
    return { name: Buffer.from(name as Uint8Array).toString(), roles };
  });
  return users.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const namesOf = (named: readonly { readonly name: string }[]): string[] => named.map(({ name }) => name);
const text = (hex: string): string => Buffer.from(hex, 'hex').toString();
const matches = (password: string, hash: string | undefined): boolean =>
  bcryptMatches(new TextEncoder().encode(password), hash ?? '');

function replayed(log: LogFixture, from: 'nothing' | 'db', last?: bigint): KeptParts {
  const base = from === 'nothing' ? undefined : fixtureDb(log.name);
  const parts = new KeptParts(base, minorOfFixture(log.version));
  for (const payload of payloadsOf(log, base === undefined ? undefined : log.consistentIndex, last)) {
    expect(parts.apply(payload).outcome).not.toBe('panics');
  }
  return parts;
}

describe('records made from the first entry on are those that the server has stored', () => {
  it('there are logs of every release', () => {
    expect(new Set(whole.map(({ version }) => version)).size).toBe(4);
    expect(whole.filter(({ scenario }) => scenario === 'cluster').length).toBeGreaterThan(8);
  });

  it.each(whole.map((log) => [log.name, log] as const))('%s', (_, log) => {
    const made = replayed(log, 'nothing', lastIn(log)).content();
    const stored = bucketContent(fixtureDb(log.name));
    if (log.version !== '3.4.23') expect(made).toEqual(stored);
    else expect(hashesApart(made).content).toEqual(hashesApart(stored).content);
  });
});

describe('a tail of requests about users and alarms', () => {
  const tails = restartedFixtures().filter(({ name }) => /tail-(auth|nospace)/.test(name));
  const later = tails.filter(({ minor }) => minor !== '3.4');

  it('is there for every release', () => expect(tails).toHaveLength(8));

  it.each(later.map((tail) => [tail.name, tail] as const))('%s: records of the db found after the kill', (_, tail) => {
    const parts = replayed(logFixture(`${tail.name}/m1`), 'db', tail.tail?.consistentIndexOfKilledDb);
    expect(parts.content()).toEqual(bucketContent(fixtureDb(`${tail.name}/killed`)));
  });

  it.each(tails.map((tail) => [tail.name, tail] as const))(
    '%s: what the server said when it had started',
    (_, tail) => {
      const content = replayed(logFixture(`${tail.name}/m1`), 'db').content();
      const said = tail.said();
      if (said.users !== null) expect(usersIn(content)).toEqual(said.users);
      if (said.roles !== null)
        expect(
          Object.keys(content['authRoles'] ?? {})
            .map(text)
            .sort(),
        ).toEqual(namesOf(said.roles));
      expect(Object.keys(content['alarm'] ?? {})).toHaveLength(said.alarms.length);
      expect(Object.keys(content['members'] ?? {})).toHaveLength(said.members.length);
    },
  );

  it.each(tails.filter(({ name }) => name.endsWith('auth')).map(({ name }) => name))(
    '%s: everyone has the password they were given',
    (name) => {
      const { hashes } = hashesApart(replayed(logFixture(`${name}/m1`), 'db').content());
      const passwords = { root: 'rootpw', alice: 'alicepw2', bob: 'bobpw', erin: 'erinpw' };
      expect(Object.keys(hashes).sort()).toEqual(Object.keys(passwords).sort());
      for (const [user, password] of Object.entries(passwords)) {
        expect(hashes[user]).toMatch(/^\$2a\$10\$.{53}$/);
        expect([user, matches(password, hashes[user])]).toEqual([user, true]);
      }
      expect(matches('alicepw', hashes['alice'])).toBe(false);
    },
  );
});
