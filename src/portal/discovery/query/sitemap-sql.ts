// Addresses for search engines: the pages of the items that the caller sees, with the days of their last change, in the order of their
// ids.

import { raw, sql } from '../../../sql/index.ts';
import { type BoundValue, bound, type Sql } from '../../fields/bound-value.ts';
import { detailUrl } from '../../kinds/item/common-fields.ts';

export function sitemapCountSql(): Sql {
  return raw('select portal.visible_count()::text');
}

/** Address and day, as lists of a list. */
export function sitemapSql(offset: number, limit: number): Sql {
  return sql<BoundValue>`select coalesce(json_agg(json_build_array(x.page, x.day)), '[]') from (select ${detailUrl('r')} as page, to_char(r.last_updated at time zone 'UTC', 'YYYY-MM-DD') as day from portal.resource r order by r.id limit ${bound(String(limit))}::bigint offset ${bound(String(offset))}::bigint) x`;
}
