// A column calculated: tried on some rows, or done in one transaction. Reading and writing run as the caller, so the policies of the table decide; only a
// new column is added by the owner. What was overwritten is kept, so that all of it is undone as one step.

import { type Caller, turnOf } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { CompiledExpression, CompileExpression, ExpressionFault, RowSql } from '../../layer-ports/expression.ts';
import type { LayerTable } from '../../layer-ports/layer.ts';
import type { LayerAccess } from '../../layer-ports/layer-access.ts';
import type { DbError, Session, Statement } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { empty, ident, join, literal, render, sql } from '../../sql/index.ts';
import { AS_LOGIN, asCaller } from '../uploads/service-scope.ts';
import { accountName, bulkChange, serviceWork, statement, timeLimit } from '../uploads/service-transaction.ts';
import type { Calculation } from './calculation.ts';
import { type ColumnError, changeIn, PLAIN_TEXTS } from './change-columns.ts';
import { kindOfType, typeOfKind } from './column-kinds.ts';

export type CalculationParts = {
  readonly db: CallerDb;
  readonly layers: LayerAccess;
  readonly compile: CompileExpression;
};

export type CalculationError = ColumnError | ({ readonly kind: 'expression' } & ExpressionFault);

type SampleRow = {
  readonly key: unknown;
  /** Of the columns that the expression reads. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly before: unknown;
  readonly after: unknown;
};

type RowCounts = {
  /** That the condition is true of. */
  readonly matching: number;
  readonly changed: number;
  /** In which something cannot be read, or has no place in the column. */
  readonly unreadable: number;
};

export type CalculationPreview = {
  /** As format_type prints it. */
  readonly type: string;
  readonly rows: RowCounts;
  readonly changes: readonly SampleRow[];
  readonly unreadable: readonly SampleRow[];
};

export type Calculated = {
  readonly column: string;
  readonly type: string;
  readonly rows: RowCounts & {
    /** That rules of the table keep as they are. */
    readonly held_back: number;
  };
  /** By which it is undone. */
  readonly kept: number;
};

const SHOWN = 10;
const SHOWN_VALUES = 5;
const PREVIEW_MS = 10_000;
const RUN_MS = 120_000;
/** What is overwritten is kept, row by row. */
const MAX_CALCULATED = 1_000_000;
/** Where callers take turns, everybody else waits for all of it: a second for so many rows, two for another type. */
const LONE_CALCULATED = 20_000;
const AT_ONCE = 1000;

/** At once, on this engine. */
export function mostRows({ db }: Pick<CalculationParts, 'db'>): number {
  return db.driver.can.overlap ? MAX_CALCULATED : LONE_CALCULATED;
}

type Prepared = {
  readonly table: LayerTable;
  readonly compiled: CompiledExpression;
  /** Of the row `f`; undefined: the column is new. */
  readonly column: string | undefined;
};

async function prepare(
  { layers, compile }: CalculationParts,
  caller: Caller,
  info: RequestInfo,
  layer: number,
  { into, expression, filter }: Calculation,
): Promise<Result<Prepared, CalculationError>> {
  const found = await layers.findTable(caller, info, String(layer));
  if (!found.ok) return err(found.error.kind === 'database' ? found.error : { kind: 'no-column' });
  const table = found.value;
  const type = into.kind === 'new' ? into.type && typeOfKind(into.type) : typeOfColumn(table, into.name);
  if (typeof type === 'object') return err(type);
  const compiled = compile(table, { expression, filter, type });
  if (!compiled.ok) return err({ kind: 'expression', ...compiled.error });
  return ok({ table, compiled: compiled.value, column: into.kind === 'new' ? undefined : into.name });
}

function typeOfColumn({ columns, primaryKey }: LayerTable, name: string): string | ColumnError {
  const column = columns.find((one) => one.name === name);
  if (column === undefined)
    return { kind: 'refused', said: `There is no column "${name.slice(0, 100)}" to calculate.` };
  if (name === primaryKey) return { kind: 'refused', said: 'The key of a layer stays as it is.' };
  if (column.generated) return { kind: 'refused', said: 'The database fills this column by itself.' };
  return column.type;
}

export async function previewCalculation(
  parts: CalculationParts,
  caller: Caller,
  info: RequestInfo,
  layer: number,
  wanted: Calculation,
): Promise<Result<CalculationPreview, CalculationError>> {
  const prepared = await prepare(parts, caller, info, layer, wanted);
  if (!prepared.ok) return prepared;
  const { compiled } = prepared.value;
  const most = mostRows(parts);
  const begun = [statement('select portal.changeable_table($1)', String(layer)), timeLimit(PREVIEW_MS), ...PLAIN_TEXTS];
  // A statement of its own: it is asked while somebody types, and what would not be calculated is not tried on all rows either.
  const counted = await parts.db.read(caller, info, [...begun, countUpTo(most, rowsOf(prepared.value))], {
    timeLimitMs: PREVIEW_MS,
  });
  if (!counted.ok) return err(faultOf(counted.error));
  if (Number(counted.value.flatMap(textRows).at(-1)?.[0]) > most) return tooMany(most);
  const executed = await parts.db.read(
    caller,
    info,
    [
      ...begun,
      sampleStatement(prepared.value, sql`${after(compiled)} is distinct from ${before(prepared.value)}`),
      sampleStatement(prepared.value, compiled.fails ?? sql`false`),
      countStatement(prepared.value),
    ],
    { timeLimitMs: PREVIEW_MS },
  );
  if (!executed.ok) return err(faultOf(executed.error));
  const [changes, unreadable, rows] = executed.value
    .slice(-3)
    .map((result) => JSON.parse(textRows(result)[0]?.[0] ?? 'null') as unknown);
  return ok({
    type: compiled.type,
    rows: rows as RowCounts,
    changes: changes as readonly SampleRow[],
    unreadable: unreadable as readonly SampleRow[],
  });
}

export function toStatement(fragment: RowSql): Statement {
  const { text, params } = render(fragment);
  return { text, params: params.map((param) => param.text) };
}

const keyOf = ({ primaryKey }: LayerTable): RowSql => ident('f', primaryKey);
const after = ({ value }: CompiledExpression): RowSql => sql`(${value})::text`;

function before({ column }: Prepared): RowSql {
  return column === undefined ? sql`null::text` : sql`${ident('f', column)}::text`;
}

function rowsOf({ table, compiled }: Prepared): RowSql {
  return sql`from ${ident('layers', table.table)} as f where ${compiled.condition}`;
}

/** One cell: a list as JSON. */
function sampleStatement(prepared: Prepared, condition: RowSql): Statement {
  const { table, compiled, column } = prepared;
  const values = compiled.reads
    .slice(0, SHOWN_VALUES)
    .map((name): RowSql => sql`${literal(name)}, ${ident('f', name)}`);
  const row: RowSql = sql`json_build_object('key', ${keyOf(table)}, 'values', json_build_object(${join(values)}),
    'before', ${column === undefined ? sql`null::text` : ident('f', column)}, 'after', ${compiled.value})`;
  return toStatement(
    sql`select coalesce(json_agg(s.j), '[]') from (select ${row} as j ${rowsOf(prepared)} and ${condition} order by ${keyOf(table)} limit ${count(SHOWN)}) s`,
  );
}

function count(of: number): RowSql {
  return sql`${{ text: String(of) }}::integer`;
}

/** One more than `most` is enough to know. */
function countUpTo(most: number, rows: RowSql): Statement {
  return toStatement(sql`select count(*) from (select ${rows} limit ${count(most + 1)}) x`);
}

function tooMany(most: number): Result<never, CalculationError> {
  return refused(`At most ${most} rows are calculated at once: choose fewer by a filter.`);
}

function countStatement(prepared: Prepared): Statement {
  const { compiled } = prepared;
  return toStatement(sql`select json_build_object('matching', count(*), 'changed', count(*) filter (where c.n is distinct from c.o),
      'unreadable', count(*) filter (where c.x))
    from (select ${before(prepared)} as o, ${after(compiled)} as n, ${compiled.fails ?? sql`false`} as x ${rowsOf(prepared)} offset 0) c`);
}

export async function calculate(
  parts: CalculationParts,
  caller: Caller,
  info: RequestInfo,
  layer: number,
  wanted: Calculation,
): Promise<Result<Calculated, CalculationError>> {
  const prepared = await prepare(parts, caller, info, layer, wanted);
  if (!prepared.ok) return prepared;
  return serviceWork(
    parts.db,
    (session) => calculateIn(session, caller, layer, wanted, prepared.value, mostRows(parts)),
    { caller: turnOf(caller), timeLimitMs: RUN_MS },
  );
}

async function calculateIn(
  session: Session,
  caller: Caller,
  layer: number,
  { into, unreadable }: Calculation,
  { table, compiled, column: known }: Prepared,
  most: number,
): Promise<Result<Calculated, CalculationError>> {
  const rows: RowSql = rowsOf({ table, compiled, column: known });
  const held = await run(session, [
    asCaller(caller),
    statement('select portal.hold_table($1)', String(layer)),
    countUpTo(most, rows),
  ]);
  if (!held.ok) return held;
  if (Number(held.value[2]?.[0]?.[0]) > most) return tooMany(most);
  const added = await addWanted(session, caller, layer, into, compiled.type);
  if (!added.ok) return added;
  const column = added.value;
  const details = { column, created: known === undefined };
  const kept = await run(session, [
    AS_LOGIN,
    statement(
      'select portal.keep_column_change($1, $2, $3, $4)',
      String(layer),
      'calculate',
      accountName(caller),
      JSON.stringify(details),
    ),
  ]);
  if (!kept.ok) return kept;
  const number = kept.value[1]?.[0]?.[0] ?? '';
  const done = await run(session, [
    asCaller(caller),
    // Types are named as they were read.
    statement(`select set_config('search_path', '"portal", "public"', true)`),
    ...PLAIN_TEXTS,
    bulkChange('calculate', caller),
    timeLimit(RUN_MS),
    updateStatement({ table, compiled, column: known }, column, number, unreadable === 'keep'),
    AS_LOGIN,
  ]);
  if (!done.ok) return done;
  const [matching = 0, failed = 0, differing = 0, changed = 0] = (done.value.at(-2)?.[0] ?? []).map(Number);
  if (unreadable === 'refuse' && failed > 0)
    return refused(
      `${failed} of ${matching} values cannot be read, or have no place in the column: nothing was changed. "unreadable" says what becomes of them.`,
    );
  return ok({
    column,
    type: compiled.type,
    rows: { matching, changed, unreadable: failed, held_back: differing - changed },
    kept: Number(number),
  });
}

async function addWanted(
  session: Session,
  caller: Caller,
  layer: number,
  into: Calculation['into'],
  type: string,
): Promise<Result<string, CalculationError>> {
  if (into.kind === 'column') return ok(into.name);
  const kind = kindOfType(type);
  if (kind === undefined) return refused('A new column has one of the types that columns can be given.');
  return changeIn(session, caller, layer, { kind: 'add', label: into.label, type: kind });
}

/** One row: rows that were meant, those that could not be read, those that differ, those that were changed. */
function updateStatement(prepared: Prepared, column: string, kept: string, leavesUnread: boolean): Statement {
  const { table, compiled } = prepared;
  const [key, relation]: readonly RowSql[] = [keyOf(table), ident('layers', table.table)];
  if (key === undefined || relation === undefined) throw new Error('a table has a key and a name');
  const differs: RowSql = sql`b.o is distinct from b.n::text${leavesUnread ? sql` and b.x is not true` : empty}`;
  return toStatement(sql`with before as materialized (
      select ${key} as k, ${before(prepared)} as o, ${compiled.value} as n, ${compiled.fails ?? sql`false`} as x ${rowsOf(prepared)}),
    changed as (
      update ${relation} as f set ${ident(column)} = b.n from before b where ${key} = b.k and ${differs}
        returning ${key}::text as k, b.o as o, ${ident('f', column)}::text as n),
    kept as (
      select portal.keep_changed(${{ text: kept }}::bigint, array_agg(p.k), array_agg(p.o), array_agg(p.n)) as n
        from (select c.k, c.o, c.n, row_number() over () / ${count(AT_ONCE)} as part from changed c) p group by p.part)
    select (select count(*) from before), (select count(*) from before b where b.x), (select count(*) from before b where ${differs}),
           (select count(*) from changed), (select sum(kept.n) from kept)`);
}

type Rows = readonly (readonly (string | null)[])[];

export async function run(
  session: Session,
  batch: readonly Statement[],
): Promise<Result<readonly Rows[], CalculationError>> {
  const executed = await session.execute(batch);
  return executed.ok ? ok(executed.value.map(textRows)) : err(faultOf(executed.error));
}

/** What the database says of the values themselves is said to the caller. */
function faultOf(error: DbError): CalculationError {
  if (error.kind !== 'sql') return { kind: 'database', error };
  if (error.sqlstate === '57014')
    return {
      kind: 'refused',
      said: 'It took too long: choose fewer rows by a filter, or calculate something simpler.',
    };
  switch (error.sqlstate) {
    case '0A000':
    case '2BP01':
      return {
        kind: 'refused',
        said: 'Something in the database is made of this column, such as a view: change that first.',
      };
    case '42804':
    case '42883':
      return {
        kind: 'refused',
        said: 'The default or a rule of this column does not go with the type: change that first.',
      };
    case '42501':
      if (/must be owner/.test(error.message))
        return {
          kind: 'refused',
          said: 'The table belongs to another role of the database, which changes its columns.',
        };
  }
  if (error.sqlstate.startsWith('23'))
    return {
      kind: 'refused',
      said: `A rule of the table (${error.about?.constraint ?? error.about?.column ?? ''}) refuses one of the values.`,
    };
  if (/^(?:22|54|XX000)/.test(error.sqlstate) && error.sqlstate !== '22023')
    return { kind: 'refused', said: `The database said "${error.message}".` };
  return { kind: 'database', error };
}

export function refused(said: string): Result<never, CalculationError> {
  return err({ kind: 'refused', said });
}
