// Draws the thumbnails that are due, a few at a time. It is a job: whichever copy of the program is free does it, and what was not
// finished is still due.

import { type BlobStore, makeBlobKey } from '../../blobs/blob-store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { DISK_FAULTS } from '../../kernel/disk-fault.ts';
import type { DueThumbnail } from '../../layer-ports/thumbnail-store.ts';
import type { Driver, Listener } from '../../pg/driver.ts';
import { mayBeCommitted } from '../../pg/may-be-committed.ts';
import { renderRemote, renderThumbnail, type ThumbnailParts } from './render-thumbnail.ts';
import { shrinkPicture } from './shrink-picture.ts';

const THUMBNAIL_QUEUE = 'thumbnails';
/** Where the catalogue tells of changes. */
const CHANNEL = 'survest_thumbnails';
const QUEUE_OPTIONS = { workers: 1, retryLimit: 2, retryDelaySeconds: 5, expireInSeconds: 300 } as const;
const BATCH = 10;
/** Changes come in bursts; and somebody looks after what no message came for. */
const PAUSE_SECONDS = 2;
const LOOK_SECONDS = 60;

export type ThumbnailJobParts = ThumbnailParts & {
  readonly blobs: BlobStore;
  readonly onError: (error: unknown) => void;
};

export async function startThumbnails(
  parts: ThumbnailJobParts & { readonly jobs: Jobs; readonly driver: Driver },
): Promise<{ stop(): Promise<void> }> {
  const { jobs, driver, onError } = parts;
  await jobs.work(THUMBNAIL_QUEUE, QUEUE_OPTIONS, async ({ signal }) => {
    while (!signal.aborted && (await drawDue(parts, BATCH)) > 0);
  });
  jobs.every(THUMBNAIL_QUEUE, LOOK_SECONDS);
  let waiting: NodeJS.Timeout | undefined;
  const listener: Listener = driver.listen(CHANNEL, ({ kind }) => {
    // When the line is there, too: nobody knows what was said before.
    if (kind === 'lost' || waiting !== undefined) return;
    waiting = setTimeout(() => {
      waiting = undefined;
      jobs.send(THUMBNAIL_QUEUE, {}).catch(onError);
    }, PAUSE_SECONDS * 1000);
    waiting.unref();
  });
  return {
    async stop() {
      clearTimeout(waiting);
      await listener.close();
    },
  };
}

class Away extends Error {}

/** Draws at most so many; how many there were. */
export async function drawDue(parts: ThumbnailJobParts, most: number): Promise<number> {
  const due = await parts.store.due(most);
  if (!due.ok) throw new Error(`thumbnails cannot be asked for: ${JSON.stringify(due.error)}`);
  for (const one of due.value) {
    try {
      await drawOne(parts, one);
    } catch (error) {
      // A database that is away says nothing about the picture: it stays due.
      if (error instanceof Away) throw error;
      // One that cannot be drawn does not keep the others waiting; it comes again with its next change.
      parts.onError(error);
    }
    const noted = await parts.store.drawn(one);
    if (!noted.ok) throw new Error(`a thumbnail cannot be noted: ${JSON.stringify(noted.error)}`);
  }
  return due.value.length;
}

async function drawOne(parts: ThumbnailJobParts, { id }: DueThumbnail): Promise<void> {
  const subject = await parts.store.subject(id);
  if (!subject.ok) throw new Error(JSON.stringify(subject.error));
  if (subject.value === undefined) return;
  const drawn =
    subject.value.kind === 'picture'
      ? await shrinkPicture(parts.blobs, subject.value)
      : subject.value.kind === 'remote'
        ? await renderRemote(parts, subject.value)
        : await renderThumbnail(parts, subject.value);
  if (!drawn.ok && drawn.error.kind === 'database' && drawn.error.error.kind !== 'sql')
    throw new Away(`the thumbnail of ${id} has to wait: ${drawn.error.error.kind}`);
  if (!drawn.ok) throw new Error(`the thumbnail of ${id} cannot be drawn: ${JSON.stringify(drawn.error)}`);
  if (drawn.value === undefined) return;
  const blob = makeBlobKey('thumbnails');
  const { bytes, mimeType } = drawn.value;
  const stored = await parts.blobs.put(
    blob,
    (async function* () {
      yield bytes;
    })(),
  );
  if (!stored.ok)
    throw new Error(
      `the thumbnail of ${id} cannot be stored: ${stored.error.kind === 'disk' ? DISK_FAULTS[stored.error.fault] : stored.error.kind}`,
    );
  const kept = await parts.store.keep(id, blob, mimeType);
  if (!kept.ok) {
    if (!mayBeCommitted({ kind: 'database', error: kept.error })) await parts.blobs.remove(blob);
    throw new Error(`the thumbnail of ${id} cannot be kept: ${JSON.stringify(kept.error)}`);
  }
  if (kept.value !== undefined) await parts.blobs.remove(kept.value);
}
