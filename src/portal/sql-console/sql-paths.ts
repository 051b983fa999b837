// `POST /api/v2/sql/`: SQL for administrators. Each statement is in the audit log, whole, before it runs.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import type { Described } from '../description/operation.ts';
import { arrayOf, FLAG, INTEGER, orNull, record, TEXT } from '../description/schema.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { type ApiContext, asAccountRoute } from '../operations/exchange.ts';
import { bodyOf } from '../operations/register-collection.ts';
import { runSql, statementFault } from './run-sql.ts';
import { registerSavedQueryPaths } from './saved-query-paths.ts';
import { refusalOf } from './sql-refusal.ts';
import { MAX_STATEMENT, parseSqlRequest, SQL_ACTIONS } from './sql-request.ts';

const BODY_LIMIT = 128 * 1024;

export function registerSqlPaths(app: FastifyInstance, context: ApiContext): void {
  registerSavedQueryPaths(app, context);
  app.post(
    '/api/v2/sql',
    { bodyLimit: BODY_LIMIT, ...described(RUN) },
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

const RUN: Described = {
  id: 'sql_run',
  tag: 'layers',
  summary: {
    en: 'Run a statement in SQL as an administrator, or explain it',
    de: 'Eine SQL-Anweisung als Administration ausführen oder erklären lassen',
  },
  body: record(
    {
      statement: {
        type: 'string',
        maxLength: MAX_STATEMENT,
        description: 'One statement: SELECT, VALUES, TABLE, WITH, INSERT, UPDATE, DELETE or MERGE.',
      },
      action: { type: 'string', enum: SQL_ACTIONS, default: 'run' },
      writes: { type: 'boolean', default: false, description: 'What it changes stays.' },
    },
    ['statement'],
  ),
  examples: { count: { statement: 'select count(*) from trees' } },
  answers: {
    200: record(
      {
        columns: arrayOf(TEXT),
        rows: { ...arrayOf(arrayOf(orNull(TEXT))), description: 'At most 1000, values as texts.' },
        more: { ...FLAG, description: 'There are further rows.' },
        written: { ...orNull(INTEGER), description: 'Rows changed, where none are returned.' },
        plan: { description: 'What EXPLAIN says (`explain`, `analyze`).' },
      },
      [],
    ),
  },
  refusals: [400, 401, 403],
};
