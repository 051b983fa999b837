// Which features of a layer a map shows: several conditions, and groups of them, all or any of which have to hold. Kept with the map as CQL2, which
// every service understands; what somebody else wrote there is used as it is, though its parts cannot be shown one by one. Pure.

import type { FeatureFilter } from '../map/drawn.ts';
import type { ColumnKind } from './feature-schema.ts';
import type { Text } from './i18n/text.ts';
import { cqlFilter, mapFilter, OPERATORS, type Operator, restFilter, type TableFilter } from './table-filter.ts';

export type Conditions = {
  readonly kind: 'conditions';
  readonly join: 'and' | 'or';
  readonly conditions: readonly FilterPart[];
};
export type FilterPart = TableFilter | Conditions;
export type LayerFilter = Conditions | { readonly kind: 'cql'; readonly cql: unknown };

/** More than anybody reads, those of groups among them. */
export const MAX_CONDITIONS = 20;
/** Groups within groups. */
export const MAX_GROUP_DEPTH = 2;

export const isGroup = (part: FilterPart): part is Conditions => part.kind === 'conditions';

export const countOf = ({ conditions }: Conditions): number =>
  conditions.reduce((sum, one) => sum + (isGroup(one) ? countOf(one) : 1), 0);

export const allOf = (...conditions: readonly FilterPart[]): Conditions => ({
  kind: 'conditions',
  join: 'and',
  conditions,
});

/** The conditions that ask for something; undefined: none does. */
export function asked(filter: LayerFilter | undefined): LayerFilter | undefined {
  if (filter === undefined || filter.kind === 'cql') return filter;
  const conditions = askedParts(filter);
  return conditions.length === 0 ? undefined : { ...filter, conditions };
}

/** A group of one is that one. */
function askedParts({ conditions }: Conditions): readonly FilterPart[] {
  return conditions.flatMap((one) => {
    if (!isGroup(one)) return cqlFilter(one) === undefined ? [] : [one];
    const parts = askedParts(one);
    return parts.length > 1 ? [{ ...one, conditions: parts }] : parts;
  });
}

export function filterCql(filter: LayerFilter | undefined): unknown {
  if (filter === undefined) return undefined;
  if (filter.kind === 'cql') return filter.cql;
  const parts = filter.conditions.flatMap((one) => (isGroup(one) ? filterCql(one) : cqlFilter(one)) ?? []);
  return parts.length > 1 ? { op: filter.join, args: parts } : parts[0];
}

/** For the map, and for the server. `fields`: the attributes that features have on the map; a column that is none of them is their id. */
export function layerFeatureFilter(
  filter: LayerFilter | undefined,
  fields: Readonly<Record<string, string>>,
): FeatureFilter | undefined {
  const cql = filterCql(filter);
  if (filter === undefined || cql === undefined) return undefined;
  return { map: filter.kind === 'cql' ? undefined : mapOf(filter, fields), cql };
}

function mapOf({ join, conditions }: Conditions, fields: Readonly<Record<string, string>>): unknown {
  const parts = conditions.flatMap((one) => {
    const shown = isGroup(one)
      ? mapOf(one, fields)
      : mapFilter(one, Object.hasOwn(fields, one.column) ? undefined : one.column);
    // An expression is a list itself.
    return shown === undefined ? [] : [shown];
  });
  return parts.length > 1 ? [join === 'and' ? 'all' : 'any', ...parts] : parts[0];
}

/** Parameters of the REST service; undefined: it cannot be asked so. */
export function filterParameters(
  filter: LayerFilter | undefined,
): readonly (readonly [name: string, value: string])[] | undefined {
  if (filter === undefined) return [];
  if (filter.kind === 'cql') return undefined;
  const shown = asked(filter);
  if (shown?.kind !== 'conditions') return [];
  if (shown.join === 'or' && shown.conditions.length > 1) return [['or', `(${groupText(shown)})`]];
  return shown.conditions.flatMap((one): readonly (readonly [string, string])[] => {
    if (isGroup(one)) return [[one.join, `(${groupText(one)})`]];
    const part = restFilter(one);
    return part === undefined ? [] : [part];
  });
}

function groupText({ conditions }: Conditions): string {
  return conditions
    .flatMap((one) => {
      if (isGroup(one)) return [`${one.join}(${groupText(one)})`];
      const part = restFilter(one);
      return part === undefined ? [] : [inGroup(...part)];
    })
    .join(',');
}

/** Within a group a value is quoted: commas and parentheses in it would end it. */
function inGroup(name: string, value: string): string {
  const at = value.indexOf('.');
  const [operator, operand] = [value.slice(0, at), value.slice(at + 1)];
  return operator === 'is' ? `${name}.${value}` : `${name}.${operator}."${operand.replace(/["\\]/g, '\\$&')}"`;
}

/** As it was kept; undefined: there is none. */
export function parseLayerFilter(cql: unknown): LayerFilter | undefined {
  if (!isObject(cql)) return undefined;
  const part = parsePart(cql, MAX_GROUP_DEPTH + 1);
  if (part === undefined) return { kind: 'cql', cql };
  const conditions = isGroup(part) ? part : allOf(part);
  return countOf(conditions) > MAX_CONDITIONS ? { kind: 'cql', cql } : conditions;
}

function parsePart(part: unknown, depth: number): FilterPart | undefined {
  const { op, args } = isObject(part) ? part : {};
  if ((op !== 'and' && op !== 'or') || !Array.isArray(args)) return parseCondition(part);
  if (depth === 0 || args.length === 0 || args.length > MAX_CONDITIONS) return undefined;
  const known = args.flatMap((one: unknown) => parsePart(one, depth - 1) ?? []);
  return known.length < args.length ? undefined : { kind: 'conditions', join: op, conditions: known };
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const COMPARED: Readonly<Record<string, readonly Operator[]>> = {
  '=': ['is'],
  '<>': ['is-not'],
  '<': ['less', 'before'],
  '>': ['more', 'after'],
};

function parseCondition(part: unknown): TableFilter | undefined {
  if (!isObject(part) || typeof part['op'] !== 'string' || !Array.isArray(part['args'])) return undefined;
  const { op } = part;
  const [left, right] = part['args'] as readonly unknown[];
  const column = columnIn(left);
  if (op === 'isNull') return column === undefined ? undefined : { column, operator: 'empty', value: '', kind: 'text' };
  if (op === 'like') return parseContains(left, right);
  const kind = kindOfValue(right);
  const operator = COMPARED[op]?.find((one) => kind !== undefined && OPERATORS[kind].includes(one));
  if (column === undefined || operator === undefined || kind === undefined) return undefined;
  return { column, operator, value: String(right), kind };
}

function parseContains(left: unknown, right: unknown): TableFilter | undefined {
  const [column, pattern] = [columnIn(inFold(left)), inFold(right)];
  if (column === undefined || typeof pattern !== 'string' || !/^%.*%$/su.test(pattern) || pattern.length < 2)
    return undefined;
  const value = pattern.slice(1, -1).replace(/\\([\\%_])/g, '$1');
  const condition: TableFilter = { column, operator: 'contains', value, kind: 'text' };
  // A pattern with signs of its own in it is somebody else's.
  return JSON.stringify(cqlFilter(condition)) === JSON.stringify({ op: 'like', args: [left, right] })
    ? condition
    : undefined;
}

const inFold = (value: unknown): unknown =>
  isObject(value) && value['op'] === 'casei' && Array.isArray(value['args']) ? value['args'][0] : undefined;

const columnIn = (value: unknown): string | undefined =>
  isObject(value) && typeof value['property'] === 'string' ? value['property'] : undefined;

function kindOfValue(value: unknown): ColumnKind | undefined {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value !== 'string') return undefined;
  return /^\d{4}-\d\d-\d\d$/.test(value) ? 'date' : 'text';
}

/** The same of a column that is known to hold something else than its value looks like. */
export function withKind(condition: TableFilter, kind: ColumnKind | undefined): TableFilter {
  if (kind === undefined || kind === condition.kind) return condition;
  const operator = OPERATORS[kind].includes(condition.operator) ? condition.operator : LIKE[condition.operator];
  return operator !== undefined && OPERATORS[kind].includes(operator) ? { ...condition, operator, kind } : condition;
}

const LIKE: Readonly<Partial<Record<Operator, Operator>>> = {
  less: 'before',
  before: 'less',
  more: 'after',
  after: 'more',
};

/** In words, with what people call the columns: "species is oak". */
function conditionText(t: Text, condition: TableFilter, names: ReadonlyMap<string, string>): string {
  const { column, operator, value, kind } = condition;
  const shown =
    kind === 'date' || kind === 'time'
      ? t.date(value)
      : kind === 'boolean'
        ? t(value === 'true' ? 'data.yes' : 'data.no')
        : value;
  return [names.get(column) ?? column, t(`operator.${operator}`), ...(operator === 'empty' ? [] : [shown])].join(' ');
}

export function filterText(t: Text, filter: LayerFilter, names: ReadonlyMap<string, string>): string {
  if (filter.kind === 'cql') return t('filter.other');
  return filter.conditions.map((one) => partText(t, one, names)).join(` ${t(`filter.${filter.join}`)} `);
}

/** A group stands in parentheses. */
export const partText = (t: Text, part: FilterPart, names: ReadonlyMap<string, string>): string =>
  isGroup(part) ? `(${filterText(t, part, names)})` : conditionText(t, part, names);
