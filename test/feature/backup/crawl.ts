// Every address of a portal that leads from a few others, asked by several callers: address → status, kind and content of the answer.

import type { Portal, PortalClient } from '../../testkit/portal-client.ts';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';

const ROOTS: readonly string[] = [
  '/api/v2/resources/?page_size=100',
  '/api/v2/layers/?page_size=100',
  '/api/v2/maps/',
  '/api/v2/documents/',
  '/api/v2/geoapps/',
  '/api/v2/users/',
  '/api/v2/groups/',
  '/api/v2/categories/',
  '/api/v2/keywords/',
  '/api/v2/regions/',
  '/api/v2/owners/',
  '/api/v2/facets/',
  '/api/v2/tkeywords/',
  '/collections?f=json',
  '/ogc/records/collections',
  '/stac',
  '/sitemap.xml',
  '/wms?service=WMS&request=GetCapabilities',
  '/wfs?service=WFS&request=GetCapabilities',
];

const MAX = 40;
/** Answers that say when they were made, or depend on who has looked. */
const CHANGING = /\/(account|login|logout|o)\b|\/download\/\d+\.(gpkg|shp|xlsx)/;

export type Answer = { readonly status: number; readonly type: string; readonly body: string };

export async function crawl(portal: Portal, more: readonly string[]): Promise<ReadonlyMap<string, Answer>> {
  const answers = new Map<string, Answer>();
  const callers: [string, PortalClient][] = [
    ['visitor', portal.visitor],
    ['bob', portal.as('bob')],
    ['admin', portal.as('admin')],
  ];
  for (const [name, client] of callers) {
    const waiting = [...more, ...ROOTS];
    const seen = new Set(waiting);
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      const reply = await client.get(address);
      answers.set(`${name} ${address}`, answerOf(reply));
      for (const found of linksIn(reply)) {
        if (seen.has(found) || seen.size >= MAX || CHANGING.test(found)) continue;
        seen.add(found);
        waiting.push(found);
      }
    }
  }
  return answers;
}

function answerOf(reply: Reply): Answer {
  const type = headerOf(reply, 'content-type') ?? '';
  const body = Buffer.from(reply.body);
  // The fields of a tile stand in another order in other releases of PostGIS.
  if (type.includes('vector-tile')) return { status: reply.status, type, body: body.sort().toString('hex') };
  const isText = /json|xml|text|javascript/.test(type);
  return { status: reply.status, type, body: isText ? body.toString() : body.toString('base64') };
}

function* linksIn(reply: Reply): Iterable<string> {
  if (!/json|xml/.test(headerOf(reply, 'content-type') ?? '')) return;
  for (const [, path] of textOf(reply.body).matchAll(/https?:\/\/localhost(?::\d+)?(\/[^"'<>\s\\{}]*)/g))
    if (path !== undefined) yield path.replaceAll('&amp;', '&');
}
