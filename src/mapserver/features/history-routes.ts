// The history of a layer: who changed which feature when, and the undoing of one edit. Beside OGC API Features, under the same names.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import { type MapContext, requestInfo } from '../map-context.ts';
import { historyStatement, undoStatement } from '../query/history-sql.ts';
import { queryFailure } from '../query-failure.ts';
import { NEEDS_DOWNLOAD } from './may-read-rows.ts';
import { type Ask, type Handled, json, type OgcRoute } from './ogc-route.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_KEY = 400;

export function registerHistory(scope: FastifyInstance, context: MapContext, { route, withLayer }: OgcRoute): void {
  scope.get('/ogc/collections/:layer/history', route(withLayer(list), ['f', 'feature', 'before', 'limit']));
  scope.post('/ogc/collections/:layer/history/:edit/undo', route(withLayer(undo)));

  async function list({ request, reply, caller }: Ask, layer: VectorLayer): Promise<Handled> {
    const query = request.query as Readonly<Record<string, string | undefined>>;
    const { feature, before, limit = String(DEFAULT_LIMIT) } = query;
    if (!/^[1-9]\d{0,5}$/.test(limit) || (before !== undefined && !/^\d{1,18}$/.test(before)))
      return err({ kind: 'bad-request', detail: 'limit and before are whole numbers.' });
    if (feature !== undefined && (feature.length > MAX_KEY || feature.includes('\0')))
      return err({ kind: 'not-found' });
    const ask = { feature, before, limit: Math.min(Number(limit), MAX_LIMIT) };
    const executed = await context.db.read(caller, requestInfo(request), [historyStatement(layer.id, ask)]);
    if (!executed.ok) return err(queryFailure(executed.error));
    const cell = executed.value[0]?.rows[0]?.[0];
    if (cell === null || cell === undefined) return err({ kind: 'forbidden', detail: NEEDS_DOWNLOAD });
    return ok(json(reply, { edits: JSON.parse(cell.toString()) as unknown }));
  }

  async function undo({ request, reply, caller }: Ask, layer: VectorLayer): Promise<Handled> {
    const { edit } = request.params as { readonly edit: string };
    if (caller.kind === 'visitor') return err({ kind: 'not-authenticated' });
    if (!/^\d{1,18}$/.test(edit)) return err({ kind: 'not-found' });
    const executed = await context.db.write(caller, requestInfo(request), [undoStatement(layer.id, edit)]);
    if (!executed.ok) return err(queryFailure(executed.error));
    switch (executed.value[0]?.rows[0]?.[0]?.toString()) {
      case 'done':
        return ok(reply.code(204).send());
      case 'changed':
        return err({ kind: 'precondition-failed' });
      case 'bulk':
        return err({ kind: 'bad-request', detail: 'An edit of many features at once cannot be undone.' });
      default:
        return err({ kind: 'not-found' });
    }
  }
}
