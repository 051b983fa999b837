// One facet of the catalogue as newer clients read it: its values ("topics") with the number of items behind each, a page at a time. Counted by
// the same functions as the facets of a search; its own filters do not count for a facet, nor does what the caller does not see.

import { join, raw, sql, where } from '../../../sql/index.ts';
import { arrayText, type BoundValue, bound, type Sql } from '../../fields/bound-value.ts';
import { conditionsOf, type ReadPlan } from '../../query/catalogue-sql.ts';
import { type FacetName, fieldOf, isEverything } from '../../query/facets.ts';
import { fromSql } from '../../query/source.ts';
import { RESOURCE_TYPES } from '../item/common-fields.ts';
import { FRESHNESS, freshnessOf } from '../item/freshness.ts';

/** Where the values of a facet are counted. */
export type TopicSource =
  | { readonly kind: 'field'; readonly name: FacetName }
  | { readonly kind: 'group' }
  | { readonly kind: 'freshness' }
  | { readonly kind: 'thesaurus'; readonly id: number };

export type TopicQuery = {
  /** From 0. */
  readonly page: number;
  readonly pageSize: number;
  /** A part of the label, in any case; undefined: any. */
  readonly contains: string | undefined;
  /** Only these values, and these even where there is no item; none: all that there are items of. */
  readonly keys: readonly string[];
  readonly language: string;
};

/** More values than anybody looks through; beyond them are those with the fewest items. */
const MAX_VALUES = 10_000;

/** How many topics there are, and one page of them as a JSON array. */
export function topicsSql(plan: ReadPlan, source: TopicSource, asked: TopicQuery): Sql {
  const { page, pageSize, contains, keys } = asked;
  const isNamed = keys.length > 0;
  const conditions = [
    ...(contains === undefined ? [] : [sql<BoundValue>`strpos(lower(c.label), lower(${bound(contains)}::text)) > 0`]),
    ...(isNamed ? [sql<BoundValue>`c.key = any (${bound(arrayText(keys))}::text[])`] : []),
  ];
  const missing = isNamed
    ? sql<BoundValue>` union all select k.key, k.label, k.is_localized, 0::bigint from (${knownSql(source, asked)}) k where k.key not in (select c.key from counted c)`
    : raw('');
  const window = sql<BoundValue>`limit ${bound(String(pageSize))}::bigint offset ${bound(String(page * pageSize))}::bigint`;
  return sql<BoundValue>`with counted as materialized (${countedSql(plan, source, asked)}), c as materialized (select * from (table counted${missing}) c${where(conditions)}) select (select count(*) from c), (select coalesce(json_agg(json_build_object('key', x.key, 'label', x.label, 'count', x.items, 'is_localized', x.is_localized)), '[]') from (select * from c order by c.items desc, c.label collate portal.people, c.key ${window}) x)`;
}

/** The field whose filters do not count. */
function ownField(source: TopicSource): string {
  switch (source.kind) {
    case 'field':
      return source.name;
    case 'group':
    case 'freshness':
      return source.kind;
    case 'thesaurus':
      return 'tkeywords';
  }
}

/** `key, label, is_localized, items` of all values that items have. */
function countedSql(plan: ReadPlan, source: TopicSource, { language }: TopicQuery): Sql {
  const own = ownField(source);
  const conditions = plan.query.conditions.filter((condition) => fieldOf(condition) !== own);
  const isAll = isEverything(plan, conditions);
  const { source: rows } = plan;
  const hits = sql<BoundValue>`array(select ${rows.key} from ${fromSql(rows)}${where(conditionsOf({ ...plan, query: { ...plan.query, conditions } }))})`;
  if (source.kind === 'group') {
    // A group that the caller does not see is none.
    const found = isAll ? raw('true') : sql<BoundValue>`r.id = any (${hits})`;
    return sql<BoundValue>`select g.id::text as key, g.slug as label, false as is_localized, n.items from (select r.group_id, count(*) as items from portal.resource r where r.group_id is not null and ${found} group by r.group_id) n join portal.user_group g on g.id = n.group_id`;
  }
  if (source.kind === 'freshness') {
    const found = isAll ? raw('true') : sql<BoundValue>`r.id = any (${hits})`;
    return sql<BoundValue>`select f.word as key, f.word as label, false as is_localized, count(*) as items from (select ${raw(freshnessOf('r'))} as word from portal.resource r where ${found}) f where f.word is not null group by f.word`;
  }
  if (source.kind === 'thesaurus') {
    return sql<BoundValue>`select w.id::text as key, coalesce(w.labels ->> ${bound(language)}::text, w.alt_label) as label, w.labels ? ${bound(language)}::text as is_localized, n.items from portal.tkeyword_counts(${bound(String(source.id))}::integer, ${isAll ? raw('null') : hits}) n join portal.thesaurus_keyword w on w.id = n.keyword_id`;
  }
  const names = sql<BoundValue>`${bound(arrayText([source.name]))}::text[]`;
  const counts = isAll
    ? sql<BoundValue>`portal.facet_counts_of_all(${names}, ${raw(String(MAX_VALUES))})`
    : sql<BoundValue>`portal.facet_counts(${names}, ${hits}, ${raw(String(MAX_VALUES))})`;
  return sql<BoundValue>`select f.value as key, f.label, false as is_localized, f.items from ${counts} f`;
}

/** What the facet's values are called, whether items have them or not, as far as the caller may know. */
function knownSql(source: TopicSource, { keys, language }: TopicQuery): Sql {
  const wanted = sql<BoundValue>`${bound(arrayText(keys))}::text[]`;
  if (source.kind === 'thesaurus') {
    return sql<BoundValue>`select w.id::text as key, coalesce(w.labels ->> ${bound(language)}::text, w.alt_label) as label, w.labels ? ${bound(language)}::text as is_localized from portal.thesaurus_keyword w where w.thesaurus_id = ${bound(String(source.id))}::integer and w.id::text = any (${wanted})`;
  }
  const { key, label, table } = KNOWN[source.kind === 'field' ? source.name : source.kind];
  return join(
    [
      raw(`select v.${key} as key, ${label} as label, false as is_localized from ${table} v where v.${key} = any (`),
      wanted,
      raw(')'),
    ],
    '',
  );
}

const KNOWN: Readonly<
  Record<FacetName | 'group' | 'freshness', { readonly key: string; readonly label: string; readonly table: string }>
> = {
  resource_type: {
    key: 'word',
    label: 'v.word',
    table: `(select t.word from unnest('{${RESOURCE_TYPES.join(',')}}'::text[]) t(word))`,
  },
  category: {
    key: 'identifier',
    label: `coalesce(nullif(v.description, ''), v.identifier)`,
    table: 'portal.category',
  },
  keywords: { key: 'slug', label: 'v.name', table: 'portal.keyword' },
  regions: { key: 'code', label: 'v.name', table: 'portal.region' },
  freshness: {
    key: 'word',
    label: 'v.word',
    table: `(select t.word from unnest('{${FRESHNESS.join(',')}}'::text[]) t(word))`,
  },
  group: { key: 'id::text', label: 'v.slug', table: 'portal.user_group' },
  owner: {
    key: 'username',
    label: `coalesce(nullif(btrim(v.first_name || ' ' || v.last_name), ''), v.username)`,
    table: 'portal.account',
  },
};
