// Columns of a layer's table: added, renamed, dropped and put back, table and catalogue in one transaction. Who may, the database says; the
// statements that change the table run as its owner. The values of a dropped column are kept by the keys of their rows.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Session, Statement } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { columnNames } from '../../sql/column-names.ts';
import { quoteIdent, quoteLiteral } from '../../sql/index.ts';
import { AS_LOGIN, asCaller } from '../uploads/service-scope.ts';
import { accountName, announceTable, bulkChange, serviceWork, statement } from '../uploads/service-transaction.ts';
import { COLUMN_KINDS, type ColumnKind } from './column-kinds.ts';

export type ColumnChange =
  | { readonly kind: 'add'; readonly label: string; readonly type: ColumnKind }
  | { readonly kind: 'rename'; readonly column: string; readonly label: string }
  | { readonly kind: 'drop'; readonly column: string }
  /** By the number that a dropped column has. */
  | { readonly kind: 'restore'; readonly dropped: number };

export type ColumnError =
  | { readonly kind: 'database'; readonly error: DbError }
  | { readonly kind: 'no-column' }
  /** A sentence for people. */
  | { readonly kind: 'refused'; readonly said: string };

/** The name of the column in the table. */
export async function changeColumns(
  db: CallerDb,
  caller: Caller,
  target: number,
  change: ColumnChange,
): Promise<Result<string, ColumnError>> {
  return serviceWork(db, (session) => changeIn(session, caller, target, change));
}

export type Table = {
  readonly relation: string;
  readonly key: string | undefined;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly fixed: boolean;
    readonly required: boolean;
  }[];
};

/** Within a transaction, which ends as the role that owns the table. */
export async function changeIn(
  session: Session,
  caller: Caller,
  target: number,
  change: ColumnChange,
): Promise<Result<string, ColumnError>> {
  const table = await readTable(session, caller, target);
  if (!table.ok) return table;
  const done = await changeTable(session, caller, target, table.value, change);
  if (!done.ok) return done;
  const told = await execute(session, [announceTable(table.value.relation)]);
  return told.ok ? done : told;
}

function changeTable(
  session: Session,
  caller: Caller,
  target: number,
  table: Table,
  change: ColumnChange,
): Promise<Result<string, ColumnError>> {
  switch (change.kind) {
    case 'add':
      return addColumn(session, target, table, change);
    case 'rename':
      return renameColumn(session, target, table, change);
    case 'drop':
      return dropColumn(session, caller, target, table, change.column);
    case 'restore':
      return restoreColumn(session, caller, target, table, change.dropped);
  }
}

/** Asked as the caller; from here on, the statements are the owner's. */
export async function readTable(session: Session, caller: Caller, target: number): Promise<Result<Table, ColumnError>> {
  const asked = await execute(session, [
    asCaller(caller),
    statement('select portal.managed_table($1)', String(target)),
    statement('select portal.hold_table($1)', String(target)),
    statement(
      `select c ->> 'name', c ->> 'type', c ->> 'fixed', c ->> 'required' from jsonb_array_elements(portal.layer_columns($1) -> 'columns') c`,
      String(target),
    ),
    AS_LOGIN,
  ]);
  if (!asked.ok) return asked;
  const relation = `layers.${quoteIdent(asked.value[1]?.[0]?.[0] ?? '')}`;
  const key = await execute(session, [
    statement(
      `select a.attname from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indrelid = $1::regclass and i.indisprimary and i.indnkeyatts = 1`,
      relation,
    ),
  ]);
  if (!key.ok) return key;
  return ok({
    relation,
    key: key.value[0]?.[0]?.[0] ?? undefined,
    columns: (asked.value[3] ?? []).map(([name, type, fixed, required]) => ({
      name: name ?? '',
      type: type ?? '',
      fixed: fixed === 'true',
      required: required === 'true',
    })),
  });
}

const freeName = (label: string, { columns }: Table, but = ''): string =>
  columnNames(
    [label],
    columns.map(({ name }) => name).filter((name) => name !== but),
  ).get(label) ?? label;

const commented = ({ relation }: Table, name: string, label: string): Statement =>
  statement(`comment on column ${relation}.${quoteIdent(name)} is ${label === name ? 'null' : quoteLiteral(label)}`);

async function addColumn(
  session: Session,
  target: number,
  table: Table,
  { label, type }: Extract<ColumnChange, { kind: 'add' }>,
): Promise<Result<string, ColumnError>> {
  const name = freeName(label, table);
  const added = await execute(session, [
    statement(`alter table ${table.relation} add column ${quoteIdent(name)} ${type}`),
    commented(table, name, label),
    statement(`select portal.column_added($1, $2, $3, $4, '{}')`, String(target), name, label, COLUMN_KINDS[type]),
  ]);
  return added.ok ? ok(name) : added;
}

async function renameColumn(
  session: Session,
  target: number,
  table: Table,
  { column, label }: Extract<ColumnChange, { kind: 'rename' }>,
): Promise<Result<string, ColumnError>> {
  const found = changeable(table, column);
  if (!found.ok) return found;
  const name = freeName(label, table, column);
  const renamed = await execute(session, [
    ...(name === column
      ? []
      : [statement(`alter table ${table.relation} rename column ${quoteIdent(column)} to ${quoteIdent(name)}`)]),
    commented(table, name, label),
    statement('select portal.column_renamed($1, $2, $3, $4)', String(target), column, name, label),
  ]);
  return renamed.ok ? ok(name) : renamed;
}

async function dropColumn(
  session: Session,
  caller: Caller,
  target: number,
  table: Table,
  column: string,
): Promise<Result<string, ColumnError>> {
  const found = changeable(table, column);
  if (!found.ok) return found;
  if (table.key === undefined)
    return err({
      kind: 'refused',
      said: 'The table has no key of one column, so that the values could not be put back.',
    });
  const [key, cell] = [quoteIdent(table.key), quoteIdent(column)];
  const kept = await execute(session, [
    ...PLAIN_TEXTS,
    statement(
      'select portal.keep_column($1, $2, $3, $4, $5)',
      String(target),
      column,
      found.value.type,
      String(found.value.required),
      accountName(caller),
    ),
  ]);
  if (!kept.ok) return kept;
  const dropped = await execute(session, [
    // The owner of a protected table is held back by its policies like everybody; the permission was asked for above.
    statement(`alter table ${table.relation} no force row level security`),
    statement(
      `select portal.keep_values($1, array_agg(k), array_agg(v)) from (
         select ${key}::text as k, ${cell}::text as v, row_number() over () / ${VALUES_AT_ONCE} as part
           from ${table.relation} where ${cell} is not null) x group by part`,
      kept.value.at(-1)?.[0]?.[0] ?? '',
    ),
    statement(`alter table ${table.relation} force row level security`),
    statement(`alter table ${table.relation} drop column ${cell}`),
  ]);
  return dropped.ok ? ok(column) : dropped;
}

async function restoreColumn(
  session: Session,
  caller: Caller,
  target: number,
  table: Table,
  id: number,
): Promise<Result<string, ColumnError>> {
  const kept = await execute(session, [
    // From here on nobody else puts it back.
    statement(`alter table ${table.relation} no force row level security`),
    statement('select * from portal.kept_column($1, $2)', String(target), String(id)),
  ]);
  if (!kept.ok) return kept;
  const [name, type, required, label, xsd, attribute] = kept.value[1]?.[0] ?? [];
  if (typeof name !== 'string' || typeof type !== 'string' || table.key === undefined)
    return err({ kind: 'no-column' });
  if (table.columns.some((column) => column.name === name))
    return err({ kind: 'refused', said: `There is a column "${name}" again: rename it first.` });
  const cell = quoteIdent(name);
  const restored = await execute(session, [
    ...PLAIN_TEXTS,
    bulkChange('restore', caller),
    statement(`alter table ${table.relation} add column ${cell} ${type}`),
    commented(table, name, label ?? name),
    statement(
      `update ${table.relation} t set ${cell} = v.value::${type} from portal.kept_values($1) v where v.key = t.${quoteIdent(table.key)}::text`,
      String(id),
    ),
    ...(required === 't' ? [requiredIfFull(table.relation, cell)] : []),
    statement(`alter table ${table.relation} force row level security`),
    statement(
      'select portal.column_added($1, $2, $3, $4, $5)',
      String(target),
      name,
      label ?? name,
      xsd ?? 'xsd:string',
      attribute ?? '{}',
    ),
    statement('select portal.forget_kept_column($1)', String(id)),
  ]);
  return restored.ok ? ok(name) : restored;
}

/** What was required is so again, unless rows have come meanwhile that are without. */
export function requiredIfFull(relation: string, cell: string): Statement {
  return statement(
    `do $$ begin if not exists (select from ${relation} where ${cell} is null) then alter table ${relation} alter column ${cell} set not null; end if; end $$`,
  );
}

/** Name, type, whether it is the key, whether it is a geometry; of all columns that can be written. */
export function columnsOf(relation: string): Statement {
  return statement(
    `select a.attname, format_type(a.atttypid, a.atttypmod),
       exists (select from pg_index i where i.indrelid = a.attrelid and i.indisprimary and i.indnkeyatts = 1 and a.attnum = i.indkey[0]), t.typname = 'geometry'
       from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum`,
    relation,
  );
}

const VALUES_AT_ONCE = 10_000;

/** Texts of values that can be read back whatever the session likes. */
export const PLAIN_TEXTS: readonly Statement[] = [
  statement(
    `select set_config('datestyle', 'ISO, YMD', true), set_config('intervalstyle', 'postgres', true), set_config('timezone', 'UTC', true),
       set_config('extra_float_digits', '1', true), set_config('bytea_output', 'hex', true)`,
  ),
];

export function changeable(table: Table, column: string): Result<Table['columns'][number], ColumnError> {
  const found = table.columns.find(({ name }) => name === column);
  if (found === undefined) return err({ kind: 'no-column' });
  if (found.fixed) return err({ kind: 'refused', said: 'The key and the shape of a layer stay as they are.' });
  return ok(found);
}

type Rows = readonly (readonly (string | null)[])[];

/** Statements in a row; what a table does not allow is told in words. */
export async function execute(
  session: Session,
  batch: readonly Statement[],
): Promise<Result<readonly Rows[], ColumnError>> {
  const executed = await session.execute(batch);
  if (executed.ok) return ok(executed.value.map(textRows));
  const { error } = executed;
  if (error.kind !== 'sql') return err({ kind: 'database', error });
  switch (error.sqlstate) {
    case '2BP01':
      return err({
        kind: 'refused',
        said: 'Something in the database is made of this column, such as a view: change that first.',
      });
    case '42P01':
      return err({ kind: 'refused', said: 'The table has been deleted in the meantime.' });
    case '54011':
      return err({ kind: 'refused', said: 'The table has as many columns as a table can have.' });
    case '42501':
      return err(
        /must be owner/.test(error.message)
          ? { kind: 'refused', said: 'The table belongs to another role of the database, which changes its columns.' }
          : { kind: 'database', error },
      );
    default:
      return err({ kind: 'database', error });
  }
}
