// A tree of rows as rows of several levels: each parent's row, then the rows of its to-many embeds, one by one, and so on down the tree. Nothing
// is aggregated, and no JSON is made by the database: `run/level-rows.ts` writes it of the cells.
//
// `json_agg` looks up type and output function of each cell of each row. Three levels of 10, 100 and 500 rows take the database 1.11 ms of processor time as
// JSON and 0.70 ms so; 0.43 ms is finding the rows (docs/performance.md).
//
// PostgreSQL promises no order between the branches of a UNION ALL, but there is only one left: a parent's rows are a sub-select that cannot be flattened
// (OFFSET 0), and what is joined to it laterally can only be read by a nested loop around it. The last branch is one that no parallel worker may run, so none
// runs any of them; and a branch behind a condition that is tested once (`pg_backend_pid()`) is not run asynchronously, as one of a foreign table might be.
// Where a row comes that cannot be next all the same, the reader of the rows gives up, and the usual statement is asked.
//
// The columns of `*` and the types of slots are those of the schema cache. Where the database has others by now, `sameColumnsSql` is an error.

import { empty, ident, join, raw } from '../../sql/index.ts';
import type { EmbedNode, Output, ReadNode } from '../plan/plan.ts';
import { type Sql, sql } from './bind.ts';
import { levelSlots } from './level-slots.ts';
import { comparesOutputs, type Link, linkedSql, readSql } from './read-sql.ts';

type LevelsQuery = { readonly rows: Sql; readonly layout: LevelLayout };

/** Parents before their children. */
export type LevelLayout = {
  readonly levels: readonly Level[];
  /**
   * Columns behind the first, which says the level of a row: its digit, null for the last level, `END_LEVEL` for the row behind all others. Each with the
   * OID of its type: one of another type is one that some column has got since.
   */
  readonly slots: readonly number[];
  /** Slots of the last row: the response settings, and the total where it is asked for. */
  readonly ending: { readonly headers: number; readonly status: number; readonly total: number | undefined };
};

export type Level = {
  /** Key in the parent's row. */
  readonly name: string;
  /** Undefined: the root. */
  readonly parent: number | undefined;
  readonly columns: readonly { readonly name: string; readonly slot: number }[];
};

export const END_LEVEL = 'r';
/** A level is one digit. */
const MAX_LEVELS = 10;

/** Types whose cells are written here as the database writes them: the name of the base type, its OID. All others come as JSON. */
const CELL_TYPES: ReadonlyMap<string, number> = new Map([
  ['smallint', 21],
  ['integer', 23],
  ['bigint', 20],
  ['real', 700],
  ['double precision', 701],
  ['numeric', 1700],
  ['boolean', 16],
  ['text', 25],
  ['character varying', 1043],
  ['uuid', 2950],
  ['date', 1082],
  ['timestamp without time zone', 1114],
  ['timestamp with time zone', 1184],
  ['json', 114],
  ['jsonb', 3802],
]);
/** Types that a value of another type becomes by itself and is written otherwise then: a date at midnight, a number with fewer digits. */
const TAKING_TYPES: ReadonlySet<string> = new Set([
  ...['real', 'double precision', 'timestamp without time zone', 'timestamp with time zone'],
]);
const JSON_TYPE = 'json';

type Shown = Exclude<Output, { kind: 'star' }>;

type Draft = {
  readonly index: number;
  readonly name: string;
  readonly node: ReadNode;
  readonly embed: EmbedNode | undefined;
  readonly parent: Draft | undefined;
  readonly outputs: readonly Shown[];
  readonly children: Draft[];
};

/** Undefined: no embed of the tree can be a level, and so there is only one. */
export function levelsSql(tree: ReadNode, total: Sql | undefined): LevelsQuery | undefined {
  if (tree.seek !== undefined) return undefined;
  const drafts: Draft[] = [];
  if (addDraft(drafts, '', tree, undefined, undefined) === undefined || drafts.length < 2) return undefined;
  const endTypes = ['text', 'text', ...(total === undefined ? [] : ['text'])];
  const { types, places } = levelSlots([
    ...drafts.map(({ outputs }) => outputs.map((output) => cellOf(output).type)),
    endTypes,
  ]);
  const levels = drafts.map(({ name, parent, outputs }, i): Level => {
    const columns = outputs.map((output, j) => ({ name: output.name, slot: places[i]?.[j] ?? -1 }));
    return { name, parent: parent?.index, columns };
  });
  const [headers = -1, status = -1, totalAt] = places[drafts.length] ?? [];
  const writer = new LevelsWriter(drafts.length, types, levels);
  const rows = writer.all(drafts[0] as Draft, [headers, status, totalAt], total);
  return {
    rows,
    layout: {
      levels,
      slots: types.map((type) => CELL_TYPES.get(type) ?? 0),
      ending: { headers, status, total: totalAt },
    },
  };
}

/** Undefined: what its rows show is not known. */
function addDraft(
  drafts: Draft[],
  name: string,
  node: ReadNode,
  embed: EmbedNode | undefined,
  parent: Draft | undefined,
): Draft | undefined {
  const shown = shownOutputs(node);
  if (shown === undefined || drafts.length >= MAX_LEVELS) return undefined;
  const last = shown.findLastIndex((output) => !isLevel(output, node));
  const draft: Draft = {
    index: drafts.length,
    name,
    node,
    embed,
    parent,
    outputs: shown.slice(0, last + 1),
    children: [],
  };
  drafts.push(draft);
  for (const output of shown.slice(last + 1)) {
    if (output.kind !== 'embed') throw new Error('only embeds are levels');
    const child = addDraft(drafts, output.name, output.embed.node, output.embed, draft);
    if (child === undefined) return undefined;
    draft.children.push(child);
  }
  return draft;
}

function shownOutputs({ outputs }: ReadNode): readonly Shown[] | undefined {
  const shown: Shown[] = [];
  for (const output of outputs) {
    if (output.kind !== 'star') shown.push(output);
    else if (output.columns === undefined) return undefined;
    else shown.push(...output.columns);
  }
  return shown;
}

/** Others are JSON in a cell of their parent's row: a computed relationship takes the whole row, a group is what it shows. */
function isLevel(output: Shown, parent: ReadNode): boolean {
  if (output.kind !== 'embed') return false;
  const { toOne, spread, relationship } = output.embed;
  return !toOne && !spread && relationship.kind !== 'computed' && !comparesOutputs(parent);
}

type Cell = { readonly type: string; readonly isMadeJson: boolean };

function cellOf(output: Shown): Cell {
  if (output.kind === 'embed') return { type: JSON_TYPE, isMadeJson: false };
  if (output.kind !== 'column') return MADE_JSON;
  const { field, cast, aggregate, aggregateCast, neighbour } = output;
  const isChanged =
    field.path.length > 0 ||
    field.cast !== undefined ||
    field.calls !== undefined ||
    field.representation?.toJson != null ||
    [cast, aggregate, aggregateCast, neighbour].some((change) => change !== undefined);
  if (isChanged || field.baseType === undefined || !CELL_TYPES.has(field.baseType)) return MADE_JSON;
  return { type: field.baseType, isMadeJson: false };
}

const MADE_JSON: Cell = { type: JSON_TYPE, isMadeJson: true };

class LevelsWriter {
  readonly #count: number;
  readonly #types: readonly string[];
  readonly #levels: readonly Level[];

  constructor(count: number, types: readonly string[], levels: readonly Level[]) {
    this.#count = count;
    this.#types = types;
    this.#levels = levels;
  }

  all(root: Draft, [headers, status, totalAt]: readonly (number | undefined)[], total: Sql | undefined): Sql {
    const ending = new Map<number | undefined, Sql>([
      [headers, sql`nullif(current_setting('response.headers', true), '')`],
      [status, sql`nullif(current_setting('response.status', true), '')`],
    ]);
    if (total !== undefined) ending.set(totalAt, sql`(${total})::text`);
    const conditions = [ONCE, ...withChildren(root).flatMap(sameColumnsSql)];
    return sql`${this.#level(root)} union all select ${this.#cells(raw(`'${END_LEVEL}'`), ending)} where ${join(conditions, ' and ')}`;
  }

  #level(draft: Draft): Sql {
    const { index, node, embed, parent, outputs, children } = draft;
    const alias = aliasOf(draft);
    const keys = children.flatMap(({ embed: child }) => keysOf(child));
    const more = keys.map((key, i) => sql`${ident(node.alias, key)} as ${ident(`survest_key${i + 1}`)}`);
    const shown: ReadNode = { ...node, outputs };
    const rows =
      embed === undefined || parent === undefined
        ? readSql(shown, more)
        : linkedSql(shown, linkOf(embed, parent), more);
    const names = [...outputs.map((_, i) => `o${i + 1}`), ...keys.map((_, i) => `k${i + 1}`)];
    const isFenced = node.window.limit !== undefined || node.window.offset !== 0;
    const fence = children.length === 0 || isFenced ? empty : raw(' offset 0');
    const from = sql`(${rows}${fence}) as ${alias}(${join(names.map((name) => raw(name)))})`;
    const values = outputs.map((output, i): Sql => {
      const value = sql`${alias}.${raw(`o${i + 1}`)}`;
      return cellOf(output).isMadeJson ? sql`to_json(${value})` : value;
    });
    const places = new Map(values.map((value, i) => [this.#levels[index]?.columns[i]?.slot, value]));
    const digit = index === this.#count - 1 ? raw('null') : raw(`'${index}'`);
    const own = sql`select ${this.#cells(digit, places)}`;
    if (children.length === 0) return sql`${own} from ${from} where ${ONCE}`;
    const below = ident(`survest_below${index}`);
    const branches = join([own, ...children.map((child) => this.#level(child))], ' union all ');
    return sql`select ${below}.* from ${from} cross join lateral (${branches}) as ${below}`;
  }

  #cells(digit: Sql, values: ReadonlyMap<number | undefined, Sql>): Sql {
    const cells = this.#types.map((type, slot): Sql => values.get(slot) ?? sql`null::${raw(type)}`);
    return join([sql`${digit}::text`, ...cells]);
  }
}

/** Restricted to the leader of parallel workers, and tested once for all rows: see above. */
const ONCE: Sql = sql`pg_backend_pid() is not null`;

function withChildren(draft: Draft): readonly Draft[] {
  return [draft, ...draft.children.flatMap(withChildren)];
}

/**
 * Nothing once it is planned. Before that it is an error (of class 42) if what is shown has other columns or other types than the schema cache knows: two
 * SELECTs of a UNION have as many columns, and arrays that are compared are of one type, where a mere UNION would turn a date into a timestamp.
 */
function sameColumnsSql({ node, outputs }: Draft): readonly Sql[] {
  if (node.from.kind !== 'relation') return [];
  const { schema, name } = node.from.relation;
  const from = sql`from ${ident(schema, name)} as survest_now`;
  const [star] = node.outputs.filter((output) => output.kind === 'star');
  const nulls = star?.columns?.map(() => raw('null'));
  const selects = nulls === undefined ? [] : [sql`select survest_now.* ${from} union all select ${join(nulls)}`];
  const typed = outputs.flatMap((output): readonly Sql[] => {
    const { type, isMadeJson } = cellOf(output);
    if (output.kind !== 'column' || isMadeJson || !TAKING_TYPES.has(type)) return [];
    return [sql`array_larger(array[${ident('survest_now', output.field.column)}], null::${raw(type)}[])`];
  });
  if (typed.length > 0) selects.push(sql`select ${join(typed)} ${from}`);
  return selects.map((select) => sql`(true or exists (${select}))`);
}

function aliasOf({ index }: Draft): Sql {
  return ident(`survest_level${index}`);
}

/** Columns of the parent that a child's rows are found by. */
function keysOf(embed: EmbedNode | undefined): readonly string[] {
  if (embed === undefined || embed.relationship.kind === 'computed') return [];
  return embed.relationship.columns.map(([own]) => own);
}

/** The same relationship with the parent's rows under the names that they have here. */
function linkOf(embed: EmbedNode, parent: Draft): Link {
  const { relationship } = embed;
  if (relationship.kind === 'computed') throw new Error('a computed relationship is no level');
  const siblings = parent.children.slice(
    0,
    parent.children.findIndex((child) => child.embed === embed),
  );
  const first = siblings.flatMap((sibling) => keysOf(sibling.embed)).length + 1;
  const columns = relationship.columns.map(([, foreign], i) => [`k${first + i}`, foreign] as const);
  return {
    relationship: { ...relationship, columns },
    parent: { alias: `survest_level${parent.index}`, from: parent.node.from, rowType: undefined },
  };
}
