// `/api/v2/layers/{id}/joins`: tables joined to a layer by a key: looked at beforehand, joined, done again and forgotten, by who manages the
// layer and may read the rows of the table.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Statement } from '../../pg/driver.ts';
import { sql } from '../../sql/index.ts';
import { parseId } from '../accounts/path-id.ts';
import { described, tagOf } from '../description/described-route.ts';
import { arrayOf, FLAG, INTEGER, MOMENT, orNull, record, type Schema, TEXT } from '../description/schema.ts';
import type { FieldMessages, PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { type ApiContext, asAccountRoute, type Exchange, json } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { bodyOf, pathId, pathPart } from '../operations/register-collection.ts';
import { isMembers } from '../operations/write/body-forms.ts';
import { columnFailure } from './column-paths.ts';
import { type JoinOrder, joinTable, type WantedJoin } from './join-table.ts';
import { MAX_NEW_COLUMNS } from './new-table.ts';

const BODY_LIMIT = 64 * 1024;
const MAX_NAME = 255;

export function registerJoinPaths(app: FastifyInstance, context: ApiContext, paths: readonly string[]): void {
  const limits = { bodyLimit: BODY_LIMIT };
  const run = (parse: (exchange: Exchange) => Promise<Result<JoinOrder, PortalError>>, status: number) =>
    asAccountRoute(context, async (exchange) => {
      const order = await parse(exchange);
      if (!order.ok) return order;
      const id = pathId(exchange);
      if (id === undefined) return err({ kind: 'not-found' });
      const done = await joinTable(context.db, exchange.caller, id, order.value);
      if (!done.ok) return err(columnFailure(done.error));
      return ok(json(status, { ...done.value, id: done.value.id ?? null }));
    });
  for (const path of paths) {
    const joins = `${path}/:id/joins`;
    app.get(
      joins,
      described({
        id: `${tagOf(path)}_joins_list`,
        tag: tagOf(path),
        summary: {
          en: 'Tables that are joined to the layer, for who manages it',
          de: 'Tabellen, die mit dem Layer verbunden sind, für die Verwaltung des Layers',
        },
        answers: { 200: JOINS },
        refusals: [400, 401, 403, 404],
      }),
      asAccountRoute(context, async (exchange) => {
        const id = pathId(exchange);
        if (id === undefined) return err({ kind: 'not-found' });
        const asked = exchange.statement(sql<BoundValue>`select portal.layer_joins(${bound(String(id))}::integer)`);
        const executed = await context.db.read(exchange.caller, exchange.info, [asked]);
        if (!executed.ok) return err({ kind: 'database', error: executed.error });
        return ok({ status: 200, body: cellOf(executed.value[0]) ?? 'null' });
      }),
    );
    app.post(
      `${joins}/preview`,
      {
        ...limits,
        ...described({
          id: `${tagOf(path)}_joins_preview`,
          tag: tagOf(path),
          summary: {
            en: 'How well the keys of a layer and a table fit; nothing is changed',
            de: 'Wie gut die Schlüssel eines Layers und einer Tabelle passen; nichts wird geändert',
          },
          body: record(WANTED, ['table', 'layer_key', 'table_key']),
          examples: { population: { table: 12, layer_key: 'code', table_key: 'iso', columns: ['population'] } },
          answers: { 200: JOINED },
          refusals: [400, 401, 403, 404],
        }),
      },
      run(wantedAs('preview'), 200),
    );
    app.post(
      joins,
      {
        ...limits,
        ...described({
          id: `${tagOf(path)}_joins_add`,
          tag: tagOf(path),
          summary: {
            en: 'Join a table by a key: its values are copied into new columns of the layer',
            de: 'Eine Tabelle über einen Schlüssel verbinden: ihre Werte kommen in neue Spalten des Layers',
          },
          body: record(WANTED),
          examples: { population: { table: 12, layer_key: 'code', table_key: 'iso', columns: ['population'] } },
          answers: { 201: JOINED },
          refusals: [400, 401, 403, 404],
        }),
      },
      run(wantedAs('join'), 201),
    );
    app.post(
      `${joins}/:join/refresh`,
      {
        ...limits,
        ...described({
          id: `${tagOf(path)}_joins_refresh`,
          tag: tagOf(path),
          summary: {
            en: 'Copy the values of a joined table again',
            de: 'Die Werte einer verbundenen Tabelle erneut übernehmen',
          },
          answers: { 200: JOINED },
          refusals: [400, 401, 403, 404],
        }),
      },
      run(async (exchange) => {
        const join = parseId(pathPart(exchange, 'join'));
        return join === undefined ? err({ kind: 'not-found' }) : ok({ kind: 'again', join });
      }, 200),
    );
    app.delete(
      `${joins}/:join`,
      described({
        id: `${tagOf(path)}_joins_forget`,
        tag: tagOf(path),
        summary: {
          en: 'Forget that the values came from a table; they stay in the layer',
          de: 'Vergessen, dass die Werte aus einer Tabelle kamen; sie bleiben im Layer',
        },
        answers: { 204: undefined },
        refusals: [400, 401, 403, 404],
      }),
      asAccountRoute(context, async (exchange) => {
        const [id, join] = [pathId(exchange), parseId(pathPart(exchange, 'join'))];
        if (id === undefined || join === undefined) return err({ kind: 'not-found' });
        const forget: Statement = exchange.statement(
          sql<BoundValue>`select portal.forget_join(${bound(String(id))}::integer, ${bound(String(join))}::bigint)`,
        );
        const executed = await context.db.write(exchange.caller, exchange.info, [forget]);
        return executed.ok ? ok({ status: 204 }) : err({ kind: 'database', error: executed.error });
      }),
    );
  }
}

const wantedAs =
  (kind: 'preview' | 'join') =>
  async (exchange: Exchange): Promise<Result<JoinOrder, PortalError>> => {
    const body = await bodyOf(exchange);
    if (!body.ok) return body;
    const wanted = parseJoin(body.value, kind === 'join');
    return wanted.ok ? ok({ kind, wanted: wanted.value }) : err({ kind: 'invalid-fields', fields: wanted.error });
  };

function parseJoin(body: unknown, needsColumns: boolean): Result<WantedJoin, FieldMessages> {
  if (!isMembers(body)) return err({ non_field_errors: ['Expected a JSON object.'] });
  const { table, layer_key: layerKey, table_key: tableKey, columns = [], ...others } = body;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) return err({ [stranger.slice(0, 100)]: ['Unknown field.'] });
  const id = parseId(String(table));
  if (id === undefined) return err({ table: ['The number of a table is expected.'] });
  if (!isName(layerKey)) return err({ layer_key: ['The name of a column is expected.'] });
  if (!isName(tableKey)) return err({ table_key: ['The name of a column is expected.'] });
  if (!Array.isArray(columns) || !columns.every(isName) || columns.length > MAX_NEW_COLUMNS)
    return err({ columns: [`A list of at most ${MAX_NEW_COLUMNS} columns of the table is expected.`] });
  if (needsColumns && columns.length === 0) return err({ columns: ['Choose at least one column.'] });
  return ok({ table: id, layerKey, tableKey, columns });
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME && !value.includes('\0');
}

const WANTED: Readonly<Record<string, Schema>> = {
  table: { type: 'integer', minimum: 1 },
  layer_key: { type: 'string', maxLength: MAX_NAME },
  table_key: { type: 'string', maxLength: MAX_NAME },
  columns: { ...arrayOf(TEXT), maxItems: MAX_NEW_COLUMNS, description: 'Columns of the table.' },
};

const PAIRS: Schema = arrayOf(
  record({
    from: { ...TEXT, description: 'Column of the table.' },
    to: { ...TEXT, description: 'Column of the layer.' },
  }),
);

const COUNT: Schema = { type: 'integer', minimum: 0 };

const JOINED: Schema = record({
  id: { ...orNull(INTEGER), description: 'Null: nothing was joined, it was only looked at.' },
  rows: { ...COUNT, description: 'Of the layer.' },
  matched: { ...COUNT, description: 'Rows of the layer that have one in the table.' },
  ambiguous: {
    ...COUNT,
    description: 'Keys of the layer that several rows of the table have; these cannot be joined.',
  },
  unmatched: { ...arrayOf(TEXT), description: 'Some keys of the layer that the table does not have.' },
  unused: { ...arrayOf(TEXT), description: 'Some keys of the table that the layer does not have.' },
  columns: PAIRS,
});

const JOINS: Schema = record({
  joins: arrayOf(
    record({
      id: INTEGER,
      table: { ...orNull(TEXT), description: 'Null: the caller does not see it.' },
      title: orNull(TEXT),
      layer_key: TEXT,
      table_key: TEXT,
      columns: PAIRS,
      rows: COUNT,
      matched: COUNT,
      changed: { ...FLAG, description: 'The table has been changed since.' },
      at: MOMENT,
      by: orNull(TEXT),
    }),
  ),
});
