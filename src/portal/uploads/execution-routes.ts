// The addresses under which newer clients of GeoNode follow uploads: `/api/v2/executionrequest`, its items, and the status that the map client
// polls. An upload has a number of its own here, which nobody can guess.

import type { FastifyInstance } from 'fastify';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { described } from '../description/described-route.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { executions } from '../kinds/upload/execution.ts';
import { exchangeOf } from '../operations/exchange.ts';
import { readRecords } from '../operations/read.ts';
import type { PortalContext } from '../portal-context.ts';
import { parseCatalogueQuery } from '../query/catalogue-query.ts';
import { isBeyondEnd, listEnvelope } from '../query/envelope.ts';
import { shownSize } from '../query/paging.ts';
import { type ExecutionRow, executionReply } from './execution-request.ts';
import { DELETED_EXECUTION, EXECUTION, EXECUTION_STATUS, EXECUTIONS } from './executions-described.ts';
import { finishedLayers } from './finished-layers.ts';
import { findRuns } from './import-run.ts';
import type { Handled, UploadAsk, UploadRoute } from './upload-ask.ts';
import { deleteUpload, findExecutions, uploadOfExecution } from './upload-store.ts';

export function registerExecutions(
  app: FastifyInstance,
  portal: PortalContext,
  blobs: BlobStore,
  route: UploadRoute,
): void {
  const { db } = portal;
  const { path, list } = executions;

  /** In the order of `ids`; what is gone meanwhile is left out. */
  async function recordsOf(ask: UploadAsk, ids: readonly number[]): Promise<Result<readonly unknown[], PortalError>> {
    const rows = await findExecutions(db, ask.caller, ask.info, ids);
    if (!rows.ok) return err({ kind: 'database', error: rows.error });
    const byId = new Map(rows.value.map((row) => [row.id, row]));
    const [runs, layers] = [await findRuns(db, [...byId.keys()]), await finishedLayers(db, ask, [...byId.values()])];
    if (!runs.ok) return err({ kind: 'database', error: runs.error });
    if (!layers.ok) return err({ kind: 'database', error: layers.error });
    const base = portal.baseUrl(ask.request);
    const record = (row: ExecutionRow): unknown =>
      executionReply(row, runs.value.get(row.id), layers.value.get(row.id) ?? [], base);
    return ok(ids.flatMap((id) => byId.get(id) ?? []).map(record));
  }

  async function listed(ask: UploadAsk): Promise<Handled> {
    const exchange = exchangeOf(portal, ask.request, ask.caller);
    const query = parseCatalogueQuery(asActions(exchange.query), executions.rules);
    if (!query.ok) return query;
    const found = await readRecords(portal, exchange, executions, query.value);
    if (!found.ok) return found;
    const { total } = found.value;
    if (isBeyondEnd(query.value, total)) return err({ kind: 'invalid-page' });
    const page = JSON.parse(Buffer.from(found.value.records).toString()) as readonly { readonly id: number }[];
    const records = await recordsOf(
      ask,
      page.map(({ id }) => id),
    );
    if (!records.ok) return records;
    const body = listEnvelope(Buffer.from(JSON.stringify(records.value)), {
      more: '',
      page: query.value.page,
      pageSize: shownSize(query.value, total),
      total,
      member: list,
      origin: exchange.base,
      target: exchange.target,
    });
    return ok({ status: 200, body: JSON.parse(Buffer.from(body).toString()) });
  }

  async function followed(ask: UploadAsk): Promise<Result<unknown, PortalError>> {
    const id = await named(ask);
    if (!id.ok) return id;
    const records = await recordsOf(ask, [id.value]);
    if (!records.ok) return records;
    const [record] = records.value;
    return record === undefined ? err({ kind: 'not-found' }) : ok(record);
  }

  async function named(ask: UploadAsk): Promise<Result<number, PortalError>> {
    const { exec_id: execution = '' } = ask.request.params as { readonly exec_id?: string };
    const id = await uploadOfExecution(db, ask.caller, ask.info, execution);
    if (!id.ok) return err({ kind: 'database', error: id.error });
    return id.value === undefined ? err({ kind: 'not-found' }) : ok(id.value);
  }

  app.get(path, described(EXECUTIONS), route(listed));
  app.get(
    `${path}/:exec_id`,
    described(EXECUTION),
    route(async (ask) => {
      const request = await followed(ask);
      return request.ok ? ok({ status: 200, body: { request: request.value } }) : request;
    }),
  );
  // The record goes, and files that are still kept; the layer stays.
  app.delete(
    `${path}/:exec_id`,
    described(DELETED_EXECUTION),
    route(async (ask) => {
      const id = await named(ask);
      if (!id.ok) return id;
      const gone = await deleteUpload(db, ask.caller, ask.info, id.value);
      if (!gone.ok) return err({ kind: 'database', error: gone.error });
      if (gone.value === undefined) return err({ kind: 'not-found' });
      for (const blob of gone.value) await blobs.remove(blob);
      return ok({ status: 204 });
    }),
  );
  // The same record without its name, as the map client of GeoNode polls it.
  app.get(
    '/api/v2/resource-service/execution-status/:exec_id',
    described(EXECUTION_STATUS),
    route(async (ask) => {
      const request = await followed(ask);
      return request.ok ? ok({ status: 200, body: request.value }) : request;
    }),
  );
}

/** `import` is what clients of GeoNode 4.0 call an upload. */
function asActions(query: string): string {
  const params = new URLSearchParams(query);
  const renamed = [...params].map(([name, value]): [string, string] =>
    /^filter\{-?(?:action|func_name)(?:\.in)?\}(?:\[\])?$/.test(name) && value === 'import'
      ? [name, 'upload']
      : [name, value],
  );
  return new URLSearchParams([...renamed, ['exclude[]', '*'], ['include[]', 'id']]).toString();
}
