// `/api/v2/layers/{id}/columns`: the columns of a layer's table for who manages it: what there is, what each is used by, adding, renaming, dropping
// and putting back.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { parseId } from '../accounts/path-id.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import { type Answer, type ApiContext, asAccountRoute, type Exchange, json } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { bodyOf, pathId, pathPart } from '../operations/register-collection.ts';
import { isMembers } from '../operations/write/body-forms.ts';
import { type ColumnChange, type ColumnError, changeColumns } from './change-columns.ts';
import { parseColumn, parseLabel } from './new-table.ts';

const BODY_LIMIT = 64 * 1024;
const MAX_NAME = 255;

export function registerColumnPaths(app: FastifyInstance, context: ApiContext, paths: readonly string[]): void {
  const limits = { bodyLimit: BODY_LIMIT };
  for (const path of paths) {
    const columns = `${path}/:id/columns`;
    const read = (question: (id: Sql, exchange: Exchange) => Sql) =>
      asAccountRoute(context, (exchange) => answer(context, exchange, question));
    app.get(
      columns,
      read((id) => sql<BoundValue>`select portal.layer_columns(${id})`),
    );
    app.get(
      `${columns}/:column/uses`,
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
    app.post(columns, limits, change(parseAdd, 201));
    app.patch(`${columns}/:column`, limits, change(parseRename, 200));
    app.delete(
      `${columns}/:column`,
      change(async (exchange) => ok({ kind: 'drop', column: columnOf(exchange) }), 200),
    );
    app.post(
      `${columns}/dropped/:dropped/restore`,
      limits,
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
  const flown = await db.read(exchange.caller, exchange.info, [
    exchange.statement(question(sql<BoundValue>`${bound(String(id))}::integer`, exchange)),
  ]);
  if (!flown.ok) return err({ kind: 'database', error: flown.error });
  return ok({ status: 200, body: cellOf(flown.value[0]) ?? 'null' });
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
