import { expect, test } from 'vitest';
import { KnownRows } from './known-rows.ts';

const row = (id: number, name: string) => ({ key: `{"id":${id}}`, row: `{"name":"${name}"}` });

test('rows that are read as a whole are compared with those that were known: what is new, what has changed, what is gone', () => {
  const known = new KnownRows();
  expect(known.replace([row(1, 'a'), row(2, 'b'), row(3, 'c')])?.changes).toHaveLength(3);
  expect(known.replace([row(3, 'c'), row(1, 'z'), row(4, 'd')])).toEqual({
    changes: [
      { kind: 'gone', key: '{"id":2}' },
      { kind: 'row', ...row(1, 'z') },
      { kind: 'row', ...row(4, 'd') },
    ],
    keys: ['{"id":3}', '{"id":1}', '{"id":4}'],
  });
  expect(known.size).toBe(3);
});

test('a key that two rows have is none, and what was known stays', () => {
  const known = new KnownRows();
  known.replace([row(1, 'a')]);
  expect(known.replace([row(2, 'b'), row(2, 'c')])).toBeUndefined();
  expect(known.replace([row(1, 'a')])?.changes).toEqual([]);
});

test('rows without a key are known by what they show, each of those that show the same by itself', () => {
  const known = new KnownRows();
  const bare = (...texts: string[]) => texts.map((text) => ({ key: undefined, row: `"${text}"` }));
  const keys = known.replace(bare('a', 'a', 'b'))?.keys ?? [];
  expect(new Set(keys).size).toBe(3);
  expect(known.replace(bare('b', 'a'))).toEqual({
    changes: [{ kind: 'gone', key: keys[1] }],
    keys: [keys[2], keys[0]],
  });
});

test('rows that are looked at again by their keys: nobody is told of what is as it was, or of a row that was never known as gone', () => {
  const known = new KnownRows();
  known.replace([row(1, 'a'), row(2, 'b')]);
  expect(
    known.update([
      row(1, 'a'),
      { key: '{"id":2}', row: undefined },
      { key: '{"id":9}', row: undefined },
      row(3, 'c'),
      { key: undefined, row: '"x"' },
    ]),
  ).toEqual([
    { kind: 'gone', key: '{"id":2}' },
    { kind: 'row', ...row(3, 'c') },
  ]);
  expect(known.size).toBe(2);
  expect(known.update([row(3, 'c'), row(1, 'z')])).toEqual([{ kind: 'row', ...row(1, 'z') }]);
});
