// Parameters of a request → what is asked of the map service, versions 1.1.1 and 1.3.0. Everything is bounded here: sizes,
// numbers, lists. Whether layers, styles and coordinate systems exist is found out later. Pure.

import { isNorthFirst } from '../../geo/axis-order.ts';
import type { Box } from '../../geo/projection.ts';
import { parseColor } from '../../geo/style/color.ts';
import { queryPairs } from '../../http/query-pairs.ts';
import { parseDecimal } from '../../kernel/decimal.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { TimeSpan } from '../query/time-sql.ts';
import type { ImageFormat } from '../render/encode-image.ts';
import { parseTime } from './time-span.ts';
import type { WmsFault, WmsVersion } from './wms-fault.ts';

export const MAX_SIZE = 4096;
export const MAX_LAYERS = 50;
const MAX_NAME = 400;

export type CrsCode = {
  readonly srid: number;
  /** As it was written. */
  readonly name: string;
};

/** From here on are systems that came with somebody's data and are in no register. */
export const FIRST_OWN_SRID = 960_000;

/** As `parseCrs` reads it. */
export function shortCrs(srid: number): string {
  return `${srid < FIRST_OWN_SRID ? 'EPSG' : 'SURVEST'}:${srid}`;
}

export type MapRequest = {
  readonly kind: 'map';
  readonly version: WmsVersion;
  readonly layers: readonly string[];
  /** One for each layer; empty: the default. */
  readonly styles: readonly string[];
  readonly crs: CrsCode;
  /** x first. */
  readonly box: Box;
  readonly width: number;
  readonly height: number;
  readonly format: ImageFormat;
  readonly isTransparent: boolean;
  readonly background: string;
  readonly time: TimeSpan | undefined;
  /** CQL2: none, one for all layers, or one for each; empty: every feature of that layer. */
  readonly filters: readonly string[];
  readonly sld: string | undefined;
};

export const INFO_FORMATS = [
  'application/json',
  'application/vnd.ogc.gml',
  'text/xml',
  'text/html',
  'text/plain',
] as const;
export type InfoFormat = (typeof INFO_FORMATS)[number];

/** What else the formats are called. */
const INFO_ALIASES: ReadonlyMap<string, InfoFormat> = new Map([
  ['application/geo+json', 'application/json'],
  ['application/geojson', 'application/json'],
  ['application/vnd.ogc.gml/2.1.2', 'application/vnd.ogc.gml'],
]);

/** How the formats end in addresses. */
export const INFO_ENDINGS: Readonly<Record<string, InfoFormat>> = {
  json: 'application/json',
  gml: 'application/vnd.ogc.gml',
  xml: 'text/xml',
  txt: 'text/plain',
  html: 'text/html',
};

export type WmsRequest =
  | { readonly kind: 'capabilities'; readonly version: WmsVersion }
  | MapRequest
  | {
      readonly kind: 'feature-info';
      readonly version: WmsVersion;
      readonly map: MapRequest;
      readonly queryLayers: readonly string[];
      readonly i: number;
      readonly j: number;
      readonly format: InfoFormat;
      readonly count: number;
      /** Pixels around the place. */
      readonly buffer: number | undefined;
    }
  | {
      readonly kind: 'legend';
      readonly version: WmsVersion;
      readonly layer: string;
      readonly style: string;
      readonly format: ImageFormat;
      /** Of one symbol. */
      readonly width: number;
      readonly height: number;
      readonly isTransparent: boolean;
      readonly sld: string | undefined;
      /** Of the map that it is the legend of, as the number below the line; undefined: of none in particular. */
      readonly scale: number | undefined;
    };

export type Parameters = ReadonlyMap<string, string>;
type Parsed<T> = Result<T, WmsFault>;

/** Names in any case; of a name that comes twice, the first counts. */
export function readParameters(query: string): Parameters {
  const found = new Map<string, string>();
  for (const [name, value] of queryPairs(query)) {
    const key = name.toUpperCase();
    if (!found.has(key)) found.set(key, value);
  }
  return found;
}

/** The version to answer in, also where the rest cannot be read. */
export function versionOf(parameters: Parameters): WmsVersion {
  const asked = parameters.get('VERSION') ?? parameters.get('WMTVER') ?? '1.3.0';
  // Versions in between are answered in the next lower one.
  return /^1\.[3-9]/.test(asked) || !/^1\./.test(asked) ? '1.3.0' : '1.1.1';
}

export function parseWmsRequest(parameters: Parameters): Parsed<WmsRequest> {
  const service = parameters.get('SERVICE');
  if (service !== undefined && service.toUpperCase() !== 'WMS')
    return fault(undefined, `this address serves WMS, not ${service.slice(0, 40)}`);
  const version = versionOf(parameters);
  switch ((parameters.get('REQUEST') ?? '').toLowerCase()) {
    case 'getcapabilities':
    case 'capabilities':
      return ok({ kind: 'capabilities', version });
    case 'getmap':
    case 'map':
      return parseMap(parameters, version);
    case 'getfeatureinfo':
    case 'feature_info':
      return parseInfo(parameters, version);
    case 'getlegendgraphic':
      return parseLegend(parameters, version);
    case '':
      return fault(undefined, 'the parameter REQUEST is missing');
    default:
      return fault(
        'OperationNotSupported',
        'REQUEST is one of GetCapabilities, GetMap, GetFeatureInfo and GetLegendGraphic',
      );
  }
}

function parseMap(parameters: Parameters, version: WmsVersion): Parsed<MapRequest> {
  if (parameters.has('SLD')) return fault(undefined, 'SLD: styles at other addresses are not fetched; send SLD_BODY');
  const sld = parameters.get('SLD_BODY');
  const layers = parseNames(parameters.get('LAYERS') ?? '', 'LAYERS');
  if (!layers.ok) return layers;
  if (layers.value.length === 0 && sld === undefined)
    return fault('LayerNotDefined', 'the parameter LAYERS is missing');
  const styles = parseStyles(parameters.get('STYLES') ?? '', layers.value.length);
  if (!styles.ok) return styles;
  const crs = parseCrs(
    parameters.get(version === '1.3.0' ? 'CRS' : 'SRS') ?? parameters.get('CRS') ?? parameters.get('SRS'),
  );
  if (!crs.ok) return crs;
  const box = parseBox(parameters.get('BBOX'), crs.value, version);
  if (!box.ok) return box;
  const width = parseSize(parameters.get('WIDTH'), 'WIDTH');
  if (!width.ok) return width;
  const height = parseSize(parameters.get('HEIGHT'), 'HEIGHT');
  if (!height.ok) return height;
  const format = parseFormat(parameters.get('FORMAT'));
  if (!format.ok) return format;
  const background = parseBackground(parameters.get('BGCOLOR'));
  if (!background.ok) return background;
  const time = parseTime(parameters.get('TIME'));
  if (!time.ok) return fault('InvalidDimensionValue', time.error, 'TIME');
  const filters = splitFilters(parameters.get('CQL_FILTER') ?? '', layers.value.length);
  if (filters.length > 1 && filters.length !== layers.value.length)
    return fault(undefined, 'CQL_FILTER has one filter, or one for each of LAYERS', 'CQL_FILTER');
  return ok({
    kind: 'map',
    version,
    layers: layers.value,
    styles: styles.value,
    crs: crs.value,
    box: box.value,
    width: width.value,
    height: height.value,
    format: format.value,
    isTransparent: isYes(parameters.get('TRANSPARENT')) && format.value !== 'jpeg',
    background: background.value,
    time: time.value,
    filters,
    sld,
  });
}

function parseInfo(parameters: Parameters, version: WmsVersion): Parsed<WmsRequest> {
  // That of the picture, which nobody sees here; some clients write nonsense.
  const map = parseMap(new Map(parameters).set('FORMAT', 'image/png'), version);
  if (!map.ok) return map;
  const queryLayers = parseNames(parameters.get('QUERY_LAYERS') ?? parameters.get('LAYERS') ?? '', 'QUERY_LAYERS');
  if (!queryLayers.ok) return queryLayers;
  const place = (first: string, second: string, limit: number): number | undefined => {
    const text = parameters.get(first) ?? parameters.get(second) ?? '';
    const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
    return value < limit ? value : undefined;
  };
  const [i, j] = [place('I', 'X', map.value.width), place('J', 'Y', map.value.height)];
  if (i === undefined || j === undefined)
    return fault(
      'InvalidPoint',
      version === '1.3.0' ? 'I and J are a place in the map' : 'X and Y are a place in the map',
    );
  const format = parseInfoFormat(parameters.get('INFO_FORMAT') ?? 'text/plain');
  if (format === undefined) return fault('InvalidFormat', `INFO_FORMAT is one of ${INFO_FORMATS.join(', ')}`);
  const count = wholeNumber(parameters.get('FEATURE_COUNT'), 1, 1, 100);
  const buffer = parameters.has('BUFFER') ? wholeNumber(parameters.get('BUFFER'), 0, 0, 50) : undefined;
  return ok({
    kind: 'feature-info',
    version,
    map: map.value,
    queryLayers: queryLayers.value,
    i,
    j,
    format,
    count,
    buffer,
  });
}

export function parseInfoFormat(text: string): InfoFormat | undefined {
  const [asked = '', ...parameters] = text
    .toLowerCase()
    .split(';', 8)
    .map((part) => part.trim());
  // Another version of GML is another format.
  if (parameters.some((one) => one.startsWith('subtype=gml/') && !one.startsWith('subtype=gml/2'))) return undefined;
  return INFO_ALIASES.get(asked) ?? INFO_FORMATS.find((one) => one === asked);
}

function parseLegend(parameters: Parameters, version: WmsVersion): Parsed<WmsRequest> {
  if (parameters.has('SLD')) return fault(undefined, 'SLD: styles at other addresses are not fetched; send SLD_BODY');
  const layer = parameters.get('LAYER') ?? parameters.get('LAYERS') ?? '';
  if (layer === '' || layer.length > MAX_NAME) return fault('LayerNotDefined', 'the parameter LAYER is missing');
  const format = parseFormat(parameters.get('FORMAT') ?? 'image/png');
  if (!format.ok) return format;
  return ok({
    kind: 'legend',
    version,
    layer,
    style: (parameters.get('STYLE') ?? '').slice(0, MAX_NAME),
    format: format.value,
    width: wholeNumber(parameters.get('WIDTH'), 20, 4, 200),
    height: wholeNumber(parameters.get('HEIGHT'), 20, 4, 200),
    isTransparent: isYes(parameters.get('TRANSPARENT')) && format.value !== 'jpeg',
    sld: parameters.get('SLD_BODY'),
    scale: parseScale(parameters.get('SCALE')),
  });
}

function parseScale(text: string | undefined): number | undefined {
  const scale = parseDecimal(text ?? '');
  return scale !== undefined && scale >= 1 && scale <= 1e10 ? scale : undefined;
}

function parseNames(text: string, parameter: string): Parsed<readonly string[]> {
  const names = text === '' ? [] : text.split(',', MAX_LAYERS + 1).map((name) => name.trim());
  if (names.length > MAX_LAYERS)
    return fault(undefined, `${parameter} names more than ${MAX_LAYERS} layers`, parameter);
  if (names.some((name) => name === '' || name.length > MAX_NAME))
    return fault('LayerNotDefined', `${parameter} has an empty name, or one that is too long`, parameter);
  return ok(names);
}

function parseStyles(text: string, layers: number): Parsed<readonly string[]> {
  const styles = text.split(',', MAX_LAYERS + 1).map((name) => name.trim());
  if (text === '' || layers === 0) return ok(Array.from({ length: layers }, () => ''));
  if (styles.length !== layers) return fault('StyleNotDefined', 'STYLES has one style for each of LAYERS', 'STYLES');
  return ok(styles.map((style) => style.slice(0, MAX_NAME)));
}

/** Filters of several layers have semicolons between them; within a text or a name a semicolon means itself. */
function splitFilters(text: string, layers: number): readonly string[] {
  if (text.trim() === '') return [];
  if (layers <= 1) return [text.trim()];
  const filters: string[] = [];
  let [from, quote] = [0, ''];
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] ?? '';
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === "'" || sign === '"') quote = sign;
    else if (sign === ';') {
      filters.push(text.slice(from, i).trim());
      from = i + 1;
    }
  }
  filters.push(text.slice(from).trim());
  return filters;
}

/** `EPSG:n`, `CRS:84`, and the long forms of both. */
export function parseCrs(text: string | undefined): Parsed<CrsCode> {
  if (text === undefined || text === '') return fault('InvalidCRS', 'the coordinate system is missing');
  const name = text.trim().toUpperCase();
  if (/^(?:CRS:|URN:OGC:DEF:CRS:OGC:[\d.]*:CRS|HTTPS?:\/\/WWW\.OPENGIS\.NET\/DEF\/CRS\/OGC\/[\d.]+\/CRS)84$/.test(name))
    return ok({ srid: 4326, name: 'CRS:84' });
  const [, code] =
    /^(?:EPSG:|URN:(?:OGC|X-OGC):DEF:CRS:EPSG:[\d.]*:|HTTPS?:\/\/WWW\.OPENGIS\.NET\/DEF\/CRS\/EPSG\/[\d.]+\/)(\d{1,6})$/.exec(
      name,
    ) ??
    /^SURVEST:(\d{1,6})$/.exec(name) ??
    [];
  if (code === undefined) return fault('InvalidCRS', `there is no coordinate system ${text.slice(0, 60)}`);
  // What web maps were called before they had a number.
  const srid = code === '900913' || code === '3785' ? 3857 : Number(code);
  return ok({ srid, name: text.slice(0, 100) });
}

const MAX_COORDINATE = 1e10;

function parseBox(text: string | undefined, crs: CrsCode, version: WmsVersion): Parsed<Box> {
  const parts = (text ?? '').split(',', 5).map((part) => part.trim());
  const numbers = parts.map((part) => parseDecimal(part) ?? Number.NaN);
  const [a, b, c, d] = numbers;
  if (numbers.length !== 4 || a === undefined || b === undefined || c === undefined || d === undefined)
    return fault('InvalidBBOX', 'BBOX is four numbers', 'BBOX');
  if (!numbers.every((number) => Math.abs(number) <= MAX_COORDINATE))
    return fault('InvalidBBOX', 'BBOX has a number that is none, or is too large', 'BBOX');
  if (c - a < 1e-9 || d - b < 1e-9) return fault('InvalidBBOX', 'BBOX has no area', 'BBOX');
  const isSwapped = version === '1.3.0' && crs.name !== 'CRS:84' && isNorthFirst(crs.srid);
  return ok(isSwapped ? [b, a, d, c] : [a, b, c, d]);
}

function parseSize(text: string | undefined, parameter: string): Parsed<number> {
  const size = /^\d{1,6}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (!(size >= 1 && size <= MAX_SIZE))
    return fault(undefined, `${parameter} is a whole number from 1 to ${MAX_SIZE}`, parameter);
  return ok(size);
}

function parseFormat(text: string | undefined): Parsed<ImageFormat> {
  // "image/png; mode=8bit" and its like are other ways to store the same picture.
  switch ((text ?? '').toLowerCase().split(';')[0]?.trim()) {
    case 'image/png':
    case 'image/png8':
      return ok('png');
    case 'image/jpeg':
    case 'image/jpg':
      return ok('jpeg');
    case 'image/webp':
      return ok('webp');
    default:
      return fault('InvalidFormat', 'FORMAT is image/png, image/jpeg or image/webp', 'FORMAT');
  }
}

function parseBackground(text: string | undefined): Parsed<string> {
  if (text === undefined || text === '') return ok('#ffffff');
  const hex = text.replace(/^(?:0x|#)/i, '');
  if (!/^[0-9a-f]{6}$/i.test(hex) || parseColor(`#${hex}`) === undefined)
    return fault(undefined, 'BGCOLOR is a colour like 0xFFFFFF', 'BGCOLOR');
  return ok(`#${hex}`);
}

function isYes(text: string | undefined): boolean {
  return text?.toLowerCase() === 'true';
}

export function wholeNumber(text: string | undefined, otherwise: number, least: number, most: number): number {
  if (text === undefined || !/^\d{1,6}$/.test(text)) return otherwise;
  return Math.min(most, Math.max(least, Number(text)));
}

function fault(code: string | undefined, text: string, locator?: string): Result<never, WmsFault> {
  // The older version calls it by its older name, too; clients look at the text.
  return err({ code, text, ...(locator === undefined ? {} : { locator }) });
}
