// The place of the settings that keeps files: a bucket, or a folder of `data-dir`; with the database's ledger of them.

import type { CallerDb } from '../../auth/caller-db.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { openDiskStore } from '../../blobs/disk.ts';
import { openS3Store } from '../../blobs/s3.ts';
import { trimEndOf } from '../../kernel/trim-end.ts';
import { noteBlobs } from '../../portal/uploads/noted-blobs.ts';
import type { ServerConfig } from '../config/config.ts';
import { filesFolder } from '../files-folder.ts';

export async function openBlobStore(config: ServerConfig, db: CallerDb): Promise<BlobStore> {
  return noteBlobs(await openFilePlace(config), db);
}

/** The place alone: for what comes with its ledger, as a backup does. */
export async function openFilePlace(config: ServerConfig): Promise<BlobStore> {
  const { s3Bucket, s3Prefix } = config;
  if (s3Bucket === undefined) return openDiskStore(filesFolder(config.dataDir));
  return openBucket(config, s3Bucket, s3Prefix);
}

/** A bucket at the address and with the keys of the settings. */
export function openBucket(config: ServerConfig, bucket: string, prefix: string | undefined): BlobStore {
  const { s3Region, s3PathStyle, s3AccessKey, s3SecretKey } = config;
  return openS3Store({
    endpoint: config.s3Endpoint ?? `https://s3.${s3Region}.amazonaws.com`,
    bucket,
    region: s3Region,
    accessKey: s3AccessKey ?? '',
    secretKey: s3SecretKey ?? '',
    pathStyle: s3PathStyle,
    ...(prefix === undefined ? {} : { prefix: trimEndOf(prefix.replace(/^\/+/, ''), '/').concat('/') }),
  });
}
