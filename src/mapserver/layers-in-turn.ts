// All layers that a caller sees, a page at a time, for documents that name them all. The first page is asked for before anything is sent,
// so that what is wrong can still be said.

import type { Caller } from '../auth/caller.ts';
import type { RequestInfo } from '../auth/caller-db.ts';
import { ok, type Result } from '../kernel/result.ts';
import type { Layer } from '../layer-ports/layer.ts';
import type { LayerAccess, LayerError, LayersInTurn } from '../layer-ports/layer-access.ts';

const PAGE = 200;

export async function layersInTurn(
  access: LayerAccess,
  caller: Caller,
  info: RequestInfo,
): Promise<Result<AsyncIterable<readonly Layer[]>, LayerError>> {
  const first = await access.listAfter(caller, info, { limit: PAGE, after: undefined });
  if (!first.ok) return first;
  async function* pages(start: LayersInTurn): AsyncGenerator<readonly Layer[]> {
    for (let page = start; ; ) {
      yield page.layers;
      if (page.next === undefined) return;
      const more = await access.listAfter(caller, info, { limit: PAGE, after: page.next });
      // The document has begun: it is cut off, and cannot be taken for a whole one.
      if (!more.ok) throw new Error(`layers could not be listed: ${more.error.kind}`);
      page = more.value;
    }
  }
  return ok(pages(first.value));
}
