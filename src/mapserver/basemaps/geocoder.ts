// Addresses → places by a service that speaks Nominatim's form (`/search?format=jsonv2`), asked by the server, so that the pages need no other
// address. The address is the operator's own setting; an answer that leads elsewhere is none.

import { makeRateLimiter } from '../../http/rate-limiter.ts';
import { makeByteCache } from '../../kernel/byte-cache.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { FoundPlace } from './find-places.ts';

/** Undefined: it was not asked, or did not answer in time or in this form. */
export type Geocoder = (query: string, language: string) => Promise<readonly FoundPlace[] | undefined>;

/** Why there is no answer. */
export type GeocoderFault =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'timeout' }
  /** It cannot be reached, or does not answer in this form. */
  | { readonly kind: 'unreachable' };

export type AskGeocoder = (query: string, language?: string) => Promise<Result<readonly FoundPlace[], GeocoderFault>>;

const PATIENCE_MS = 5000;
const MAX_BYTES = 1_000_000;
const MAX = 10;
const ANSWER_BYTES = 4 * 1024 * 1024;
const KEPT_MS = 24 * 60 * 60 * 1000;

/** `address`: without a slash at its end. */
export function askGeocoder(address: string, timeoutMs: number = PATIENCE_MS): AskGeocoder {
  return async (query, language) => {
    const params = new URLSearchParams({ format: 'jsonv2', limit: String(MAX), q: query });
    if (language !== undefined) params.set('accept-language', language);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const reply = await fetch(`${address}/search?${params}`, {
        signal,
        redirect: 'error',
        headers: { Accept: 'application/json', 'User-Agent': 'Survest' },
      });
      if (!reply.ok) {
        await reply.body?.cancel();
        return err({ kind: 'status', status: reply.status, retryAfterMs: msOf(reply.headers.get('retry-after')) });
      }
      const answer: unknown = JSON.parse(await boundedText(reply));
      return Array.isArray(answer) ? ok(parsePlaces(answer)) : err({ kind: 'unreachable' });
    } catch {
      return err({ kind: signal.aborted ? 'timeout' : 'unreachable' });
    }
  };
}

/**
 * For a search as somebody types, which is open to everybody: answers are kept for a while, and beyond `perSecond` nobody waits, for the packaged
 * names are there.
 */
export function makeGeocoder(address: string, perSecond: number, now: () => number): Geocoder {
  const ask = askGeocoder(address);
  const limiter = makeRateLimiter(1);
  const answers = makeByteCache<{ readonly places: readonly FoundPlace[]; readonly atMs: number }>(ANSWER_BYTES);
  return async (query, language) => {
    const key = `${language} ${query.trim().toLowerCase()}`;
    const kept = answers.get(key);
    if (kept !== undefined && now() - kept.atMs < KEPT_MS) return kept.places;
    if (limiter.take('all', { requests: perSecond, perSeconds: 1 }, now()) > 0) return undefined;
    const found = await ask(query, language);
    if (!found.ok) return undefined;
    answers.set(key, { places: found.value, atMs: now() }, JSON.stringify(found.value).length);
    return found.value;
  };
}

/** `Retry-After: 20`; a date is as if nothing were said. */
function msOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}

async function boundedText(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of reply.body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function parsePlaces(answer: unknown): readonly FoundPlace[] {
  if (!Array.isArray(answer)) return [];
  return answer.slice(0, MAX).flatMap((one: unknown): readonly FoundPlace[] => {
    if (typeof one !== 'object' || one === null) return [];
    const { display_name: name, lat, lon } = one as Readonly<Record<string, unknown>>;
    const [x, y] = [Number(lon ?? Number.NaN), Number(lat ?? Number.NaN)];
    if (typeof name !== 'string' || name === '' || !(Math.abs(x) <= 180) || !(Math.abs(y) <= 90)) return [];
    // An address is looked at from near by.
    return [{ name: name.slice(0, 300), country: 'address', lon: x, lat: y, people: null }];
  });
}
