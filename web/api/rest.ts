// The REST service at /rest/v1: rows of layers. It knows tokens and no cookies, so one is fetched for whoever is signed in or has an unlisted link.

import { parseRows } from '../lib/exact-json.ts';
import { isNumber, isRecordOf, isText } from '../lib/guard.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { linkInUse } from '../lib/share-link.ts';
import { sendFor } from './client.ts';
import { type Failure, failureOf } from './failure.ts';

type Token = { readonly access_token: string; readonly expires_in: number };

const isToken = isRecordOf<Token>({ access_token: isText, expires_in: isNumber });

let token: { readonly text: string | undefined; readonly until: number; readonly link: string | undefined } | undefined;
let turn = 0;

/** After signing in or out: also a token that is on its way is somebody else's then. */
export function forgetToken(): void {
  token = undefined;
  turn += 1;
}

export async function bearer(isSignedIn: boolean): Promise<string | undefined> {
  const link = linkInUse();
  if (!isSignedIn && link === undefined) return undefined;
  if (token !== undefined && token.until > Date.now() && token.link === link) return token.text;
  const asked = turn;
  const reply = await sendFor(isToken, 'POST', '/account/token/');
  if (!reply.ok || asked !== turn) return undefined;
  token = { text: reply.value.access_token, until: Date.now() + (reply.value.expires_in - 60) * 1000, link };
  return token.text;
}

export type Rows = { readonly rows: readonly Record<string, unknown>[]; readonly total: number | undefined };

/** `path` is what follows /rest/v1/. */
export const restRows = (path: string, isSignedIn: boolean, signal?: AbortSignal): Promise<Result<Rows, Failure>> =>
  askRows(path, isSignedIn, true, signal);

/** A page by itself, which need not wait for all rows to be counted. */
export const restPage = (path: string, isSignedIn: boolean, signal: AbortSignal): Promise<Result<Rows, Failure>> =>
  askRows(path, isSignedIn, false, signal);

async function askRows(
  path: string,
  isSignedIn: boolean,
  isCounted: boolean,
  signal?: AbortSignal,
): Promise<Result<Rows, Failure>> {
  const text = await bearer(isSignedIn);
  try {
    const reply = await fetch(`/rest/v1/${path}`, {
      headers: {
        Accept: 'application/json',
        ...(isCounted ? { Prefer: 'count=exact' } : {}),
        ...(text === undefined ? {} : { Authorization: `Bearer ${text}` }),
      },
      signal: signal ?? null,
    });
    const body = rowsIn(await reply.text().catch(() => ''));
    signal?.throwIfAborted();
    if (!reply.ok) return err(failureOf(reply.status, body));
    const total = /\/(\d+)$/.exec(reply.headers.get('Content-Range') ?? '')?.[1];
    return ok({ rows: Array.isArray(body) ? body : [], total: total === undefined ? undefined : Number(total) });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return err({ kind: 'offline' });
  }
}

/** Undefined: it is no JSON. */
export function rowsIn(text: string): unknown {
  try {
    return parseRows(text);
  } catch {
    return undefined;
  }
}

/** How many rows of a table there are for who asks; undefined: it could not be found out. */
export const countRows = (table: string, isSignedIn: boolean, signal: AbortSignal): Promise<number | undefined> =>
  restTotal(encodeURIComponent(table), isSignedIn, signal);

/** How many rows are at `path`, which is what follows /rest/v1/; undefined: it could not be found out. */
export async function restTotal(path: string, isSignedIn: boolean, signal: AbortSignal): Promise<number | undefined> {
  const text = await bearer(isSignedIn);
  try {
    const reply = await fetch(`/rest/v1/${path}`, {
      method: 'HEAD',
      headers: { Prefer: 'count=exact', ...(text === undefined ? {} : { Authorization: `Bearer ${text}` }) },
      signal,
    });
    const total = /\/(\d+)$/.exec(reply.headers.get('Content-Range') ?? '')?.[1];
    return reply.ok && total !== undefined ? Number(total) : undefined;
  } catch {
    return undefined;
  }
}

/** A name of a table or column as it stands in addresses of the REST service. */
export function restName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
