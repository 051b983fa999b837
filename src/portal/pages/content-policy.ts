// What a page of the portal may load and do, as a Content-Security-Policy. Scripts and styles come from our own address only, and
// none stands in the page itself; pictures may also be made by the page (print, previews).

/** Whoever embeds a map or a story puts it into a frame on another site; every other page refuses to stand in one. */
export type Framing = 'own' | 'anywhere';

const COMMON = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  // PDF documents are shown by the browser itself, from bytes whose type the page has set.
  "frame-src 'self' blob:",
  "object-src 'none'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
];

export function contentPolicy(framing: Framing): string {
  return [...COMMON, framing === 'anywhere' ? 'frame-ancestors *' : "frame-ancestors 'self'"].join('; ');
}

export function pageHeaders(framing: Framing): Record<string, string> {
  return {
    'Content-Security-Policy': contentPolicy(framing),
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), payment=(), usb=()',
    // The page names its scripts by their content; it must be asked for anew, they never.
    'Cache-Control': 'no-cache',
  };
}
