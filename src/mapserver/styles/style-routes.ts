// Styles of layers, read and replaced: `/styles/{layer}/{style}.json` (a MapLibre style document) and `.sld`. A style written in one
// form is there in the other as well. `/styles/{layer}` lists them; `/styles/{layer}/suggestion.json?column=…` proposes one,
// and `/styles/{layer}/statistics.json?column=…` has the numbers to make one of. `/styles/-/{style}.sld` is for clients that know a style
// by its name alone: the layer that has it is looked for.

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import { parseStyleJson } from '../../geo/style/exact-literals.ts';
import { readSld } from '../../geo/style/read-sld.ts';
import { sldVersion } from '../../geo/style/sld-version.ts';
import { parseStyle, type StyleLayer } from '../../geo/style/style-layer.ts';
import { writeSld } from '../../geo/style/write-sld.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Layer, RasterLayer } from '../../layer-ports/layer.ts';
import type { LayerStyle } from '../../layer-ports/layer-access.ts';
import type { StyleContent, StyleStore } from '../../layer-ports/style-store.ts';
import { layerFailure, type MapContext, type MapFailure, requestInfo } from '../map-context.ts';
import { columnStatistics, missingValues, parseMissing, parsePassing, parseStatistics } from './column-statistics.ts';
import { columnHints, pickStyle, sldOf, styleLayers } from './resolve-style.ts';
import { makeStyleDocument } from './style-document.ts';
import { parseSuggestion, suggestStyle } from './suggest-style.ts';

const SLD_TYPE = 'application/vnd.ogc.sld+xml';
const MAX_STYLE_BYTES = 5_000_000;
const SUGGESTION = 'suggestion';
const STATISTICS = 'statistics';
const MAX_NAME = 255;

type Params = { readonly layer: string; readonly file: string };
type Asked = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  readonly layer: Layer;
  readonly styles: readonly LayerStyle[];
};
/** The bands of a raster: whoever draws rasters knows. */
export type DescribeRaster = (layer: RasterLayer) => Promise<Result<unknown, MapFailure>>;

type Handled = Promise<Result<unknown, MapFailure>>;

export async function registerStyles(
  app: FastifyInstance,
  context: MapContext,
  store: StyleStore,
  describeRaster: DescribeRaster,
): Promise<void> {
  const route =
    (handle: (asked: Asked, file: string) => Handled) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const caller = await context.identify(request, reply);
      if (caller === undefined) return reply;
      const meant = await layerMeant(context, request, caller);
      if (!meant.ok) return context.answerError(request, reply, meant.error, caller);
      const { layer: name, file } = meant.value;
      const found = await context.layers.find(caller, requestInfo(request), name);
      if (!found.ok) return context.answerError(request, reply, layerFailure(found.error), caller);
      const styles = await context.layers.styles(caller, requestInfo(request), found.value.id);
      if (!styles.ok) return context.answerError(request, reply, layerFailure(styles.error), caller);
      reply.header('Cache-Control', 'private, no-cache').header('Vary', 'Authorization, Cookie');
      reply.header('Access-Control-Allow-Origin', '*');
      const handled = await handle({ request, reply, caller, layer: found.value, styles: styles.value }, file);
      return handled.ok ? reply : context.answerError(request, reply, handled.error, caller);
    };

  // In a scope of its own: what is sent here is read as text, whatever it is called.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_STYLE_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.get(
      '/styles/:layer',
      route((asked) => listStyles(context, asked)),
    );
    scope.get(
      '/styles/:layer/:file',
      route((asked, file) => readStyle(context, describeRaster, asked, file)),
    );
    scope.put(
      '/styles/:layer/:file',
      route((asked, file) => writeStyle(context, store, asked, file)),
    );
    scope.delete(
      '/styles/:layer/:file',
      route((asked, file) => removeStyle(store, asked, file)),
    );
  });
}

const ANY_LAYER = '-';

/** `-` is the layer that has the style; a style that nobody has by that name is the usual one of the layer of that name. */
async function layerMeant(
  { layers }: MapContext,
  request: FastifyRequest,
  caller: Caller,
): Promise<Result<Params, MapFailure>> {
  const { layer = '', file = '' } = request.params as Partial<Params>;
  const wanted = layer === ANY_LAYER ? parseFile(file) : undefined;
  if (wanted === undefined) return ok({ layer, file });
  const style = wanted.style.slice(wanted.style.indexOf(':') + 1);
  const found = await layers.withStyle(caller, requestInfo(request), style);
  if (!found.ok) return err(layerFailure(found.error));
  return ok(
    found.value === undefined
      ? { layer: style, file: `default.${wanted.form}` }
      : { layer: String(found.value), file: `${style}.${wanted.form}` },
  );
}

async function listStyles(context: MapContext, { request, reply, layer, styles }: Asked): Handled {
  const base = `${context.baseUrl(request)}/styles/${encodeURIComponent(layer.name)}`;
  reply.type('application/json').send(
    JSON.stringify({
      styles: styles.map(({ id, name, title }) => ({
        id,
        name,
        title,
        default: id === layer.defaultStyle,
        json_url: `${base}/${id}.json`,
        sld_url: `${base}/${id}.sld`,
      })),
    }),
  );
  return ok(undefined);
}

/** Names that are addresses of something else. */
function isReserved(style: string): boolean {
  return style === SUGGESTION || style === STATISTICS;
}

type Form = 'json' | 'sld';

/** `blue.sld` → the style's name and the form of it. */
function parseFile(file: string): { readonly style: string; readonly form: Form } | undefined {
  const [, style, form] = /^(.+)\.(json|sld)$/s.exec(file) ?? [];
  return style === undefined || (form !== 'json' && form !== 'sld') ? undefined : { style, form };
}

async function readStyle(context: MapContext, describeRaster: DescribeRaster, asked: Asked, file: string): Handled {
  const { request, reply, caller, layer, styles } = asked;
  const wanted = parseFile(file);
  if (wanted === undefined) return err({ kind: 'not-found' });
  const base = context.baseUrl(request);
  if (wanted.style === SUGGESTION) {
    if (layer.kind === 'raster') return err({ kind: 'bad-request', detail: 'A raster has no columns.' });
    const suggestion = parseSuggestion(layer, request.query as Readonly<Record<string, unknown>>);
    if (!suggestion.ok) return suggestion;
    const layers = await suggestStyle(context.db, caller, requestInfo(request), layer, suggestion.value);
    if (!layers.ok) return layers;
    return sendStyle(reply, layer, undefined, layers.value, wanted.form, base);
  }
  if (wanted.style === STATISTICS && wanted.form === 'json') return sendStatistics(context, describeRaster, asked);
  const style = pickStyle(layer, styles, wanted.style);
  // A layer without any style is drawn in a default one, which can be asked for as well.
  if (style === undefined && wanted.style !== 'default') return err({ kind: 'not-found' });
  if (isByName(request) && wanted.form === 'json') {
    reply.type('application/json').send(JSON.stringify(aboutStyle(base, layer, style, wanted.style)));
    return ok(undefined);
  }
  if (wanted.form === 'sld') {
    reply.type(SLD_TYPE).send(sldOf(layer, style));
    return ok(undefined);
  }
  reply.header('ETag', tagOf(style));
  return sendStyle(reply, layer, style, styleLayers(layer, style), wanted.form, base);
}

/** Changes whenever the style does: what a change can be bound to (`If-Match`). */
function tagOf(style: LayerStyle | undefined): string {
  const { id, title, sld, maplibre } = style ?? { id: 0, title: null, sld: null, maplibre: null };
  return `"${createHash('sha256')
    .update(JSON.stringify([id, title, sld, maplibre]))
    .digest('base64url')
    .slice(0, 22)}"`;
}

function isByName(request: FastifyRequest): boolean {
  return (request.params as Partial<Params>).layer === ANY_LAYER;
}

/** What a style is, as clients of GeoServer read it; the style itself is at `.sld`. */
function aboutStyle(base: string, layer: Layer, style: LayerStyle | undefined, wanted: string): unknown {
  const name = style?.name ?? layer.name;
  const at = `${base}/styles/${encodeURIComponent(layer.name)}/${style?.id ?? encodeURIComponent(wanted)}`;
  return {
    style: {
      name,
      workspace: { name: layer.alternate.slice(0, Math.max(0, layer.alternate.indexOf(':'))) },
      format: 'sld',
      languageVersion: { version: sldVersion(sldOf(layer, style)) },
      filename: `${name}.sld`,
      sld_url: `${at}.sld`,
      json_url: `${at}.json`,
    },
  };
}

/** Of a column, or of the bands of a raster; or in which columns rows have no value. */
async function sendStatistics(context: MapContext, describeRaster: DescribeRaster, asked: Asked): Handled {
  const { request, reply, caller, layer } = asked;
  let statistics: Result<unknown, MapFailure>;
  if (layer.kind === 'raster') {
    statistics = await describeRaster(layer);
  } else {
    const query = request.query as Readonly<Record<string, unknown>>;
    const info = requestInfo(request);
    const columns = parseMissing(layer, query);
    if (!columns.ok) return columns;
    if (columns.value !== undefined) {
      const passing = parsePassing(layer, query);
      if (!passing.ok) return passing;
      const missing = await missingValues(context.db, caller, info, layer, columns.value, passing.value);
      statistics = missing.ok ? ok({ missing: missing.value }) : missing;
    } else {
      const parsed = parseStatistics(layer, query);
      statistics = parsed.ok ? await columnStatistics(context.db, caller, info, layer, parsed.value) : parsed;
    }
  }
  if (!statistics.ok) return statistics;
  reply.type('application/json').send(JSON.stringify(statistics.value));
  return ok(undefined);
}

function sendStyle(
  reply: FastifyReply,
  layer: Layer,
  style: LayerStyle | undefined,
  layers: readonly StyleLayer[],
  form: Form,
  base: string,
): Result<unknown, MapFailure> {
  if (form === 'json')
    reply.type('application/json').send(JSON.stringify(makeStyleDocument(layer, style, layers, base)));
  else {
    const head = { layer: layer.name, style: style?.name ?? 'default', title: style?.title ?? undefined };
    reply.type(SLD_TYPE).send(writeSld(layers, head));
  }
  return ok(undefined);
}

async function writeStyle(context: MapContext, store: StyleStore, asked: Asked, file: string): Handled {
  const { request, reply, caller, layer, styles } = asked;
  const wanted = parseFile(file);
  if (wanted === undefined || isReserved(wanted.style)) return err({ kind: 'not-found' });
  const before = pickStyle(layer, styles, wanted.style);
  const condition = request.headers['if-match'];
  if (condition !== undefined && condition !== '*' && condition !== tagOf(before))
    return err({ kind: 'precondition-failed' });
  let name = before?.name ?? (wanted.style === 'default' ? layer.name : wanted.style);
  if (before === undefined && (/^\d+$/.test(name) || name.length > MAX_NAME)) return err({ kind: 'not-found' });
  const body = typeof request.body === 'string' ? request.body : '';
  const content =
    wanted.form === 'json' ? parseJsonStyle(body, layer, name, before) : parseSldStyle(body, layer, before);
  if (!content.ok) return content;
  const info = requestInfo(request);
  let id: number;
  if (before === undefined) {
    const added = await store.add(caller, info, layer.id, name, content.value);
    if (!added.ok) return err({ kind: 'database', error: added.error });
    id = added.value;
    // Another layer of the workspace may have a style of that name already: the new one has an addition to it.
    const named = await store.names(caller, info, [id]);
    if (!named.ok) return err({ kind: 'database', error: named.error });
    name = named.value[0]?.name ?? name;
  } else {
    const replaced = await store.replace(caller, info, before.id, content.value);
    if (!replaced.ok) return err({ kind: 'database', error: replaced.error });
    if (!replaced.value) return err({ kind: 'forbidden' });
    id = before.id;
  }
  const isDefault =
    (request.query as { readonly default?: unknown }).default === 'true' || layer.defaultStyle === undefined;
  if (isDefault && layer.defaultStyle !== id) {
    const made = await store.makeDefault(caller, info, layer.id, id);
    if (!made.ok) return err({ kind: 'database', error: made.error });
  }
  const style: LayerStyle = {
    id,
    name,
    title: content.value.title,
    sld: content.value.sld,
    maplibre: JSON.parse(content.value.maplibre),
  };
  const base = context.baseUrl(request);
  if (before === undefined)
    reply.code(201).header('Location', `${base}/styles/${encodeURIComponent(layer.name)}/${id}.${wanted.form}`);
  const shown: Layer = isDefault ? { ...layer, defaultStyle: id } : layer;
  const document = makeStyleDocument(shown, style, styleLayers(shown, style), base);
  const { warnings } = content.value;
  // What of an SLD is drawn differently from what is written, symbol by symbol. The SLD itself is kept as it was sent.
  const metadata = warnings.length === 0 ? document.metadata : { ...document.metadata, 'survest:warnings': warnings };
  reply.type('application/json').send(JSON.stringify({ ...document, metadata }));
  return ok(undefined);
}

type ReadStyle = StyleContent & { readonly warnings: readonly string[] };

function parseJsonStyle(
  body: string,
  layer: Layer,
  name: string,
  before: LayerStyle | undefined,
): Result<ReadStyle, MapFailure> {
  let input: unknown;
  try {
    input = parseStyleJson(body);
  } catch {
    return err({ kind: 'bad-request', detail: 'The body is no JSON.' });
  }
  const layers = parseStyle(input);
  if (!layers.ok) return err({ kind: 'bad-request', detail: `${layers.error.path}: ${layers.error.message}` });
  const said = Array.isArray(input) ? undefined : (input as { readonly name?: unknown }).name;
  const title = typeof said === 'string' && said !== '' ? said.slice(0, MAX_NAME) : (before?.title ?? null);
  const sld = writeSld(layers.value, { layer: layer.name, style: name, title: title ?? undefined });
  return ok({ title, sld, sldVersion: '1.0.0', maplibre: JSON.stringify(layers.value), warnings: [] });
}

function parseSldStyle(body: string, layer: Layer, before: LayerStyle | undefined): Result<ReadStyle, MapFailure> {
  if (body.includes('\0')) return err({ kind: 'bad-request', detail: 'The body is no SLD.' });
  const read = readSld(body, { columns: columnHints(layer) });
  if (!read.ok) return err({ kind: 'bad-request', detail: read.error.message });
  const title = read.value.title?.slice(0, MAX_NAME) ?? before?.title ?? null;
  const { layers, warnings } = read.value;
  return ok({ title, sld: body, sldVersion: sldVersion(body), maplibre: JSON.stringify(layers), warnings });
}

async function removeStyle(store: StyleStore, { request, reply, caller, layer, styles }: Asked, file: string): Handled {
  const wanted = parseFile(file)?.style ?? file;
  const style = styles.find((one) => String(one.id) === wanted || one.name === wanted);
  if (style === undefined) return err({ kind: 'not-found' });
  const removed = await store.remove(caller, requestInfo(request), layer.id, style.id);
  if (!removed.ok) return err({ kind: 'database', error: removed.error });
  if (!removed.value) return err({ kind: 'not-found' });
  reply.code(204).send();
  return ok(undefined);
}
