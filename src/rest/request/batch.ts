// The body of a batch: a list of requests, each with method, path, headers and body. In: the bytes. Out: the requests with their references
// taken out and checked, or what is wrong with the list. Bodies stay the bytes that came.

import { err, ok, type Result } from '../../kernel/result.ts';
import { type Reference, type Span, spansOfBody, takeFromAddress } from './batch-reference.ts';
import { scanJson } from './json-scan.ts';
import { elementsOf, kindOf, membersOf, type Slice, stringOf } from './json-slices.ts';
import { parseContentType } from './media-type.ts';
import type { RequestError } from './request-error.ts';

export type BatchItem = {
  readonly id: string | undefined;
  readonly method: string;
  readonly path: string;
  /** Stand-ins in the place of references. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly inAddress: readonly Reference[];
  readonly inBody: readonly Span[];
  /** By place, from 0, of all requests it refers to. */
  readonly needs: ReadonlySet<number>;
};

const KEYS: ReadonlySet<string> = new Set(['id', 'method', 'path', 'headers', 'body']);
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']);
/** What a request may say for itself. Who asks, and from where, is said once. */
const HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-profile',
  'content-profile',
  'content-type',
  'prefer',
  'range',
  'range-unit',
]);
const ID = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const PRINTABLE = /^[\x20-\x7e]*$/;
const LONGEST_PATH = 65_536;

const NOTHING = new Uint8Array();

export type BatchRules = {
  readonly maxRequests: number;
  /** A text that stands for reference `index` of request `place`. */
  readonly standIn: (place: number, index: number) => string;
};

export function parseBatch(bytes: Uint8Array, rules: BatchRules): Result<readonly BatchItem[], RequestError> {
  const scan = scanJson(bytes);
  if (scan.kind === 'invalid') return err({ kind: 'body-invalid', problem: { kind: 'json-invalid' } });
  if (scan.kind === 'too-deep') return bad(undefined, 'is nested too deeply');
  const start = bytes.findIndex((byte) => byte > 0x20);
  if (kindOf(bytes, { start, end: start }) !== 'array') return bad(undefined, 'is not a list of requests');
  const items: BatchItem[] = [];
  const places = new Map<string, number>();
  for (const slice of elementsOf(bytes, start)) {
    if (items.length === rules.maxRequests)
      return bad(undefined, `has more than ${rules.maxRequests} requests, which server-batch-size allows`);
    const item = parseItem(bytes, slice, items.length, places, rules);
    if (!item.ok) return item;
    if (item.value.id !== undefined) places.set(item.value.id, items.length);
    items.push(item.value);
  }
  return items.length === 0 ? bad(undefined, 'has no request') : ok(items);
}

function bad(place: number | undefined, why: string): Result<never, RequestError> {
  return err({ kind: 'batch-invalid', place: place === undefined ? undefined : place + 1, why });
}

function parseItem(
  bytes: Uint8Array,
  slice: Slice,
  place: number,
  places: ReadonlyMap<string, number>,
  rules: BatchRules,
): Result<BatchItem, RequestError> {
  if (kindOf(bytes, slice) !== 'object') return bad(place, 'is not an object');
  const members = new Map<string, Slice>();
  for (const member of membersOf(bytes, slice.start)) {
    if (!KEYS.has(member.key))
      return bad(place, `has the member '${member.key.slice(0, 100)}'; known are ${[...KEYS].join(', ')}`);
    members.set(member.key, member);
  }
  const text = (key: string): string | undefined => {
    const found = members.get(key);
    return found !== undefined && kindOf(bytes, found) === 'string' ? stringOf(bytes, found) : undefined;
  };
  const id = text('id');
  if (members.has('id') && (id === undefined || !ID.test(id)))
    return bad(place, "has an id that is not a name: a letter or '_', then letters, digits, '_' and '-', 64 at most");
  if (id !== undefined && places.has(id)) return bad(place, `has the id '${id}', as another one before it`);
  const method = members.has('method') ? text('method') : 'GET';
  if (method === undefined || !METHODS.has(method))
    return bad(place, `has a method other than ${[...METHODS].join(', ')}`);
  const path = text('path');
  if (path === undefined || !path.startsWith('/')) return bad(place, "has no path that begins with '/'");
  if (path.length > LONGEST_PATH) return bad(place, `has a path of more than ${LONGEST_PATH} characters`);
  const headers = parseHeaders(bytes, members.get('headers'), place);
  if (!headers.ok) return headers;
  const taken = takeFromAddress(encodeBeyondAscii(path), (index) => rules.standIn(place, index));
  if ('misread' in taken)
    return err({ kind: 'batch-reference', place: place + 1, reference: taken.misread, why: 'form' });
  const body = bodyOf(bytes, members.get('body'), headers.value['content-type']);
  const spans = body.isJson ? spansOfBody(body.bytes) : [];
  if ('misread' in spans)
    return err({ kind: 'batch-reference', place: place + 1, reference: spans.misread, why: 'form' });
  const inBody = spans.flatMap(({ by }) => ('reference' in by ? [by.reference] : []));
  const needs = new Set<number>();
  for (const reference of [...taken.references, ...inBody]) {
    const of = places.get(reference.of) ?? (/^[1-9]\d{0,8}$/.test(reference.of) ? Number(reference.of) - 1 : -1);
    if (of < 0 || of >= place)
      return err({
        kind: 'batch-reference',
        place: place + 1,
        reference: reference.text,
        why: of < 0 ? 'unknown' : 'later',
      });
    needs.add(of);
  }
  const mark = taken.address.indexOf('?');
  return ok({
    id,
    method,
    path: mark < 0 ? taken.address : taken.address.slice(0, mark),
    query: mark < 0 ? '' : taken.address.slice(mark + 1),
    headers: headers.value,
    body: body.bytes,
    inAddress: taken.references,
    inBody: spans,
    needs,
  });
}

/** As an address would have it on the wire. */
function encodeBeyondAscii(path: string): string {
  return path.replace(/[^\x21-\x7e]/gu, (char) => encodeURIComponent(Buffer.from(char).toString()));
}

function parseHeaders(
  bytes: Uint8Array,
  slice: Slice | undefined,
  place: number,
): Result<Readonly<Record<string, string>>, RequestError> {
  if (slice === undefined) return ok({});
  if (kindOf(bytes, slice) !== 'object') return bad(place, 'has headers that are no object');
  const headers: Record<string, string> = {};
  for (const member of membersOf(bytes, slice.start)) {
    const name = member.key.toLowerCase();
    if (!HEADERS.has(name))
      return bad(
        place,
        `has the header '${member.key.slice(0, 100)}'; a request of a batch may have ${[...HEADERS].join(', ')}`,
      );
    const value = kindOf(bytes, member) === 'string' ? stringOf(bytes, member) : undefined;
    if (value === undefined || !PRINTABLE.test(value))
      return bad(place, `has a header '${name}' that is no plain text`);
    headers[name] = value;
  }
  return ok(headers);
}

/** JSON as it stands; text of any other type is in a string. */
function bodyOf(
  bytes: Uint8Array,
  slice: Slice | undefined,
  contentType: string | undefined,
): { readonly bytes: Uint8Array; readonly isJson: boolean } {
  if (slice === undefined) return { bytes: NOTHING, isJson: false };
  const { kind } = parseContentType(contentType);
  const isText = kind === 'csv' || kind === 'form' || kind === 'text' || kind === 'xml' || kind === 'octets';
  if (isText && kindOf(bytes, slice) === 'string') return { bytes: Buffer.from(stringOf(bytes, slice)), isJson: false };
  return { bytes: bytes.slice(slice.start, slice.end), isJson: true };
}

/** Requests by their ids. */
export function placesOf(items: readonly BatchItem[]): ReadonlyMap<string, number> {
  return new Map(items.flatMap(({ id }, place) => (id === undefined ? [] : [[id, place] as const])));
}

/** The place of the request that a reference means; that there is one was checked. */
export function placeOf(reference: Reference, places: ReadonlyMap<string, number>): number {
  return places.get(reference.of) ?? Number(reference.of) - 1;
}
