// Records of a collection as the caller sees them, for answers in another form than ours.

import { ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { Collection } from '../operations/collection.ts';
import type { ApiContext, Exchange } from '../operations/exchange.ts';
import { readRecords } from '../operations/read.ts';
import { parseCatalogueQuery } from '../query/catalogue-query.ts';
import type { Json } from './v1-records.ts';

export type Window = { readonly limit: number; readonly offset: number };
export type Found = { readonly total: number; readonly records: readonly Json[] };

/** `query`: as the collection's own list takes it. */
export async function findRecords(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  query: string,
  { limit, offset }: Window,
): Promise<Result<Found, PortalError>> {
  const parsed = parseCatalogueQuery(query, collection.rules);
  if (!parsed.ok) return parsed;
  const found = await readRecords(context, exchange, collection, { ...parsed.value, page: 1, pageSize: limit, offset });
  if (!found.ok) return found;
  return ok({ total: found.value.total, records: JSON.parse(Buffer.from(found.value.records).toString()) as Json[] });
}

/** A layer by id or by a name as clients write it: `roads`, `geonode:roads`, `geodata:geonode:roads`. */
export async function findLayer(
  context: ApiContext,
  exchange: Exchange,
  layers: Collection,
  named: string,
): Promise<Result<Json | undefined, PortalError>> {
  const name = named.slice(named.lastIndexOf(':') + 1);
  const fields = '&exclude[]=*&include[]=pk&include[]=name&include[]=alternate&include[]=storeType&include[]=perms';
  const first = async (filter: string): Promise<Result<Json | undefined, PortalError>> => {
    const query = `${new URLSearchParams({ [`filter{${filter}}`]: name })}${fields}`;
    const found = await findRecords(context, exchange, layers, query, { limit: 2, offset: 0 });
    return found.ok
      ? ok(found.value.records.find(({ alternate }) => named.endsWith(String(alternate))) ?? found.value.records[0])
      : found;
  };
  const byName = await first('name');
  if (!byName.ok || byName.value !== undefined || !/^[1-9]\d{0,8}$/.test(named)) return byName;
  return first('pk');
}
