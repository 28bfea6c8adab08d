/**
 * A client of a running etcd: its JSON gateway over connections that stay open, so that thousands of requests take seconds. HashKV
 * is asked for by gRPC, since the gateway of 3.4 does not have it.
 */
import { Agent, request as httpRequest } from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import { encodeFields, fieldsOf } from './wal-edit.ts';

/** Bytes as JSON has them. `text` is a string of one character a byte. */
export const toBase64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');
export const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('latin1');

/** What the gateway says: a message, or an error in etcd's words. */
export interface GatewayAnswer<Message> {
  readonly message: Message | undefined;
  readonly error: string | undefined;
}

/** The head of every answer: decimal texts, absent where they would be 0. */
export interface AnswerHeader {
  readonly cluster_id?: string;
  readonly member_id?: string;
  readonly revision?: string;
  readonly raft_term?: string;
}

/** A key and its value, as the gateway gives it: what is 0 or empty is left out. */
export interface GatewayKeyValue {
  readonly key: string;
  readonly value?: string;
  readonly create_revision?: string;
  readonly mod_revision?: string;
  readonly version?: string;
  readonly lease?: string;
}

export interface RangeAnswer {
  readonly header: AnswerHeader;
  readonly kvs?: readonly GatewayKeyValue[];
  readonly more?: boolean;
  readonly count?: string;
}

/** What HashKV answers; `hashRevision` is 0 before 3.6. */
export interface HashKvAnswer {
  readonly hash: number;
  readonly compactRevision: bigint;
  readonly hashRevision: bigint;
}

/** An etcd that answers; `close` it when the server is stopped. */
export class EtcdGateway {
  readonly #url: string;
  readonly #agent: Agent;
  #session: ClientHttp2Session | undefined;

  /** At most `connections` requests are under way at once. */
  constructor(url: string, connections = 16) {
    this.#url = url;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Calls a method, such as `kv/put`; `token`: as the user that it was given to. */
  async call<Message>(method: string, message: object, token?: string): Promise<GatewayAnswer<Message>> {
    const { status, text } = await this.#post(method, message, token);
    if (status === 200) return { message: JSON.parse(text) as Message, error: undefined };
    let said = text.trim();
    try {
      said = (JSON.parse(text) as { message?: string }).message ?? said;
    } catch {
      // Not JSON: a method that this release does not have.
    }
    return { message: undefined, error: `${said}` };
  }

  /** As `call`, where an error is not expected. */
  async ask<Message>(method: string, message: object = {}, token?: string): Promise<Message> {
    const answer = await this.call<Message>(method, message, token);
    if (answer.message === undefined) {
      throw new Error(`etcd answered ${method} ${JSON.stringify(message)} with: ${answer.error}`);
    }
    return answer.message;
  }

  /** All bytes of `snapshot save`: the db, and its sha256 behind it. */
  async snapshot(): Promise<Uint8Array> {
    const { status, text } = await this.#post('maintenance/snapshot', {});
    if (status !== 200) throw new Error(`no snapshot: ${text}`);
    const blobs = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { result?: { blob?: string } });
    return Buffer.concat(blobs.map(({ result }) => Buffer.from(result?.blob ?? '', 'base64')));
  }

  /** The hash of the keys up to a revision; 0 is the current one. */
  async hashKv(revision: bigint, token?: string): Promise<GatewayAnswer<HashKvAnswer>> {
    this.#session ??= connect(this.#url);
    const stream = this.#session.request({
      ':method': 'POST',
      ':path': '/etcdserverpb.Maintenance/HashKV',
      'content-type': 'application/grpc',
      te: 'trailers',
      ...(token === undefined ? {} : { token }),
    });
    const message = encodeFields([{ number: 1, value: revision }]);
    stream.end(Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]));
    const pieces: Buffer[] = [];
    let status: Record<string, unknown> = {};
    stream.on('response', (headers) => {
      status = { ...status, ...headers };
    });
    stream.on('trailers', (headers) => {
      status = { ...status, ...headers };
    });
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    await new Promise<void>((resolve, reject) => {
      stream.once('error', reject);
      stream.once('close', resolve);
    });
    const said = decodeURIComponent(`${status['grpc-message'] ?? ''}`);
    if (status['grpc-status'] !== '0') return { message: undefined, error: said };
    const fields = fieldsOf(Buffer.concat(pieces).subarray(5));
    const number = (wanted: number): bigint =>
      BigInt.asIntN(64, (fields.find((field) => field.number === wanted)?.value as bigint | undefined) ?? 0n);
    return {
      message: { hash: Number(number(2)), compactRevision: number(3), hashRevision: number(4) },
      error: undefined,
    };
  }

  close(): void {
    this.#agent.destroy();
    this.#session?.destroy();
  }

  #post(method: string, message: object, token?: string): Promise<{ readonly status: number; readonly text: string }> {
    const body = Buffer.from(JSON.stringify(message));
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        `${this.#url}/v3/${method}`,
        {
          method: 'POST',
          agent: this.#agent,
          headers: { 'content-length': body.length, ...(token === undefined ? {} : { authorization: token }) },
        },
        (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.once('error', reject);
          response.once('end', () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString('utf8') }),
          );
        },
      );
      sent.once('error', reject);
      sent.end(body);
    });
  }
}
