// DELETE: one record by its address, or several by their ids in the body. All of them or none.

import { err, ok, type Result } from '../../kernel/result.ts';
import { sql, where } from '../../sql/index.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { arrayText, type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import { parseCatalogueQuery, WHOLE } from '../query/catalogue-query.ts';
import { conditionsOf } from '../query/catalogue-sql.ts';
import { fromSql } from '../query/source.ts';
import type { Collection } from './collection.ts';
import { MAX_ELEMENTS } from './create.ts';
import type { Answer, ApiContext, Exchange } from './exchange.ts';
import { planOf, readFailure, withTimeLimit } from './read.ts';
import { bodyForm, isMembers } from './write/body-forms.ts';
import { elementId } from './write/parse-element.ts';
import { tryAgain } from './write/try-again.ts';
import { writeFailure } from './write/write-failure.ts';
import { deleteSql } from './write/write-sql.ts';

const GONE: Answer = { status: 204 };

export async function deleteItem(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  id: number | undefined,
): Promise<Result<Answer, PortalError>> {
  const query = parseCatalogueQuery(exchange.query, collection.rules);
  if (!query.ok) return query;
  if (id === undefined) return err({ kind: 'not-found' });
  const deleted = await deleteRows(context, exchange, collection, [id], query.value);
  if (!deleted.ok) return deleted;
  return deleted.value === 0 ? err({ kind: 'not-found' }) : ok(GONE);
}

/** Ids that nobody has, or that the caller does not see, are gone already. Filters of the query do not count here. */
export async function deleteNamed(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  body: unknown,
): Promise<Result<Answer, PortalError>> {
  const form = bodyForm(body, collection);
  // One record has an address of its own; in a body, only lists name what is to go.
  if (form.kind !== 'many' || form.elements.length === 0) return err({ kind: 'nothing-named' });
  if (form.elements.length > MAX_ELEMENTS) return wrong(`At most ${MAX_ELEMENTS} records can be deleted at once.`);
  const ids: number[] = [];
  for (const element of form.elements) {
    const id = isMembers(element) ? elementId(element) : undefined;
    if (id === undefined) return wrong('Every record to delete needs its id.');
    ids.push(id);
  }
  const deleted = await deleteRows(context, exchange, collection, ids, WHOLE);
  return deleted.ok ? ok(GONE) : deleted;
}

async function deleteRows(
  { db, blobs }: ApiContext,
  exchange: Exchange,
  collection: Collection,
  ids: readonly number[],
  query: typeof WHOLE,
): Promise<Result<number, PortalError>> {
  const { writer, source } = collection;
  if (writer === undefined) return err({ kind: 'method-not-allowed', method: exchange.request.method });
  const named = sql<BoundValue>`${bound(arrayText(ids))}::integer[]`;
  const also = [sql<BoundValue>`${source.key} = any (${named})`];
  const conditions = conditionsOf({ ...planOf(collection, query, exchange), also });
  const wanted: Sql = sql<BoundValue>`select ${source.key} from ${fromSql(source)}${where(conditions)}`;
  const uncover =
    writer.uncover === undefined || query.conditions.length > 0 ? [] : [exchange.statement(writer.uncover(named))];
  // Which files belong to them is only known as long as they are there.
  const files = writer.blobs === undefined ? [] : [exchange.statement(writer.blobs(wanted))];
  const statements = [...uncover, ...files, exchange.statement(deleteSql(writer, wanted))];
  const executed = await tryAgain(
    () => db.write(exchange.caller, exchange.info, withTimeLimit(query, statements)),
    (error) => ({ kind: 'database', error }),
  );
  if (!executed.ok) {
    const failure = readFailure(executed.error, query);
    return err(failure.kind === 'database' ? writeFailure(executed.error, collection.recordType) : failure);
  }
  const deleted = executed.value.at(-1)?.rows ?? [];
  // What rests in the bin keeps its files. A file that cannot be removed now is found by the sweep.
  const isGone = deleted.length > 0 && deleted.every(([, purged]) => purged?.toString() === 't');
  if (isGone && files.length > 0) {
    for (const [key] of executed.value.at(-2)?.rows ?? [])
      if (key !== null && key !== undefined) await blobs.remove(key.toString());
  }
  return ok(deleted.length);
}

function wrong(message: string): Result<never, PortalError> {
  return err({ kind: 'invalid-request', messages: [message] });
}
