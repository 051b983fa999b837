// The type of a column changed. Values that cannot be read in the new type are counted first, in the rows that the caller sees and in all of them. The
// texts of all values are kept, so that the change is undone as one step. Who may, the database says; the table is changed by its owner.

import { type Caller, turnOf } from '../../auth/caller.ts';
import type { RequestInfo } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { RowSql } from '../../layer-ports/expression.ts';
import type { Session } from '../../pg/driver.ts';
import { ident, quoteIdent, sql } from '../../sql/index.ts';
import { AS_LOGIN, asCaller } from '../uploads/service-scope.ts';
import {
  accountName,
  announceTable,
  bulkChange,
  serviceWork,
  statement,
  timeLimit,
} from '../uploads/service-transaction.ts';
import { type CalculationError, type CalculationParts, mostRows, refused, run, toStatement } from './calculate.ts';
import {
  type ColumnError,
  changeable,
  execute,
  PLAIN_TEXTS,
  readTable,
  requiredIfFull,
  type Table,
} from './change-columns.ts';
import { COLUMN_KINDS, type ColumnKind, kindOfType, typeOfKind } from './column-kinds.ts';
import type { RestoredRows } from './restored-rows.ts';

export type Retyping = {
  readonly column: string;
  readonly type: ColumnKind;
  /** Values that cannot be read become empty; otherwise nothing is done. */
  readonly empties: boolean;
};

export type Retyped = {
  readonly rows: number;
  readonly unreadable: number;
  /** By which it is undone. */
  readonly kept: number;
};

const RUN_MS = 120_000;
const AT_ONCE = 1000;

export async function retypeColumn(
  parts: CalculationParts,
  caller: Caller,
  info: RequestInfo,
  layer: number,
  wanted: Retyping,
): Promise<Result<Retyped, CalculationError>> {
  const found = await parts.layers.findTable(caller, info, String(layer));
  if (!found.ok) return err(found.error.kind === 'database' ? found.error : { kind: 'no-column' });
  const compiled = parts.compile(found.value, {
    expression: { property: wanted.column },
    filter: undefined,
    type: typeOfKind(wanted.type),
  });
  if (!compiled.ok) return err({ kind: 'expression', ...compiled.error });
  const { value, fails } = compiled.value;
  return serviceWork(
    parts.db,
    (session) => retypeIn(session, caller, layer, wanted, { value, fails: fails ?? sql`false` }, mostRows(parts)),
    { caller: turnOf(caller), timeLimitMs: RUN_MS },
  );
}

type Read = { readonly value: RowSql; readonly fails: RowSql };

async function retypeIn(
  session: Session,
  caller: Caller,
  layer: number,
  { column, type, empties }: Retyping,
  { value, fails }: Read,
  most: number,
): Promise<Result<Retyped, CalculationError>> {
  const table = await readTable(session, caller, layer);
  if (!table.ok) return table;
  const found = changeable(table.value, column);
  if (!found.ok) return found;
  if (table.value.key === undefined) return refused(NO_KEY);
  const { relation } = table.value;
  const from: RowSql = sql`from ${ident('layers', nameOf(relation))} as f`;
  const counted = await run(session, [
    timeLimit(RUN_MS),
    asCaller(caller),
    toStatement(sql`select count(*) ${from} where ${fails}`),
    AS_LOGIN,
    // The owner of a protected table is held back by its policies like everybody; the permission was asked for above.
    statement(`alter table ${relation} no force row level security`),
    toStatement(sql`select count(*), count(*) filter (where ${fails}) ${from}`),
  ]);
  if (!counted.ok) return counted;
  const seen = Number(counted.value[2]?.[0]?.[0] ?? 0);
  const [rows = 0, failing = 0] = (counted.value[5]?.[0] ?? []).map(Number);
  if (rows > most) return refused(`At most ${most} rows are changed at once.`);
  if (failing > seen)
    return refused(
      `${failing - seen} values of rows that you do not see cannot be read in the new type: nothing was changed.`,
    );
  if (failing > 0 && !empties)
    return refused(`${failing} of ${rows} values cannot be read in the new type: nothing was changed.`);
  const text: RowSql = sql`(${value})::text`;
  const kept = await rewrite(session, caller, layer, table.value, {
    column,
    from: found.value.type,
    to: typeOfKind(type),
    isRequired: found.value.required,
    // What is kept of the rows; `k`: the key, `o`: before, `n`: after.
    rows: sql`select ${ident('f', table.value.key)}::text as k, ${ident('f', column)}::text as o, ${text} as n ${from} where ${ident('f', column)} is not null`,
  });
  return kept.ok ? ok({ rows, unreadable: failing, kept: kept.value }) : kept;
}

type Rewriting = {
  readonly column: string;
  readonly from: string;
  readonly to: string;
  readonly isRequired: boolean;
  readonly rows: RowSql;
};

/** Under which number it is kept. No value is ever cast as a whole column: what each becomes is known beforehand. */
async function rewrite(
  session: Session,
  caller: Caller,
  layer: number,
  { relation, key }: Table,
  { column, from, to, isRequired, rows }: Rewriting,
): Promise<Result<number, CalculationError>> {
  const details = JSON.stringify({ column, from, to });
  const noted = await run(session, [
    statement('select portal.keep_column_change($1, $2, $3, $4)', String(layer), 'type', accountName(caller), details),
  ]);
  if (!noted.ok) return noted;
  const kept = noted.value[0]?.[0]?.[0] ?? '';
  const cell = quoteIdent(column);
  const alter = `alter table ${relation} alter column ${cell}`;
  const xsd = kindOfType(to);
  const done = await run(session, [
    ...PLAIN_TEXTS,
    bulkChange('type', caller),
    toStatement(sql`select portal.keep_rows(${{ text: kept }}::bigint, array_agg(jsonb_build_object('k', p.k, 'o', p.o, 'n', p.n)))
      from (select r.k, r.o, r.n, row_number() over () / ${{ text: String(AT_ONCE) }}::integer as part from (${rows}) r) p group by p.part`),
    ...(isRequired ? [statement(`${alter} drop not null`)] : []),
    statement(`${alter} type ${to} using null::${to}`),
    statement(
      `update ${relation} t set ${cell} = (r.content ->> 'n')::${to} from portal.kept_rows($1) r(content)
        where t.${quoteIdent(key ?? '')}::text = r.content ->> 'k' and r.content ->> 'n' is not null`,
      kept,
    ),
    ...(isRequired ? [requiredIfFull(relation, cell)] : []),
    statement(`alter table ${relation} force row level security`),
    statement(
      'select portal.column_typed($1, $2, $3)',
      String(layer),
      column,
      xsd === undefined ? 'xsd:string' : COLUMN_KINDS[xsd],
    ),
    announceTable(relation),
  ]);
  return done.ok ? ok(Number(kept)) : done;
}

/** Values that somebody has changed since stay, as far as the former type can hold them. */
export async function undoRetyping(
  session: Session,
  caller: Caller,
  layer: number,
  kept: string,
): Promise<Result<RestoredRows, ColumnError>> {
  const table = await readTable(session, caller, layer);
  if (!table.ok) return table;
  const asked = await execute(session, [
    asCaller(caller),
    statement('select portal.kept_details($1, $2)', String(layer), kept),
    AS_LOGIN,
  ]);
  if (!asked.ok) return asked;
  const { column, from, to } = JSON.parse(asked.value[1]?.[0]?.[0] ?? '{}') as Readonly<Record<string, string>>;
  if (column === undefined || from === undefined || to === undefined) return err({ kind: 'no-column' });
  const found = changeable(table.value, column);
  if (!found.ok) return err({ kind: 'refused', said: `The column "${column}" is not there any more.` });
  if (found.value.type !== to) return err({ kind: 'refused', said: `The column "${column}" has another type by now.` });
  const { relation, key } = table.value;
  if (key === undefined) return err({ kind: 'refused', said: NO_KEY });
  const now: RowSql = sql`${ident('t', column)}::text`;
  const was: RowSql = sql`(select r ->> 'k' as k, r ->> 'o' as o, r ->> 'n' as n from portal.kept_rows(${{ text: kept }}::bigint) r) w`;
  const pairs: RowSql = sql`${ident('layers', nameOf(relation))} t left join ${was} on w.k = ${ident('t', key)}::text`;
  const counted = await run(session, [
    ...PLAIN_TEXTS,
    statement(`alter table ${relation} no force row level security`),
    toStatement(
      sql`select count(*), count(w.k) filter (where ${now} is not distinct from w.n), count(w.k) filter (where ${now} is distinct from w.n) from ${pairs}`,
    ),
  ]);
  if (!counted.ok) return asColumnError(counted.error);
  const [rows = 0, restored = 0, stayed = 0] = (counted.value.at(-1)?.[0] ?? []).map(Number);
  const rewritten = await rewrite(session, caller, layer, table.value, {
    column,
    from: to,
    to: from,
    isRequired: found.value.required,
    rows: sql`select ${ident('t', key)}::text as k, ${now} as o,
        case when w.k is not null and ${now} is not distinct from w.n then w.o else ${now} end as n from ${pairs}`,
  });
  if (!rewritten.ok) return asColumnError(rewritten.error);
  const ended = await execute(session, [statement('select portal.forget_kept($1)', kept)]);
  return ended.ok ? ok({ before: rows, after: rows, restored, stayed }) : ended;
}

const NO_KEY = 'The table has no key of one column, so that this could not be undone.';

function asColumnError(error: CalculationError): Result<never, ColumnError> {
  return err(error.kind === 'expression' ? { kind: 'refused', said: error.said } : error);
}

/** `layers."x"` → `x`. */
function nameOf(relation: string): string {
  return relation.slice('layers."'.length, -1).replaceAll('""', '"');
}
