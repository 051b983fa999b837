// What an address holds → a file that an import reads, through the client that guards against request forgery. The items of an OGC API come page by page
// and become one GeoJSON file; the pages, the bytes and the time of all of it are bounded.

import { extname } from 'node:path/posix';
import type { RemoteFetch, RemoteReply } from '../../http/outbound/remote-fetch.ts';
import { parseExact, writeExact } from '../../kernel/exact-numbers.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { remoteError } from '../remote-services/remote-words.ts';
import type { Address } from './source-order.ts';

export type FetchedFile = { readonly name: string; readonly body: Buffer };

export type FetchLimits = { readonly bytes: number; readonly pages: number; readonly ms: number };

const FETCH_LIMITS: FetchLimits = { bytes: 50_000_000, pages: 200, ms: 120_000 };

const PAGE = 1000;
const ENDINGS: ReadonlySet<string> = new Set([
  '.csv',
  '.tsv',
  '.geojson',
  '.json',
  '.gml',
  '.kml',
  '.kmz',
  '.zip',
  '.gpkg',
  '.xlsx',
]);
/** Where the address does not say what it is. */
const BY_TYPE: Readonly<Record<string, string>> = {
  'text/csv': '.csv',
  'text/tab-separated-values': '.tsv',
  'application/geo+json': '.geojson',
  'application/json': '.geojson',
  'application/gml+xml': '.gml',
  'application/vnd.google-earth.kml+xml': '.kml',
  'application/vnd.google-earth.kmz': '.kmz',
  'application/zip': '.zip',
  'application/geopackage+sqlite3': '.gpkg',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
};

/** The error is a sentence for people. */
export async function fetchAddress(
  fetch: RemoteFetch,
  source: Address,
  limits: FetchLimits = FETCH_LIMITS,
  now: () => number = () => performance.now(),
): Promise<Result<FetchedFile, string>> {
  const until = now() + limits.ms;
  let left = limits.bytes;
  const ask = async (address: string, accept: string): Promise<Result<RemoteReply, string>> => {
    const timeoutMs = Math.round(until - now());
    if (timeoutMs <= 0) return err(`The address did not answer within ${limits.ms / 1000} seconds.`);
    const reply = await fetch(address, { accept, maxBytes: Math.max(1, left), timeoutMs });
    if (!reply.ok) {
      const said = remoteError(reply.error);
      return err(
        'detail' in said && said.detail !== undefined ? said.detail : 'Too many addresses are asked just now.',
      );
    }
    left -= reply.value.body.length;
    const { status } = reply.value;
    if (status < 200 || status > 299) return err(`The address answered with status ${status}.`);
    return ok(reply.value);
  };
  switch (source.kind) {
    case 'file':
      return fetchFile(source.address, ask);
    case 'wfs':
      return fetchFeatureType(source, ask);
    case 'features':
      return fetchItems(source.address, ask, limits.pages);
  }
}

type Ask = (address: string, accept: string) => Promise<Result<RemoteReply, string>>;

async function fetchFile(address: string, ask: Ask): Promise<Result<FetchedFile, string>> {
  const reply = await ask(address, '*/*');
  if (!reply.ok) return reply;
  const { type, body, address: found } = reply.value;
  const name = decoded(found.pathname.split('/').at(-1) ?? '');
  const ending = extname(name).toLowerCase();
  const known = ENDINGS.has(ending) ? (ending === '.json' ? '.geojson' : ending) : BY_TYPE[type];
  if (known === undefined) return err('The address holds no file of a kind that is imported, such as CSV or GeoJSON.');
  return ok({ name: `${stem(name)}${known}`, body });
}

async function fetchFeatureType({ address, typeName }: Address, ask: Ask): Promise<Result<FetchedFile, string>> {
  const wanted = new URL(address);
  const asked = new Set(['service', 'version', 'request', 'typenames', 'typename', 'outputformat']);
  for (const name of [...wanted.searchParams.keys()])
    if (asked.has(name.toLowerCase())) wanted.searchParams.delete(name);
  for (const [name, value] of Object.entries({
    service: 'WFS',
    version: '2.0.0',
    request: 'GetFeature',
    typeNames: typeName ?? '',
    outputFormat: 'application/json',
  }))
    wanted.searchParams.set(name, value);
  const reply = await ask(wanted.href, 'application/json, application/gml+xml;q=0.5, text/xml;q=0.5');
  if (!reply.ok) return reply;
  const { body } = reply.value;
  const head = body.subarray(0, 2000).toString('utf8').trimStart();
  if (/ExceptionReport/.test(head)) return err('The WFS refuses the feature type, or answers no JSON.');
  return ok({ name: `${stem(typeName ?? '')}${head.startsWith('<') ? '.gml' : '.geojson'}`, body });
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function fetchItems(address: string, ask: Ask, maxPages: number): Promise<Result<FetchedFile, string>> {
  const first = new URL(address);
  if (!/\/items\/?$/.test(first.pathname)) first.pathname = `${first.pathname.replace(/\/$/, '')}/items`;
  if (!first.searchParams.has('limit')) first.searchParams.set('limit', String(PAGE));
  if (!first.searchParams.has('f')) first.searchParams.set('f', 'json');
  const features: Json[] = [];
  let next: string | undefined = first.href;
  for (let page = 0; next !== undefined; page += 1) {
    if (page >= maxPages) return err(`The collection has more than ${maxPages} pages.`);
    const reply: Result<RemoteReply, string> = await ask(next, 'application/geo+json, application/json');
    if (!reply.ok) return reply;
    const answer = jsonOf(reply.value.body);
    const list = answer?.['features'];
    if (!Array.isArray(list)) return err('The address answers no features of an OGC API.');
    for (const feature of list) if (isObject(feature)) features.push(withId(feature));
    next = nextOf(answer, reply.value.address);
  }
  const name = stem(decoded(first.pathname.split('/').at(-2) ?? ''));
  return ok({ name: `${name}.geojson`, body: Buffer.from(writeExact({ type: 'FeatureCollection', features })) });
}

/** By its id a feature is found again, so it stands among its attributes. */
function withId(feature: Json): Json {
  const { id, properties } = feature;
  const about = isObject(properties) ? properties : {};
  if (id === undefined || id === null || 'id' in about)
    return { type: 'Feature', geometry: feature['geometry'] ?? null, properties: about };
  return { type: 'Feature', geometry: feature['geometry'] ?? null, properties: { id, ...about } };
}

function nextOf(answer: Json | undefined, from: URL): string | undefined {
  const links = answer?.['links'];
  const next = (Array.isArray(links) ? links : []).find((link: unknown) => isObject(link) && link['rel'] === 'next') as
    | Json
    | undefined;
  const href = next?.['href'];
  return typeof href === 'string' && URL.canParse(href, from.href) ? new URL(href, from.href).href : undefined;
}

function jsonOf(body: Buffer): Json | undefined {
  try {
    const value = parseExact(body.toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const MAX_STEM = 60;

function stem(name: string): string {
  const plain = name
    .slice(0, 400)
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N}_-]+/gu, '_')
    .slice(0, MAX_STEM);
  return plain === '' ? 'data' : plain;
}
