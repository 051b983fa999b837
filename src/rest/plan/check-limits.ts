// Limits of owners (`@survest limit`) held against a plan: what is filtered and ordered by, with which operators, how deep, how many rows. Plans
// are the same for all roles, so this is asked for each request; where nobody has set a limit, nobody asks.

import type { Operation } from '../request/api-request.ts';
import type { LimitRule } from '../schema-cache/limits.ts';
import type { Identifier, SchemaCache } from '../schema-cache/schema-cache.ts';
import type { Condition, EmbedNode, Having, Measure, OrderBy, Output, QueryPlan, ReadNode } from './plan.ts';
import type { PlanError } from './plan-error.ts';
import { smaller } from './window-plan.ts';

/** The rules for a role's requests that are about the relation. */
export type RulesFor = (relation: Identifier | undefined) => readonly LimitRule[];

export function rulesFor(cache: SchemaCache, role: string): RulesFor {
  const ofRole = cache.roleLimits.get(role) ?? [];
  return (relation) => {
    const ofTable = relation === undefined ? undefined : cache.table(relation.schema, relation.name)?.limits;
    if (ofTable === undefined) return ofRole;
    return [...ofRole, ...ofTable.filter(({ roles }) => roles === undefined || roles.includes(role))];
  };
}

/** The fewest rows that a rule allows; undefined: as many as there are. */
export function rowLimit(rules: readonly LimitRule[]): number | undefined {
  return rules.reduce<number | undefined>((most, { rows }) => smaller(most, rows), undefined);
}

/** The relation that a plan is about: that of its rows, or of its writes. */
export function rootOf(plan: QueryPlan): Identifier | undefined {
  if (plan.kind === 'mutate') return plan.change.table;
  return plan.kind === 'read' && plan.tree.from.kind === 'relation' ? plan.tree.from.relation : undefined;
}

export function exceededLimit(plan: QueryPlan, rules: RulesFor): PlanError | undefined {
  const root = rootOf(plan);
  const written = plan.kind === 'mutate' && 'where' in plan.change ? plan.change.where : [];
  const ofRoot = rules(root);
  return (
    refusedCondition(written, ofRoot, root) ??
    refusedDepth(plan, ofRoot) ??
    (plan.tree === undefined ? undefined : refusedNode(plan.tree, root, rules, true))
  );
}

function refusedDepth({ tree }: QueryPlan, rules: readonly LimitRule[]): PlanError | undefined {
  const levels = tree === undefined ? 0 : depthOf(tree);
  const rule = rules.find(({ depth }) => depth !== undefined && levels > depth);
  return rule === undefined ? undefined : exceeded(rule, `depth=${rule.depth}`, `${levels} levels are embedded.`);
}

function depthOf({ embeds }: ReadNode): number {
  return embeds.reduce((most, { node }) => Math.max(most, 1 + depthOf(node)), 0);
}

function refusedNode(
  node: ReadNode,
  relation: Identifier | undefined,
  rulesOf: RulesFor,
  isRoot: boolean,
): PlanError | undefined {
  const rules = rulesOf(relation);
  const keys = node.seek?.keys.map(({ field }) => field.column) ?? [];
  const order = [...node.order, ...node.outputs.flatMap(windowOrderOf)];
  const conditions = [...node.where, ...node.outputs.flatMap(filtersOf), ...order.flatMap(filtersOfOrder)];
  const own =
    refusedCondition(conditions, rules, relation) ??
    refusedHaving(node.having ?? [], rules, relation) ??
    refusedOrder([...order.flatMap(orderedBy), ...keys], rules, relation) ??
    (isRoot ? undefined : refusedRows(node, rules, relation));
  if (own !== undefined) return own;
  for (const embed of node.embeds) {
    const { from } = embed.node;
    const foreign = from.kind === 'relation' ? from.relation : undefined;
    const hoisted = order.flatMap(({ by }) => orderedByEmbed(by, embed));
    const inner = refusedOrder(hoisted, rulesOf(foreign), foreign) ?? refusedNode(embed.node, foreign, rulesOf, false);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** An answer has the rows that it may have; embedded rows are asked for in the number that they may have. */
function refusedRows(
  { window }: ReadNode,
  rules: readonly LimitRule[],
  relation: Identifier | undefined,
): PlanError | undefined {
  const rule = rules.find(({ rows }) => rows !== undefined && (window.limit ?? Number.POSITIVE_INFINITY) > rows);
  if (rule === undefined || relation === undefined) return undefined;
  return exceeded(rule, `rows=${rule.rows}`, `Ask with ${relation.name}.limit=${rule.rows}, or less.`);
}

function refusedCondition(
  conditions: readonly Condition[],
  rules: readonly LimitRule[],
  relation: Identifier | undefined,
): PlanError | undefined {
  if (rules.length === 0) return undefined;
  for (const condition of conditions) {
    if (condition.kind === 'exists') continue;
    if (condition.kind === 'group') {
      const inner = refusedCondition(condition.children, rules, relation);
      if (inner !== undefined) return inner;
      continue;
    }
    const { field, other, operation } = condition;
    const columns = other === undefined ? [field.column] : [field.column, other.column];
    const refused = refusedColumn('filter', columns, rules, relation) ?? refusedOperator(operation, rules);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function refusedHaving(
  having: readonly Having[],
  rules: readonly LimitRule[],
  relation: Identifier | undefined,
): PlanError | undefined {
  for (const one of having) {
    if (one.kind === 'group') {
      const inner = refusedHaving(one.children, rules, relation);
      if (inner !== undefined) return inner;
      continue;
    }
    const field = one.kind === 'filter' ? one.field : one.measure.field;
    const refused =
      refusedColumn('filter', field === undefined ? [] : [field.column], rules, relation) ??
      refusedOperator(one.operation, rules) ??
      (one.kind === 'measure' ? refusedCondition(one.measure.filter, rules, relation) : undefined);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function filtersOf(output: Output): readonly Condition[] {
  return output.kind === 'column' || output.kind === 'count' ? (output.filter ?? []) : [];
}

function windowOrderOf(output: Output): readonly OrderBy[] {
  return 'over' in output ? (output.over?.order ?? []) : [];
}

function filtersOfOrder({ by }: OrderBy): readonly Condition[] {
  return by.kind === 'measure' ? by.measure.filter : [];
}

/** Columns of the embed's own relation. What a spread lends is named as it is shown. */
function orderedByEmbed(by: OrderBy['by'], embed: EmbedNode): readonly string[] {
  if (by.kind === 'related') return by.embed === embed ? [by.field.column] : [];
  if (by.kind !== 'hoisted' || by.embed !== embed) return [];
  return embed.node.outputs.flatMap((output) => columnShownAs(by.column, output));
}

function columnShownAs(name: string, output: Output): readonly string[] {
  if (output.kind === 'column') return output.name === name ? [output.field.column] : [];
  return output.kind === 'star' ? [name] : [];
}

function orderedBy({ by }: OrderBy): readonly string[] {
  if (by.kind === 'own') return [by.field.column];
  return by.kind === 'measure' ? columnOf(by.measure) : [];
}

function columnOf({ field }: Measure): readonly string[] {
  return field === undefined ? [] : [field.column];
}

function refusedOrder(
  columns: readonly string[],
  rules: readonly LimitRule[],
  relation: Identifier | undefined,
): PlanError | undefined {
  return refusedColumn('order', columns, rules, relation);
}

/** Rules about columns are those of the relation itself, or of a role for whatever it asks. */
function refusedColumn(
  use: 'filter' | 'order',
  columns: readonly string[],
  rules: readonly LimitRule[],
  relation: Identifier | undefined,
): PlanError | undefined {
  for (const rule of rules) {
    const allowed = rule[use];
    const column = allowed === undefined ? undefined : columns.find((name) => !allowed.includes(name));
    if (column !== undefined)
      return exceeded(
        rule,
        `${use}=${list(allowed)}`,
        `${use === 'filter' ? 'Filters' : 'Orders'} by '${column}'${relation === undefined ? '' : ` of '${relation.name}'`} are not among them.`,
      );
  }
  return undefined;
}

function refusedOperator(operation: Operation, rules: readonly LimitRule[]): PlanError | undefined {
  const name = operatorName(operation);
  const rule = rules.find(({ operators }) => operators !== undefined && !operators.includes(name));
  return rule === undefined
    ? undefined
    : exceeded(rule, `operators=${list(rule.operators)}`, `The operator '${name}' is not among them.`);
}

function list(names: readonly string[] | undefined): string {
  return names === undefined || names.length === 0 ? 'none' : names.join();
}

/** As clients write it. */
function operatorName(operation: Operation): string {
  switch (operation.kind) {
    case 'compare':
    case 'column':
    case 'search':
      return operation.operator;
    case 'spatial':
      return operation.relation;
    case 'dwithin':
      return 'st_dwithin';
    default:
      return operation.kind;
  }
}

function exceeded({ where }: LimitRule, limit: string, why: string): PlanError {
  return { kind: 'owner-limit', where, limit, why };
}
