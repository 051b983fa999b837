// What is selected of each feature for the text formats: GeoJSON, CSV, KML, GML. Pure.

import type { LayerColumn } from '../../layer-ports/layer.ts';
import { ident, join, sql } from '../../sql/index.ts';
import { columnClass } from '../columns/column-class.ts';
import {
  ALL_DIGITS,
  type FeatureQuery,
  featureJson,
  fromSql,
  geometryOut,
  headingOf,
  propertiesJson,
} from './feature-query.ts';
import { columnOf, geometryOf, gisOf, keyOf } from './layer-sql.ts';
import { type Sql, text, whole } from './value.ts';

/** One cell: the feature. */
export function jsonSelect(query: FeatureQuery): Sql {
  return sql`select ${featureJson(query)} ${fromSql(query)}`;
}

/** The key as text, and the feature. */
export function keyedJsonSelect(query: FeatureQuery): Sql {
  return sql`select ${keyOf(query.layer)}::text, ${featureJson(query)} ${fromSql(query)}`;
}

/** One cell: the row as an object, its key first. */
export function rowJsonSelect(query: FeatureQuery): Sql {
  return sql`select ${propertiesJson(withKey(query), false)} ${fromSql(query)}`;
}

/** As texts: the key and the columns; times in the form of ISO 8601. */
export function rowTextSelect(query: FeatureQuery): Sql {
  return textsOf(query, withKey(query).map(isoValue));
}

/** The same, and a place of each feature: its point, or one that lies in it. */
export function placedTextSelect(query: FeatureQuery): Sql {
  const { geometry } = query.layer;
  const gis = gisOf(query.layer);
  const placed = geometryOut(query);
  const place = geometry.type === 'Point' ? placed : sql`${gis('st_pointonsurface')}(${placed})`;
  const degrees = [sql`${gis('st_x')}(${place})`, sql`${gis('st_y')}(${place})`];
  return textsOf(query, [...withKey(query).map(isoValue), ...degrees]);
}

/** As texts that a column's type is read from: moments in one form whatever the role has set, and the geometry in hex. */
export function columnarSelect(query: FeatureQuery): Sql {
  const columns = withKey(query).map((column) =>
    columnClass(column.type) === 'time' ? sql`translate(${isoValue(column)}, 'T', ' ')` : columnOf(column.name),
  );
  return textsOf(query, query.hasGeometry ? [...columns, geometryOut(query)] : columns);
}

/** The columns that a table is downloaded with. */
export function withKey({ layer, columns }: FeatureQuery): readonly LayerColumn[] {
  return [...layer.columns.filter(({ name }) => name === layer.primaryKey), ...columns];
}

function isoValue({ name, type }: LayerColumn): Sql {
  const column = columnOf(name);
  return columnClass(type) === 'time' ? sql`to_json(${column})#>>'{}'` : column;
}

/** Whether it has no geometry, and the feature; for GDAL, which is told the types of columns apart from it. */
export function placedJsonSelect(query: FeatureQuery): Sql {
  const { geometry } = query.layer;
  const isPlaceless = geometry.nullable ? sql<never>`${geometryOf(query.layer)} is null` : sql<never>`false`;
  return sql`select ${isPlaceless}, ${featureJson(query, true)} ${fromSql(query)}`;
}

/**
 * The key, the columns, and the geometry as well-known text, by their names. `guardsFormulas`: what a spreadsheet would run as a
 * formula is text for it, by an apostrophe before it.
 */
export function csvSelect(query: FeatureQuery, guardsFormulas: boolean): Sql {
  const { layer, columns, hasGeometry } = query;
  const taken = new Set([layer.primaryKey, ...columns.map(headingOf)]);
  let name = 'wkt';
  while (taken.has(name)) name = `_${name}`;
  const key = layer.columns.find((column) => column.name === layer.primaryKey);
  const plain: Sql[] = [keyOf(layer), ...columns.map(namedCell)];
  const guarded = (): Sql[] => [key === undefined ? keyOf(layer) : guardedCell(key), ...columns.map(guardedCell)];
  const selected: Sql[] = guardsFormulas ? guarded() : plain;
  if (hasGeometry)
    selected.push(sql`${gisOf(layer)('st_astext')}(${geometryOut(query)}, ${digitsOf(query)}) as ${ident(name)}`);
  return sql`select ${join(selected)} ${fromSql(query)}`;
}

const namedCell = (column: LayerColumn): Sql =>
  column.heading === undefined ? columnOf(column.name) : sql`${columnOf(column.name)} as ${ident(column.heading)}`;

/** Numbers, dates and the like are no formulas, even where they begin like one; nor is a number that stands in a text. */
function guardedCell(column: LayerColumn): Sql {
  const { name, type } = column;
  const title = headingOf(column);
  const heading = ident(/^[=+@\t\r-]/.test(title) ? `'${title}` : title);
  const cell = columnOf(name);
  if (columnClass(type) !== 'text' || /^(?:interval|money)\b/.test(type)) return sql`${cell} as ${heading}`;
  return sql`case when ${cell}::text ~ '^[=+@\\t\\r-]' and ${cell}::text !~ '^[+-][0-9]+([.][0-9]+)?$'
    then '''' || ${cell}::text else ${cell}::text end as ${heading}`;
}

function digitsOf({ isExact = false }: FeatureQuery): Sql {
  return isExact ? whole(ALL_DIGITS) : sql<never>`9`;
}

/** As texts: the key, the geometry in KML, the columns. */
export function kmlSelect(query: FeatureQuery): Sql {
  const { layer, columns } = query;
  const geometry = sql`${gisOf(layer)('st_askml')}(${geometryOut(query)}, ${digitsOf(query)})`;
  return textsOf(query, [keyOf(layer), geometry, ...columns.map(({ name }) => columnOf(name))]);
}

export type GmlForm = {
  readonly version: 2 | 3;
  /** `urn:ogc:def:crs:EPSG::4326`, not `EPSG:4326`. */
  readonly isLongName: boolean;
};

/** Stands where each geometry, and each member of one, has its id in GML 3; whoever writes it knows the feature's. */
export const GML_ID = '.';

/** As texts: the key, the geometry in GML, the columns. */
export function gmlSelect(query: FeatureQuery, { version, isLongName }: GmlForm): Sql {
  const { layer, columns, crs } = query;
  const digits = crs.srid === 4326 ? 9 : 4;
  // 1: the long name of the system; 4: LineString, which clients know better than Curve.
  const options = (isLongName ? 1 : 0) + (version === 3 ? 4 : 0);
  const key = keyOf(layer);
  const id = version === 3 ? text(GML_ID) : sql<never>`null`;
  const geometry = sql`${gisOf(layer)('st_asgml')}(${whole(version)}, ${geometryOut(query)}, ${whole(digits)}, ${whole(options)}, 'gml', ${id})`;
  return textsOf(query, [key, geometry, ...columns.map(gmlValue)]);
}

function gmlValue({ name, type }: LayerColumn): Sql {
  const column = columnOf(name);
  switch (columnClass(type)) {
    case 'time':
      return sql`to_json(${column})#>>'{}'`;
    case 'bytes':
      return sql`upper(encode(${column}, 'hex'))`;
    case 'json':
      return sql`to_json(${column})`;
    default:
      return column;
  }
}

function textsOf(query: FeatureQuery, cells: readonly Sql[]): Sql {
  return sql`select ${join(cells.map((cell) => sql`(${cell})::text`))} ${fromSql(query)}`;
}
