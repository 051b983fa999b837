// The read-only lists of API v1 (`/api/base`, `/api/layers`, `/api/categories` …) over the collections of ours: the same records, for
// the same caller, in the envelope that older clients read. Who sees nothing gets an empty list.

import { err, ok } from '../../kernel/result.ts';
import type { Collection } from '../operations/collection.ts';
import { type ApiContext, type Handle, json } from '../operations/exchange.ts';
import { pathId } from '../operations/register-collection.ts';
import { parseQueryParams } from '../query/query-params.ts';
import type { BuiltInCollections } from './compat-collections.ts';
import { findRecords } from './find-records.ts';
import { parseV1Query } from './v1-query.ts';
import { type V1List, v1Record } from './v1-records.ts';

const COLLECTIONS: Readonly<Record<V1List, keyof BuiltInCollections>> = {
  base: 'resources',
  layers: 'layers',
  maps: 'maps',
  documents: 'documents',
  categories: 'categories',
  keywords: 'keywords',
  regions: 'regions',
  owners: 'owners',
  profiles: 'users',
  groups: 'groups',
};

function listOf(
  path: string,
  collections: BuiltInCollections,
): { readonly list: V1List; readonly collection: Collection } {
  const list = path.split('/')[2] as V1List;
  return { list, collection: collections[COLLECTIONS[list]] };
}

export function v1List(context: ApiContext, path: string, collections: BuiltInCollections): Handle {
  const { list, collection } = listOf(path, collections);
  return async (exchange) => {
    const asked = parseV1Query(parseQueryParams(exchange.query), collection.recordType);
    const found = await findRecords(context, exchange, collection, asked.query, asked);
    if (!found.ok) return found;
    const { total, records } = found.value;
    const { limit, offset, ignored } = asked;
    const meta = {
      limit,
      next: offset + limit < total ? pageAt(exchange.target, limit, offset + limit) : null,
      offset,
      previous: offset > 0 ? pageAt(exchange.target, limit, Math.max(0, offset - limit)) : null,
      total_count: total,
      ...(ignored.length === 0 ? {} : { ignored }),
    };
    return ok(json(200, { meta, objects: records.map((record) => v1Record(list, record)) }));
  };
}

export function v1Item(context: ApiContext, path: string, collections: BuiltInCollections): Handle {
  const { list, collection } = listOf(path, collections);
  return async (exchange) => {
    const id = pathId(exchange);
    if (id === undefined) return err({ kind: 'not-found' });
    const query = String(new URLSearchParams({ 'filter{pk}': String(id) }));
    const found = await findRecords(context, exchange, collection, query, { limit: 1, offset: 0 });
    if (!found.ok) return found;
    const [record] = found.value.records;
    return record === undefined ? err({ kind: 'not-found' }) : ok(json(200, v1Record(list, record)));
  };
}

function pageAt(target: string, limit: number, offset: number): string {
  const at = target.indexOf('?');
  const query = new URLSearchParams(at < 0 ? '' : target.slice(at + 1));
  query.set('limit', String(limit));
  query.set('offset', String(offset));
  return `${at < 0 ? target : target.slice(0, at)}?${query}`;
}
