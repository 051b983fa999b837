// Stage 5: what was found → the reply. Everything that depends on the shape alone was settled when the shape was planned
// (`ReplyShape`); here only numbers, bytes and the database's own response settings are added.

import { isBodiless } from '../../http/header-text.ts';
import type { HttpReply } from '../../http/http-message.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { RunError } from '../errors/run-error.ts';
import type { QueryPlan } from '../plan/plan.ts';
import type { After, ApiRequest } from '../request/api-request.ts';
import type { Found } from '../run/decode.ts';
import type { Outcome } from '../run/run.ts';
import { contentRange, pageStatus } from './content-range.ts';
import { location } from './location.ts';
import { nextLink, pageLinks } from './page-links.ts';
import { type Header, overrideHeaders, parseResponseSettings } from './response-settings.ts';

/** The part of a reply that every request of a shape shares. */
export type ReplyShape = {
  readonly plan: QueryPlan;
  /** Content-Type, Content-Profile, Preference-Applied, Vary… */
  readonly headers: readonly Header[];
  readonly headOnly: boolean;
};

export function makeReply(request: ApiRequest, shape: ReplyShape, outcome: Outcome): Result<HttpReply, RunError> {
  const { found } = outcome;
  const settings = parseResponseSettings(found.headers, found.status);
  if (!settings.ok) return settings;
  const parts = outcome.stream === undefined ? partsOf(request, shape, outcome) : streamParts(request, shape, outcome);
  if (!parts.ok) return parts;
  const { range } = parts.value;
  const status = settings.value.status ?? parts.value.status;
  // A status that the database set may be one that has no body.
  const body = isBodiless(status) ? undefined : parts.value.body;
  const headers: [string, string][] = [];
  const add = (name: string, value: string): void => {
    headers.push([name, value]);
  };
  for (const [name, value] of shape.headers) if (body !== undefined || !BODY_HEADERS.has(name)) add(name, value);
  if (range !== undefined) {
    add('Content-Range', range);
    add('Range-Unit', 'items');
  }
  const address = shape.plan.kind === 'read' ? contentLocation(request) : undefined;
  if (address !== undefined) add('Content-Location', address);
  const links = parts.value.links;
  if (links !== undefined) add('Link', links);
  if (parts.value.cursor !== undefined) add('Next-Cursor', parts.value.cursor);
  if (shape.plan.kind === 'mutate' && shape.plan.locate !== undefined && found.location !== undefined) {
    add('Location', location(shape.plan.change.table.name, shape.plan.locate, found.location));
  }
  if (outcome.stream !== undefined) {
    const { stream } = outcome;
    const all = overrideHeaders(headers, settings.value.headers);
    // A status that the database set may be one that has no body.
    if (isBodiless(status)) stream.destroy();
    return ok({ status, headers: all, ...(isBodiless(status) ? {} : { stream }) });
  }
  const sends = body !== undefined && !shape.headOnly;
  if (!shape.headOnly && !isBodiless(status)) add('Content-Length', String(sends ? body.length : 0));
  return ok({
    status,
    headers: settings.value.headers.length === 0 ? headers : overrideHeaders(headers, settings.value.headers),
    ...(sends ? { body } : {}),
    ...(sends && found.onSent !== undefined ? { onSent: found.onSent } : {}),
  });
}

const BODY_HEADERS: ReadonlySet<string> = new Set(['Content-Type', 'Content-Profile']);

type ReplyParts = {
  readonly status: number;
  readonly body: Buffer | undefined;
  readonly range: string | undefined;
  readonly links?: string | undefined;
  /** Of the keyset page behind this one. */
  readonly cursor?: string | undefined;
};

function partsOf(
  request: ApiRequest,
  { plan }: ReplyShape,
  { found, estimate }: Outcome,
): Result<ReplyParts, RunError> {
  if (plan.media.explain !== undefined) return ok({ status: 200, body: found.body, range: undefined });
  switch (plan.kind) {
    case 'read':
    case 'call': {
      const { offset } = request.window;
      const total = totalOf(plan.count, found.total, estimate);
      if (total !== undefined && offset > total) return err({ kind: 'offset-beyond-total', offset, total });
      if (plan.tree.seek !== undefined && request.query.after !== undefined)
        return seekParts(request, request.query.after, found, { rows: found.page, total });
      const range = contentRange({ offset, rows: found.page, total });
      if (plan.kind === 'call' && plan.routine.returns.shape.kind === 'void')
        return ok({ status: 204, body: undefined, range });
      const links = hasAddress(request) ? pageLinks(request, found.page, total) : undefined;
      return ok({ status: pageStatus(found.page, total), body: found.body, range, links });
    }
    case 'mutate':
      return ok(writeParts(request, plan, found.page, found.inserted, found.body));
    default:
      return assertNever(plan);
  }
}

/** A page whose rows have only begun to come. How many there are is known where all that match were counted. */
function streamParts(
  request: ApiRequest,
  { plan }: ReplyShape,
  { found, estimate }: Outcome,
): Result<ReplyParts, RunError> {
  if (plan.kind === 'mutate') throw new Error('a write is not streamed');
  const { offset } = request.window;
  const total = totalOf(plan.count, found.total, estimate);
  const most = plan.tree.window.limit ?? Number.POSITIVE_INFINITY;
  if (plan.tree.seek !== undefined && request.query.after !== undefined)
    return seekParts(request, request.query.after, found, { rows: found.last === undefined ? undefined : most, total });
  const rows = plan.count.kind === 'exact' && total !== undefined ? Math.min(most, total - offset) : undefined;
  const range = rows === undefined ? `${offset}-*/${total ?? '*'}` : contentRange({ offset, rows, total });
  const links = rows !== undefined && hasAddress(request) ? pageLinks(request, rows, total) : undefined;
  return ok({ status: pageStatus(rows ?? most, total), body: found.body, range, links });
}

/** A keyset page knows the page behind it, and not how many rows are before it. `rows`: of the page; undefined: not known yet, and fewer than fill it. */
function seekParts(
  request: ApiRequest,
  after: After,
  found: Found,
  { rows, total }: { readonly rows: number | undefined; readonly total: number | undefined },
): Result<ReplyParts, RunError> {
  const { last, body } = found;
  const isFirst = after.behind === undefined;
  const fromFirst = rows === undefined ? `0-*/${total ?? '*'}` : contentRange({ offset: 0, rows, total });
  const range = isFirst ? fromFirst : `*/${total ?? '*'}`;
  // Of rows that are still coming and do not fill the first page, there are no others.
  const status = pageStatus(rows ?? (isFirst ? Number.POSITIVE_INFINITY : 0), total);
  const parts = { status, body, range };
  if (last === undefined) return ok(parts);
  const cursor = after.seal(last);
  if (cursor === undefined) return err({ kind: 'cursor-too-long' });
  return ok({ ...parts, cursor, links: hasAddress(request) ? nextLink(request, cursor) : undefined });
}

/** Only what can be asked for by GET can be asked for again by following a link. */
function hasAddress(request: ApiRequest): boolean {
  const { action } = request;
  const isRead = action.kind === 'read' || (action.kind === 'call' && action.by !== 'post');
  return isRead && (!request.byBody || contentLocation(request) !== undefined);
}

function totalOf(
  count: Extract<QueryPlan, { kind: 'read' }>['count'],
  counted: number | undefined,
  estimate: number | undefined,
): number | undefined {
  switch (count.kind) {
    case 'planned':
      return estimate;
    case 'estimated':
      // Within the threshold the count is exact; past it, it only says that there are more.
      return counted === undefined || estimate === undefined || (count.upTo !== undefined && counted <= count.upTo)
        ? counted
        : Math.max(counted, estimate);
    default:
      return counted;
  }
}

function writeParts(
  { preferences, action }: ApiRequest,
  plan: Extract<QueryPlan, { kind: 'mutate' }>,
  rows: number,
  inserted: number | undefined,
  body: Buffer,
): ReplyParts {
  const shown = plan.tree === undefined ? undefined : body;
  const total = preferences.count === 'exact' || preferences.count === 'estimated' ? rows : undefined;
  const affected = `*/${total ?? '*'}`;
  switch (plan.change.kind) {
    case 'nested':
    case 'insert': {
      const created = inserted === undefined || inserted > 0 ? 201 : 200;
      const status = action.kind === 'upsert-one' && shown === undefined ? 204 : created;
      return { status, body: shown, range: affected };
    }
    case 'update':
    case 'update-each':
    case 'merge':
    case 'json-patch':
      return { status: shown === undefined ? 204 : 200, body: shown, range: contentRange({ offset: 0, rows, total }) };
    case 'delete':
      return { status: shown === undefined ? 204 : 200, body: shown, range: affected };
    default:
      return assertNever(plan.change);
  }
}

/** What was asked for by a body may be too long for an address; it has none then. */
const LONGEST_ADDRESS = 4096;

function contentLocation({ path, query, byBody }: ApiRequest): string | undefined {
  const canonical = query.canonical();
  const address = canonical === '' ? path : `${path}?${canonical}`;
  return byBody && address.length > LONGEST_ADDRESS ? undefined : address;
}
