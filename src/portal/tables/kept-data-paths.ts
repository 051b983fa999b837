// `/api/v2/layers/{id}/kept`: data of a layer from before a file replaced or added to them, for who may change its rows: what there is, and
// bringing it back.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { parseId } from '../accounts/path-id.ts';
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
      asAccountRoute(context, async (exchange) => {
        const id = pathId(exchange);
        if (id === undefined) return err({ kind: 'not-found' });
        const asked = exchange.statement(sql<BoundValue>`select portal.kept_data(${bound(String(id))}::integer)`);
        const flown = await context.db.read(exchange.caller, exchange.info, [asked]);
        if (!flown.ok) return err({ kind: 'database', error: flown.error });
        return ok({ status: 200, body: cellOf(flown.value[0]) ?? 'null' });
      }),
    );
    app.post(
      `${path}/:id/kept/:kept/restore`,
      asAccountRoute(context, async (exchange) => {
        const [id, kept] = [pathId(exchange), parseId(pathPart(exchange, 'kept'))];
        if (id === undefined || kept === undefined) return err({ kind: 'not-found' });
        const done = await restoreData(context.db, exchange.caller, id, kept);
        return done.ok ? ok(json(200, { rows: done.value })) : err(columnFailure(done.error));
      }),
    );
  }
}
