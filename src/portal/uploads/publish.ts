// Layers that stand ready → layers of the catalogue: tables, records, permissions, styles and the end of the upload in one
// transaction. Whatever stops it leaves nothing behind.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Caller } from '../../auth/caller.ts';
import type { CallerDb } from '../../auth/caller-db.ts';
import { type BlobStore, makeBlobKey } from '../../blobs/blob-store.ts';
import { readSld } from '../../geo/style/read-sld.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Session, Statement } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { quoteIdent, quoteLiteral } from '../../sql/index.ts';
import { defaultStyle, type LayerStyle, type MakeStyle, type StyleKind, styleKind } from './default-style.ts';
import type { Extent, Staged, StagedColumn, StagedRaster, StagedTable } from './importer-port.ts';
import { AS_LOGIN, AS_SERVICE, asCaller } from './service-scope.ts';
import { layerName } from './upload-order.ts';
import { first, serviceTransaction, statement, type UploadRow } from './upload-store.ts';
import { parseDescription } from './xml-metadata.ts';

export type Published = { readonly layers: readonly { readonly id: number; readonly name: string }[] };

export type PublishError =
  | { readonly kind: 'database'; readonly error: DbError }
  /** Deleted, or another attempt has it. */
  | { readonly kind: 'not-ours' }
  | { readonly kind: 'no-space' }
  | { readonly kind: 'store'; readonly message: string }
  /** Data for a layer that exists, which do not fit it. */
  | { readonly kind: 'does-not-fit'; readonly said: string };

export type PublishParts = {
  readonly db: CallerDb;
  readonly blobs: BlobStore;
  /** Of a layer that came without. */
  readonly makeStyle?: MakeStyle;
  /** A sent style as the map viewer draws it; undefined: it cannot be read. */
  readonly readStyle?: (sld: string) => { readonly title: string | undefined; readonly maplibre: unknown } | undefined;
};

export type Publication = {
  readonly upload: UploadRow;
  readonly token: string;
  /** Whose layers they will be. */
  readonly owner: Caller;
  readonly staged: Staged;
};

const WORKSPACE = 'portal';
const STORE = 'portal_data';
/** Two imports that want the same name at the same moment: one of them tries again. */
const ATTEMPTS = 5;

export async function publish(parts: PublishParts, publication: Publication): Promise<Result<Published, PublishError>> {
  const stored = await storeRasters(parts.blobs, publication.staged);
  if (!stored.ok) return stored;
  const end = await publishTables(parts, publication, stored.value);
  if (!end.ok) for (const { blob } of stored.value.values()) await parts.blobs.remove(blob);
  return end;
}

type StoredRasters = ReadonlyMap<StagedRaster, { readonly blob: string; readonly size: number }>;

async function storeRasters(blobs: BlobStore, { layers }: Staged): Promise<Result<StoredRasters, PublishError>> {
  const stored = new Map<StagedRaster, { blob: string; size: number }>();
  for (const layer of layers) {
    if (layer.kind !== 'raster') continue;
    const blob = makeBlobKey('rasters');
    const put = await blobs.put(blob, createReadStream(layer.path));
    if (!put.ok) {
      for (const earlier of stored.values()) await blobs.remove(earlier.blob);
      return err(put.error.kind === 'no-space' ? { kind: 'no-space' } : { kind: 'store', message: put.error.kind });
    }
    stored.set(layer, { blob, size: (await stat(layer.path)).size });
  }
  return ok(stored);
}

async function publishTables(
  parts: PublishParts,
  publication: Publication,
  rasters: StoredRasters,
): Promise<Result<Published, PublishError>> {
  for (let attempt = 1; ; attempt += 1) {
    const done = await serviceTransaction<Published, PublishError>(parts.db, (session) =>
      publishAll(session, parts, publication, rasters),
    );
    if (done.ok) return done;
    const failure: PublishError = isPublishError(done.error) ? done.error : { kind: 'database', error: done.error };
    if (attempt >= ATTEMPTS || !isCollision(failure)) return err(failure);
  }
}

function isPublishError(error: PublishError | DbError): error is PublishError {
  return ['database', 'not-ours', 'no-space', 'store', 'does-not-fit'].includes(error.kind);
}

/** Unique names, and tables of the same name. */
function isCollision(failure: PublishError): boolean {
  return (
    failure.kind === 'database' &&
    failure.error.kind === 'sql' &&
    ['23505', '42P07', '40001', '40P01'].includes(failure.error.sqlstate)
  );
}

async function publishAll(
  session: Session,
  parts: PublishParts,
  { upload, token, owner, staged }: Publication,
  rasters: StoredRasters,
): Promise<Result<Published, PublishError>> {
  const held = await fly(session, [
    statement('select from staging.run where upload_id = $1 and token = $2 for update', String(upload.id), token),
  ]);
  if (!held.ok) return held;
  if (first(held.value).length === 0) return err({ kind: 'not-ours' });

  const made: { id: number; name: string }[] = [];
  for (const layer of staged.layers) {
    const record = await insertRecord(session, owner, upload, staged, layer);
    if (!record.ok) return record;
    const { id, name, title } = record.value;
    const stored =
      layer.kind === 'vector'
        ? await moveTable(session, layer, id, name, title)
        : await insertRaster(session, owner, layer, id, rasters);
    if (!stored.ok) return stored;
    const dressed = await dress(session, parts, owner, upload, staged, layer, { id, name, title });
    if (!dressed.ok) return dressed;
    made.push({ id, name });
  }
  const ended = await fly(session, endStatements(upload, made, staged));
  return ended.ok ? ok({ layers: made }) : ended;
}

/** The upload's last step: everything is there when it says so. */
export function endStatements(
  upload: UploadRow,
  made: readonly { readonly id: number }[],
  { format, charset, warnings }: Pick<Staged, 'format' | 'charset' | 'warnings'>,
): Statement[] {
  const session = { upload_type: format, charset, warnings, completed_step: 'final', error_msg: null, question: null };
  return [
    AS_LOGIN,
    statement('delete from staging.run where upload_id = $1', String(upload.id)),
    AS_SERVICE,
    ...made.map(({ id }) =>
      statement(
        'insert into portal.upload_layer (upload_id, resource_id) values ($1, $2) on conflict do nothing',
        String(upload.id),
        String(id),
      ),
    ),
    statement(
      `update portal.upload set state = 'PROCESSED', resource_id = $2, session = session || $3::jsonb where id = $1`,
      String(upload.id),
      made[0] === undefined ? null : String(made[0].id),
      JSON.stringify(session),
    ),
  ];
}

type NewRecord = { readonly id: number; readonly name: string; readonly title: string };

async function insertRecord(
  session: Session,
  owner: Caller,
  upload: UploadRow,
  staged: Staged,
  layer: StagedTable | StagedRaster,
): Promise<Result<NewRecord, PublishError>> {
  const description = staged.metadata === undefined ? undefined : parseDescription(staged.metadata);
  const own = layer.kind === 'vector' ? layer.title : '';
  const name = own === '' ? upload.name : layerName(own);
  const asked =
    upload.session.layer_title ?? description?.title ?? (own === '' ? stemOf(staged.file, upload.name) : own);
  // Several layers under one title could not be told apart.
  const title = cut(own !== '' && asked !== own ? `${asked}: ${own}` : asked, 255);
  const time = timeColumn(upload, layer);
  const { place } = layer;
  const values: readonly (readonly [column: string, value: string | null, cast?: string])[] = [
    ['resource_type', 'layer'],
    ['title', title],
    ['abstract', cut(upload.session.layer_abstract ?? description?.abstract ?? '', 2000)],
    ['name', name],
    ['workspace', WORKSPACE],
    ['store', layer.kind === 'vector' ? STORE : name],
    ['store_type', layer.kind === 'vector' ? 'dataStore' : 'coverageStore'],
    ['charset', staged.charset],
    ['srid', place.crs],
    ['has_time', String(time !== undefined), 'boolean'],
    ['temporal_extent_start', time?.statistics.min ?? null, 'timestamptz'],
    ['temporal_extent_end', time?.statistics.max ?? null, 'timestamptz'],
    // Without a cast it is the column's own type, wherever PostGIS lives.
    ['bbox_polygon', boxText(place.native, place.srid), ''],
    ['ll_bbox_polygon', boxText(place.wgs84, 4326), ''],
    ...(description?.purpose === undefined ? [] : ([['purpose', description.purpose]] as const)),
    ...(description?.edition === undefined ? [] : ([['edition', description.edition]] as const)),
    ...(description?.language === undefined ? [] : ([['language', description.language]] as const)),
    ...(description?.quality === undefined ? [] : ([['data_quality_statement', description.quality]] as const)),
    ...(description?.supplemental === undefined
      ? []
      : ([['supplemental_information', description.supplemental]] as const)),
  ];
  const representation = layer.kind === 'vector' ? 'vector' : 'grid';
  const inserted = await fly(session, [
    asCaller(owner),
    {
      text: `insert into portal.resource (${values.map(([column]) => column).join(', ')}, spatial_representation_type_id)
        values (${values.map(([, , cast = 'text'], i) => `$${i + 1}${cast === '' ? '' : `::${cast}`}`).join(', ')},
          (select t.id from portal.spatial_representation_type t where t.identifier = ${quoteLiteral(representation)}))
        returning id, name, title`,
      params: values.map(([, value]) => value),
    },
  ]);
  if (!inserted.ok) return inserted;
  const [row = []] = inserted.value[1] ?? [];
  return ok({ id: Number(row[0]), name: row[1] ?? name, title: row[2] ?? title });
}

function stemOf(file: string, otherwise: string): string {
  const dot = file.lastIndexOf('.');
  return (dot <= 0 ? file : file.slice(0, dot)) || otherwise;
}

function cut(text: string, limit: number): string {
  return [...text].slice(0, limit).join('');
}

/** The first column that says when, where somebody asked for it. */
function timeColumn(upload: UploadRow, layer: StagedTable | StagedRaster): StagedColumn | undefined {
  if (upload.session.time !== true || layer.kind !== 'vector') return undefined;
  return layer.columns.find(({ type }) => type === 'timestamptz' || type === 'timestamp' || type === 'date');
}

/** A point has a box, too, if a very small one. */
export function boxText([xmin, ymin, xmax, ymax]: Extent, srid: number): string {
  const grow = (low: number, high: number): readonly [number, number] => {
    if (high > low) return [low, high];
    const margin = Math.max(Math.abs(low) * 1e-9, 1e-9);
    return [low - margin, high + margin];
  };
  const [west, east] = grow(xmin, xmax);
  const [low, high] = grow(ymin, ymax);
  const [south, north] = srid === 4326 ? [Math.max(low, -90), Math.min(high, 90)] : [low, high];
  const ring = [
    [west, south],
    [west, north],
    [east, north],
    [east, south],
    [west, south],
  ];
  return `SRID=${srid};POLYGON((${ring.map((position) => position.join(' ')).join(', ')}))`;
}

/** The table gets its name and goes where everybody finds it. */
async function moveTable(
  session: Session,
  layer: StagedTable,
  id: number,
  name: string,
  title: string,
): Promise<Result<undefined, PublishError>> {
  const free = await freeTableName(session, name);
  if (!free.ok) return free;
  const table = free.value;
  const staged = `staging.${quoteIdent(layer.table)}`;
  const target = `layers.${quoteIdent(table)}`;
  const columns = layer.columns.filter(({ name: column, label }) => column !== label);
  const named = await fly(session, [
    statement(`select pg_get_serial_sequence($1, $2)`, staged, layer.key),
    statement(
      `select i.relname, x.indisprimary from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid
        where x.indrelid = $1::regclass`,
      staged,
    ),
  ]);
  if (!named.ok) return named;
  const [[[sequence = null] = []] = [], indexes = []] = named.value;
  // Called after the layer's number, so that no two of them want the same name.
  const renamed = [
    ...(sequence === null
      ? []
      : [`alter sequence ${sequence} rename to ${quoteIdent(`layer_${id}_${layer.key}_seq`)}`]),
    ...indexes.map(
      ([index, isPrimary]) =>
        `alter index staging.${quoteIdent(index ?? '')} rename to ${quoteIdent(`layer_${id}_${isPrimary === 't' ? 'pkey' : layer.geometry.column}`)}`,
    ),
  ];
  const moved = await fly(session, [
    ...renamed.map((text) => statement(text)),
    statement(`alter table ${staged} rename to ${quoteIdent(table)}`),
    statement(`alter table staging.${quoteIdent(table)} set schema layers`),
    statement(`comment on table ${target} is ${quoteLiteral(title)}`),
    ...columns.map(({ name: column, label }) =>
      statement(`comment on column ${target}.${quoteIdent(column)} is ${quoteLiteral(label.replaceAll('\0', ''))}`),
    ),
    statement('select portal.protect_layer_table($1::regclass, $2)', target, String(id)),
  ]);
  return moved.ok ? ok(undefined) : moved;
}

const MAX_TABLE_BYTES = 55;

async function freeTableName(session: Session, name: string): Promise<Result<string, PublishError>> {
  let wanted = '';
  for (const char of name) {
    if (Buffer.byteLength(wanted + char) > MAX_TABLE_BYTES) break;
    wanted += char;
  }
  const taken = await fly(session, [
    AS_LOGIN,
    statement(
      `select relname from pg_catalog.pg_class where relnamespace = 'layers'::regnamespace and (relname = $1 or relname like $2)`,
      wanted,
      `${wanted.replace(/[\\%_]/g, '\\$&')}\\_%`,
    ),
  ]);
  if (!taken.ok) return taken;
  const names = new Set((taken.value[1] ?? []).map(([one]) => one));
  if (!names.has(wanted)) return ok(wanted);
  for (let n = 2; ; n += 1) if (!names.has(`${wanted}_${n}`)) return ok(`${wanted}_${n}`);
}

async function insertRaster(
  session: Session,
  owner: Caller,
  layer: StagedRaster,
  id: number,
  rasters: StoredRasters,
): Promise<Result<undefined, PublishError>> {
  const stored = rasters.get(layer);
  const inserted = await fly(session, [
    asCaller(owner),
    statement(
      'insert into portal.raster (resource_id, blob, size, width, height, bands) values ($1, $2, $3, $4, $5, $6)',
      String(id),
      stored?.blob ?? '',
      String(stored?.size ?? 0),
      String(layer.width),
      String(layer.height),
      JSON.stringify(layer.bands),
    ),
  ]);
  return inserted.ok ? ok(undefined) : inserted;
}

/** Attributes, style, keywords and, last of all, permissions: they may take away what the steps before need. */
async function dress(
  session: Session,
  { makeStyle = defaultStyle, readStyle = readSentStyle }: PublishParts,
  owner: Caller,
  upload: UploadRow,
  staged: Staged,
  layer: StagedTable | StagedRaster,
  record: NewRecord,
): Promise<Result<undefined, PublishError>> {
  const kind: StyleKind = layer.kind === 'raster' ? 'raster' : styleKind(layer.geometry.type.kind);
  const style = styleOf(staged.style, readStyle, () => makeStyle({ ...record, kind }));
  const keywords = staged.metadata === undefined ? [] : (parseDescription(staged.metadata)?.keywords ?? []);
  const done = await fly(session, [
    asCaller(owner),
    ...(layer.kind === 'vector' ? attributeStatements(layer, record.id) : []),
    statement(
      'select portal.add_style($1, $2, $3, $4, $5, $6::jsonb, true)',
      String(record.id),
      record.name,
      style.sld,
      cut(style.title, 255),
      /<(?:\w+:)?StyledLayerDescriptor[^>]*version\s*=\s*["']1\.1/.test(style.sld) ? '1.1.0' : '1.0.0',
      style.maplibre === undefined ? null : JSON.stringify(style.maplibre),
    ),
    ...(keywords.length === 0
      ? []
      : [
          statement(
            'select portal.set_keywords($1, array(select jsonb_array_elements_text($2::jsonb)))',
            String(record.id),
            JSON.stringify(keywords),
          ),
        ]),
    ...(hasPermissions(upload.session.permissions)
      ? [
          statement(
            'select portal.set_perms($1, $2::jsonb)',
            String(record.id),
            JSON.stringify(upload.session.permissions),
          ),
        ]
      : []),
  ]);
  return done.ok ? ok(undefined) : done;
}

function styleOf(sent: string | undefined, read: PublishParts['readStyle'], make: () => LayerStyle): LayerStyle {
  if (sent === undefined) return make();
  const meant = read?.(sent);
  const plain = make();
  // Kept as it was sent, also where it cannot be drawn: then like one without.
  if (meant === undefined) return { ...plain, sld: sent };
  return { sld: sent, title: meant.title ?? plain.title, maplibre: meant.maplibre };
}

/** A style that can be drawn is drawn from its SLD: columns have got other names in the import, and only then are they known. */
function readSentStyle(text: string): { readonly title: string | undefined; readonly maplibre: undefined } | undefined {
  const read = readSld(text);
  return read.ok && read.value.layers.length > 0 ? { title: read.value.title, maplibre: undefined } : undefined;
}

function hasPermissions(spec: unknown): boolean {
  if (typeof spec !== 'object' || spec === null) return false;
  return Object.values(spec).some((one) => typeof one === 'object' && one !== null && Object.keys(one).length > 0);
}

/** The columns as the catalogue shows them: those of the file, then the geometry. */
function attributeStatements(layer: StagedTable, id: number): Statement[] {
  return [
    statement(
      `insert into portal.attribute (resource_id, attribute, attribute_label, attribute_type, display_order, count, min, max, average,
         median, stddev, sum, unique_values)
       select $1, a.attribute, a.attribute_label, a.attribute_type, a.display_order, coalesce(a.count, 1), coalesce(a.min, 'NA'),
         coalesce(a.max, 'NA'), coalesce(a.average, 'NA'), coalesce(a.median, 'NA'), coalesce(a.stddev, 'NA'), coalesce(a.sum, 'NA'),
         coalesce(a.unique_values, 'NA')
         from ${ATTRIBUTE_ROWS}`,
      String(id),
      attributeRows(layer),
    ),
  ];
}

/** `$2` as rows. */
export const ATTRIBUTE_ROWS = `jsonb_to_recordset($2::jsonb) as a(attribute text, attribute_label text, attribute_type text,
  display_order integer, count integer, min text, max text, average text, median text, stddev text, sum text, unique_values text)`;

export function attributeRows(layer: StagedTable): string {
  return JSON.stringify([
    ...layer.columns.map((column, i) => attributeRow(column, i + 1)),
    {
      attribute: layer.geometry.column,
      attribute_type: layer.geometry.xsd,
      display_order: layer.columns.length + 1,
      count: layer.rows,
    },
  ]);
}

function attributeRow({ name, label, xsd, statistics }: StagedColumn, order: number): Record<string, unknown> {
  const { values, ...numbers } = statistics;
  const short = Object.fromEntries(
    Object.entries(numbers).map(([key, value]) => [key, typeof value === 'string' ? cut(value, 255) : value]),
  );
  return {
    ...short,
    attribute: name,
    ...(label === name ? {} : { attribute_label: cut(label.replaceAll('\0', ''), 255) }),
    attribute_type: xsd,
    display_order: order,
    ...(values === undefined ? {} : { unique_values: values.join(',') }),
  };
}

type Rows = readonly (readonly (string | null)[])[];

async function fly(session: Session, flight: readonly Statement[]): Promise<Result<readonly Rows[], PublishError>> {
  const flown = await session.fly(flight);
  return flown.ok ? ok(flown.value.map(textRows)) : err({ kind: 'database', error: flown.error });
}
