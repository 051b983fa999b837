// The vector layers that a caller sees, a page at a time, and which of them the caller may edit.

import { ok, type Result } from '../../../kernel/result.ts';
import type { Layer, VectorLayer } from '../../../layer-ports/layer.ts';
import type { LayerError } from '../../../layer-ports/layer-access.ts';
import { layersInTurn } from '../../layers-in-turn.ts';
import { type MapContext, requestInfo } from '../../map-context.ts';
import type { Offer, OfferPage } from './offer.ts';
import type { WfsAsk } from './wfs-ask.ts';

export async function vectorPages(
  { layers }: MapContext,
  { request, caller }: WfsAsk,
): Promise<Result<AsyncIterable<readonly VectorLayer[]>, LayerError>> {
  const turn = await layersInTurn(layers, caller, requestInfo(request));
  if (!turn.ok) return turn;
  async function* pages(all: AsyncIterable<readonly Layer[]>): AsyncGenerator<readonly VectorLayer[]> {
    for await (const some of all) yield some.filter((layer): layer is VectorLayer => layer.kind === 'vector');
  }
  return ok(pages(turn.value));
}

export async function offerFor(
  context: MapContext,
  ask: WfsAsk,
): Promise<Result<Pick<Offer, 'canEdit' | 'pages'>, LayerError>> {
  const info = requestInfo(ask.request);
  const canEdit = await context.layers.mayWithAny(ask.caller, info, 'change_layer_data');
  if (!canEdit.ok) return canEdit;
  const vectors = await vectorPages(context, ask);
  if (!vectors.ok) return vectors;
  async function* pages(all: AsyncIterable<readonly VectorLayer[]>): AsyncGenerator<OfferPage> {
    for await (const layers of all) {
      const ids = layers.map(({ id }) => id);
      const editable = await context.layers.mayAmong(ask.caller, info, ids, 'change_layer_data');
      // The document has begun: it is cut off, and cannot be taken for a whole one.
      if (!editable.ok) throw new Error(`permissions could not be read: ${editable.error.kind}`);
      yield { layers, editable: editable.value };
    }
  }
  return ok({ canEdit: canEdit.value, pages: pages(vectors.value) });
}
