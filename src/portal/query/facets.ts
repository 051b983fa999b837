// A query → how many of the items it finds have which type, category, keyword, region and owner. A facet does not count its own
// filters: who has chosen layers still wants to know how many maps there are.

import { assertNever } from '../../kernel/assert-never.ts';
import { join, raw, sql, where } from '../../sql/index.ts';
import { arrayText, type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import { conditionsOf, type ReadPlan } from './catalogue-sql.ts';
import type { Condition } from './condition.ts';
import { conditionsSql } from './condition-sql.ts';
import { fromSql } from './source.ts';

/** Each is a field of every item; `by` is what its values are, as a filter wants them. */
export const FACETS = [
  { name: 'resource_type', by: 'resource_type' },
  { name: 'category', by: 'category.identifier' },
  { name: 'keywords', by: 'keywords.slug' },
  { name: 'regions', by: 'regions.code' },
  { name: 'owner', by: 'owner.username' },
] as const;

export type FacetName = (typeof FACETS)[number]['name'];

/** The total, and one JSON array with all facets, of each the most frequent values. */
export function facetsSql(plan: ReadPlan, top: number): Sql {
  const { source } = plan;
  const groups = groupedByHits(plan.query.conditions);
  const shared = sharedSql(plan, groups);
  const counts = groups.flatMap(({ names, conditions }, at) => {
    if (isEverything(plan, conditions)) {
      return [
        sql<BoundValue>`${raw(`c${at}`)} as materialized (select * from portal.facet_counts_of_all(${bound(arrayText(names))}::text[], ${bound(String(top))}::integer))`,
      ];
    }
    const ids = shared?.idsOf(at) ?? idsSql({ ...plan, query: { ...plan.query, conditions } });
    return [
      sql<BoundValue>`${raw(`h${at}`)} as materialized (select array(${ids}) as ids)`,
      sql<BoundValue>`${raw(`c${at}`)} as materialized (select * from portal.facet_counts(${bound(arrayText(names))}::text[], (select ids from ${raw(`h${at}`)}), ${bound(String(top))}::integer))`,
    ];
  });
  const shown = FACETS.map(({ name, by }) => {
    const at = groups.findIndex(({ names }) => names.includes(name));
    const from = raw(`c${at} c where c.facet = '${name}'`);
    return sql<BoundValue>`json_build_object('name', ${raw(`'${name}'`)}, 'filter', ${raw(`'filter{${by}.in}'`)}, 'values', coalesce((select max(c."values") from ${from}), 0), 'entries', (select coalesce(json_agg(json_build_object('value', c.value, 'label', c.label, 'count', c.items) order by c.items desc, c.value), '[]') from ${from}))`;
  });
  const total = isEverything(plan, plan.query.conditions)
    ? (source.countAll ?? raw('null'))
    : raw('select cardinality(ids) from h0');
  const first = shared === undefined ? [] : [shared.found];
  return sql<BoundValue>`with ${join([...first, ...counts])} select (${total}), json_build_array(${join(shown)})`;
}

function idsSql(plan: ReadPlan): Sql {
  return sql<BoundValue>`select ${plan.source.key} from ${fromSql(plan.source)}${where(conditionsOf(plan))}`;
}

type Shared = {
  readonly found: Sql;
  /** The items of a group, among those that were found. */
  readonly idsOf: (at: number) => Sql;
};

/**
 * What all groups ask for is looked for once; each row then says which filters of facets it passes. Undefined where they have nothing in common: there
 * the index of a filter is quicker than a look at everything.
 */
function sharedSql(plan: ReadPlan, groups: readonly Group[]): Shared | undefined {
  const { source, query, isVisitor } = plan;
  const [, ...filtered] = groups;
  const common = query.conditions.filter((condition) => !filtered.some(({ names }) => isAbout(condition, names)));
  if (filtered.length === 0 || common.length === 0) return undefined;
  const flags = filtered.map(({ names }, n) => {
    const own = query.conditions.filter((condition) => isAbout(condition, names));
    const holds = join(conditionsSql(own, { source, isVisitor, isNarrowed: true }), ' and ');
    return sql<BoundValue>`(${holds}) as ${raw(`f${n + 1}`)}`;
  });
  const rows = sql<BoundValue>`select ${source.key} as id, ${join(flags)} from ${fromSql(source)}${where(conditionsOf({ ...plan, query: { ...query, conditions: common } }))}`;
  return {
    found: sql<BoundValue>`found as materialized (${rows})`,
    idsOf(at) {
      const others = filtered.flatMap((_, n) => (n + 1 === at ? [] : [raw(`f.f${n + 1}`)]));
      return sql<BoundValue>`select f.id from found f${where(others)}`;
    },
  };
}

function isAbout(condition: Condition, names: readonly FacetName[]): boolean {
  return names.some((name) => name === fieldOf(condition));
}

/** Of the whole catalogue the counts are known. */
export function isEverything({ source, also = [] }: ReadPlan, conditions: readonly Condition[]): boolean {
  return conditions.length === 0 && source.where.length === 0 && also.length === 0 && source.countAll !== undefined;
}

type Group = { readonly names: FacetName[]; readonly conditions: readonly Condition[] };

/** Facets that nobody filters by are counted over the same items, all at once; these are the items of the list, and come first. */
function groupedByHits(conditions: readonly Condition[]): readonly Group[] {
  const rest: FacetName[] = [];
  const groups: Group[] = [];
  for (const { name } of FACETS) {
    const others = conditions.filter((condition) => fieldOf(condition) !== name);
    if (others.length === conditions.length) rest.push(name);
    else groups.push({ names: [name], conditions: others });
  }
  return [{ names: rest, conditions }, ...groups];
}

/** The field of the item itself that a condition is about, if it is about one. */
export function fieldOf(condition: Condition): string | undefined {
  switch (condition.kind) {
    case 'filter': {
      const { through, target } = condition.path;
      return through[0]?.name ?? (target.kind === 'field' ? target.field.name : target.name);
    }
    case 'tkeywords':
      return 'tkeywords';
    case 'search':
    case 'extent':
    case 'favourite':
      return undefined;
    default:
      return assertNever(condition);
  }
}
