// `filter{path.operator}=value` → a condition, or what is wrong with it in the words clients know.

import { err, ok, type Result } from '../../kernel/result.ts';
import { regexComplaint } from '../../sql/regex-limits.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { FieldType, RecordType } from '../fields/field.ts';
import type { Comparison, Condition, DatePart, Path, Test, TextMatch, ValueType } from './condition.ts';
import { findPath, MAX_NAMES } from './field-path.ts';
import { parseFilterValue, valueTypeOf } from './filter-value.ts';
import { isOn, type QueryParams } from './query-params.ts';

type Like = { readonly how: TextMatch; readonly foldCase: boolean };

const COMPARISONS: ReadonlySet<string> = new Set<Comparison>(['eq', 'gt', 'gte', 'lt', 'lte']);
const PARTS: ReadonlySet<string> = new Set<DatePart>(['year', 'month', 'day', 'week_day']);
const LIKES: ReadonlyMap<string, Like> = new Map([
  ['iexact', { how: 'exact', foldCase: true }],
  ['contains', { how: 'contains', foldCase: false }],
  ['icontains', { how: 'contains', foldCase: true }],
  ['startswith', { how: 'startswith', foldCase: false }],
  ['istartswith', { how: 'startswith', foldCase: true }],
  ['endswith', { how: 'endswith', foldCase: false }],
  ['iendswith', { how: 'endswith', foldCase: true }],
]);
const OPERATORS: ReadonlySet<string> = new Set([
  ...COMPARISONS,
  ...PARTS,
  ...LIKES.keys(),
  'in',
  'range',
  'isnull',
  'regex',
  'any',
  'all',
]);

const MAX_VALUES = 1000;
const MAX_FILTERS = 100;
/** Of all filters that ignore case: PostgreSQL writes their text in small letters again for every row. */
const MAX_FOLDED = 2000;
/** PostgreSQL keeps 32 compiled ones; where there are more, each is compiled again for every row. */
const MAX_EXPRESSIONS = 20;
const TOO_LONG = `A filter leads through ${MAX_NAMES} names at most.`;

/** `filter{keywords|name}=water`: which related records are shown, whatever records they belong to. */
export type Narrowing = {
  /** The relation, and those on the way to it. */
  readonly at: readonly string[];
  readonly condition: Condition & { readonly kind: 'filter' };
};

export type ParsedFilters = {
  /** Different ones all have to hold. */
  readonly conditions: readonly Condition[];
  readonly narrowings: readonly Narrowing[];
};

/** All `filter{…}` of the query. */
export function parseFilters(params: QueryParams, recordType: RecordType): Result<ParsedFilters, PortalError> {
  const conditions: Condition[] = [];
  const narrowings: Narrowing[] = [];
  const seen = new Set<string>();
  let folded = 0;
  let expressions = 0;
  for (const name of params.names()) {
    if (!name.startsWith('filter{')) continue;
    const key = /^filter\{((-?)(?:([^{}|]+)\|)?([^{}|]+))\}(?:\[\])?$/.exec(name);
    if (key === null) return err(badKey(name));
    const [, whole = '', minus = '', relation, inner = ''] = key;
    // `filter{a}` and `filter{a}[]` are one key; of one key the first value counts.
    if (seen.has(whole)) continue;
    seen.add(whole);
    if (seen.size > MAX_FILTERS) return err(complaint(`A list takes ${MAX_FILTERS} filters at most.`));
    const values = [...params.all(`filter{${whole}}`), ...params.all(`filter{${whole}}[]`)];
    if (whole === 'tkeywords' && values.length > 1 && recordType.byName.has('tkeywords')) {
      const words = parseWords(values, isOn(params.first('force_and')));
      if (!words.ok) return words;
      conditions.push(words.value);
      continue;
    }
    const at = relation === undefined ? [] : relation.split('.');
    const related = relatedRecordType(recordType, at);
    if (!related.ok) return related;
    const parsed = parseFilter(inner, values, related.value);
    if (!parsed.ok) return parsed;
    const { test } = parsed.value;
    if (test.op === 'like' && test.foldCase) folded += test.text.length;
    if (test.op === 'regex') expressions++;
    if (folded > MAX_FOLDED) return err(complaint(`Filters that ignore case take ${MAX_FOLDED} characters at most.`));
    if (expressions > MAX_EXPRESSIONS)
      return err(complaint(`A list takes ${MAX_EXPRESSIONS} regular expressions at most.`));
    const condition = { kind: 'filter', ...parsed.value, isNegated: minus !== '' } as const;
    if (relation === undefined) conditions.push(condition);
    else if (condition.test.op === 'regex') return err(complaint(`The operator "regex" cannot be used here: ${inner}`));
    else narrowings.push({ at, condition });
  }
  return ok({ conditions, narrowings });
}

/** Several words of thesauri mean one from each thesaurus, as newer clients know it; with `force_and`, all of them. */
function parseWords(values: readonly string[], all: boolean): Result<Condition, PortalError> {
  if (values.length > MAX_VALUES) return err(complaint(`A filter takes ${MAX_VALUES} values at most: tkeywords`));
  const ids = new Set<string>();
  for (const text of values) {
    const id = parseFilterValue('bigint', text);
    if (!id.ok) return err(complaint(id.error));
    ids.add(id.value);
  }
  return ok({ kind: 'tkeywords', ids: [...ids], all });
}

function relatedRecordType(recordType: RecordType, names: readonly string[]): Result<RecordType, PortalError> {
  if (names.length > MAX_NAMES) return err(complaint(TOO_LONG));
  let current = recordType;
  for (const name of names) {
    const type = current.byName.get(name)?.type;
    if (type?.kind !== 'one' && type?.kind !== 'many') return err(complaint(`Invalid filter field: ${name}`));
    current = type.relation.recordType();
  }
  return ok(current);
}

type Filter = { readonly path: Path; readonly test: Test };

function parseFilter(inner: string, values: readonly string[], recordType: RecordType): Result<Filter, PortalError> {
  const names = inner.split('.');
  const last = names.at(-1) ?? '';
  const operator = OPERATORS.has(last) && names.length > 1 ? last : 'eq';
  const found = findPath(recordType, operator === 'eq' && last !== 'eq' ? names : names.slice(0, -1));
  if (!found.ok) {
    switch (found.error.kind) {
      case 'unknown-field':
        return err(complaint(`Invalid filter field: ${found.error.name}`));
      case 'not-a-relation':
        return err(complaint(`Invalid nested filter field: ${found.error.name}`));
      case 'too-long':
        return err(complaint(TOO_LONG));
    }
  }
  const path = found.value;
  const test = parseTest(operator, values, path, inner);
  return test.ok ? ok({ path, test: test.value }) : err(complaint(test.error));
}

function parseTest(operator: string, values: readonly string[], path: Path, inner: string): Result<Test, string> {
  const [first = ''] = values;
  if (operator === 'isnull') return ok({ op: 'isnull', isNull: !/^(?:false|0|)$/i.test(first) });
  const { target } = path;
  const type = target.kind === 'field' ? target.field.type : undefined;
  const as = type === undefined ? 'bigint' : valueTypeOf(type);
  // Listed among the operators of old, with nothing behind them.
  if (operator === 'any' || operator === 'all') return err('');
  if (as === undefined) return err(`The operator "${operator}" cannot be used here: ${inner}`);
  const like = LIKES.get(operator);
  if (like !== undefined) return ok({ op: 'like', ...like, text: first });
  if (operator === 'regex') {
    const wrong = regexComplaint(first);
    return wrong === undefined ? ok({ op: 'regex', pattern: first, foldCase: false }) : err(wrong);
  }
  if (PARTS.has(operator)) return parsePart(operator as DatePart, as, first, inner);
  const parsed = parseComparison(operator, as, asWritten(values, type), inner);
  // The QGIS plugin writes entries of code lists in lower case.
  return parsed.ok && type?.kind === 'text' && type.anyCase === true ? ok(inAnyCase(parsed.value)) : parsed;
}

/** As the field has its values, where filters may write them in another way. */
function asWritten(values: readonly string[], type: FieldType | undefined): readonly string[] {
  if (type?.kind === 'text' && type.upperCase === true) return values.map((value) => value.toUpperCase());
  if (type?.kind !== 'choice' || type.alias === undefined) return values;
  const alias = new Map(Object.entries(type.alias));
  return values.map((value) => alias.get(value) ?? value);
}

function inAnyCase(test: Test): Test {
  if (test.op === 'eq') return { op: 'in', values: [test.value], as: test.as, foldCase: true };
  return test.op === 'in' ? { ...test, foldCase: true } : test;
}

function parsePart(part: DatePart, as: ValueType, value: string, inner: string): Result<Test, string> {
  if (as !== 'timestamptz') return err(`The operator "${part}" is for dates only: ${inner}`);
  const number = parseFilterValue('bigint', value);
  return number.ok ? ok({ op: 'part', part, value: number.value }) : number;
}

function parseComparison(
  operator: string,
  as: ValueType,
  values: readonly string[],
  inner: string,
): Result<Test, string> {
  if (as === 'boolean' && operator !== 'eq' && operator !== 'in') {
    return err(`The operator "${operator}" cannot be used here: ${inner}`);
  }
  const wanted = operator === 'in' || operator === 'range' ? values : values.slice(0, 1);
  if (wanted.length > MAX_VALUES) return err(`A filter takes ${MAX_VALUES} values at most: ${inner}`);
  const parsed: string[] = [];
  for (const text of wanted) {
    const value = parseFilterValue(as, text);
    if (!value.ok) return value;
    parsed.push(value.value);
  }
  const [low = '', high] = parsed;
  switch (operator) {
    case 'in':
      return ok({ op: 'in', values: parsed, as });
    case 'range':
      return high === undefined || parsed.length > 2
        ? err(`A range takes two values: ${inner}`)
        : ok({ op: 'range', low, high, as });
    default:
      return ok({ op: operator as Comparison, value: low, as });
  }
}

function badKey(name: string): PortalError {
  return { kind: 'bad-request', detail: `"${name}" is not a well-formed filter key.` };
}

function complaint(message: string): PortalError {
  return { kind: 'invalid-request', messages: [message] };
}
