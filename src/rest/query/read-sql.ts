// A tree of rows as one SELECT.
//
// A to-one embed is a lateral join that PostgreSQL flattens into a plain one. A to-many embed is a sub-select in the
// select list: unlike a join it is worked out after ORDER BY and LIMIT have chosen the rows. `!inner` and null tests are
// EXISTS, which plan as semi-joins and can start from the embedded table.

import { assertNever } from '../../kernel/assert-never.ts';
import { empty, ident, isEmpty, join, raw, where } from '../../sql/index.ts';
import type { Condition, EmbedNode, NodeWindow, OrderBy, Output, ReadNode } from '../plan/plan.ts';
import { sqlAlias } from '../plan/sql-alias.ts';
import type { Relationship } from '../schema-cache/schema-cache.ts';
import { OFFSET, type Sql, sql } from './bind.ts';
import { conditionSql } from './condition-sql.ts';
import { castSql, fieldSql } from './field-sql.ts';
import { aggregateSql, havingSql, neighbourSql, overSql } from './groups-sql.ts';
import { seekSql } from './keyset-sql.ts';

/** Name of the rows that a write or a call brought. */
export const SOURCE = 'survest_source';

/** What the rows of an embed hang on. */
type Parent = Pick<ReadNode, 'alias' | 'from' | 'rowType'>;
export type Link = { readonly relationship: Relationship; readonly parent: Parent };

/** `more`: columns beside those shown. */
export function readSql(node: ReadNode, more: readonly Sql[] = []): Sql {
  return selectSql(node, undefined, false, more);
}

/** The rows of an embed, one by one. */
export function linkedSql(node: ReadNode, link: Link, more: readonly Sql[]): Sql {
  return selectSql(node, link, false, more);
}

/** The rows that `readSql` would bring without its window, for counting. */
export function matchingRowsSql(node: ReadNode): Sql {
  // Which groups or which different rows there are is known once they are made.
  if (node.having !== undefined || node.distinct !== undefined)
    return selectSql({ ...node, order: [], window: { limit: undefined, offset: 0 } }, undefined, false);
  const { from, on } = fromSql(node, undefined);
  return sql`select 1 from ${from}${where([...on, ...conditionsSql(node, 'all')])}`;
}

/** `asJsonb`: an enclosing node groups by what this one shows, and plain json cannot be grouped by. */
function selectSql(node: ReadNode, link: Link | undefined, asJsonb: boolean, more: readonly Sql[] = []): Sql {
  const { from, on } = fromSql(node, link);
  const needsJsonb = asJsonb || comparesOutputs(node) || node.embedsAsText === true;
  const joins = node.embeds.filter((embed) => isJoined(embed, node)).map((embed) => joinSql(embed, node, needsJsonb));
  const outputs = [...node.outputs.map((output) => outputSql(output, node, needsJsonb)), ...more];
  const seek = node.seek === undefined ? [] : seekSql(node.seek, node.alias);
  return join(
    [
      sql`select ${distinctSql(node)}${join(outputs)}`,
      sql`from ${from}${join(joins, '')}${where([...on, ...conditionsSql(node, 'joined'), ...seek])}`,
      groupSql(node),
      node.having === undefined ? empty : havingSql(node.having, node.alias),
      orderSql(node),
      windowSql(node.window),
    ],
    ' ',
  );
}

function fromSql(node: ReadNode, link: Link | undefined): { readonly from: Sql; readonly on: readonly Sql[] } {
  if (link?.relationship.kind === 'computed') {
    const { routine } = link.relationship;
    return {
      from: sql`${ident(routine.schema, routine.name)}(${parentRowSql(link.parent)}) as ${ident(node.alias)}`,
      on: [],
    };
  }
  const from = relationSql(node);
  if (link === undefined) return { from, on: [] };
  const { relationship, parent } = link;
  if (relationship.kind !== 'many-to-many') {
    return {
      from,
      on: relationship.columns.map(
        ([own, foreign]) => sql`${ident(node.alias, foreign)} = ${ident(parent.alias, own)}`,
      ),
    };
  }
  const junction = sqlAlias(node.alias, '_via');
  const { schema, name } = relationship.junction;
  return {
    from: sql`${from}, ${ident(schema, name)} as ${ident(junction)}`,
    on: [
      ...relationship.foreignColumns.map(
        ([foreign, via]) => sql`${ident(junction, via)} = ${ident(node.alias, foreign)}`,
      ),
      ...relationship.columns.map(([own, via]) => sql`${ident(junction, via)} = ${ident(parent.alias, own)}`),
    ],
  };
}

function relationSql(node: ReadNode): Sql {
  if (node.from.kind === 'source') return sql`${ident(SOURCE)} as ${ident(node.alias)}`;
  const { schema, name } = node.from.relation;
  return name === node.alias ? ident(schema, name) : sql`${ident(schema, name)} as ${ident(node.alias)}`;
}

/** The row itself. Without the star a column of the alias's name, here or in an enclosing SELECT, would come first. */
function wholeRowSql(alias: string): Sql {
  return sql`${ident(alias)}.*`;
}

/** The parent's row as a value of its type. Rows of a write or a call have lost theirs and get it back. */
function parentRowSql(parent: Parent): Sql {
  const row = wholeRowSql(parent.alias);
  return parent.from.kind === 'source' && parent.rowType !== undefined
    ? sql`${row}::${ident(parent.rowType.schema, parent.rowType.name)}`
    : row;
}

/** `joined`: what the FROM clause has not seen to already; `all`: for a statement that joins nothing. */
function conditionsSql(node: ReadNode, which: 'joined' | 'all'): readonly Sql[] {
  const inner = node.embeds
    .filter((embed) => embed.inner && (which === 'all' || !isInnerJoin(embed, node)))
    .map((embed): Condition => ({ kind: 'exists', embed, negated: false }));
  return [...node.where, ...inner].map((condition) =>
    conditionSql(condition, node.alias, (embed) => existsSql(embed, node)),
  );
}

function existsSql(embed: EmbedNode, parent: ReadNode): Sql {
  const { node } = embed;
  const { from, on } = fromSql(node, { relationship: embed.relationship, parent });
  const rows = sql`select 1 from ${from}${where([...on, ...conditionsSql(node, 'all')])}`;
  const window = windowSql(node.window);
  return isEmpty(window) ? sql`exists (${rows})` : sql`exists (${rows} ${window})`;
}

/** Whether the embed's rows are in the FROM clause; otherwise they are a sub-select where they are shown. */
function isJoined(embed: EmbedNode, parent: ReadNode): boolean {
  if (embed.silent) return false;
  return embed.toOne || embed.spread || comparesOutputs(parent);
}

/**
 * Joined rows that a parent cannot be without. Rows joined as one array are always there, if only as an empty one, and so is an aggregate,
 * if only of no rows.
 */
function isInnerJoin(embed: EmbedNode, parent: ReadNode): boolean {
  return embed.inner && embed.toOne && isJoined(embed, parent) && !mayAggregate(embed.node);
}

/** A name that no column has may be that of the old way of counting: the database says so. */
function mayAggregate({ grouped, outputs }: ReadNode): boolean {
  return grouped || outputs.some((output) => output.kind === 'column' && output.field.column === 'count');
}

function joinSql(embed: EmbedNode, parent: ReadNode, asJsonb: boolean): Sql {
  const rows = selectSql(embed.node, { relationship: embed.relationship, parent }, asJsonb);
  const kind = raw(isInnerJoin(embed, parent) ? ' join lateral' : ' left join lateral');
  const joined = sql`${kind} (${joinedRowsSql(embed, rows, asJsonb)}) as ${ident(embed.sqlName)} on true`;
  return joined;
}

function joinedRowsSql(embed: EmbedNode, rows: Sql, asJsonb: boolean): Sql {
  const type = raw(asJsonb ? '::jsonb' : '');
  if (embed.spread && embed.toOne) return rows;
  if (embed.spread) {
    const columns = embed.node.outputs.map((output) => {
      const name = ident(outputNameOf(output));
      return sql`coalesce(json_agg(r.${name}), '[]')${type} as ${name}`;
    });
    return sql`select ${join(columns)} from (${rows}) as r`;
  }
  return embed.toOne
    ? sql`select row_to_json(r.*)${type} as v from (${rows}) as r`
    : sql`select coalesce(json_agg(r.*), '[]')${type} as v from (${rows}) as r`;
}

function outputNameOf(output: Output): string {
  switch (output.kind) {
    case 'star':
      throw new Error('a spread shows named columns only');
    default:
      return output.name;
  }
}

function outputSql(output: Output, node: ReadNode, asJsonb: boolean): Sql {
  switch (output.kind) {
    case 'star':
      return sql`${ident(node.alias)}.*`;
    case 'column': {
      const value = columnSql(output, node.alias);
      const isPlain = output.field.path.length === 0 && output.field.column === output.name;
      return isPlain && isBare(output) ? value : sql`${value} as ${ident(output.name)}`;
    }
    case 'count':
      return sql`${castSql(sql`${aggregateSql(undefined, output, node.alias)}${overSql(output, node.alias)}`, output.cast)} as ${ident(output.name)}`;
    case 'window':
      return sql`${castSql(sql`${raw(output.fn)}()${overSql(output, node.alias)}`, output.cast)} as ${ident(output.name)}`;
    case 'embed': {
      const { embed, name } = output;
      if (isJoined(embed, node)) return sql`${ident(embed.sqlName)}.v as ${ident(name)}`;
      const rows = selectSql(embed.node, { relationship: embed.relationship, parent: node }, false);
      return sql`(select coalesce(json_agg(r.*), '[]')${raw(asJsonb ? '::jsonb' : '')} from (${rows}) as r) as ${ident(name)}`;
    }
    case 'hoisted':
      return sql`${hoistedSql(output)} as ${ident(output.name)}`;
    default:
      return assertNever(output);
  }
}

type ColumnOutput = Extract<Output, { kind: 'column' }>;

function isBare(output: ColumnOutput): boolean {
  return (
    output.cast === undefined &&
    output.aggregate === undefined &&
    output.neighbour === undefined &&
    output.field.calls === undefined &&
    output.field.representation?.toJson == null
  );
}

function columnSql(output: ColumnOutput, alias: string): Sql {
  const stored = fieldSql(alias, output.field);
  const toJson = output.field.representation?.toJson;
  const shown = toJson == null ? stored : sql`${raw(toJson)}(${stored})`;
  const cast = castSql(shown, output.cast);
  const over = overSql(output, alias);
  if (output.neighbour !== undefined)
    return castSql(sql`${neighbourSql(cast, output.neighbour)}${over}`, output.aggregateCast);
  if (output.aggregate === undefined) return castSql(cast, output.aggregateCast);
  return castSql(sql`${aggregateSql(cast, output, alias)}${over}`, output.aggregateCast);
}

function hoistedSql(output: Extract<Output, { kind: 'hoisted' }>): Sql {
  if (output.aggregate === 'count-rows') return castSql(sql`count(*)`, output.cast);
  const column = ident(output.embed.sqlName, output.column);
  return castSql(output.aggregate === undefined ? column : sql`${raw(output.aggregate)}(${column})`, output.cast);
}

/** Whether rows are compared by what they show: plain json cannot be, and sub-selects are not worked out before. */
export function comparesOutputs(node: ReadNode): boolean {
  return node.grouped || node.distinct?.length === 0;
}

function distinctSql({ distinct, alias }: ReadNode): Sql {
  if (distinct === undefined) return empty;
  return distinct.length === 0
    ? sql`distinct `
    : sql`distinct on (${join(distinct.map((field) => fieldSql(alias, field)))}) `;
}

/** By position: whatever is shown and not worked out from several rows. */
function groupSql(node: ReadNode): Sql {
  if (!node.grouped) return empty;
  const positions = node.outputs.flatMap((output, i) => (isAggregated(output) ? [] : [raw(String(i + 1))]));
  return positions.length === 0 ? empty : sql`group by ${join(positions)}`;
}

function isAggregated(output: Output): boolean {
  if (output.kind === 'count' || output.kind === 'window') return true;
  if (output.kind === 'column') return output.aggregate !== undefined || output.neighbour !== undefined;
  return output.kind === 'hoisted' && output.aggregate !== undefined;
}

function orderSql(node: ReadNode): Sql {
  const terms = node.order.map(({ by, direction, nulls }) =>
    join([orderedBySql(by, node), raw(direction ?? ''), raw(nulls === undefined ? '' : `nulls ${nulls}`)], ' '),
  );
  return terms.length === 0 ? empty : sql`order by ${join(terms)}`;
}

function orderedBySql(by: OrderBy['by'], node: ReadNode): Sql {
  if (by.kind === 'own') return fieldSql(node.alias, by.field);
  if (by.kind === 'hoisted') return ident(by.embed.sqlName, by.column);
  if (by.kind === 'measure') {
    const { measure } = by;
    const value = measure.field === undefined ? undefined : fieldSql(node.alias, measure.field);
    return aggregateSql(value, { ...measure, aggregate: measure.fn }, node.alias);
  }
  // A bare name in ORDER BY is that of what is shown.
  if (by.kind === 'shown') return ident(by.name);
  if (by.kind === 'count-of') return countOfSql(by.embed, node);
  const related = by.embed.node;
  const { from, on } = fromSql(related, { relationship: by.embed.relationship, parent: node });
  const value = sql`(select ${fieldSql(related.alias, by.field)} from ${from}${where([...on, ...conditionsSql(related, 'all')])})`;
  // The rows of a group show the same related row, so any of them knows its place.
  return node.grouped ? sql`(array_agg(${value}))[1]` : value;
}

/** The rows that the embed would show without its window. */
function countOfSql({ node: related, relationship }: EmbedNode, parent: ReadNode): Sql {
  const { from, on } = fromSql(related, { relationship, parent });
  return sql`(select count(*) from ${from}${where([...on, ...conditionsSql(related, 'all')])})`;
}

function windowSql({ limit, offset }: NodeWindow): Sql {
  return join(
    [
      limit === undefined ? empty : raw(`limit ${limit}`),
      offset === 'parameter' ? sql`offset ${OFFSET}` : offset === 0 ? empty : raw(`offset ${offset}`),
    ],
    ' ',
  );
}
