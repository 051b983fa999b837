// A document that is a picture → the same, small. Nothing else in the file is looked at, and one that would take too much memory is left
// alone.

import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { ThumbnailSubject } from '../../layer-ports/thumbnail-store.ts';
import { pictureSize } from './picture-size.ts';
import type { SmallPicture, ThumbnailError } from './render-thumbnail.ts';
import { HEIGHT, WIDTH } from './thumbnail-view.ts';

const MAX_BYTES = 30_000_000;
/** Four bytes each, while it is unpacked. */
const MAX_PIXELS = 25_000_000;
/** Behind pictures that are much higher or much wider than ours. */
const PAPER = '#eceae5';

/** Undefined: it cannot be shown. */
export async function shrinkPicture(
  blobs: BlobStore,
  { blob, size }: Extract<ThumbnailSubject, { kind: 'picture' }>,
): Promise<Result<SmallPicture | undefined, ThumbnailError>> {
  if (size > MAX_BYTES) return ok(undefined);
  const opened = await blobs.open(blob);
  if (!opened.ok) return ok(undefined);
  const bytes = Buffer.concat(await opened.value.stream.toArray());
  const dimensions = pictureSize(bytes);
  if (dimensions === undefined || dimensions.width * dimensions.height > MAX_PIXELS) return ok(undefined);
  const picture = await loadImage(bytes).catch(() => undefined);
  if (picture === undefined || picture.width === 0 || picture.height === 0) return ok(undefined);
  const canvas = createCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext('2d');
  context.fillStyle = PAPER;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  const [across, along] = [WIDTH / picture.width, HEIGHT / picture.height];
  // About our own shape: it fills the picture, and loses a little at its edges. Else all of it is shown.
  const isLike = Math.max(across / along, along / across) < 1.6;
  const scale = isLike ? Math.max(across, along) : Math.min(across, along);
  const [width, height] = [picture.width * scale, picture.height * scale];
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, (WIDTH - width) / 2, (HEIGHT - height) / 2, width, height);
  return ok({ bytes: await canvas.encode('jpeg', 85), mimeType: 'image/jpeg' });
}
