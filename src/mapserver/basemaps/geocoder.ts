// Place search by a service that speaks Nominatim's form (`/search?format=jsonv2`), asked by the server, so that the pages need no other
// address. What it does not answer in time, or in this form, is as if it had found nothing.

import type { FoundPlace } from './find-places.ts';

export type Geocoder = (query: string, language: string) => Promise<readonly FoundPlace[]>;

const PATIENCE_MS = 5000;
const MAX_BYTES = 1_000_000;
const MAX = 10;

/** `address`: without a slash at its end. */
export function makeGeocoder(address: string): Geocoder {
  return async (query, language) => {
    const params = new URLSearchParams({
      format: 'jsonv2',
      limit: String(MAX),
      q: query,
      'accept-language': language,
    });
    try {
      const reply = await fetch(`${address}/search?${params}`, {
        signal: AbortSignal.timeout(PATIENCE_MS),
        redirect: 'error',
        headers: { Accept: 'application/json', 'User-Agent': 'Survest' },
      });
      return reply.ok ? parsePlaces(JSON.parse(await boundedText(reply))) : [];
    } catch {
      return [];
    }
  };
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
