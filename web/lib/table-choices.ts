// How a table is to be read, as somebody changes it before an import: the fields of the form that say so, what would be lost, and the choices that this
// browser remembers for the next file of the same form. Pure, but for the remembering.

import type { Answer } from '../api/answer.ts';
import { keepValue, readKept } from './kept.ts';

export type TablePreview = Answer<'POST', '/api/v2/uploads/preview/'>['preview'];
export type PreviewColumn = TablePreview['columns'][number];
type ColumnType = PreviewColumn['type'];
export type ColumnChoice = { readonly skip?: boolean; readonly name?: string; readonly type?: ColumnType };

/** What was chosen; what is not here is found by looking. */
export type TableWish = {
  readonly charset?: string;
  readonly sheet?: string;
  readonly places?: 'none';
  readonly x?: string;
  readonly y?: string;
  readonly wkt?: string;
  readonly delimiter?: string;
  readonly decimal?: '.' | ',';
  readonly header?: number;
  readonly dates?: 'ymd' | 'dmy' | 'mdy';
  readonly columns?: Readonly<Record<string, ColumnChoice>>;
};

export const NO_WISH: TableWish = {};

export function isWished(wish: TableWish): boolean {
  return Object.keys(wish).length > 0;
}

/** Changed; what becomes undefined is found by looking again. */
export function withWish(
  wish: TableWish,
  change: { readonly [K in keyof TableWish]?: TableWish[K] | undefined },
): TableWish {
  const all = Object.entries({ ...wish, ...change }).filter(
    ([name, value]) => value !== undefined && !(name === 'columns' && Object.keys(value).length === 0),
  );
  return Object.fromEntries(all) as TableWish;
}

export function withColumn(
  wish: TableWish,
  column: string,
  change: { readonly [K in keyof ColumnChoice]?: ColumnChoice[K] | undefined },
): TableWish {
  const { [column]: was = {}, ...others } = wish.columns ?? {};
  const choice = Object.entries({ ...was, ...change }).filter(([, value]) => value !== undefined && value !== false);
  return withWish(wish, {
    columns: choice.length === 0 ? others : { ...others, [column]: Object.fromEntries(choice) as ColumnChoice },
  });
}

/** As the form of an upload says it. */
export function fieldsOf({ charset, sheet, places, x, y, wkt, ...table }: TableWish): Record<string, string> {
  const plain = { charset, sheet, places, x, y, wkt, table: isWished(table) ? JSON.stringify(table) : undefined };
  return Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined && value !== '')) as Record<
    string,
    string
  >;
}

/** Columns of which something cannot be read as it was chosen, and rows at which the import would stop. */
export function lossesOf({ columns, misplaced }: TablePreview): {
  readonly columns: readonly PreviewColumn[];
  readonly rows: TablePreview['misplaced'] | undefined;
} {
  return {
    columns: columns.filter(({ lost, skip }) => lost.count > 0 && !skip),
    rows: misplaced.count > 0 ? misplaced : undefined,
  };
}

export function losesSomething(preview: TablePreview): boolean {
  const { columns, rows } = lossesOf(preview);
  return columns.length > 0 || rows !== undefined;
}

const KEPT = 'table-choices';
/** Forms whose choices are remembered, the latest first. */
const MAX_FORMS = 20;
const MAX_BYTES = 20_000;

type Remembered = { readonly form: string; readonly wish: TableWish };

/** Forms are known by the names of their columns. */
const formOf = (columns: readonly string[]): string => JSON.stringify(columns.map((name) => name.trim()));

function readAll(): readonly Remembered[] {
  try {
    const kept: unknown = JSON.parse(readKept(KEPT) ?? '[]');
    return Array.isArray(kept)
      ? kept.filter((one): one is Remembered => typeof one?.form === 'string' && typeof one?.wish === 'object')
      : [];
  } catch {
    return [];
  }
}

/** Without a choice: nothing is remembered of the form any more. */
export function rememberWish(columns: readonly string[], wish: TableWish): void {
  const form = formOf(columns);
  const others = readAll().filter((one) => one.form !== form);
  const all = isWished(wish) && JSON.stringify(wish).length < MAX_BYTES ? [{ form, wish }, ...others] : others;
  keepValue(KEPT, all.length === 0 ? null : JSON.stringify(all.slice(0, MAX_FORMS)));
}

export function rememberedWish(columns: readonly string[]): TableWish | undefined {
  const form = formOf(columns);
  return readAll().find((one) => one.form === form)?.wish;
}
