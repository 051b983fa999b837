// The cursor of keyset pagination: `after=<cursor>` goes on behind the row that it names. In: the texts of that row's order columns.
// Out: one opaque word, signed for the question it belongs to, so that it means nothing to another one.
//
// It opens nothing that a filter would not: its values are parameters, compared under the caller's own rights. The signature is there
// so that a cursor of another order, another filter or another hand is an error and not a wrong page.

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

export type KeyTexts = readonly (string | null)[];

const MAC_BYTES = 16;
/** Of the whole word: it has to fit into a header. */
export const LONGEST_CURSOR = 4096;

/** The same in every copy of the service with these settings, and after every restart. */
export function cursorKey(secrets: readonly (string | undefined)[]): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', JSON.stringify(secrets), '', 'survest keyset cursor', 32));
}

/** `question`: what it belongs to, as text. Undefined: too long to be sent. */
export function sealCursor(texts: KeyTexts, question: string, key: Uint8Array): string | undefined {
  const content = Buffer.from(JSON.stringify(texts));
  if (content.length > LONGEST_CURSOR) return undefined;
  const sealed = Buffer.concat([macOf(content, question, key), content]).toString('base64url');
  return sealed.length > LONGEST_CURSOR ? undefined : sealed;
}

/** Undefined: it was not made for this question, or not by us. */
export function openCursor(cursor: string, question: string, key: Uint8Array): KeyTexts | undefined {
  if (cursor.length > LONGEST_CURSOR) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor) return undefined;
  const content = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(content, question, key))) return undefined;
  return JSON.parse(content.toString('utf8')) as KeyTexts;
}

function macOf(content: Uint8Array, question: string, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(question).update('\0').update(content).digest().subarray(0, MAC_BYTES);
}
