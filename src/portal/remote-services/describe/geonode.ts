// A GeoNode portal (API v2), this program among them → what it offers: its datasets, each drawn by the WMS that it links to, with its metadata.

import { ok, type Result } from '../../../kernel/result.ts';
import { isObject, jsonOf } from '../remote-content.ts';
import type { AskService, DescribeFault } from './ask-service.ts';
import { boxIn, boxOfGeometry, type Json, objectsIn, textIn, wordsIn } from './json-text.ts';
import { NO_LINK, type RecordLink } from './record-links.ts';
import { type CatalogueRecord, offersOfRecords } from './record-offers.ts';
import { bounded, keywordsOf, MAX_OFFERS, type RemoteService } from './remote-service.ts';

const PAGE = 100;

/** The address of the portal itself; undefined: the address is none of its API. */
export function geonodeRoot(url: string): string | undefined {
  const { origin, pathname } = new URL(url);
  const at = pathname.indexOf('/api/v2');
  return at < 0 ? undefined : origin + pathname.slice(0, at);
}

/** Undefined: no GeoNode is there. */
export async function readGeonode(
  ask: AskService,
  root: string,
): Promise<Result<RemoteService, DescribeFault> | undefined> {
  const records: CatalogueRecord[] = [];
  let total = 0;
  for (let page = 1; records.length < MAX_OFFERS; page++) {
    const address = `${root}/api/v2/datasets/?page_size=${PAGE}&page=${page}`;
    const answer = await ask(address);
    const json = answer.ok ? (jsonOf(answer.value.body) ?? {}) : {};
    const found = datasetsOf(json);
    if (found === undefined) {
      if (page > 1) break;
      return answer.ok || answer.error.kind === 'status' ? undefined : answer;
    }
    records.push(...found.flatMap((one) => recordOf(one, root)));
    total = Number(json['total'] ?? records.length);
    if (found.length === 0 || records.length >= total) break;
  }
  return ok({
    kind: 'geonode',
    title: new URL(root).hostname,
    abstract: '',
    offers: await offersOfRecords(ask, records.slice(0, MAX_OFFERS)),
    truncated: total > records.length,
  });
}

/** Undefined: it is no list of GeoNode. */
function datasetsOf(json: Json): readonly Json[] | undefined {
  const list = json['datasets'] ?? json['layers'];
  return Array.isArray(list) && typeof json['total'] === 'number' ? list.filter(isObject) : undefined;
}

function recordOf(one: Json, root: string): readonly CatalogueRecord[] {
  const name = (textIn(one['uuid']) || String(one['pk'] ?? '')).slice(0, 500);
  const alternate = textIn(one['alternate']).slice(0, 500);
  const extent = isObject(one['extent']) ? boxIn(one['extent']['coords']) : undefined;
  const links = objectsIn(one['links']).map(
    (link): RecordLink => ({
      ...NO_LINK,
      href: textIn(link['url']),
      protocol: textIn(link['link_type']),
      type: textIn(link['mime']),
      // Only services have layers; the page of an item is what `html` is.
      name: textIn(link['link_type']).startsWith('OGC:') ? alternate : '',
    }),
  );
  // Where the list leaves links out, its map server is where GeoNode has it.
  const usual: RecordLink = { ...NO_LINK, href: `${root}/geoserver/ows`, protocol: 'OGC:WMS', name: alternate };
  const page: RecordLink = { ...NO_LINK, href: textIn(one['detail_url']), type: 'text/html' };
  const hasData = textIn(one['subtype']) !== 'tabular' && alternate !== '';
  return [
    {
      name,
      title: bounded(textIn(one['title']), 255) || name,
      abstract: bounded(textIn(one['raw_abstract']) || textIn(one['abstract']), 2000),
      keywords: keywordsOf(wordsIn(one['keywords'])),
      bbox: boxOfGeometry(one['ll_bbox_polygon']) ?? extent,
      attribution: bounded(textIn(one['attribution']), 500),
      links: [page, ...links, ...(links.length === 0 && hasData ? [usual] : [])],
      base: `${root}/`,
    },
  ];
}
