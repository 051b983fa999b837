// A band of a raster → its numbers in windows, in the precision that holds them; NaN stands where there is nothing: the value for nothing, what the mask or the
// transparent band of the file leaves out, and what is no finite number.

import { inSlices, type Stage } from '../../../kernel/in-slices.ts';
import type { Affine, Level, Numbers, OpenRaster } from '../../raster/open-raster.ts';

export type PixelNumbers = Float32Array | Float64Array;

type Window = readonly [left: number, top: number, right: number, bottom: number];

export type Band = {
  readonly width: number;
  readonly height: number;
  /** Column and row of this level → x and y. */
  readonly affine: Affine;
  /** What lies together in the file, and so is read together. */
  readonly block: readonly [width: number, height: number];
  read(window: Window): Promise<PixelNumbers>;
};

/** The file is gone, or is none. */
export class UnreadableRaster extends Error {}

const MAX_BLOCK_PIXELS = 4_194_304;
const OWN_BLOCK = 512;
/** Looked at before others have their turn. */
const PIXELS_AT_ONCE = 65_536;

/** `number`: from 1. */
export function bandOf(raster: OpenRaster, level: Level, number: number): Band {
  const [whole = level] = raster.levels;
  const { width, height, image, mask } = level;
  const tile = [image.getTileWidth(), image.getTileHeight()] as const;
  const alpha = raster.hasAlpha && number !== raster.bands ? [raster.bands - 1] : [];
  return {
    width,
    height,
    affine: scaled(raster.affine, whole.width / width, whole.height / height),
    block: tile[0] * tile[1] <= MAX_BLOCK_PIXELS ? tile : [OWN_BLOCK, OWN_BLOCK],
    async read(window) {
      const [numbers, seen] = await readSamples(image, window, [number - 1, ...alpha]);
      if (numbers === undefined) throw new Error(`the raster has no band ${number}`);
      const masked = mask === undefined ? undefined : (await readSamples(mask, window, [0]))[0];
      // As the file has it: what is written in decimals is not always what single precision holds.
      const nothing = numbers instanceof Float32Array ? Math.fround(raster.nodata ?? Number.NaN) : raster.nodata;
      const found = isShort(numbers) ? new Float32Array(numbers.length) : new Float64Array(numbers.length);
      await inSlices(
        (function* (): Stage<void> {
          for (let i = 0; i < found.length; i++) {
            const value = numbers[i] ?? Number.NaN;
            const isNothing = value === nothing || !Number.isFinite(value) || seen?.[i] === 0 || masked?.[i] === 0;
            found[i] = isNothing ? Number.NaN : value;
            if (i % PIXELS_AT_ONCE === 0) yield;
          }
        })(),
      );
      return found;
    },
  };
}

/** Single precision holds each of them. */
function isShort(numbers: Numbers): boolean {
  return numbers.BYTES_PER_ELEMENT < 4 || numbers instanceof Float32Array;
}

async function readSamples(image: Level['image'], window: Window, samples: number[]): Promise<readonly Numbers[]> {
  return readable(image.readRasters({ window: [...window], samples }) as unknown as Promise<readonly Numbers[]>);
}

export async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw new UnreadableRaster('the file of a raster cannot be read', { cause: error });
  }
}

function scaled({ a, b, x0, d, e, y0 }: Affine, fx: number, fy: number): Affine {
  return { a: a * fx, b: b * fy, x0, d: d * fx, e: e * fy, y0 };
}
