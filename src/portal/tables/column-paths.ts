// `/api/v2/layers/{id}/columns`: the columns of a layer's table for who manages it: what there is, what each is used by, adding, renaming, dropping
// and putting back.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { parseId } from '../accounts/path-id.ts';
import { described, tagOf } from '../description/described-route.ts';
import type { Parameter } from '../description/operation.ts';
import { arrayOf, FLAG, INTEGER, MOMENT, orNull, record, type Schema, TEXT } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import { type Answer, type ApiContext, asAccountRoute, type Exchange, json } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { bodyOf, pathId, pathPart } from '../operations/register-collection.ts';
import { isMembers } from '../operations/write/body-forms.ts';
import { type ColumnChange, type ColumnError, changeColumns } from './change-columns.ts';
import { COLUMN } from './column-schema.ts';
import { MAX_LABEL, parseColumn, parseLabel } from './new-table.ts';

const BODY_LIMIT = 64 * 1024;
const MAX_NAME = 255;

export function registerColumnPaths(app: FastifyInstance, context: ApiContext, paths: readonly string[]): void {
  const limits = { bodyLimit: BODY_LIMIT };
  for (const path of paths) {
    const columns = `${path}/:id/columns`;
    const tag = tagOf(path);
    const read = (question: (id: Sql, exchange: Exchange) => Sql) =>
      asAccountRoute(context, (exchange) => answer(context, exchange, question));
    app.get(
      columns,
      described({
        id: `${tag}_columns_list`,
        tag: tag,
        summary: {
          en: 'Columns of the layer’s table, for who manages it',
          de: 'Spalten der Tabelle, für die Verwaltung des Layers',
        },
        answers: { 200: COLUMNS },
        refusals: [400, 401, 403, 404],
      }),
      read((id) => sql<BoundValue>`select portal.layer_columns(${id})`),
    );
    app.get(
      `${columns}/:column/uses`,
      described({
        id: `${tag}_columns_uses`,
        tag: tag,
        summary: { en: 'What uses the column', de: 'Was die Spalte verwendet' },
        parameters: [COLUMN_PARAMETER],
        answers: { 200: USES },
        refusals: [400, 401, 403, 404],
      }),
      read((id, exchange) => sql<BoundValue>`select portal.column_uses(${id}, ${bound(columnOf(exchange))})`),
    );
    const change = (parse: (exchange: Exchange) => Promise<Result<ColumnChange, PortalError>>, status: number) =>
      asAccountRoute(context, async (exchange) => {
        const wanted = await parse(exchange);
        if (!wanted.ok) return wanted;
        const id = pathId(exchange);
        if (id === undefined) return err({ kind: 'not-found' });
        const done = await changeColumns(context.db, exchange.caller, id, wanted.value);
        return done.ok ? ok(json(status, { name: done.value })) : err(columnFailure(done.error));
      });
    app.post(
      columns,
      {
        ...limits,
        ...described({
          id: `${tag}_columns_add`,
          tag: tag,
          summary: { en: 'Add a column', de: 'Eine Spalte hinzufügen' },
          body: COLUMN,
          examples: { height: { name: 'Height (m)', type: 'double precision' } },
          answers: { 201: NAMED },
          refusals: [400, 401, 403, 404],
        }),
      },
      change(parseAdd, 201),
    );
    app.patch(
      `${columns}/:column`,
      {
        ...limits,
        ...described({
          id: `${tag}_columns_rename`,
          tag: tag,
          summary: {
            en: 'Rename a column, also in the layer’s styles and history',
            de: 'Eine Spalte umbenennen, auch in Stilen und Verlauf des Layers',
          },
          parameters: [COLUMN_PARAMETER],
          body: record({ name: { type: 'string', maxLength: MAX_LABEL } }),
          examples: { height: { name: 'Height' } },
          answers: { 200: NAMED },
          refusals: [400, 401, 403, 404],
        }),
      },
      change(parseRename, 200),
    );
    app.delete(
      `${columns}/:column`,
      described({
        id: `${tag}_columns_drop`,
        tag: tag,
        summary: {
          en: 'Drop a column; its values are kept for 30 days',
          de: 'Eine Spalte entfernen; ihre Werte werden 30 Tage aufgehoben',
        },
        parameters: [COLUMN_PARAMETER],
        answers: { 200: NAMED },
        refusals: [400, 401, 403, 404],
      }),
      change(async (exchange) => ok({ kind: 'drop', column: columnOf(exchange) }), 200),
    );
    app.post(
      `${columns}/dropped/:dropped/restore`,
      {
        ...limits,
        ...described({
          id: `${tag}_columns_restore`,
          tag: tag,
          summary: { en: 'Put a dropped column back', de: 'Eine entfernte Spalte wiederherstellen' },
          answers: { 200: NAMED },
          refusals: [400, 401, 403, 404],
        }),
      },
      change(async (exchange) => {
        const dropped = parseId(pathPart(exchange, 'dropped'));
        return dropped === undefined ? err({ kind: 'not-found' }) : ok({ kind: 'restore', dropped });
      }, 200),
    );
  }
}

const columnOf = (exchange: Exchange): string => pathPart(exchange, 'column').slice(0, MAX_NAME).replaceAll('\0', '');

async function answer(
  { db }: ApiContext,
  exchange: Exchange,
  question: (id: Sql, exchange: Exchange) => Sql,
): Promise<Result<Answer, PortalError>> {
  const id = pathId(exchange);
  if (id === undefined) return err({ kind: 'not-found' });
  const executed = await db.read(exchange.caller, exchange.info, [
    exchange.statement(question(sql<BoundValue>`${bound(String(id))}::integer`, exchange)),
  ]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  return ok({ status: 200, body: cellOf(executed.value[0]) ?? 'null' });
}

async function parseAdd(exchange: Exchange): Promise<Result<ColumnChange, PortalError>> {
  const body = await bodyOf(exchange);
  if (!body.ok) return body;
  const column = parseColumn(body.value);
  if (!column.ok) return wrong(column.error);
  // Rows that are there already would have nothing in it.
  if (column.value.required) return wrong('a column that is added later cannot be required.');
  return ok({ kind: 'add', label: column.value.label, type: column.value.type });
}

async function parseRename(exchange: Exchange): Promise<Result<ColumnChange, PortalError>> {
  const body = await bodyOf(exchange);
  if (!body.ok) return body;
  const label = parseLabel(isMembers(body.value) ? body.value['name'] : undefined);
  return label.ok ? ok({ kind: 'rename', column: columnOf(exchange), label: label.value }) : wrong(label.error);
}

function wrong(said: string): Result<never, PortalError> {
  return err({ kind: 'invalid-fields', fields: { name: [`${said.slice(0, 1).toUpperCase()}${said.slice(1)}`] } });
}

export function columnFailure(error: ColumnError): PortalError {
  switch (error.kind) {
    case 'no-column':
      return { kind: 'not-found' };
    case 'refused':
      return { kind: 'invalid-request', messages: [error.said] };
    case 'database':
      return error;
  }
}

const COLUMN_PARAMETER: Parameter = { name: 'column', in: 'path', schema: { type: 'string', maxLength: MAX_NAME } };

const NAMED: Schema = record({ name: { ...TEXT, description: 'In the table.' } });

const COLUMNS: Schema = record({
  columns: arrayOf(
    record({
      name: TEXT,
      label: { ...TEXT, description: 'What people call it.' },
      type: TEXT,
      required: FLAG,
      fixed: { ...FLAG, description: 'The key or the shape, which stay as they are.' },
    }),
  ),
  dropped: {
    ...arrayOf(record({ id: INTEGER, name: TEXT, label: TEXT, type: TEXT, at: MOMENT, by: orNull(TEXT) })),
    description: 'Columns that can be put back.',
  },
});

const USES: Schema = record({
  styles: arrayOf(TEXT),
  maps: arrayOf(record({ pk: TEXT, title: TEXT })),
  hidden_maps: { type: 'integer', minimum: 0, description: 'Maps that the caller does not see.' },
  template: { ...FLAG, description: 'The template that features are shown with.' },
  filter: { ...FLAG, description: 'The filter that maps with the layer begin with; without the column it goes.' },
  views: arrayOf(TEXT),
  constraints: arrayOf(TEXT),
});
