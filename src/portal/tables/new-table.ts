// A form for a new, empty layer → the layer that is wanted: title, columns, geometry, coordinate system. Pure; every mistake is told at its
// field.

import { parseCrs } from '../../geo/crs.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { columnNames } from '../../sql/column-names.ts';
import type { FieldMessages } from '../errors/portal-error.ts';
import { isMembers, type Members } from '../operations/write/body-forms.ts';
import { COLUMN_KIND_NAMES, type ColumnKind, isColumnKind } from './column-kinds.ts';

export const KEY = 'fid';
export const GEOMETRY = 'geom';

/** What is drawn, and the type it is stored as: single lines and areas are collections of one, as those of imports are. */
export const SHAPES = {
  point: 'Point',
  line: 'MultiLineString',
  polygon: 'MultiPolygon',
  any: 'Geometry',
} as const;

export type Shape = keyof typeof SHAPES;

export const SHAPE_NAMES = Object.keys(SHAPES) as readonly Shape[];

type NewColumn = {
  readonly name: string;
  readonly label: string;
  readonly type: ColumnKind;
  readonly required: boolean;
  /** What the table itself keeps, and forms offer. */
  readonly rule?: ValueRule;
};

export type ValueRule =
  | { readonly kind: 'options'; readonly values: readonly string[] }
  | { readonly kind: 'range'; readonly min: number | null; readonly max: number | null };

export type NewTable = {
  readonly title: string;
  /** Undefined: made of the title. */
  readonly name: string | undefined;
  readonly abstract: string;
  readonly columns: readonly NewColumn[];
  /** Undefined: a table without places. */
  readonly geometry: { readonly shape: Shape; readonly srid: number } | undefined;
  /** As `set_perms` takes them; undefined: those that new layers have. */
  readonly permissions: Members | undefined;
};

/** A form, not a file: whoever needs more has a file. */
export const MAX_NEW_COLUMNS = 200;
export const MAX_LABEL = 255;
const MEMBERS: ReadonlySet<string> = new Set([
  'title',
  'name',
  'abstract',
  'columns',
  'geometry',
  'crs',
  'permissions',
] satisfies readonly string[]);

export function parseNewTable(body: unknown): Result<NewTable, FieldMessages> {
  if (!isMembers(body)) return err({ non_field_errors: ['Expected a JSON object.'] });
  const faults: Record<string, string[]> = {};
  const fault = (field: string, message: string): undefined => {
    faults[field] = [...(faults[field] ?? []), message];
    return undefined;
  };
  for (const member of Object.keys(body)) if (!MEMBERS.has(member)) fault(member.slice(0, 100), 'Unknown field.');
  const text = (field: string, max: number, required: boolean): string => {
    const value = body[field] ?? '';
    if (typeof value !== 'string' || value.includes('\0')) fault(field, 'Not a valid string.');
    else if (required && value.trim() === '') fault(field, 'This field may not be blank.');
    else if ([...value].length > max) fault(field, `Ensure this field has no more than ${max} characters.`);
    else return value.trim();
    return '';
  };
  const title = text('title', 255, true);
  const name = text('name', 100, false);
  const abstract = text('abstract', 2000, false);
  const geometry = parseGeometry(body, fault);
  const { permissions } = body;
  if (permissions !== undefined && permissions !== null && !isMembers(permissions))
    fault('permissions', 'An object with "users" and "groups" is expected.');
  const columns = parseColumns(body['columns'] ?? []);
  if (!columns.ok) faults['columns'] = [...columns.error];
  else if (geometry === undefined && columns.value.length === 0 && faults['geometry'] === undefined)
    fault('columns', 'A table needs at least one column.');
  if (!columns.ok || Object.keys(faults).length > 0) return err(faults);
  return ok({
    title,
    name: name === '' ? undefined : name,
    abstract,
    columns: columns.value,
    geometry,
    permissions: isMembers(permissions) ? permissions : undefined,
  });
}

function parseGeometry(body: Members, fault: (field: string, message: string) => undefined): NewTable['geometry'] {
  const { geometry, crs = 'EPSG:4326' } = body;
  const named = typeof crs === 'string' ? parseCrs(/^\d{1,6}$/.test(crs) ? `EPSG:${crs}` : crs) : undefined;
  if (named === undefined) fault('crs', 'A code like EPSG:4326 is required.');
  if (geometry === 'none') return undefined;
  const shape = SHAPE_NAMES.find((known) => known === geometry);
  if (shape === undefined) return fault('geometry', `Must be one of ${[...SHAPE_NAMES, 'none'].join(', ')}.`);
  return { shape, srid: named?.srid ?? 4326 };
}

/** Columns by the names that people give them. */
function parseColumns(sent: unknown): Result<readonly NewColumn[], readonly string[]> {
  if (!Array.isArray(sent)) return err(['Expected a list of columns.']);
  if (sent.length > MAX_NEW_COLUMNS) return err([`A layer can be made with ${MAX_NEW_COLUMNS} columns at most.`]);
  const faults: string[] = [];
  const labels = new Map<string, Omit<NewColumn, 'name'>>();
  for (const [i, column] of (sent as readonly unknown[]).entries()) {
    const parsed = parseColumn(column);
    if (!parsed.ok) faults.push(`Column ${i + 1}: ${parsed.error}`);
    else if (labels.has(parsed.value.label)) faults.push(`Two columns are called "${parsed.value.label}".`);
    else labels.set(parsed.value.label, parsed.value);
  }
  if (faults.length > 0) return err(faults.slice(0, 20));
  const names = columnNames([...labels.keys()], [KEY, GEOMETRY]);
  return ok([...labels.values()].map((column) => ({ ...column, name: names.get(column.label) ?? column.label })));
}

/** One column, as people call it; its name in the table is made of that. */
export function parseColumn(sent: unknown): Result<Omit<NewColumn, 'name'>, string> {
  if (!isMembers(sent)) return err('an object with name and type is expected.');
  const { name, type, required = false, ...others } = sent;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) return err(`unknown member "${stranger.slice(0, 50)}".`);
  const label = parseLabel(name);
  if (!label.ok) return label;
  if (!isColumnKind(type)) return err(`the type must be one of ${COLUMN_KIND_NAMES.join(', ')}.`);
  if (typeof required !== 'boolean') return err('required must be true or false.');
  return ok({ label: label.value, type, required });
}

export function parseLabel(name: unknown): Result<string, string> {
  if (typeof name !== 'string' || name.trim() === '' || name.includes('\0')) return err('it needs a name.');
  const label = name.trim();
  return [...label].length > MAX_LABEL ? err(`the name has more than ${MAX_LABEL} characters.`) : ok(label);
}
