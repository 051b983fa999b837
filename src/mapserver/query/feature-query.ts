// A feature query: which features of a layer are asked for, and in what form. What every service that hands out features becomes before it
// becomes SQL. Conditions are SQL already (filter-sql.ts, and below), made of checked parts.

import { type Box, fromMercator, meeting, turnsOf } from '../../geo/bbox.ts';
import type { When } from '../../geo/cql/cql.ts';
import type { LayerColumn, VectorLayer } from '../../layer-ports/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { empty, ident, join, literal, sql, where } from '../../sql/index.ts';
import { columnClass } from '../columns/column-class.ts';
import { timeColumnsOf } from '../columns/time-columns.ts';
import { envelope, inDegrees, transformed } from './box-sql.ts';
import { boundsOf } from './filter-sql.ts';
import type { KnownCrs } from './known-crs.ts';
import { columnOf, geometryOf, gisOf, keyOf, overlaps, tableOf } from './layer-sql.ts';
import { meetsSpan } from './time-sql.ts';
import { list, type Sql, toStatement, value, whole } from './value.ts';

export type SortKey = { readonly column: string; readonly isDown: boolean };

export type FeatureQuery = {
  readonly layer: VectorLayer;
  /** Without the key. */
  readonly columns: readonly LayerColumn[];
  readonly crs: KnownCrs;
  readonly hasGeometry: boolean;
  /** Coordinates with all the digits that they have, for files; else as many as a map can show. */
  readonly isExact?: boolean;
  /** Conditions on the row `f`. */
  readonly conditions: readonly Sql[];
  /** Besides the key, which always comes last. */
  readonly order: readonly SortKey[];
  /** All of them are wanted, in whatever order: several processes of the database can work on them. */
  readonly isAnyOrder: boolean;
  readonly limit: number | undefined;
  readonly offset: number;
  /** Only what comes behind this key; for queries in the order of the key. */
  readonly after: string | undefined;
};

/** All of it, as it is stored. */
export function wholeLayer(layer: VectorLayer, crs: KnownCrs): FeatureQuery {
  return {
    layer,
    columns: propertiesOf(layer),
    crs,
    hasGeometry: true,
    conditions: [],
    order: [],
    isAnyOrder: false,
    limit: undefined,
    offset: 0,
    after: undefined,
  };
}

/** The key is the feature's id, and not among its properties. */
export function propertiesOf({ columns, primaryKey }: VectorLayer): readonly LayerColumn[] {
  return columns.filter(({ name }) => name !== primaryKey);
}

/** In the system that was asked for, its axes in the order that was asked for. */
export function geometryOut({ layer, crs }: Pick<FeatureQuery, 'layer' | 'crs'>): Sql {
  const placed = transformed(layer, geometryOf(layer), crs.srid);
  return crs.isNorthFirst ? sql`${gisOf(layer)('st_flipcoordinates')}(${placed})` : placed;
}

/** What it is called in what is made of it. */
export const headingOf = ({ name, heading }: Pick<LayerColumn, 'name' | 'heading'>): string => heading ?? name;

/** `from … where … order by … limit …`, for whatever is selected of the row `f`. `more`: rows beyond the limit. */
export function fromSql(query: FeatureQuery, more = 0): Sql {
  const { layer, order, isAnyOrder, limit, offset, conditions, after } = query;
  const all = after === undefined ? conditions : [...conditions, sql`${keyOf(layer)} > ${value(after)}`];
  const rows = sql`from ${tableOf(layer)} as f${where(all)}`;
  if (isAnyOrder) return rows;
  const sorting = join<never>([
    ...order.map(({ column, isDown }) =>
      isDown ? sql<never>`${columnOf(column)} desc nulls last` : sql<never>`${columnOf(column)}`,
    ),
    keyOf(layer),
  ]);
  const upTo = limit === undefined ? empty : sql` limit ${whole(limit + more)}`;
  const skipped = offset === 0 ? empty : sql` offset ${whole(offset)}`;
  return sql`${rows} order by ${sorting}${upTo}${skipped}`;
}

/** Of its rows in the order of the key, those up to this one. */
export function boundedBy(query: FeatureQuery, key: string): FeatureQuery {
  const bound = sql`${keyOf(query.layer)} <= ${value(key)}`;
  return { ...query, conditions: [...query.conditions, bound], limit: undefined };
}

/** The key of the row at this place, as text; no row: there are not so many. */
export function keyAt(query: FeatureQuery, place: number): Statement {
  const one = { ...query, order: [], isAnyOrder: false, limit: 1, offset: place };
  return toStatement(sql`select ${keyOf(query.layer)}::text ${fromSql(one)}`);
}

/** One row, one cell: how many there are, whatever the page is. */
export function countStatement({ layer, conditions }: FeatureQuery): Statement {
  return toStatement(sql`select count(*) from ${tableOf(layer)} as f${where(conditions)}`);
}

/** So many features are few: their order costs nothing. */
export const FEW = 5000;

/** Pairs that one function call can have. */
const MAX_PAIRS = 50;

/**
 * `hasJsonText`: JSON stands in texts, for readers who would guess at the types of what is in it, and binary is hexadecimal, whatever
 * `bytea_output` says.
 */
export function propertiesJson(columns: readonly LayerColumn[], hasJsonText: boolean): Sql {
  if (columns.length === 0) return sql`'{}'`;
  const cellOf = ({ name, type }: LayerColumn): Sql => {
    const column = columnOf(name);
    if (!hasJsonText) return column;
    switch (columnClass(type)) {
      case 'json':
        return sql`to_json(${column})::text`;
      case 'bytes':
        return sql`${literal('\\x')} || encode(${column}, 'hex')`;
      default:
        return column;
    }
  };
  // The second form has no end of columns, but keeps the database from working in several processes. Names are the layer's, and written
  // as literals: the text is the same for all requests.
  return columns.length <= MAX_PAIRS
    ? sql`json_build_object(${join(columns.map((column) => sql`${literal(headingOf(column))}, ${cellOf(column)}`))})::text`
    : sql`(select row_to_json(p) from (select ${join(columns.map((column) => sql`${cellOf(column)} as ${ident(headingOf(column))}`))}) p)::text`;
}

const NO_GEOMETRY: Sql = sql`'null'`;

/** Behind the point: more than any double that is a coordinate has. */
export const ALL_DIGITS = 20;

/** GeoJSON of a feature, in one column. */
export function featureJson(query: FeatureQuery, hasJsonText = false): Sql {
  const { layer, columns, hasGeometry, crs, isExact = false } = query;
  const shown = crs.srid === 3857 || (crs.srid === layer.srid && crs.srid !== 4326) ? 4 : 9;
  const digits = isExact ? ALL_DIGITS : shown;
  const geometry = hasGeometry
    ? sql`coalesce(${gisOf(layer)('st_asgeojson')}(${geometryOut(query)}, ${whole(digits)}, 0), 'null')`
    : NO_GEOMETRY;
  return sql`'{"type":"Feature","id":' || to_json(${keyOf(layer)})::text || ',"geometry":' || ${geometry} || ',"properties":' || ${propertiesJson(columns, hasJsonText)} || '}'`;
}

/** A row per feature, one cell: its GeoJSON. */
export function featuresStatement(query: FeatureQuery, more = 0): Statement {
  return toStatement(sql`select ${featureJson(query)} ${fromSql(query, more)}`);
}

/** A box in one of the systems of the layer. It may run over the edge of the world, from east to west. */
export function boxCondition(layer: VectorLayer, box: Box, crs: KnownCrs): Sql {
  const [a, b, c, d] = box;
  const straight: Box = crs.isNorthFirst ? [b, a, d, c] : box;
  const touching = (shape: Sql): Sql => touches(layer, shape);
  if (crs.srid === layer.srid && crs.srid !== 4326) return touching(envelope(layer, straight, layer.srid));
  const degrees = crs.srid === 4326 ? straight : fromMercator(straight);
  const [first, ...others] = turnsOf(degrees);
  // Most layers stay within −180…180, and have nothing to be looked for beyond.
  const also = others.filter(
    (turn) => (turn[2] > -180 && turn[0] < 180) || meeting(turn, layer.extent?.wgs84) !== undefined,
  );
  const inTurn = (turn: Box): Sql => inDegrees(layer, turn, touching);
  return also.length === 0 ? inTurn(first) : sql`(${join([first, ...also].map(inTurn), ' or ')})`;
}

/** The box of a feature is looked up; whether it is really there, its geometry says. */
function touches(layer: VectorLayer, shape: Sql): Sql {
  const column = geometryOf(layer);
  return sql`(${overlaps(layer, column, shape)} and ${gisOf(layer)('st_intersects')}(${column}, ${shape}))`;
}

/**
 * Features of a time. Which of several columns of dates is meant the parameter cannot say: any of them will do, so that no feature is
 * missing. Undefined: the layer does not say when its features are.
 */
export function timeCondition(layer: VectorLayer, when: When): Sql | undefined {
  const columns = timeColumnsOf(layer);
  const { from, to } = boundsOf(when);
  if (columns.length === 0) return undefined;
  return sql`(${join(
    columns.map((column) => meetsSpan(column, from, to)),
    ' or ',
  )})`;
}

/** Can a feature of the layer have this id? The database would complain of one that its type has no place for. */
function canBeKey({ keyType }: Pick<VectorLayer, 'keyType'>, id: string): boolean {
  if (id.includes('\0')) return false;
  if (columnClass(keyType) === 'integer' && !/^-?\d{1,18}$/.test(id)) return false;
  if (keyType === 'integer' && Math.abs(Number(id)) > 2_147_483_647) return false;
  if (keyType === 'smallint' && Math.abs(Number(id)) > 32_767) return false;
  return keyType !== 'uuid' || /^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(id);
}

/** The feature with this id. Undefined: no feature can have it. */
export function keyCondition(layer: VectorLayer, id: string): Sql | undefined {
  return canBeKey(layer, id) ? sql`${keyOf(layer)} = ${value(id)}` : undefined;
}

/** The features with these ids, found by the index of the key. */
export function keysCondition(layer: VectorLayer, ids: readonly string[]): Sql {
  const possible = ids.filter((id) => canBeKey(layer, id));
  return possible.length === 0 ? sql`false` : sql`${keyOf(layer)} = any(${list(possible)})`;
}

/** Is there a feature with this key that the caller sees? */
export function presenceStatement(layer: VectorLayer, key: Sql): Statement {
  return toStatement(sql`select ${keyOf(layer)} from ${tableOf(layer)} as f where ${key}`);
}
