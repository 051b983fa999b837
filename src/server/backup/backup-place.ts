// Where backups are: a path or an address on the command line → a tar file, or a store of many (a folder, or `s3://bucket/prefix` with the
// address and the keys of the settings).

import { stat } from 'node:fs/promises';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { openDiskStore } from '../../blobs/disk.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ServerConfig } from '../config/config.ts';
import { openBucket } from '../portal/open-blob-store.ts';
import type { ArchiveReader, Failed } from './archive.ts';
import { openStoredBackup } from './store-archive.ts';
import { openTarArchive } from './tar-archive.ts';

const S3 = 's3://';

/** Made where it is not there. */
export async function openStore(place: string, config: ServerConfig): Promise<Result<BlobStore, Failed>> {
  if (place.startsWith(S3)) {
    const [bucket = '', ...prefix] = place.slice(S3.length).split('/');
    if (config.s3AccessKey === undefined || config.s3SecretKey === undefined)
      return err({ message: `${place} needs s3-access-key and s3-secret-key` });
    return ok(openBucket(config, bucket, prefix.join('/') === '' ? undefined : prefix.join('/')));
  }
  try {
    return ok(await openDiskStore(place));
  } catch (cause) {
    return err({ message: `"${place}" cannot be used: ${cause instanceof Error ? cause.message : String(cause)}` });
  }
}

/** @param name of one of many; absent: the newest */
export async function openBackup(
  place: string,
  name: string | undefined,
  config: ServerConfig,
): Promise<Result<ArchiveReader, Failed>> {
  if (!place.startsWith(S3)) {
    const found = await stat(place).catch(() => undefined);
    if (found === undefined) return err({ message: `there is no file or folder "${place}"` });
    if (!found.isDirectory()) {
      if (name !== undefined) return err({ message: `--backup is for folders and buckets; "${place}" is one backup` });
      return openTarArchive(place);
    }
  }
  const store = await openStore(place, config);
  return store.ok ? openStoredBackup(store.value, place, name) : store;
}
