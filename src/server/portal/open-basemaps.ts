// Basemaps of a process: which there are, their archives, and the pictures that this program draws of them itself. Their hosts may be asked because the
// operator or an administrator named them; one in a private network only if the settings say that as well.

import type { CallerDb } from '../../auth/caller-db.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { makeRemoteFetch } from '../../http/outbound/remote-fetch.ts';
import type { Observe } from '../../kernel/observation.ts';
import { basemapHosts, makeDrawNamedBasemap } from '../../mapserver/basemaps/basemap-picture.ts';
import { type ArchiveShelf, makeArchiveShelf } from '../../mapserver/basemaps/pmtiles-archive.ts';
import type { DrawNamedBasemap } from '../../mapserver/thumbnails/named-basemap.ts';
import { type BasemapCell, followBasemaps } from '../../portal/basemaps/follow-basemaps.ts';
import type { ServerConfig } from '../config/config.ts';

export type OpenedBasemaps = {
  readonly cell: BasemapCell;
  readonly shelf: ArchiveShelf;
  readonly draw: DrawNamedBasemap;
  close(): void;
};

export async function openBasemaps(parts: {
  readonly db: Pick<CallerDb, 'service'>;
  readonly config: Pick<ServerConfig, 'basemaps' | 'remoteHosts' | 'remoteInternalHosts'>;
  readonly blobs: BlobStore;
  readonly observe: Observe;
}): Promise<OpenedBasemaps> {
  const { db, config, blobs, observe } = parts;
  const cell = await followBasemaps(db, config.basemaps.list);
  const fetch = makeRemoteFetch({
    hosts: {
      get allowed() {
        return [...config.remoteHosts, ...basemapHosts(cell.now())];
      },
      internal: config.remoteInternalHosts,
    },
  });
  const shelf = makeArchiveShelf({ blobs, fetch, now: Date.now });
  const draw = makeDrawNamedBasemap({ basemaps: cell.now, shelf, fetch, observe, now: () => performance.now() });
  return {
    cell,
    shelf,
    draw,
    close: () => {
      cell.close();
      fetch.close();
    },
  };
}
