// `PUT /api/v2/datasets/{id}/recalc-bbox`: the extent of a layer, computed from its rows. A box in the body is refused: the extent is that of the rows.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import { described, tagOf } from '../description/described-route.ts';
import { FLAG, record } from '../description/schema.ts';
import { type ApiContext, asAccountRoute, json } from '../operations/exchange.ts';
import { bodyOf, pathId } from '../operations/register-collection.ts';
import { isMembers } from '../operations/write/body-forms.ts';
import { columnFailure } from './column-paths.ts';
import { recalculateExtent } from './recalculate-extent.ts';

const BODY_LIMIT = 64 * 1024;

export function registerExtentPath(app: FastifyInstance, context: ApiContext, paths: readonly string[]): void {
  for (const path of paths) {
    app.put(
      `${path}/:id/recalc-bbox`,
      {
        bodyLimit: BODY_LIMIT,
        ...described({
          id: `${tagOf(path)}_recalculate_extent`,
          tag: tagOf(path),
          summary: {
            en: 'Compute its extent from its rows',
            de: 'Seine Ausdehnung aus seinen Zeilen berechnen',
          },
          answers: { 200: record({ success: FLAG }) },
          refusals: [400, 401, 403, 404],
        }),
      },
      asAccountRoute(context, async (exchange) => {
        const id = pathId(exchange);
        if (id === undefined) return err({ kind: 'not-found' });
        const body = exchange.request.body === undefined ? ok(undefined) : await bodyOf(exchange);
        if (!body.ok) return body;
        if (isMembers(body.value) && (body.value['bbox'] ?? null) !== null)
          return err({
            kind: 'invalid-fields',
            fields: { bbox: ['The extent is computed from the rows: send no box.'] },
          });
        const done = await recalculateExtent(context.db, exchange.caller, id);
        return done.ok ? ok(json(200, { success: true })) : err(columnFailure(done.error));
      }),
    );
  }
}
