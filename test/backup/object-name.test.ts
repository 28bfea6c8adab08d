// The names of backups: what etcd-backup-restore writes, and what its own rules get wrong.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import {
  formatObjectName,
  formatObjectPath,
  type ObjectCompression,
  type ObjectKind,
  parseObjectName,
  parseObjectPath,
} from '../../src/backup/object-name.ts';

describe('a name', () => {
  test.each([
    ['Full-00000000-00009002-1565021494.gz', 'Full', 0n, 9002n, 1565021494n, 'gzip', false],
    ['Incr-00009003-00009100-1565021514.zlib', 'Incr', 9003n, 9100n, 1565021514n, 'zlib', false],
    ['Incr-00009003-00009100-1565021514.Z', 'Incr', 9003n, 9100n, 1565021514n, 'lzw', false],
    ['Full-00000000-00009200-1565030000.gz.final', 'Full', 0n, 9200n, 1565030000n, 'gzip', true],
    ['Full-00000000-00000001-1565030000', 'Full', 0n, 1n, 1565030000n, 'none', false],
    ['Full-00000000-00000001-1565030000.final', 'Full', 0n, 1n, 1565030000n, 'none', true],
    ['Incr-123456789012-9223372036854775807-1', 'Incr', 123456789012n, 9223372036854775807n, 1n, 'none', false],
  ] as const)('%s', (name, kind, startRevision, lastRevision, createdSeconds, compression, final) => {
    const parsed = { kind, startRevision, lastRevision, createdSeconds, compression, final };
    expect(parseObjectName(name)).toEqual(parsed);
    expect(formatObjectName(parsed)).toBe(name);
  });

  test.each([
    ['another kind', 'Half-00000000-00009002-1565021494.gz'],
    ['the first revision above the last', 'Incr-00000009-00000008-1565021494.gz'],
    ['a revision beyond 64 bits', 'Incr-00000000-9223372036854775808-1565021494.gz'],
    ['a negative revision', 'Incr--0000001-00000008-1565021494.gz'],
    ['a compression that nobody can undo', 'Full-00000000-00000008-1565021494.zst'],
    ['a field too many', 'Full-00000000-00000008-1565021494-1.gz'],
    ['a field too few', 'Full-00000000-00000008.gz'],
    ['something behind final', 'Full-00000000-00000008-1565021494.final.gz'],
    ['what an upload leaves behind', 'Full-00000000-00000008-1565021494.gz.tmp'],
    ['nothing', ''],
  ])('none: %s', (_, name) => {
    expect(parseObjectName(name)).toBeUndefined();
  });

  property.prop([
    fc.constantFrom<ObjectKind>('Full', 'Incr'),
    fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }),
    fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }),
    fc.bigInt({ min: 0n, max: 10n ** 12n }),
    fc.constantFrom<ObjectCompression>('none', 'gzip', 'zlib', 'lzw'),
    fc.boolean(),
  ])('is read as it was written', (kind, a, b, createdSeconds, compression, final) => {
    const [startRevision, lastRevision] = a < b ? [a, b] : [b, a];
    const object = { kind, startRevision, lastRevision, createdSeconds, compression, final };
    expect(parseObjectName(formatObjectName(object))).toEqual(object);
    expect(parseObjectPath(formatObjectPath(object, 'a/b'))).toMatchObject({ ...object, prefix: 'a/b', layout: 'v2' });
    expect(parseObjectPath(formatObjectPath(object))).toMatchObject({ ...object, prefix: '' });
  });

  property.prop([fc.string()])('is never a reason to throw', (text) => {
    expect([undefined, 'object']).toContain(parseObjectPath(text) === undefined ? undefined : 'object');
  });
});

describe('a path', () => {
  const NAME = 'Full-00000000-00009002-1565021494.gz';

  test('layout v2', () => {
    expect(parseObjectPath(`etcd-main/v2/${NAME}`)).toMatchObject({ prefix: 'etcd-main', layout: 'v2', name: NAME });
    expect(parseObjectPath(`v2/${NAME}`)).toMatchObject({ prefix: '', layout: 'v2' });
  });

  test('layout v1, with the folder of the full snapshot', () => {
    expect(parseObjectPath(`etcd-main/v1/Backup-1565021494/${NAME}`)).toMatchObject({
      prefix: 'etcd-main',
      layout: 'v1',
      folder: 'Backup-1565021494',
      name: NAME,
    });
    expect(parseObjectPath(`etcd-main/v1/${NAME}`)).toBeUndefined();
    expect(parseObjectPath(`etcd-main/v1/Else/${NAME}`)).toBeUndefined();
  });

  test('a part of an upload has ten digits behind the name', () => {
    expect(parseObjectPath(`p/v2/${NAME}/0000000012`)).toMatchObject({ name: NAME, part: 12 });
    expect(parseObjectPath(`p/v1/Backup-1/${NAME}/0000000001`)).toMatchObject({ name: NAME, part: 1 });
    expect(parseObjectPath(`p/v2/${NAME}/12`)).toBeUndefined();
    expect(parseObjectPath(`p/v2/${NAME}/0000000012/1`)).toBeUndefined();
  });

  // The reference searches for "v1/" as a part of the text: backups below such a prefix are invisible to it.
  test('a prefix that ends in v1 is not layout v1', () => {
    expect(parseObjectPath(`env1/etcd-main/v2/${NAME}`)).toMatchObject({ prefix: 'env1/etcd-main', layout: 'v2' });
    expect(parseObjectPath(`conv2/${NAME}`)).toBeUndefined();
  });

  test('a prefix may have an element v1 of its own: the last one counts', () => {
    expect(parseObjectPath(`v1/etcd-main/v2/${NAME}`)).toMatchObject({ prefix: 'v1/etcd-main', layout: 'v2' });
  });
});
