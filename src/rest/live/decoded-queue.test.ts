import { expect, test } from 'vitest';
import { parseSnapshot, type Snapshot } from '../../pg/change-log/visible-in-snapshot.ts';
import { DecodedQueue } from './decoded-queue.ts';

const change = (relation: string) => ({ relation, columns: ['id'], keys: ['["1"]'] });
const snapshot = (text: string): Snapshot => {
  const parsed = parseSnapshot(text);
  if (parsed === undefined) throw new Error(text);
  return parsed;
};

test('holds what a snapshot does not see yet, and gives each transaction once', () => {
  const queue = new DecodedQueue();
  for (const xid of [10, 11, 12]) expect(queue.add({ xid, changes: [change(`t${xid}`)] })).toBe(true);
  expect(queue.take(snapshot('10:12:11')).map(({ relation }) => relation)).toEqual(['t10']);
  expect(queue.size).toBe(2);
  expect(queue.take(snapshot('13:13:')).map(({ relation }) => relation)).toEqual(['t11', 't12']);
  expect([queue.size, queue.take(snapshot('13:13:'))]).toEqual([0, []]);
});

test('says when there are too many, and forgets them', () => {
  const queue = new DecodedQueue();
  for (let n = 0; n < 5000; n += 1) expect(queue.add({ xid: 10, changes: [] })).toBe(true);
  expect([queue.add({ xid: 10, changes: [] }), queue.size]).toEqual([false, 0]);
});
