/**
 * What etcd and Go's URL parser answered to many texts: fixtures/peer-urls.json.gz, made by test/interop/record-peer-urls.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { FIXTURES } from '../support/fixtures.ts';

/** What came out, or the words of the error: several, where etcd stumbles over one or the other member first. */
export interface RecordedAnswer<Out> {
  readonly out?: Out;
  readonly error?: readonly string[];
}

export interface RecordedCase<In, Out> extends RecordedAnswer<Out> {
  readonly in: In;
  /** Where 3.4 answers differently. */
  readonly '3.4'?: RecordedAnswer<Out>;
}

interface Recorded {
  readonly parsed: readonly RecordedCase<string, string>[];
  readonly lists: readonly RecordedCase<readonly string[], readonly string[]>[];
  readonly clusters: readonly RecordedCase<
    string,
    { readonly members: Readonly<Record<string, readonly string[]>>; readonly text: string }
  >[];
  /** Flags of a restore; the id of the cluster and those of the members, or the words of etcdutl. */
  readonly bootstraps: readonly {
    readonly name: string;
    readonly cluster: string;
    readonly advertised: string;
    readonly token: string;
    readonly answers: Readonly<Partial<Record<EtcdMinor, RecordedAnswer<readonly string[]>>>>;
  }[];
}

export const recorded: Recorded = JSON.parse(gunzipSync(readFileSync(join(FIXTURES, 'peer-urls.json.gz'))).toString());

export function answerOf<Out>(recordedCase: RecordedCase<unknown, Out>, minor: EtcdMinor): RecordedAnswer<Out> {
  return (minor === '3.4' ? recordedCase['3.4'] : undefined) ?? recordedCase;
}
