// Features that are sent → statements that write them. The database decides who may: these run as the caller, under the policies of the
// layer's table. Pure.

import { type GeoGeometry, isOnEarth, parseGeometry } from '../../geo/geojson.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { LayerColumn, VectorLayer } from '../../layers/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { quoteIdent, quoteLiteral } from '../../sql/index.ts';
import { keySql } from './feature-query.ts';
import { plainGeometry } from './filter-sql.ts';
import type { KnownCrs } from './known-crs.ts';
import { gisOf, tableOf } from './layer-sql.ts';

export type EditError = { readonly kind: 'bad-request'; readonly detail: string };

export type Sent = {
  /** Undefined: not said, for an update; null: none. */
  readonly geometry: GeoGeometry | null | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
};

/** The feature to be changed; `condition`, on its row `f`: only as long as it is what somebody thinks it is. */
export type Target = { readonly id: string; readonly condition?: string | undefined };

/** A feature as it is sent. `isWhole`: all of it has to be there, as for a new one. */
export function parseFeature(
  body: unknown,
  layer: VectorLayer,
  crs: KnownCrs,
  isWhole: boolean,
): Result<Sent, EditError> {
  const refuse = (detail: string): Result<never, EditError> => err({ kind: 'bad-request', detail });
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refuse('A GeoJSON feature was expected.');
  const { type, geometry: shape, properties = {} } = body as Record<string, unknown>;
  if (type !== 'Feature' && (isWhole || type !== undefined)) return refuse('A GeoJSON feature was expected.');
  if (isWhole && shape === undefined) return refuse('A feature has a member "geometry", null where it has none.');
  if (properties !== null && (typeof properties !== 'object' || Array.isArray(properties)))
    return refuse('The properties of a feature are an object.');
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(properties ?? {})) {
    const column = layer.columns.find((one) => one.name === name);
    if (column === undefined) return refuse(`There is no property "${name.slice(0, 100)}".`);
    // Whoever sends a feature back as it came sends these, too.
    if (column.generated || name === layer.primaryKey) continue;
    values[name] = value;
  }
  if (shape === undefined || shape === null) return ok({ geometry: shape, properties: values });
  const geometry = parseGeometry(shape);
  if (!geometry.ok) return refuse(`geometry: ${geometry.error.said}.`);
  if (crs.srid === 4326 && !crs.isNorthFirst && !isOnEarth(geometry.value))
    return refuse('geometry: a position lies beyond the poles.');
  return ok({ geometry: geometry.value, properties: values });
}

/** One row with the new id, one cell. */
export function insertStatement(layer: VectorLayer, sent: Sent, crs: KnownCrs): Statement {
  const set = assignments(layer, sent, crs);
  const columns = [...set.keys()].map(quoteIdent);
  const into = `insert into ${tableOf(layer)}`;
  const values =
    columns.length === 0
      ? 'default values'
      : `(${columns.join(', ')}) select ${[...set.values()].join(', ')} from ${source(layer)}`;
  return {
    text: `${into} ${values} returning ${quoteIdent(layer.primaryKey)}`,
    params: columns.length === 0 ? [] : [JSON.stringify(sent.properties)],
  };
}

/** One row with the id where there is such a feature. What is not sent becomes what it would be in a new one. */
export function replaceStatement(layer: VectorLayer, target: Target, sent: Sent, crs: KnownCrs): Statement {
  const whole: Record<string, unknown> = Object.create(null);
  for (const column of writable(layer))
    if (column.name in sent.properties) whole[column.name] = sent.properties[column.name];
  const set = assignments(layer, { ...sent, properties: whole }, crs);
  for (const { name } of writable(layer)) if (!set.has(name)) set.set(name, 'default');
  return updateText(layer, target, set, whole);
}

/** Only what is sent is changed. */
export function updateStatement(layer: VectorLayer, target: Target, sent: Sent, crs: KnownCrs): Statement {
  return updateText(layer, target, assignments(layer, sent, crs), sent.properties);
}

export function deleteStatement(layer: VectorLayer, target: Target): Statement {
  return {
    text: `delete from ${tableOf(layer)} as f where ${isMeant(layer, target)} returning ${keySql(layer)}`,
    params: [],
  };
}

function isMeant(layer: VectorLayer, { id, condition }: Target): string {
  const key = `${keySql(layer)} = ${quoteLiteral(id).trim()}`;
  return condition === undefined ? key : `${key} and ${condition}`;
}

function writable({ columns, primaryKey }: VectorLayer): readonly LayerColumn[] {
  return columns.filter(({ name, generated }) => !generated && name !== primaryKey);
}

/** The values that were sent, in the types of the columns. */
function source(layer: VectorLayer): string {
  return `jsonb_populate_record(null::${tableOf(layer)}, $1::jsonb) as v`;
}

function updateText(
  layer: VectorLayer,
  target: Target,
  set: ReadonlyMap<string, string>,
  properties: Readonly<Record<string, unknown>>,
): Statement {
  const changes = [...set].map(([name, value]) => `${quoteIdent(name)} = ${value}`);
  // Nothing is to be changed, but whether it could be is asked all the same.
  if (changes.length === 0)
    changes.push(`${quoteIdent(layer.geometry.column)} = f.${quoteIdent(layer.geometry.column)}`);
  return {
    text: `update ${tableOf(layer)} as f set ${changes.join(', ')} from ${source(layer)} where ${isMeant(layer, target)} returning ${keySql(layer)}`,
    params: [JSON.stringify(properties)],
  };
}

function assignments(layer: VectorLayer, { geometry, properties }: Sent, crs: KnownCrs): Map<string, string> {
  const set = new Map<string, string>();
  for (const name of Object.keys(properties)) set.set(name, `v.${quoteIdent(name)}`);
  if (geometry !== undefined)
    set.set(layer.geometry.column, geometry === null ? 'null' : storedGeometry(geometry, layer, crs));
  return set;
}

/** As the column wants it: in its system, with its dimensions, in its Multi form. */
function storedGeometry(geometry: GeoGeometry, layer: VectorLayer, crs: KnownCrs): string {
  const gis = gisOf(layer);
  const { type } = layer.geometry;
  const read = `${gis('st_geomfromgeojson')}(${quoteLiteral(JSON.stringify(plainGeometry(geometry))).trim()})`;
  const turned = crs.isNorthFirst ? `${gis('st_flipcoordinates')}(${read})` : read;
  const placed = `${gis('st_setsrid')}(${turned}, ${crs.srid})`;
  const moved = crs.srid === layer.srid ? placed : `${gis('st_transform')}(${placed}, ${layer.srid})`;
  const hasZ = /Z(?:M)?$/.test(type);
  const hasM = /M$/.test(type);
  const force = hasZ && hasM ? 'st_force4d' : hasZ ? 'st_force3dz' : hasM ? 'st_force3dm' : 'st_force2d';
  const shaped = type.startsWith('Geometry') && type !== 'GeometryCollection' ? moved : `${gis(force)}(${moved})`;
  return type.startsWith('Multi') ? `${gis('st_multi')}(${shaped})` : shaped;
}
