/**
 * Drives an etcd with random requests, several at a time, and keeps what it answered.
 */
import type { AnswerHeader, EtcdGateway } from '../support/etcd-gateway.ts';
import type { History } from './backend-history.ts';
import { messageOf, type Operation, type RequestMaker } from './backend-requests.ts';

/** Requests under way at once. */
const WIDTH = 16;

/** What random requests may be refused for. */
const REFUSALS: readonly string[] = [
  'etcdserver: requested lease not found',
  'etcdserver: lease already exists',
  'etcdserver: duplicate key given in txn request',
  'etcdserver: key not found',
];

/** Sends one request. */
export async function perform(gateway: EtcdGateway, history: History, operation: Operation): Promise<void> {
  const { message, error } = await gateway.call<{ readonly header: AnswerHeader }>(...messageOf(operation));
  if (message !== undefined) history.add(operation, message);
  else if (REFUSALS.includes(error ?? '')) history.refuse(operation, error ?? '');
  else throw new Error(`etcd refused ${JSON.stringify(messageOf(operation))}: ${error}`);
}

/** Sends so many requests, several at a time; `isOver` ends it sooner. */
export async function drive(
  gateway: EtcdGateway,
  history: History,
  maker: RequestMaker,
  count: number,
  isOver: () => boolean = () => false,
): Promise<void> {
  let left = count;
  const sender = async (): Promise<void> => {
    while (left-- > 0 && !isOver()) await perform(gateway, history, maker.next(history.current));
  };
  await Promise.all(Array.from({ length: WIDTH }, sender));
  history.settle();
}

/** Does something for each, several at a time. */
export async function forEachOf<Item>(items: Iterable<Item>, act: (item: Item) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await act(next.value);
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
}
