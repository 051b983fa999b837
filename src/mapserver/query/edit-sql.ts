// Features that are sent → statements that write them: insert, replace, update, delete. The database decides who may: these run as the
// caller, under the policies of the layer's table. Pure.

import type { GeoGeometry } from '../../geo/geojson.ts';
import { writeExact } from '../../kernel/exact-numbers.ts';
import type { LayerColumn, VectorLayer } from '../../layer-ports/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { ident, join, sql } from '../../sql/index.ts';
import { geometryValue } from './geometry-sql.ts';
import type { KnownCrs } from './known-crs.ts';
import { geometryOf, gisOf, keyOf, tableOf } from './layer-sql.ts';
import { type Sql, toStatement, value } from './value.ts';

export type Sent = {
  /** Undefined: not said, for an update; null: none. */
  readonly geometry: GeoGeometry | null | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
};

/** One row with the new id, one cell. */
export function insertStatement(layer: VectorLayer, sent: Sent, crs: KnownCrs): Statement {
  const set = assignments(layer, sent, crs);
  const into = sql<never>`insert into ${tableOf(layer)}`;
  const back = sql<never>`returning ${ident(layer.primaryKey)}`;
  if (set.size === 0) return toStatement(sql`${into} default values ${back}`);
  return toStatement(
    sql`${into} (${join([...set.keys()].map((name) => ident(name)))}) select ${join([...set.values()])} from ${source(layer, sent.properties)} ${back}`,
  );
}

/** A row with the id per feature that is meant. What is not sent becomes what it would be in a new one. */
export function replaceStatement(layer: VectorLayer, meant: Sql, sent: Sent, crs: KnownCrs): Statement {
  const whole: Record<string, unknown> = Object.create(null);
  for (const column of writable(layer))
    if (column.name in sent.properties) whole[column.name] = sent.properties[column.name];
  const set = assignments(layer, { ...sent, properties: whole }, crs);
  for (const { name } of writable(layer)) if (!set.has(name)) set.set(name, sql`default`);
  return changeStatement(layer, meant, set, whole);
}

/** A row with the id per feature that is meant. Only what is sent is changed. */
export function updateStatement(layer: VectorLayer, meant: Sql, sent: Sent, crs: KnownCrs): Statement {
  return changeStatement(layer, meant, assignments(layer, sent, crs), sent.properties);
}

/** A row with the id per feature that was meant. */
export function deleteStatement(layer: VectorLayer, meant: Sql): Statement {
  return toStatement(sql`delete from ${tableOf(layer)} as f where ${meant} returning ${keyOf(layer)}`);
}

function writable({ columns, primaryKey }: VectorLayer): readonly LayerColumn[] {
  return columns.filter(({ name, generated }) => !generated && name !== primaryKey);
}

/** The values that were sent, in the types of the columns. */
function source(layer: VectorLayer, properties: Readonly<Record<string, unknown>>): Sql {
  return sql`jsonb_populate_record(null::${tableOf(layer)}, ${value(writeExact(properties))}::jsonb) as v`;
}

function changeStatement(
  layer: VectorLayer,
  meant: Sql,
  set: ReadonlyMap<string, Sql>,
  properties: Readonly<Record<string, unknown>>,
): Statement {
  const changes = [...set].map(([name, to]) => sql`${ident(name)} = ${to}`);
  // Nothing is to be changed, but whether it could be is asked all the same.
  if (changes.length === 0) changes.push(sql`${ident(layer.geometry.column)} = ${geometryOf(layer)}`);
  return toStatement(
    sql`update ${tableOf(layer)} as f set ${join(changes)} from ${source(layer, properties)} where ${meant} returning ${keyOf(layer)}`,
  );
}

function assignments(layer: VectorLayer, { geometry, properties }: Sent, crs: KnownCrs): Map<string, Sql> {
  const set = new Map<string, Sql>();
  for (const name of Object.keys(properties)) set.set(name, ident('v', name));
  if (geometry !== undefined)
    set.set(layer.geometry.column, geometry === null ? sql`null` : storedGeometry(geometry, layer, crs));
  return set;
}

/** As the column wants it: in its system, with its dimensions, in its Multi form. */
function storedGeometry(geometry: GeoGeometry, layer: VectorLayer, crs: KnownCrs): Sql {
  const gis = gisOf(layer);
  const { type } = layer.geometry;
  const placed = geometryValue(geometry, layer, crs);
  const hasZ = /Z(?:M)?$/.test(type);
  const hasM = /M$/.test(type);
  const force = hasZ && hasM ? 'st_force4d' : hasZ ? 'st_force3dz' : hasM ? 'st_force3dm' : 'st_force2d';
  const isAny = type.startsWith('Geometry') && !type.startsWith('GeometryCollection');
  const shaped = isAny ? placed : sql`${gis(force)}(${placed})`;
  return type.startsWith('Multi') ? sql`${gis('st_multi')}(${shaped})` : shaped;
}
