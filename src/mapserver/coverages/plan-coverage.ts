// What is asked of a coverage → the pixels of the answer: a part of the file as it lies there, or a grid that is filled from it.
// Bounded in pixels and bytes. Pure.

import { type Box, type Crs, makeProject, projectBox } from '../../geo/projection.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { CoverageGrid } from './coverage-grid.ts';
import type { WcsFault } from './wcs-fault.ts';
import { type Axis, type CoverageRequest, type Scaling, wcsFault } from './wcs-request.ts';

/** Of the answer; numbers of all its bands. */
export const MAX_NUMBERS = 64_000_000;
const MAX_BYTES: number = 256 * 1024 * 1024;

export type CoveragePlan = {
  /** Of the answer. */
  readonly crs: Crs;
  readonly box: Box;
  readonly width: number;
  readonly height: number;
  /** Columns and rows of the file, where the answer is just these. */
  readonly window: Window | undefined;
  /** From 0. */
  readonly bands: readonly number[];
};

export type Window = readonly [left: number, top: number, right: number, bottom: number];

export type PlanInput = {
  readonly grid: CoverageGrid;
  readonly native: Crs;
  readonly subsetting: Crs;
  readonly output: Crs;
  readonly bandCount: number;
  readonly bytesPerNumber: number;
};

export function planCoverage(request: CoverageRequest, input: PlanInput): Result<CoveragePlan, WcsFault> {
  const bands = chooseBands(request.bands, input.bandCount);
  if (!bands.ok) return bands;
  const target = request.grid === undefined ? fromSubsets(request, input) : fromGrid(request.grid, input);
  if (!target.ok) return target;
  const { width, height } = target.value;
  const numbers = width * height * bands.value.length;
  const most = Math.min(MAX_NUMBERS, Math.floor(MAX_BYTES / input.bytesPerNumber));
  if (numbers > most)
    return wcsFault(
      'InvalidParameterValue',
      request.version === '2.0.1' ? 'subset' : 'BBOX',
      `The answer would have ${width} × ${height} pixels of ${bands.value.length} bands; ${most} numbers are the limit. Ask for a smaller part, fewer bands or a coarser scale, or download the whole file.`,
    );
  return ok({ ...target.value, bands: bands.value });
}

type Target = Omit<CoveragePlan, 'bands'>;

/** By number from 1, by name (`band1`), or from one to another (`band1:band3`). */
function chooseBands(asked: readonly string[] | undefined, count: number): Result<readonly number[], WcsFault> {
  if (asked === undefined || asked.length === 0) return ok(Array.from({ length: count }, (_, i) => i));
  const chosen: number[] = [];
  for (const item of asked) {
    const [from = '', to = from] = item.split(':');
    const [first, last] = [from, to].map((name) => Number(/^(?:band_?)?(\d{1,5})$/i.exec(name.trim())?.[1] ?? 0));
    if (first === undefined || last === undefined || first < 1 || last > count || first > last)
      return wcsFault(
        'NoSuchField',
        'rangesubset',
        `There is no band ${item.slice(0, 50)}: band1 to band${count} are there.`,
      );
    for (let band = first; band <= last; band++) chosen.push(band - 1);
  }
  if (chosen.length > count)
    return wcsFault(
      'InvalidParameterValue',
      'rangesubset',
      'More bands are asked for than there are: each can be had once.',
    );
  return ok(chosen);
}

const nothingThere = (): Result<never, WcsFault> =>
  wcsFault('InvalidSubsetting', 'subset', 'The coverage has nothing there: see the envelope in DescribeCoverage.');

function fromGrid(asked: NonNullable<CoverageRequest['grid']>, input: PlanInput): Result<Target, WcsFault> {
  const { grid, native, subsetting, output } = input;
  const { width, height } = asked;
  const box = asked.box as Box;
  const inNative = projectBox(makeProject(subsetting, native), box);
  if (inNative === undefined || !meets(inNative, grid.box)) return nothingThere();
  if (output.srid !== subsetting.srid) {
    const turned = projectBox(makeProject(subsetting, output), box);
    if (turned === undefined) return nothingThere();
    return ok({ crs: output, box: turned, width, height, window: undefined });
  }
  return ok({ crs: output, box, width, height, window: sameAs(box, width, height, input) });
}

/** Pixels that lie on those of the file. */
function sameAs(box: Box, width: number, height: number, { grid, native, output }: PlanInput): Window | undefined {
  if (!grid.isNative || output.srid !== native.srid) return undefined;
  const left = Math.round((box[0] - grid.box[0]) / grid.dx);
  const top = Math.round((grid.box[3] - box[3]) / grid.dy);
  const isNear = (place: number, pixel: number): boolean => Math.abs(place - pixel) < 1e-3;
  const fits =
    isNear((box[0] - grid.box[0]) / grid.dx, left) &&
    isNear((grid.box[3] - box[3]) / grid.dy, top) &&
    isNear((box[2] - grid.box[0]) / grid.dx, left + width) &&
    isNear((grid.box[3] - box[1]) / grid.dy, top + height) &&
    left >= 0 &&
    top >= 0 &&
    left + width <= grid.width &&
    top + height <= grid.height;
  return fits ? [left, top, left + width, top + height] : undefined;
}

function meets(one: Box, other: Box): boolean {
  return one[0] < other[2] && one[2] > other[0] && one[1] < other[3] && one[3] > other[1];
}

function fromSubsets(request: CoverageRequest, input: PlanInput): Result<Target, WcsFault> {
  const { grid, native, output } = input;
  const window = windowOf(request, input);
  if (window === undefined) return nothingThere();
  const [left, top, right, bottom] = window;
  const [columns, rows] = [right - left, bottom - top];
  const [x0, , , y1] = grid.box;
  const box: Box = [x0 + left * grid.dx, y1 - bottom * grid.dy, x0 + right * grid.dx, y1 - top * grid.dy];
  if (output.srid === native.srid) {
    const [width, height] = scaled(request.scaling, columns, rows);
    const isWhole = width === columns && height === rows && grid.isNative;
    return ok({ crs: native, box, width, height, window: isWhole ? window : undefined });
  }
  const turned = projectBox(makeProject(native, output), box);
  if (turned === undefined)
    return wcsFault('OutputCrs-NotSupported', 'outputCrs', 'The coverage cannot be shown in this coordinate system.');
  // As many pixels across the diagonal as there were.
  const [dx, dy] = [turned[2] - turned[0], turned[3] - turned[1]];
  const pixel = Math.hypot(dx, dy) / Math.hypot(columns, rows);
  const [width, height] = scaled(
    request.scaling,
    Math.max(1, Math.round(dx / pixel)),
    Math.max(1, Math.round(dy / pixel)),
  );
  return ok({ crs: output, box: turned, width, height, window: undefined });
}

function scaled(scaling: Scaling, columns: number, rows: number): readonly [number, number] {
  switch (scaling.kind) {
    case 'none':
      return [columns, rows];
    case 'factor':
      return [Math.max(1, Math.round(columns * scaling.x)), Math.max(1, Math.round(rows * scaling.y))];
    case 'size':
      return [scaling.x ?? columns, scaling.y ?? rows];
  }
}

/** So near to the edge of a pixel, in pixels, the edge is meant: clients calculate with rounded numbers. */
const NEAR = 0.01;

/** Whole pixels that the subsets touch; undefined: none. */
function windowOf({ subsets }: CoverageRequest, { grid, native, subsetting }: PlanInput): Window | undefined {
  const whole = subsetting.srid === native.srid ? grid.box : projectBox(makeProject(native, subsetting), grid.box);
  if (whole === undefined) return undefined;
  const bounds = (axis: Axis): readonly [number, number] => {
    const [low, high] = axis === 'x' ? [whole[0], whole[2]] : [whole[1], whole[3]];
    const subset = subsets.find((one) => one.axis === axis);
    if (subset === undefined) return [low, high];
    if (subset.kind === 'slice') return [subset.at, subset.at];
    return [subset.span.low ?? low, subset.span.high ?? high];
  };
  const [[xmin, xmax], [ymin, ymax]] = [bounds('x'), bounds('y')];
  const asked: Box = [xmin, ymin, xmax, ymax];
  const box = subsetting.srid === native.srid ? asked : projectBox(makeProject(subsetting, native), asked);
  if (box === undefined) return undefined;
  const columns = pixels((box[0] - grid.box[0]) / grid.dx, (box[2] - grid.box[0]) / grid.dx, grid.width);
  const rows = pixels((grid.box[3] - box[3]) / grid.dy, (grid.box[3] - box[1]) / grid.dy, grid.height);
  return columns === undefined || rows === undefined ? undefined : [columns[0], rows[0], columns[1], rows[1]];
}

function pixels(from: number, to: number, size: number): readonly [number, number] | undefined {
  if (from > size + NEAR || to < -NEAR) return undefined;
  // A slice is the pixel that it goes through; the last one where it lies on the outer edge.
  if (to - from < NEAR) {
    const at = Math.min(size - 1, Math.max(0, Math.floor((from + to) / 2)));
    return [at, at + 1];
  }
  const first = Math.max(0, Math.floor(from + NEAR));
  const last = Math.min(size, Math.ceil(to - NEAR));
  return first < last ? [first, last] : undefined;
}
