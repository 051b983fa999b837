// Plan → the statements of its batch: one main statement, and an EXPLAIN beside it where a planned count is asked for.
// Total: every plan has its SQL.

import { assertNever } from '../../kernel/assert-never.ts';
import { ident, join, type Rendered, raw, render } from '../../sql/index.ts';
import { isColumnar } from '../plan/columnar.ts';
import { FEW_TEXTS } from '../plan/few-rows.ts';
import type {
  BodyFormat,
  CallPlan,
  CountPlan,
  Explain,
  KeyColumn,
  MutatePlan,
  Mutation,
  Output,
  QueryPlan,
  ReadNode,
  ReadPlan,
  Seek,
} from '../plan/plan.ts';
import type { Procedure, Routine } from '../schema-cache/schema-cache.ts';
import { type Bind, type Sql, sql } from './bind.ts';
import { bodySql, ROWS, type RowShape, type RowText, rowTextSql, TABLE_ROWS } from './body-sql.ts';
import { callSql } from './call-sql.ts';
import { type CopyQuery, copyQuery } from './copy-sql.ts';
import { keyTextsSql, shownColumnsSql } from './keyset-sql.ts';
import { type LevelLayout, levelsSql } from './levels-sql.ts';
import { aroundMutation, mutateSql, returnedColumnsSql } from './mutate-sql.ts';
import { handedOnProblemSql, nestedCtes, nestedHandOnSql, writtenRowsSql } from './nested-sql.ts';
import { outputsSql, procedureSql } from './procedure-sql.ts';
import { type RaiseRules, raiseSql } from './raise-sql.ts';
import { matchingRowsSql, readSql, SOURCE } from './read-sql.ts';
import { updatedRowsSql } from './updated-rows.ts';

export type MainQuery = {
  /** Result columns: total, page, body, response headers, response status, location, inserted, last, problem. An EXPLAIN has its own. */
  readonly main: Rendered<Bind>;
  /** A write that runs before it: what a statement wrote in several tables, it cannot read itself. */
  readonly before?: Rendered<Bind>;
  /** CALL of a procedure, behind `before`; its row is what `main` reads. */
  readonly call?: Rendered<Bind>;
  /** EXPLAIN of the counted rows, whose estimate is the planned total. */
  readonly estimate: Rendered<Bind> | undefined;
  /** The same rows one by one, for a body that is put together here; `main` brings it whole. */
  readonly rows?: RowsQuery;
  /** The same rows level by level, those of embeds behind their parent's. */
  readonly levels?: {
    readonly statement: Rendered<Bind>;
    readonly layout: LevelLayout;
    /** All rows come, and are the total. */
    readonly isTotal: boolean;
  };
  /** The same insert, for many rows. */
  readonly copy?: CopyQuery;
};

/**
 * Rows for which the body is written as they come. What `response.headers` and `response.status` say is asked by `RESPONSE_STATEMENT`
 * behind them: a function may set them for its row.
 */
type RowsQuery = {
  /** Of a function: whether it may be called a second time. */
  readonly of: RowsOf;
  /** A row is one value, not an object. */
  readonly isScalar?: boolean;
  /** No more rows than are held in memory, and one. */
  readonly held: RowsStatements<Rendered<Bind>>;
  /** All rows, for a cursor; made when it is needed. */
  readonly streamed: () => RowsStatements<Rendered<Bind>>;
  /** As many as `held`, as one body in the form of `main`: quicker where they are few. */
  readonly few?: Rendered<Bind>;
  /** Where the database has to write each row, these are so few that `main` is quicker. */
  readonly fewTexts?: boolean;
  /** What `response` says of the rows is only true of those that the same snapshot shows. */
  readonly oneSnapshot?: boolean;
};

export type RowsOf = 'relation' | 'call' | 'call-once';

export type RowsStatements<Statement> = {
  /** Columns as they are. Undefined: rows have a text of their own in the format. */
  readonly cells: Statement | undefined;
  /** One text for each row, made by the database. Undefined: any column can be written here. */
  readonly texts: Statement | undefined;
  readonly total: RowsTotal;
  /** In place of `RESPONSE_STATEMENT`, where it tells the total, too, or what the last row of a full keyset page is ordered by. */
  readonly response?: Statement;
};

/** Pages of more rows are streamed. */
export const HELD_ROWS = 5000;

/**
 * `column`: the hidden last column of every row; `page`: there are no rows but those that come; `response`: asked for with the
 * response settings; `none`: nobody asked.
 */
export type RowsTotal = 'none' | 'page' | 'column' | 'response';

/** Result columns: response headers, response status. */
export const RESPONSE_STATEMENT: string = `select nullif(current_setting('response.headers', true), ''), nullif(current_setting('response.status', true), '')`;
const RESPONSE_COLUMNS = raw(RESPONSE_STATEMENT);

export const RESULT_COLUMNS = {
  total: 0,
  page: 1,
  body: 2,
  headers: 3,
  status: 4,
  location: 5,
  inserted: 6,
  last: 7,
  problem: 8,
} as const;

/** `raise`: what a write refuses by itself; undefined: its counts come back beside its rows. */
export function buildQuery(asked: QueryPlan, raise?: RaiseRules): MainQuery {
  const plan = withTextEmbeds(asked);
  switch (plan.kind) {
    case 'read':
      return {
        ...explained(plan.media.explain, readQuery(plan), estimateOf(plan.count, plan.tree)),
        ...rowsPart(plan),
        ...levelsPart(plan),
      };
    case 'mutate':
      if (plan.change.kind === 'nested' && plan.tree !== undefined && plan.media.explain === undefined)
        return nestedQuery(plan, plan.change, plan.tree, raise);
      return {
        ...explained(plan.media.explain, mutateQuery(plan, raise), undefined),
        ...copyPart(plan, raise),
      };
    case 'call':
      if (plan.routine.procedure !== undefined) return procedureQuery(plan, plan.routine.procedure);
      // A function's rows are not in the statistics: no estimate.
      return { ...explained(plan.media.explain, callQuery(plan), undefined), ...calledRowsPart(plan) };
    default:
      return assertNever(plan);
  }
}

/** CSV and media types of the database show an embed as text. PostgREST reads it as jsonb, whose text has spaces: `{"id": 1}`. */
function withTextEmbeds<P extends QueryPlan>(plan: P): P {
  const { kind } = plan.media.format;
  const isText = kind === 'csv' || kind === 'handler';
  if (!isText || plan.tree === undefined || plan.tree.embeds.length === 0) return plan;
  return { ...plan, tree: { ...plan.tree, embedsAsText: true } };
}

function readQuery({ tree, count, media }: ReadPlan): Sql {
  if (tree.seek !== undefined) return seekQuery(tree, tree.seek, totalSql(count, tree), media.format);
  const rows = readSql(tree);
  if (media.format.kind !== 'csv')
    return resultSql({ total: totalSql(count, tree), body: bodySql(media.format, TABLE_ROWS, ''), rows });
  return sql`with ${ident(SOURCE)} as (${rows}) ${resultSql({ total: totalSql(count, tree), body: bodySql(media.format, TABLE_ROWS, SOURCE), rows: allOf(SOURCE) })}`;
}

function rowsPart(plan: ReadPlan): Pick<MainQuery, 'rows'> {
  const { tree, count, media } = plan;
  // Few rows are quicker as one.
  if (media.explain !== undefined || plan.fewRows) return {};
  // The cursor of the next page is made with the body, where the database makes it.
  if (tree.seek !== undefined && !isColumnar(media.format)) return {};
  const text = rowTextSql(media.format, 'columns');
  if (text === undefined) return {};
  const { limit } = tree.window;
  const fewTexts = limit !== undefined && limit <= FEW_TEXTS;
  if (fewTexts && text !== 'cells' && !text.orCells) return {};
  const held = heldRows(tree);
  const isCounted = count.kind === 'exact' || count.kind === 'estimated';
  const isWhole = countsByReading(tree, count);
  const total = totalSql(count, tree);
  if (isColumnar(media.format)) {
    return { rows: { of: 'relation', ...columnarRows(tree, text, total) } };
  }
  return {
    rows: {
      of: 'relation',
      fewTexts,
      held: rowsStatements(held, text, isWhole ? undefined : total, isWhole ? 'page' : isCounted ? 'column' : 'none'),
      streamed: () => rowsStatements(tree, text, total, isCounted ? 'column' : 'none'),
    },
  };
}

function levelsPart({ tree, count, media: { format, explain } }: ReadPlan): Pick<MainQuery, 'levels'> {
  if (explain !== undefined || format.kind !== 'array' || format.nullsStripped) return {};
  const isTotal = countsByReading(tree, count);
  const made = levelsSql(heldRows(tree), isTotal ? undefined : totalSql(count, tree));
  return made === undefined ? {} : { levels: { statement: render(made.rows), layout: made.layout, isTotal } };
}

/** All of them come: whoever counts them needs no second scan. A total is of rows, not of their groups. */
function countsByReading({ window: { limit, offset }, grouped }: ReadNode, { kind }: CountPlan): boolean {
  return kind === 'exact' && limit === undefined && offset === 0 && !grouped;
}

/**
 * Rows of which columns are made. Of no rows, too, there is a body that only we can make, and headers leave before the last row comes: neither
 * the total nor the cursor of the next page can hang on a row.
 */
function columnarRows(
  tree: ReadNode,
  text: RowText,
  total: Sql | undefined,
  source: Sql = sql``,
): Pick<RowsQuery, 'held' | 'streamed' | 'oneSnapshot'> {
  const last = lastKeySql(tree);
  const isTold = total !== undefined || last !== undefined;
  const told = isTold
    ? render(sql`${source}${RESPONSE_COLUMNS}, ${total ?? sql`null`}${last === undefined ? sql`` : sql`, ${last}`}`)
    : undefined;
  const statements = (node: ReadNode): RowsStatements<Rendered<Bind>> => ({
    ...rowsStatements(node, text, undefined, total === undefined ? 'none' : 'response', source),
    ...(told === undefined ? {} : { response: told }),
  });
  return {
    held: statements(heldRows(tree)),
    streamed: () => statements(tree),
    ...(last === undefined ? {} : { oneSnapshot: true }),
  };
}

/** What the last row of a full keyset page is ordered by; null: the page is not full. Undefined: no page can follow. */
function lastKeySql(tree: ReadNode): Sql | undefined {
  const { seek, window } = tree;
  if (seek === undefined || window.limit === undefined || window.limit === 0) return undefined;
  const last: ReadNode = {
    ...tree,
    outputs: [],
    // What is only shown leaves no row out.
    embeds: tree.embeds.filter(({ inner }) => inner),
    window: { limit: 1, offset: window.limit - 1 },
  };
  return sql`(${readSql(last, [keyTextsSql(seek, tree.alias)])})`;
}

/** No more rows than are held in memory, and one. */
function heldRows(tree: ReadNode): ReadNode {
  const { limit } = tree.window;
  const isBounded = limit !== undefined && limit <= HELD_ROWS;
  return isBounded ? tree : { ...tree, window: { ...tree.window, limit: HELD_ROWS + 1 } };
}

/** The rows of a function, one by one. */
function calledRowsPart(plan: CallPlan): Pick<MainQuery, 'rows'> {
  const { routine, args, tree, count, media, rows: asked } = plan;
  if (asked === 'whole' || media.explain !== undefined) return {};
  const shape = rowShapeOf(routine);
  const text =
    shape.kind === 'scalar' && !isListedPlainly(routine, media.format)
      ? undefined
      : rowTextSql(media.format, shape.kind);
  if (text === undefined) return {};
  const counted =
    count.kind === 'exact' || count.kind === 'estimated'
      ? sql`(select count(*) from (${matchingRowsSql(tree)}) as counted)`
      : undefined;
  const source = sql`with ${ident(SOURCE)} as (${callSql(routine, args)}) `;
  const of = asked === 'once' ? 'call-once' : 'call';
  if (isColumnar(media.format)) {
    // Whoever may not be called again is not counted.
    return { rows: { of, ...columnarRows(tree, text, asked === 'once' ? undefined : counted, source) } };
  }
  // Where no row comes there is nobody to tell the total, and then it would have to be called again.
  if (asked === 'once' && counted !== undefined) return {};
  const total = counted === undefined ? 'none' : 'column';
  return {
    rows: {
      of,
      held: rowsStatements(heldRows(tree), text, counted, total, source),
      streamed: () => rowsStatements(tree, text, counted, total, source),
      isScalar: shape.kind === 'scalar',
      ...(asked === 'again' && { few: render(callQuery({ ...plan, tree: heldRows(tree) })) }),
    },
  };
}

/** `json_agg` begins a new line for each array and record, and for no other value. */
function isListedPlainly({ returns: { shape } }: Routine, format: BodyFormat): boolean {
  if (format.kind !== 'array' || format.nullsStripped) return true;
  return shape.kind === 'scalar' && PLAIN_TYPES.has(shape.type);
}

const PLAIN_TYPES: ReadonlySet<string> = new Set([
  ...['smallint', 'integer', 'bigint', 'real', 'double precision', 'numeric', 'boolean', 'text', 'character varying'],
  ...['uuid', 'date', 'timestamp without time zone', 'timestamp with time zone', 'json', 'jsonb'],
]);

function rowsStatements(
  tree: ReadNode,
  text: RowText,
  counted: Sql | undefined,
  total: RowsTotal,
  source: Sql = sql``,
): RowsStatements<Rendered<Bind>> {
  const more = counted === undefined ? [] : [sql`${counted} as survest_total`];
  return {
    cells: text === 'cells' || text.orCells ? render(sql`${source}${readSql(tree, more)}`) : undefined,
    texts:
      text === 'cells'
        ? undefined
        : render(sql`${source}select ${join([text.sql, ...more])} from (${readSql(tree)}) as ${ident(ROWS)}`),
    total,
  };
}

/**
 * A keyset page. Its rows carry the texts of what they are ordered by, which the client does not see: the shown columns are named
 * once more around them. `source`: what a function returned, where they are not rows of a relation.
 */
function seekQuery(tree: ReadNode, seek: Seek, total: Sql | undefined, format: BodyFormat, source?: Sql): Sql {
  const shownName = source === undefined ? SOURCE : 'survest_shown';
  const page = ident('survest_page');
  const named = { ...tree, outputs: tree.outputs.map((output, i) => ({ ...output, name: `o${i + 1}` }) as Output) };
  const rows = readSql(named, [sql`${keyTextsSql(seek, tree.alias)} as survest_key`]);
  const shown = shownColumnsSql(tree.outputs, 'survest_page');
  const { limit } = tree.window;
  const last =
    limit === undefined
      ? sql`null`
      : sql`case when count(*) = ${raw(String(limit))} then json_agg(${page}.survest_key)->-1 end`;
  const isCsv = format.kind === 'csv';
  const result = (from: Sql): Sql =>
    sql`select ${total ?? sql`null`} as total, count(*) as page, ${bodySql(format, TABLE_ROWS, shownName)} as body, ${RESPONSE_SETTINGS}, null as location, null as inserted, ${last} as last from ${from} cross join lateral (select ${shown}) as ${ident(ROWS)}`;
  const before = source === undefined ? [] : [sql`${ident(SOURCE)} as (${source})`];
  const parts = isCsv
    ? [...before, sql`${page} as (${rows})`, sql`${ident(shownName)} as (select ${shown} from ${page})`]
    : before;
  const from = result(isCsv ? page : sql`(${rows}) as ${page}`);
  return parts.length === 0 ? from : sql`with ${join(parts)} ${from}`;
}

const RESPONSE_SETTINGS: Sql = sql`nullif(current_setting('response.headers', true), '') as headers, nullif(current_setting('response.status', true), '') as status`;

function mutateQuery({ change, returning, tree, media, locate }: MutatePlan, raise: RaiseRules | undefined): Sql {
  const raises = raise !== undefined;
  const around = aroundMutation(change, raises);
  const merges = isMerge(change);
  const shown = ident('survest_shown');
  const location =
    locate === undefined
      ? undefined
      : sql`case when count(*) = 1 then json_agg(json_build_array(${join(locate.map(keyTextSql))}))->0 end`;
  const result = resultSql({
    total: undefined,
    body: bodySql(media.format, TABLE_ROWS, tree === undefined ? SOURCE : 'survest_shown'),
    rows: tree === undefined ? allOf(SOURCE) : sql`select * from ${shown}`,
    location,
    // Of all written rows: an inner embed may show fewer.
    inserted: merges ? sql`(select count(*) from ${ident(SOURCE)}) - ${updatedRowsSql}` : undefined,
    problem: raise === undefined ? around?.problem : raiseSql(raise, around?.problem),
  });
  const source = sql`with ${around === undefined ? sql`` : sql`${around.before}, `}${ident(SOURCE)} as (${mutateSql(change, returning, raises)})`;
  return tree === undefined ? sql`${source} ${result}` : sql`${source}, ${shown} as (${readSql(tree)}) ${result}`;
}

/** Who has to look at the rows needs them back. */
function copyPart(plan: MutatePlan, raise: RaiseRules | undefined): Pick<MainQuery, 'copy'> {
  const copy = raise === undefined ? copyQuery(plan, RESPONSE_COLUMNS) : undefined;
  return copy === undefined ? {} : { copy };
}

function isMerge(change: Mutation): boolean {
  if (change.kind === 'nested') return change.root.conflict !== undefined;
  return change.kind === 'insert' && change.conflict?.resolve === 'merge';
}

/** Written first, then read as any rows are. */
function nestedQuery(
  { returning, media }: MutatePlan,
  { root, isArray }: Extract<Mutation, { kind: 'nested' }>,
  tree: ReadNode,
  raise: RaiseRules | undefined,
): MainQuery {
  const source = sql`with ${ident(SOURCE)} as (${writtenRowsSql(root, returnedColumnsSql(root.table, returning))})`;
  const result = resultSql({
    total: undefined,
    body: bodySql(media.format, TABLE_ROWS, 'survest_shown'),
    rows: sql`select * from ${ident('survest_shown')}`,
    inserted:
      root.conflict === undefined ? undefined : sql`(select count(*) from ${ident(SOURCE)}) - ${updatedRowsSql}`,
    problem: raise === undefined ? handedOnProblemSql : raiseSql(raise, undefined),
  });
  return {
    before: render(sql`with ${nestedCtes(root, isArray)} ${nestedHandOnSql(root, raise)}`),
    main: render(sql`${source}, ${ident('survest_shown')} as (${readSql(tree)}) ${result}`),
    estimate: undefined,
  };
}

function keyTextSql({ name, toJson }: KeyColumn): Sql {
  const value = ident(ROWS, name);
  return toJson === undefined ? sql`${value}::text` : sql`(${raw(toJson)}(${value}) #>> '{}')`;
}

function callQuery({ routine, args, tree, count, media }: CallPlan): Sql {
  const shape = rowShapeOf(routine);
  const rows = routine.procedure === undefined ? callSql(routine, args) : outputsSql(routine.procedure);
  const source = sql`with ${ident(SOURCE)} as (${rows})`;
  if (routine.returns.shape.kind === 'void') {
    const total = count.kind === 'none' || count.kind === 'planned' ? undefined : sql`1`;
    return sql`${source} ${resultSql({ total, body: sql`''`, rows: allOf(SOURCE) })}`;
  }
  const shown = ident('survest_shown');
  const counted = sql`(select count(*) from (${matchingRowsSql(tree)}) as counted)`;
  const total =
    count.kind === 'exact' || count.kind === 'estimated'
      ? counted
      : // Nobody wants a row, so nothing else would make PostgreSQL run the function; but it was called. Never a total.
        tree.window.limit === 0
        ? sql`case when ${counted} < 0 then 0 end`
        : undefined;
  if (tree.seek !== undefined) return seekQuery(tree, tree.seek, total, media.format, rows);
  return sql`${source}, ${shown} as (${readSql(tree)}) ${resultSql({ total, body: bodySql(media.format, shape, 'survest_shown'), rows: sql`select * from ${shown}` })}`;
}

function procedureQuery(plan: CallPlan, procedure: Procedure): MainQuery {
  const { before, call } = procedureSql(plan.routine, procedure, plan.args);
  return {
    ...(before === undefined ? {} : { before: render(before) }),
    call: render(call),
    main: render(callQuery(plan)),
    estimate: undefined,
  };
}

function rowShapeOf({ returns }: Routine): RowShape {
  const { shape } = returns;
  const isRow = shape.kind === 'composite' || (shape.kind === 'record' && shape.columns !== undefined);
  return { kind: isRow ? 'columns' : 'scalar', one: !returns.set };
}

function allOf(source: string): Sql {
  return sql`select * from ${ident(source)}`;
}

type ResultParts = {
  readonly total: Sql | undefined;
  readonly body: Sql;
  readonly rows: Sql;
  readonly location?: Sql | undefined;
  readonly inserted?: Sql | undefined;
  readonly problem?: Sql | undefined;
};

function resultSql({ total, body, rows, location, inserted, problem }: ResultParts): Sql {
  return sql`select ${total ?? sql`null`} as total, count(*) as page, ${body} as body, ${RESPONSE_SETTINGS}${laterColumnsSql({ location, inserted, problem })} from (${rows}) as ${ident(ROWS)}`;
}

/** As many of the last columns as it takes: they are told by their places. */
function laterColumnsSql({ location, inserted, problem }: Pick<ResultParts, 'location' | 'inserted' | 'problem'>): Sql {
  const all = [
    ['location', location],
    ['inserted', inserted],
    ['last', undefined],
    ['problem', problem],
  ] as const;
  const needed = all.slice(0, all.findLastIndex(([, value]) => value !== undefined) + 1);
  return join(
    needed.map(([name, value]) => sql`, ${value ?? sql`null`} as ${raw(name)}`),
    '',
  );
}

function totalSql(count: CountPlan, tree: ReadNode): Sql | undefined {
  switch (count.kind) {
    case 'none':
    case 'planned':
      return undefined;
    case 'exact':
      return sql`(select count(*) from (${matchingRowsSql(tree)}) as counted)`;
    case 'estimated':
      // Counting stops one row past the threshold; from there on the planner's estimate is taken.
      return sql`(select count(*) from (${matchingRowsSql(tree)}${count.upTo === undefined ? sql`` : raw(` limit ${count.upTo + 1}`)}) as counted)`;
    default:
      return assertNever(count);
  }
}

function estimateOf(count: CountPlan, tree: ReadNode): Sql | undefined {
  return count.kind === 'planned' || count.kind === 'estimated' ? matchingRowsSql(tree) : undefined;
}

function explained(explain: Explain | undefined, main: Sql, estimate: Sql | undefined): MainQuery {
  return {
    main: render(
      explain === undefined
        ? main
        : sql`explain (${raw([...explain.options, `format ${explain.format}`].join(', '))}) ${main}`,
    ),
    estimate:
      estimate === undefined || explain !== undefined ? undefined : render(sql`explain (format json) ${estimate}`),
  };
}
