import { expect, test } from 'vitest';
import { eventId, placeIn, positionIn } from './event-id.ts';

const AT = 1_800_000_000_000;

test('an id says its place to its own group, and to others where in the log it was', () => {
  const id = eventId('a-b_c', 7, { tag: 't', position: '10:12:11', now: AT });
  expect([placeIn('a-b_c', id), placeIn('other', id)]).toEqual([7, undefined]);
  expect(positionIn(id, { tag: 't', now: AT + 60_000 })).toBe('10:12:11');
  expect(positionIn(id, { tag: 'another', now: AT })).toBeUndefined();
});

test('what was too long ago, is of the future, or is no id says nothing', () => {
  const id = eventId('e', 7, { tag: 't', position: '10:12:', now: AT });
  for (const now of [AT + 3_600_000, AT - 60_000]) expect(positionIn(id, { tag: 't', now })).toBeUndefined();
  for (const text of [undefined, '', '~', '~~', 'e-', 'e-x', 'e--1', 'e-1e99', '~t~zzz~', '~t~~1:1:'])
    expect([placeIn('e', text), positionIn(text, { tag: 't', now: AT })]).toEqual([undefined, undefined]);
});

test('a long position is left out', () => {
  const long = `1:${'2,'.repeat(100)}`;
  for (const position of [long, undefined]) expect(eventId('e', 1, { tag: 't', position, now: AT })).toBe('e-1');
});
