// A loaded table → one that is ready to be published: one geometry type where there is one, key, spatial index, statistics,
// extent in its own coordinates and in degrees.

import { err, ok, type Result } from '../../kernel/result.ts';
import type {
  Extent,
  Place,
  StagedColumn,
  StagedPlainTable,
  StagedTable,
  Statistics,
} from '../../layer-ports/staged.ts';
import type { Batch, DbError, Driver, Statement } from '../../pg/driver.ts';
import { jsonRow, textRows } from '../../pg/rows.ts';
import { quoteIdent } from '../../sql/index.ts';
import { commonKind, type GeometryType, gmlType, isNumberType, isTimeType, xsdType } from './column-types.ts';
import { GEOMETRY, KEY, type LoadedColumn, type LoadedTable } from './load-table.ts';

export type FinishError =
  | { readonly kind: 'database'; readonly error: DbError }
  /** The coordinates cannot be what they are said to be; `row` is the first that is not, counted from 1. */
  | { readonly kind: 'outside-crs'; readonly crs: string; readonly extent: string; readonly row?: number }
  | { readonly kind: 'bad-geometry'; readonly row: number; readonly said: string };

/** A table without places: key and statistics. */
export async function finishPlainTable(
  driver: Driver,
  loaded: LoadedTable,
  title: string,
): Promise<Result<StagedPlainTable, FinishError>> {
  const target = `staging.${quoteIdent(loaded.table)}`;
  const steps = [
    ...[GEOMETRY, ...loaded.ignored].map((column) => `alter table ${target} drop column ${quoteIdent(column)}`),
    `alter table ${target} add primary key (${quoteIdent(KEY)})`,
    ...nextKey(loaded, target),
    `analyze ${target}`,
  ];
  for (const step of steps) {
    const done = await driver.execute([statement(step)]);
    if (!done.ok) return err({ kind: 'database', error: done.error });
  }
  const statistics = await findStatistics(driver, target, loaded);
  if (!statistics.ok) return err({ kind: 'database', error: statistics.error });
  return ok({
    kind: 'table',
    table: loaded.table,
    title,
    key: KEY,
    columns: columnsOf(loaded, statistics.value),
    rows: loaded.rows,
  });
}

/** Where keys came with the rows, the next one is that behind the last. */
function nextKey({ keepsKeys }: LoadedTable, target: string): readonly string[] {
  if (!keepsKeys) return [];
  const sequence = `pg_get_serial_sequence('${target.replaceAll("'", "''")}', '${KEY}')`;
  return [`select setval(${sequence}, (select max(${quoteIdent(KEY)}) from ${target}))`];
}

export type Finished = { readonly table: StagedTable; readonly warnings: readonly string[] };

/** Columns whose statistics are asked for in one statement. */
const COLUMNS_AT_ONCE = 40;
/** Medians of larger tables are those of a sample. */
const MEDIAN_ROWS = 50_000;
const MAX_VALUES = 20;
/** Whether geometries are valid is only looked at where it takes no time. */
const VALIDITY_ROWS = 10_000;

export async function finishTable(
  driver: Driver,
  gis: string,
  loaded: LoadedTable,
  title: string,
): Promise<Result<Finished, FinishError>> {
  const target = `staging.${quoteIdent(loaded.table)}`;
  const execute = async (batch: Batch): Promise<Result<readonly (readonly (string | null)[])[][], FinishError>> => {
    const executed = await driver.execute(batch);
    return executed.ok ? ok(executed.value.map(textRows)) : err({ kind: 'database', error: executed.error });
  };

  const place = await findPlace(execute, gis, target, loaded.srid);
  if (!place.ok) return place;
  const geometry = await settleGeometry(execute, gis, target, loaded);
  if (!geometry.ok) return geometry;
  const warnings = await findInvalid(execute, gis, target, loaded.rows);
  if (!warnings.ok) return warnings;
  // Each on its own: on the embedded engine everybody else waits for them.
  const steps = [
    ...loaded.ignored.map((column) => `alter table ${target} drop column ${quoteIdent(column)}`),
    `alter table ${target} add primary key (${quoteIdent(KEY)})`,
    `create index on ${target} using gist (${quoteIdent(GEOMETRY)})`,
    ...nextKey(loaded, target),
    `analyze ${target}`,
  ];
  for (const step of steps) {
    const done = await execute([statement(step)]);
    if (!done.ok) return done;
  }
  const statistics = await findStatistics(driver, target, loaded);
  if (!statistics.ok) return err({ kind: 'database', error: statistics.error });
  const table: StagedTable = {
    kind: 'vector',
    table: loaded.table,
    title,
    key: KEY,
    geometry: { column: GEOMETRY, type: geometry.value, xsd: gmlType(geometry.value.kind) },
    columns: columnsOf(loaded, statistics.value),
    rows: loaded.rows,
    place: place.value,
  };
  return ok({ table, warnings: warnings.value });
}

function columnsOf(
  { columns, rows }: LoadedTable,
  statistics: ReadonlyMap<string, Statistics>,
): readonly StagedColumn[] {
  return columns.map((column) => ({
    ...column,
    xsd: xsdType(column.type),
    statistics: statistics.get(column.name) ?? { count: rows },
  }));
}

type Execute = (batch: Batch) => Promise<Result<readonly (readonly (string | null)[])[][], FinishError>>;

async function findPlace(
  execute: Execute,
  gis: string,
  target: string,
  srid: number,
): Promise<Result<Place, FinishError>> {
  const g = quoteIdent(gis);
  const column = quoteIdent(GEOMETRY);
  // Areas need four positions; PostGIS does not look when it is given bytes.
  const isThin = `${g}.st_dimension(${column}) = 2 and not ${g}.st_isempty(${column}) and ${g}.st_npoints(${column}) < 4`;
  const found = await execute([
    statement(
      `select ${g}.st_xmin(e), ${g}.st_ymin(e), ${g}.st_xmax(e), ${g}.st_ymax(e), thin
         from (select ${g}.st_extent(${column}) as e, bool_or(${isThin}) as thin from ${target}) x`,
    ),
    statement(
      // Those of ours have no authority but us.
      `select coalesce(auth_name || ':' || auth_srid, 'SURVEST:' || srid) from ${g}.spatial_ref_sys where srid = $1`,
      String(srid),
    ),
  ]);
  if (!found.ok) return found;
  const row = found.value[0]?.[0] ?? [];
  const firstRow = async (condition: string): Promise<number | undefined> => {
    const looked = await execute([
      statement(
        `select n from (select row_number() over () as n, ${column} from ${target}) x where ${column} is not null and (${condition}) limit 1`,
      ),
    ]);
    const n = looked.ok ? looked.value[0]?.[0]?.[0] : undefined;
    return n === null || n === undefined ? undefined : Number(n);
  };
  if (row[4] === 't') {
    const said = 'an area of fewer than four positions is none';
    return err({ kind: 'bad-geometry', row: (await firstRow(isThin)) ?? 0, said });
  }
  const place = await placeOf(
    execute,
    gis,
    toExtent(row.slice(0, 4)),
    srid,
    found.value[1]?.[0]?.[0] ?? `EPSG:${srid}`,
  );
  if (place.ok || place.error.kind !== 'outside-crs' || srid !== 4326) return place;
  const edges = [
    `${g}.st_xmin(${column}) < -360`,
    `${g}.st_xmax(${column}) > 360`,
    `${g}.st_ymin(${column}) < -90.000001`,
    `${g}.st_ymax(${column}) > 90.000001`,
  ];
  const outside = await firstRow(edges.join(' or '));
  return err({ ...place.error, ...(outside === undefined ? {} : { row: outside }) });
}

/** Areas that cross themselves and the like are kept as they are, but said. */
async function findInvalid(
  execute: Execute,
  gis: string,
  target: string,
  rows: number,
): Promise<Result<readonly string[], FinishError>> {
  if (rows > VALIDITY_ROWS) return ok([]);
  const g = quoteIdent(gis);
  const column = quoteIdent(GEOMETRY);
  const found = await execute([
    statement(
      `select count(*), min(n), (array_agg(${g}.st_isvalidreason(${column}) order by n))[1]
         from (select row_number() over () as n, ${column} from ${target}) x
        where ${g}.st_dimension(${column}) = 2 and not ${g}.st_isvalid(${column})`,
    ),
  ]);
  // Geometries that cannot even be looked at are no reason to refuse the file here.
  if (!found.ok) return found.error.kind === 'database' && found.error.error.kind === 'sql' ? ok([]) : found;
  const [count, first, reason] = found.value[0]?.[0] ?? [];
  if (count === '0' || count === null || count === undefined) return ok([]);
  return ok([`${count} features have an invalid geometry; the first is feature ${first} (${reason})`]);
}

/** The same box in degrees; undefined native: nothing has a place. */
export async function placeOf(
  execute: Execute,
  gis: string,
  native: Extent | undefined,
  srid: number,
  crs: string,
): Promise<Result<Place, FinishError>> {
  const outside = (): Result<never, FinishError> =>
    err({ kind: 'outside-crs', crs, extent: (native ?? []).map((n) => Number(n.toPrecision(8))).join(', ') });
  if (native === undefined || !native.every(Number.isFinite)) return outside();
  if (srid === 4326) return isOnEarth(native) ? ok({ srid, crs, extent: { native, wgs84: native } }) : outside();
  const g = quoteIdent(gis);
  const [xmin, ymin, xmax, ymax] = native;
  // The edges are curves in degrees: many points of them are looked at.
  const step = Math.max((xmax - xmin) / 20, (ymax - ymin) / 20, Number.MIN_VALUE);
  const transformed = await execute([
    statement(
      `select ${g}.st_xmin(e), ${g}.st_ymin(e), ${g}.st_xmax(e), ${g}.st_ymax(e)
         from (select ${g}.st_transform(${g}.st_segmentize(${g}.st_makeenvelope($1, $2, $3, $4, $5::integer), $6), 4326) as e) x`,
      ...[xmin, ymin, xmax, ymax, srid, step].map(String),
    ),
  ]);
  if (!transformed.ok) {
    const { error } = transformed;
    return error.kind === 'database' && error.error.kind === 'sql' ? outside() : transformed;
  }
  const wgs84 = toExtent(transformed.value[0]?.[0]);
  return wgs84 !== undefined && isOnEarth(wgs84) ? ok({ srid, crs, extent: { native, wgs84 } }) : outside();
}

function toExtent(row: readonly (string | null)[] | undefined): Extent | undefined {
  const [xmin, ymin, xmax, ymax] = (row ?? []).map((cell) => (cell === null ? Number.NaN : Number(cell)));
  if (xmin === undefined || ymin === undefined || xmax === undefined || ymax === undefined) return undefined;
  return Number.isNaN(xmin) ? undefined : [xmin, ymin, xmax, ymax];
}

/** Longitudes may run around the earth twice: some count them from 0 to 360. */
function isOnEarth([xmin, ymin, xmax, ymax]: Extent): boolean {
  const slack = 1e-6;
  return (
    [xmin, ymin, xmax, ymax].every(Number.isFinite) &&
    xmin >= -360 - slack &&
    xmax <= 360 + slack &&
    ymin >= -90 - slack &&
    ymax <= 90 + slack
  );
}

/** Layers that were said to hold anything often hold one thing. */
async function settleGeometry(
  execute: Execute,
  gis: string,
  target: string,
  { geometry, srid }: LoadedTable,
): Promise<Result<GeometryType, FinishError>> {
  if (geometry.kind !== 'Geometry') return ok(geometry);
  const g = quoteIdent(gis);
  const column = quoteIdent(GEOMETRY);
  const found = await execute([
    statement(`select distinct ${g}.geometrytype(${column}) from ${target} where ${column} is not null limit 20`),
  ]);
  if (!found.ok) return found;
  const kinds = new Set((found.value[0] ?? []).map(([kind]) => promoted(kind ?? '')));
  const kind = commonKind(kinds);
  if (kind === 'Geometry') return ok(geometry);
  const value = kind.startsWith('Multi') && kind !== 'MultiPoint' ? `${g}.st_multi(${column})` : column;
  const altered = await execute([
    statement(
      `alter table ${target} alter column ${column} type ${g}.geometry(${kind}${geometry.suffix}, ${srid}) using ${value}`,
    ),
  ]);
  return altered.ok ? ok({ kind, suffix: geometry.suffix }) : altered;
}

/** `LINESTRINGM` and `MULTILINESTRING` are both lines. */
function promoted(kind: string): string {
  const plain = /^(.*[^M])M$/.exec(kind)?.[1] ?? kind;
  return plain === 'LINESTRING' || plain === 'POLYGON' ? `MULTI${plain}` : plain;
}

async function findStatistics(
  driver: Driver,
  target: string,
  { columns, rows }: LoadedTable,
): Promise<Result<ReadonlyMap<string, Statistics>, DbError>> {
  const found = new Map<string, Statistics>();
  for (let from = 0; from < columns.length; from += COLUMNS_AT_ONCE) {
    const some = columns.slice(from, from + COLUMNS_AT_ONCE);
    const executed = await driver.execute([
      statement(`select json_build_object(${some.map(aggregates).join(', ')}) from ${target}`),
      statement(medians(some, target, rows)),
      statement(
        `select coalesce(json_object_agg(attname, most_common_vals), '{}') from (
           select attname::text, array_to_json(most_common_vals::text::text[]) as most_common_vals from pg_catalog.pg_stats
            where schemaname = 'staging' and tablename = $1 and n_distinct between 1 and ${MAX_VALUES}
              and cardinality(most_common_vals::text::text[]) = n_distinct) s`,
        unquoted(target),
      ),
    ]);
    if (!executed.ok) return executed;
    const [all, middle, common] = executed.value.map((result) => jsonRow(result) as Record<string, unknown>);
    for (const { name, type } of some) {
      const values = common?.[name];
      const median = middle?.[name];
      found.set(name, {
        ...(all?.[name] as Statistics),
        ...(typeof median === 'string' ? { median } : {}),
        ...(Array.isArray(values) && !isNumberType(type) ? { values: values.map(String) } : {}),
      });
    }
  }
  return ok(found);
}

/** `'name', json_build_object('count', …)`; texts, so that numbers stay as exact as they are. */
function aggregates({ name, type }: LoadedColumn): string {
  const column = quoteIdent(name);
  const label = `'${name.replaceAll("'", "''")}'`;
  if (isNumberType(type)) {
    // NaN and infinities would make nonsense of all of them.
    const value = type === 'real' || type === 'double precision' ? finite(column) : column;
    return `${label}, json_strip_nulls(json_build_object('count', count(${column}), 'min', min(${value})::text, 'max', max(${value})::text,
      'average', avg(${value})::text, 'stddev', stddev_samp(${value}::double precision)::text, 'sum', sum(${value})::text))`;
  }
  if (isTimeType(type)) {
    return `${label}, json_strip_nulls(json_build_object('count', count(${column}), 'min', min(${column})::text, 'max', max(${column})::text))`;
  }
  return `${label}, json_build_object('count', count(${column}))`;
}

function finite(column: string): string {
  return `(case when ${column} not in ('NaN', 'Infinity', '-Infinity') and abs(${column}) < 1e150 then ${column} end)`;
}

function medians(columns: readonly LoadedColumn[], target: string, rows: number): string {
  const numbers = columns.filter(({ type }) => isNumberType(type));
  if (numbers.length === 0) return `select '{}'::json`;
  const parts = numbers.map(
    ({ name }) =>
      `'${name.replaceAll("'", "''")}', (percentile_cont(0.5) within group (order by ${quoteIdent(name)}::double precision))::text`,
  );
  const sample =
    rows > MEDIAN_ROWS ? ` tablesample system (${((MEDIAN_ROWS / rows) * 100).toFixed(4)}) repeatable (1)` : '';
  return `select json_build_object(${parts.join(', ')}) from ${target}${sample}`;
}

function unquoted(target: string): string {
  return target.slice('staging."'.length, -1).replaceAll('""', '"');
}

function statement(text: string, ...params: string[]): Statement {
  return { text, params };
}
