// The Web Map Service at `/wms`: parses, finds layers and styles for the caller, draws, answers. `/wms/{layer}` is the same with one
// layer in its capabilities.

import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import type { RequestInfo } from '../../auth/caller-db.ts';
import type { Filter } from '../../geo/cql/cql.ts';
import { noValueColumns } from '../../geo/style/no-value.ts';
import { readSldDocument, type SldLayer } from '../../geo/style/read-sld.ts';
import type { StyleLayer } from '../../geo/style/style-layer.ts';
import { makeView, type View } from '../../geo/view.ts';
import { whenClientGone } from '../../http/client-gone.ts';
import { noteCause } from '../../http/request-notes.ts';
import { OversizedBody, oversizedText, readTextBodies } from '../../http/text-bodies.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Layer } from '../../layer-ports/layer.ts';
import type { LayerError } from '../../layer-ports/layer-access.ts';
import { type MapContext, requestInfo, type ServiceHandler } from '../map-context.ts';
import { parseFilter } from '../parse-filter.ts';
import type { MapRenderer, ReadyStyle } from '../pictures/map-renderer.ts';
import { withLegendStops } from '../raster/raster-legend.ts';
import type { RasterReader } from '../raster/raster-reader.ts';
import { compileStyle } from '../render/compile-style.ts';
import { encodeImage, MEDIA_TYPES } from '../render/encode-image.ts';
import { drawLegend } from '../render/legend.ts';
import { missingValues } from '../styles/column-statistics.ts';
import { columnHints } from '../styles/resolve-style.ts';
import { cellMetres, widthText, zoomOfScale } from '../summary/cell-width.ts';
import { summaryTo } from '../summary/shown.ts';
import { writeCapabilities } from './capabilities.ts';
import { capabilitiesPages } from './capabilities-pages.ts';
import { MAP_WORDS } from './map-words.ts';
import { IN_A_LANGUAGE, type Language, languageFor } from './reader-words.ts';
import { type Chosen, sendInfo } from './send-info.ts';
import { databaseFault, faultBody, filterFault, renderFault, type WmsFault, type WmsVersion } from './wms-fault.ts';
import {
  MAX_LAYERS,
  type MapRequest,
  type Parameters,
  parseWmsRequest,
  readParameters,
  versionOf,
  type WmsRequest,
} from './wms-request.ts';

export type WmsParts = { readonly context: MapContext; readonly renderer: MapRenderer; readonly rasters: RasterReader };

type Ask = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  readonly language: Language;
};
type Answer = Promise<Result<unknown, WmsFault>>;

/** A style in the request can be long. */
const MAX_BODY = 1_000_000;

export async function registerWms(app: FastifyInstance, parts: WmsParts): Promise<ServiceHandler> {
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const caller = await parts.context.identify(request, reply);
    if (caller === undefined) return reply;
    const parameters = parametersOf(request);
    const version = versionOf(parameters);
    reply.header('Cache-Control', 'private, no-cache').header('Vary', 'Authorization, Cookie');
    reply.header('Access-Control-Allow-Origin', '*');
    const accepted = request.headers['accept-language'];
    const language = languageFor(parameters.get('LANGUAGE') ?? parameters.get('ACCEPTLANGUAGES'), accepted);
    const only = (request.params as { readonly layer?: string }).layer;
    const { body: sent } = request;
    const asked =
      sent instanceof OversizedBody
        ? err<WmsFault>({ code: undefined, text: oversizedText(sent), status: 413 })
        : parseWmsRequest(parameters);
    const answer = asked.ok ? await answerWms(parts, { request, reply, caller, language }, asked.value, only) : asked;
    if (answer.ok) return reply;
    noteCause(request.raw, answer.error.cause ?? answer.error.text);
    const { status, type, body } = faultBody(answer.error, version);
    return reply.code(status).type(type).send(body);
  };
  await app.register(async (scope) => {
    readTextBodies(scope, MAX_BODY);
    for (const url of ['/wms', '/wms/:layer']) {
      scope.get(url, handler);
      scope.post(url, handler);
    }
  });
  return handler;
}

function parametersOf(request: FastifyRequest): Parameters {
  const at = request.url.indexOf('?');
  const query = at < 0 ? '' : request.url.slice(at + 1);
  const { body: sent } = request;
  const body = typeof sent === 'string' ? sent : sent instanceof OversizedBody ? sent.head : '';
  return readParameters(body === '' ? query : `${query}&${body}`);
}

function answerWms(parts: WmsParts, ask: Ask, asked: WmsRequest, only: string | undefined): Answer {
  switch (asked.kind) {
    case 'capabilities':
      return answerCapabilities(parts, ask, asked.version, only);
    case 'map':
      return answerMap(parts, ask, asked);
    case 'feature-info':
      return answerInfo(parts, ask, asked);
    case 'legend':
      return answerLegend(parts, ask, asked);
  }
}

async function answerCapabilities(
  { context }: WmsParts,
  { request, reply, caller, language }: Ask,
  version: WmsVersion,
  only: string | undefined,
): Answer {
  const pages = await capabilitiesPages(context, caller, requestInfo(request), only);
  if (!pages.ok) return layerFault(pages.error, only ?? '');
  const address = context.serviceUrl(request, `/wms${only === undefined ? '' : `/${encodeURIComponent(only)}`}`);
  reply
    .header('Vary', IN_A_LANGUAGE)
    .type(version === '1.3.0' ? 'text/xml; charset=utf-8' : 'application/vnd.ogc.wms_xml; charset=utf-8')
    .send(Readable.from(writeCapabilities(version, address, language, pages.value)));
  return ok(undefined);
}

async function answerMap({ context, renderer }: WmsParts, { request, reply, caller }: Ask, asked: MapRequest): Answer {
  const chosen = await chooseLayers(context, renderer, { request, caller }, asked);
  if (!chosen.ok) return chosen;
  const view = await viewOf(renderer, asked);
  if (!view.ok) return view;
  const drawn = await renderer.draw(
    { caller, info: requestInfo(request), signal: whenClientGone(reply.raw) },
    {
      view: view.value,
      layers: chosen.value.map(({ layer, style, filter }) => ({ layer, style: style.layers, filter })),
      background: asked.isTransparent ? undefined : asked.background,
      ...(asked.time === undefined ? {} : { time: asked.time }),
      format: asked.format,
    },
  );
  if (!drawn.ok) return err(renderFault(drawn.error, asked.filters.length > 0));
  reply.type(MEDIA_TYPES[asked.format]).send(drawn.value);
  return ok(undefined);
}

async function viewOf(renderer: MapRenderer, { crs, box, width, height }: MapRequest): Promise<Result<View, WmsFault>> {
  const found = await renderer.crs.find(crs.srid);
  if (!found.ok) return err(databaseFault(found.error));
  if (found.value === undefined)
    return err({ code: 'InvalidCRS', text: `there is no coordinate system ${crs.name}`, locator: 'CRS' });
  return ok(makeView(found.value, box, width, height));
}

async function chooseLayers(
  context: MapContext,
  renderer: MapRenderer,
  { request, caller }: Pick<Ask, 'request' | 'caller'>,
  asked: MapRequest,
): Promise<Result<readonly Chosen[], WmsFault>> {
  const info = requestInfo(request);
  // The document names the layers where the request does not. It is read without columns first, to find them.
  const document = asked.sld === undefined ? ok([]) : readSldDocument(asked.sld);
  if (!document.ok) return err({ code: undefined, text: document.error.message, locator: 'SLD_BODY' });
  const names = asked.layers.length > 0 ? asked.layers : document.value.map(({ name }) => name);
  if (names.length > MAX_LAYERS)
    return err({ code: undefined, text: `there are more than ${MAX_LAYERS} layers`, locator: 'SLD_BODY' });
  const chosen: Chosen[] = [];
  const known = new Map<string, Layer>();
  for (const [i, name] of names.entries()) {
    let layer = known.get(name);
    if (layer === undefined) {
      const found = await context.layers.find(caller, info, name);
      if (!found.ok) return layerFault(found.error, name);
      layer = found.value;
      known.set(name, layer);
    }
    const filter = filterOf(asked, i);
    if (!filter.ok) return filter;
    const sent = asked.sld === undefined ? undefined : sentStyle(asked.sld, layer, document.value);
    if (sent !== undefined && !sent.ok) return sent;
    if (sent?.ok === true && sent.value !== undefined) {
      chosen.push({ layer, style: sent.value, filter: filter.value });
      continue;
    }
    const wanted = asked.styles[i] ?? '';
    const style = await renderer.styleOf(caller, info, layer, wanted);
    if (!style.ok) return layerFault(style.error, name);
    if (style.value === undefined)
      return err({ code: 'StyleNotDefined', text: `${name} has no style ${wanted}`, locator: 'STYLES' });
    chosen.push({ layer, style: style.value, filter: filter.value });
  }
  return ok(chosen);
}

/** Of one of the layers, by its place among them. */
function filterOf({ filters }: Pick<MapRequest, 'filters'>, at: number): Result<Filter | undefined, WmsFault> {
  const text = filters.length > 1 ? (filters[at] ?? '') : (filters[0] ?? '');
  if (text === '') return ok(undefined);
  const filter = parseFilter(text, undefined);
  if (filter.ok) return filter;
  return err(filterFault(filter.error.detail));
}

/** The style that the request itself has for a layer; undefined: none. */
function sentStyle(text: string, layer: Layer, layers: readonly SldLayer[]): Result<ReadyStyle | undefined, WmsFault> {
  const isMeant = (name: string): boolean =>
    name === layer.name || name === layer.alternate || name === String(layer.id);
  const at = layers.findIndex(({ name, styles }) => isMeant(name) && styles.length > 0);
  if (at < 0) return ok(undefined);
  // Once more, now that the kinds of the columns are known.
  const document = readSldDocument(text, { columns: columnHints(layer) });
  if (!document.ok) return err({ code: undefined, text: document.error.message, locator: 'SLD_BODY' });
  const list = document.value[at]?.styles ?? [];
  const style = list.find((one) => one.isDefault) ?? list[0];
  if (style === undefined) return ok(undefined);
  return ok({ stored: undefined, layers: style.layers, compiled: compileStyle(style.layers) });
}

async function answerInfo(
  { context, renderer, rasters }: WmsParts,
  ask: Ask,
  asked: Extract<WmsRequest, { kind: 'feature-info' }>,
): Answer {
  const view = await viewOf(renderer, asked.map);
  if (!view.ok) return view;
  const chosen = await chooseLayers(context, renderer, ask, {
    ...asked.map,
    layers: asked.queryLayers,
    filters: filtersOf(asked),
    styles: [],
    sld: undefined,
  });
  if (!chosen.ok) return chosen;
  const place = {
    view: view.value,
    x: asked.i + 0.5,
    y: asked.j + 0.5,
    buffer: asked.buffer,
    count: asked.count,
    time: asked.map.time,
  };
  return sendInfo({ context, renderer, rasters }, ask, chosen.value, asked.format, place, ask.language);
}

/** A filter for each of the layers that are asked about, whatever others the map has. */
function filtersOf({ map, queryLayers }: Extract<WmsRequest, { kind: 'feature-info' }>): readonly string[] {
  if (map.filters.length <= 1) return map.filters;
  return queryLayers.map((name) => map.filters[map.layers.indexOf(name)] ?? '');
}

async function answerLegend(
  { context, renderer, rasters }: WmsParts,
  { request, reply, caller, language }: Ask,
  asked: Extract<WmsRequest, { kind: 'legend' }>,
): Answer {
  const info = requestInfo(request);
  const found = await context.layers.find(caller, info, asked.layer);
  if (!found.ok) return layerFault(found.error, asked.layer);
  const layer = found.value;
  const document = asked.sld === undefined ? ok([]) : readSldDocument(asked.sld);
  if (!document.ok) return err({ code: undefined, text: document.error.message, locator: 'SLD_BODY' });
  const sent = asked.sld === undefined ? ok(undefined) : sentStyle(asked.sld, layer, document.value);
  if (!sent.ok) return sent;
  const style = sent.value === undefined ? await renderer.styleOf(caller, info, layer, asked.style) : ok(sent.value);
  if (!style.ok) return layerFault(style.error, asked.layer);
  if (style.value === undefined)
    return err({ code: 'StyleNotDefined', text: `${asked.layer} has no style ${asked.style}`, locator: 'STYLE' });
  const described = layer.kind === 'raster' ? await rasters.describe(layer) : undefined;
  if (described?.ok === false) return err(renderFault(described.error));
  const { layers } = style.value;
  const missing = await missingIn(context, caller, info, layer, layers);
  const canvas = await drawLegend(described === undefined ? layers : withLegendStops(layers, described.value), {
    width: asked.width,
    height: asked.height,
    background: asked.isTransparent ? undefined : '#ffffff',
    ...(missing === undefined ? {} : { missing }),
    note: legendNote(layer, asked.scale, language),
    words: MAP_WORDS[language],
    ...(layer.kind === 'raster'
      ? {}
      : { names: new Map(layer.columns.map(({ name, label }) => [name, label ?? name])) }),
  });
  reply.header('Vary', IN_A_LANGUAGE);
  reply.type(MEDIA_TYPES[asked.format]).send(await encodeImage(canvas, asked.format));
  return ok(undefined);
}

/** What maps of that scale show in place of every feature. */
function legendNote(layer: Layer, scale: number | undefined, language: Language): string | undefined {
  if (scale === undefined || layer.kind === 'raster') return undefined;
  const zoom = Math.max(0, zoomOfScale(scale));
  if (Math.floor(zoom + 1e-6) > summaryTo(layer)) return undefined;
  const [, south, , north] = layer.extent?.wgs84 ?? [0, 0, 0, 0];
  return MAP_WORDS[language].cells(widthText(cellMetres(zoom + 1e-6, (south + north) / 2), language));
}

/** Columns of the style in which features have no value; undefined: it takes too long to find out. */
async function missingIn(
  { db }: MapContext,
  caller: Caller,
  info: RequestInfo,
  layer: Layer,
  style: readonly StyleLayer[],
): Promise<ReadonlySet<string> | undefined> {
  if (layer.kind === 'raster') return undefined;
  const names = noValueColumns(style);
  const columns = layer.columns.filter(({ name }) => names.includes(name));
  const missing = await missingValues(db, caller, info, layer, columns, undefined);
  return missing.ok ? new Set(missing.value) : undefined;
}

function layerFault(error: LayerError, name: string): Result<never, WmsFault> {
  if (error.kind !== 'no-such-layer') return err(databaseFault(error));
  return err({ code: 'LayerNotDefined', text: `there is no layer ${name.slice(0, 200)}`, locator: 'LAYERS' });
}
