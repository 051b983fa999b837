// Reading what a service offers from its address alone: a template is tiles, `…/MapServer` is ArcGIS, JSON is an OGC API, a STAC catalogue or GeoNode, and
// everything else is asked for the capabilities of a WMS, WMTS, WFS and CSW, and last whether it is the page of a GeoNode portal.

import { parseXml, type XmlElement } from '../../../geo/style/xml-tree.ts';
import type { RemoteFetch } from '../../../http/outbound/remote-fetch.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { isObject, jsonOf } from '../remote-content.ts';
import { isTemplate, MAX_REMOTE_ADDRESS, parseRemoteLayer } from '../remote-layer.ts';
import { withParams } from '../remote-request.ts';
import { arcgisPlace, parseArcgis } from './arcgis-service.ts';
import { type Asked, type AskService, type DescribeFault, makeAsk } from './ask-service.ts';
import { isCsw, readCsw } from './csw-records.ts';
import { geonodeRoot, readGeonode } from './geonode.ts';
import { type Json, objectsIn, textIn } from './json-text.ts';
import { parseCollections } from './ogc-api.ts';
import { isRecordCollection, readRecords } from './ogc-records.ts';
import { serviceAddress, wholeAddress } from './record-links.ts';
import { offersOfRecords } from './record-offers.ts';
import { MAX_OFFERS, PLAIN_LAYER, type RemoteService } from './remote-service.ts';
import { isStac, readStac } from './stac-items.ts';
import { parseWfs } from './wfs-capabilities.ts';
import { parseWms } from './wms-capabilities.ts';
import { parseWmts } from './wmts-capabilities.ts';

type Described = Result<RemoteService, DescribeFault>;

export async function describeService(fetch: RemoteFetch, text: string): Promise<Described> {
  const url = text.trim();
  if (isTemplate(url)) return describeTiles(url);
  if (url.length > MAX_REMOTE_ADDRESS || !/^https?:\/\//i.test(url) || !URL.canParse(url))
    return err({ kind: 'address', detail: 'Expected an address that begins with http:// or https://.' });
  const ask = makeAsk(fetch);
  const arcgis = arcgisPlace(url);
  if (arcgis !== undefined) {
    const { service, layer } = arcgis;
    const { origin, pathname } = new URL(service);
    const answer = await ask(withParams(origin + pathname, service, { f: 'json' }));
    if (!answer.ok) return answer;
    const parsed = parseArcgis(jsonOf(answer.value.body) ?? {}, service, layer);
    return parsed === undefined ? err({ kind: 'unknown-service' }) : ok(parsed);
  }
  const geonode = geonodeRoot(url);
  if (geonode !== undefined) return (await readGeonode(ask, geonode)) ?? err({ kind: 'unknown-service' });
  return describeOgc(ask, url);
}

function describeTiles(url: string): Described {
  const layer = parseRemoteLayer((name) => ({ kind: 'tiles', url })[name]);
  if (typeof layer === 'string') return err({ kind: 'address', detail: layer });
  const { hostname } = new URL(url);
  return ok({
    kind: 'xyz',
    title: hostname,
    abstract: '',
    truncated: false,
    offers: [
      {
        name: 'tiles',
        title: hostname,
        abstract: '',
        keywords: [],
        bbox: undefined,
        attribution: '',
        layer: { ...PLAIN_LAYER, kind: 'tiles', url },
      },
    ],
  });
}

const SERVICES = ['wms', 'wmts', 'wfs', 'csw'] as const;
type Service = (typeof SERVICES)[number];

async function describeOgc(ask: AskService, url: string): Promise<Described> {
  const { origin, pathname, searchParams } = new URL(url);
  const given = new Map([...searchParams].map(([name, value]) => [name.toLowerCase(), value.toLowerCase()]));
  // What was asked for in this address is asked for anew; the rest of it belongs to the service.
  const base = serviceAddress(new URL(url));
  const capabilities = (name: Service): string =>
    withParams(origin + pathname, base, {
      service: name.toUpperCase(),
      request: 'GetCapabilities',
      ...(name === 'wfs' ? { acceptversions: '2.0.0,1.1.0' } : {}),
    });
  const named = SERVICES.find((one) => one === given.get('service'));
  const last = pathname.slice(pathname.lastIndexOf('/') + 1).toLowerCase();
  const likely = SERVICES.find((one) => one === last);
  const tries =
    named !== undefined
      ? [capabilities(named)]
      : likely !== undefined
        ? [capabilities(likely), url]
        : [url, ...SERVICES.map(capabilities)];
  let fault: DescribeFault = { kind: 'unknown-service' };
  for (const address of tries) {
    const answer = await ask(address);
    if (!answer.ok) {
      // Who is not to be asked is not asked another way.
      if (answer.error.kind !== 'status') return answer;
      fault = answer.error;
      continue;
    }
    const json = jsonOf(answer.value.body);
    const described =
      json === undefined ? await fromXml(ask, answer.value.body, base) : await fromJson(ask, json, answer.value);
    if (described !== undefined) return described;
  }
  if (named !== undefined) return err(fault);
  return (await readGeonode(ask, origin + pathname.replace(/\/$/, ''))) ?? err(fault);
}

/** Undefined: it is the description of no service that is known here. */
async function fromXml(ask: AskService, body: Buffer, base: string): Promise<Described | undefined> {
  const text = body.toString('utf8');
  if (!text.trimStart().startsWith('<')) return undefined;
  const tree = parseXml(withoutPlainDoctype(text));
  if (!tree.ok) return undefined;
  const root: XmlElement = tree.value;
  if (isCsw(root)) return readCsw(ask, root, base);
  const found = parseWms(root, base) ?? parseWmts(root, base) ?? parseWfs(root, base);
  return found === undefined ? undefined : ok(found);
}

/** WMS 1.1.1 begins with a document type that names its DTD. One that defines nothing itself is left out; any other is refused. */
function withoutPlainDoctype(text: string): string {
  const start = text.slice(0, 2000).indexOf('<!DOCTYPE');
  if (start < 0) return text;
  const end = text.indexOf('>', start);
  const declared = end < 0 || end - start > 1000 ? '[' : text.slice(start, end);
  return declared.includes('[') ? text : text.slice(0, start) + text.slice(end + 1);
}

/** A catalogue of STAC, the collections of an API, or a landing page that has them. */
async function fromJson(ask: AskService, json: Json, { address }: Asked): Promise<Described | undefined> {
  if (isStac(json)) return readStac(ask, json, address);
  if (Array.isArray(json['collections'])) return fromCollections(ask, json, undefined, address);
  const data = objectsIn(json['links']).find(({ rel }) => rel === 'data' || textIn(rel).endsWith('/rel/data'));
  const next = wholeAddress(textIn(data?.['href']), address);
  if (next === undefined) return undefined;
  const answer = await ask(next);
  if (!answer.ok) return answer;
  return fromCollections(ask, jsonOf(answer.value.body) ?? {}, json, next);
}

/** Collections of records are looked into; of others each is a layer. */
async function fromCollections(
  ask: AskService,
  json: Json,
  landing: Json | undefined,
  address: string,
): Promise<Described | undefined> {
  const found = parseCollections(json, landing, address);
  if (found === undefined) return undefined;
  const catalogues = (Array.isArray(json['collections']) ? json['collections'] : [])
    .filter(isObject)
    .filter(isRecordCollection);
  if (catalogues.length === 0) return ok(found);
  const { records, truncated } = await readRecords(ask, catalogues, address);
  const offers = [...found.offers, ...(await offersOfRecords(ask, records))];
  return ok({
    ...found,
    kind: found.offers.length === 0 ? 'records' : found.kind,
    offers: offers.slice(0, MAX_OFFERS),
    truncated: found.truncated || truncated || offers.length > MAX_OFFERS,
  });
}
