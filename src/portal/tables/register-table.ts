// A table or view of the database registered as a layer: a record of the catalogue, and a view in `layers` that shows its rows to whoever may see
// the layer. Nothing is copied; the view is only read. Who may register, and what can be, the database says.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Extent, Staged, StagedColumn, StagedPlainTable, StagedTable } from '../../layer-ports/staged.ts';
import type { Session } from '../../pg/driver.ts';
import { quoteIdent, quoteLiteral } from '../../sql/index.ts';
import { describeLayer } from '../uploads/publish/describe-layer.ts';
import { insertRecord } from '../uploads/publish/insert-record.ts';
import { freeTableName } from '../uploads/publish/move-table.ts';
import { execute, type PublishError } from '../uploads/publish/publication.ts';
import { publishing } from '../uploads/publish/publish.ts';
import { AS_LOGIN, asCaller } from '../uploads/service-scope.ts';
import { statement } from '../uploads/service-transaction.ts';
import { layerName } from '../uploads/upload-order.ts';
import type { Registration } from './registration.ts';

/** The id of the layer, or why it is none. */
export function registerTable(
  db: CallerDb,
  caller: Caller,
  wanted: Registration,
): Promise<Result<number, PublishError>> {
  return publishing(db, (session) => registerIn(session, caller, wanted));
}

type Source = {
  readonly fault: string | null;
  readonly key: string | null;
  readonly comment: string | null;
  readonly columns: readonly {
    readonly name: string;
    readonly label: string;
    readonly type: string;
    readonly geometry: boolean;
  }[];
};

async function registerIn(
  session: Session,
  caller: Caller,
  wanted: Registration,
): Promise<Result<number, PublishError>> {
  const read = await execute(session, [
    asCaller(caller),
    statement('select portal.database_table($1, $2)', wanted.schema, wanted.table),
  ]);
  if (!read.ok) return read;
  const source = JSON.parse(read.value[1]?.[0]?.[0] ?? 'null') as Source;
  if (source.fault !== null) return unfit(source.fault);
  const key = wanted.key ?? source.key;
  if (key === null)
    return unfit('It has no primary key of one column: say which column names its rows, one value for each (key).');
  if (!source.columns.some(({ name, geometry }) => name === key && !geometry))
    return unfit(`It has no column "${key}" that could name its rows.`);
  const from = `${quoteIdent(wanted.schema)}.${quoteIdent(wanted.table)}`;
  if (key !== source.key) {
    const unique = await isUnique(session, from, key);
    if (!unique.ok) return unique;
    if (!unique.value)
      return unfit(`Values of "${key}" are missing or stand in several rows: choose a column that names each row.`);
  }
  const layer = await stagedOf(session, from, key, source);
  if (!layer.ok) return layer;
  const title = wanted.title ?? source.comment ?? wanted.table;
  const wishes = {
    name: layerName(wanted.table.replaceAll('.', '_')),
    session: { layer_title: title, layer_abstract: wanted.abstract, permissions: wanted.permissions },
  };
  const staged: Staged = {
    format: '',
    file: wanted.table,
    charset: 'UTF-8',
    layers: [layer.value],
    warnings: [],
    style: undefined,
    metadata: undefined,
  };
  const record = await insertRecord(session, caller, wishes, staged, layer.value);
  if (!record.ok) return record;
  const { id, name } = record.value;
  const free = await freeTableName(session, name);
  if (!free.ok) return free;
  const view = `layers.${quoteIdent(free.value)}`;
  const shown = source.columns.map((column) => quoteIdent(column.name)).join(', ');
  const made = await execute(session, [
    AS_LOGIN,
    // Asked once for a statement, before a row is read.
    statement(
      `create view ${view} as select ${shown} from ${from} where (select portal.may(${id}, 'view_resourcebase'))`,
    ),
    statement(`comment on view ${view} is ${quoteLiteral(record.value.title)}`),
    ...source.columns
      .filter((column) => column.label !== column.name)
      .map((column) =>
        statement(`comment on column ${view}.${quoteIdent(column.name)} is ${quoteLiteral(column.label)}`),
      ),
    statement(`revoke all on ${view} from public`),
    statement(`grant select on ${view} to survest_anon, survest_user, survest_admin`),
    statement(
      'select portal.bind_registered_view($1::regclass, $2, $3, $4, $5)',
      view,
      String(id),
      wanted.schema,
      wanted.table,
      key,
    ),
  ]);
  if (!made.ok) return made;
  const described = await describeLayer(session, caller, wishes, staged, layer.value, record.value);
  return described.ok ? ok(id) : described;
}

function unfit(said: string): Result<never, PublishError> {
  return err({ kind: 'does-not-fit', said });
}

async function isUnique(session: Session, from: string, key: string): Promise<Result<boolean, PublishError>> {
  const column = quoteIdent(key);
  const asked = await execute(session, [
    AS_LOGIN,
    statement(`select exists (select from ${from} group by ${column} having count(*) > 1 or ${column} is null)`),
  ]);
  return asked.ok ? ok(asked.value[1]?.[0]?.[0] === 'f') : asked;
}

async function stagedOf(
  session: Session,
  from: string,
  key: string,
  { columns }: Source,
): Promise<Result<StagedTable | StagedPlainTable, PublishError>> {
  const shape = columns.find(({ geometry }) => geometry);
  // The key as well: it is somebody's own, and often what people know a row by.
  const plain = columns.filter(({ geometry }) => !geometry);
  const base = {
    table: '',
    title: '',
    key,
    columns: plain.map(
      ({ name, label, type }): StagedColumn => ({ name, label, type, xsd: xsdOf(type), statistics: { count: 0 } }),
    ),
  };
  const count = statement(`select count(*) from ${from}`);
  if (shape === undefined) {
    const counted = await execute(session, [AS_LOGIN, count]);
    return counted.ok ? ok({ ...base, kind: 'table', rows: Number(counted.value[1]?.[0]?.[0]) }) : counted;
  }
  const column = quoteIdent(shape.name);
  const found = await execute(session, [
    AS_LOGIN,
    count,
    statement(
      `select postgis_typmod_type(a.atttypmod), postgis_typmod_srid(a.atttypmod) from pg_attribute a
                where a.attrelid = $1::regclass and a.attname = $2`,
      from,
      shape.name,
    ),
    statement(`select st_srid(${column}) from ${from} where ${column} is not null limit 1`),
  ]);
  if (!found.ok) return found;
  const [type = 'Geometry', typed = '0'] = found.value[2]?.[0] ?? [];
  const srid = Number(typed) > 0 ? Number(typed) : Number(found.value[3]?.[0]?.[0] ?? 0);
  if (srid <= 0)
    return unfit(`The coordinate system of "${shape.name}" is not known: set one (ST_SetSRID, or UpdateGeometrySRID).`);
  const extent = await extentOf(session, from, column, srid);
  if (!extent.ok) return extent;
  const [, kind = 'Geometry', suffix = ''] = /^(.*?)(ZM|Z|M)?$/.exec(type ?? 'Geometry') ?? [];
  return ok({
    ...base,
    kind: 'vector',
    rows: Number(found.value[1]?.[0]?.[0]),
    geometry: {
      column: shape.name,
      type: {
        kind: kind as StagedTable['geometry']['type']['kind'],
        suffix: suffix as StagedTable['geometry']['type']['suffix'],
      },
      xsd: gmlOf(kind),
    },
    place: { srid, crs: `EPSG:${srid}`, extent: extent.value },
  });
}

async function extentOf(
  session: Session,
  from: string,
  column: string,
  srid: number,
): Promise<Result<StagedTable['place']['extent'], PublishError>> {
  const found = await execute(session, [
    statement(
      `select st_xmin(n), st_ymin(n), st_xmax(n), st_ymax(n), st_xmin(w), st_ymin(w), st_xmax(w), st_ymax(w)
         from (select n, st_transform(st_setsrid(st_segmentize(n::geometry, greatest(st_xmax(n) - st_xmin(n), st_ymax(n) - st_ymin(n), 1e-9) / 20), $1::integer), 4326) as w
                 from (select st_extent(${column}) as n from ${from}) e) x`,
      String(srid),
    ),
  ]);
  if (!found.ok) return found;
  const cells = found.value[0]?.[0] ?? [];
  if (cells.length < 8 || cells.some((cell) => cell === null)) return ok(undefined);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = cells.map(Number);
  const [native, wgs84]: readonly [Extent, Extent] = [
    [a, b, c, d],
    [e, f, g, h],
  ];
  return ok({ native, wgs84 });
}

const XSD: readonly (readonly [RegExp, string])[] = [
  [/^(?:smallint|integer)$/, 'xsd:int'],
  [/^bigint$/, 'xsd:long'],
  [/^numeric/, 'xsd:decimal'],
  [/^(?:real|double precision)$/, 'xsd:double'],
  [/^boolean$/, 'xsd:boolean'],
  [/^date$/, 'xsd:date'],
  [/^timestamp/, 'xsd:dateTime'],
  [/^time/, 'xsd:time'],
];

function xsdOf(type: string): string {
  return XSD.find(([pattern]) => pattern.test(type))?.[1] ?? 'xsd:string';
}

const GML: Readonly<Record<string, string>> = {
  Point: 'gml:PointPropertyType',
  MultiPoint: 'gml:MultiPointPropertyType',
  LineString: 'gml:LineStringPropertyType',
  MultiLineString: 'gml:MultiLineStringPropertyType',
  Polygon: 'gml:SurfacePropertyType',
  MultiPolygon: 'gml:MultiSurfacePropertyType',
};

function gmlOf(kind: string): string {
  return GML[kind] ?? 'gml:GeometryPropertyType';
}
