// Metadata records of catalogue items, read as the caller: the same statements, fields and policies as the API's own lists.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { Sql } from '../fields/bound-value.ts';
import { makeSelectionNode, type Selection, toSelection } from '../fields/selection.ts';
import type { Collection } from '../operations/collection.ts';
import type { ApiContext, Exchange } from '../operations/exchange.ts';
import { cellOf, planOf, readFailure, withTimeLimit } from '../operations/read.ts';
import type { CatalogueQuery } from '../query/catalogue-query.ts';
import { WHOLE } from '../query/catalogue-query.ts';
import { itemSql, listSql } from '../query/catalogue-sql.ts';
import { type MetadataRecord, type ShownItem, toMetadataRecord } from './metadata-record.ts';

/** All fields, what is told of the data's age, and of a license its name and address too. */
const SELECTION: Selection = selection();

function selection(): Selection {
  const root = makeSelectionNode();
  root.included.add('data_updated').add('freshness');
  const license = makeSelectionNode();
  license.included.add('name').add('url');
  root.children.set('license', license);
  return toSelection(root);
}

export async function readMetadata(
  { db }: Pick<ApiContext, 'db'>,
  exchange: Exchange,
  resources: Collection,
  id: number,
): Promise<Result<MetadataRecord, PortalError>> {
  const plan = planOf(resources, { ...WHOLE, selection: SELECTION }, exchange);
  const executed = await db.read(exchange.caller, exchange.info, [exchange.statement(itemSql(id, plan))]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  const item = cellOf(executed.value[0]);
  if (item === undefined) return err({ kind: 'not-found' });
  return ok(toMetadataRecord(JSON.parse(item.toString()) as ShownItem));
}

/** A page of them, with the number of all; `also`: further conditions. */
export async function readMetadataPage(
  { db }: Pick<ApiContext, 'db'>,
  exchange: Exchange,
  resources: Collection,
  query: Pick<CatalogueQuery, 'page' | 'pageSize' | 'offset' | 'conditions' | 'order'>,
  also: readonly Sql[] = [],
): Promise<Result<{ readonly total: number; readonly records: readonly MetadataRecord[] }, PortalError>> {
  const asked = { ...WHOLE, ...query, selection: SELECTION };
  const list = listSql({ ...planOf(resources, asked, exchange), also });
  const statements = (list.kind === 'apart' ? [list.total, list.page] : [list.both]).map(exchange.statement);
  const executed = await db.read(exchange.caller, exchange.info, withTimeLimit(asked, statements));
  if (!executed.ok) return err(readFailure(executed.error, asked));
  const [total, page] = executed.value.slice(-statements.length).flatMap(({ rows }) => rows[0] ?? []);
  const items = JSON.parse(page?.toString() ?? '[]') as readonly ShownItem[];
  return ok({ total: Number(total?.toString() ?? 0), records: items.map(toMetadataRecord) });
}
