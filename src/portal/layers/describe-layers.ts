// Ids of layers → what the map services are told of them, in one statement that runs as the caller. Layers without data
// behind them, and tables without a key of one column or without a geometry, are none to the map services.

import { parseColumnFormat } from '../../geo/presentation/column-format.ts';
import type { Bbox, GeometryKind, Layer, LayerColumn, LayerTable } from '../../layer-ports/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { type OverviewRow, overviewOf } from './overview-store.ts';

/** As `portal.layer_stamp` tells it. */
export type LayerStamp = {
  readonly id: number;
  readonly data: string;
  readonly look: string;
  readonly described: string;
  readonly ownRules: boolean;
  readonly cacheable: boolean;
};

/** What the statement selects, one per row. */
export type LayerRow = {
  readonly id: number;
  readonly name: string;
  readonly alternate: string;
  readonly title: string;
  readonly abstract: string;
  readonly attribution: string | null;
  readonly crs: string;
  readonly hasTime: boolean;
  readonly start: string | null;
  readonly end: string | null;
  readonly updated: string;
  readonly defaultStyle: number | null;
  readonly native: readonly (number | null)[];
  readonly wgs84: readonly (number | null)[];
  readonly styles: readonly number[];
  readonly keywords: readonly string[];
  readonly gis: string;
  readonly table: string | null;
  readonly estimatedRows: number | null;
  readonly overview: OverviewRow | null;
  readonly columns: readonly ColumnRow[] | null;
  readonly raster: {
    readonly blob: string;
    readonly bytes: number;
    readonly width: number;
    readonly height: number;
    readonly bands: readonly { readonly type: string; readonly nodata: number | null }[];
  } | null;
};

type ColumnRow = {
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  readonly hasDefault: boolean;
  readonly generated: boolean;
  readonly key: boolean;
  readonly geometry: { readonly type: string; readonly srid: number } | null;
  readonly label: string | null;
  readonly description: string | null;
  readonly look: { readonly visible: boolean; readonly place: number; readonly format: unknown } | null;
};

/** `gis`: the schema of PostGIS, already quoted. Without `offset 0` table and key would be worked out anew for every
 * column. A raster has no table, and no key is looked for there. */
export function describeStatement(ids: readonly number[], gis: string, gisName: string): Statement {
  const box = (column: string): string =>
    `json_build_array(${['xmin', 'ymin', 'xmax', 'ymax'].map((edge) => `${gis}.st_${edge}(${column})`).join(', ')})`;
  return {
    name: 'layers_describe',
    text: `
select json_build_object(
  'id', r.id, 'name', r.name, 'alternate', r.alternate, 'title', r.title, 'abstract', r.abstract, 'attribution', r.attribution,
  'crs', r.srid, 'hasTime', r.has_time, 'start', r.temporal_extent_start at time zone 'UTC',
  'end', r.temporal_extent_end at time zone 'UTC',
  'updated', to_char(r.last_updated at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'defaultStyle', r.default_style_id,
  'native', ${box('r.bbox_polygon')}, 'wgs84', ${box('r.ll_bbox_polygon')},
  'styles', array(select s.style_id from portal.layer_style s where s.resource_id = r.id order by s.style_id),
  'keywords', array(select k.name from portal.resource_keyword x join portal.keyword k on k.id = x.keyword_id
                     where x.resource_id = r.id order by k.name limit 100),
  'gis', $2::text, 'table', t.name,
  'estimatedRows', (select greatest(c.reltuples, 0) from pg_catalog.pg_class c where c.oid = to_regclass('layers.' || quote_ident(t.name))),
  'overview', portal.layer_overview(r.id),
  'columns', (
    select json_agg(json_build_object(
        'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'notNull', a.attnotnull,
        'hasDefault', a.atthasdef or a.attidentity <> '', 'generated', a.attgenerated <> '' or a.attidentity = 'a',
        'key', coalesce(a.attname = t.key, false),
        'geometry', case when y.typname = 'geometry' then json_build_object(
           'type', ${gis}.postgis_typmod_type(a.atttypmod), 'srid', ${gis}.postgis_typmod_srid(a.atttypmod)) end,
        'label', l.attribute_label, 'description', l.description,
        'look', case when l.id is not null then json_build_object('visible', l.visible, 'place', l.display_order,
           'format', portal.attribute_format(l.format, l.featureinfo_type)) end) order by a.attnum)
      from pg_catalog.pg_attribute a
      join pg_catalog.pg_type y on y.oid = a.atttypid
      left join portal.attribute l on l.resource_id = r.id and l.attribute = a.attname
     where a.attrelid = to_regclass('layers.' || quote_ident(t.name)) and a.attnum > 0 and not a.attisdropped),
  'raster', (select json_build_object('blob', p.blob, 'bytes', p.size, 'width', p.width, 'height', p.height, 'bands', p.bands)
               from portal.raster p where p.resource_id = r.id))
  from portal.resource r, lateral (select n.name, case when n.name is not null then portal.layer_key(r.id) end as key
    from (select portal.layer_table(r.id) as name offset 0) n offset 0) t
 where r.id = any ($1::integer[]) and r.resource_type = 'layer'`,
    params: [`{${ids.join(',')}}`, gisName],
  };
}

/** Undefined: not for the map services. */
export function rowToLayer(row: LayerRow, stamp: LayerStamp): Layer | undefined {
  if (row.raster !== null) {
    const { blob, bytes, width, height, bands } = row.raster;
    const published = publishedOf(row, stamp);
    return { ...published, kind: 'raster', srid: codeOf(row.crs), blob, bytes, size: [width, height], bands };
  }
  const table = rowToTable(row, stamp);
  return table?.geometry === undefined ? undefined : { ...table, geometry: table.geometry };
}

/** Undefined: there is no table behind it, or none with a key of one column. */
export function rowToTable(row: LayerRow, stamp: LayerStamp): LayerTable | undefined {
  const { table, columns } = row;
  if (table === null || columns === null) return undefined;
  const key = columns.find((column) => column.key);
  if (key === undefined) return undefined;
  const place = columns.find((column) => column.geometry !== null);
  const plain = columns.filter((column) => column.geometry === null).map(columnOf);
  return {
    ...publishedOf(row, stamp),
    kind: 'vector',
    srid: (place?.geometry?.srid ?? 0) > 0 ? (place?.geometry?.srid ?? 0) : codeOf(row.crs),
    table,
    primaryKey: key.name,
    keyType: key.type,
    geometry:
      place === undefined || place.geometry === null
        ? undefined
        : {
            column: place.name,
            kind: geometryKind(place.geometry.type),
            type: place.geometry.type,
            nullable: !place.notNull,
          },
    columns: plain,
    timeColumn: row.hasTime ? plain.find(({ type }) => isTime(type))?.name : undefined,
    ownRowRules: stamp.ownRules,
    estimatedRows: row.estimatedRows ?? 0,
    // Where callers see different rows, or changes are not noted, what was kept may be none of theirs.
    overview: stamp.cacheable && row.overview !== null ? overviewOf(row.overview) : undefined,
    gis: row.gis,
  };
}

function publishedOf(row: LayerRow, stamp: LayerStamp) {
  return {
    id: row.id,
    name: row.name,
    alternate: row.alternate,
    title: row.title,
    abstract: row.abstract,
    keywords: row.keywords,
    attribution: row.attribution,
    crs: row.crs,
    extent: extentOf(row),
    version: versionOf(stamp.data, stamp.look, schemaOf(stamp)),
    dataVersion: versionOf(stamp.data, schemaOf(stamp)),
    cacheable: stamp.cacheable,
    defaultStyle: row.defaultStyle ?? undefined,
    styles: row.styles,
    updated: row.updated,
    interval: row.start === null && row.end === null ? undefined : ([utc(row.start), utc(row.end)] as const),
  };
}

/** Of what is described, the part that is about the columns; the other is the record in the catalogue. */
function schemaOf({ described }: LayerStamp): string {
  const at = described.indexOf('/');
  return at < 0 ? '' : described.slice(at + 1);
}

/** Letters and digits only: it stands in addresses and entity tags. */
function versionOf(...parts: readonly string[]): string {
  return parts
    .map((part) => part.replace(/[^0-9A-Za-z]/g, '-'))
    .filter((part) => part !== '')
    .join('_');
}

function columnOf({ name, type, notNull, hasDefault, generated, label, description, look }: ColumnRow): LayerColumn {
  const column = { name, type, label, description, nullable: !notNull, hasDefault, generated };
  return look === null ? column : { ...column, look: { ...look, format: parseColumnFormat(look.format) } };
}

function extentOf({ native, wgs84 }: LayerRow): Layer['extent'] {
  const box = (edges: readonly (number | null)[]): Bbox | undefined => {
    const [xmin, ymin, xmax, ymax] = edges;
    if (typeof xmin !== 'number' || typeof ymin !== 'number') return undefined;
    return typeof xmax === 'number' && typeof ymax === 'number' ? [xmin, ymin, xmax, ymax] : undefined;
  };
  const [stored, geographic] = [box(native), box(wgs84)];
  if (geographic === undefined) return undefined;
  return { native: stored ?? geographic, wgs84: geographic };
}

/** `EPSG:25832` → 25832; the catalogue's systems without a code have the number of PostGIS. */
function codeOf(crs: string): number {
  return Number(crs.slice(crs.indexOf(':') + 1));
}

function geometryKind(type: string): GeometryKind {
  const plain = type.replace(/(?:ZM|Z|M)$/, '');
  switch (plain) {
    case 'Point':
    case 'MultiPoint':
      return 'point';
    case 'LineString':
    case 'MultiLineString':
    case 'CircularString':
    case 'CompoundCurve':
    case 'MultiCurve':
      return 'line';
    case 'Polygon':
    case 'MultiPolygon':
    case 'CurvePolygon':
    case 'MultiSurface':
      return 'polygon';
    default:
      return 'mixed';
  }
}

function isTime(type: string): boolean {
  return /^(?:date$|timestamp)/.test(type);
}

function utc(moment: string | null): string | null {
  return moment === null ? null : `${moment.replace(/(?:\.0+)?$/, '')}Z`;
}
