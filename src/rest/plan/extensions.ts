// Which words of the query grammar need an extension, and whether the database has it.

import type {
  ColumnFunction,
  Filter,
  HavingFilter,
  LogicTree,
  Operation,
  Over,
  QueryParams,
  SelectItem,
  Value,
} from '../request/api-request.ts';
import type { SchemaCache } from '../schema-cache/schema-cache.ts';
import type { PlanError } from './plan-error.ts';

export type Extension = 'postgis' | 'pg_trgm' | 'vector';

export const EXTENSION_OF: Readonly<Partial<Record<ColumnFunction, Extension>>> = {
  similarity: 'pg_trgm',
  word_similarity: 'pg_trgm',
  trgm_distance: 'pg_trgm',
  l2_distance: 'vector',
  cosine_distance: 'vector',
  inner_product: 'vector',
  st_area: 'postgis',
  st_length: 'postgis',
  st_perimeter: 'postgis',
  st_centroid: 'postgis',
  st_envelope: 'postgis',
  st_simplify: 'postgis',
  st_transform: 'postgis',
  st_x: 'postgis',
  st_y: 'postgis',
  st_astext: 'postgis',
  st_asgeojson: 'postgis',
  st_distance: 'postgis',
  nearest: 'postgis',
};

export function extensionOfOperation({ kind }: Operation): Extension | undefined {
  if (kind === 'spatial' || kind === 'dwithin' || kind === 'bbox') return 'postgis';
  return kind === 'similar' ? 'pg_trgm' : undefined;
}

/** The first word of the query that the database has no extension for. */
export function missingExtension(
  query: QueryParams,
  { extensions }: Pick<SchemaCache, 'extensions'>,
): PlanError | undefined {
  for (const { word, extension } of wordsOf(query))
    if (!extensions.has(extension)) return { kind: 'extension-missing', extension, word };
  return undefined;
}

type Needed = { readonly word: string; readonly extension: Extension };

function* wordsOf({ select, filters, logic, order, distinct, having }: QueryParams): Generator<Needed> {
  yield* ofItems(select);
  for (const { value } of filters) yield* ofOperation(value.operation);
  for (const { value } of logic) yield* ofTree(value);
  for (const { value } of order)
    for (const term of value) {
      yield* ofValue(term);
      for (const tree of term.aggregate?.filter ?? []) yield* ofTree(tree);
    }
  for (const { value } of distinct) for (const one of value) yield* ofValue(one);
  for (const { value } of having) yield* ofHaving(value);
}

function* ofItems(items: readonly SelectItem[]): Generator<Needed> {
  for (const item of items) {
    switch (item.kind) {
      case 'star':
        break;
      case 'embed':
      case 'spread':
        yield* ofItems(item.items);
        break;
      case 'window':
        yield* ofOver(item.over);
        break;
      case 'field':
      case 'count':
        if (item.kind === 'field') yield* ofValue(item);
        for (const tree of item.filter ?? []) yield* ofTree(tree);
        if (item.over !== undefined) yield* ofOver(item.over);
        break;
    }
  }
}

function* ofValue({ calls }: Pick<Value, 'calls'>): Generator<Needed> {
  for (const { name } of calls ?? []) {
    const extension = EXTENSION_OF[name];
    if (extension !== undefined) yield { word: name, extension };
  }
}

function* ofOver({ partition, order }: Over): Generator<Needed> {
  for (const value of [...partition, ...order]) yield* ofValue(value);
}

function* ofOperation(operation: Operation): Generator<Needed> {
  const extension = extensionOfOperation(operation);
  if (extension !== undefined)
    yield {
      word:
        operation.kind === 'spatial'
          ? operation.relation
          : operation.kind === 'dwithin'
            ? 'st_dwithin'
            : operation.kind,
      extension,
    };
}

function* ofTree(tree: LogicTree<Pick<Filter, 'operation'>>): Generator<Needed> {
  if (tree.kind === 'filter') yield* ofOperation(tree.filter.operation);
  else for (const child of tree.children) yield* ofTree(child);
}

function* ofHaving(tree: LogicTree<HavingFilter>): Generator<Needed> {
  if (tree.kind === 'group') {
    for (const child of tree.children) yield* ofHaving(child);
    return;
  }
  const { of } = tree.filter;
  if (!('aggregate' in of)) return;
  if (of.value !== undefined) yield* ofValue(of.value);
  for (const inner of of.aggregate.filter ?? []) yield* ofTree(inner);
}
