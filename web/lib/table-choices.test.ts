import { expect, test } from 'vitest';
import {
  fieldsOf,
  isWished,
  losesSomething,
  NO_WISH,
  rememberedWish,
  rememberWish,
  type TablePreview,
  withColumn,
  withWish,
} from './table-choices.ts';

test('choices become the fields of an upload; what is found by looking is not said', () => {
  const wish = withColumn(withWish(NO_WISH, { dates: 'dmy', charset: 'windows-1252', x: undefined }), 'Datum', {
    type: 'date',
  });
  expect(fieldsOf(wish)).toEqual({
    charset: 'windows-1252',
    table: '{"dates":"dmy","columns":{"Datum":{"type":"date"}}}',
  });
  const undone = withWish(withColumn(wish, 'Datum', { type: undefined }), { dates: undefined, charset: undefined });
  expect(isWished(undone)).toBe(false);
  expect(fieldsOf(undone)).toEqual({});
});

test('choices are remembered by the names of the columns, and forgotten without one', () => {
  rememberWish(['Station', 'Datum '], { dates: 'dmy' });
  expect(rememberedWish(['Station', 'Datum'])).toEqual({ dates: 'dmy' });
  expect(rememberedWish(['Station'])).toBeUndefined();
  rememberWish(['Station', 'Datum'], NO_WISH);
  expect(rememberedWish(['Station', 'Datum'])).toBeUndefined();
  for (let i = 0; i < 30; i += 1) rememberWish([`c${i}`], { header: 2 });
  expect([rememberedWish(['c9']), rememberedWish(['c10'])]).toEqual([undefined, { header: 2 }]);
});

test('a column that is left out loses nothing', () => {
  const column = (skip: boolean) => ({ lost: { count: 2, lines: [3] }, skip });
  const preview = (skip: boolean) => ({ columns: [column(skip)], misplaced: { count: 0, lines: [] } });
  expect([false, true].map((skip) => losesSomething(preview(skip) as unknown as TablePreview))).toEqual([true, false]);
});
