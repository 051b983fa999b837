// The place of the settings that keeps files: a bucket, or a folder of `data-dir`; with the database's ledger of them.

import { join } from 'node:path';
import type { CallerDb } from '../auth/caller-db.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { openDiskStore } from '../blobs/disk.ts';
import { openS3Store } from '../blobs/s3.ts';
import { trimEndOf } from '../kernel/trim-end.ts';
import { noteBlobs } from '../portal/uploads/noted-blobs.ts';
import type { ServerConfig } from './config.ts';

export async function openBlobStore(config: ServerConfig, db: CallerDb): Promise<BlobStore> {
  return noteBlobs(await openPlace(config), db);
}

async function openPlace(config: ServerConfig): Promise<BlobStore> {
  const { s3Bucket, s3Region, s3Prefix, s3PathStyle, s3AccessKey, s3SecretKey } = config;
  if (s3Bucket === undefined) return openDiskStore(join(config.dataDir, 'files'));
  return openS3Store({
    endpoint: config.s3Endpoint ?? `https://s3.${s3Region}.amazonaws.com`,
    bucket: s3Bucket,
    region: s3Region,
    accessKey: s3AccessKey ?? '',
    secretKey: s3SecretKey ?? '',
    pathStyle: s3PathStyle,
    ...(s3Prefix === undefined ? {} : { prefix: trimEndOf(s3Prefix.replace(/^\/+/, ''), '/').concat('/') }),
  });
}
