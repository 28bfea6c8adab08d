// Real etcds on the stored directories whose log has more than the db: they still say what is recorded of them, and the same with the db that was
// found after the kill.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SaidAfterRestart } from '../support/after-restart.ts';
import { restartedFixtures } from '../support/after-restart-recordings.ts';
import { dataDirFixture, writeDataDir } from '../support/data-dir-fixtures.ts';
import { findEtcds } from '../support/peers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { restartAndAsk } from './replay-directory.ts';

const etcds = process.platform === 'linux' ? findEtcds() : [];
if (etcds.length === 0) test.skip('a real etcd on the stored directories', () => {});

describe.each(etcds)('etcd $version', ({ version, path }) => {
  const cases = restartedFixtures()
    .filter(({ name }) => name.startsWith(`${version}/`))
    .flatMap((fixture) => fixture.dbFiles.map((db) => ({ name: `${fixture.name}/${db}`, fixture, db })));
  if (cases.length === 0) test.skip('there are no directories of this release', () => {});

  test.each(cases)('$name', async ({ fixture, db }) => {
    const stored = dataDirFixture(`${fixture.name}/m1`, { db });
    const directory = writeDataDir(stored, join(temporaryDirectory(), 'data'));
    const recorded = fixture.said();
    const said = await restartAndAsk(path, directory, {
      password: recorded.users === null ? undefined : 'rootpw',
      lookBack: () => recorded.keys.map(({ revision }) => Number(revision)),
    });
    expect(comparable(said, recorded)).toEqual(comparable(recorded, recorded));
  });
});

/** Without what was not asked then, and without the name and URLs that a member publishes when it starts; in one order. */
function comparable(said: SaidAfterRestart, asked: SaidAfterRestart): SaidAfterRestart {
  const newestFirst = <Said extends { readonly revision: string }>(all: readonly Said[]): Said[] =>
    all.toSorted((a, b) => Number(b.revision) - Number(a.revision));
  return {
    ...said,
    hashes: newestFirst(said.hashes),
    keys: newestFirst(said.keys),
    members: said.members.map((member) => ({ ...member, name: '', clientUrls: [] })),
    users: asked.users && said.users,
    roles: asked.roles && said.roles,
    auth: asked.auth && said.auth,
  };
}
