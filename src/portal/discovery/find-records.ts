// Records of a query, read as the caller.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { MetadataRecord } from '../metadata/metadata-record.ts';
import { readMetadataPage } from '../metadata/read-metadata.ts';
import type { Collection } from '../operations/collection.ts';
import type { ApiContext, Exchange } from '../operations/exchange.ts';
import type { OrderTerm } from '../query/condition.ts';
import { findPath } from '../query/field-path.ts';
import { recordConditions } from './query/record-conditions.ts';
import { MAX_RECORDS, type RecordQuery } from './record-query.ts';

type RecordsFound = { readonly total: number; readonly records: readonly MetadataRecord[] };

export type RecordSource = (exchange: Exchange, query: RecordQuery) => Promise<Result<RecordsFound, PortalError>>;

export function makeRecordSource(context: ApiContext, resources: Collection): RecordSource {
  return async (exchange, query) => {
    const also = recordConditions(query);
    if (!also.ok) return err({ kind: 'invalid-request', messages: [also.error.said] });
    const order: OrderTerm[] = [];
    for (const { name, isDescending } of query.sort ?? []) {
      const path = findPath(resources.recordType, [name]);
      if (!path.ok)
        return err({ kind: 'invalid-request', messages: [`Records are not sorted by ${name.slice(0, 50)}.`] });
      order.push({ path: path.value, isDescending });
    }
    const window = { page: 1, pageSize: Math.max(1, Math.min(query.limit, MAX_RECORDS)), offset: query.offset };
    const found = await readMetadataPage(
      context,
      exchange,
      resources,
      { ...window, conditions: [], order },
      also.value,
    );
    if (!found.ok || query.limit > 0) return found;
    return ok({ ...found.value, records: [] });
  };
}
