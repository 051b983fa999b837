// Collections: the layers of the caller as a list, and what each of them is.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import { layerFailure, type MapContext, requestInfo } from '../map-context.ts';
import { collectionDocument, featureSchema, HTML, JSON_TYPE, type Link, queryables, SCHEMA } from './ogc-documents.ts';
import { collectionHtml, collectionsHtml } from './ogc-html.ts';
import { type Ask, type Handled, html, json, type OgcRoute } from './ogc-route.ts';
import { readColumnRules } from './read-column-rules.ts';

const COLLECTIONS_LIMIT = 100;
const MAX_COLLECTIONS = 1000;

export function registerCollections(scope: FastifyInstance, context: MapContext, frame: OgcRoute): void {
  const { route, withAnyLayer, withLayer } = frame;
  scope.get('/ogc/collections', route(listCollections, ['f', 'limit', 'offset']));
  scope.get(
    '/ogc/collections/:layer',
    route(
      withAnyLayer(({ reply, root, format }, layer) => {
        const document = collectionDocument(layer, root);
        return ok(format === 'html' ? html(reply, collectionHtml(root, layer, document)) : json(reply, document));
      }),
    ),
  );
  scope.get(
    '/ogc/collections/:layer/queryables',
    route(withLayer(({ reply, root }, layer) => ok(json(reply, queryables(layer, root), SCHEMA)))),
  );
  scope.get(
    '/ogc/collections/:layer/schema',
    route(
      withLayer(async ({ request, reply, caller, root }, layer) => {
        const rules = await readColumnRules(context, caller, requestInfo(request), layer);
        if (!rules.ok) return err({ kind: 'database', error: rules.error });
        return ok(json(reply, featureSchema(layer, root, rules.value), SCHEMA));
      }),
    ),
  );

  async function listCollections({ request, reply, caller, root, format }: Ask): Promise<Handled> {
    const query = request.query as Readonly<Record<string, string>>;
    const [limit, offset] = [query['limit'] ?? String(COLLECTIONS_LIMIT), query['offset'] ?? '0'];
    if (!/^[1-9]\d{0,8}$/.test(limit) || !/^\d{1,9}$/.test(offset))
      return err({ kind: 'bad-request', detail: 'limit and offset are whole numbers.' });
    const page = { limit: Math.min(Number(limit), MAX_COLLECTIONS), offset: Number(offset) };
    const found = await context.layers.list(caller, requestInfo(request), page);
    if (!found.ok) return err(layerFailure(found.error));
    const { total, layers } = found.value;
    const link = (rel: string, start: number, title: string): Link => ({
      href: `${root}/collections?limit=${page.limit}&offset=${start}${format === 'html' ? '&f=html' : ''}`,
      rel,
      type: format === 'html' ? HTML : JSON_TYPE,
      title,
    });
    const links: Link[] = [
      { href: `${root}/collections`, rel: 'self', type: JSON_TYPE, title: 'This document' },
      { href: `${root}/collections?f=html`, rel: 'alternate', type: HTML, title: 'This document as a page' },
      ...(page.offset + page.limit < total ? [link('next', page.offset + page.limit, 'Further layers')] : []),
      ...(page.offset > 0 ? [link('prev', Math.max(0, page.offset - page.limit), 'Layers before these')] : []),
    ];
    if (format === 'html') return ok(html(reply, collectionsHtml(root, layers, links)));
    return ok(
      json(reply, {
        links,
        numberMatched: total,
        numberReturned: layers.length,
        collections: layers.map((layer) => collectionDocument(layer, root)),
      }),
    );
  }
}
