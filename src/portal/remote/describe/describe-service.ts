// Reading what a service offers from its address alone: a template is tiles, `…/MapServer` is ArcGIS, JSON with collections an OGC API, and everything
// else is asked for the capabilities of a WMS, then of a WMTS. A handful of requests at most.

import { parseXml, type XmlElement } from '../../../geo/style/xml-tree.ts';
import type { RemoteFault, RemoteFetch } from '../../../http/remote/remote-fetch.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { isObject, jsonOf } from '../remote-content.ts';
import { isTemplate, MAX_REMOTE_ADDRESS, parseRemoteLayer } from '../remote-layer.ts';
import { withParams } from '../remote-request.ts';
import { arcgisPlace, parseArcgis } from './arcgis-service.ts';
import { parseCollections } from './ogc-api.ts';
import { PLAIN_LAYER, type RemoteService } from './remote-service.ts';
import { parseWms } from './wms-capabilities.ts';
import { parseWmts } from './wmts-capabilities.ts';

export type DescribeFault =
  | RemoteFault
  /** It is no address. */
  | { readonly kind: 'address'; readonly detail: string }
  | { readonly kind: 'status'; readonly status: number }
  /** It answers, with nothing that is known here. */
  | { readonly kind: 'unknown-service' };

type Described = Result<RemoteService, DescribeFault>;

const MAX_BYTES = 5_000_000;
const TIMEOUT_MS = 20_000;

export async function describeService(fetch: RemoteFetch, text: string): Promise<Described> {
  const url = text.trim();
  if (isTemplate(url)) return describeTiles(url);
  if (url.length > MAX_REMOTE_ADDRESS || !/^https?:\/\//i.test(url) || !URL.canParse(url))
    return err({ kind: 'address', detail: 'Expected an address that begins with http:// or https://.' });
  const arcgis = arcgisPlace(url);
  if (arcgis !== undefined) {
    const { service, layer } = arcgis;
    const { origin, pathname } = new URL(service);
    const answer = await ask(fetch, withParams(origin + pathname, service, { f: 'json' }));
    if (!answer.ok) return answer;
    const parsed = parseArcgis(jsonOf(answer.value) ?? {}, service, layer);
    return parsed === undefined ? err({ kind: 'unknown-service' }) : ok(parsed);
  }
  return describeOgc(fetch, url);
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

async function describeOgc(fetch: RemoteFetch, url: string): Promise<Described> {
  const { origin, pathname, searchParams } = new URL(url);
  const given = new Map([...searchParams].map(([name, value]) => [name.toLowerCase(), value.toLowerCase()]));
  const service = given.get('service');
  // What was asked for in this address is asked for anew; the rest of it belongs to the service.
  const base = new URL(withParams(origin + pathname, url, {}));
  for (const name of [...base.searchParams.keys()])
    if (['service', 'request', 'version'].includes(name.toLowerCase())) base.searchParams.delete(name);
  const capabilities = (name: 'WMS' | 'WMTS'): string =>
    withParams(origin + pathname, base.href, { service: name, request: 'GetCapabilities' });
  const tries =
    service === 'wmts'
      ? [capabilities('WMTS')]
      : service === 'wms'
        ? [capabilities('WMS')]
        : [url, capabilities('WMS'), capabilities('WMTS')];
  let last: DescribeFault = { kind: 'unknown-service' };
  for (const address of tries) {
    const answer = await ask(fetch, address);
    if (!answer.ok) {
      // Who is not to be asked is not asked another way.
      if (answer.error.kind !== 'status') return answer;
      last = answer.error;
      continue;
    }
    const json = jsonOf(answer.value);
    const described = json === undefined ? fromXml(answer.value, base.href) : await fromJson(fetch, json, address);
    if (described?.ok === true) return described;
    if (described !== undefined) return described;
  }
  return err(last);
}

function fromXml(body: Buffer, base: string): Described | undefined {
  const text = body.toString('utf8');
  if (!text.trimStart().startsWith('<')) return undefined;
  const tree = parseXml(withoutPlainDoctype(text));
  if (!tree.ok) return undefined;
  const root: XmlElement = tree.value;
  const found = parseWms(root, base) ?? parseWmts(root, base);
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

/** The collections themselves, or a landing page that has them. */
async function fromJson(
  fetch: RemoteFetch,
  json: Readonly<Record<string, unknown>>,
  address: string,
): Promise<Described | undefined> {
  const here = parseCollections(json, undefined, address);
  if (here !== undefined) return ok(here);
  const links = Array.isArray(json['links']) ? json['links'].filter(isObject) : [];
  const data = links.find(({ rel }) => rel === 'data' || String(rel).endsWith('/rel/data'))?.['href'];
  if (typeof data !== 'string' || !URL.canParse(data, address)) return undefined;
  const next = new URL(data, address).href;
  const answer = await ask(fetch, next);
  if (!answer.ok) return answer;
  const found = parseCollections(jsonOf(answer.value) ?? {}, json, next);
  return found === undefined ? undefined : ok(found);
}

async function ask(fetch: RemoteFetch, address: string): Promise<Result<Buffer, DescribeFault>> {
  const reply = await fetch(address, {
    accept: 'application/json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1',
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
  });
  if (!reply.ok) return reply;
  const { status, body } = reply.value;
  return status >= 200 && status < 300 ? ok(body) : err({ kind: 'status', status });
}
