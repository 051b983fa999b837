import { expect, test } from 'vitest';
import { makeRecordCache } from './record-cache.ts';

const item = { id: 7, stamp: 'abc', extent: null };
const bytes = (text: string) => Buffer.from(text);

test('a record is found under all that it follows from, and under nothing less', () => {
  const kept = makeRecordCache();
  const shape = kept.shapeOf('title', 'http://a');
  const wire = bytes('..{"a":1}..');
  kept.set(shape, item, wire.subarray(2, 9));
  // It is a copy: what came off the wire is used for something else meanwhile.
  wire.fill(0);
  expect(String(kept.get(shape, { ...item }))).toBe('{"a":1}');
  for (const other of [{ id: 8 }, { stamp: 'abd' }, { extent: '[1,2,3,4]' }])
    expect(kept.get(shape, { ...item, ...other })).toBeUndefined();
  expect(kept.get(shape + 1, item)).toBeUndefined();
});

test('a shape keeps its number, and others have others, also after very many of them', () => {
  const kept = makeRecordCache();
  const first = kept.shapeOf('title', 'http://a');
  expect(kept.shapeOf('title', 'http://a')).toBe(first);
  const numbers = new Set([first, kept.shapeOf('title', 'http://b'), kept.shapeOf('name', 'http://a')]);
  for (let n = 3; n < 500; n += 1) numbers.add(kept.shapeOf(`c${n}`, 'http://a'));
  expect([numbers.size, kept.shapeOf('title', 'http://a')]).toEqual([500, first]);
  // The book begins anew, and no number is given twice.
  numbers.add(kept.shapeOf('one more', 'http://a'));
  numbers.add(kept.shapeOf('title', 'http://a'));
  expect(numbers.size).toBe(502);
});
