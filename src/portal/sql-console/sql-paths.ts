// `POST /api/v2/sql/`: SQL for administrators. Each statement is in the audit log, whole, before it runs.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { sql } from '../../sql/index.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { type ApiContext, asAccountRoute } from '../operations/exchange.ts';
import { bodyOf } from '../operations/register-collection.ts';
import { runSql, statementFault } from './run-sql.ts';
import { parseSqlRequest } from './sql-request.ts';

const BODY_LIMIT = 128 * 1024;

/** Why, where the database says it: an administrator is told which setting is in the way. */
function refusalOf(error: DbError): PortalError {
  const isRefused = error.kind === 'sql' && error.sqlstate === '42501' && error.detail !== null;
  return isRefused ? { kind: 'forbidden', detail: `${error.detail}.` } : { kind: 'database', error };
}

export function registerSqlPaths(app: FastifyInstance, context: ApiContext): void {
  app.post(
    '/api/v2/sql',
    { bodyLimit: BODY_LIMIT },
    asAccountRoute(context, async (exchange) => {
      const body = await bodyOf(exchange);
      if (!body.ok) return body;
      const wanted = parseSqlRequest(body.value);
      if (!wanted.ok) return err({ kind: 'invalid-fields', fields: wanted.error });
      const { statement: text, action, writes } = wanted.value;
      const note = exchange.statement(
        sql<BoundValue>`select portal.note_sql(${bound(text)}::text, ${bound(action)}::text, ${bound(String(writes))}::boolean)`,
      );
      // Reading is for every mode of service; writing is asked about where it happens.
      const noted = await context.db.writeInAnyMode(exchange.caller, exchange.info, [note]);
      if (!noted.ok) return err(refusalOf(noted.error));
      const done = await runSql(context.db, exchange.caller, wanted.value);
      if (done.ok) return ok({ status: 200, body: done.value });
      const fault = statementFault(done.error);
      if (fault === undefined || fault.ok) return err({ kind: 'database', error: done.error });
      return err({ kind: 'invalid-request', messages: [fault.error] });
    }),
  );
}
