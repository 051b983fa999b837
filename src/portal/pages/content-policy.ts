// What a page of the portal may load and do, as a Content-Security-Policy. Scripts and styles come from our own address only, and
// none stands in the page itself; pictures may also be made by the page (print, previews). Basemaps, and frames within stories, may come
// from the sites that the settings name, and from no other.

/** Whoever embeds a map or a story puts it into a frame on another site; every other page refuses to stand in one. */
export type Framing = 'own' | 'anywhere';

const ALWAYS = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "media-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
];

/** Other sites from which the pages load: `https://tiles.example.org`; each of them checked by the settings. */
export type Sites = {
  /** Of basemaps. */
  readonly basemaps: readonly string[];
  /** Of pages within stories. */
  readonly frames: readonly string[];
};

export const NO_SITES: Sites = { basemaps: [], frames: [] };

export function contentPolicy(framing: Framing, { basemaps, frames }: Sites = NO_SITES): string {
  const listed = (origins: readonly string[]): string => origins.map((origin) => ` ${origin}`).join('');
  return [
    ...ALWAYS,
    // PDF documents are shown by the browser itself, from bytes whose type the page has set.
    `frame-src 'self' blob:${listed(frames)}`,
    `img-src 'self' data: blob:${listed(basemaps)}`,
    `connect-src 'self'${listed(basemaps)}`,
    framing === 'anywhere' ? 'frame-ancestors *' : "frame-ancestors 'self'",
  ].join('; ');
}

export function pageHeaders(framing: Framing, sites: Sites): Record<string, string> {
  return {
    'Content-Security-Policy': contentPolicy(framing, sites),
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), payment=(), usb=()',
    // The page names its scripts by their content; it must be asked for anew, they never.
    'Cache-Control': 'no-cache',
  };
}
