import { expect, test } from 'vitest';
import { haveEnded, isVisible, parseSnapshot, type Snapshot } from './visible-in-snapshot.ts';

const snapshot = (text: string): Snapshot => {
  const parsed = parseSnapshot(text);
  if (parsed === undefined) throw new Error('no snapshot');
  return parsed;
};

test.each([
  ['100:110:100,105', 99, true],
  ['100:110:100,105', 100, false],
  ['100:110:100,105', 101, true],
  ['100:110:100,105', 105, false],
  ['100:110:100,105', 109, true],
  // Whether it has ended is not known to the snapshot.
  ['100:110:100,105', 110, false],
  ['110:110:', 109, true],
  // The numbers of the protocol begin again after 2^32.
  ['8589934600:8589934610:8589934600', 8, false],
  ['8589934600:8589934610:8589934600', 9, true],
  ['8589934592:8589934595:', 4_294_967_290, true],
])('%s sees what %i did: %s', (text, xid, isSeen) => {
  expect(isVisible(xid, snapshot(text))).toBe(isSeen);
});

test('transactions up to a number have ended when the oldest that runs is beyond it', () => {
  expect(haveEnded(100n, snapshot('100:110:100'))).toBe(false);
  expect(haveEnded(100n, snapshot('101:110:101'))).toBe(true);
});

test.each(['', '1', '1:x:', 'a:b:c'])('%j is no snapshot', (text) => {
  expect(parseSnapshot(text)).toBeUndefined();
});
