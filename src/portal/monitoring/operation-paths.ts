// /api/v2/status/ (how the program runs, for administrators), /api/v2/storage/ (who uses how much space) and /api/v2/users/{id}/quota/ (how much an
// account may use). Who sees and sets what, the database says.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { raw, sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import {
  arrayOf,
  INTEGER,
  MOMENT,
  NUMBER,
  orNull,
  record,
  reference,
  type Schema,
  TEXT,
} from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { type Answer, type ApiContext, asAccountRoute, type Exchange, json } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { bodyOf, pathId } from '../operations/register-collection.ts';
import { isMembers } from '../operations/write/body-forms.ts';
import { STATUS_TEXT } from './operation-status.ts';

const MAX_OWNERS = 1000;
const MAX_BYTES: number = 2 ** 50;

export function registerOperationPaths(app: FastifyInstance, context: ApiContext): void {
  app.get(
    '/api/v2/status',
    described({
      id: 'status_read',
      tag: 'settings',
      summary: {
        en: 'How the program runs: copies, queues, failures, space; for administrators',
        de: 'Wie das Programm läuft: Instanzen, Warteschlangen, Fehler, Speicherplatz; für Administratoren',
      },
      answers: { 200: STATUS },
      refusals: [401, 403],
    }),
    asAccountRoute(context, (exchange) => readJson(context, exchange, raw(STATUS_TEXT))),
  );
  app.get(
    '/api/v2/storage',
    described({
      id: 'storage_read',
      tag: 'settings',
      summary: {
        en: 'Who uses how much space, and may: administrators see everybody, others themselves',
        de: 'Wer wie viel Speicherplatz belegt und darf: Administratoren sehen alle, andere sich selbst',
      },
      answers: { 200: STORAGE },
      refusals: [401],
    }),
    asAccountRoute(context, (exchange) =>
      readJson(
        context,
        exchange,
        raw(
          `select json_build_object('storage', coalesce(json_agg(s), '[]')) from portal.storage_use(${MAX_OWNERS}) s`,
        ),
      ),
    ),
  );
  app.put(
    '/api/v2/users/:id/quota',
    described({
      id: 'users_set_quota',
      tag: 'users',
      summary: {
        en: 'Set how much space an account may use (0: no limit, null: as the settings say); for administrators',
        de: 'Setzen, wie viel Platz ein Konto belegen darf (0: unbegrenzt, null: wie eingestellt); für Administratoren',
      },
      body: record({ bytes: { ...orNull(INTEGER), minimum: 0, maximum: MAX_BYTES } }),
      examples: { unlimited: { bytes: 0 } },
      answers: { 200: reference('Updated') },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, (exchange) => setQuota(context, exchange)),
  );
}

async function readJson(
  { db }: ApiContext,
  exchange: Exchange,
  text: Parameters<Exchange['statement']>[0],
): Promise<Result<Answer, PortalError>> {
  const executed = await db.read(exchange.caller, exchange.info, [exchange.statement(text)]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  return ok({ status: 200, body: cellOf(executed.value[0]) ?? '{}' });
}

async function setQuota({ db }: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const id = pathId(exchange);
  if (id === undefined) return err({ kind: 'not-found' });
  const body = await bodyOf(exchange);
  if (!body.ok) return body;
  const bytes = isMembers(body.value) && Object.keys(body.value).length === 1 ? body.value['bytes'] : undefined;
  const isFine =
    bytes === null || (typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0 && bytes <= MAX_BYTES);
  if (!isFine)
    return err({
      kind: 'invalid-fields',
      fields: { bytes: [`Must be a whole number from 0 (no limit) to ${MAX_BYTES}, or null (as the settings say).`] },
    });
  const allowed = bytes === null ? null : String(bytes);
  const executed = await db.write(exchange.caller, exchange.info, [
    exchange.statement(
      sql<BoundValue>`select portal.set_storage_quota(${bound(String(id))}::integer, ${bound(allowed)}::bigint)`,
    ),
  ]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  return ok(json(200, { meta: { updated: 1 } }));
}

const STATUS: Schema = record({
  mode: record({ mode: TEXT, message: TEXT, since: orNull(MOMENT) }),
  copies: arrayOf(
    record({
      host: TEXT,
      pid: INTEGER,
      version: TEXT,
      services: TEXT,
      started: MOMENT,
      silent_seconds: NUMBER,
      state: { type: 'string', enum: ['alive', 'stopping', 'silent'] },
    }),
  ),
  queues: arrayOf(record({ queue: TEXT, waiting: INTEGER, active: INTEGER, failed: INTEGER, waiting_seconds: NUMBER })),
  failed_jobs: arrayOf(record({ queue: TEXT, id: TEXT, at: orNull(MOMENT), attempts: INTEGER, message: orNull(TEXT) })),
  uploads: { type: 'object', additionalProperties: INTEGER },
  failed_uploads: arrayOf(record({ id: INTEGER, name: TEXT, at: MOMENT, owner: orNull(TEXT), message: orNull(TEXT) })),
  database: record({
    bytes: INTEGER,
    version: TEXT,
    connections: INTEGER,
    replicas: arrayOf(record({ name: TEXT, state: TEXT, lag_seconds: orNull(NUMBER) })),
  }),
  storage: record({ layers: INTEGER, files: INTEGER }),
  audit: record({ entries: INTEGER, since: orNull(MOMENT) }),
});

const STORAGE: Schema = record({
  storage: arrayOf(
    record({
      pk: INTEGER,
      username: TEXT,
      layers: INTEGER,
      files: INTEGER,
      used: INTEGER,
      allowed: orNull(INTEGER),
      quota: orNull(INTEGER),
    }),
  ),
});
