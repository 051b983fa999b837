// Parameters of lists of records (OGC API Records, STAC item search) → a query: `q`, `bbox`, `datetime`, `ids`, `type`, `limit`,
// `offset`. Everything else is refused by name. Pure.

import type { Box } from '../../geo/bbox.ts';
import { isMoment, type When } from '../../geo/cql/cql.ts';
import { queryPairs } from '../../http/query-pairs.ts';
import { parseDecimal } from '../../kernel/decimal.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { MAX_OFFSET, MAX_RECORDS, type RecordQuery } from './record-query.ts';

export type ListParams = ReadonlyMap<string, string>;

const DEFAULT_LIMIT = 10;
const MAX_WORDS = 32;
const MAX_IDS = 1000;

export function wrong(message: string): Result<never, PortalError> {
  return err({ kind: 'invalid-request', messages: [message] });
}

export function readListParams(query: string, known: readonly string[]): Result<ListParams, PortalError> {
  const params = new Map<string, string>();
  for (const [name, value] of queryPairs(query)) {
    if (!known.includes(name))
      return wrong(`The parameter "${name.slice(0, 50)}" is not known here; ${known.join(', ')} are.`);
    params.set(name, value);
  }
  return ok(params);
}

export function toRecordQuery(params: ListParams): Result<RecordQuery, PortalError> {
  const [limit, offset] = [params.get('limit') ?? String(DEFAULT_LIMIT), params.get('offset') ?? '0'];
  if (!/^[1-9]\d{0,8}$/.test(limit)) return wrong('limit is a whole number above 0.');
  if (!/^\d{1,9}$/.test(offset) || Number(offset) > MAX_OFFSET) return wrong('offset is a whole number.');
  const box = parseBox(params.get('bbox'));
  if (!box.ok) return box;
  const when = parseDatetime(params.get('datetime'));
  if (!when.ok) return when;
  const words = (params.get('q') ?? '').split(/[\s,]+/).filter((word) => word !== '');
  if (words.length > MAX_WORDS) return wrong(`A search takes ${MAX_WORDS} words at most.`);
  const ids = params.get('ids');
  const uuids = ids === undefined ? undefined : ids.split(',').map((id) => id.trim().replace(/^urn:uuid:/, ''));
  if (uuids !== undefined && uuids.length > MAX_IDS) return wrong(`${MAX_IDS} ids at a time.`);
  const type = params.get('type');
  return ok({
    words,
    box: box.value,
    when: when.value,
    uuids,
    // What catalogues call a dataset is a layer here.
    types:
      type === undefined ? undefined : type.split(',').map((one) => (one.trim() === 'dataset' ? 'layer' : one.trim())),
    offset: Number(offset),
    limit: Math.min(Number(limit), MAX_RECORDS),
  });
}

/** Four numbers, or six with heights, which records do not have. */
function parseBox(text: string | undefined): Result<Box | undefined, PortalError> {
  if (text === undefined || text === '') return ok(undefined);
  const numbers = text
    .slice(0, 500)
    .split(',')
    .map((one) => parseDecimal(one.trim()) ?? Number.NaN);
  const [west, south, east, north] = numbers.length === 6 ? [0, 1, 3, 4].map((i) => numbers[i]) : numbers;
  const all = [west, south, east, north];
  if (
    (numbers.length !== 4 && numbers.length !== 6) ||
    all.some((one) => one === undefined || Number.isNaN(one) || Math.abs(one) > 1e6) ||
    (south ?? 0) > (north ?? 0)
  )
    return wrong('bbox is west,south,east,north in degrees.');
  return ok([west ?? 0, south ?? 0, east ?? 0, north ?? 0]);
}

export function parseDatetime(text: string | undefined): Result<When | undefined, PortalError> {
  if (text === undefined || text === '') return ok(undefined);
  const parts = text.slice(0, 100).split('/');
  const bad = wrong(
    'datetime is a date or time (2020-01-31, 2020-01-31T12:00:00Z), or two of them with a slash; .. is an open end.',
  );
  const open = (part: string | undefined): string | undefined =>
    part === undefined || part === '' || part === '..' ? undefined : part;
  const bounds = parts.map(open);
  if (parts.length > 2 || bounds.some((bound) => bound !== undefined && !isMoment(bound))) return bad;
  const [from, to] = bounds;
  if (parts.length === 1) return from === undefined ? bad : ok({ kind: 'instant', at: from });
  if (from === undefined && to === undefined) return ok(undefined);
  return ok({ kind: 'interval', from, to });
}

/** Where the next and the last window are. */
export function pageLinks(
  address: string,
  params: ListParams,
  { offset, limit }: Pick<RecordQuery, 'offset' | 'limit'>,
  total: number,
  type: string,
): { rel: string; type: string; title: string; href: string }[] {
  const at = (start: number): string => {
    const query = new URLSearchParams([...params].filter(([name]) => name !== 'offset'));
    if (start > 0) query.set('offset', String(start));
    const text = query.toString();
    return text === '' ? address : `${address}?${text}`;
  };
  return [
    { rel: 'self', type, title: 'This page', href: at(offset) },
    ...(offset + limit < total ? [{ rel: 'next', type, title: 'The next page', href: at(offset + limit) }] : []),
    ...(offset > 0 ? [{ rel: 'prev', type, title: 'The page before', href: at(Math.max(0, offset - limit)) }] : []),
  ];
}
