// Heatmaps: every point adds a bell to a grid of densities, and the grid is coloured by a ramp. The same sums as MapLibre's, on a grid a
// quarter as fine, so that pictures and viewers agree.

import { type Canvas, createCanvas, ImageData } from '@napi-rs/canvas';
import { parseColor } from '../../geo/style/color.ts';

/** Pixels of the picture to one of the grid. */
const COARSE = 4;
const GAUSS = 0.398_942_280_401_432_7;
/** The bell reaches three deviations. */
const REACH = 3;
/** Colours lie close together where few points are. */
const SHADES = 1023;

export class HeatGrid {
  readonly #width: number;
  readonly #height: number;
  readonly #sums: Float32Array;

  constructor(width: number, height: number) {
    this.#width = Math.ceil(width / COARSE);
    this.#height = Math.ceil(height / COARSE);
    this.#sums = new Float32Array(this.#width * this.#height);
  }

  /** In pixels of the picture. */
  add(x: number, y: number, radius: number, weight: number): void {
    const [cx, cy, r] = [x / COARSE, y / COARSE, radius / COARSE];
    if (!(r > 0) || !(weight > 0)) return;
    const [left, right] = [Math.max(0, Math.floor(cx - r)), Math.min(this.#width - 1, Math.ceil(cx + r))];
    const [top, bottom] = [Math.max(0, Math.floor(cy - r)), Math.min(this.#height - 1, Math.ceil(cy + r))];
    for (let row = top; row <= bottom; row++) {
      const dy = (row + 0.5 - cy) / r;
      for (let column = left; column <= right; column++) {
        const dx = (column + 0.5 - cx) / r;
        const far = dx * dx + dy * dy;
        if (far > 1) continue;
        const at = row * this.#width + column;
        this.#sums[at] = (this.#sums[at] ?? 0) + weight * GAUSS * Math.exp(-0.5 * REACH * REACH * far);
      }
    }
  }

  /** `colorOf`: of a density from 0 to 1. */
  picture(colorOf: (density: number) => string | undefined, opacity: number): Canvas {
    const ramp = Array.from({ length: SHADES + 1 }, (_, i) => parseColor(colorOf(i / SHADES) ?? '') ?? [0, 0, 0, 0]);
    const pixels = new Uint8ClampedArray(this.#sums.length * 4);
    for (const [i, sum] of this.#sums.entries()) {
      const [red = 0, green = 0, blue = 0, alpha = 0] = ramp[Math.min(SHADES, Math.round(sum * SHADES))] ?? [];
      pixels.set([red, green, blue, alpha * opacity * 255], i * 4);
    }
    const canvas = createCanvas(this.#width, this.#height);
    canvas.getContext('2d').putImageData(new ImageData(pixels, this.#width, this.#height), 0, 0);
    return canvas;
  }

  static readonly COARSE: number = COARSE;
}
