// The frame of every route of the OGC API: who asks, for which layer, in which form; and how answers are written.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Layer, VectorLayer } from '../../layer-ports/layer.ts';
import { layerFailure, type MapContext, type MapFailure, requestInfo } from '../map-context.ts';
import type { Query } from './items-request.ts';
import { GRID, HTML, JSON_TYPE } from './ogc-documents.ts';
import { HTML_HEADERS } from './ogc-html.ts';

type Format = 'json' | 'html';

export type Ask = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  /** Address of the API, without a slash at the end. */
  readonly root: string;
  readonly format: Format;
};

export type Handled = Result<FastifyReply, MapFailure>;
type LayerParams = { readonly layer: string };

export type OgcRoute = {
  /** `known`: parameters that the resource has; others are refused. */
  route(
    handle: (ask: Ask) => Promise<Handled> | Handled,
    known?: readonly string[] | 'any',
  ): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
  /** Finds the layer of the address for the caller. */
  withAnyLayer(handle: (ask: Ask, layer: Layer) => Promise<Handled> | Handled): (ask: Ask) => Promise<Handled>;
  /** The same of layers with features; others are not found. */
  withLayer(handle: (ask: Ask, layer: VectorLayer) => Promise<Handled> | Handled): (ask: Ask) => Promise<Handled>;
};

export function makeOgcRoute(context: MapContext): OgcRoute {
  const withAnyLayer: OgcRoute['withAnyLayer'] = (handle) => async (ask) => {
    const { layer } = ask.request.params as LayerParams;
    const found = await context.layers.find(ask.caller, requestInfo(ask.request), layer);
    return found.ok ? handle(ask, found.value) : err(layerFailure(found.error));
  };
  return {
    withAnyLayer,
    route:
      (handle, known = ['f']) =>
      async (request, reply) => {
        const caller = await context.identify(request, reply);
        if (caller === undefined) return reply;
        const fail = (error: MapFailure): FastifyReply => context.answerError(request, reply, error, caller);
        reply
          .header('Access-Control-Allow-Origin', '*')
          .header('Access-Control-Expose-Headers', 'Content-Crs, ETag, Link, Location')
          .header('Cache-Control', 'private, no-cache');
        const query = request.query as Query;
        const strange = known === 'any' ? undefined : Object.keys(query).find((name) => !known.includes(name));
        if (strange !== undefined)
          return fail({ kind: 'bad-request', detail: `The parameter "${strange.slice(0, 100)}" is not known here.` });
        const format = formatOf(request);
        if (!format.ok) return fail(format.error);
        const root = `${context.baseUrl(request)}/ogc`;
        const handled = await handle({ request, reply, caller, root, format: format.value });
        return handled.ok ? handled.value : fail(handled.error);
      },
    withLayer: (handle) =>
      withAnyLayer((ask, layer) => (layer.kind === 'vector' ? handle(ask, layer) : err({ kind: 'not-found' }))),
  };
}

function formatOf(request: FastifyRequest): Result<Format, MapFailure> {
  const { f } = request.query as { readonly f?: unknown };
  if (f === 'html') return ok('html');
  if (f === 'json' || f === 'geojson') return ok('json');
  if (f !== undefined) return err({ kind: 'bad-request', detail: 'f is json or html.' });
  const accept = request.headers.accept ?? '*/*';
  const first = accept.split(',').map((part) => part.split(';')[0]?.trim().toLowerCase() ?? '');
  const isHtml = first.indexOf(HTML);
  const isJson = first.findIndex((type) => /^(?:application\/(?:[\w.+-]*\+)?json|\*\/\*|application\/\*)$/.test(type));
  if (isHtml >= 0 && (isJson < 0 || isHtml < isJson)) return ok('html');
  return isJson >= 0 ? ok('json') : err({ kind: 'not-acceptable' });
}

export function isGrid(request: FastifyRequest): boolean {
  return (request.params as { readonly grid?: string }).grid === GRID;
}

export function json(reply: FastifyReply, body: unknown, type: string = JSON_TYPE): FastifyReply {
  return reply.type(type).send(JSON.stringify(body));
}

export function html(reply: FastifyReply, body: string): FastifyReply {
  return reply.headers(HTML_HEADERS).type('text/html; charset=utf-8').send(body);
}
