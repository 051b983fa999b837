// Media types as the service tells them apart; the Accept and Content-Type headers to them, and them to Content-Type.
// `other` is kept as the client wrote it, normalised, for handlers that the database declares and for the 406 text.

import { assertNever } from '../../kernel/assert-never.ts';
import { makeTextCache } from '../../kernel/text-cache.ts';

export type PlanOption = 'analyze' | 'verbose' | 'settings' | 'buffers' | 'wal';

/** Set when the client wrote `vnd.svrst` for `vnd.pgrst`; the answer keeps its spelling. */
type VendorSpelling = { readonly vendor?: 'svrst' };

export type MediaType =
  | { readonly kind: 'json' }
  | { readonly kind: 'any' }
  | { readonly kind: 'geojson' }
  /** Newline-delimited JSON. */
  | { readonly kind: 'ndjson' }
  /** GeoJSON text sequences, RFC 8142. */
  | { readonly kind: 'geojson-seq' }
  | { readonly kind: 'csv' }
  /** Apache Arrow's IPC stream, Apache Parquet. */
  | { readonly kind: 'arrow' | 'parquet' }
  /** Server-sent events: the rows, then their changes. */
  | { readonly kind: 'events' }
  | { readonly kind: 'openapi' }
  /** `application/vnd.oai.openapi+json;version=3.1` */
  | { readonly kind: 'openapi3' }
  | ({ readonly kind: 'array'; readonly nullsStripped: boolean } & VendorSpelling)
  | ({ readonly kind: 'object'; readonly nullsStripped: boolean } & VendorSpelling)
  | ({
      readonly kind: 'plan';
      readonly format: 'text' | 'json';
      readonly for: MediaType;
      readonly options: readonly PlanOption[];
    } & VendorSpelling)
  | { readonly kind: 'text' }
  | { readonly kind: 'xml' }
  | { readonly kind: 'octets' }
  | { readonly kind: 'form' }
  | { readonly kind: 'other'; readonly name: string };

const JSON_TYPE: MediaType = { kind: 'json' };
const ANYTHING: readonly MediaType[] = [{ kind: 'any' }];

const STANDARD: ReadonlyMap<string, MediaType> = new Map<string, MediaType>([
  ['*/*', { kind: 'any' }],
  ['application/json', JSON_TYPE],
  ['application/geo+json', { kind: 'geojson' }],
  ['application/geo+json-seq', { kind: 'geojson-seq' }],
  ['application/x-ndjson', { kind: 'ndjson' }],
  ['application/openapi+json', { kind: 'openapi' }],
  ['application/octet-stream', { kind: 'octets' }],
  ['application/x-www-form-urlencoded', { kind: 'form' }],
  ['application/vnd.apache.arrow.stream', { kind: 'arrow' }],
  ['application/vnd.apache.parquet', { kind: 'parquet' }],
  ['text/csv', { kind: 'csv' }],
  ['text/event-stream', { kind: 'events' }],
  ['text/plain', { kind: 'text' }],
  ['text/xml', { kind: 'xml' }],
]);

const PLAN_OPTIONS: readonly PlanOption[] = ['analyze', 'verbose', 'settings', 'buffers', 'wal'];
const OPENAPI_3 = 'application/vnd.oai.openapi+json';

/** A plan may be asked for a plan's media type; deeper than this nobody means it. */
const DEEPEST_PLAN = 2;

const accepted = makeTextCache<readonly MediaType[]>(256, 512);

/** Best first: by q, then more parameters before fewer and wildcards last, then as written. */
export function parseAccept(header: string | undefined): readonly MediaType[] {
  if (header === undefined) return ANYTHING;
  const known = accepted.get(header);
  if (known !== undefined) return known;
  const types = rankedTypes(header).map((text) => parseMediaType(text));
  const result = types.length > 0 ? types : ANYTHING;
  accepted.set(header, result);
  return result;
}

const sent = makeTextCache<MediaType>(256, 512);

export function parseContentType(header: string | undefined): MediaType {
  if (header === undefined) return JSON_TYPE;
  const known = sent.get(header);
  if (known !== undefined) return known;
  const type = header.trim() === '' ? JSON_TYPE : parseMediaType(header.replaceAll(' ', ''));
  sent.set(header, type);
  return type;
}

function rankedTypes(header: string): string[] {
  const ranked: { text: string; quality: number; detail: number }[] = [];
  for (const part of header.replace(/[ \t]/g, '').split(',')) {
    if (part === '') continue;
    const at = part.search(/;q=/i);
    const text = at < 0 ? part : part.slice(0, at);
    const quality = at < 0 ? 1 : Number.parseFloat(part.slice(at + 3));
    ranked.push({ text, quality: Number.isNaN(quality) ? 1 : quality, detail: count(text, ';') - count(text, '*') });
  }
  return ranked.sort((a, b) => b.quality - a.quality || b.detail - a.detail).map(({ text }) => text);
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}

function parseMediaType(text: string, depth = 0): MediaType {
  const parts = splitParameters(text);
  const name = (parts[0] ?? '').toLowerCase();
  const standard = STANDARD.get(name);
  if (standard !== undefined) return standard;
  if (name === OPENAPI_3) return { kind: parameter(parts, 'version')?.startsWith('2') ? 'openapi' : 'openapi3' };
  // Text that is no media type at all stays as it is: it matches nothing and is shown as written.
  return vendorType(name, parts, depth) ?? { kind: 'other', name: name.includes('/') ? name : text };
}

function vendorType(name: string, parts: readonly string[], depth: number): MediaType | undefined {
  const match = /^application\/vnd\.(pgrst|svrst)\.(array|object|plan)(?:\+(json|text))?$/.exec(name);
  if (match === null) return undefined;
  const [, brand, kind, format] = match;
  const spelling: VendorSpelling = brand === 'svrst' ? { vendor: 'svrst' } : {};
  if (kind === 'plan') {
    if (depth >= DEEPEST_PLAN) return undefined;
    const wanted = parameter(parts, 'for');
    const options = (parameter(parts, 'options') ?? '').split('|');
    return {
      kind: 'plan',
      format: format === 'json' ? 'json' : 'text',
      for: wanted === undefined ? JSON_TYPE : parseMediaType(wanted, depth + 1),
      options: PLAN_OPTIONS.filter((option) => options.includes(option)),
      ...spelling,
    };
  }
  if (format === 'text') return undefined;
  const nullsStripped = parameter(parts, 'nulls') === 'stripped';
  return { kind: kind === 'array' ? 'array' : 'object', nullsStripped, ...spelling };
}

/** At every `;` outside quotes: a plan's `for` may itself have parameters. */
function splitParameters(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') quoted = !quoted;
    if (text[at] !== ';' || quoted) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  parts.push(text.slice(start));
  return parts;
}

function parameter(parts: readonly string[], name: string): string | undefined {
  for (const part of parts.slice(1)) {
    const equals = part.indexOf('=');
    if (equals < 0 || part.slice(0, equals).toLowerCase() !== name) continue;
    const value = part.slice(equals + 1);
    return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
  }
  return undefined;
}

/** Without charset: for messages, and for the `for` of a plan. */
export function mediaTypeName(type: MediaType): string {
  switch (type.kind) {
    case 'json':
      return 'application/json';
    case 'any':
      return '*/*';
    case 'geojson':
      return 'application/geo+json';
    case 'geojson-seq':
      return 'application/geo+json-seq';
    case 'ndjson':
      return 'application/x-ndjson';
    case 'csv':
      return 'text/csv';
    case 'arrow':
      return 'application/vnd.apache.arrow.stream';
    case 'parquet':
      return 'application/vnd.apache.parquet';
    case 'events':
      return 'text/event-stream';
    case 'openapi':
      return 'application/openapi+json';
    case 'openapi3':
      return `${OPENAPI_3};version=3.1`;
    case 'array':
    case 'object':
      return `${vendorName(type)}+json${type.nullsStripped ? ';nulls=stripped' : ''}`;
    case 'plan': {
      const options = type.options.length > 0 ? `; options=${type.options.join('|')}` : '';
      return `${vendorName(type)}+${type.format}; for="${mediaTypeName(type.for)}"${options}`;
    }
    case 'text':
      return 'text/plain';
    case 'xml':
      return 'text/xml';
    case 'octets':
      return 'application/octet-stream';
    case 'form':
      return 'application/x-www-form-urlencoded';
    case 'other':
      return type.name;
    default:
      return assertNever(type);
  }
}

/** The Content-Type of an answer in this type. */
export function mediaTypeToHeader(type: MediaType): string {
  switch (type.kind) {
    // Whatever a handler for every type makes: only it knows, and says so with a header of its own.
    case 'any':
    case 'octets':
      return 'application/octet-stream';
    case 'other':
      return type.name;
    case 'arrow':
    case 'parquet':
      return mediaTypeName(type);
    case 'array':
      return `${mediaTypeName(type.nullsStripped ? type : JSON_TYPE)}; charset=utf-8`;
    default:
      return `${mediaTypeName(type)}; charset=utf-8`;
  }
}

function vendorName(type: VendorSpelling & { readonly kind: string }): string {
  return `application/vnd.${type.vendor ?? 'pgrst'}.${type.kind}`;
}
