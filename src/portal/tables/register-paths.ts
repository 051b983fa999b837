// `/api/v2/database_tables`: tables and views of the database besides the portal, for administrators, who register them as layers. Nothing is
// copied, and nothing but the layer goes when the layer is deleted.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import type { Collection } from '../operations/collection.ts';
import { type ApiContext, asAccountRoute } from '../operations/exchange.ts';
import { cellOf, readItem } from '../operations/read.ts';
import { bodyOf } from '../operations/register-collection.ts';
import { registerTable } from './register-table.ts';
import { parseRegistration } from './registration.ts';
import { publishFailure } from './table-paths.ts';

const BODY_LIMIT = 64 * 1024;
const PATH = '/api/v2/database_tables';
/** Shown at once; the others are found by the search. */
const MOST_TABLES = 200;
const MAX_SEARCH = 200;

export function registerRegisterPaths(app: FastifyInstance, context: ApiContext, layers: Collection): void {
  app.get(
    PATH,
    asAccountRoute(context, async ({ caller, info, query, statement }) => {
      const search = new URLSearchParams(query).get('search') ?? '';
      if (search.length > MAX_SEARCH || search.includes('\0'))
        return err({ kind: 'invalid-fields', fields: { search: ['Too long.'] } });
      const asked = statement(
        sql<BoundValue>`select portal.database_tables(${bound(search)}::text, ${bound(String(MOST_TABLES))}::integer)`,
      );
      const flown = await context.db.read(caller, info, [asked]);
      if (!flown.ok) return err({ kind: 'database', error: flown.error });
      return ok({ status: 200, body: cellOf(flown.value[0]) ?? 'null' });
    }),
  );
  app.post(
    PATH,
    { bodyLimit: BODY_LIMIT },
    asAccountRoute(context, async (exchange) => {
      const body = await bodyOf(exchange);
      if (!body.ok) return body;
      const wanted = parseRegistration(body.value);
      if (!wanted.ok) return err({ kind: 'invalid-fields', fields: wanted.error });
      const made = await registerTable(context.db, exchange.caller, wanted.value);
      if (!made.ok) return err(publishFailure(made.error, wanted.value.permissions));
      const read = await readItem(context, exchange, layers, made.value);
      if (!read.ok) return read;
      return ok({
        ...read.value,
        status: 201,
        headers: { ...read.value.headers, Location: `${exchange.base}${layers.path}/${made.value}` },
      });
    }),
  );
}
