// The renderer as the services use it: styles of layers ready to draw, kept as long as they are true, and pictures of them, as many
// at once as memory allows.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import type { StyleLayer } from '../../geo/style/style-layer.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Layer } from '../../layers/layer.ts';
import type { LayerAccess, LayerError, LayerStyle } from '../../layers/layer-access.ts';
import { pickStyle, styleLayers } from '../styles/resolve-style.ts';
import { type CompiledStyle, compileStyle } from './compile-style.ts';
import type { CrsRegistry } from './crs-registry.ts';
import { encodeImage, type ImageFormat } from './encode-image.ts';
import { makeGate } from './gate.ts';
import { type DrawRaster, type RenderError, type RenderRequest, renderMap } from './render-map.ts';

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
  draw(request: RenderRequest, format: ImageFormat): Promise<Result<Buffer, RenderError | { readonly kind: 'busy' }>>;
};

export type RendererParts = {
  readonly db: CallerDb;
  readonly layers: LayerAccess;
  readonly crs: CrsRegistry;
  readonly drawRaster: DrawRaster;
};

/** Of pictures that are drawn at the same time: four bytes each, and as much again while they are encoded. */
const MAX_PIXELS = 40_000_000;
const MAX_WAITING = 500;
const MAX_STYLES = 1000;

export function makeMapRenderer({ db, layers, crs, drawRaster }: RendererParts): MapRenderer {
  const gate = makeGate(MAX_PIXELS, MAX_WAITING);
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
    async draw(request, format) {
      const { width, height } = request.view;
      const made = await gate.enter(width * height, async () => {
        const canvas = await renderMap({ db, crs, drawRaster }, request);
        return canvas.ok ? ok(await encodeImage(canvas.value, format)) : canvas;
      });
      return made ?? err({ kind: 'busy' });
    },
  };
}
