// A table joined to a layer by a key: its values are copied into new columns of the layer, in one transaction. Counting and copying run as
// the caller, so the policies of both tables decide; only the columns are added by their owner. A join can be done again, and looked at
// beforehand.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Session, Statement } from '../../pg/driver.ts';
import { columnNames } from '../../sql/column-names.ts';
import { quoteIdent, quoteLiteral } from '../../sql/index.ts';
import { AS_LOGIN, asCaller } from '../uploads/service-scope.ts';
import { accountName, announceTable, bulkChange, serviceWork, statement } from '../uploads/service-transaction.ts';
import { type ColumnError, execute } from './change-columns.ts';

/** What is to be joined; columns by their names in the table. */
export type WantedJoin = {
  readonly table: number;
  readonly layerKey: string;
  readonly tableKey: string;
  readonly columns: readonly string[];
};

export type JoinOrder =
  | { readonly kind: 'preview' | 'join'; readonly wanted: WantedJoin }
  | { readonly kind: 'again'; readonly join: number };

/** How well the keys fit. */
type JoinCount = {
  /** Of the layer. */
  readonly rows: number;
  readonly matched: number;
  /** Keys that several rows of the table have, and the layer as well. */
  readonly ambiguous: number;
  /** Some of the keys that the other side does not have. */
  readonly unmatched: readonly string[];
  readonly unused: readonly string[];
};

export type Joined = JoinCount & {
  /** Undefined: nothing was joined. */
  readonly id: number | undefined;
  readonly columns: readonly { readonly from: string; readonly to: string }[];
};

export async function joinTable(
  db: CallerDb,
  caller: Caller,
  target: number,
  order: JoinOrder,
): Promise<Result<Joined, ColumnError>> {
  return serviceWork(db, (session) => joinIn(session, caller, target, order));
}

type Column = {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly xsd: string;
  readonly number: boolean;
  readonly shape: boolean;
};
type Side = { readonly table: string; readonly key: string | null; readonly columns: readonly Column[] };
type Sides = { readonly layer: Side; readonly table: Side };
type Pair = { readonly from: string; readonly to: string };
/** A join that was made before. */
type KnownJoin = { readonly id: number; readonly pairs: readonly Pair[] };

async function joinIn(
  session: Session,
  caller: Caller,
  target: number,
  order: JoinOrder,
): Promise<Result<Joined, ColumnError>> {
  const asked = order.kind === 'again' ? await readJoin(session, caller, target, order.join) : ok(order.wanted);
  if (!asked.ok) return asked;
  const { table, layerKey, tableKey } = asked.value;
  const read = await execute(session, [
    asCaller(caller),
    order.kind === 'preview' ? sidesOf('join_sides', target, table) : sidesOf('hold_join', target, table),
  ]);
  if (!read.ok) return read;
  const sides = JSON.parse(read.value[1]?.[0]?.[0] ?? 'null') as Sides;
  const keys = keysOf(sides, layerKey, tableKey);
  if (!keys.ok) return keys;
  const counted = await count(session, sides, keys.value);
  if (!counted.ok) return counted;
  if (order.kind === 'preview') return ok({ ...counted.value, id: undefined, columns: [] });
  if (counted.value.ambiguous > 0)
    return refused(
      `${counted.value.ambiguous} keys of the layer are in several rows of the table, so that it is not clear which values are meant: choose another key.`,
    );
  const known = 'known' in asked.value ? ok(asked.value.known) : await sameJoin(session, target, asked.value);
  if (!known.ok) return known;
  const pairs =
    known.value === undefined
      ? await addColumns(session, target, sides, 'columns' in asked.value ? asked.value.columns : [])
      : knownPairs(sides, known.value.pairs);
  if (!pairs.ok) return pairs;
  const copied = await copyValues(session, caller, sides, keys.value, pairs.value);
  if (!copied.ok) return copied;
  const { rows, matched } = counted.value;
  const noted = await execute(session, [
    // Who may not read the table any more, or whose table was deleted meanwhile, has joined nothing.
    sidesOf('join_sides', target, table),
    AS_LOGIN,
    statement(
      'select portal.note_join($1, $2, $3, array[$4, $5], $6, $7, $8, $9)',
      String(target),
      String(table),
      known.value === undefined ? null : String(known.value.id),
      layerKey,
      tableKey,
      JSON.stringify(pairs.value),
      String(rows),
      String(matched),
      accountName(caller),
    ),
    ...(known.value !== undefined ? [] : [announceTable(relation(sides.layer))]),
  ]);
  return noted.ok ? ok({ ...counted.value, id: Number(noted.value[2]?.[0]?.[0]), columns: pairs.value }) : noted;
}

async function readJoin(
  session: Session,
  caller: Caller,
  target: number,
  join: number,
): Promise<Result<Omit<WantedJoin, 'columns'> & { readonly known: KnownJoin }, ColumnError>> {
  const read = await execute(session, [
    asCaller(caller),
    statement('select portal.layer_join($1, $2)', String(target), String(join)),
  ]);
  if (!read.ok) return read;
  const cell = read.value[1]?.[0]?.[0];
  if (cell === null || cell === undefined) return err({ kind: 'no-column' });
  const known = JSON.parse(cell) as {
    readonly table: number;
    readonly layer_key: string;
    readonly table_key: string;
    readonly columns: readonly Pair[];
  };
  return ok({
    table: known.table,
    layerKey: known.layer_key,
    tableKey: known.table_key,
    known: { id: join, pairs: known.columns },
  });
}

/** The same join made before: wished for twice, by a second click or in a second window, it is done again. */
async function sameJoin(
  session: Session,
  target: number,
  { table, layerKey, tableKey, columns }: WantedJoin,
): Promise<Result<KnownJoin | undefined, ColumnError>> {
  const read = await execute(session, [statement('select portal.layer_joins($1)', String(target))]);
  if (!read.ok) return read;
  const { joins } = JSON.parse(read.value[0]?.[0]?.[0] ?? '{"joins":[]}') as { readonly joins: readonly ListedJoin[] };
  const wanted = new Set(columns);
  const found = joins.find(
    (join) =>
      join.table === String(table) &&
      join.layer_key === layerKey &&
      join.table_key === tableKey &&
      join.columns.length === wanted.size &&
      join.columns.every(({ from }) => wanted.has(from)),
  );
  return ok(found === undefined ? undefined : { id: found.id, pairs: found.columns });
}

type ListedJoin = {
  readonly id: number;
  /** Null: the caller does not see it. */
  readonly table: string | null;
  readonly layer_key: string;
  readonly table_key: string;
  readonly columns: readonly Pair[];
};

function sidesOf(name: 'join_sides' | 'hold_join', target: number, table: number): Statement {
  return statement(`select portal.${name}($1, $2)`, String(target), String(table));
}

const relation = ({ table }: Side): string => `layers.${quoteIdent(table)}`;

/** Both keys as SQL, with `l` for the layer and `t` for the table: numbers are equal as numbers, anything else as trimmed text. */
type Keys = { readonly ofLayer: string; readonly ofTable: string };

function keysOf(sides: Sides, layerKey: string, tableKey: string): Result<Keys, ColumnError> {
  const ofLayer = sides.layer.columns.find(({ name }) => name === layerKey);
  const ofTable = sides.table.columns.find(({ name }) => name === tableKey);
  if (ofLayer === undefined || ofLayer.shape) return refused(`The layer has no column "${layerKey}" to join by.`);
  if (ofTable === undefined || ofTable.shape) return refused(`The table has no column "${tableKey}" to join by.`);
  const areNumbers = ofLayer.number && ofTable.number;
  const write = (alias: string, { name }: Column): string => {
    const column = `${alias}.${quoteIdent(name)}`;
    return areNumbers ? `${column}::numeric` : `nullif(btrim(${column}::text), '')`;
  };
  return ok({ ofLayer: write('l', ofLayer), ofTable: write('t', ofTable) });
}

const SOME = 5;
const MAX_SHOWN = 60;

async function count(session: Session, sides: Sides, keys: Keys): Promise<Result<JoinCount, ColumnError>> {
  const counted = await execute(session, [
    statement(
      `with l as materialized (select ${keys.ofLayer} as k, count(*) as n from ${relation(sides.layer)} l group by 1),
            t as materialized (select ${keys.ofTable} as k, count(*) as n from ${relation(sides.table)} t group by 1)
       select (select coalesce(sum(l.n), 0) from l), (select coalesce(sum(l.n), 0) from l join t on t.k = l.k),
              (select count(*) from l join t on t.k = l.k where t.n > 1),
              (select coalesce(json_agg(left(x.k::text, ${MAX_SHOWN})), '[]') from (
                 select l.k from l where l.k is not null and not exists (select from t where t.k = l.k) order by l.k limit ${SOME}) x),
              (select coalesce(json_agg(left(x.k::text, ${MAX_SHOWN})), '[]') from (
                 select t.k from t where t.k is not null and not exists (select from l where l.k = t.k) order by t.k limit ${SOME}) x)`,
    ),
  ]);
  if (!counted.ok) return counted;
  const [rows, matched, ambiguous, unmatched, unused] = counted.value[0]?.[0] ?? [];
  return ok({
    rows: Number(rows),
    matched: Number(matched),
    ambiguous: Number(ambiguous),
    unmatched: JSON.parse(unmatched ?? '[]') as readonly string[],
    unused: JSON.parse(unused ?? '[]') as readonly string[],
  });
}

/** Those of a join that was made before, as long as they are all there. */
function knownPairs(sides: Sides, pairs: readonly Pair[]): Result<readonly Pair[], ColumnError> {
  const has = ({ columns }: Side, wanted: string): boolean => columns.some(({ name }) => name === wanted);
  const left = pairs.filter(({ to }) => has(sides.layer, to));
  const gone = left.find(({ from }) => !has(sides.table, from));
  if (gone !== undefined) return refused(`The table has no column "${gone.from}" any more.`);
  return left.length > 0 ? ok(left) : refused('The layer has none of the columns of this join any more.');
}

async function addColumns(
  session: Session,
  target: number,
  sides: Sides,
  wanted: readonly string[],
): Promise<Result<readonly Pair[], ColumnError>> {
  const columns: Column[] = [];
  for (const name of new Set(wanted)) {
    const found = sides.table.columns.find((column) => column.name === name);
    if (found === undefined) return refused(`The table has no column "${name}".`);
    if (found.shape) return refused(`"${name}" holds places, which a layer has already.`);
    columns.push(found);
  }
  const labels = new Set(columns.map(({ label }) => label));
  const labelOf = ({ label, name }: Column): string => (labels.size === columns.length ? label : name);
  const names = columnNames(
    columns.map(labelOf),
    sides.layer.columns.map(({ name }) => name),
  );
  const pairs = columns.map((column) => ({
    from: column.name,
    to: names.get(labelOf(column)) ?? column.name,
    label: labelOf(column),
    column,
  }));
  const into = relation(sides.layer);
  const added = await execute(session, [
    AS_LOGIN,
    ...pairs.flatMap(({ to, label, column: { type, xsd } }) => [
      statement(`alter table ${into} add column ${quoteIdent(to)} ${type}`),
      statement(`comment on column ${into}.${quoteIdent(to)} is ${label === to ? 'null' : quoteLiteral(label)}`),
      statement(`select portal.column_added($1, $2, $3, $4, '{}')`, String(target), to, label, xsd),
    ]),
  ]);
  return added.ok ? ok(pairs.map(({ from, to }) => ({ from, to }))) : added;
}

/** Rows without a match have nothing in the columns; rows that have the values already are not written. */
async function copyValues(
  session: Session,
  caller: Caller,
  sides: Sides,
  keys: Keys,
  pairs: readonly Pair[],
): Promise<Result<unknown, ColumnError>> {
  const { key } = sides.layer;
  if (key === null) return refused('The table of the layer has no key of one column.');
  const list = (part: (pair: Pair, i: number) => string, between = ', '): string => pairs.map(part).join(between);
  return execute(session, [
    asCaller(caller),
    // One entry in the layer's history.
    bulkChange('join', caller),
    statement(
      `update ${relation(sides.layer)} f set ${list(({ to }, i) => `${quoteIdent(to)} = s.v${i}`)}
         from (select l.${quoteIdent(key)} as k, ${list(({ from }, i) => `t.${quoteIdent(from)} as v${i}`)}
                 from ${relation(sides.layer)} l left join ${relation(sides.table)} t on ${keys.ofTable} = ${keys.ofLayer}) s
        where f.${quoteIdent(key)} = s.k and (${list(({ to }, i) => `f.${quoteIdent(to)}::text is distinct from s.v${i}::text`, ' or ')})`,
    ),
  ]);
}

function refused(said: string): Result<never, ColumnError> {
  return err({ kind: 'refused', said });
}
