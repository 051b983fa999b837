// The Web Coverage Service at `/wcs`, by address and in XML: which coverages there are for the caller, what they are like, and their
// pixels. Reading pixels needs the permission to download. Failures are reports of exceptions.

import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, turnOf } from '../../auth/caller.ts';
import type { Crs } from '../../geo/projection.ts';
import { makeView } from '../../geo/view.ts';
import { isAskedByPage } from '../../http/asked-by-page.ts';
import { whenClientGone } from '../../http/client-gone.ts';
import { noteCause } from '../../http/request-notes.ts';
import { OversizedBody, oversizedText, readTextBodies } from '../../http/text-bodies.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { makeSemaphore, type Semaphore } from '../../kernel/semaphore.ts';
import { trimEndOf } from '../../kernel/trim-end.ts';
import type { Layer, RasterLayer } from '../../layer-ports/layer.ts';
import type { LayerError } from '../../layer-ports/layer-access.ts';
import { layersInTurn } from '../layers-in-turn.ts';
import { type MapContext, requestInfo, type ServiceHandler } from '../map-context.ts';
import type { MapRenderer } from '../pictures/map-renderer.ts';
import type { PictureError } from '../pictures/picture-threads.ts';
import type { OpenRaster } from '../raster/open-raster.ts';
import type { RasterReader } from '../raster/raster-reader.ts';
import { isXml, xmlRoot } from '../xml-root.ts';
import { type Coverage, describeCoverage, layerNameOf } from './coverage.ts';
import { type CoveragePlan, planCoverage } from './plan-coverage.ts';
import { readCoverage, TooMuchToRead } from './read-coverage.ts';
import { capabilities10, descriptions10 } from './wcs-documents-10.ts';
import { capabilities11, descriptions11, multipart11 } from './wcs-documents-11.ts';
import { capabilities20, descriptions20 } from './wcs-documents-20.ts';
import { faultReply, type WcsFault, type WcsVersion } from './wcs-fault.ts';
import {
  type CoverageRequest,
  parseWcsRequest,
  readWcsParams,
  versionOf,
  type WcsParams,
  type WcsRequest,
  wcsFault,
} from './wcs-request.ts';
import { parseWcsXml } from './wcs-xml-request.ts';
import { type GeoKeys, keysOfEpsg, writeGeoTiff } from './write-geotiff.ts';

export type WcsParts = { readonly context: MapContext; readonly rasters: RasterReader; readonly renderer: MapRenderer };

type Ask = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly caller: Caller };
type Answer = Promise<Result<unknown, WcsFault>>;

const MAX_BODY = 200_000;
/** Coverages of a description that names none, as version 1.0.0 allows. */
const MAX_DESCRIBED = 100;
/** Numbers that are read for all answers at once; the others wait. */
const MAX_READ = 160_000_000;
const MAX_WAITING = 50;
const XML = 'text/xml; charset=utf-8';

export async function registerWcs(app: FastifyInstance, parts: WcsParts): Promise<ServiceHandler> {
  const turns = makeSemaphore({ room: MAX_READ, maxWaiting: MAX_WAITING });
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const caller = await parts.context.identify(request, reply);
    if (caller === undefined) return reply;
    reply.header('Cache-Control', 'private, no-cache').header('Vary', 'Authorization, Cookie');
    reply.header('Access-Control-Allow-Origin', '*');
    const params = paramsOf(request);
    const version = params.ok ? versionOf(params.value) : versionMeant(request);
    const asked = params.ok ? parseWcsRequest(params.value) : params;
    const answer = asked.ok ? await answerWcs({ ...parts, turns }, { request, reply, caller }, asked.value) : asked;
    if (answer.ok) return reply;
    noteCause(request.raw, answer.error.cause ?? answer.error.text);
    const { status, type, body } = faultReply(answer.error, version);
    if (status === 401 && !isAskedByPage(request.headers)) reply.header('WWW-Authenticate', 'Basic realm="api"');
    return reply.code(status).type(type).send(body);
  };
  await app.register(async (scope) => {
    readTextBodies(scope, MAX_BODY);
    scope.get('/wcs', handler);
    scope.post('/wcs', handler);
  });
  return handler;
}

function paramsOf(request: FastifyRequest): Result<WcsParams, WcsFault> {
  const at = request.url.indexOf('?');
  const query = at < 0 ? '' : request.url.slice(at + 1);
  const { body: sent } = request;
  if (sent instanceof OversizedBody) return err({ code: 'NoApplicableCode', text: oversizedText(sent), status: 413 });
  const body = typeof sent === 'string' ? sent.trim() : '';
  if (body.startsWith('<')) return parseWcsXml(body);
  return ok(readWcsParams(body === '' ? query : `${query}&${body}`));
}

/** Of a request that could not be read. */
function versionMeant({ url, body }: FastifyRequest): WcsVersion {
  const text = body instanceof OversizedBody ? body.head : typeof body === 'string' ? body : '';
  const at = url.indexOf('?');
  const said = isXml(text) ? `version=${xmlRoot(text).version ?? ''}` : `${at < 0 ? '' : url.slice(at + 1)}&${text}`;
  return versionOf(readWcsParams(said));
}

type Parts = WcsParts & { readonly turns: Semaphore };

function answerWcs(parts: Parts, ask: Ask, asked: WcsRequest): Answer {
  switch (asked.kind) {
    case 'capabilities':
      return answerCapabilities(parts, ask, asked.version);
    case 'describe':
      return answerDescribe(parts, ask, asked.version, asked.ids);
    case 'coverage':
      return answerCoverage(parts, ask, asked);
  }
}

async function rasterPages(
  { layers }: MapContext,
  { request, caller }: Ask,
): Promise<Result<AsyncIterable<readonly RasterLayer[]>, LayerError>> {
  const turn = await layersInTurn(layers, caller, requestInfo(request));
  if (!turn.ok) return turn;
  async function* pages(all: AsyncIterable<readonly Layer[]>): AsyncGenerator<readonly RasterLayer[]> {
    for await (const some of all) yield some.filter((layer): layer is RasterLayer => layer.kind === 'raster');
  }
  return ok(pages(turn.value));
}

async function answerCapabilities({ context }: Parts, ask: Ask, version: WcsVersion): Answer {
  const pages = await rasterPages(context, ask);
  if (!pages.ok) return layerFault(pages.error, '');
  const url = context.serviceUrl(ask.request, '/wcs');
  const text =
    version === '2.0.1'
      ? capabilities20(url, pages.value)
      : version === '1.0.0'
        ? capabilities10(url, pages.value)
        : capabilities11(version, url, pages.value);
  ask.reply.type(XML).send(Readable.from(text));
  return ok(undefined);
}

async function findRaster(
  { context }: Parts,
  { request, caller }: Ask,
  id: string,
): Promise<Result<RasterLayer, WcsFault>> {
  const found = await context.layers.find(caller, requestInfo(request), layerNameOf(id));
  if (!found.ok) return layerFault(found.error, id);
  return found.value.kind === 'raster' ? ok(found.value) : noCoverage(id);
}

type Opened = { readonly coverage: Coverage; readonly raster: OpenRaster; readonly native: Crs };

async function openCoverage({ rasters, renderer }: Parts, layer: RasterLayer): Promise<Result<Opened, WcsFault>> {
  const raster = await rasters.open(layer);
  if (!raster.ok) return err(readFault(raster.error));
  const crs = await renderer.crs.find(layer.srid);
  if (!crs.ok) return err(readFault({ kind: 'database', error: crs.error }));
  if (crs.value === undefined)
    return err({ code: 'NoApplicableCode', text: 'The coordinate system of the coverage is not known.', status: 500 });
  return ok({ coverage: describeCoverage(layer, raster.value, crs.value), raster: raster.value, native: crs.value });
}

async function answerDescribe(parts: Parts, ask: Ask, version: WcsVersion, ids: readonly string[]): Answer {
  const layers: RasterLayer[] = [];
  for (const id of ids) {
    const found = await findRaster(parts, ask, id);
    if (!found.ok) return found;
    layers.push(found.value);
  }
  if (ids.length === 0) {
    const pages = await rasterPages(parts.context, ask);
    if (!pages.ok) return layerFault(pages.error, '');
    for await (const page of pages.value) {
      layers.push(...page);
      if (layers.length > MAX_DESCRIBED)
        return wcsFault(
          'MissingParameterValue',
          'COVERAGE',
          `There are more than ${MAX_DESCRIBED} coverages: name those to be described in COVERAGE.`,
        );
    }
  }
  const coverages: Coverage[] = [];
  for (const layer of layers) {
    const opened = await openCoverage(parts, layer);
    if (!opened.ok) return opened;
    coverages.push(opened.value.coverage);
  }
  const text =
    version === '2.0.1'
      ? descriptions20(coverages)
      : version === '1.0.0'
        ? descriptions10(coverages)
        : descriptions11(version, coverages);
  ask.reply.type(XML).send(text);
  return ok(undefined);
}

async function answerCoverage(parts: Parts, ask: Ask, asked: CoverageRequest): Answer {
  const { context, renderer, turns } = parts;
  const info = requestInfo(ask.request);
  const found = await findRaster(parts, ask, asked.id);
  if (!found.ok) return found;
  const layer = found.value;
  const may = await context.layers.may(ask.caller, info, layer.id, 'download_resourcebase');
  if (!may.ok) return layerFault(may.error, asked.id);
  if (!may.value)
    return err({
      code: 'NoApplicableCode',
      text: 'Reading the pixels of this coverage needs the permission to download it.',
      status: ask.caller.kind === 'visitor' ? 401 : 403,
    });
  const opened = await openCoverage(parts, layer);
  if (!opened.ok) return opened;
  const { coverage, raster, native } = opened.value;
  const systems = await systemsOf(renderer, asked, native);
  if (!systems.ok) return systems;
  const bytesPerNumber = (raster.levels[0]?.image.getBitsPerSample(0) ?? 8) / 8;
  const plan = planCoverage(asked, {
    grid: coverage.grid,
    native,
    ...systems.value,
    bandCount: raster.bands,
    bytesPerNumber,
  });
  if (!plan.ok) return plan;
  const { width, height, bands } = plan.value;
  const made =
    asked.format === 'png'
      ? await drawPicture(parts, ask, layer, plan.value)
      : await inTurn(turns, ask, width * height * bands.length, () => makeTiff(raster, native, plan.value));
  if (made === undefined)
    return err({
      code: 'NoApplicableCode',
      text: 'Too many coverages are asked for at once: try again later.',
      status: 503,
    });
  if (!made.ok) return made;
  const type = asked.format === 'png' ? 'image/png' : 'image/tiff';
  if (asked.version.startsWith('1.1')) {
    const { type: mixed, body } = multipart11(asked.version, layer, made.value, type);
    ask.reply.type(mixed).send(body);
  } else {
    ask.reply.header(
      'Content-Disposition',
      `inline; filename*=UTF-8''${encodeURIComponent(`${layer.name}.${asked.format === 'png' ? 'png' : 'tif'}`)}`,
    );
    ask.reply.type(type).send(made.value);
  }
  return ok(undefined);
}

async function systemsOf(
  renderer: MapRenderer,
  { subsettingCrs, outputCrs }: CoverageRequest,
  native: Crs,
): Promise<Result<{ readonly subsetting: Crs; readonly output: Crs }, WcsFault>> {
  const find = async (srid: number | undefined, code: WcsFault['code']): Promise<Result<Crs, WcsFault>> => {
    if (srid === undefined) return ok(native);
    const found = await renderer.crs.find(srid);
    if (!found.ok) return err(readFault({ kind: 'database', error: found.error }));
    return found.value === undefined
      ? wcsFault(code, 'crs', `There is no coordinate system EPSG:${srid}.`)
      : ok(found.value);
  };
  const subsetting = await find(subsettingCrs, 'SubsettingCrs-NotSupported');
  if (!subsetting.ok) return subsetting;
  const output = await find(outputCrs, 'OutputCrs-NotSupported');
  return output.ok ? ok({ subsetting: subsetting.value, output: output.value }) : output;
}

async function makeTiff(raster: OpenRaster, native: Crs, plan: CoveragePlan): Promise<Result<Buffer, WcsFault>> {
  const { width, height, box, crs } = plan;
  const image = raster.levels[0]?.image;
  const nodata = image?.getGDALNoData() ?? null;
  // Masked pixels would look like measured ones.
  if (raster.levels[0]?.mask !== undefined && nodata === null)
    return wcsFault(
      'OperationNotSupported',
      'format',
      'Missing pixels of this coverage are told by a mask, which GeoTIFFs of this service have no place for: ask for image/png, or download the whole file.',
    );
  try {
    const bands = await readCoverage(raster, native, plan);
    const palette = (await image?.fileDirectory.loadValue('ColorMap')) as ArrayLike<number> | undefined;
    const isAll = plan.bands.length === raster.bands && plan.bands.every((band, i) => band === i);
    return ok(
      await writeGeoTiff({
        width,
        height,
        bands,
        nodata: nodata === null ? undefined : Number.isNaN(nodata) ? 'nan' : String(nodata),
        place: { x: box[0], y: box[3], dx: (box[2] - box[0]) / width, dy: (box[3] - box[1]) / height },
        keys: crs.srid === native.srid ? await ownKeys(raster, native) : keysOfEpsg(crs.srid, crs.isGeographic),
        palette: palette === undefined || raster.palette === undefined ? undefined : Array.from(palette),
        hasAlpha: raster.hasAlpha && isAll,
      }),
    );
  } catch (error) {
    if (error instanceof TooMuchToRead)
      return wcsFault(
        'InvalidParameterValue',
        'subset',
        'The file has no overviews for so coarse an answer: ask for a smaller part, or download the whole file.',
      );
    return err({
      code: 'NoApplicableCode',
      text: 'The file of this coverage cannot be read.',
      status: 500,
      cause: error,
    });
  }
}

/** The file's own words for its coordinate system. That pixels are areas is how we place them. */
async function ownKeys(raster: OpenRaster, native: Crs): Promise<GeoKeys> {
  const directory = raster.levels[0]?.image.fileDirectory;
  const [keys, doubles, ascii] = await Promise.all(
    (['GeoKeyDirectory', 'GeoDoubleParams', 'GeoAsciiParams'] as const).map((name) => directory?.loadValue(name)),
  );
  if (keys === undefined) return keysOfEpsg(native.srid, native.isGeographic);
  const numbers = Array.from(keys as ArrayLike<number>);
  for (let i = 4; i + 3 < numbers.length; i += 4) if (numbers[i] === 1025) numbers[i + 3] = 1;
  const text = typeof ascii === 'string' ? trimEndOf(ascii, '\0') : '';
  return { directory: numbers, doubles: Array.from((doubles ?? []) as ArrayLike<number>), ascii: text };
}

/** Undefined: too many wait. */
async function inTurn<T>(
  turns: Semaphore,
  { caller, reply }: Ask,
  weight: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const done = await turns.run({ caller: turnOf(caller), weight, signal: whenClientGone(reply.raw) }, work);
  return done.ok ? done.value : undefined;
}

/** As the layer's own style draws it. */
async function drawPicture(
  { renderer }: Parts,
  { request, reply, caller }: Ask,
  layer: RasterLayer,
  { crs, box, width, height }: CoveragePlan,
): Promise<Result<Buffer, WcsFault> | undefined> {
  const info = requestInfo(request);
  const style = await renderer.styleOf(caller, info, layer, '');
  if (!style.ok) return layerFault(style.error, layer.name);
  const drawn = await renderer.draw(
    { caller, info, signal: whenClientGone(reply.raw) },
    {
      view: makeView(crs, box, width, height),
      layers: style.value === undefined ? [] : [{ layer, style: style.value.layers }],
      background: undefined,
      format: 'png',
    },
  );
  if (drawn.ok) return drawn;
  return drawn.error.kind === 'busy' ? undefined : err(readFault(drawn.error));
}

function noCoverage(id: string): Result<never, WcsFault> {
  return wcsFault('NoSuchCoverage', 'coverageId', `There is no coverage ${id.slice(0, 200)}.`);
}

function layerFault(error: LayerError, id: string): Result<never, WcsFault> {
  if (error.kind === 'no-such-layer') return noCoverage(id);
  return err(readFault(error));
}

function readFault(error: PictureError | LayerError): WcsFault {
  if (error.kind === 'raster')
    return { code: 'NoApplicableCode', text: 'The file of this coverage cannot be read.', status: 500 };
  if (error.kind === 'too-large')
    return { code: 'InvalidParameterValue', text: 'The picture is too large: ask for fewer pixels.', status: 400 };
  return { code: 'NoApplicableCode', text: 'The database does not answer in time.', status: 503, cause: error };
}
