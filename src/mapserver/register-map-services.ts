// The addresses of the map services, put on an application.

import type { FastifyInstance } from 'fastify';
import { err, type Result } from '../kernel/result.ts';
import { registerWorldTiles } from './basemaps/world-routes.ts';
import { registerWcs } from './coverages/wcs-routes.ts';
import { registerDownloads } from './downloads/download-routes.ts';
import { registerOgcApi } from './features/ogc-routes.ts';
import { registerWfs } from './features/wfs/wfs-routes.ts';
import { registerGlyphs } from './glyphs/glyph-routes.ts';
import type { MapContext, MapFailure } from './map-context.ts';
import { registerOgcMaps } from './ogc-maps/map-routes.ts';
import { registerOws } from './ows-routes.ts';
import { makeMapRenderer } from './pictures/map-renderer.ts';
import { makeReadFile } from './raster/blob-source.ts';
import { makeRasterReader } from './raster/make-raster-reader.ts';
import { makeCrsRegistry } from './render/crs-registry.ts';
import { registerStyles } from './styles/style-routes.ts';
import { pieceOf } from './summary/piece.ts';
import { registerChosenThumbnails } from './thumbnails/chosen-thumbnail-routes.ts';
import { registerThumbnails } from './thumbnails/thumbnail-routes.ts';
import { registerTiles } from './tiles/tile-routes.ts';
import { makeTileService } from './tiles/tile-service.ts';
import { registerWms } from './wms/wms-routes.ts';
import { registerWmts } from './wms/wmts-routes.ts';

export async function registerMapServices(app: FastifyInstance, context: MapContext): Promise<void> {
  const tiles = makeTileService(context.db);
  registerTiles(app, context, tiles);
  await registerOgcApi(app, context, tiles);
  const wfs = await registerWfs(app, context);
  registerDownloads(app, context);
  const crs = makeCrsRegistry(context.db);
  const readFile = makeReadFile(context.blobs);
  const piece = pieceOf(context.db.driver);
  const rasters = makeRasterReader(readFile, crs, context.observe);
  await registerStyles(app, context, context.styleStore, async (layer) => {
    const described = await rasters.describe(layer);
    if (described.ok || described.error.kind === 'database') return described as Result<unknown, MapFailure>;
    return err({ kind: 'bad-request', detail: 'The file of this raster cannot be read.' });
  });
  const renderer = makeMapRenderer({
    layers: context.layers,
    crs,
    source: { db: context.db, readFile, observe: context.observe, piece },
  });
  registerGlyphs(app, context);
  registerWorldTiles(app, context);
  registerThumbnails(app, context, context.thumbnails);
  const { thumbnails: store, serviceLayers: layers, drawNamedBasemap } = context;
  const asService = makeMapRenderer({
    layers,
    crs,
    source: { db: store.serviceDb, readFile, observe: context.observe, piece },
  });
  registerChosenThumbnails(app, context, {
    store,
    layers,
    renderer: asService,
    crs,
    drawRaster: rasters.draw,
    piece,
    drawNamedBasemap,
  });
  const wms = await registerWms(app, { context, renderer, rasters });
  const wcs = await registerWcs(app, { context, renderer, rasters });
  registerOgcMaps(app, context, renderer);
  const wmts = registerWmts(app, context, renderer, rasters);
  await registerOws(app, context, { wms, wfs, wcs, wmts });
}
