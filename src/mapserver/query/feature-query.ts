// Which features of a layer are asked for, and in what form: what every service that hands out features becomes before it becomes
// SQL. Conditions are SQL already (cql-sql.ts, and below), made of checked parts.

import { type Box, fromMercator, meeting, toMercator } from '../../geo/bbox.ts';
import type { When } from '../../geo/cql/cql.ts';
import type { LayerColumn, VectorLayer } from '../../layers/layer.ts';
import { quoteIdent, quoteLiteral } from '../../sql/index.ts';
import { timeColumnsOf } from '../layers/time-columns.ts';
import { boundsOf } from './filter-sql.ts';
import type { KnownCrs } from './known-crs.ts';
import { gisOf, overlaps, tableOf } from './layer-sql.ts';
import { meetsSpan } from './time-sql.ts';

export type SortKey = { readonly column: string; readonly isDown: boolean };

export type FeatureQuery = {
  readonly layer: VectorLayer;
  /** Without the key. */
  readonly columns: readonly LayerColumn[];
  readonly crs: KnownCrs;
  readonly hasGeometry: boolean;
  /** Conditions on the row `f`. */
  readonly conditions: readonly string[];
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

export function keySql({ primaryKey }: VectorLayer): string {
  return `f.${quoteIdent(primaryKey)}`;
}

/** In the system that was asked for, its axes in the order that was asked for. */
export function geometryOut({ layer, crs }: Pick<FeatureQuery, 'layer' | 'crs'>): string {
  const gis = gisOf(layer);
  const column = `f.${quoteIdent(layer.geometry.column)}`;
  const placed = crs.srid === layer.srid ? column : `${gis('st_transform')}(${column}, ${crs.srid})`;
  return crs.isNorthFirst ? `${gis('st_flipcoordinates')}(${placed})` : placed;
}

/** `from … where … order by … limit …`, for whatever is selected of the row `f`. `more`: rows beyond the limit. */
export function fromSql(query: FeatureQuery, more = 0): string {
  const { layer, order, isAnyOrder, limit, offset } = query;
  if (isAnyOrder) return `from ${tableOf(layer)} as f${whereSql(query)}`;
  const sorting = [
    ...order.map(({ column, isDown }) => `f.${quoteIdent(column)}${isDown ? ' desc nulls last' : ''}`),
    keySql(layer),
  ];
  const page = `${limit === undefined ? '' : ` limit ${limit + more}`}${offset === 0 ? '' : ` offset ${offset}`}`;
  return `from ${tableOf(layer)} as f${whereSql(query)} order by ${sorting.join(', ')}${page}`;
}

export function countSql(query: FeatureQuery): string {
  return `select count(*) from ${tableOf(query.layer)} as f${whereSql({ ...query, after: undefined })}`;
}

function whereSql({ layer, conditions, after }: FeatureQuery): string {
  const all = after === undefined ? conditions : [...conditions, `${keySql(layer)} > ${quoteLiteral(after).trim()}`];
  return all.length === 0 ? '' : ` where ${all.join(' and ')}`;
}

/** So many features are few: their order costs nothing. */
export const FEW = 5000;

/** Pairs that one function call can have. */
const MAX_PAIRS = 50;

function propertiesJson(columns: readonly LayerColumn[]): string {
  if (columns.length === 0) return `'{}'`;
  const names = columns.map(({ name }) => `f.${quoteIdent(name)}`);
  // The second form has no end of columns, but keeps the database from working in several processes.
  return columns.length <= MAX_PAIRS
    ? `json_build_object(${columns.map(({ name }, i) => `${quoteLiteral(name).trim()}, ${names[i]}`).join(', ')})::text`
    : `(select row_to_json(p) from (select ${names.join(', ')}) p)::text`;
}

/** GeoJSON of a feature, in one column. */
export function featureJson(query: FeatureQuery): string {
  const { layer, columns, hasGeometry, crs } = query;
  const digits = crs.srid === 3857 || (crs.srid === layer.srid && crs.srid !== 4326) ? 4 : 9;
  const geometry = hasGeometry
    ? `coalesce(${gisOf(layer)('st_asgeojson')}(${geometryOut(query)}, ${digits}, 0), 'null')`
    : `'null'`;
  const properties = propertiesJson(columns);
  return `'{"type":"Feature","id":' || to_json(${keySql(layer)})::text || ',"geometry":' || ${geometry} || ',"properties":' || ${properties} || '}'`;
}

/** A box in one of the systems of the layer. It may run over the edge of the world, from east to west. */
export function boxCondition(layer: VectorLayer, box: Box, crs: KnownCrs): string {
  const [a, b, c, d] = box;
  const straight: Box = crs.isNorthFirst ? [b, a, d, c] : box;
  if (crs.srid === layer.srid && crs.srid !== 4326) return inBox(layer, straight);
  const degrees = crs.srid === 4326 ? straight : fromMercator(straight);
  const [west, south, east, north] = degrees;
  if (west <= east) return degreesCondition(layer, degrees);
  const halves: readonly Box[] = [
    [west, south, 180, north],
    [-180, south, east, north],
  ];
  return `(${halves.map((half) => degreesCondition(layer, half)).join(' or ')})`;
}

function degreesCondition(layer: VectorLayer, degrees: Box): string {
  if (layer.srid === 4326) return inBox(layer, degrees);
  if (layer.srid === 3857) return inBox(layer, toMercator(degrees));
  const box = meeting(degrees, layer.extent?.wgs84);
  if (box === undefined) return 'false';
  const column = `f.${quoteIdent(layer.geometry.column)}`;
  if (box === 'everything') return `${column} is not null`;
  const gis = gisOf(layer);
  const step = Math.max(box[2] - box[0], box[3] - box[1], 1e-9) / 8;
  return touches(
    layer,
    `${gis('st_transform')}(${gis('st_segmentize')}(${gis('st_makeenvelope')}(${box.join(', ')}, 4326), ${step}), ${layer.srid})`,
  );
}

function inBox(layer: VectorLayer, box: Box): string {
  return touches(layer, `${gisOf(layer)('st_makeenvelope')}(${box.join(', ')}, ${layer.srid})`);
}

/** The box of a feature is looked up; whether it is really there, its geometry says. */
function touches(layer: VectorLayer, shape: string): string {
  const column = `f.${quoteIdent(layer.geometry.column)}`;
  return `(${overlaps(layer, column, shape)} and ${gisOf(layer)('st_intersects')}(${column}, ${shape}))`;
}

/**
 * Features of a time. Which of several columns of dates is meant the parameter cannot say: any of them will do, so that no feature is
 * missing. Undefined: the layer does not say when its features are.
 */
export function timeCondition(layer: VectorLayer, when: When): string | undefined {
  const columns = timeColumnsOf(layer);
  const { from, to } = boundsOf(when);
  return columns.length === 0 ? undefined : `(${columns.map((column) => meetsSpan(column, from, to)).join(' or ')})`;
}
