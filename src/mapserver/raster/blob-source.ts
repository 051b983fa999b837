// A file in the blob store as the GeoTIFF library reads it: ranges of bytes, in blocks that are kept for a while, since the tables
// of such a file are read a few bytes at a time.

import type { BlobStore } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';

const BLOCK = 65_536;
/** Blocks kept per file: 8 MB. */
const MAX_BLOCKS = 128;

type Slice = { readonly offset: number; readonly length: number };

export type BlobSource = {
  fetch(slices: readonly Slice[]): Promise<ArrayBuffer[]>;
  fetchSlice(slice: Slice): Promise<Slice & { readonly data: ArrayBuffer }>;
  readonly fileSize: number | null;
  close(): Promise<void>;
};

/** Bytes `start` to `end` of a file, both included; undefined: they lie behind its end. The error is a word for the log. */
export type ReadFile = (key: string, start: number, end: number) => Promise<Result<Uint8Array | undefined, string>>;

export function makeReadFile(blobs: BlobStore): ReadFile {
  return async (key, start, end) => {
    const opened = await blobs.open(key, { start, end });
    if (!opened.ok) return opened.error.kind === 'bad-range' ? ok(undefined) : err(opened.error.kind);
    try {
      return ok(Buffer.concat(await opened.value.stream.toArray()));
    } catch (error) {
      return err(error instanceof Error ? error.message : String(error));
    }
  };
}

export function makeBlobSource(readFile: ReadFile, key: string): BlobSource {
  const blocks = new Map<number, Promise<Uint8Array>>();
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const found = await readFile(key, start, end);
    if (!found.ok) throw new Error(`the file of a raster cannot be read: ${found.error}`);
    // The library asks beyond the end where it does not know the size.
    return found.value ?? new Uint8Array(0);
  };
  const block = (index: number): Promise<Uint8Array> => {
    const known = blocks.get(index);
    if (known !== undefined) {
      blocks.delete(index);
      blocks.set(index, known);
      return known;
    }
    const reading = read(index * BLOCK, (index + 1) * BLOCK - 1);
    blocks.set(index, reading);
    reading.catch(() => blocks.delete(index));
    if (blocks.size > MAX_BLOCKS) blocks.delete(blocks.keys().next().value ?? 0);
    return reading;
  };
  const slice = async ({ offset, length }: Slice): Promise<ArrayBuffer> => {
    // A tile of pixels is read as it lies; it is asked for once.
    if (length > BLOCK * 2) return copy(await read(offset, offset + length - 1));
    const [first, last] = [Math.floor(offset / BLOCK), Math.floor((offset + length - 1) / BLOCK)];
    const parts = await Promise.all(Array.from({ length: last - first + 1 }, (_, i) => block(first + i)));
    const whole = Buffer.concat(parts);
    return copy(whole.subarray(offset - first * BLOCK, offset - first * BLOCK + length));
  };
  return {
    fetch: (slices) => Promise.all(slices.map(slice)),
    fetchSlice: async (one) => ({ ...one, data: await slice(one) }),
    fileSize: null,
    close: async () => {},
  };
}

function copy(bytes: Uint8Array): ArrayBuffer {
  const buffer = new ArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}
