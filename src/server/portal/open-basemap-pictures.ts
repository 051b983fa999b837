// Basemaps of the settings for pictures that this program draws itself. Their hosts may be asked because the operator named them; one in a private
// network only if the settings say that as well.

import type { BlobStore } from '../../blobs/blob-store.ts';
import { makeRemoteFetch } from '../../http/outbound/remote-fetch.ts';
import type { Observe } from '../../kernel/observation.ts';
import { basemapHosts, makeDrawNamedBasemap } from '../../mapserver/basemaps/basemap-picture.ts';
import { type ArchiveShelf, makeArchiveShelf } from '../../mapserver/basemaps/pmtiles-archive.ts';
import type { DrawNamedBasemap } from '../../mapserver/thumbnails/named-basemap.ts';
import type { ServerConfig } from '../config/config.ts';

/** Undefined: there are none. */
export function openBasemapPictures(parts: {
  readonly config: Pick<ServerConfig, 'basemaps' | 'remoteHosts' | 'remoteInternalHosts'>;
  readonly blobs: BlobStore;
  readonly observe: Observe;
  readonly shelf?: ArchiveShelf;
}): DrawNamedBasemap | undefined {
  const { config, blobs, observe, shelf = makeArchiveShelf(blobs, Date.now) } = parts;
  const settings = config.basemaps.list;
  if (settings.length === 0) return undefined;
  const allowed = [...config.remoteHosts, ...basemapHosts(settings)];
  const fetch = makeRemoteFetch({ hosts: { allowed, internal: config.remoteInternalHosts } });
  return makeDrawNamedBasemap({ settings, shelf, fetch, observe, now: () => performance.now() });
}
