import { expect, test } from 'vitest';
import { EventRing } from './event-ring.ts';

const told = (ring: EventRing, seq: number, last: number) => ring.after(seq, last)?.map(String);

test('who comes back is told what came since, in order, and nothing twice', () => {
  const ring = new EventRing();
  for (let seq = 1; seq <= 4; seq += 1) ring.add(seq, Buffer.from(`e${seq}`), 100);
  expect(told(ring, 2, 4)).toEqual(['e3', 'e4']);
  expect(told(ring, 0, 4)).toEqual(['e1', 'e2', 'e3', 'e4']);
  expect(told(ring, 4, 4)).toEqual([]);
  // It has seen more than there ever was.
  expect(told(ring, 5, 4)).toBeUndefined();
});

test('the oldest make room for new ones, by bytes and by number, and who would miss one is told so', () => {
  const ring = new EventRing();
  for (let seq = 1; seq <= 4; seq += 1) ring.add(seq, Buffer.alloc(10), 30);
  expect([ring.after(0, 4), ring.after(1, 4)?.length]).toEqual([undefined, 3]);
  // One that is larger than all of them together is not kept, nor is any before it.
  ring.add(5, Buffer.alloc(31), 30);
  expect([ring.after(4, 5), ring.after(5, 5)]).toEqual([undefined, []]);
  ring.add(6, Buffer.alloc(30), 30);
  expect(ring.after(5, 6)).toHaveLength(1);
  const many = new EventRing();
  for (let seq = 1; seq <= 1001; seq += 1) many.add(seq, Buffer.of(0), 1e6);
  expect([many.after(0, 1001), many.after(1, 1001)?.length]).toEqual([undefined, 1000]);
});

test('an emptied one knows of nothing, and has all its room', () => {
  const ring = new EventRing();
  ring.add(1, Buffer.alloc(30), 30);
  ring.clear();
  expect(ring.after(0, 1)).toBeUndefined();
  ring.add(1, Buffer.alloc(20), 30);
  ring.add(2, Buffer.alloc(10), 30);
  expect(ring.after(0, 2)).toHaveLength(2);
});
