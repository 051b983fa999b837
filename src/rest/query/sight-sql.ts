// How many rows of a table match a request's own filters, and whether it has any: asked as somebody who sees them all, to say what is hidden.

import { ident, type Rendered, raw, render, where } from '../../sql/index.ts';
import type { Condition, QueryPlan } from '../plan/plan.ts';
import type { Identifier, Table } from '../schema-cache/schema-cache.ts';
import { type Bind, sql } from './bind.ts';
import { conditionSql } from './condition-sql.ts';

export const MAX_COUNTED = 1000;

/**
 * Undefined: it cannot be asked for another role. Only columns of a table are compared: functions and views would run their own code as
 * somebody who may more than the caller.
 */
export function sightSql(
  plan: QueryPlan,
  tableOf: (relation: Identifier) => Table | undefined,
): Rendered<Bind> | undefined {
  const asked = matchedBy(plan);
  const table = asked === undefined ? undefined : tableOf(asked.relation);
  if (asked === undefined || table === undefined || !STORED.has(table.kind)) return undefined;
  if (!asked.where.every((condition) => comparesColumns(condition, table))) return undefined;
  const name = ident(table.schema, table.name);
  const conditions = asked.where.map((condition) =>
    conditionSql(condition, asked.alias, () => {
      throw new Error('only columns are compared');
    }),
  );
  return render(
    sql`select (select count(*) from (select 1 from ${name} as ${ident(asked.alias)}${where(conditions)} limit ${raw(String(MAX_COUNTED + 1))}) as counted), exists (select 1 from ${name})`,
  );
}

const STORED: ReadonlySet<Table['kind']> = new Set(['table', 'partitioned-table']);

type Matched = { readonly relation: Identifier; readonly alias: string; readonly where: readonly Condition[] };

function matchedBy(plan: QueryPlan): Matched | undefined {
  if (plan.kind === 'read') {
    const { from, alias, where: conditions } = plan.tree;
    return from.kind === 'relation' ? { relation: from.relation, alias, where: conditions } : undefined;
  }
  if (plan.kind !== 'mutate') return undefined;
  const { change } = plan;
  if (change.kind !== 'update' && change.kind !== 'delete' && change.kind !== 'json-patch') return undefined;
  return { relation: change.table, alias: change.table.name, where: change.where };
}

function comparesColumns(condition: Condition, table: Table): boolean {
  switch (condition.kind) {
    case 'filter':
      return (
        table.columns.has(condition.field.column) &&
        (condition.other === undefined || table.columns.has(condition.other.column))
      );
    case 'group':
      return condition.children.every((child) => comparesColumns(child, table));
    case 'exists':
      return false;
  }
}
