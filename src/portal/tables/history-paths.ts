// `/api/v2/layers/{id}/history`: who changed which row of a layer when, and the undoing of one edit; for tables without places, too, which the map
// services do not know.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { parseId } from '../accounts/path-id.ts';
import { described, tagOf } from '../description/described-route.ts';
import { arrayOf, FLAG, INTEGER, MOMENT, orNull, record, type Schema, TEXT } from '../description/schema.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { type ApiContext, asAccountRoute, asRoute } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { pathId, pathPart } from '../operations/register-collection.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_KEY = 400;

export function registerHistoryPaths(app: FastifyInstance, context: ApiContext, paths: readonly string[]): void {
  for (const path of paths) {
    app.get(
      `${path}/:id/history`,
      described({
        id: `${tagOf(path)}_history`,
        tag: tagOf(path),
        summary: {
          en: 'Who changed which row of the layer when, the newest first; for who may read its rows',
          de: 'Wer wann welche Zeile des Layers geändert hat, das Neueste zuerst; für alle, die seine Zeilen lesen dürfen',
        },
        parameters: [
          { name: 'feature', in: 'query', schema: { type: 'string', maxLength: 400 } },
          { name: 'before', in: 'query', schema: { type: 'integer', minimum: 1 } },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 } },
        ],
        answers: { 200: EDITS },
        refusals: [400, 403, 404],
      }),
      asRoute(context, async (exchange) => {
        const id = pathId(exchange);
        const query = new URLSearchParams(exchange.query);
        const [row, before, limit] = [query.get('feature'), query.get('before'), query.get('limit')];
        if (id === undefined || (row !== null && (row.length > MAX_KEY || row.includes('\0'))))
          return err({ kind: 'not-found' });
        if (!/^(?:[1-9]\d{0,5})?$/.test(limit ?? '') || !/^\d{0,18}$/.test(before ?? ''))
          return err({ kind: 'invalid-fields', fields: { limit: ['Whole numbers are expected.'] } });
        const most = Math.min(Number(limit ?? DEFAULT_LIMIT), MAX_LIMIT);
        const asked = exchange.statement(
          sql<BoundValue>`select portal.layer_table(${bound(String(id))}::integer) is not null, portal.layer_history(${bound(String(id))}::integer, ${bound(row)}::text, ${bound(before === '' ? null : before)}::bigint, ${bound(String(most))}::integer)`,
        );
        const executed = await context.db.read(exchange.caller, exchange.info, [asked]);
        if (!executed.ok) return err({ kind: 'database', error: executed.error });
        const [isThere, edits] = executed.value[0]?.rows[0] ?? [];
        if (isThere?.toString() !== 't') return err({ kind: 'not-found' });
        if (edits === null || edits === undefined)
          return err({
            kind: 'forbidden',
            detail: 'Reading the rows of this layer needs the permission to download it.',
          });
        return ok({ status: 200, body: `{"edits": ${edits.toString()}}` });
      }),
    );
    app.post(
      `${path}/:id/history/:edit/undo`,
      described({
        id: `${tagOf(path)}_history_undo`,
        tag: tagOf(path),
        summary: {
          en: 'Undo one edit, as a new edit, unless the row was changed since',
          de: 'Eine Änderung rückgängig machen, als neue Änderung, sofern die Zeile seither nicht geändert wurde',
        },
        answers: { 204: undefined },
        refusals: [400, 401, 403, 404],
      }),
      asAccountRoute(context, async (exchange) => {
        const [id, edit] = [pathId(exchange), parseId(pathPart(exchange, 'edit'))];
        if (id === undefined || edit === undefined) return err({ kind: 'not-found' });
        const asked = exchange.statement(
          sql<BoundValue>`select portal.undo_layer_edit(${bound(String(id))}::integer, ${bound(String(edit))}::bigint)`,
        );
        const executed = await context.db.write(exchange.caller, exchange.info, [asked]);
        if (!executed.ok) return err({ kind: 'database', error: executed.error });
        switch (cellOf(executed.value[0])?.toString()) {
          case 'done':
            return ok({ status: 204 });
          case 'changed':
            return err({ kind: 'precondition-failed' });
          case 'bulk':
            return err({ kind: 'bad-request', detail: 'An edit of many rows at once cannot be undone.' });
          default:
            return err({ kind: 'not-found' });
        }
      }),
    );
  }
}

const VALUES: Schema = { type: 'object', nullable: true, additionalProperties: true };

const EDITS: Schema = record({
  edits: arrayOf(
    record({
      id: INTEGER,
      at: MOMENT,
      by: orNull(TEXT),
      kind: { type: 'string', enum: ['insert', 'update', 'delete', 'bulk'] },
      feature: { ...orNull(TEXT), description: 'The key of the row; null: of many.' },
      old: VALUES,
      new: VALUES,
      geometry: { ...FLAG, description: 'The shape was changed, too.' },
      bulk: { ...orNull(TEXT), description: 'What was done to many rows at once.' },
      rows: orNull(INTEGER),
    }),
  ),
});
