// Header names as the world spells them: `content-type` → `Content-Type`, `etag` → `ETag`. By the standard case means nothing, but
// clients exist that look for the usual spelling (QGIS does, in answers to GetFeatureInfo). Pure.

/** Those that are more than words beginning with a capital. */
const UNUSUAL: readonly string[] = [
  'Content-MD5',
  'DNT',
  'ETag',
  'Expect-CT',
  'NEL',
  'Sec-WebSocket-Accept',
  'SourceMap',
  'TE',
  'WWW-Authenticate',
  'X-DNS-Prefetch-Control',
  'X-UA-Compatible',
  'X-XSS-Protection',
];

/** The same few again and again; a bound, because names can come from outside. */
const MAX_KEPT = 1000;
const kept = new Map<string, string>(UNUSUAL.map((name) => [name.toLowerCase(), name]));

/** A name that has a capital already is as its author wants it. */
export function spellHeaderName(name: string): string {
  const known = kept.get(name);
  if (known !== undefined) return known;
  const spelled =
    name === name.toLowerCase() ? name.replace(/(?:^|-)[a-z]/g, (initial) => initial.toUpperCase()) : name;
  if (kept.size < MAX_KEPT) kept.set(name, spelled);
  return spelled;
}
