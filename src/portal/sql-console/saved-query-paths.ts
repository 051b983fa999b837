// `/api/v2/sql/queries/`: statements that an administrator has saved by a name; `/api/v2/sql/names/`: what statements can be about.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import { textRows } from '../../pg/rows.ts';
import { described } from '../description/described-route.ts';
import type { Described } from '../description/operation.ts';
import { arrayOf, MOMENT, record, type Schema, TEXT } from '../description/schema.ts';
import { type ApiContext, asAccountRoute, type Exchange, json } from '../operations/exchange.ts';
import { bodyOf } from '../operations/register-collection.ts';
import { isMembers } from '../operations/write/body-forms.ts';
import { refusalOf } from './sql-refusal.ts';
import { MAX_STATEMENT } from './sql-request.ts';

const LIST = '/api/v2/sql/queries';
const MAX_SAVED = 100;
const MAX_NAME = 100;
const MAX_TABLES = 2000;
const BODY_LIMIT = 128 * 1024;

export function registerSavedQueryPaths(app: FastifyInstance, { db, ...context }: ApiContext): void {
  const portal: ApiContext = { ...context, db };
  const ask = async (way: 'read' | 'write', { caller, info }: Exchange, text: string, ...params: string[]) => {
    const executed = await db[way](caller, info, [{ text, params }]);
    return executed.ok ? ok(executed.value.flatMap(textRows)) : err(refusalOf(executed.error));
  };
  app.get(
    LIST,
    described(READ),
    asAccountRoute(portal, async (exchange) => {
      const rows = await ask(
        'read',
        exchange,
        `select name, statement, to_char(changed at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from portal.sql_queries()`,
      );
      if (!rows.ok) return rows;
      return ok(json(200, { queries: rows.value.map(([name, statement, changed]) => ({ name, statement, changed })) }));
    }),
  );
  app.put(
    LIST,
    { bodyLimit: BODY_LIMIT, ...described(SAVE) },
    asAccountRoute(portal, async (exchange) => {
      const body = await bodyOf(exchange);
      if (!body.ok) return body;
      const { name, statement, ...others } = isMembers(body.value) ? body.value : {};
      const [stranger] = Object.keys(others);
      if (stranger !== undefined)
        return err({ kind: 'invalid-fields', fields: { [stranger.slice(0, 100)]: ['Unknown field.'] } });
      if (!isText(name, MAX_NAME))
        return err({
          kind: 'invalid-fields',
          fields: { name: [`A name of at most ${MAX_NAME} characters is wanted.`] },
        });
      if (!isText(statement, MAX_STATEMENT))
        return err({
          kind: 'invalid-fields',
          fields: { statement: [`A statement of at most ${MAX_STATEMENT} characters is wanted.`] },
        });
      const saved = await ask(
        'write',
        exchange,
        'select portal.save_sql_query($1, $2, $3::integer)',
        name.trim(),
        statement,
        String(MAX_SAVED),
      );
      if (!saved.ok) return saved;
      if (saved.value[0]?.[0] !== 't')
        return err({
          kind: 'invalid-request',
          messages: [`${MAX_SAVED} statements are saved already: delete one first.`],
        });
      return ok(json(200, { name: name.trim() }));
    }),
  );
  app.delete(
    `${LIST}/:name`,
    described(DROP),
    asAccountRoute(portal, async (exchange) => {
      const { name } = exchange.request.params as { readonly name: string };
      if (name.includes('\0')) return err({ kind: 'not-found' });
      const dropped = await ask('write', exchange, 'select portal.drop_sql_query($1)', name);
      if (!dropped.ok) return dropped;
      return dropped.value[0]?.[0] === 't' ? ok({ status: 204 }) : err({ kind: 'not-found' });
    }),
  );
  app.get(
    '/api/v2/sql/names',
    described(NAMES),
    asAccountRoute(portal, async (exchange) => {
      const rows = await ask('read', exchange, 'select portal.sql_names($1::integer)', String(MAX_TABLES));
      return rows.ok ? ok({ status: 200, body: `{"tables":${rows.value[0]?.[0] ?? '[]'}}` }) : rows;
    }),
  );
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= most && !value.includes('\0');
}

const NAME: Schema = { type: 'string', maxLength: MAX_NAME };
const STATEMENT: Schema = { type: 'string', maxLength: MAX_STATEMENT };
const EXAMPLE = { name: 'Number of trees', statement: 'select count(*) from trees' };

const READ: Described = {
  id: 'sql_queries',
  tag: 'layers',
  summary: {
    en: 'Statements that the administrator has saved',
    de: 'Die Anweisungen, die sich die Administration gemerkt hat',
  },
  answers: { 200: record({ queries: arrayOf(record({ name: NAME, statement: STATEMENT, changed: MOMENT })) }) },
  refusals: [401, 403],
};
const SAVE: Described = {
  id: 'sql_queries_save',
  tag: 'layers',
  summary: {
    en: 'Save a statement by a name; one that is there by this name is replaced',
    de: 'Eine Anweisung unter einem Namen speichern; die, die so heißt, wird ersetzt',
  },
  body: record({ name: NAME, statement: STATEMENT }, ['name', 'statement']),
  examples: { trees: EXAMPLE },
  answers: { 200: record({ name: TEXT }) },
  refusals: [400, 401, 403],
};
const DROP: Described = {
  id: 'sql_queries_delete',
  tag: 'layers',
  summary: { en: 'Forget a saved statement', de: 'Eine gespeicherte Anweisung löschen' },
  parameters: [{ name: 'name', in: 'path', schema: TEXT }],
  answers: { 204: undefined },
  refusals: [400, 401, 403, 404],
};
const NAMES: Described = {
  id: 'sql_names',
  tag: 'layers',
  summary: {
    en: 'Tables and columns that statements of administrators can name',
    de: 'Tabellen und Spalten, die Anweisungen der Administration nennen können',
  },
  answers: { 200: record({ tables: arrayOf(record({ schema: TEXT, name: TEXT, columns: arrayOf(TEXT) })) }) },
  refusals: [401, 403],
};
