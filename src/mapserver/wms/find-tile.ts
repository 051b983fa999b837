// A layer, a style and the address of a tile, as texts of a request → all three, if the caller sees the layer.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import { parseTileAddress, type TileAddress } from '../../geo/tile.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type MapContext, requestInfo } from '../map-context.ts';
import type { SaidFilter } from '../parse-filter.ts';
import type { MapRenderer } from '../pictures/map-renderer.ts';
import type { RasterReader } from '../raster/raster-reader.ts';
import type { RasterTiles } from './raster-tiles.ts';
import type { Chosen } from './send-info.ts';
import { databaseFault, type WmsFault } from './wms-fault.ts';
import { DEEPEST } from './wmts-capabilities.ts';

export type WmtsParts = {
  readonly context: MapContext;
  readonly renderer: MapRenderer;
  readonly rasters: RasterReader;
  readonly tiles: RasterTiles;
};

export type TileAsk = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly caller: Caller };

export type TileName = {
  readonly layer: string;
  readonly style: string;
  readonly z: string;
  readonly x: string;
  readonly y: string;
  /** Undefined: all of its features. */
  readonly filter: SaidFilter | undefined;
};

const NOTHING_TO_FILTER = 'a raster has no features to filter';

export async function findTile(
  { context, renderer }: WmtsParts,
  { request, caller }: TileAsk,
  { layer: name, style: styleName, z, x, y, filter }: TileName,
): Promise<Result<Chosen & { readonly tile: TileAddress }, WmsFault>> {
  const info = requestInfo(request);
  const tile = parseTileAddress(z, x, y);
  if (!tile.ok) return err({ code: 'TileOutOfRange', text: tile.error.said });
  if (tile.value.z > DEEPEST) return err({ code: 'TileOutOfRange', text: `there are no tiles beyond zoom ${DEEPEST}` });
  const found = await context.layers.find(caller, info, name);
  if (!found.ok)
    return err(
      found.error.kind === 'no-such-layer'
        ? { code: 'NotFound', text: `there is no layer ${name.slice(0, 200)}`, locator: 'Layer' }
        : databaseFault(found.error),
    );
  if (filter !== undefined && found.value.kind === 'raster')
    return err({ code: 'InvalidParameterValue', text: NOTHING_TO_FILTER, locator: 'filter' });
  const style = await renderer.styleOf(caller, info, found.value, styleName.slice(0, 400));
  if (!style.ok) return err(databaseFault(style.error));
  if (style.value === undefined)
    return err({ code: 'InvalidParameterValue', text: 'the layer has no such style', locator: 'Style' });
  return ok({ layer: found.value, style: style.value, tile: tile.value });
}
