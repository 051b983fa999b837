// The renderer as the services use it: styles of layers ready to draw, cached as long as they are true, and pictures of them, drawn
// in threads of their own.

import type { Caller } from '../../auth/caller.ts';
import type { RequestInfo } from '../../auth/caller-db.ts';
import type { StyleLayer } from '../../geo/style/style-layer.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Layer } from '../../layer-ports/layer.ts';
import type { LayerAccess, LayerError, LayerStyle } from '../../layer-ports/layer-access.ts';
import { type CompiledStyle, compileStyle } from '../render/compile-style.ts';
import type { CrsRegistry } from '../render/crs-registry.ts';
import { pickStyle, styleLayers } from '../styles/resolve-style.ts';
import type { OrderedLayer, PictureOrder } from './picture-messages.ts';
import { type Asker, type PictureError, type PictureSource, pictureThreads } from './picture-threads.ts';

export type ReadyStyle = {
  readonly stored: LayerStyle | undefined;
  readonly layers: readonly StyleLayer[];
  readonly compiled: CompiledStyle;
};

export type MapRenderer = {
  readonly crs: CrsRegistry;
  /** By name, id, or the default for an empty name; undefined: the layer has no such style. */
  styleOf(
    caller: Caller,
    info: RequestInfo,
    layer: Layer,
    wanted: string,
  ): Promise<Result<ReadyStyle | undefined, LayerError>>;
  draw(asker: Asker, order: PictureOrder): Promise<Result<Buffer, PictureError>>;
};

export type RendererParts = {
  readonly layers: LayerAccess;
  readonly crs: CrsRegistry;
  readonly source: PictureSource;
};

/** Layers times pixels of one picture: two layers of the largest for a visitor, eight for those whom the portal knows. */
const MAX_WORK = { visitor: 36_000_000, account: 144_000_000 } as const;
const MAX_STYLES = 1000;

export function makeMapRenderer({ layers, crs, source }: RendererParts): MapRenderer {
  const threads = pictureThreads();
  // By version, so what is found is true; and only for a layer that was just found for the caller.
  const kept = new Map<string, ReadyStyle>();
  return {
    crs,
    async styleOf(caller, info, layer, wanted) {
      const key = `${layer.id} ${layer.version} ${wanted}`;
      const known = kept.get(key);
      if (known !== undefined) return ok(known);
      const styles = await layers.styles(caller, info, layer.id);
      if (!styles.ok) return styles;
      const stored = pickStyle(layer, styles.value, wanted);
      if (stored === undefined && wanted !== '' && wanted !== 'default') return ok(undefined);
      const list = styleLayers(layer, stored);
      const ready: ReadyStyle = { stored, layers: list, compiled: compileStyle(list) };
      if (kept.size >= MAX_STYLES) kept.delete(kept.keys().next().value ?? '');
      kept.set(key, ready);
      return ok(ready);
    },
    async draw(asker, order) {
      const { width, height } = order.view;
      const drawn = withoutRepeats(order.layers);
      const limit = MAX_WORK[asker.caller.kind];
      if (width * height * Math.max(1, drawn.length) > limit) return err({ kind: 'too-large', limit });
      return threads.draw(source, asker, { ...order, layers: drawn });
    },
  };
}

/** A layer that is named again with the same style and filter would only cover itself: its last place is the one that is seen. */
function withoutRepeats(layers: readonly OrderedLayer[]): readonly OrderedLayer[] {
  const last = new Map(
    layers.map(({ layer, style, filter }, i) => [`${layer.id} ${JSON.stringify([style, filter])}`, i]),
  );
  const kept = new Set(last.values());
  return layers.filter((_, i) => kept.has(i));
}
