// Collections of an OGC API Records → the records in them, page by page.

import { isObject, jsonOf } from '../remote-content.ts';
import type { AskService } from './ask-service.ts';
import { boxIn, boxOfGeometry, type Json, objectsIn, textIn, wordsIn } from './json-text.ts';
import { NO_LINK, type RecordLink, wholeAddress } from './record-links.ts';
import type { CatalogueRecord } from './record-offers.ts';
import { bounded, keywordsOf, MAX_OFFERS } from './remote-service.ts';

const PAGE = 100;
/** Collections that are looked into. */
const MAX_COLLECTIONS = 5;

export const isRecordCollection = (one: Json): boolean => one['itemType'] === 'record';

export type FoundRecords = { readonly records: readonly CatalogueRecord[]; readonly truncated: boolean };

export async function readRecords(
  ask: AskService,
  collections: readonly Json[],
  address: string,
): Promise<FoundRecords> {
  const records: CatalogueRecord[] = [];
  let truncated = collections.length > MAX_COLLECTIONS;
  for (const one of collections.slice(0, MAX_COLLECTIONS)) {
    const items = objectsIn(one['links']).find(({ rel }) => rel === 'items')?.['href'];
    let next = wholeAddress(textIn(items), address);
    if (next !== undefined) next = withLimit(next, PAGE);
    while (next !== undefined && records.length < MAX_OFFERS) {
      const answer = await ask(next);
      const json = answer.ok ? jsonOf(answer.value.body) : undefined;
      if (json === undefined) {
        truncated = true;
        break;
      }
      const base = next;
      const found = objectsIn(json['features']);
      records.push(...found.flatMap((feature) => recordOf(feature, base)));
      next = found.length === 0 ? undefined : nextPage(json, base);
    }
    truncated ||= next !== undefined;
  }
  return { records: records.slice(0, MAX_OFFERS), truncated };
}

export function withLimit(address: string, most: number): string {
  const url = new URL(address);
  url.searchParams.set('limit', String(most));
  return url.href;
}

/** By GET; undefined: this was the last. */
export function nextPage(json: Json, address: string): string | undefined {
  const link = objectsIn(json['links']).find(
    ({ rel, method }) => rel === 'next' && (method === undefined || textIn(method).toUpperCase() === 'GET'),
  );
  const next = wholeAddress(textIn(link?.['href']), address);
  return next === address ? undefined : next;
}

function recordOf(feature: Json, base: string): readonly CatalogueRecord[] {
  const name = textIn(feature['id']).slice(0, 500);
  const about = isObject(feature['properties']) ? feature['properties'] : {};
  if (name === '') return [];
  return [
    {
      name,
      title: bounded(textIn(about['title']), 255) || name,
      abstract: bounded(textIn(about['description']), 2000),
      keywords: keywordsOf(wordsIn(about['keywords'])),
      bbox: boxIn(feature['bbox']) ?? boxOfGeometry(feature['geometry']),
      attribution: bounded(textIn(about['rights']), 500),
      links: objectsIn(feature['links']).map(linkOf),
      base,
    },
  ];
}

export function linkOf(link: Json): RecordLink {
  return {
    ...NO_LINK,
    href: textIn(link['href']),
    protocol: textIn(link['protocol']),
    name: textIn(link['name']),
    type: textIn(link['type']),
    rel: textIn(link['rel']),
    title: textIn(link['title']),
  };
}
