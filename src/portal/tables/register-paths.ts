// `/api/v2/database_tables`: tables and views of the database besides the portal, for administrators, who register them as layers. Nothing is
// copied, and nothing but the layer goes when the layer is deleted.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import { arrayOf, body, orNull, record, reference, type Schema, TEXT } from '../description/schema.ts';
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
const MAX_TABLES = 200;
const MAX_SEARCH = 200;

export function registerRegisterPaths(app: FastifyInstance, context: ApiContext, layers: Collection): void {
  app.get(
    PATH,
    described({
      id: 'database_tables_list',
      tag: 'layers',
      summary: {
        en: 'Tables and views of the database besides the portal, for administrators',
        de: 'Tabellen und Sichten der Datenbank neben dem Portal, für die Administration',
      },
      parameters: [{ name: 'search', in: 'query', schema: { type: 'string', maxLength: MAX_SEARCH } }],
      answers: { 200: record({ tables: arrayOf(DATABASE_TABLE) }) },
      refusals: [400, 401, 403],
    }),
    asAccountRoute(context, async ({ caller, info, query, statement }) => {
      const search = new URLSearchParams(query).get('search') ?? '';
      if (search.length > MAX_SEARCH || search.includes('\0'))
        return err({ kind: 'invalid-fields', fields: { search: ['Too long.'] } });
      const asked = statement(
        sql<BoundValue>`select portal.database_tables(${bound(search)}::text, ${bound(String(MAX_TABLES))}::integer)`,
      );
      const executed = await context.db.read(caller, info, [asked]);
      if (!executed.ok) return err({ kind: 'database', error: executed.error });
      return ok({ status: 200, body: cellOf(executed.value[0]) ?? 'null' });
    }),
  );
  app.post(
    PATH,
    {
      bodyLimit: BODY_LIMIT,
      ...described({
        id: 'database_tables_register',
        tag: 'layers',
        summary: {
          en: 'Register a table or view of the database as a layer; nothing is copied',
          de: 'Eine Tabelle oder Sicht der Datenbank als Layer eintragen; nichts wird kopiert',
        },
        body: REGISTRATION,
        examples: { parcels: { schema: 'cadastre', table: 'parcel', title: 'Parcels' } },
        answers: { 201: body({ layer: reference('Layer') }) },
        refusals: [400, 401, 403, 404],
      }),
    },
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

const DATABASE_TABLE: Schema = record({
  schema: TEXT,
  name: TEXT,
  kind: { type: 'string', enum: ['table', 'view', 'materialized view', 'foreign table'] },
  key: { ...orNull(TEXT), description: 'Its primary key, where that is one column.' },
  columns: { ...arrayOf(TEXT), description: 'Without geometries.' },
  geometry: { ...orNull(TEXT), description: 'The column with places; null: it becomes a plain table.' },
  fault: { ...orNull(TEXT), description: 'Why it cannot be registered.' },
  layer: { ...orNull(TEXT), description: 'The layer that it is registered as.' },
});

const REGISTRATION: Schema = record(
  {
    schema: { type: 'string', maxLength: 63 },
    table: { type: 'string', maxLength: 63 },
    title: { type: 'string', maxLength: 255 },
    abstract: { type: 'string', maxLength: 2000 },
    key: {
      type: 'string',
      maxLength: 63,
      description: 'Column that names its rows, where it has no primary key.',
    },
    permissions: reference('SentPermissions'),
  },
  ['schema', 'table'],
);
