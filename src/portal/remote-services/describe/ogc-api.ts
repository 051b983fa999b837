// Collections of an OGC API (Features, Maps, Tiles) → what it offers: pictures where the service draws its collections, else their features. Pure.

import { isObject } from '../remote-content.ts';
import { isTemplate, type RemoteLayer } from '../remote-layer.ts';
import {
  bounded,
  boxOf,
  keywordsOf,
  MAX_OFFERS,
  PLAIN_LAYER,
  type RemoteOffer,
  type RemoteService,
} from './remote-service.ts';

type Json = Readonly<Record<string, unknown>>;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export function parseCollections(answer: Json, landing: Json | undefined, address: string): RemoteService | undefined {
  const { collections } = answer;
  if (!Array.isArray(collections)) return undefined;
  // Records are looked into by others.
  const all = collections.filter(isObject).filter((one) => one['itemType'] !== 'record');
  return {
    kind: 'ogc-api',
    title: bounded(text(landing?.['title']) || text(answer['title']), 255),
    abstract: bounded(text(landing?.['description']) || text(answer['description']), 2000),
    offers: all.slice(0, MAX_OFFERS).flatMap((one) => offerOf(one, address)),
    truncated: all.length > MAX_OFFERS,
  };
}

function offerOf(one: Json, address: string): readonly RemoteOffer[] {
  const name = text(one['id']).slice(0, 500);
  if (name === '') return [];
  const links = Array.isArray(one['links']) ? one['links'].filter(isObject) : [];
  const { origin, pathname, search } = new URL(address);
  const own = `${origin}${pathname.replace(/\/$/, '')}/${encodeURIComponent(name)}`;
  const rels = links.map(({ rel }) => text(rel));
  const hasItems = rels.some((rel) => rel === 'items' || rel.endsWith('/items'));
  const layer =
    tilesOf(links, address) ??
    (hasItems ? { ...PLAIN_LAYER, kind: 'features' as const, url: own + search } : undefined);
  if (layer === undefined) return [];
  const spatial =
    isObject(one['extent']) && isObject(one['extent']['spatial']) ? one['extent']['spatial']['bbox'] : undefined;
  const [first] = Array.isArray(spatial) ? (spatial as readonly unknown[]) : [];
  // Of six numbers two are heights.
  const box = Array.isArray(first) ? (first.length === 6 ? [first[0], first[1], first[3], first[4]] : first) : [];
  const keywords = Array.isArray(one['keywords']) ? one['keywords'].map(text) : [];
  return [
    {
      name,
      title: bounded(text(one['title']), 255) || name,
      abstract: bounded(text(one['description']), 2000),
      keywords: keywordsOf(keywords),
      bbox: boxOf(box),
      attribution: bounded(text(one['attribution']), 500),
      layer,
    },
  ];
}

/** A link to pictures in the grid of web maps that has places for zoom, row and column in it. */
function tilesOf(links: readonly Json[], address: string): RemoteLayer | undefined {
  for (const { rel, href, type, templated } of links) {
    if (typeof href !== 'string' || templated !== true || !/^(?:image\/(?:png|jpeg|webp))$/.test(text(type))) continue;
    if (!text(rel).includes('tile') && text(rel) !== 'item') continue;
    const template = href
      .replaceAll('{tileMatrixSetId}', 'WebMercatorQuad')
      .replaceAll('{tileMatrix}', '{z}')
      .replaceAll('{tileCol}', '{x}')
      .replaceAll('{tileRow}', '{y}');
    const whole = /^https?:/i.test(template) ? template : new URL(address).origin + template;
    if (isTemplate(whole) && !/\{(?!z\}|x\}|y\})/.test(whole)) return { ...PLAIN_LAYER, kind: 'tiles', url: whole };
  }
  return undefined;
}
