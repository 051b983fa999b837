// What a process compiles to: the columns and the coordinate system of its result, and the statements whose rows become it, each over the rows
// of one layer. Everything that a value of the caller could reach is a parameter or a column of the layer. Pure.

import type { GeometryKind, LayerColumn, RasterLayer, VectorLayer } from '../../../layer-ports/layer.ts';
import { columnNames } from '../../../sql/column-names.ts';
import { empty, ident, join, sql } from '../../../sql/index.ts';
import { type ColumnType, columnType } from '../../import/column-types.ts';
import { GEOMETRY, KEY } from '../../import/load-table.ts';
import { transformed } from '../../query/box-sql.ts';
import { propertiesOf } from '../../query/feature-query.ts';
import { columnOf, geometryOf, gisOf, overlaps, tableOf } from '../../query/layer-sql.ts';
import { type Sql, text, whole } from '../../query/value.ts';

/** A column of the result: what it is worth in a row, and what people call it. */
export type ResultColumn = {
  readonly value: Sql;
  readonly label: string;
  /** As format_type prints it. */
  readonly type: string;
};

export type Part = {
  /** Whose rows, as `f`. */
  readonly layer: VectorLayer;
  /** On `f`, besides what the layer's own rules say. */
  readonly conditions: readonly Sql[];
  /** Every row of the result needs all rows: there are no pieces to cut this into. */
  readonly isWhole: boolean;
  /** `rows`: `from … as f where …`. A row of the answer is one of the result: its columns, then its geometry. */
  readonly select: (rows: Sql) => Sql;
};

export type Recipe = {
  readonly title: string;
  /** In the order in which the parts select them; names are those of the result's table. */
  readonly columns: readonly { readonly name: string; readonly label: string; readonly type: ColumnType }[];
  readonly srid: number;
  /** Dimensions that the geometry has besides two. */
  readonly suffix: '' | 'Z' | 'M' | 'ZM';
  readonly parts: readonly Part[];
  /** Rows that are those of no layer, as the parts would select them. */
  readonly statement?: {
    /** Schema in which PostGIS stands. */
    readonly gis: string;
    readonly select: Sql;
    /** They have no places. */
    readonly isPlain: boolean;
  };
  /**
   * The places are looked up: rows come with the columns of the source, then two texts, place and country; the columns that geocoding adds come of
   * those (`FOUND_COLUMNS`), and the geometry.
   */
  readonly lookup?: 'geocoder' | 'places';
  readonly pixels?: Pixels;
};

/** What is read of a band of a raster, counted from 1. */
export type Pixels = { readonly raster: RasterLayer; readonly band: number } & (
  | {
      /** Rows come with the columns of the source, then their area in the coordinate system of the raster; columns that tell of its pixels come of it. */
      readonly kind: 'zones';
      /** The most frequent number is told, too. */
      readonly isCounted: boolean;
    }
  /** Rows are lines with their level; nothing else is read. */
  | { readonly kind: 'isolines'; readonly levels: { readonly interval: number; readonly base: number } }
);

/** Labels of columns → names of columns, none of them twice. */
function namesOf(labels: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  const unique = labels.map((label) => {
    const n = (seen.get(label) ?? 0) + 1;
    seen.set(label, n);
    return n === 1 ? label : `${label} ${n}`;
  });
  const names = columnNames(unique, [KEY, GEOMETRY]);
  return unique.map((label) => names.get(label) ?? label);
}

export function named(columns: readonly ResultColumn[]): Recipe['columns'] {
  const names = namesOf(columns.map(({ label }) => label));
  return columns.map(({ label, type }, i) => ({ name: names[i] ?? label, label, type: columnType(type) }));
}

/** `a as "x", b as "y", g as "geom"` of these columns and that geometry. */
export function selected(columns: readonly ResultColumn[], geometry: Sql): Sql {
  const names = namesOf(columns.map(({ label }) => label));
  return join([
    ...columns.map(({ value }, i) => sql`${value} as ${ident(names[i] ?? '')}`),
    sql`${geometry} as ${ident(GEOMETRY)}`,
  ]);
}

/** The columns of a layer but its key, as they are; the row is called `alias`. */
export function columnsOf(layer: VectorLayer, alias = 'f'): readonly ResultColumn[] {
  return propertiesOf(layer).map((column) => ({
    value: sql`${ident(alias, column.name)}`,
    label: column.name,
    type: column.type,
  }));
}

export function columnIn(alias: string, { name, type }: Pick<LayerColumn, 'name' | 'type'>): ResultColumn {
  return { value: sql`${ident(alias, name)}`, label: name, type };
}

/** The rows of `f` with these columns and their geometry alone: what else there is, the caller may not be allowed to read. */
export function rowsAsF(layer: VectorLayer, columns: readonly string[], rows: Sql): Sql {
  const read = [...new Set([...columns, layer.geometry.column])].map(columnOf);
  return sql`(select ${join(read)} ${rows}) as f`;
}

/**
 * `select … from rows as f … cross join lateral (geometry) r`: the geometry is worked out once for a row, and a row without one is none of the
 * result. `joined`: what stands between them.
 */
export function selectPlaced(
  layer: VectorLayer,
  columns: readonly ResultColumn[],
  rows: Sql,
  geometry: Sql,
  joined: Sql = empty,
): Sql {
  const gis = gisOf(layer);
  const names = propertiesOf(layer).map(({ name }) => name);
  return sql`select ${selected(columns, sql`r.g`)} from ${rowsAsF(layer, names, rows)}${joined} cross join lateral (select ${geometry} as g offset 0) r where r.g is not null and not ${gis('st_isempty')}(r.g)`;
}

/** Flat, and one that can be cut and joined: areas that cross themselves are mended first. */
export function sound(layer: VectorLayer, geometry: Sql): Sql {
  const gis = gisOf(layer);
  const flat = sql`${gis('st_force2d')}(${geometry})`;
  return layer.geometry.kind === 'point'
    ? flat
    : sql`(case when ${gis('st_isvalid')}(${geometry}) then ${flat} else ${gis('st_makevalid')}(${flat}) end)`;
}

const DIMENSIONS: Readonly<Record<Exclude<GeometryKind, 'mixed'>, number>> = { point: 1, line: 2, polygon: 3 };

/** What of a cut geometry is of the kind that was cut: where areas touch, there are lines and points, too. */
export function ofKind(layer: VectorLayer, kind: GeometryKind, geometry: Sql): Sql {
  if (kind === 'mixed') return geometry;
  return sql`${gisOf(layer)('st_collectionextract')}(${geometry}, ${whole(DIMENSIONS[kind])})`;
}

/** The kind of what two have in common. */
export function commonPart(a: GeometryKind, b: GeometryKind): GeometryKind {
  if (a === 'mixed' || b === 'mixed') return 'mixed';
  return DIMENSIONS[a] <= DIMENSIONS[b] ? a : b;
}

/** Of `alias`, in the coordinate system of `into`. */
export function geometryIn(into: VectorLayer, from: VectorLayer, alias: string): Sql {
  return transformed(from, sql`${ident(alias, from.geometry.column)}`, into.srid);
}

/** On the ground: distances of these are metres. */
export function onGround(layer: VectorLayer, geometry: Sql): Sql {
  return sql`${transformed(layer, geometry, 4326)}::${gisOf(layer)('geography')}`;
}

/** `from layers.… as alias where …`: the rows of another layer that may be read at all. */
export function otherRows(layer: VectorLayer, alias: string): { readonly from: Sql; readonly may: Sql } {
  return { from: sql`${tableOf(layer)} as ${ident(alias)}`, may: mayRead(layer) };
}

/** Who may only look at a layer makes no copy of it. Asked once per statement, where the rows are read. */
export function mayRead({ id }: Pick<VectorLayer, 'id'>): Sql {
  return sql`(select portal.may(${whole(id)}, ${text('download_resourcebase')}) or portal.may(${whole(id)}, ${text('change_layer_data')}))`;
}

/** Rows of `other` (as `alias`) that meet the geometry of `f`. The box is asked first, in the system of the index. */
export function meets(layer: VectorLayer, other: VectorLayer, alias: string): Sql {
  const place = sql`${ident(alias, other.geometry.column)}`;
  const here = transformed(layer, geometryOf(layer), other.srid);
  return sql`(${overlaps(layer, place, here)} and ${gisOf(layer)('st_intersects')}(${place}, ${here}))`;
}

export const COUNT = { label: 'count', type: 'bigint' } as const;
