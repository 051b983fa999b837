// An empty dataset as newer clients of GeoNode send it to the address of uploads: title, geometry and attributes with the values they may
// have → the layer that is wanted. Pure; every mistake is told at its field.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { FieldMessages } from '../errors/portal-error.ts';
import { isMembers, type Members } from '../operations/write/body-forms.ts';
import type { ColumnKind } from './column-kinds.ts';
import { MAX_LABEL, type NewTable, parseNewTable, type Shape, type ValueRule } from './new-table.ts';

const SHAPES: Readonly<Record<string, Shape>> = { Point: 'point', LineString: 'line', Polygon: 'polygon' };

const TYPES: Readonly<Record<string, ColumnKind>> = {
  string: 'text',
  integer: 'integer',
  float: 'double precision',
  date: 'date',
};

/** `is_empty` and `is_dynamic_model_managed` say what such a request is in any case. */
const MEMBERS: ReadonlySet<string> = new Set([
  'title',
  'geom',
  'attributes',
  'action',
  'permissions',
  'is_empty',
  'is_dynamic_model_managed',
]);

const MAX_OPTIONS = 200;

export type EmptyDataset = { readonly table: NewTable; readonly ignored: readonly string[] };

export function parseEmptyDataset(body: unknown): Result<EmptyDataset, FieldMessages> {
  if (!isMembers(body)) return err({ non_field_errors: ['Expected a JSON object.'] });
  const { title, geom, attributes, action = 'create', permissions } = body;
  if (action !== 'create') return err({ action: ['Only "create" needs no files.'] });
  if (!isMembers(attributes)) return err({ attributes: ['An object of attributes by their names is expected.'] });
  const shape = typeof geom === 'string' && Object.hasOwn(SHAPES, geom) ? SHAPES[geom] : undefined;
  if (shape === undefined) return err({ geom: [`Must be one of ${Object.keys(SHAPES).join(', ')}.`] });
  const columns: Members[] = [];
  const rules = new Map<string, ValueRule>();
  for (const [name, attribute] of Object.entries(attributes)) {
    const parsed = parseAttribute(attribute);
    if (!parsed.ok) return err({ attributes: [`${name.slice(0, MAX_LABEL)}: ${parsed.error}`] });
    const { type, required, rule } = parsed.value;
    columns.push({ name, type, required });
    if (rule !== undefined) rules.set(name.trim(), rule);
  }
  const table = parseNewTable({ title, geometry: shape, columns, permissions });
  if (!table.ok) {
    const { columns: faults, ...others } = table.error as Record<string, readonly string[]>;
    return err({ ...others, ...(faults === undefined ? {} : { attributes: faults }) });
  }
  return ok({
    table: {
      ...table.value,
      columns: table.value.columns.map((column) => {
        const rule = rules.get(column.label);
        return rule === undefined ? column : { ...column, rule };
      }),
    },
    ignored: Object.keys(body).filter((name) => !MEMBERS.has(name)),
  });
}

type Attribute = { readonly type: ColumnKind; readonly required: boolean; readonly rule: ValueRule | undefined };

function parseAttribute(attribute: unknown): Result<Attribute, string> {
  if (!isMembers(attribute)) return err('an object with a type is expected.');
  const { type: named, nillable = false, options, range, ...others } = attribute;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) return err(`unknown member "${stranger.slice(0, 50)}".`);
  const type = typeof named === 'string' && Object.hasOwn(TYPES, named) ? TYPES[named] : undefined;
  if (type === undefined) return err(`the type must be one of ${Object.keys(TYPES).join(', ')}.`);
  if (typeof nillable !== 'boolean') return err('nillable must be true or false.');
  const rule = parseRule(type, isPresent(options) ? options : undefined, isPresent(range) ? range : undefined);
  return rule.ok ? ok({ type, required: !nillable, rule: rule.value }) : rule;
}

/** Forms send what nobody has filled in as null, or as nothing. */
function isPresent(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function parseRule(type: ColumnKind, options: unknown, range: unknown): Result<ValueRule | undefined, string> {
  const isNumber = type === 'integer' || type === 'double precision';
  if (options !== undefined) {
    if (range !== undefined) return err('options and a range do not go together.');
    if (type === 'date') return err('a date has no options.');
    if (!Array.isArray(options) || options.length > MAX_OPTIONS)
      return err(`options is a list of ${MAX_OPTIONS} values at most.`);
    const fits = (one: unknown): one is string | number =>
      isNumber ? isOf(type, one) : typeof one === 'string' && one.length <= MAX_LABEL && !one.includes('\0');
    return options.every(fits)
      ? ok({ kind: 'options', values: options.map(String) })
      : err('an option is no value of the type.');
  }
  if (range === undefined) return ok(undefined);
  if (!isNumber) return err('only numbers have a range.');
  const { min = null, max = null, ...others } = isMembers(range) ? range : { other: range };
  if (Object.keys(others).length > 0) return err('a range has the members min and max.');
  const isEnd = (end: unknown): end is number | null => end === null || isOf(type, end);
  if (!isEnd(min) || !isEnd(max)) return err('min and max are numbers of the type.');
  if (min !== null && max !== null && min > max) return err('min is greater than max.');
  return ok(min === null && max === null ? undefined : { kind: 'range', min, max });
}

function isOf(type: ColumnKind, value: unknown): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return type !== 'integer' || (Number.isInteger(value) && Math.abs(value) < 2 ** 31);
}
