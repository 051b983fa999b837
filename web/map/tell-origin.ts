// Other sites are told which portal asks, and not which page of it: OpenStreetMap's servers answer nobody who is silent, and the pages say nothing to
// others by themselves.

import type { RequestParameters } from 'maplibre-gl';

export function tellOrigin(url: string): RequestParameters {
  const isElsewhere = /^https?:/i.test(url) && !url.startsWith(`${window.location.origin}/`);
  return isElsewhere ? { url, referrerPolicy: 'strict-origin' } : { url };
}
