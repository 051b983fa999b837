// Other sites are told which portal asks, and not which page of it: OpenStreetMap's servers answer nobody who is silent, and the pages say nothing to
// others by themselves. The portal's own tiles are asked for with the unlisted link that the page was opened with.

import type { RequestParameters } from 'maplibre-gl';
import { withLink } from '../lib/share-link.ts';

export function tellOrigin(url: string): RequestParameters {
  const isElsewhere = /^https?:/i.test(url) && !url.startsWith(`${window.location.origin}/`);
  return isElsewhere ? { url, referrerPolicy: 'strict-origin' } : { url: withLink(url) };
}
