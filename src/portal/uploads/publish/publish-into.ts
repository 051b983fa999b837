// Layers that stand ready → the data of a layer that exists: in place of what it had, or added to it. The layer keeps its
// number, name, permissions, styles and table; columns are found by the names they had in the file.

import { err, ok, type Result } from '../../../kernel/result.ts';
import type { StagedPlainTable, StagedTable } from '../../../layer-ports/staged.ts';
import type { Session } from '../../../pg/driver.ts';
import { textRows } from '../../../pg/rows.ts';
import { quoteIdent } from '../../../sql/index.ts';
import { AS_LOGIN, AS_SERVICE, asCaller } from '../service-scope.ts';
import { accountName, announceTable, bulkChange, first, serviceWork, statement } from '../service-transaction.ts';
import { ATTRIBUTE_ROWS, attributeRows } from './attribute-rows.ts';
import { boxText } from './box-text.ts';
import { endStatements } from './end-statements.ts';
import { keepAdded, keepAll, MAX_KEPT } from './keep-data.ts';
import { keepMissing, type LayerColumn, type SharedColumn } from './missing-columns.ts';
import type { Publication, PublishError, Published, PublishParts } from './publication.ts';
import { syncKey, syncRows } from './sync-rows.ts';

export async function publishInto(
  parts: PublishParts,
  publication: Publication,
): Promise<Result<Published, PublishError>> {
  return serviceWork(parts.db, (session) => replaceData(session, publication));
}

async function replaceData(
  session: Session,
  { upload, token, owner, staged }: Publication,
): Promise<Result<Published, PublishError>> {
  const [layer, ...others] = staged.layers;
  const target = upload.session.target ?? 0;
  if (layer === undefined || others.length > 0 || layer.kind === 'raster')
    return fits(`${staged.file} has to hold exactly one layer with features, to go into a layer that exists.`);

  const held = await execute(session, [
    statement('select from staging.run where upload_id = $1 and token = $2 for update', String(upload.id), token),
    asCaller(owner),
    // Files that go into one layer at the same moment do so one after the other.
    statement(
      `select case when portal.layer_table($1) is not null and portal.may($1, 'change_layer_data') then portal.hold_table($1) end`,
      String(target),
    ),
    statement(
      `select portal.layer_table(r.id), portal.may(r.id, 'change_layer_data'), r.name from portal.resource r
        where r.id = $1 and r.resource_type = 'layer' for share`,
      String(target),
    ),
    AS_LOGIN,
  ]);
  if (!held.ok) return held;
  if (first(held.value).length === 0) return err({ kind: 'not-ours' });
  const [row] = held.value[3] ?? [];
  const [table, may, name] = row ?? [];
  if (row === undefined) return fits('The layer is not there any more.');
  if (table === null || table === undefined) return fits('The layer is not one with features.');
  if (may !== 't') return fits('change_layer_data is needed to change the data of the layer.');

  const columns = await tableColumns(session, table);
  if (!columns.ok) return columns;
  const plan = planColumns(layer, columns.value, upload.session.update_mode === 'REPLACE');
  if (!plan.ok) return plan;
  const into = `layers.${quoteIdent(table)}`;
  const from = `staging.${quoteIdent(layer.table)}`;
  const geometry = columns.value.find(({ isGeometry }) => isGeometry);
  if ((layer.kind === 'table') !== (geometry === undefined))
    return fits(
      layer.kind === 'table' ? 'The rows of the file have no places.' : 'The layer is a table without places.',
    );
  const shape =
    layer.kind === 'table'
      ? undefined
      : ([quoteIdent(geometry?.name ?? 'geom'), geometryValue(layer, geometry)] as const);
  const isReplaced = upload.session.update_mode === 'REPLACE';
  const { shared, absent } = plan.value;
  const missing = await keepMissing(
    session,
    { into, from, file: staged.file },
    isReplaced ? absent : [],
    shared,
    upload.session.answers ?? {},
  );
  if (!missing.ok) return missing;
  const pairs = [...plan.value.pairs, ...missing.value.pairs];
  const names = pairs.map(([theirs]) => quoteIdent(theirs));
  const values = pairs.map(([, ours]) => ours);
  const count = statement(`select count(*) from ${into}`);
  const key = columns.value.find(({ isKey }) => isKey)?.name;
  const { source } = upload.session;
  // What follows an address comes again and again: nobody could keep all of it, and the history has the differences.
  const kept =
    source === undefined
      ? await keepNumber(session, into, target, isReplaced, layer.rows, owner)
      : ok<string | undefined>(undefined);
  if (!kept.ok) return kept;
  const keyed = typeof source?.key === 'string' ? await syncKey(session, from, pairs, source.key) : ok(undefined);
  if (!keyed.ok) return keyed;
  const sync = keyed.value === undefined ? undefined : { into, from, pairs, shape, key: keyed.value };
  const insert = `insert into ${into} (${[...(shape === undefined ? [] : [shape[0]]), ...names].join(', ')})
       select ${[...(shape === undefined ? [] : [shape[1]]), ...values].join(', ')} from ${from} order by ${quoteIdent(layer.key)}`;
  const warnings = [
    ...staged.warnings,
    ...missing.value.warnings,
    ...(kept.value === undefined && source === undefined ? [NOT_KEPT] : []),
  ];
  const batch = [
    // Differences are entries of their own.
    bulkChange(sync !== undefined ? '' : isReplaced ? 'replace' : 'append', owner),
    // The owner of a protected table is held back by its policies like everybody; the permission was asked for above.
    statement(`alter table ${into} no force row level security`),
    count,
    ...plan.value.added.map(({ name: column, type }) =>
      statement(`alter table ${into} add column ${quoteIdent(column)} ${type}`),
    ),
    ...(isReplaced && kept.value !== undefined ? [keepAll(into, geometry?.name, kept.value)] : []),
    ...(sync !== undefined
      ? syncRows(sync)
      : [
          ...(isReplaced ? [statement(`truncate ${into}`)] : []),
          isReplaced || kept.value === undefined || key === undefined
            ? statement(insert)
            : keepAdded(insert, key, kept.value),
        ]),
    count,
    statement(`alter table ${into} force row level security`),
    AS_SERVICE,
    statement(
      `update portal.attribute x set count = coalesce(a.count, 1), min = coalesce(a.min, 'NA'), max = coalesce(a.max, 'NA'),
         average = coalesce(a.average, 'NA'), median = coalesce(a.median, 'NA'), stddev = coalesce(a.stddev, 'NA'),
         sum = coalesce(a.sum, 'NA'), unique_values = coalesce(a.unique_values, 'NA'), last_stats_updated = now()
         from ${ATTRIBUTE_ROWS} where x.resource_id = $1 and x.attribute = a.attribute and ${isReplaced}`,
      String(target),
      attributeRows(layer),
    ),
    statement(
      `insert into portal.attribute (resource_id, attribute, attribute_label, attribute_type, display_order, count)
       select $1, a.attribute, a.attribute_label, a.attribute_type, a.display_order, coalesce(a.count, 1) from ${ATTRIBUTE_ROWS}
        where a.attribute = any ($3) on conflict do nothing`,
      String(target),
      attributeRows(layer),
      `{${plan.value.added.map(({ name: column }) => `"${column}"`).join(',')}}`,
    ),
  ];
  const stored = await execute(session, batch);
  if (!stored.ok) return stored;
  const counted = (at: number): number => Number(stored.value[at]?.[0]?.[0] ?? 0);
  if (geometry !== undefined) {
    const placed = await updateExtent(session, into, geometry.name, target);
    if (!placed.ok) return placed;
  }
  const made = [{ id: target, name: name ?? '' }];
  const ended = await execute(session, [
    ...(plan.value.added.length > 0 ? [announceTable(into)] : []),
    ...endStatements(
      upload,
      made,
      { ...staged, warnings },
      {
        before: counted(batch.indexOf(count)),
        after: counted(batch.lastIndexOf(count)),
      },
    ),
  ]);
  return ended.ok ? ok({ layers: made }) : ended;
}

type TableColumn = LayerColumn & {
  readonly isKey: boolean;
  readonly isGenerated: boolean;
  readonly isGeometry: boolean;
};

async function tableColumns(session: Session, table: string): Promise<Result<readonly TableColumn[], PublishError>> {
  const found = await execute(session, [
    statement(
      `select a.attname, format_type(a.atttypid, a.atttypmod), col_description(a.attrelid, a.attnum),
         exists (select from pg_index i where i.indrelid = a.attrelid and i.indisprimary and a.attnum = any (i.indkey)),
         t.typname = 'geometry', a.attgenerated <> ''
         from pg_attribute a join pg_type t on t.oid = a.atttypid
        where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`,
      `layers.${quoteIdent(table)}`,
    ),
  ]);
  if (!found.ok) return found;
  return ok(
    first(found.value).map(([name, type, label, isKey, isGeometry, isGenerated]) => ({
      name: name ?? '',
      type: type ?? '',
      label: label ?? null,
      isKey: isKey === 't',
      isGeometry: isGeometry === 't',
      isGenerated: isGenerated === 't',
    })),
  );
}

type ColumnPlan = {
  /** Column of the layer, and what of the new table goes into it. */
  readonly pairs: readonly (readonly [theirs: string, value: string])[];
  readonly added: readonly { readonly name: string; readonly type: string }[];
  /** Columns that both have, and those of the layer that the file lacks. */
  readonly shared: readonly SharedColumn[];
  readonly absent: readonly LayerColumn[];
};

/** New columns come with new data; added to old data they would be empty for those. */
function planColumns(
  layer: StagedTable | StagedPlainTable,
  columns: readonly TableColumn[],
  mayAdd: boolean,
): Result<ColumnPlan, PublishError> {
  const pairs: (readonly [string, string])[] = [];
  const added: { name: string; type: string }[] = [];
  const shared: SharedColumn[] = [];
  const rest = columns.filter(({ isKey, isGeometry }) => !isKey && !isGeometry);
  for (const column of layer.columns) {
    const theirs = rest.find(({ name, label }) => name === column.name || label === column.label);
    if (theirs === undefined) {
      if (!mayAdd)
        return fits(`The layer has no column "${column.label}": remove it from the data, or replace the layer's data.`);
      added.push({ name: column.name, type: column.type });
      pairs.push([column.name, quoteIdent(column.name)]);
    } else {
      shared.push({ ...theirs, ours: column.name, ourType: column.type });
      const value = quoteIdent(column.name);
      pairs.push([theirs.name, theirs.type === column.type ? value : `${value}::text::${theirs.type}`]);
    }
  }
  const absent = rest.filter(({ name, isGenerated }) => !isGenerated && !shared.some((one) => one.name === name));
  return ok({ pairs, added, shared, absent });
}

/** In the coordinate system of the layer, and of its kind. */
function geometryValue(layer: StagedTable, theirs: TableColumn | undefined): string {
  const column = quoteIdent(layer.geometry.column);
  const [, kind = '', srid = '0'] = /geometry\((\w+),(\d+)\)/.exec(theirs?.type ?? '') ?? [];
  const placed =
    Number(srid) > 0 && Number(srid) !== layer.place.srid ? `st_transform(${column}, ${Number(srid)})` : column;
  return /^Multi/.test(kind) && !layer.geometry.type.kind.startsWith('Multi') ? `st_multi(${placed})` : placed;
}

/** Under which the rows are kept; undefined: there are too many. */
async function keepNumber(
  session: Session,
  into: string,
  target: number,
  isReplaced: boolean,
  added: number,
  owner: Publication['owner'],
): Promise<Result<string | undefined, PublishError>> {
  const counted = await execute(session, [
    AS_LOGIN,
    statement(`alter table ${into} no force row level security`),
    statement(`select count(*) from (select from ${into} limit ${MAX_KEPT + 1}) x`),
  ]);
  if (!counted.ok) return counted;
  const rows = isReplaced ? Number(counted.value[2]?.[0]?.[0]) : added;
  if (rows > MAX_KEPT) return ok(undefined);
  const noted = await execute(session, [
    statement(
      'select portal.keep_data($1, $2, $3)',
      String(target),
      isReplaced ? 'replace' : 'append',
      accountName(owner),
    ),
  ]);
  return noted.ok ? ok(noted.value[0]?.[0]?.[0] ?? undefined) : noted;
}

const NOT_KEPT = `This cannot be undone: more than ${MAX_KEPT} rows are not kept.`;

/** The extent of the layer is that of its rows. */
export async function updateExtent(
  session: Session,
  into: string,
  geometry: string,
  target: number,
): Promise<Result<undefined, PublishError>> {
  const column = quoteIdent(geometry);
  const found = await execute(session, [
    AS_LOGIN,
    statement(`alter table ${into} no force row level security`),
    statement(
      `select st_xmin(n), st_ymin(n), st_xmax(n), st_ymax(n), st_xmin(w), st_ymin(w), st_xmax(w), st_ymax(w), srid
         from (select n, srid, st_transform(st_setsrid(st_segmentize(n::geometry, greatest(st_xmax(n) - st_xmin(n), st_ymax(n) - st_ymin(n), 1e-9) / 20), srid), 4326) as w
                 from (select st_extent(${column}) as n, max(st_srid(${column})) as srid from ${into}) e) x`,
    ),
    statement(`alter table ${into} force row level security`),
  ]);
  if (!found.ok) return found;
  const numbers = (found.value[2]?.[0] ?? []).map(Number);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, srid = 4326] = numbers;
  const moved = await execute(session, [
    AS_SERVICE,
    statement(
      'update portal.resource set bbox_polygon = $2, ll_bbox_polygon = $3 where id = $1',
      String(target),
      boxText([a, b, c, d], srid),
      boxText([e, f, g, h], 4326),
    ),
  ]);
  return moved.ok ? ok(undefined) : moved;
}

function fits(said: string): Result<never, PublishError> {
  return err({ kind: 'does-not-fit', said });
}

type Rows = readonly (readonly (string | null)[])[];

async function execute(
  session: Session,
  batch: Parameters<Session['execute']>[0],
): Promise<Result<readonly Rows[], PublishError>> {
  const executed = await session.execute(batch);
  if (executed.ok) return ok(executed.value.map(textRows));
  const { error } = executed;
  // Values that cannot be cast, geometries of another kind.
  if (error.kind === 'sql' && /^(?:22|XX000)/.test(error.sqlstate))
    return err({ kind: 'does-not-fit', said: `The data do not fit the layer: ${error.message}.` });
  return err({ kind: 'database', error });
}
