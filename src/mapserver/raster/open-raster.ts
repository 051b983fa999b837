// A GeoTIFF in the blob store → what is needed to draw from it: the levels of detail it has, where it lies, and its numbers.

import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { addDecoder, BaseDecoder, GeoTIFF, type GeoTIFFImage } from 'geotiff';
import { makeBlobSource, type ReadFile } from './blob-source.ts';

export type Numbers =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** One size of the picture: the whole, or an overview. */
export type Level = {
  readonly image: GeoTIFFImage;
  readonly mask: GeoTIFFImage | undefined;
  readonly width: number;
  readonly height: number;
};

export type OpenRaster = {
  /** The finest first. */
  readonly levels: readonly Level[];
  /** Column and row of the finest level → x and y: x = a·c + b·r + x0, y = d·c + e·r + y0. */
  readonly affine: Affine;
  readonly bands: number;
  readonly nodata: number | null;
  /** Colours by number: 256 or 65536 times red, green, blue. */
  readonly palette: Uint8Array | undefined;
  readonly isBytes: boolean;
  /** The last band says what is to be seen. */
  readonly hasAlpha: boolean;
  /** Smallest and largest numbers of a band, without the rare ones. */
  range(band: number): Promise<readonly [number, number]>;
};

export type Affine = {
  readonly a: number;
  readonly b: number;
  readonly x0: number;
  readonly d: number;
  readonly e: number;
  readonly y0: number;
};

const unpack = promisify(inflate);
/** A tile of 4096 by 4096 pixels of four bands of doubles; larger ones are no tiles. */
const MAX_TILE_BYTES = 512 * 1024 * 1024;

class NodeInflate extends BaseDecoder {
  // Beside the main thread, and several times faster than the library's own.
  override async decodeBlock(buffer: ArrayBuffer): Promise<ArrayBuffer> {
    const bytes = await unpack(new Uint8Array(buffer), { maxOutputLength: MAX_TILE_BYTES });
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  }
}
addDecoder([8, 32946], async () => NodeInflate);

const MAX_LEVELS = 40;
const REDUCED = 1;
const MASK = 4;

export async function openRaster(readFile: ReadFile, key: string): Promise<OpenRaster> {
  const source = makeBlobSource(readFile, key) as unknown as Parameters<typeof GeoTIFF.fromSource>[0];
  const file = await GeoTIFF.fromSource(source, { cache: false });
  const count = Math.min(MAX_LEVELS, await file.getImageCount());
  const images: GeoTIFFImage[] = [];
  for (let i = 0; i < count; i++) images.push(await file.getImage(i));
  const [whole] = images;
  if (whole === undefined) throw new Error('the file has no picture');
  const kindOf = (image: GeoTIFFImage): number => Number(image.fileDirectory.getValue('NewSubfileType') ?? 0);
  const masks = images.filter((image) => (kindOf(image) & MASK) !== 0);
  const levels = images
    .filter((image, i) => (kindOf(image) & MASK) === 0 && (i === 0 || (kindOf(image) & REDUCED) !== 0))
    .map((image) => ({
      image,
      mask: masks.find((mask) => mask.getWidth() === image.getWidth() && mask.getHeight() === image.getHeight()),
      width: image.getWidth(),
      height: image.getHeight(),
    }))
    .sort((one, other) => other.width - one.width);
  const bands = whole.getSamplesPerPixel();
  const extra = (await whole.fileDirectory.loadValue('ExtraSamples')) as ArrayLike<number> | undefined;
  const nodata = whole.getGDALNoData();
  const smallest = levels.at(-1);
  const ranges = new Map<number, Promise<readonly [number, number]>>();
  return {
    levels,
    affine: affineOf(whole),
    bands,
    nodata: nodata === null || Number.isNaN(nodata) ? null : nodata,
    palette: await paletteOf(whole),
    isBytes: whole.getBitsPerSample(0) === 8 && whole.getSampleFormat(0) === 1,
    hasAlpha:
      extra !== undefined && extra.length > 0 && (extra[extra.length - 1] === 1 || extra[extra.length - 1] === 2),
    range(band) {
      const known =
        ranges.get(band) ??
        (smallest === undefined ? Promise.resolve([0, 1] as const) : rangeOf(smallest.image, band, nodata));
      ranges.set(band, known);
      return known;
    },
  };
}

function affineOf(image: GeoTIFFImage): Affine {
  const matrix = image.fileDirectory.getValue('ModelTransformation') as ArrayLike<number> | undefined;
  if (matrix !== undefined && matrix.length >= 8) {
    const at = (i: number): number => matrix[i] ?? 0;
    return { a: at(0), b: at(1), x0: at(3), d: at(4), e: at(5), y0: at(7) };
  }
  const [x0 = 0, y0 = 0] = image.getOrigin();
  const [a = 1, e = -1] = image.getResolution();
  return { a, b: 0, x0, d: 0, e, y0 };
}

async function paletteOf(image: GeoTIFFImage): Promise<Uint8Array | undefined> {
  // Three thirds: all reds, all greens, all blues, of 16 bits each.
  const map = (await image.fileDirectory.loadValue('ColorMap')) as ArrayLike<number> | undefined;
  if (map === undefined || Number(image.fileDirectory.getValue('PhotometricInterpretation')) !== 3) return undefined;
  const count = Math.floor(map.length / 3);
  const palette = new Uint8Array(count * 3);
  for (let i = 0; i < count; i++)
    for (let channel = 0; channel < 3; channel++) palette[i * 3 + channel] = (map[channel * count + i] ?? 0) >> 8;
  return palette;
}

const MAX_SAMPLED = 1024;

/** Of the coarsest level, without two percent at either end: one wrong number does not make the picture grey. */
async function rangeOf(image: GeoTIFFImage, band: number, nodata: number | null): Promise<readonly [number, number]> {
  const window = [0, 0, Math.min(MAX_SAMPLED, image.getWidth()), Math.min(MAX_SAMPLED, image.getHeight())];
  const [numbers] = (await image.readRasters({ samples: [band], window })) as unknown as readonly Numbers[];
  const sorted = Float64Array.from(numbers ?? [])
    .filter((number) => Number.isFinite(number) && number !== nodata)
    .sort();
  if (sorted.length === 0) return [0, 1];
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const [low, high] = [at(0.02), at(0.98)];
  return low < high ? [low, high] : [at(0), at(1) > at(0) ? at(1) : at(0) + 1];
}
