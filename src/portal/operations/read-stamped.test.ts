// Records that follow from stamps, over a database that tests hold: what is asked for, and what is answered.

import { expect, test } from 'vitest';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { err, ok } from '../../kernel/result.ts';
import type { Row } from '../../pg/driver.ts';
import { documents } from '../kinds/document/collection.ts';
import { WHOLE } from '../query/catalogue-query.ts';
import { type ExecuteAsCaller, readStamped, readStampedItem } from './read-stamped.ts';
import { makeRecordCache } from './record-cache.ts';

const SHAPE = 1;
const { recordType, source } = documents({} as BlobStore);
const plan = { recordType, source, query: WHOLE, isVisitor: false };
const cell = (value: string | null): Buffer | null => (value === null ? null : Buffer.from(value));

/** Each answer is that of one batch: rows, of as many statements as the batch has. */
function open(...answers: readonly (readonly (readonly Row[])[] | 'away')[]) {
  const left = [...answers];
  let asked = 0;
  const execute: ExecuteAsCaller = async () => {
    asked += 1;
    const answer = left.shift();
    if (answer === undefined) throw new Error('nothing more was to be asked');
    return answer === 'away'
      ? err({ kind: 'lost', message: 'x' })
      : ok(answer.map((rows) => ({ rows, tag: 'SELECT' })) as never);
  };
  return { execute, asked: () => asked };
}
const stamped = (id: number, stamp: string, record: string | null): Row =>
  [String(id), stamp, null, record].map(cell) as unknown as Row;
const page = (...items: readonly (readonly [number, string])[]): readonly Row[] => [
  [cell(JSON.stringify(items.map(([id, stamp]) => [id, stamp, null])))] as unknown as Row,
];
const total = (count: number): readonly Row[] => [[cell(String(count))] as unknown as Row];

const kept = makeRecordCache();
const list = async (db: ReturnType<typeof open>, cache = kept) => {
  const read = await readStamped(cache, SHAPE, plan, db.execute);
  return read.ok ? { total: read.value.total, records: String(Buffer.from(read.value.records)) } : read.error.kind;
};

test('of a list only those records are made that are not kept, and all stand in its order', async () => {
  const cache = makeRecordCache();
  const first = open(
    [total(5), page([1, 'a'], [2, 'b'])],
    [[stamped(1, 'a', '{"pk":1}'), stamped(2, 'b', '{"pk":2}')]],
  );
  expect(await list(first, cache)).toEqual({ total: 5, records: '[{"pk":1}, \n {"pk":2}]' });
  const second = open([total(5), page([2, 'b'], [1, 'a'])]);
  expect([await list(second, cache), second.asked()]).toEqual([{ total: 5, records: '[{"pk":2}, \n {"pk":1}]' }, 1]);
  // One has changed, and one is new.
  const third = open(
    [total(6), page([3, 'c'], [2, 'b'], [1, 'z'])],
    [[stamped(1, 'z', '{"pk":1,"z":1}'), stamped(3, 'c', '{"pk":3}')]],
  );
  expect(await list(third, cache)).toEqual({ total: 6, records: '[{"pk":3}, \n {"pk":2}, \n {"pk":1,"z":1}]' });
});

test('one that is gone since it was listed is left out, and one without a record as well', async () => {
  const db = open(
    [total(3), page([1, 'a'], [2, 'b'], [3, 'c'])],
    [[stamped(2, 'b', null), stamped(3, 'c', '{"pk":3}')]],
  );
  expect(await list(db, makeRecordCache())).toEqual({ total: 3, records: '[{"pk":3}]' });
});

test('a record is kept under the stamp that it was made with', async () => {
  const cache = makeRecordCache();
  // It was changed between the two questions.
  await list(open([total(1), page([1, 'a'])], [[stamped(1, 'b', '{"new":1}')]]), cache);
  const again = open([total(1), page([1, 'b'])]);
  expect(await list(again, cache)).toEqual({ total: 1, records: '[{"new":1}]' });
});

test('a list of nothing asks for no records, and trouble of the database is passed on', async () => {
  const none = open([total(0), []]);
  expect([await list(none), none.asked()]).toEqual([{ total: 0, records: '[]' }, 1]);
  expect(await list(open('away'))).toBe('lost');
  expect(await list(open([total(1), page([1, 'never kept'])], 'away'))).toBe('lost');
});

test('an item is asked for by its stamp, and made once', async () => {
  const cache = makeRecordCache();
  const item = (db: ReturnType<typeof open>) => readStampedItem(cache, SHAPE, 1, plan, db.execute);
  expect(await item(open([[]]))).toEqual(ok(undefined));
  const first = open([[stamped(1, 'a', null)]], [[stamped(1, 'a', '{"pk":1}')]]);
  expect(String((await item(first)).ok)).toBe('true');
  const second = open([[stamped(1, 'a', null)]]);
  expect([await item(second), second.asked()]).toEqual([ok(Buffer.from('{"pk":1}')), 1]);
  expect(await item(open('away'))).toMatchObject({ ok: false });
  expect(await item(open([[stamped(1, 'b', null)]], 'away'))).toMatchObject({ ok: false });
  // It went in between.
  expect(await item(open([[stamped(1, 'c', null)]], [[]]))).toEqual(ok(undefined));
});
