// The layers a caller sees with the names of their styles, a page at a time. The first page is asked for before anything is sent, so
// that what is wrong can still be said.

import type { Caller } from '../../auth/caller.ts';
import type { RequestInfo } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { LayerError } from '../../layers/layer-access.ts';
import type { MapContext } from '../map-context.ts';
import type { CapabilitiesPage } from './capabilities.ts';

const PAGE = 200;

/** `only`: a single layer. */
export async function capabilitiesPages(
  context: MapContext,
  caller: Caller,
  info: RequestInfo,
  only: string | undefined,
): Promise<Result<AsyncIterable<CapabilitiesPage>, LayerError>> {
  const nextPage = async (offset: number): Promise<Result<CapabilitiesPage, LayerError>> => {
    const found = only === undefined ? undefined : await context.layers.find(caller, info, only);
    if (found !== undefined && !found.ok) return found;
    const page =
      found === undefined
        ? await context.layers.list(caller, info, { limit: PAGE, offset })
        : ok({ layers: [found.value] });
    if (!page.ok) return page;
    const { layers } = page.value;
    const names = await context.styleStore.names(
      caller,
      info,
      layers.flatMap((layer) => layer.styles),
    );
    if (!names.ok) return err({ kind: 'database', error: names.error });
    return ok({ layers, styles: new Map(names.value.map((name) => [name.id, name])) });
  };
  const first = await nextPage(0);
  if (!first.ok) return first;
  async function* pages(start: CapabilitiesPage): AsyncGenerator<CapabilitiesPage> {
    yield start;
    if (only !== undefined) return;
    for (let offset = PAGE, last = start; last.layers.length === PAGE; offset += PAGE) {
      const next = await nextPage(offset);
      // The document has begun: it is cut off, and cannot be taken for a whole one.
      if (!next.ok) throw new Error(`layers could not be listed: ${next.error.kind}`);
      yield next.value;
      last = next.value;
    }
  }
  return ok(pages(first.value));
}
