// The feed of decoded transactions over a driver of its own.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DecodeEvent, Driver } from '../../pg/driver.ts';
import { DecodingFeed } from './decoding-feed.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open(decodes = true) {
  const told: unknown[] = [];
  let event: (event: DecodeEvent) => void = () => {};
  let begun = 0;
  const decode: Driver['decode'] = (_, onEvent) => {
    begun += 1;
    event = onEvent;
    return { close: async () => void told.push('closed') };
  };
  const feed = new DecodingFeed({
    driver: (decodes ? { decode } : {}) as Driver,
    observe: (one) => told.push(one),
    onTransaction: ({ xid }) => told.push(xid),
    onFollowing: () => told.push('following'),
  });
  return { feed, told, event: (one: DecodeEvent) => event(one), begun: () => begun };
}
const isReady = async (feed: DecodingFeed): Promise<boolean> => {
  let ready = false;
  void feed.ready().then(() => {
    ready = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return ready;
};
const said = (message: string | undefined) => ({ kind: 'live-decoding', message });

test('is begun once, and is ready when it follows', async () => {
  const { feed, told, event, begun } = open();
  expect(await isReady(feed)).toBe(false);
  event({ kind: 'following' });
  expect([await isReady(feed), feed.isFollowing, begun()]).toEqual([true, true, 1]);
  event({ kind: 'transaction', transaction: { xid: 7, changes: [] } });
  event({ kind: 'lag', bytes: 5 });
  expect(told).toEqual([said(undefined), 'following', 7, { kind: 'live-decoding-lag', bytes: 5 }]);
  // The slot was there in time.
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toHaveLength(4);
});

test('is waited for two seconds, and says why nothing is heard', async () => {
  const { feed, told } = open();
  void feed.ready();
  await vi.advanceTimersByTimeAsync(1999);
  expect(await isReady(feed)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect([await isReady(feed), feed.isFollowing]).toEqual([true, false]);
  expect(told).toEqual([said('the slot waits for transactions that are under way')]);
});

test('that fails in the same way again and again says so once, and again after it worked', async () => {
  const { feed, told, event } = open();
  void feed.ready();
  const lost = (message: string) => event({ kind: 'lost', message, retryInMs: 1 });
  lost('no slot');
  expect([await isReady(feed), feed.isFollowing]).toEqual([true, false]);
  lost('no slot');
  lost('no right');
  event({ kind: 'following' });
  lost('no right');
  expect(feed.isFollowing).toBe(false);
  expect(told).toEqual([said('no slot'), said('no right'), said(undefined), 'following', said('no right')]);
});

test('is ready at once where the engine has none, and leaves nobody waiting when it is closed', async () => {
  const without = open(false);
  expect([await isReady(without.feed), without.feed.isFollowing]).toEqual([true, false]);
  expect(without.told).toEqual([said('this engine has no logical decoding')]);
  const { feed, told } = open();
  expect(await isReady(feed)).toBe(false);
  await feed.close();
  expect([await isReady(feed), told]).toEqual([true, ['closed']]);
});
