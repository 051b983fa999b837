// `/api/v2/layers/{id}/kept`: data of a layer from before a file replaced or added to them, for who may change its rows: what there is, and
// bringing it back.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { parseId } from '../accounts/path-id.ts';
import { described, tagOf } from '../description/described-route.ts';
import { arrayOf, INTEGER, MOMENT, orNull, record, type Schema, TEXT } from '../description/schema.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { type ApiContext, asAccountRoute, json } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { pathId, pathPart } from '../operations/register-collection.ts';
import { columnFailure } from './column-paths.ts';
import { restoreData } from './restore-data.ts';

export function registerKeptDataPaths(app: FastifyInstance, context: ApiContext, paths: readonly string[]): void {
  for (const path of paths) {
    app.get(
      `${path}/:id/kept`,
      described({
        id: `${tagOf(path)}_kept`,
        tag: tagOf(path),
        summary: {
          en: 'Data of the layer from before files or calculations changed them, kept for 30 days',
          de: 'Daten des Layers, bevor Dateien oder Berechnungen sie geändert haben, 30 Tage aufgehoben',
        },
        answers: { 200: KEPT },
        refusals: [400, 401, 403, 404],
      }),
      asAccountRoute(context, async (exchange) => {
        const id = pathId(exchange);
        if (id === undefined) return err({ kind: 'not-found' });
        const asked = exchange.statement(sql<BoundValue>`select portal.kept_data(${bound(String(id))}::integer)`);
        const executed = await context.db.read(exchange.caller, exchange.info, [asked]);
        if (!executed.ok) return err({ kind: 'database', error: executed.error });
        return ok({ status: 200, body: cellOf(executed.value[0]) ?? 'null' });
      }),
    );
    app.post(
      `${path}/:id/kept/:kept/restore`,
      described({
        id: `${tagOf(path)}_kept_restore`,
        tag: tagOf(path),
        summary: {
          en: 'Undo a replacement, an addition, a calculation or a change of type: what was there comes back',
          de: 'Ein Ersetzen, Hinzufügen, Berechnen oder Ändern des Typs rückgängig machen: was da war, kommt zurück',
        },
        answers: { 200: record({ rows: RESTORED }) },
        refusals: [400, 401, 403, 404],
      }),
      asAccountRoute(context, async (exchange) => {
        const [id, kept] = [pathId(exchange), parseId(pathPart(exchange, 'kept'))];
        if (id === undefined || kept === undefined) return err({ kind: 'not-found' });
        const done = await restoreData(context.db, exchange.caller, id, kept);
        return done.ok ? ok(json(200, { rows: done.value })) : err(columnFailure(done.error));
      }),
    );
  }
}

const COUNT: Schema = { type: 'integer', minimum: 0 };

const RESTORED: Schema = record(
  {
    before: COUNT,
    after: COUNT,
    restored: { ...COUNT, description: 'Values of the column that came back.' },
    stayed: { ...COUNT, description: 'Values that somebody has changed since.' },
  },
  ['before', 'after'],
);

const KEPT: Schema = record({
  kept: arrayOf(
    record({
      id: INTEGER,
      kind: {
        type: 'string',
        enum: ['replace', 'append', 'calculate', 'type'],
        description: 'What a file did to the rows, or what was done to a column.',
      },
      column: { ...orNull(TEXT), description: 'That was calculated, or whose type was changed.' },
      rows: { ...COUNT, description: 'That come back, or that go.' },
      at: MOMENT,
      by: orNull(TEXT),
    }),
  ),
});
