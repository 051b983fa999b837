// Rasters drawn by windows: of the level of detail that fits the picture only the part that is seen is read, put in place pixel by
// pixel, and coloured as the style says.

import { createCanvas, ImageData } from '@napi-rs/canvas';
import { makeProject, type Project } from '../../geo/projection.ts';
import { type Hillshade, rasterLook } from '../../geo/style/style-layer.ts';
import type { View } from '../../geo/view.ts';
import { inSlices, type Stage } from '../../kernel/in-slices.ts';
import type { Observe } from '../../kernel/observation.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Bbox, RasterLayer } from '../../layer-ports/layer.ts';
import type { RasterPaint } from '../render/compile-style.ts';
import type { CrsRegistry } from '../render/crs-registry.ts';
import { isShown } from '../render/draw.ts';
import type { RenderError } from '../render/render-map.ts';
import type { ReadFile } from './blob-source.ts';
import { hillshade } from './hillshade.ts';
import { type Level, type Numbers, type OpenRaster, openRaster } from './open-raster.ts';
import { type RasterColors, rasterColors, stretchOf } from './raster-colors.ts';
import type { RasterReader, RasterSummary } from './raster-reader.ts';
import { type Mesh, makeMesh, meshRow, meshScale, meshWindow } from './warp.ts';

const MAX_OPEN = 100;
/** Bands that are described; a style can name any. */
const MAX_BANDS = 16;
/** Pixels read for one picture. A file without overviews can ask for more than there is memory. */
const MAX_READ = 48_000_000;

export function makeRasterReader(readFile: ReadFile, crs: CrsRegistry, observe: Observe): RasterReader {
  // What is under a key never changes.
  const opened = new Map<string, Promise<OpenRaster>>();
  const open = (key: string): Promise<OpenRaster> => {
    const known = opened.get(key);
    if (known !== undefined) return known;
    const opening = openRaster(readFile, key);
    opening.catch(() => opened.delete(key));
    if (opened.size >= MAX_OPEN) opened.delete(opened.keys().next().value ?? '');
    opened.set(key, opening);
    return opening;
  };
  const unreadable = (layer: RasterLayer, error: unknown): Result<never, RenderError> => {
    const message = error instanceof Error ? error.message : String(error);
    observe({ kind: 'raster-unreadable', layer: layer.name, message });
    return err({ kind: 'raster', layer: layer.name });
  };
  /** One for each turn of the globe through which the raster runs. */
  const meshesOf = async (
    layer: RasterLayer,
    raster: OpenRaster,
    view: View,
  ): Promise<Result<readonly Mesh[], RenderError>> => {
    const native = await crs.find(layer.srid);
    if (!native.ok) return err({ kind: 'database', error: native.error });
    if (native.value === undefined) return ok([]);
    const project = makeProject(view.crs, native.value);
    const turns = native.value.isGeographic ? turnsOfRaster(layer.extent?.native) : [0];
    return ok(turns.map((turn) => makeMesh(view, inTurn(project, turn), raster.affine)));
  };
  return {
    async draw(canvas, layer, style, view) {
      const paint = style.layers.find((one): one is RasterPaint => one.type === 'raster' && isShown(one, view.zoom));
      if (paint === undefined) return ok(undefined);
      try {
        const raster = await open(layer.blob);
        const meshes = await meshesOf(layer, raster, view);
        if (!meshes.ok) return meshes;
        if (meshes.value.length === 0) return ok(undefined);
        const colors = await rasterColors(raster, rasterLook(paint.style));
        const { hillshade: light } = rasterLook(paint.style);
        const native = light === undefined ? undefined : await crs.find(layer.srid);
        const isDegrees = native?.ok === true && native.value?.isGeographic === true;
        const lit = light === undefined ? undefined : { light, isDegrees };
        const context = canvas.getContext('2d');
        for (const mesh of meshes.value) {
          const pixels = await drawWindow(raster, mesh, view, colors, lit);
          if (pixels === undefined) continue;
          const picture = createCanvas(view.width, view.height);
          picture.getContext('2d').putImageData(new ImageData(pixels, view.width, view.height), 0, 0);
          context.globalAlpha = Math.min(
            1,
            Math.max(0, paint.opacity({ properties: {}, geometry: 'Point', zoom: view.zoom })),
          );
          context.drawImage(picture, 0, 0);
          context.globalAlpha = 1;
        }
        return ok(undefined);
      } catch (error) {
        return unreadable(layer, error);
      }
    },

    async open(layer) {
      try {
        return ok(await open(layer.blob));
      } catch (error) {
        return unreadable(layer, error);
      }
    },

    async describe(layer) {
      try {
        const raster = await open(layer.blob);
        const coloured = raster.hasAlpha ? raster.bands - 1 : raster.bands;
        const bands: RasterSummary['bands'][number][] = [];
        for (let i = 0; i < Math.min(coloured, MAX_BANDS); i++) {
          const [min, max] = await raster.range(i);
          const { type = '', nodata = null } = layer.bands[i] ?? {};
          bands.push({ band: i + 1, type, nodata, min, max, stretch: await stretchOf(raster, {}, i) });
        }
        const drawn = raster.palette !== undefined ? 'palette' : coloured >= 3 ? 'colours' : 'grey';
        return ok({ drawn, bands });
      } catch (error) {
        return unreadable(layer, error);
      }
    },

    async valuesAt(layer, view, x, y) {
      try {
        const raster = await open(layer.blob);
        const meshes = await meshesOf(layer, raster, view);
        if (!meshes.ok) return meshes;
        const [whole] = raster.levels;
        if (whole === undefined) return ok(undefined);
        const row = new Float64Array(view.width * 2);
        for (const mesh of meshes.value) {
          meshRow(mesh, Math.floor(y), row);
          const [column, line] = [
            Math.floor(row[Math.floor(x) * 2] ?? Number.NaN),
            Math.floor(row[Math.floor(x) * 2 + 1] ?? Number.NaN),
          ];
          if (!(column >= 0 && line >= 0 && column < whole.width && line < whole.height)) continue;
          const bands = await readBands(whole, [column, line, column + 1, line + 1], undefined);
          return ok(
            bands.map(([value = Number.NaN]) => (Number.isNaN(value) || value === raster.nodata ? null : value)),
          );
        }
        return ok(undefined);
      } catch (error) {
        return unreadable(layer, error);
      }
    },
  };
}

/** Whole turns, in degrees, by which a place may lie beside the longitudes of a raster: some count them from 0 to 360. */
function turnsOfRaster(extent: Bbox | undefined): readonly number[] {
  const [west, , east] = extent ?? [0, 0, 0, 0];
  return [0, ...(east > 180.001 ? [360] : []), ...(west < -180.001 ? [-360] : [])];
}

function inTurn(project: Project, turn: number): Project {
  if (turn === 0) return project;
  return (x, y) => {
    const place = project(x, y);
    return place === undefined ? undefined : [place[0] + turn, place[1]];
  };
}

type Window = readonly [left: number, top: number, right: number, bottom: number];

async function readBands(
  level: Level,
  window: Window,
  bands: readonly number[] | undefined,
): Promise<readonly Numbers[]> {
  const read = await level.image.readRasters({
    window: [...window],
    ...(bands === undefined ? {} : { samples: [...bands] }),
  });
  return read as unknown as readonly Numbers[];
}

type Lit = { readonly light: Hillshade; readonly isDegrees: boolean };

async function drawWindow(
  raster: OpenRaster,
  mesh: Mesh,
  view: View,
  colors: RasterColors,
  lit: Lit | undefined,
): Promise<Uint8ClampedArray | undefined> {
  const [whole] = raster.levels;
  if (whole === undefined) return undefined;
  const scale = meshScale(mesh);
  // The coarsest level that still has a pixel for each of the picture's.
  const level = raster.levels.findLast((one) => whole.width / one.width <= Math.max(1, scale)) ?? whole;
  const [fx, fy] = [level.width / whole.width, level.height / whole.height];
  const seen = meshWindow(mesh, whole.width, whole.height);
  if (seen === undefined) return undefined;
  const window: Window = [
    Math.max(0, Math.floor(seen[0] * fx) - 1),
    Math.max(0, Math.floor(seen[1] * fy) - 1),
    Math.min(level.width, Math.ceil(seen[2] * fx) + 1),
    Math.min(level.height, Math.ceil(seen[3] * fy) + 1),
  ];
  const [width, height] = [window[2] - window[0], window[3] - window[1]];
  if (width * height * colors.bands.length > MAX_READ) throw new Error('the raster has no overviews for such a map');
  const bands = await readBands(level, window, colors.bands);
  const mask =
    level.mask === undefined ? undefined : (await readBands({ ...level, image: level.mask }, window, [0]))[0];
  const shades =
    lit === undefined
      ? undefined
      : await inSlices(
          hillshade(
            bands[0] ?? [],
            [width, height],
            {
              width: Math.abs(raster.affine.a) / fx,
              height: Math.abs(raster.affine.e) / fy,
              isDegrees: lit.isDegrees,
              top: raster.affine.y0 + raster.affine.e * (window[1] / fy),
            },
            lit.light,
            (value) => Number.isNaN(value) || value === raster.nodata,
          ),
        );
  return inSlices(
    paintPixels({
      mesh,
      view,
      colors,
      bands,
      mask,
      shades,
      level: lit === undefined ? 1 : Math.sin((lit.light.altitude * Math.PI) / 180),
      fx,
      fy,
      left: window[0],
      top: window[1],
      width,
      height,
      nodata: raster.nodata,
    }),
  );
}

type Painting = {
  readonly mesh: Mesh;
  readonly view: View;
  readonly colors: RasterColors;
  readonly bands: readonly Numbers[];
  readonly mask: Numbers | undefined;
  /** How bright each pixel is lit; undefined: not at all. */
  readonly shades: Float32Array | undefined;
  /** How bright level ground is. */
  readonly level: number;
  readonly fx: number;
  readonly fy: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly nodata: number | null;
};

function* paintPixels(painting: Painting): Stage<Uint8ClampedArray> {
  const { mesh, view, colors, bands, mask, shades, level, fx, fy, left, top, width, height, nodata } = painting;
  const out = new Uint8ClampedArray(view.width * view.height * 4);
  const places = new Float64Array(view.width * 2);
  const values = new Array<number>(bands.length).fill(0);
  for (let y = 0; y < view.height; y++) {
    meshRow(mesh, y, places);
    for (let x = 0; x < view.width; x++) {
      const [column, row] = [(places[x * 2] ?? Number.NaN) * fx - left, (places[x * 2 + 1] ?? Number.NaN) * fy - top];
      if (!(column >= 0 && row >= 0 && column < width && row < height)) continue;
      const near = Math.floor(row) * width + Math.floor(column);
      if (mask !== undefined && mask[near] === 0) continue;
      for (let band = 0; band < bands.length; band++) {
        const numbers = bands[band];
        if (numbers === undefined) continue;
        values[band] = colors.isSmooth
          ? between(numbers, column - 0.5, row - 0.5, width, height, nodata)
          : (numbers[near] ?? Number.NaN);
      }
      const at = (y * view.width + x) * 4;
      colors.paint(values, out, at);
      if (shades === undefined) continue;
      const shade = between(shades, column - 0.5, row - 0.5, width, height, null);
      // Level ground keeps its colour; of heights without colours only the light is seen.
      const factor = colors.isPlainGrey ? undefined : Math.min(1.25, shade / Math.max(0.1, level));
      for (let i = 0; i < 3; i++) out[at + i] = factor === undefined ? shade * 255 : (out[at + i] ?? 0) * factor;
    }
    yield;
  }
  return out;
}

/** Of the four pixels around a place; where one of them is nothing, the nearest. */
function between(
  numbers: Numbers,
  column: number,
  row: number,
  width: number,
  height: number,
  nodata: number | null,
): number {
  const [c, r] = [
    Math.max(0, Math.min(width - 1, Math.floor(column))),
    Math.max(0, Math.min(height - 1, Math.floor(row))),
  ];
  const [c1, r1] = [Math.min(width - 1, c + 1), Math.min(height - 1, r + 1)];
  const [u, v] = [Math.max(0, Math.min(1, column - c)), Math.max(0, Math.min(1, row - r))];
  const nw = numbers[r * width + c] ?? Number.NaN;
  const ne = numbers[r * width + c1] ?? Number.NaN;
  const sw = numbers[r1 * width + c] ?? Number.NaN;
  const se = numbers[r1 * width + c1] ?? Number.NaN;
  const isWhole = nw !== nodata && ne !== nodata && sw !== nodata && se !== nodata;
  const mixed = (nw * (1 - u) + ne * u) * (1 - v) + (sw * (1 - u) + se * u) * v;
  if (isWhole && !Number.isNaN(mixed)) return mixed;
  return (
    numbers[
      Math.round(row < 0 ? 0 : Math.min(height - 1, row)) * width +
        Math.round(column < 0 ? 0 : Math.min(width - 1, column))
    ] ?? Number.NaN
  );
}
