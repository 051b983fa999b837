// The values that a property of records has, of those records that the caller sees, each once.

import { raw, sql } from '../../../sql/index.ts';
import { type BoundValue, bound, type Sql } from '../../fields/bound-value.ts';

const MAX_VALUES = 1000;

const DOMAINS: ReadonlyMap<string, Sql> = new Map([
  [
    'type',
    raw(
      `select distinct case r.resource_type when 'layer' then 'dataset' else r.resource_type::text end as v from portal.resource r`,
    ),
  ],
  ['title', raw('select distinct r.title as v from portal.resource r')],
  ['language', raw('select distinct r.language as v from portal.resource r')],
  [
    'subject',
    raw(
      'select distinct k.name as v from portal.resource r join portal.resource_keyword rk on rk.resource_id = r.id join portal.keyword k on k.id = rk.keyword_id',
    ),
  ],
]);

/** Undefined: a property whose values are not listed. */
export function domainSql(property: string): Sql | undefined {
  const values = DOMAINS.get(property.slice(property.lastIndexOf(':') + 1).toLowerCase());
  if (values === undefined) return undefined;
  return sql<BoundValue>`select coalesce(json_agg(d.v order by d.v), '[]') from (${values} order by 1 limit ${bound(String(MAX_VALUES))}::bigint) d`;
}
