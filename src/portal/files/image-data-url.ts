// A picture inside a text: `data:image/png;base64,…` → its bytes and what they really are.

import { sniff } from './sniff.ts';

export type Picture = { readonly bytes: Buffer; readonly mime: string };

const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Undefined: not such a text, or not such a picture. */
export function pictureOf(text: string): Picture | undefined {
  const found = /^data:image\/[a-z]+;base64,([A-Za-z0-9+/=]+)$/i.exec(text);
  if (found === null) return undefined;
  const bytes = Buffer.from(found[1] ?? '', 'base64');
  const mime = sniff(bytes);
  return mime !== undefined && IMAGES.has(mime) ? { bytes, mime } : undefined;
}
