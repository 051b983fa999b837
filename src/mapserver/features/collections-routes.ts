// Collections: the layers of the caller as a list, and what each of them is.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import { layerFailure, type MapContext, requestInfo } from '../map-context.ts';
import type { Query } from './items-request.ts';
import { neighbourLinks, PAGE_PARAMETERS, readLayerPage } from './layer-pages.ts';
import { collectionDocument, featureSchema, HTML, JSON_TYPE, type Link, queryables, SCHEMA } from './ogc-documents.ts';
import { collectionHtml, collectionsHtml } from './ogc-html.ts';
import { type Ask, type Handled, html, json, type OgcRoute } from './ogc-route.ts';
import { readColumnRules } from './read-column-rules.ts';

export function registerCollections(scope: FastifyInstance, context: MapContext, frame: OgcRoute): void {
  const { route, withAnyLayer, withLayer } = frame;
  scope.get('/ogc/collections', route(listCollections, PAGE_PARAMETERS));
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
    const page = readLayerPage(request.query as Query);
    if (!page.ok) return page;
    const found = await context.layers.list(caller, requestInfo(request), page.value);
    if (!found.ok) return err(layerFailure(found.error));
    const { total, layers } = found.value;
    const url = `${root}/collections`;
    const links: readonly Link[] = [
      { href: url, rel: 'self', type: JSON_TYPE, title: 'This document' },
      { href: `${url}?f=html`, rel: 'alternate', type: HTML, title: 'This document as a page' },
      ...(format === 'html'
        ? neighbourLinks(url, page.value, total, HTML, '&f=html')
        : neighbourLinks(url, page.value, total, JSON_TYPE)),
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
