// Coverage of pixels → a signed distance field, in two passes of the exact Euclidean distance transform of Felzenszwalb and Huttenlocher.
// The edge is at 192 of 255, and eight pixels are the whole range, as map viewers expect it of glyphs. Pure.

const RADIUS = 8;
const CUTOFF = 0.25;
const FAR = 1e20;

/** `coverage`: 0 to 255 for each pixel of a picture. */
export function signedDistance(coverage: Uint8Array, width: number, height: number): Uint8Array {
  const outer = new Float64Array(width * height);
  const inner = new Float64Array(width * height);
  for (const [i, value] of coverage.entries()) {
    const share = value / 255;
    // A pixel that is half covered has the edge in its middle.
    outer[i] = share === 0 ? FAR : share === 1 ? 0 : Math.max(0, 0.5 - share) ** 2;
    inner[i] = share === 0 ? 0 : share === 1 ? FAR : Math.max(0, share - 0.5) ** 2;
  }
  transform(outer, width, height);
  transform(inner, width, height);
  return Uint8Array.from(outer, (square, i) => {
    const distance = Math.sqrt(square) - Math.sqrt(inner[i] ?? 0);
    return Math.round(Math.max(0, Math.min(255, 255 - 255 * (distance / RADIUS + CUTOFF))));
  });
}

function transform(grid: Float64Array, width: number, height: number): void {
  for (let x = 0; x < width; x++) line(grid, x, width, height);
  for (let y = 0; y < height; y++) line(grid, y * width, 1, width);
}

/** The lower envelope of the parabolas over a row or column. */
function line(grid: Float64Array, offset: number, stride: number, length: number): void {
  const values = Float64Array.from({ length }, (_, i) => grid[offset + i * stride] ?? 0);
  const places = new Int32Array(length);
  const borders = new Float64Array(length + 1);
  borders[0] = -FAR;
  borders[1] = FAR;
  let last = 0;
  for (let q = 1; q < length; q++) {
    let border = crossing(values, places[last] ?? 0, q);
    while (last > 0 && border <= (borders[last] ?? 0)) {
      last -= 1;
      border = crossing(values, places[last] ?? 0, q);
    }
    last += 1;
    places[last] = q;
    borders[last] = border;
    borders[last + 1] = FAR;
  }
  for (let q = 0, k = 0; q < length; q++) {
    while ((borders[k + 1] ?? FAR) < q) k += 1;
    const place = places[k] ?? 0;
    grid[offset + q * stride] = (values[place] ?? 0) + (q - place) ** 2;
  }
}

function crossing(values: Float64Array, p: number, q: number): number {
  return ((values[q] ?? 0) - (values[p] ?? 0) + q * q - p * p) / (2 * (q - p));
}
