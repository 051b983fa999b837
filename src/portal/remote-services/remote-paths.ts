// /api/v2/remote/: layers of other people's services, asked by this program on behalf of its pages, so that pages load from one address alone. No open
// proxy: a request names a protocol and a layer, the address is made here, its host has to be in the settings, and nothing comes back but pictures,
// features and facts. No credentials are handed on, and everybody gets the same answer.

import type { FastifyInstance } from 'fastify';
import { turnOf } from '../../auth/caller.ts';
import type { RemoteFetch, RemoteReply } from '../../http/outbound/remote-fetch.ts';
import { makeRateLimiter } from '../../http/rate-limiter.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { described } from '../description/described-route.ts';
import { jsonContent } from '../description/operation.ts';
import { arrayOf, FLAG, NUMBER, record, type Schema, TEXT } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type Answer, asAccountRoute, asRoute, type Exchange, json } from '../operations/exchange.ts';
import type { PortalContext } from '../portal-context.ts';
import { parseQueryParams, type QueryParams } from '../query/query-params.ts';
import { describeService } from './describe/describe-service.ts';
import { offerJson } from './describe/remote-service.ts';
import { gmlFeatures } from './gml-features.ts';
import { factsOf, featuresOf, legendOf, pictureType } from './remote-content.ts';
import { LEGEND, layerParameters, PICTURES, query, REMOTE_FAILED, RIVERS, SERVICE } from './remote-described.ts';
import { MAX_REMOTE_ADDRESS, parseRemoteLayer, type RemoteLayer } from './remote-layer.ts';
import {
  type Box,
  featuresAddress,
  infoAddress,
  legendAddress,
  pictureAddress,
  srsOf,
  tileAddress,
} from './remote-request.ts';
import { remoteError } from './remote-words.ts';

/** Of one account, or of one address of visitors: a map that is moved about quickly asks for some hundred tiles. */
const RATE = { requests: 1500, perSeconds: 60 };
const MAX_ZOOM = 24;
const MAX_TILE_BYTES = 5_000_000;
const MAX_ANSWER_BYTES = 20_000_000;
const TIMEOUT_MS = 20_000;

/** A picture of somebody else is shown, and is no page of ours if it is opened by itself. */
const PICTURE_HEADERS = {
  'Cache-Control': 'public, max-age=3600',
  'Content-Security-Policy': "default-src 'none'; sandbox",
} as const;

type Answered = Promise<Result<Answer, PortalError>>;

export function registerRemotePaths(app: FastifyInstance, portal: PortalContext, fetch: RemoteFetch): void {
  const limiter = makeRateLimiter();
  const counted = (handle: (exchange: Exchange, params: QueryParams) => Answered) => {
    return async (exchange: Exchange): Answered => {
      const wait = limiter.take(turnOf(exchange.caller), RATE, portal.clock.now());
      if (wait > 0) return err({ kind: 'throttled', retryAfterSeconds: wait });
      return handle(exchange, parseQueryParams(exchange.query));
    };
  };
  const ofLayer = (handle: (layer: RemoteLayer, exchange: Exchange, params: QueryParams) => Answered) =>
    asRoute(
      portal,
      counted(async (exchange, params) => {
        const layer = parseRemoteLayer(params.first);
        return typeof layer === 'string' ? badRequest(layer) : handle(layer, exchange, params);
      }),
    );
  const ask = async (
    address: string | undefined,
    accept: string,
    maxBytes: number,
  ): Promise<Result<RemoteReply, PortalError>> => {
    if (address === undefined) return err({ kind: 'bad-request', detail: 'Layers of this kind do not have that.' });
    const reply = await fetch(address, { accept, maxBytes, timeoutMs: TIMEOUT_MS });
    if (!reply.ok) return err(remoteError(reply.error));
    const { status } = reply.value;
    return status >= 200 && status < 300 ? ok(reply.value) : err(remoteError({ kind: 'status', status }));
  };
  const picture = async (address: string | undefined): Answered => {
    const reply = await ask(address, 'image/png, image/jpeg, image/webp, image/gif', MAX_TILE_BYTES);
    if (!reply.ok) return reply;
    const type = pictureType(reply.value.body);
    if (type === undefined) return notThat('a picture');
    return ok({ status: 200, body: reply.value.body, headers: { ...PICTURE_HEADERS, 'Content-Type': type } });
  };

  app.get(
    '/api/v2/remote/service',
    described({
      id: 'remote_service',
      tag: 'remote',
      summary: {
        en: 'What a service of somebody else offers, read from its address: WMS, WMTS, WFS, OGC API, ArcGIS, CSW, STAC, GeoNode, or tiles by {z}, {x} and {y}',
        de: 'Was ein fremder Dienst anbietet, aus seiner Adresse gelesen: WMS, WMTS, WFS, OGC API, ArcGIS, CSW, STAC, GeoNode, oder Kacheln nach {z}, {x} und {y}',
      },
      parameters: [query('url', { type: 'string', maxLength: MAX_REMOTE_ADDRESS }, true, RIVERS.url)],
      answers: { 200: SERVICE },
      refusals: [400, 401],
      says: { 502: REMOTE_FAILED },
    }),
    asAccountRoute(
      portal,
      counted(async (_exchange, params) => {
        const service = await describeService(fetch, params.first('url') ?? '');
        if (!service.ok) return err(remoteError(service.error));
        const { kind, title, abstract, offers, truncated } = service.value;
        const layers = offers.map(offerJson);
        return ok(json(200, { kind, title, abstract, layers, truncated }));
      }),
    ),
  );
  app.get<{ Params: { z: string; x: string; y: string } }>(
    '/api/v2/remote/tiles/:z/:x/:y',
    described({
      id: 'remote_tile',
      tag: 'remote',
      summary: {
        en: 'A tile of a layer of somebody else’s service, in the grid of web maps',
        de: 'Eine Kachel einer Ebene eines fremden Dienstes, im Raster der Webkarten',
      },
      parameters: [
        { name: 'z', in: 'path', schema: { ...CELL, maximum: MAX_ZOOM } },
        { name: 'x', in: 'path', schema: CELL },
        { name: 'y', in: 'path', schema: CELL },
        ...layerParameters(RIVERS),
      ],
      answers: { 200: undefined },
      refusals: [400, 404],
      says: { 502: REMOTE_FAILED },
      contents: { 200: PICTURES },
    }),
    ofLayer(async (layer, { request }) => {
      const { z, x, y } = request.params as Readonly<Record<string, string>>;
      const numbers = [z, x, y].map((one) => (/^\d{1,8}$/.test(one ?? '') ? Number(one) : Number.NaN));
      const [zoom = Number.NaN, column = Number.NaN, row = Number.NaN] = numbers;
      if (!(zoom <= MAX_ZOOM && column < 2 ** zoom && row < 2 ** zoom)) return err({ kind: 'not-found' });
      return picture(tileAddress(layer, { z: zoom, x: column, y: row }));
    }),
  );
  app.get(
    '/api/v2/remote/legend',
    described({
      id: 'remote_legend',
      tag: 'remote',
      summary: { en: 'The legend of such a layer', de: 'Die Legende einer solchen Ebene' },
      parameters: layerParameters(RIVERS),
      answers: { 200: undefined },
      refusals: [400],
      says: { 502: REMOTE_FAILED },
      contents: { 200: { ...PICTURES, ...jsonContent(LEGEND) } },
    }),
    ofLayer(async (layer) => {
      const address = legendAddress(layer);
      if (layer.kind !== 'arcgis-map') return picture(address);
      const reply = await ask(address, 'application/json', MAX_TILE_BYTES);
      if (!reply.ok) return reply;
      const legend = legendOf(reply.value.body, layer.name);
      return legend === undefined ? notThat('a legend') : ok(json(200, { legend }));
    }),
  );
  app.get(
    '/api/v2/remote/picture',
    described({
      id: 'remote_picture',
      tag: 'remote',
      summary: {
        en: 'The picture that such a layer is, for kind image',
        de: 'Das Bild, das eine solche Ebene ist, für kind image',
      },
      parameters: layerParameters({ kind: 'image', url: 'https://maps.example.org/picture.png' }),
      answers: { 200: undefined },
      refusals: [400],
      says: { 502: REMOTE_FAILED },
      contents: { 200: PICTURES },
    }),
    ofLayer((layer) => picture(pictureAddress(layer))),
  );
  app.get(
    '/api/v2/remote/features',
    described({
      id: 'remote_features',
      tag: 'remote',
      summary: {
        en: 'Features of such a layer in a box, 1000 at most',
        de: 'Objekte einer solchen Ebene in einem Rechteck, höchstens 1000',
      },
      parameters: [
        ...layerParameters({ kind: 'features', url: 'https://maps.example.org/collections/rivers' }),
        query('bbox', TEXT, true, '5,45,15,55'),
      ],
      answers: {
        200: record({
          type: { type: 'string', enum: ['FeatureCollection'] },
          features: arrayOf({ type: 'object', additionalProperties: true }),
          truncated: FLAG,
        }),
      },
      refusals: [400],
      says: { 502: REMOTE_FAILED },
    }),
    ofLayer(async (layer, _exchange, params) => {
      const box = boxIn(params.first('bbox'));
      if (box === undefined) return badRequest('bbox is west,south,east,north in degrees.');
      const reply = await ask(
        featuresAddress(layer, box),
        'application/geo+json, application/json, application/gml+xml;q=0.9, text/xml;q=0.9',
        MAX_ANSWER_BYTES,
      );
      if (!reply.ok) return reply;
      const { body } = reply.value;
      const features = featuresOf(body) ?? (layer.kind === 'wfs' ? gmlFeatures(body, srsOf(layer)) : undefined);
      return features === undefined
        ? notThat('features in degrees, as GeoJSON or GML, within what can be read')
        : ok(json(200, features));
    }),
  );
  app.get(
    '/api/v2/remote/info',
    described({
      id: 'remote_info',
      tag: 'remote',
      summary: { en: 'What such a layer has at a place', de: 'Was eine solche Ebene an einem Ort hat' },
      parameters: [
        ...layerParameters({ ...RIVERS, info: 'application/json' }),
        query('lng', NUMBER, true, 10),
        query('lat', NUMBER, true, 50),
        query('zoom', { type: 'number', minimum: 0, maximum: MAX_ZOOM }, true, 6),
      ],
      answers: { 200: record({ found: arrayOf({ type: 'object', additionalProperties: TEXT }) }) },
      refusals: [400],
      says: { 502: REMOTE_FAILED },
    }),
    ofLayer(async (layer, _exchange, params) => {
      const [lng, lat, zoom] = ['lng', 'lat', 'zoom'].map((name) => Number(params.first(name) ?? Number.NaN));
      if (!isPlace(lng, lat) || zoom === undefined || !(zoom >= 0 && zoom <= MAX_ZOOM))
        return badRequest('lng and lat are degrees, zoom is a number from 0 to 24.');
      const reply = await ask(
        infoAddress(layer, [lng ?? 0, lat ?? 0], zoom),
        layer.info ?? 'application/json',
        MAX_TILE_BYTES,
      );
      if (!reply.ok) return reply;
      const found = factsOf(reply.value);
      return found === undefined ? notThat('facts about a place') : ok(json(200, { found }));
    }),
  );
}

function badRequest(detail: string): Result<never, PortalError> {
  return err({ kind: 'bad-request', detail });
}

function notThat(what: string): Result<never, PortalError> {
  return err({ kind: 'remote-failed', detail: `The service answered, but not with ${what}.` });
}

function isPlace(lng: number | undefined, lat: number | undefined): boolean {
  return lng !== undefined && lat !== undefined && Math.abs(lng) <= 180 && Math.abs(lat) <= 85.06;
}

function boxIn(text: string | undefined): Box | undefined {
  const [west, south, east, north, more] = (text ?? '').slice(0, 200).split(',').map(Number);
  if (more !== undefined || !isFinite4(west, south, east, north)) return undefined;
  const box: Box = [west ?? 0, south ?? 0, east ?? 0, north ?? 0];
  return box[0] < box[2] && box[1] < box[3] ? box : undefined;
}

function isFinite4(...sides: readonly (number | undefined)[]): boolean {
  return sides.every((side) => side !== undefined && Number.isFinite(side) && Math.abs(side) <= 360);
}

const CELL: Schema = { type: 'integer', minimum: 0 };
