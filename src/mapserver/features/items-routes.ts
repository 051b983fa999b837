// Items: the features of a layer as pages, and one by one.

import { createGzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { whenClientGone } from '../../http/client-gone.ts';
import { isAmong } from '../../http/etag.ts';
import { exactText, parseExact } from '../../kernel/exact-numbers.ts';
import { err, ok } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import { layerFailure, type MapContext, requestInfo } from '../map-context.ts';
import {
  countStatement,
  FEW,
  type FeatureQuery,
  featuresStatement,
  keyCondition,
  wholeLayer,
} from '../query/feature-query.ts';
import { featureTag } from '../query/feature-tag.ts';
import type { CrsBook } from '../query/known-crs.ts';
import { timeLimit } from '../query/layer-sql.ts';
import { keyedJsonSelect } from '../query/row-selects.ts';
import { queryFailure } from '../query-failure.ts';
import { crsOf, toQuery } from './items-query.ts';
import { parseItemsRequest, type Query } from './items-request.ts';
import { mayReadRows, NEEDS_DOWNLOAD } from './may-read-rows.ts';
import { collectionUrl, GEOJSON, HTML, JSON_TYPE, type Link } from './ogc-documents.ts';
import { itemHtml, itemsHtml, type ShownFeature } from './ogc-html.ts';
import { type Ask, type Handled, html, type OgcRoute } from './ogc-route.ts';
import { streamRows } from './row-stream.ts';

const COUNT_MS = 20_000;
/** Of more features the number is not counted: it would take longer than to send them. */
const MAX_COUNTED = 200_000;
const HTML_LIMIT = 50;

export function registerItems(
  scope: FastifyInstance,
  context: MapContext,
  book: CrsBook,
  { route, withLayer }: OgcRoute,
): void {
  scope.get('/ogc/collections/:layer/items', route(withLayer(listItems), 'any'));
  scope.get('/ogc/collections/:layer/items/:id', route(withLayer(oneItem), ['f', 'crs', 'exact']));

  async function listItems(ask: Ask, layer: VectorLayer): Promise<Handled> {
    const { request, reply, caller, root, format } = ask;
    const asked = parseItemsRequest(request.query as Query, layer, format === 'html' ? HTML_LIMIT : undefined);
    if (!asked.ok) return asked;
    const query = await toQuery(asked.value, layer, book);
    if (!query.ok) return query;
    const info = requestInfo(request);
    const may = await mayReadRows(context, caller, info, layer);
    if (!may.ok) return err(layerFailure(may.error));
    if (!may.value) return err({ kind: 'forbidden', detail: NEEDS_DOWNLOAD });
    const url = collectionUrl(root, layer);
    reply.header('Content-Crs', `<${query.value.crs.uri}>`);
    if (format === 'html') return pageOfItems(ask, layer, query.value);

    let matched: number | undefined;
    if (layer.estimatedRows <= MAX_COUNTED) {
      const counted = await context.db.read(caller, info, [timeLimit(COUNT_MS), countStatement(query.value)]);
      if (!counted.ok) return err(queryFailure(counted.error));
      matched = Number(counted.value[1]?.rows[0]?.[0]?.toString());
    }
    const { limit = 0, order, offset, after } = query.value;
    // What fits on one page needs no order to find the next one by.
    const isAnyOrder =
      matched !== undefined &&
      matched > FEW &&
      matched <= limit &&
      order.length === 0 &&
      offset === 0 &&
      after === undefined;
    let returned = 0;
    let hasMore = false;
    let last = '';
    const comma = Buffer.from(',\n');
    const links = (): readonly Link[] => [
      { href: `${url}/items${searchOf(request, {})}`, rel: 'self', type: GEOJSON, title: 'This document' },
      {
        href: `${url}/items${searchOf(request, { f: 'html' })}`,
        rel: 'alternate',
        type: HTML,
        title: 'This document as a page',
      },
      { href: url, rel: 'collection', type: JSON_TYPE, title: 'The layer' },
      ...(hasMore
        ? [
            {
              href: `${url}/items${searchOf(request, nextPage(query.value, last))}`,
              rel: 'next',
              type: GEOJSON,
              title: 'The next page',
            },
          ]
        : []),
    ];
    const streamed = await streamRows(
      context.db,
      caller,
      info,
      {
        // One more than the page has, by which one sees that there is another.
        query: { ...query.value, isAnyOrder, limit: limit + 1 },
        select: keyedJsonSelect,
        head: '{"type":"FeatureCollection","features":[\n',
        row([key, feature]) {
          if (returned >= limit && !isAnyOrder) {
            hasMore = true;
            return undefined;
          }
          returned += 1;
          if (returned === limit) last = key?.toString() ?? '';
          const bytes = feature ?? Buffer.from('null');
          return returned === 1 ? bytes : [comma, bytes];
        },
        tail: () =>
          `\n],"numberReturned":${returned}${matched === undefined ? '' : `,"numberMatched":${matched}`},"timeStamp":"${new Date(context.now()).toISOString()}","links":${JSON.stringify(links())}}\n`,
      },
      whenClientGone(reply.raw),
    );
    if (!streamed.ok) return err(queryFailure(streamed.error));
    reply.type(GEOJSON).header('Vary', 'Accept-Encoding, Authorization, Cookie');
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return ok(reply.send(streamed.value));
    const gzip = createGzip({ level: 3 });
    streamed.value.on('error', (error) => gzip.destroy(error));
    gzip.on('close', () => streamed.value.destroy());
    return ok(reply.header('Content-Encoding', 'gzip').send(streamed.value.pipe(gzip)));
  }

  async function pageOfItems(
    { request, reply, caller, root }: Ask,
    layer: VectorLayer,
    whole: FeatureQuery,
  ): Promise<Handled> {
    const query = { ...whole, limit: Math.min(whole.limit ?? HTML_LIMIT, 1000) };
    const executed = await context.db.read(caller, requestInfo(request), [
      timeLimit(COUNT_MS),
      featuresStatement(query, 1),
    ]);
    if (!executed.ok) return err(queryFailure(executed.error));
    const features = (executed.value[1]?.rows ?? []).map(
      ([cell]) => parseExact(cell?.toString() ?? 'null') as ShownFeature,
    );
    const shown = features.slice(0, query.limit);
    const url = `${collectionUrl(root, layer)}/items`;
    const next = features.length > shown.length ? nextPage(query, exactText(shown.at(-1)?.id)) : undefined;
    const links: Link[] = [
      { href: `${url}${searchOf(request, { f: 'json' })}`, rel: 'alternate', type: GEOJSON, title: 'As GeoJSON' },
      ...(next === undefined
        ? []
        : [
            {
              href: `${url}${searchOf(request, { ...next, f: 'html' })}`,
              rel: 'next',
              type: HTML,
              title: 'The next page',
            },
          ]),
    ];
    const columns = query.columns.map(({ name }) => name);
    return ok(html(reply, itemsHtml(root, layer, shown, columns, links)));
  }

  async function oneItem({ request, reply, caller, root, format }: Ask, layer: VectorLayer): Promise<Handled> {
    const { id } = request.params as { readonly id: string };
    const { crs: name, exact } = request.query as { readonly crs?: string; readonly exact?: string };
    if (exact !== undefined && exact !== 'true' && exact !== 'false')
      return err({ kind: 'bad-request', detail: 'exact is true or false.' });
    const crs = await crsOf(book, layer, name);
    if (!crs.ok) return crs;
    const key = keyCondition(layer, id);
    if (key === undefined) return err({ kind: 'not-found' });
    const query = { ...wholeLayer(layer, crs.value), conditions: [key], isExact: exact === 'true' };
    const executed = await context.db.read(caller, requestInfo(request), [featuresStatement(query)]);
    if (!executed.ok) return err(queryFailure(executed.error));
    const cell = executed.value[0]?.rows[0]?.[0];
    if (cell === null || cell === undefined) return err({ kind: 'not-found' });
    const text = cell.toString();
    reply.header('Content-Crs', `<${crs.value.uri}>`);
    if (format === 'html') return ok(html(reply, itemHtml(root, layer, parseExact(text) as ShownFeature)));
    const tag = featureTag(cell);
    reply.header('ETag', tag);
    if (isAmong(tag, request.headers['if-none-match'] ?? '')) return ok(reply.code(304).send());
    const url = collectionUrl(root, layer);
    const links: readonly Link[] = [
      { href: `${url}/items/${encodeURIComponent(id)}`, rel: 'self', type: GEOJSON, title: 'This document' },
      {
        href: `${url}/items/${encodeURIComponent(id)}?f=html`,
        rel: 'alternate',
        type: HTML,
        title: 'This document as a page',
      },
      { href: url, rel: 'collection', type: JSON_TYPE, title: 'The layer' },
    ];
    return ok(reply.type(GEOJSON).send(Buffer.from(`${text.slice(0, -1)},"links":${JSON.stringify(links)}}`)));
  }
}

function nextPage({ order, offset, limit = 0 }: FeatureQuery, last: string): Readonly<Record<string, string>> {
  // By key where the order is that of the key: the database finds the place at once, however far it is.
  return order.length > 0 || offset > 0 ? { offset: String(offset + limit) } : { after: last };
}

/** The query of the request with some of it changed. */
function searchOf({ query }: FastifyRequest, changes: Readonly<Record<string, string>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query as Query))
    if (!(name in changes)) params.append(name, String(value));
  for (const [name, value] of Object.entries(changes)) params.append(name, value);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
