// Base64url as tokens and keys write it: no padding, no stray bits, one text for one sequence of bytes.

import { trimEndOf } from '../kernel/trim-end.ts';

/** The bytes, or undefined when the text is not the one way to write them. */
export function decodeBase64Url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Base64 or base64url, padded (with `=` or `.`) or not: the forms a configured secret comes in. */
export function decodeAnyBase64(text: string): Buffer | undefined {
  const plain = text.trim().replaceAll('-', '+').replaceAll('_', '/').replaceAll('.', '=');
  if (!BASE64.test(plain)) return undefined;
  const digits = trimEndOf(plain, '=').length;
  if (digits % 4 === 1 || (digits < plain.length && plain.length % 4 !== 0)) return undefined;
  return Buffer.from(plain, 'base64');
}
