// The pages people see: the built files of web/, and one page for every address that a page of ours has. Which page it is, the
// script in it finds out. Addresses nobody knows are told so by the same page to browsers, and in JSON to programs.

import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BY_CALLER } from '../../http/vary.ts';
import { type Framing, NO_SITES, pageHeaders, type Sites } from './content-policy.ts';

/** The addresses of pages besides those the catalogue gives out (`detail_url`, `embed_url`), which are here too. */
const PAGES: readonly string[] = [
  '/',
  '/layers/*',
  '/maps/:id',
  '/documents/:id',
  '/apps/preview/:id',
  '/apps/new',
  '/apps/:id/edit',
  '/stories/new',
  '/stories/:id/edit',
  '/viewer',
  '/viewer/:id',
  '/add',
  '/add/:id',
  '/add/services',
  '/account',
  '/groups',
  '/groups/:id',
  '/notifications',
  '/account/login',
  '/account/forgotten',
  '/account/register',
  '/account/link',
  '/admin',
  '/console',
  '/docs',
  '/docs/:page',
];
const EMBEDDED: readonly string[] = ['/maps/:id/embed', '/apps/:id/embed'];

const PAGE = 'index.html';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

export async function registerPages(
  app: FastifyInstance,
  webRoot: string,
  sites: () => Sites = () => NO_SITES,
): Promise<void> {
  await app.register(fastifyStatic, {
    root: webRoot,
    index: false,
    // Said below; its own would come after and win.
    cacheControl: false,
    // Beside every larger file stands the same one compressed.
    preCompressed: true,
    setHeaders(reply, path) {
      reply.setHeader('Vary', /\.html(?:\.br|\.gz)?$/.test(path) ? `Accept-Encoding, ${BY_CALLER}` : 'Accept-Encoding');
      if (/\.html(?:\.br|\.gz)?$/.test(path)) {
        const { 'Cache-Control': caching, ...others } = pageHeaders('own', sites());
        reply.setHeader('Cache-Control', caching);
        for (const [name, value] of Object.entries(others))
          if (reply.getHeader(name) === undefined) reply.setHeader(name, value);
      } else if (/[\\/]assets[\\/]/.test(path)) {
        reply.setHeader('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`);
      } else {
        reply.setHeader('Cache-Control', 'public, max-age=0');
      }
    },
  });
  const page =
    (framing: Framing) =>
    (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
      reply.headers(pageHeaders(framing, sites())).sendFile(PAGE);
  const layerPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    // By the path alone: what stands behind the question mark is anybody's.
    page(/^[^?]*\/embed\/?(?:\?|$)/.test(request.url) ? 'anywhere' : 'own')(request, reply);
  for (const path of PAGES) app.get(path, path === '/layers/*' ? layerPage : page('own'));
  for (const path of EMBEDDED) app.get(path, page('anywhere'));
}

/** A browser that was sent to an address nobody knows, not a script and not a client of the API. */
export function wantsErrorPage(request: FastifyRequest): boolean {
  return (
    request.method === 'GET' &&
    !/^\/(?:api|o|rest|mapviewer|mapstore|tiles|styles|thumbs|ogc|wms|wfs|wmts|download|metadata|assets|basemaps)(?:\/|\?|$)/.test(
      request.url,
    ) &&
    /^text\/html\b/.test(request.headers.accept ?? '')
  );
}

export function sendErrorPage(reply: FastifyReply): FastifyReply {
  // With the headers of every page, which are set where the file is sent.
  return reply.code(404).sendFile(PAGE);
}
