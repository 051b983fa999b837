// STAC, an API or a static catalogue → what it offers: its items, drawn by the map services they link to or as the picture they come with. A static
// catalogue is walked from link to link, within bounds of items, depth, requests and time; what is beyond them is said to be there.

import { ok, type Result } from '../../../kernel/result.ts';
import { isObject, jsonOf } from '../remote-content.ts';
import type { AskService, DescribeFault } from './ask-service.ts';
import { boxIn, boxOfGeometry, type Json, objectsIn, textIn, wordsIn } from './json-text.ts';
import { linkOf, nextPage, withLimit } from './ogc-records.ts';
import { NO_LINK, type RecordLink, wholeAddress } from './record-links.ts';
import { type CatalogueRecord, offersOfRecords } from './record-offers.ts';
import { bounded, keywordsOf, PLAIN_LAYER, type RemoteOffer, type RemoteService } from './remote-service.ts';

const MAX_ITEMS = 500;
const MAX_DEPTH = 8;
const PAGE = 100;
/** Asked at once in a walk. */
const AT_ONCE = 4;

/** A catalogue, a collection, an item, or a list of collections or items. */
export function isStac(json: Json): boolean {
  const [first] = [...objectsIn(json['features']), ...objectsIn(json['collections'])];
  return typeof (json['stac_version'] ?? first?.['stac_version']) === 'string';
}

type Found = { readonly json: Json; readonly address: string };

export async function readStac(
  ask: AskService,
  root: Json,
  address: string,
): Promise<Result<RemoteService, DescribeFault>> {
  const { items, truncated } = await itemsOf(ask, root, address);
  const title = textIn(root['title']) || textIn(root['id']);
  return ok({
    kind: 'stac',
    title: bounded(title, 255),
    abstract: bounded(textIn(root['description']), 2000),
    offers: await offersOfItems(ask, items.slice(0, MAX_ITEMS)),
    truncated: truncated || items.length > MAX_ITEMS,
  });
}

type Items = { readonly items: readonly Found[]; readonly truncated: boolean };

async function itemsOf(ask: AskService, root: Json, address: string): Promise<Items> {
  if (root['type'] === 'Feature') return { items: [{ json: root, address }], truncated: false };
  if (Array.isArray(root['features']))
    return {
      items: objectsIn(root['features']).map((json) => ({ json, address })),
      truncated: nextPage(root, address) !== undefined,
    };
  const search =
    linkTo(root, address, 'search') ?? (root['type'] === 'Collection' ? linkTo(root, address, 'items') : undefined);
  if (search !== undefined) return pagesOf(ask, search);
  return walk(ask, root, address);
}

/** Asked for by GET. */
function linkTo(json: Json, address: string, rel: string): string | undefined {
  const link = objectsIn(json['links']).find(
    (one) => one['rel'] === rel && (one['method'] === undefined || textIn(one['method']).toUpperCase() === 'GET'),
  );
  return wholeAddress(textIn(link?.['href']), address);
}

async function pagesOf(ask: AskService, from: string): Promise<Items> {
  const items: Found[] = [];
  let next: string | undefined = withLimit(from, PAGE);
  while (next !== undefined && items.length < MAX_ITEMS) {
    const answer = await ask(next);
    const json: Json | undefined = answer.ok ? jsonOf(answer.value.body) : undefined;
    if (json === undefined) return { items, truncated: true };
    const address: string = next;
    const found = objectsIn(json['features']);
    items.push(...found.map((one) => ({ json: one, address })));
    next = found.length === 0 ? undefined : nextPage(json, address);
  }
  return { items, truncated: next !== undefined };
}

/** Level by level; an address that was seen is not asked again, so that catalogues which name each other end. */
async function walk(ask: AskService, root: Json, address: string): Promise<Items> {
  const items: Found[] = [];
  const seen = new Set<string>([address]);
  let level = linksBelow(root, address, seen);
  let truncated = false;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= MAX_DEPTH) return { items, truncated: true };
    const below: string[] = [];
    for (let at = 0; at < level.length; at += AT_ONCE) {
      if (items.length >= MAX_ITEMS) return { items, truncated: true };
      const answers = await Promise.all(
        level.slice(at, at + AT_ONCE).map(async (one) => [one, await ask(one)] as const),
      );
      for (const [asked, answer] of answers) {
        if (!answer.ok) {
          // The budget is at its end: what is there is told. One that is missing is passed over.
          if (answer.error.kind === 'too-many-requests' || answer.error.kind === 'timeout')
            return { items, truncated: true };
          truncated = true;
          continue;
        }
        const json = jsonOf(answer.value.body);
        if (json === undefined) continue;
        if (json['type'] === 'Feature') items.push({ json, address: asked });
        else below.push(...linksBelow(json, asked, seen));
      }
    }
    level = below;
  }
  return { items, truncated };
}

/** Those of items first: they are what is looked for. */
function linksBelow(json: Json, address: string, seen: Set<string>): string[] {
  const links = [
    ...objectsIn(json['links']),
    ...objectsIn(json['collections']).flatMap((one) => objectsIn(one['links'])),
  ];
  const found = ['item', 'items', 'child'].flatMap((rel) =>
    links.filter((one) => one['rel'] === rel).map(({ href }) => wholeAddress(textIn(href), address)),
  );
  return found.slice(0, 10 * MAX_ITEMS).flatMap((one) => {
    if (one === undefined || seen.has(one)) return [];
    seen.add(one);
    return [one];
  });
}

async function offersOfItems(ask: AskService, items: readonly Found[]): Promise<readonly RemoteOffer[]> {
  const offers = await offersOfRecords(
    ask,
    items.map(({ json, address }) => recordOf(json, address)),
  );
  const pictures = new Map(items.map(({ json, address }) => [nameOf(json), previewOf(json, address)] as const));
  return offers.map((one): RemoteOffer => {
    const url = pictures.get(one.name);
    if (one.layer !== undefined || url === undefined || one.bbox === undefined) return one;
    const { reason: _none, ...about } = one;
    return { ...about, layer: { ...PLAIN_LAYER, kind: 'image', url } };
  });
}

function nameOf(item: Json): string {
  const [collection, id] = [textIn(item['collection']), textIn(item['id'])];
  return (collection === '' ? id : `${collection}/${id}`).slice(0, 500);
}

function recordOf(item: Json, base: string): CatalogueRecord {
  const about = isObject(item['properties']) ? item['properties'] : {};
  const assets = isObject(item['assets']) ? Object.values(item['assets']).filter(isObject) : [];
  return {
    name: nameOf(item),
    title: bounded(textIn(about['title']), 255) || textIn(item['id']).slice(0, 255),
    abstract: bounded(textIn(about['description']), 2000),
    keywords: keywordsOf(wordsIn(about['keywords'])),
    bbox: boxIn(item['bbox']) ?? boxOfGeometry(item['geometry']),
    attribution: bounded(
      objectsIn(about['providers'])
        .map(({ name }) => textIn(name))
        .join(', '),
      500,
    ),
    links: [
      ...objectsIn(item['links']).map(webMapLink),
      ...assets.slice(0, 50).map(({ href }): RecordLink => ({ ...NO_LINK, href: textIn(href), rel: 'enclosure' })),
    ],
    base,
  };
}

/** Of the extension for web maps: a layer is named by the link, a server is one of several. */
function webMapLink(link: Json): RecordLink {
  const layers = link['wms:layers'];
  const name = textIn(link['wmts:layer']) || (Array.isArray(layers) && layers.length === 1 ? textIn(layers[0]) : '');
  const servers = Array.isArray(link['href:servers']) ? link['href:servers'] : [];
  const plain = linkOf(link);
  return { ...plain, name: name || plain.name, href: plain.href.replaceAll('{s}', textIn(servers[0])) };
}

/** The picture that an item comes with: a larger one before a smaller one. */
function previewOf(item: Json, base: string): string | undefined {
  const assets = isObject(item['assets']) ? Object.entries(item['assets']).slice(0, 50) : [];
  const pictures = assets.flatMap(([key, asset]) => {
    if (!isObject(asset) || !/^image\/(?:png|jpe?g|webp|gif)$/.test(textIn(asset['type']).split(';', 1)[0] ?? ''))
      return [];
    const roles = [key, ...wordsIn(asset['roles'])];
    const rank = ['overview', 'visual', 'thumbnail', 'preview'].findIndex((role) => roles.includes(role));
    const url = wholeAddress(textIn(asset['href']), base);
    return rank < 0 || url === undefined ? [] : [{ rank, url }];
  });
  return pictures.sort((one, other) => one.rank - other.rank)[0]?.url;
}
