// Parameters of a map of OGC API Maps → the picture that is asked for: `bbox`, `bbox-crs`, `crs`, `width`, `height`, `transparent`, `bgcolor`, `filter`, `f`.
// Bounded; whether the coordinate systems exist is found out later. Pure.

import type { Box } from '../../geo/projection.ts';
import { parseColor } from '../../geo/style/color.ts';
import { parseDecimal } from '../../kernel/decimal.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { sridOf } from '../coverages/wcs-request.ts';
import type { MapFailure } from '../map-context.ts';
import { filterInQuery, type SaidFilter } from '../parse-filter.ts';
import type { ImageFormat } from '../render/encode-image.ts';
import { MAX_SIZE } from '../wms/wms-request.ts';

export type OgcMapRequest = {
  /** x first; undefined: all of the layer. */
  readonly box: Box | undefined;
  readonly boxCrs: number;
  /** Undefined: the layer's own. */
  readonly crs: number | undefined;
  /** Undefined: as the shape of the box has it. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly isTransparent: boolean;
  readonly background: string;
  readonly format: ImageFormat;
  /** Undefined: all features. */
  readonly filter: SaidFilter | undefined;
};

export const MAP_PARAMETERS: readonly string[] = [
  'f',
  'bbox',
  'bbox-crs',
  'crs',
  'width',
  'height',
  'transparent',
  'bgcolor',
  'filter',
  'filter-lang',
];

const FORMATS: ReadonlyMap<string, ImageFormat> = new Map([
  ['png', 'png'],
  ['jpeg', 'jpeg'],
  ['jpg', 'jpeg'],
  ['webp', 'webp'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/webp', 'webp'],
]);

type Query = Readonly<Record<string, unknown>>;

function bad(detail: string): Result<never, MapFailure> {
  return err({ kind: 'bad-request', detail });
}

export function imageFormatOf(query: Query, accept: string | undefined): Result<ImageFormat, MapFailure> {
  const asked = query['f'];
  if (asked !== undefined) {
    const format = typeof asked === 'string' ? FORMATS.get(asked.toLowerCase()) : undefined;
    return format === undefined ? bad('f is png, jpeg or webp.') : ok(format);
  }
  for (const type of (accept ?? '').slice(0, 1000).split(',')) {
    const format = FORMATS.get((type.split(';')[0] ?? '').trim().toLowerCase());
    if (format !== undefined) return ok(format);
  }
  return ok('png');
}

export function parseMapRequest(query: Query, accept: string | undefined): Result<OgcMapRequest, MapFailure> {
  const format = imageFormatOf(query, accept);
  if (!format.ok) return format;
  const text = (name: string): string | undefined => (typeof query[name] === 'string' ? query[name] : undefined);
  const boxCrs = text('bbox-crs');
  const boxName = boxCrs === undefined ? { srid: 4326, isXFirst: true } : sridOf(boxCrs.slice(0, 200));
  if (boxName === undefined) return bad('bbox-crs is no coordinate system.');
  const crsText = text('crs');
  const crs = crsText === undefined ? undefined : sridOf(crsText.slice(0, 200));
  if (crsText !== undefined && crs === undefined) return bad('crs is no coordinate system.');
  const box = boxOf(text('bbox'), boxName.isXFirst);
  if (!box.ok) return box;
  const size = (name: string): number | undefined => {
    const value = text(name);
    return value === undefined ? undefined : /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
  };
  const [width, height] = [size('width'), size('height')];
  for (const one of [width, height])
    if (one !== undefined && !(one >= 1 && one <= MAX_SIZE))
      return bad(`width and height are 1 to ${MAX_SIZE} pixels.`);
  const transparent = text('transparent') ?? String(text('bgcolor') === undefined);
  if (transparent !== 'true' && transparent !== 'false') return bad('transparent is true or false.');
  const color = text('bgcolor')?.replace(/^0x/i, '#') ?? '#ffffff';
  if (parseColor(color) === undefined) return bad('bgcolor is a colour: 0xRRGGBB, or a name of one.');
  const filter = filterInQuery(query);
  if (!filter.ok) return filter;
  return ok({
    box: box.value,
    boxCrs: boxName.srid,
    crs: crs?.srid,
    width,
    height,
    // JPEG has nothing transparent.
    isTransparent: transparent === 'true' && format.value !== 'jpeg',
    background: color,
    format: format.value,
    filter: filter.value,
  });
}

function boxOf(text: string | undefined, isXFirst: boolean): Result<Box | undefined, MapFailure> {
  if (text === undefined || text === '') return ok(undefined);
  const numbers = text
    .slice(0, 500)
    .split(',')
    .map((one) => parseDecimal(one.trim()) ?? Number.NaN);
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  if (numbers.length !== 4 || numbers.some((one) => Number.isNaN(one)) || a >= c || b >= d)
    return bad('bbox is four numbers, the smaller ones first.');
  return ok(isXFirst ? [a, b, c, d] : [b, a, d, c]);
}

const USUAL_SIZE = 1024;

/** As asked for; what is not said keeps pixels square. */
export function sizeOf(
  { width, height }: Pick<OgcMapRequest, 'width' | 'height'>,
  [xmin, ymin, xmax, ymax]: Box,
): readonly [number, number] {
  const shape = (xmax - xmin) / (ymax - ymin);
  const within = (pixels: number): number => Math.max(1, Math.min(MAX_SIZE, Math.round(pixels)));
  if (width !== undefined) return [width, height ?? within(width / shape)];
  if (height !== undefined) return [within(height * shape), height];
  return shape >= 1 ? [USUAL_SIZE, within(USUAL_SIZE / shape)] : [within(USUAL_SIZE * shape), USUAL_SIZE];
}
