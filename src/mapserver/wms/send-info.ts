// Layers and a place in a view → what lies there, in the format that was asked for: the end of GetFeatureInfo, for maps and for tiles.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import type { Filter } from '../../geo/cql/cql.ts';
import type { Popup } from '../../geo/presentation/presentation.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Layer } from '../../layer-ports/layer.ts';
import { type MapContext, requestInfo } from '../map-context.ts';
import type { MapRenderer, ReadyStyle } from '../pictures/map-renderer.ts';
import type { RasterReader } from '../raster/raster-reader.ts';
import { type FoundFeature, findFeatures, type InfoQuery } from './feature-info.ts';
import { IN_A_LANGUAGE, type Language, readerWords } from './reader-words.ts';
import { databaseFault, renderFault, type WmsFault } from './wms-fault.ts';
import type { InfoFormat } from './wms-request.ts';
import { hasGeometry, writeInfo } from './write-info.ts';

/** A layer that the caller sees, and how and which of it is drawn. */
export type Chosen = {
  readonly layer: Layer;
  readonly style: ReadyStyle;
  /** Only of the features that pass it. */
  readonly filter?: Filter | undefined;
};

export async function sendInfo(
  {
    context,
    renderer,
    rasters,
  }: { readonly context: MapContext; readonly renderer: MapRenderer; readonly rasters: RasterReader },
  {
    request,
    reply,
    caller,
  }: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly caller: Caller },
  chosen: readonly Chosen[],
  format: InfoFormat,
  place: Omit<InfoQuery, 'hasGeometry'>,
  language: Language,
): Promise<Result<unknown, WmsFault>> {
  const info = requestInfo(request);
  const query = { ...place, hasGeometry: hasGeometry(format) };
  const features: FoundFeature[] = [];
  for (const { layer, style, filter } of chosen) {
    const found = await findFeatures(context, rasters, renderer.crs, caller, info, layer, style, filter, query);
    if (!found.ok) return err(renderFault(found.error, filter !== undefined));
    features.push(...found.value);
  }
  const popups = new Map<number, Popup>();
  if (format === 'text/html')
    for (const id of new Set(features.flatMap(({ layer }) => (layer.kind === 'vector' ? [layer.id] : [])))) {
      const popup = await context.layers.popup(caller, info, id);
      if (!popup.ok) return err(databaseFault(popup.error));
      popups.set(id, popup.value);
    }
  reply.type(`${format}; charset=utf-8`);
  // Attributes are other people's text: it is shown, and nothing in it runs.
  reply.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
  if (format === 'text/html') reply.header('Vary', IN_A_LANGUAGE);
  reply.send(writeInfo(features, format, query.view.crs.srid, readerWords(language), popups));
  return ok(undefined);
}
