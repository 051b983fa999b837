// Parameters of a request → what is asked of the coverage service (WCS 1.0.0, 1.1.x and 2.0.1), one form for all versions. Everything
// is bounded here; whether the coverage, its axes and its bands exist is found out later. Pure.

import { isNorthFirst } from '../../geo/axis-order.ts';
import { parseCrs } from '../../geo/crs.ts';
import { queryPairs } from '../../http/query-pairs.ts';
import { parseDecimal } from '../../kernel/decimal.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { WcsFault, WcsVersion } from './wcs-fault.ts';

export type Axis = 'x' | 'y';

/** Undefined ends: as far as there is something. */
type Span = { readonly low: number | undefined; readonly high: number | undefined };

type Subset =
  | { readonly kind: 'trim'; readonly axis: Axis; readonly span: Span }
  | { readonly kind: 'slice'; readonly axis: Axis; readonly at: number };

/** How many pixels the answer has. */
export type Scaling =
  | { readonly kind: 'none' }
  | { readonly kind: 'factor'; readonly x: number; readonly y: number }
  | { readonly kind: 'size'; readonly x: number | undefined; readonly y: number | undefined };

type ExactGrid = {
  /** Edges of the outer pixels, x first. */
  readonly box: readonly [number, number, number, number];
  readonly width: number;
  readonly height: number;
};

export type CoverageRequest = {
  readonly kind: 'coverage';
  readonly version: WcsVersion;
  readonly id: string;
  readonly subsets: readonly Subset[];
  /** In which the subsets are; undefined: the coverage's own. */
  readonly subsettingCrs: number | undefined;
  readonly outputCrs: number | undefined;
  readonly scaling: Scaling;
  /** Instead of subsets and scaling: just these pixels, in the subsetting system. */
  readonly grid: ExactGrid | undefined;
  /** Undefined: all. */
  readonly bands: readonly string[] | undefined;
  readonly format: 'tiff' | 'png';
};

export type WcsRequest =
  | { readonly kind: 'capabilities'; readonly version: WcsVersion }
  | { readonly kind: 'describe'; readonly version: WcsVersion; readonly ids: readonly string[] }
  | CoverageRequest;

/** Values by names in lower case; `subset` can come several times. */
export type WcsParams = ReadonlyMap<string, readonly string[]>;

const MAX_IDS = 50;
const MAX_NAME = 400;
const VERSIONS: readonly WcsVersion[] = ['2.0.1', '1.1.2', '1.1.1', '1.1.0', '1.0.0'];

export function wcsFault(code: WcsFault['code'], locator: string, text: string): Result<never, WcsFault> {
  return err({ code, locator, text });
}

export function readWcsParams(query: string): WcsParams {
  const params = new Map<string, string[]>();
  for (const [name, value] of queryPairs(query)) {
    const key = name.toLowerCase();
    const list = params.get(key);
    if (list === undefined) params.set(key, [value]);
    else list.push(value);
  }
  return params;
}

const last = (params: WcsParams, ...names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value = params.get(name)?.at(-1);
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
};

/** The version in which an answer is written, also that to a request that cannot be read. */
export function versionOf(params: WcsParams): WcsVersion {
  const asked = last(params, 'version') ?? last(params, 'acceptversions') ?? '2.0.1';
  for (const one of asked.split(',').slice(0, 20)) {
    const known = spokenVersion(one.trim());
    if (known !== undefined) return known;
  }
  return '2.0.1';
}

function spokenVersion(text: string): WcsVersion | undefined {
  if (text.startsWith('2.')) return '2.0.1';
  if (text === '1.1') return '1.1.1';
  return VERSIONS.find((version) => version === text) ?? (text.startsWith('1.0') ? '1.0.0' : undefined);
}

export function parseWcsRequest(params: WcsParams): Result<WcsRequest, WcsFault> {
  const service = last(params, 'service');
  if (service !== undefined && service.toUpperCase() !== 'WCS')
    return wcsFault('InvalidParameterValue', 'service', 'This is a WCS.');
  const version = versionOf(params);
  const asked = last(params, 'version');
  const operation = last(params, 'request')?.toLowerCase();
  if (operation !== 'getcapabilities' && asked !== undefined && spokenVersion(asked) === undefined)
    return wcsFault('InvalidParameterValue', 'version', `The versions spoken here are ${VERSIONS.join(', ')}.`);
  switch (operation) {
    case undefined:
      return wcsFault('MissingParameterValue', 'request', 'What is asked for? The parameter request is missing.');
    case 'getcapabilities': {
      const accepted = last(params, 'acceptversions');
      if (accepted?.split(',').every((one) => spokenVersion(one.trim()) === undefined) === true)
        return wcsFault(
          'VersionNegotiationFailed',
          'acceptversions',
          `The versions spoken here are ${VERSIONS.join(', ')}.`,
        );
      return ok({ kind: 'capabilities', version });
    }
    case 'describecoverage':
      return parseDescribe(params, version);
    case 'getcoverage':
      if (version === '2.0.1') return parseGet20(params);
      return version === '1.0.0' ? parseGet10(params) : parseGet11(params, version);
    default:
      return wcsFault('OperationNotSupported', 'request', `${operation.slice(0, 50)} is not known here.`);
  }
}

function idsOf(params: WcsParams): readonly string[] {
  const written = last(params, 'coverageid', 'identifiers', 'identifier', 'coverage') ?? '';
  return written
    .slice(0, MAX_IDS * MAX_NAME)
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

function parseDescribe(params: WcsParams, version: WcsVersion): Result<WcsRequest, WcsFault> {
  const ids = idsOf(params);
  // In 1.0.0 none means all of them.
  if (ids.length === 0 && version !== '1.0.0')
    return wcsFault('MissingParameterValue', 'coverageId', 'Which coverage? The parameter coverageId is missing.');
  if (ids.length > MAX_IDS)
    return wcsFault(
      'InvalidParameterValue',
      'coverageId',
      `More than ${MAX_IDS} coverages at once are not described: ask in several requests.`,
    );
  return ok({ kind: 'describe', version, ids });
}

function oneId(params: WcsParams): Result<string, WcsFault> {
  const [id, ...others] = idsOf(params);
  if (id === undefined || others.length > 0)
    return wcsFault('MissingParameterValue', 'coverageId', 'One coverage is given at a time: coverageId names it.');
  return ok(id.slice(0, MAX_NAME));
}

const AXES: ReadonlyMap<string, Axis> = new Map([
  ...['x', 'long', 'lon', 'longitude', 'e', 'east', 'easting'].map((name) => [name, 'x'] as const),
  ...['y', 'lat', 'latitude', 'n', 'north', 'northing'].map((name) => [name, 'y'] as const),
]);

/** `i` and `j`, the axes of the grid, are known to scaling. */
function axisOf(label: string): Axis | undefined {
  const name = label.trim().toLowerCase();
  return AXES.get(name) ?? (name === 'i' ? 'x' : name === 'j' ? 'y' : undefined);
}

const unknownAxis = (label: string): Result<never, WcsFault> =>
  wcsFault('InvalidAxisLabel', 'subset', `There is no axis ${label.slice(0, 50)}: see axisLabels in DescribeCoverage.`);

/** An EPSG number by any of the names of a system. Undefined: none. */
export function sridOf(text: string): { readonly srid: number; readonly isXFirst: boolean } | undefined {
  const own = /^SURVEST:(96\d{4})$/.exec(text)?.[1];
  if (own !== undefined) return { srid: Number(own), isXFirst: true };
  const named = parseCrs(text);
  if (named === undefined) return undefined;
  const isShort = /^\[?(?:EPSG|OGC|CRS):/i.test(text);
  return { srid: named.srid, isXFirst: isShort || named.isCrs84 || !isNorthFirst(named.srid) };
}

function parseGet20(params: WcsParams): Result<CoverageRequest, WcsFault> {
  const id = oneId(params);
  if (!id.ok) return id;
  const subsets: Subset[] = [];
  let subsettingCrs: number | undefined;
  for (const text of (params.get('subset') ?? []).slice(0, 20)) {
    const parsed = parseSubset(text);
    if (!parsed.ok) return parsed;
    if (subsets.some(({ axis }) => axis === parsed.value.subset.axis))
      return wcsFault('InvalidAxisLabel', 'subset', `An axis is cut twice: ${text.slice(0, 50)}.`);
    subsets.push(parsed.value.subset);
    subsettingCrs = parsed.value.srid ?? subsettingCrs;
  }
  const written = last(params, 'subsettingcrs');
  if (written !== undefined) {
    const crs = sridOf(written);
    if (crs === undefined) return unknownCrs('SubsettingCrs-NotSupported', 'subsettingCrs', written);
    subsettingCrs = crs.srid;
  }
  const output = outputCrsOf(params, 'outputcrs');
  if (!output.ok) return output;
  const scaling = parseScaling(params);
  if (!scaling.ok) return scaling;
  const format = formatOf(params);
  if (!format.ok) return format;
  return ok({
    kind: 'coverage',
    version: '2.0.1',
    id: id.value,
    subsets,
    subsettingCrs,
    outputCrs: output.value,
    scaling: scaling.value,
    grid: undefined,
    bands: listOf(last(params, 'rangesubset')),
    format: format.value,
  });
}

function unknownCrs(code: WcsFault['code'], locator: string, name: string): Result<never, WcsFault> {
  return wcsFault(code, locator, `There is no coordinate system ${name.slice(0, 100)}.`);
}

function outputCrsOf(params: WcsParams, ...names: readonly string[]): Result<number | undefined, WcsFault> {
  const written = last(params, ...names);
  if (written === undefined) return ok(undefined);
  const crs = sridOf(written);
  return crs === undefined ? unknownCrs('OutputCrs-NotSupported', 'outputCrs', written) : ok(crs.srid);
}

/** `Lat(40,50)`, `Long(10)`, `Lat,http://www.opengis.net/def/crs/EPSG/0/4326(40,*)`. */
function parseSubset(text: string): Result<{ subset: Subset; srid: number | undefined }, WcsFault> {
  const match = /^\s*([\w]{1,50})\s*(?:,([^(]{1,200}))?\(([^()]{1,200})\)\s*$/.exec(text.slice(0, 500));
  const [, label = '', crs, inner = ''] = match ?? [];
  const parts = inner.split(',').map((part) => part.trim());
  if (match === null || parts.length > 2)
    return wcsFault('InvalidSubsetting', 'subset', `${text.slice(0, 50)} is no subset: write Axis(low,high).`);
  const axis = axisOf(label);
  if (axis === undefined) return unknownAxis(label);
  const srid = crs === undefined ? undefined : sridOf(crs.trim())?.srid;
  if (crs !== undefined && srid === undefined) return unknownCrs('SubsettingCrs-NotSupported', 'subset', crs);
  const numbers = parts.map((part) => (part === '*' ? undefined : (parseDecimal(part) ?? Number.NaN)));
  if (numbers.some((number) => Number.isNaN(number)))
    return wcsFault('InvalidSubsetting', 'subset', `${text.slice(0, 50)} has no numbers as bounds.`);
  const [low, high] = numbers;
  if (parts.length === 1) {
    if (low === undefined) return ok({ subset: { kind: 'trim', axis, span: { low, high: undefined } }, srid });
    return ok({ subset: { kind: 'slice', axis, at: low }, srid });
  }
  if (low !== undefined && high !== undefined && low > high)
    return wcsFault('InvalidSubsetting', 'subset', `${text.slice(0, 50)}: the lower bound is above the upper one.`);
  return ok({ subset: { kind: 'trim', axis, span: { low, high } }, srid });
}

const SCALINGS = ['scalefactor', 'scaleaxes', 'scalesize', 'scaleextent'] as const;

function parseScaling(params: WcsParams): Result<Scaling, WcsFault> {
  const given = SCALINGS.filter((name) => last(params, name) !== undefined);
  const [name] = given;
  if (name === undefined) return ok({ kind: 'none' });
  if (given.length > 1) return wcsFault('InvalidParameterValue', name, 'One way to scale at a time.');
  const text = (last(params, name) ?? '').slice(0, 500);
  if (name === 'scalefactor') {
    const factor = parseDecimal(text);
    if (factor === undefined || factor <= 0)
      return wcsFault('InvalidScaleFactor', name, 'A scale factor is a number above 0.');
    return ok({ kind: 'factor', x: factor, y: factor });
  }
  const axes = new Map<Axis, readonly number[]>();
  for (const part of text.split(/(?<=\)),?/)) {
    if (part.trim() === '') continue;
    const match = /^\s*(?:[\w:/.#-]{0,300}[:/#])?(\w{1,50})\(([^()]{1,100})\)\s*$/.exec(part);
    const axis = axisOf(match?.[1] ?? '');
    if (match === null || axis === undefined) return unknownAxis(match?.[1] ?? part);
    const numbers = (match[2] ?? '').split(/[:,]/).map((one) => parseDecimal(one.trim()) ?? Number.NaN);
    axes.set(axis, numbers);
  }
  const x = axes.get('x');
  const y = axes.get('y');
  if (name === 'scaleaxes') {
    const factors = [x?.[0] ?? 1, y?.[0] ?? 1] as const;
    if (factors.some((factor) => !(factor > 0)))
      return wcsFault('InvalidScaleFactor', name, 'Scale factors are numbers above 0.');
    return ok({ kind: 'factor', x: factors[0], y: factors[1] });
  }
  // A size, or an extent from the first to the last pixel.
  const sizeOf = (numbers: readonly number[] | undefined): number | undefined => {
    if (numbers === undefined) return undefined;
    const [from = Number.NaN, to] = numbers;
    return name === 'scalesize' ? from : (to ?? Number.NaN) - from + 1;
  };
  const size = { kind: 'size', x: sizeOf(x), y: sizeOf(y) } as const;
  if ([size.x, size.y].some((pixels) => pixels !== undefined && !(Number.isInteger(pixels) && pixels > 0)))
    return wcsFault('InvalidExtent', name, 'Sizes are whole numbers above 0.');
  return ok(size);
}

function listOf(text: string | undefined): readonly string[] | undefined {
  return text
    ?.slice(0, 10_000)
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

const FORMATS: ReadonlyMap<string, CoverageRequest['format']> = new Map([
  ['image/tiff', 'tiff'],
  ['image/geotiff', 'tiff'],
  ['application/geotiff', 'tiff'],
  ['geotiff', 'tiff'],
  ['tiff', 'tiff'],
  ['gtiff', 'tiff'],
  ['image/png', 'png'],
  ['png', 'png'],
]);

function formatOf(params: WcsParams): Result<CoverageRequest['format'], WcsFault> {
  const written = last(params, 'format') ?? 'image/tiff';
  const format = FORMATS.get((written.split(';')[0] ?? '').trim().toLowerCase());
  if (format !== undefined) return ok(format);
  return wcsFault('InvalidParameterValue', 'format', 'Coverages are given as image/tiff or image/png.');
}

function numbersOf(text: string | undefined, count: number): readonly number[] | undefined {
  const numbers = (text ?? '')
    .slice(0, 1000)
    .split(',')
    .slice(0, count + 1)
    .map((one) => parseDecimal(one.trim()) ?? Number.NaN);
  return numbers.length === count && numbers.every((number) => !Number.isNaN(number)) ? numbers : undefined;
}

/** East comes first in this version, whatever the system says. */
function parseGet10(params: WcsParams): Result<CoverageRequest, WcsFault> {
  const id = oneId(params);
  if (!id.ok) return id;
  const written = last(params, 'crs');
  const crs = written === undefined ? undefined : sridOf(written);
  if (written !== undefined && crs === undefined) return unknownCrs('InvalidParameterValue', 'CRS', written);
  const box = numbersOf(last(params, 'bbox'), 4);
  if (last(params, 'bbox') !== undefined && box === undefined)
    return wcsFault('InvalidParameterValue', 'BBOX', 'BBOX is four numbers: minx,miny,maxx,maxy.');
  const output = outputCrsOf(params, 'response_crs');
  if (!output.ok) return output;
  const format = formatOf(params);
  if (!format.ok) return format;
  const base = {
    kind: 'coverage',
    version: '1.0.0',
    id: id.value,
    subsettingCrs: crs?.srid,
    outputCrs: output.value ?? crs?.srid,
    bands: listOf(last(params, 'bands', 'band')),
    format: format.value,
  } as const;
  if (box === undefined) return ok({ ...base, subsets: [], scaling: { kind: 'none' }, grid: undefined });
  const [xmin = 0, ymin = 0, xmax = 0, ymax = 0] = box;
  const size = sizeOf10(params, xmax - xmin, ymax - ymin);
  if (!size.ok) return size;
  if (xmin >= xmax || ymin >= ymax)
    return wcsFault('InvalidParameterValue', 'BBOX', 'BBOX has its smaller numbers first.');
  return ok({
    ...base,
    subsets: trims(xmin, ymin, xmax, ymax),
    scaling: { kind: 'none' },
    grid: size.value === undefined ? undefined : { box: [xmin, ymin, xmax, ymax], ...size.value },
  });
}

function trims(xmin: number, ymin: number, xmax: number, ymax: number): readonly Subset[] {
  return [
    { kind: 'trim', axis: 'x', span: { low: xmin, high: xmax } },
    { kind: 'trim', axis: 'y', span: { low: ymin, high: ymax } },
  ];
}

function sizeOf10(
  params: WcsParams,
  dx: number,
  dy: number,
): Result<{ readonly width: number; readonly height: number } | undefined, WcsFault> {
  const numberOf = (name: string): number | undefined => {
    const text = last(params, name);
    return text === undefined ? undefined : (parseDecimal(text) ?? Number.NaN);
  };
  const [width, height, resx, resy] = ['width', 'height', 'resx', 'resy'].map(numberOf);
  const isSize = (pixels: number): boolean => Number.isInteger(pixels) && pixels > 0;
  if (width !== undefined && height !== undefined) {
    if (isSize(width) && isSize(height)) return ok({ width, height });
    return wcsFault('InvalidParameterValue', 'WIDTH', 'WIDTH and HEIGHT are whole numbers above 0.');
  }
  if (resx === undefined || resy === undefined) return ok(undefined);
  const made = { width: Math.max(1, Math.round(dx / resx)), height: Math.max(1, Math.round(dy / resy)) };
  if (resx > 0 && resy > 0 && isSize(made.width) && isSize(made.height)) return ok(made);
  return wcsFault('InvalidParameterValue', 'RESX', 'RESX and RESY are numbers above 0.');
}

/** Boxes come in the order of their system where it is named by a urn. */
function parseGet11(params: WcsParams, version: WcsVersion): Result<CoverageRequest, WcsFault> {
  const id = oneId(params);
  if (!id.ok) return id;
  const format = formatOf(params);
  if (!format.ok) return format;
  const bands = rangeSubset11(last(params, 'rangesubset'));
  const written = last(params, 'boundingbox');
  const baseName = last(params, 'gridbasecrs');
  const base = baseName === undefined ? undefined : sridOf(baseName);
  if (baseName !== undefined && base === undefined) return unknownCrs('InvalidParameterValue', 'GridBaseCRS', baseName);
  const none = { kind: 'none' } as const;
  const request = {
    kind: 'coverage',
    version,
    id: id.value,
    outputCrs: base?.srid,
    scaling: none,
    bands,
    format: format.value,
  } as const;
  if (written === undefined) return ok({ ...request, subsets: [], subsettingCrs: undefined, grid: undefined });
  const parts = written.slice(0, 1000).split(',');
  const box = numbersOf(parts.slice(0, 4).join(','), 4);
  const crsName = parts.slice(4).join(',').trim();
  const crs = crsName === '' ? base : sridOf(crsName);
  if (box === undefined || (crsName !== '' && crs === undefined))
    return wcsFault(
      'InvalidParameterValue',
      'BoundingBox',
      'BoundingBox is four numbers and the name of their coordinate system.',
    );
  const isXFirst = crs?.isXFirst ?? true;
  const [a = 0, b = 0, c = 0, d = 0] = box;
  const [xmin, ymin, xmax, ymax] = isXFirst ? [a, b, c, d] : [b, a, d, c];
  if (xmin >= xmax || ymin >= ymax)
    return wcsFault('InvalidParameterValue', 'BoundingBox', 'BoundingBox has its smaller numbers first.');
  const subsettingCrs = crs?.srid;
  const offsets = last(params, 'gridoffsets');
  if (offsets === undefined)
    return ok({ ...request, subsets: trims(xmin, ymin, xmax, ymax), subsettingCrs, grid: undefined });
  const grid = grid11(params, offsets, base?.isXFirst ?? isXFirst, [xmin, ymin, xmax, ymax]);
  if (!grid.ok) return grid;
  return ok({ ...request, subsets: trims(xmin, ymin, xmax, ymax), subsettingCrs, grid: grid.value });
}

/** The outer pixels have their centres on the box, as the standard has it; offsets are one step along each axis of the grid. */
function grid11(
  params: WcsParams,
  offsets: string,
  isXFirst: boolean,
  [xmin, ymin, xmax, ymax]: ExactGrid['box'],
): Result<ExactGrid, WcsFault> {
  const four = numbersOf(offsets, 4);
  const two = numbersOf(offsets, 2);
  const steps = four === undefined ? two : diagonal(four);
  const [first, second] = steps ?? [];
  if (first === undefined || second === undefined || first === 0 || second === 0)
    return wcsFault(
      'InvalidParameterValue',
      'GridOffsets',
      'GridOffsets are the two steps of a grid that is not turned.',
    );
  const isTurned = four !== undefined && four[0] === 0 && four[3] === 0;
  const [dx, dy] = (isXFirst || isTurned ? [first, second] : [second, first]).map(Math.abs) as [number, number];
  const origin = numbersOf(last(params, 'gridorigin'), 2);
  const [x = xmin, y = ymax] = origin === undefined ? [] : isXFirst ? origin : [origin[1] ?? xmin, origin[0] ?? ymax];
  // Where the origin is half a pixel inside of the box, the box is the edge of the pixels, as some clients have it.
  const isEdge = Math.abs(x - xmin - dx / 2) < dx / 10 && Math.abs(ymax - y - dy / 2) < dy / 10;
  const grown = isEdge ? 0 : 0.5;
  const box = [xmin - dx * grown, ymin - dy * grown, xmax + dx * grown, ymax + dy * grown] as const;
  const width = Math.round((box[2] - box[0]) / dx);
  const height = Math.round((box[3] - box[1]) / dy);
  if (!Number.isSafeInteger(width) || !Number.isSafeInteger(height) || width < 1 || height < 1)
    return wcsFault('InvalidParameterValue', 'GridOffsets', 'GridOffsets do not fit the box.');
  return ok({ box, width, height });
}

/** Of `dx,0,0,dy`, or of `0,dx,dy,0`; undefined: turned in another way. */
function diagonal([a = 0, b = 0, c = 0, d = 0]: readonly number[]): readonly number[] | undefined {
  if (b === 0 && c === 0) return [a, d];
  return a === 0 && d === 0 ? [b, c] : undefined;
}

/** `contents:nearest[bands[1,2]]` → `1`, `2`. */
function rangeSubset11(text: string | undefined): readonly string[] | undefined {
  const inner = /\[\w{1,50}\[([^[\]]{0,5000})\]\]/.exec(text?.slice(0, 6000) ?? '')?.[1];
  return listOf(inner);
}
