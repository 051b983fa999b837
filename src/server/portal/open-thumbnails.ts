// Thumbnails of a process that works: drawn as the service sees the catalogue, whenever something on them has changed.

import type { CallerDb } from '../../auth/caller-db.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { makeRemoteFetch, type RemoteFetch } from '../../http/outbound/remote-fetch.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { errorText } from '../../kernel/error-text.ts';
import type { Observe } from '../../kernel/observation.ts';
import { makeMapRenderer } from '../../mapserver/pictures/map-renderer.ts';
import { makeReadFile } from '../../mapserver/raster/blob-source.ts';
import { makeRasterReader } from '../../mapserver/raster/make-raster-reader.ts';
import { makeCrsRegistry } from '../../mapserver/render/crs-registry.ts';
import { pieceOf } from '../../mapserver/summary/piece.ts';
import type { DrawNamedBasemap } from '../../mapserver/thumbnails/named-basemap.ts';
import { startThumbnails, type ThumbnailJobParts } from '../../mapserver/thumbnails/thumbnail-job.ts';
import type { Driver } from '../../pg/driver.ts';
import { makeLayerAccess } from '../../portal/layers/layer-access.ts';
import { makeDrawRemote } from '../../portal/remote-services/remote-picture.ts';
import { makeThumbnailStore } from '../../portal/thumbnails/thumbnail-store.ts';
import type { ServerConfig } from '../config/config.ts';
import type { OpenedBasemaps } from './open-basemaps.ts';

export function thumbnailParts(
  db: CallerDb,
  blobs: BlobStore,
  observe: Observe,
  onError: (error: unknown) => void,
  remote?: RemoteFetch,
  drawNamedBasemap?: DrawNamedBasemap,
): ThumbnailJobParts {
  const store = makeThumbnailStore(db);
  const crs = makeCrsRegistry(db);
  const layers = makeLayerAccess(store.serviceDb);
  const readFile = makeReadFile(blobs);
  const piece = pieceOf(db.driver);
  const { draw } = makeRasterReader(readFile, crs, observe);
  const renderer = makeMapRenderer({ layers, crs, source: { db: store.serviceDb, readFile, observe, piece } });
  const drawRemote = remote === undefined ? undefined : makeDrawRemote(remote);
  return { store, layers, renderer, crs, drawRaster: draw, piece, drawRemote, drawNamedBasemap, blobs, onError };
}

export function openThumbnails(parts: {
  readonly db: CallerDb;
  readonly driver: Driver;
  readonly blobs: BlobStore;
  readonly jobs: Jobs;
  readonly observe: Observe;
  readonly config: Pick<ServerConfig, 'remoteHosts' | 'remoteInternalHosts'>;
  readonly basemaps: OpenedBasemaps;
}): Promise<{ stop(): Promise<void> }> {
  const { db, driver, blobs, jobs, observe, config, basemaps } = parts;
  const remote = makeRemoteFetch({ hosts: { allowed: config.remoteHosts, internal: config.remoteInternalHosts } });
  const onError = (error: unknown): void => observe({ kind: 'job-failed', message: errorText(error) });
  return startThumbnails({
    ...thumbnailParts(db, blobs, observe, onError, remote, basemaps.draw),
    jobs,
    driver,
  });
}
