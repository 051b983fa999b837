// `/api/v2/layers/{id}/joins`: tables joined to a layer by a key: looked at beforehand, joined, done again and forgotten, by who manages the
// layer and may read the rows of the table.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Statement } from '../../pg/driver.ts';
import { sql } from '../../sql/index.ts';
import { parseId } from '../accounts/path-id.ts';
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
      asAccountRoute(context, async (exchange) => {
        const id = pathId(exchange);
        if (id === undefined) return err({ kind: 'not-found' });
        const asked = exchange.statement(sql<BoundValue>`select portal.layer_joins(${bound(String(id))}::integer)`);
        const flown = await context.db.read(exchange.caller, exchange.info, [asked]);
        if (!flown.ok) return err({ kind: 'database', error: flown.error });
        return ok({ status: 200, body: cellOf(flown.value[0]) ?? 'null' });
      }),
    );
    app.post(`${joins}/preview`, limits, run(wantedAs('preview'), 200));
    app.post(joins, limits, run(wantedAs('join'), 201));
    app.post(
      `${joins}/:join/refresh`,
      limits,
      run(async (exchange) => {
        const join = parseId(pathPart(exchange, 'join'));
        return join === undefined ? err({ kind: 'not-found' }) : ok({ kind: 'again', join });
      }, 200),
    );
    app.delete(
      `${joins}/:join`,
      asAccountRoute(context, async (exchange) => {
        const [id, join] = [pathId(exchange), parseId(pathPart(exchange, 'join'))];
        if (id === undefined || join === undefined) return err({ kind: 'not-found' });
        const forget: Statement = exchange.statement(
          sql<BoundValue>`select portal.forget_join(${bound(String(id))}::integer, ${bound(String(join))}::bigint)`,
        );
        const flown = await context.db.write(exchange.caller, exchange.info, [forget]);
        return flown.ok ? ok({ status: 204 }) : err({ kind: 'database', error: flown.error });
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
