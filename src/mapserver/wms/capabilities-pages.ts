// The layers a caller sees with the names of their styles, a page at a time.

import type { Caller } from '../../auth/caller.ts';
import type { RequestInfo } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Layer } from '../../layer-ports/layer.ts';
import type { LayerError } from '../../layer-ports/layer-access.ts';
import { layersInTurn } from '../layers-in-turn.ts';
import type { MapContext } from '../map-context.ts';
import type { CapabilitiesPage } from './capabilities.ts';

/** `only`: a single layer. */
export async function capabilitiesPages(
  context: MapContext,
  caller: Caller,
  info: RequestInfo,
  only: string | undefined,
): Promise<Result<AsyncIterable<CapabilitiesPage>, LayerError>> {
  const withStyles = async (layers: readonly Layer[]): Promise<Result<CapabilitiesPage, LayerError>> => {
    const ids = layers.flatMap((layer) => layer.styles);
    const names = await context.styleStore.names(caller, info, ids);
    if (!names.ok) return err({ kind: 'database', error: names.error });
    return ok({ layers, styles: new Map(names.value.map((name) => [name.id, name])) });
  };
  if (only !== undefined) {
    const found = await context.layers.find(caller, info, only);
    if (!found.ok) return found;
    const page = await withStyles([found.value]);
    return page.ok ? ok(onePage(page.value)) : page;
  }
  const turn = await layersInTurn(context.layers, caller, info);
  if (!turn.ok) return turn;
  async function* pages(layers: AsyncIterable<readonly Layer[]>): AsyncGenerator<CapabilitiesPage> {
    for await (const some of layers) {
      const page = await withStyles(some);
      if (!page.ok) throw new Error(`styles could not be listed: ${page.error.kind}`);
      yield page.value;
    }
  }
  return ok(pages(turn.value));
}

async function* onePage(page: CapabilitiesPage): AsyncGenerator<CapabilitiesPage> {
  yield page;
}
