// `/api/v2/bin/`: what was deleted and can still be restored (undo), by its owner, administrators and whoever deleted it. The database
// decides who that is; what is not in the bin for the caller is not found.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import { arrayOf, FLAG, INTEGER, MOMENT, orNull, record, reference, type Schema, TEXT } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import { RESOURCE_TYPES } from '../kinds/item/common-fields.ts';
import { type Answer, type ApiContext, asAccountRoute, type Exchange, json } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { pathId } from '../operations/register-collection.ts';

const BIN_PAGE = 100;
const MAX_PAGE = 1_000_000;

type Entry = {
  readonly id: number;
  readonly deleted: string;
  readonly until: string;
  readonly total?: number;
};

export function registerBinPaths(app: FastifyInstance, context: ApiContext): void {
  app.get(
    '/api/v2/bin',
    described({
      id: 'bin_list',
      tag: 'resources',
      summary: {
        en: 'What was deleted and can still be restored by the caller, newest first',
        de: 'Was gelöscht wurde und sich noch wiederherstellen lässt, Neuestes zuerst',
      },
      parameters: [{ name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, default: 1 } }],
      answers: { 200: BIN },
      refusals: [400, 401, 403],
    }),
    asAccountRoute(context, (exchange) => readBin(context, exchange)),
  );
  app.post(
    '/api/v2/bin/:id/restore',
    described({
      id: 'bin_restore',
      tag: 'resources',
      summary: { en: 'Restore it from the bin, as it was', de: 'Aus dem Papierkorb wiederherstellen, wie es war' },
      answers: { 200: reference('Updated') },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, async (exchange) => {
      const done = await onItem(context, exchange, (id) => sql<BoundValue>`select portal.restore_item(${id})`);
      return done.ok ? ok(json(200, { meta: { updated: 1 } })) : done;
    }),
  );
  app.delete(
    '/api/v2/bin/:id',
    described({
      id: 'bin_purge',
      tag: 'resources',
      summary: { en: 'Delete it for ever, with its data and files', de: 'Endgültig löschen, samt Daten und Dateien' },
      answers: { 204: undefined },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, async (exchange) => {
      const files = await onItem(
        context,
        exchange,
        (id) => sql<BoundValue>`select b.key from portal.purge_item(${id}) b(key)`,
      );
      if (!files.ok) return files;
      // One that cannot be removed now is found by the sweep.
      for (const key of files.value) await context.blobs.remove(key);
      return ok({ status: 204 });
    }),
  );
}

async function readBin({ db }: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const asked = new URLSearchParams(exchange.query).get('page') ?? '1';
  if (!/^\d{1,7}$/.test(asked) || Number(asked) < 1 || Number(asked) > MAX_PAGE)
    return err({ kind: 'invalid-fields', fields: { page: [`Must be a number from 1 to ${MAX_PAGE}.`] } });
  const page = Number(asked);
  const start = bound(String((page - 1) * BIN_PAGE));
  const statement = exchange.statement(
    sql<BoundValue>`select coalesce(json_agg(e), '[]') from portal.bin_page(${bound(String(BIN_PAGE))}::integer, ${start}::integer) e`,
  );
  const executed = await db.read(exchange.caller, exchange.info, [statement]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  const entries = JSON.parse(cellOf(executed.value[0])?.toString() ?? '[]') as readonly Entry[];
  const items = entries.map(({ total: _, ...entry }) => ({
    ...entry,
    deleted: new Date(entry.deleted).toISOString(),
    until: new Date(entry.until).toISOString(),
  }));
  return ok(json(200, { items, total: entries[0]?.total ?? 0, page, page_size: BIN_PAGE }));
}

/** Runs the statement about the item that the address names; its first column. */
async function onItem(
  { db }: ApiContext,
  exchange: Exchange,
  statement: (id: Sql) => Sql,
): Promise<Result<readonly string[], PortalError>> {
  const id = pathId(exchange);
  if (id === undefined) return err({ kind: 'not-found' });
  const named = sql<BoundValue>`${bound(String(id))}::integer`;
  const executed = await db.write(exchange.caller, exchange.info, [exchange.statement(statement(named))]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  return ok((executed.value[0]?.rows ?? []).flatMap(([cell]) => cell?.toString() ?? []));
}

const BIN: Schema = record({
  items: arrayOf(
    record({
      id: INTEGER,
      resource_type: { type: 'string', enum: RESOURCE_TYPES },
      title: TEXT,
      owner: orNull(TEXT),
      deleted: MOMENT,
      deleted_by: orNull(TEXT),
      until: MOMENT,
      may_purge: FLAG,
      is_table: { ...FLAG, description: 'A layer without geometry.' },
    }),
  ),
  total: INTEGER,
  page: INTEGER,
  page_size: INTEGER,
});
