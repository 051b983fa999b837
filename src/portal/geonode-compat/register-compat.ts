// Puts the table of built-in addresses on the portal's application: redirects to pages, and the handlers that the table names. Rows that
// are another address of ours are no routes; they are rewritten before a route is looked for (`our-address.ts`).

import type { FastifyInstance } from 'fastify';
import { assertNever } from '../../kernel/assert-never.ts';
import { described } from '../description/described-route.ts';
import { type ApiContext, asAccountRoute, asRoute, type Handle } from '../operations/exchange.ts';
import { BODY_LIMIT } from '../operations/register-collection.ts';
import { ADDRESSES, type HandlerName } from './address-table.ts';
import { autocomplete } from './autocomplete.ts';
import type { BuiltInCollections } from './compat-collections.ts';
import { documentForm } from './document-form.ts';
import { geoserverLayer, geoserverLayers, geoserverStore, geoserverVersion } from './geoserver-rest.ts';
import { keywordTree } from './keyword-tree.ts';
import { layerCheck, layerDownload } from './layer-answers.ts';
import { areaLimits, requestRules, userRules } from './map-client-rules.ts';
import { mapTemplate } from './map-template.ts';
import { mapThumbnail } from './map-thumbnail.ts';
import { redirectToItem } from './redirect-to-item.ts';
import { setLanguage } from './set-language.ts';
import { v1ItemDescribed, v1ListDescribed } from './v1-described.ts';
import { v1Item, v1List } from './v1-lists.ts';

/** `createDocument`: as `POST /api/v2/documents/` does it. */
export function registerBuiltIn(
  app: FastifyInstance,
  context: ApiContext,
  collections: BuiltInCollections,
  createDocument: Handle,
): void {
  for (const { from, to } of ADDRESSES) {
    const path = from.replaceAll(/\{(\w+)\}/g, ':$1');
    if (to.kind === 'page') app.get(path, async (_request, reply) => reply.redirect(to.path, 302));
    else if (to.kind === 'item') app.get(path, redirectToItem(context, collections[to.of], to.path));
    else if (to.kind === 'handler') registerHandler(app, path, to.name, { context, collections, createDocument });
  }
}

type HandlerParts = {
  readonly context: ApiContext;
  readonly collections: BuiltInCollections;
  readonly createDocument: Handle;
};

function registerHandler(
  app: FastifyInstance,
  path: string,
  name: HandlerName,
  { context, collections, createDocument }: HandlerParts,
): void {
  switch (name) {
    case 'v1-list':
      app.get(path, described(v1ListDescribed(path)), asRoute(context, v1List(context, path, collections)));
      return;
    case 'v1-item':
      app.get(path, described(v1ItemDescribed(path)), asRoute(context, v1Item(context, path, collections)));
      return;
    case 'keyword-tree':
      app.get(path, asRoute(context, keywordTree(context, collections.keywords)));
      return;
    case 'autocomplete':
      app.get(path, asRoute(context, autocomplete(context, path, collections)));
      return;
    case 'edit-check':
    case 'style-check': {
      const check = asRoute(context, layerCheck(context, collections.layers, name));
      app.get(path, check);
      app.post(path, check);
      return;
    }
    case 'layer-download':
      app.get(path, asRoute(context, layerDownload(context, collections.layers)));
      return;
    case 'set-language':
      app.post(path, setLanguage(context));
      return;
    case 'document-form':
      app.post(path, { bodyLimit: BODY_LIMIT }, asAccountRoute(context, documentForm(createDocument)));
      return;
    case 'map-template':
      app.get(path, asRoute(context, mapTemplate));
      return;
    case 'map-thumbnail':
      app.post(path, { bodyLimit: BODY_LIMIT }, asAccountRoute(context, mapThumbnail(app, context, collections.maps)));
      return;
    case 'geoserver-version':
      app.get(path, asRoute(context, geoserverVersion(context.version)));
      return;
    case 'geoserver-layers':
      app.get(path, asRoute(context, geoserverLayers(context, collections.layers)));
      return;
    case 'geoserver-layer':
      app.get(path, asRoute(context, geoserverLayer(context, collections.layers)));
      return;
    case 'geoserver-store':
      app.get(path, asRoute(context, geoserverStore));
      return;
    case 'request-rules':
      app.get(path, asRoute(context, requestRules));
      return;
    case 'user-rules':
      app.get(path, asAccountRoute(context, userRules(context, collections.users)));
      return;
    case 'area-limits':
      app.route({
        method: ['GET', 'POST', 'DELETE'],
        url: path,
        handler: asAccountRoute(context, areaLimits(context, collections.resources)),
      });
      return;
    default:
      assertNever(name);
  }
}
