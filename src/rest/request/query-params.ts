// The query string to what it asks for. In: the raw text behind `?`. Out: the tree, the values that were taken out of it,
// and the root's limit and offset as written; or the first error, looked for in a fixed order of parameters: order,
// logic, columns, select, filters, on_conflict, windows of embeds.

import { createHash } from 'node:crypto';
import { err, ok, type Result } from '../../kernel/result.ts';
import { makeTextCache, type TextCache } from '../../kernel/text-cache.ts';
import type { Target } from './action.ts';
import type {
  After,
  At,
  Filter,
  HavingFilter,
  LogicTree,
  OrderTerm,
  QueryParams,
  SelectItem,
  Value,
  Window,
} from './api-request.ts';
import { canonicalQuery, questionText } from './canonical-query.ts';
import { columnList } from './columns-parser.ts';
import { Cursor } from './cursor.ts';
import { condition, plainCondition } from './filter-parser.ts';
import { decodeFormComponent } from './form-decoding.ts';
import { havingText, havingTree } from './having-parser.ts';
import { openCursor, sealCursor } from './keyset-cursor.ts';
import { LIMITS } from './limits.ts';
import { logicFilter, logicGroup } from './logic-parser.ts';
import { distinctValues } from './measure-parser.ts';
import { orderTerms } from './order-parser.ts';
import { explainFailure, type ParsedParameter, parseText } from './parse-text.ts';
import { asWord, type QueryKey, queryKey } from './query-key.ts';
import type { RequestError } from './request-error.ts';
import { selectItems } from './select-parser.ts';
import { conditionShape, logicShape, measured, pathShape } from './shape.ts';
import { refusedText } from './text-check.ts';
import { parseWindow, type WindowTexts } from './window.ts';

/**
 * - `relation`, `write`, `call-post`: what is no control parameter is a filter.
 * - `call-get`: of those, what does not read as a filter is an argument.
 * - `relation`, `call-post`: some names are words where they do not read as filters (`after`).
 *   In `call-get` such an `after` is an argument, and may turn out to be a cursor once the function is known.
 */
export type QueryMode = 'relation' | 'write' | 'call-get' | 'call-post';

/** What a cursor of keyset pages is for: it belongs to the rows of one relation. */
export type CursorContext = {
  readonly schema: string;
  readonly target: Target;
  readonly key: Uint8Array;
  /** Arguments of a function that do not stand in the query. */
  readonly body?: Uint8Array;
};

const NO_CURSORS: CursorContext = { schema: '', target: { kind: 'root' }, key: new Uint8Array(32) };

export type ParsedQuery = {
  readonly params: QueryParams;
  readonly values: string[];
  /** The root's `limit` and `offset`, for `parseRootWindow`. */
  readonly window: WindowTexts;
};

type Failed = { readonly ok: false; readonly error: RequestError };
type Parameter = { readonly key: QueryKey; readonly value: string };
type FilterKey = Extract<QueryKey, { kind: 'filter' }>;
type LogicKey = Extract<QueryKey, { kind: 'logic' }>;
type NodeKey = Extract<QueryKey, { node: string }>;
type Argument = QueryParams['args'][number];

/** Grows while the parameters are read; becomes the result. */
type Draft = {
  readonly values: string[];
  readonly filters: At<Filter>[];
  readonly logic: At<LogicTree>[];
  readonly order: At<readonly OrderTerm[]>[];
  readonly windows: At<Window>[];
  readonly args: Argument[];
  readonly distinct: At<readonly Value[]>[];
  readonly having: At<LogicTree<HavingFilter>>[];
  select: readonly SelectItem[];
  columns: readonly string[] | undefined;
  onConflict: readonly string[] | undefined;
  after: After | undefined;
  shape: string;
};

const STAR: readonly SelectItem[] = [{ kind: 'star' }];

const selects = makeTextCache<readonly SelectItem[]>(512);
const orders = makeTextCache<readonly OrderTerm[]>(512);
const nameLists = makeTextCache<readonly string[]>(256);

export function parseQueryParams(
  query: string,
  mode: QueryMode,
  cursors: CursorContext = NO_CURSORS,
): Result<ParsedQuery, RequestError> {
  const parameters = splitQuery(query, mode === 'relation' || mode === 'call-post');
  if (parameters.length > LIMITS.parameters.most) return err({ kind: 'too-many', limit: 'parameters' });
  const draft: Draft = {
    values: [],
    filters: [],
    logic: [],
    order: [],
    windows: [],
    args: [],
    distinct: [],
    having: [],
    select: STAR,
    columns: undefined,
    onConflict: undefined,
    after: undefined,
    shape: '',
  };
  const window: WindowTexts = {};
  const failed = readParameters(parameters, mode, draft, window) ?? readAfter(parameters, mode, cursors, draft);
  if (failed !== undefined) return failed;
  const refused = refusedText(draft, draft.values);
  if (refused !== undefined) return err(refused);
  const { select, filters, logic, order, windows, columns, onConflict, after, args, distinct, having, shape } = draft;
  const params: QueryParams = {
    select,
    filters,
    logic,
    order,
    windows,
    distinct,
    having,
    ...(columns && { columns }),
    ...(onConflict && { onConflict }),
    ...(after && { after }),
    args,
    shape,
    canonical: canonicalQuery(parameters),
  };
  return ok({ params, values: draft.values, window });
}

/** The one parameter that says something without a value. */
const BARE = 'distinct';

/** Other parameters without `=` mean nothing and are left out. Stops behind the first that is too many. */
function splitQuery(query: string, hasWords: boolean): Parameter[] {
  const mayBeBare = hasWords && query.includes(BARE);
  const parameters: Parameter[] = [];
  let start = 0;
  let equals = query.indexOf('=');
  while (start < query.length && (equals >= 0 || mayBeBare) && parameters.length <= LIMITS.parameters.most) {
    let end = query.indexOf('&', start);
    if (end < 0) end = query.length;
    // Looked for once, not again for each parameter that has none.
    if (equals >= 0 && equals < start) equals = query.indexOf('=', start);
    if (equals >= start && equals < end) {
      const key = queryKey(query.slice(start, equals));
      const value = decodeFormComponent(query.slice(equals + 1, end));
      parameters.push({ key: hasWords ? asWord(key, value) : key, value });
    } else if (mayBeBare && query.slice(start, end) === BARE) {
      parameters.push({ key: asWord(queryKey(BARE), ''), value: '' });
    }
    start = end + 1;
  }
  return parameters;
}

function readParameters(
  parameters: readonly Parameter[],
  mode: QueryMode,
  draft: Draft,
  window: WindowTexts,
): Failed | undefined {
  let onlyFilters = true;
  for (const { key } of parameters) if (key.kind !== 'filter') onlyFilters = false;
  if (onlyFilters) return readFilters(parameters, mode, draft);
  return (
    readOrders(parameters, draft) ??
    readLogic(parameters, draft) ??
    readColumns(parameters, draft) ??
    readSelect(parameters, draft) ??
    readFilters(parameters, mode, draft) ??
    readDistinct(parameters, draft) ??
    readHaving(parameters, draft) ??
    readOnConflict(parameters, draft) ??
    readWindows(parameters, draft, window)
  );
}

function readOrders(parameters: readonly Parameter[], draft: Draft): Failed | undefined {
  const ordered = new Set<string>();
  for (const { key, value } of parameters) {
    if (key.kind !== 'order') continue;
    if (!key.path.ok) return key.path;
    const terms = remember(orders, 'order', value, orderTerms, draft.values);
    if (!terms.ok) return terms;
    // The first one for a node counts; the others must only be well-formed.
    if (ordered.has(key.node)) continue;
    ordered.add(key.node);
    draft.order.push({ at: key.path.value.at, value: terms.value.parsed });
    draft.shape += `o${measured(key.name)}=${measured(terms.value.shape)}`;
  }
  return undefined;
}

function readLogic(parameters: readonly Parameter[], draft: Draft): Failed | undefined {
  for (const { key, value } of parameters) {
    if (key.kind !== 'logic') continue;
    const failed = readLogicTree(key, value, draft);
    if (failed !== undefined) return failed;
  }
  return undefined;
}

function readLogicTree(key: LogicKey, value: string, draft: Draft): Failed | undefined {
  if (!key.path.ok) return key.path;
  const { at, word } = key.path.value;
  // The operator belongs to the tree's text, which is why the columns of its errors count it.
  const tree = parseText('logic tree', word + value, (cursor) => logicGroup(cursor, draft.values, logicFilter), value);
  if (!tree.ok) return tree;
  draft.logic.push({ at, value: tree.value });
  draft.shape += `g${pathShape(at)}${logicShape(tree.value)};`;
  return undefined;
}

function readColumns(parameters: readonly Parameter[], draft: Draft): Failed | undefined {
  const text = firstValue(parameters, 'columns');
  if (text === undefined) return undefined;
  const columns = remember(nameLists, 'columns parameter', text, columnList, draft.values);
  if (!columns.ok) return columns;
  draft.columns = columns.value.parsed;
  draft.shape += `c${measured(text)}`;
  return undefined;
}

function readSelect(parameters: readonly Parameter[], draft: Draft): Failed | undefined {
  const text = firstValue(parameters, 'select');
  if (text === undefined) return undefined;
  const items = remember(selects, 'select parameter', text, rootItems, draft.values);
  if (!items.ok) return items;
  draft.select = items.value.parsed;
  draft.shape += `s${measured(items.value.shape)}`;
  return undefined;
}

/** Nothing at all is all columns at the root, as it is no column of an embed; text that begins no item is an error. */
function rootItems(cursor: Cursor): readonly SelectItem[] | undefined {
  if (cursor.text.trim() === '') return STAR;
  const items = selectItems(cursor);
  return items?.length === 0 ? undefined : items;
}

function readFilters(parameters: readonly Parameter[], mode: QueryMode, draft: Draft): Failed | undefined {
  for (const { key, value } of parameters) {
    if (key.kind !== 'filter') continue;
    const failed = readFilter(key, value, mode, draft);
    if (failed !== undefined) return failed;
  }
  return undefined;
}

function readFilter(key: FilterKey, value: string, mode: QueryMode, draft: Draft): Failed | undefined {
  // No column has this name; the argument of a function's one unnamed parameter does.
  if (key.name === '' && mode === 'call-get') {
    draft.args.push({ name: '', value: draft.values.push(value) - 1 });
    draft.shape += `a${measured('')}`;
    return undefined;
  }
  if (!key.path.ok) return key.path;
  const { at, field } = key.path.value;
  const { values } = draft;
  let filter = plainCondition(value, field, values);
  if (filter === undefined) {
    const cursor = new Cursor(value);
    filter = condition(cursor, field, values, 'parameter');
    if (filter === undefined) {
      // Text that began as a filter (`in.`, `is.`, `not.`) and then failed is a bad filter, not an argument.
      if (mode === 'call-get' && cursor.pos === 0) {
        draft.args.push({ name: field.name, value: values.push(value) - 1 });
        draft.shape += `a${measured(field.name)}`;
        return undefined;
      }
      return err(explainFailure('filter', value, (again) => condition(again, field, [], 'parameter')));
    }
  }
  draft.filters.push({ at, value: filter });
  draft.shape += `${key.shape}${conditionShape(filter)};`;
  return undefined;
}

function readOnConflict(parameters: readonly Parameter[], draft: Draft): Failed | undefined {
  const text = firstValue(parameters, 'on_conflict');
  if (text === undefined) return undefined;
  const columns = remember(nameLists, 'on_conflict parameter', text, columnList, draft.values);
  if (!columns.ok) return columns;
  draft.onConflict = columns.value.parsed;
  draft.shape += `x${measured(text)}`;
  return undefined;
}

/** Of a repeated limit or offset the last one counts. */
function readWindows(parameters: readonly Parameter[], draft: Draft, root: WindowTexts): Failed | undefined {
  const embedded = new Map<string, { key: NodeKey; texts: WindowTexts }>();
  for (const { key, value } of parameters) {
    if (key.kind !== 'limit' && key.kind !== 'offset') continue;
    if (key.node === '') {
      root[key.kind] = value;
      continue;
    }
    const node = embedded.get(key.node) ?? { key, texts: {} };
    node.texts[key.kind] = value;
    embedded.set(key.node, node);
  }
  for (const { key, texts } of embedded.values()) {
    if (!key.path.ok) return key.path;
    const window = parseWindow(texts);
    if (!window.ok) return window;
    const { at } = key.path.value;
    const { offset, limit } = window.value;
    if (offset === 0 && limit === undefined) continue;
    draft.windows.push({ at, value: window.value });
    draft.shape += `w${pathShape(at)}${offset}+${limit ?? ''};`;
  }
  return undefined;
}

/** Of several for one node the first counts. */
function readDistinct(parameters: readonly Parameter[], draft: Draft): Failed | undefined {
  const seen = new Set<string>();
  for (const { key, value } of parameters) {
    if (key.kind !== 'distinct') continue;
    if (!key.path.ok) return key.path;
    const values =
      value.trim() === '' ? ok([]) : parseText('distinct parameter', value, distinctValues, value, draft.values);
    if (!values.ok) return values;
    if (seen.has(key.node)) continue;
    seen.add(key.node);
    draft.distinct.push({ at: key.path.value.at, value: values.value });
    draft.shape += `d${measured(key.node)}${measured(JSON.stringify(values.value))}`;
  }
  return undefined;
}

function readHaving(parameters: readonly Parameter[], draft: Draft): Failed | undefined {
  for (const { key, value } of parameters) {
    if (key.kind !== 'having') continue;
    if (!key.path.ok) return key.path;
    const tree = parseText('having parameter', havingText(value), havingTree, value, draft.values);
    if (!tree.ok) return tree;
    draft.having.push({ at: key.path.value.at, value: tree.value });
    draft.shape += `h${measured(key.node)}${measured(JSON.stringify(tree.value))}`;
  }
  return undefined;
}

/** Of several the first counts. */
function readAfter(
  parameters: readonly Parameter[],
  mode: QueryMode,
  { schema, target, key, body }: CursorContext,
  draft: Draft,
): Failed | undefined {
  const mayBeArgument = mode === 'call-get';
  const given = mayBeArgument ? draft.args.find(({ name }) => name === 'after')?.value : undefined;
  const cursor = mayBeArgument ? (given === undefined ? given : draft.values[given]) : firstValue(parameters, 'after');
  if (cursor === undefined) return undefined;
  const asked = mode === 'call-post' && body !== undefined ? [digest(body)] : [];
  const question = JSON.stringify([schema, target, questionText(parameters), ...asked]);
  const texts = cursor === '' ? undefined : openCursor(cursor, question, key);
  // What opens nothing may be a value for the function.
  if (cursor !== '' && texts === undefined) return mayBeArgument ? undefined : err({ kind: 'cursor-invalid' });
  draft.after = {
    behind: texts?.map((text) => (text === null ? null : draft.values.push(text) - 1)),
    seal: (next) => sealCursor(next, question, key),
  };
  draft.shape += `k${texts === undefined ? '' : texts.map((text) => (text === null ? 'n' : 'v')).join('')};`;
  return undefined;
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

function firstValue(parameters: readonly Parameter[], kind: QueryKey['kind']): string | undefined {
  for (const { key, value } of parameters) if (key.kind === kind) return value;
  return undefined;
}

/** What a text became, and what of it belongs to the shape: all of it, unless values stand in it. */
type Remembered<T> = { readonly parsed: T; readonly shape: string };

function remember<T>(
  cache: TextCache<T>,
  what: ParsedParameter,
  text: string,
  rule: (cursor: Cursor) => T | undefined,
  values: string[],
): Result<Remembered<T>, RequestError> {
  const known = cache.get(text);
  if (known !== undefined) return ok({ parsed: known, shape: text });
  const held = values.length;
  const parsed = parseText(what, text, rule, text, values);
  if (!parsed.ok) return parsed;
  if (values.length > held) return ok({ parsed: parsed.value, shape: JSON.stringify(parsed.value) });
  cache.set(text, parsed.value);
  return ok({ parsed: parsed.value, shape: text });
}
