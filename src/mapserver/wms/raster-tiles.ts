// Pictures of layers in tiles of the web's grid, kept by the version of what is on them. Whoever asks has found the layer first; a layer
// that shows everybody something else is drawn anew each time.

import type { Caller } from '../../auth/caller.ts';
import type { RequestInfo } from '../../auth/caller-db.ts';
import { WEB_MERCATOR } from '../../geo/projection.ts';
import { type TileAddress, tileBounds } from '../../geo/tile.ts';
import { makeView } from '../../geo/view.ts';
import { makeByteCache } from '../../kernel/byte-cache.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Layer } from '../../layer-ports/layer.ts';
import type { CancelSignal } from '../../pg/driver.ts';
import type { SaidFilter } from '../parse-filter.ts';
import type { MapRenderer, ReadyStyle } from '../pictures/map-renderer.ts';
import type { PictureError } from '../pictures/picture-threads.ts';
import type { ImageFormat } from '../render/encode-image.ts';
import { hashOf } from '../tiles/tile-service.ts';

export const TILE_SIZE = 256;
const CACHE_BYTES = 64 * 1024 * 1024;

export type RasterTile = {
  readonly caller: Caller;
  readonly info: RequestInfo;
  readonly layer: Layer;
  readonly style: ReadyStyle;
  readonly tile: TileAddress;
  readonly format: ImageFormat;
  /** Without the opacity of the style: whoever shows the tile does that. */
  readonly isSolid: boolean;
  /** Of the features alone that pass it. */
  readonly filter?: SaidFilter | undefined;
  readonly signal?: CancelSignal;
};

export type RasterTiles = {
  /** The same for as long as the tile is; undefined: nothing is known of when it changes. */
  tagOf(wanted: RasterTile): string | undefined;
  get(wanted: RasterTile): Promise<Result<Buffer, PictureError>>;
};

export function makeRasterTiles(renderer: MapRenderer): RasterTiles {
  const kept = makeByteCache<Buffer>(CACHE_BYTES);
  const keyOf = ({ layer, style, tile, format, isSolid, filter }: RasterTile): string | undefined =>
    layer.cacheable
      ? `${layer.id}.${layer.version}.${style.stored?.id ?? 0}.${tile.z}.${tile.x}.${tile.y}.${format}${isSolid ? '.s' : ''}${filter === undefined ? '' : `.${hashOf(filter.said)}`}`
      : undefined;
  return {
    tagOf(wanted) {
      const key = keyOf(wanted);
      return key === undefined ? undefined : `"${key}"`;
    },
    async get(wanted) {
      const key = keyOf(wanted);
      const known = key === undefined ? undefined : kept.get(key);
      if (known !== undefined) return ok(known);
      const { caller, info, layer, style, tile, format, isSolid, filter, signal } = wanted;
      const drawn = await renderer.draw(
        { caller, info, signal },
        {
          view: makeView(WEB_MERCATOR, tileBounds(tile), TILE_SIZE, TILE_SIZE),
          layers: [{ layer, style: style.layers, isSolid, filter: filter?.filter }],
          background: format === 'jpeg' ? '#ffffff' : undefined,
          format,
        },
      );
      if (drawn.ok && key !== undefined) kept.set(key, drawn.value, drawn.value.length);
      return drawn;
    },
  };
}
