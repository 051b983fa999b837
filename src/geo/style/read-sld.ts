// SLD 1.0 and 1.1 (Symbology Encoding) → styles as MapLibre layers: one layer or two for each symbolizer of each rule, with the
// rule's filter and scales. Pictures from elsewhere are never fetched; a plain symbol stands in for them.

import { err, ok, type Result } from '../../kernel/result.ts';
import { formatColor, parseColor } from './color.ts';
import { type ColumnHint, guess, type ReadContext, readFilter, readValue } from './read-filter.ts';
import {
  type Json,
  type JsonObject,
  MARKS,
  METADATA,
  parseStyle,
  type RampStop,
  type StyleLayer,
} from './style-layer.ts';
import { childOf, childrenOf, parseXml, textOf, type XmlElement } from './xml-tree.ts';
import { scaleToZoom } from './zoom-scale.ts';

export type SldStyle = {
  /** Of the style; empty where it has none. */
  readonly name: string;
  readonly title: string | undefined;
  readonly isDefault: boolean;
  readonly layers: readonly StyleLayer[];
  /** What is drawn differently from what is written. */
  readonly warnings: readonly string[];
};

export type SldLayer = {
  readonly name: string;
  /** Names of styles the service has. */
  readonly namedStyles: readonly string[];
  readonly styles: readonly SldStyle[];
};

export type SldFault = { readonly message: string };
export type SldOptions = { readonly columns?: readonly ColumnHint[] };

/** The first style of the document. */
export function readSld(text: string, options: SldOptions = {}): Result<SldStyle, SldFault> {
  const document = readSldDocument(text, options);
  if (!document.ok) return document;
  const styles = document.value.flatMap((layer) => layer.styles);
  const style = styles.find((one) => one.isDefault) ?? styles[0];
  return style === undefined ? fault('there is no UserStyle in the document') : ok(style);
}

const MAX_RULES = 400;

/** All layers of the document with their styles. */
export function readSldDocument(text: string, options: SldOptions = {}): Result<readonly SldLayer[], SldFault> {
  const root = parseXml(text);
  if (!root.ok) return fault(`the SLD cannot be read: ${root.error.message}`);
  if (root.value.name !== 'StyledLayerDescriptor') return fault('the document is no StyledLayerDescriptor');
  const layers: SldLayer[] = [];
  for (const layer of childrenOf(root.value, 'NamedLayer', 'UserLayer')) {
    if (layer.name === 'UserLayer' && childOf(layer, 'RemoteOWS') !== undefined)
      return fault('layers of other services are not drawn');
    const styles: SldStyle[] = [];
    for (const style of childrenOf(layer, 'UserStyle')) {
      const read = readUserStyle(style, options);
      if (!read.ok) return read;
      styles.push(read.value);
    }
    layers.push({
      name: textOf(childOf(layer, 'Name')),
      namedStyles: childrenOf(layer, 'NamedStyle').map((style) => textOf(childOf(style, 'Name'))),
      styles,
    });
  }
  return layers.length === 0 ? fault('the document has no layer') : ok(layers);
}

function readUserStyle(style: XmlElement, options: SldOptions): Result<SldStyle, SldFault> {
  const warnings = new Set<string>();
  const context: ReadContext = { columns: options.columns, warn: (message) => warnings.add(message) };
  const layers: StyleLayer[] = [];
  let rules = 0;
  for (const group of childrenOf(style, 'FeatureTypeStyle', 'CoverageStyle')) {
    const filters: Json[] = [];
    const inGroup = childrenOf(group, 'Rule');
    rules += inGroup.length;
    if (rules > MAX_RULES) return fault(`a style has at most ${MAX_RULES} rules`);
    for (const rule of inGroup) {
      const filter = childOf(rule, 'Filter');
      if (filter === undefined) continue;
      const read = readFilter(filter, context);
      if (!read.ok) return read;
      filters.push(read.value);
    }
    let at = 0;
    for (const rule of inGroup) {
      const isElse = childOf(rule, 'ElseFilter') !== undefined;
      const own = childOf(rule, 'Filter') === undefined ? undefined : filters[at++];
      const filter = isElse && filters.length > 0 ? (['!', ['any', ...filters]] as Json) : own;
      const drawn = readRule(rule, filter, layers.length, context);
      if (!drawn.ok) return drawn;
      layers.push(...drawn.value);
    }
  }
  const checked = parseStyle(layers);
  if (!checked.ok) return fault(`${checked.error.path}: ${checked.error.message}`);
  const title = textOf(childOf(style, 'Title') ?? childOf(childOf(style, 'Description'), 'Title'));
  return ok({
    name: textOf(childOf(style, 'Name')),
    title: title === '' ? undefined : title,
    isDefault: /^(1|true)$/.test(textOf(childOf(style, 'IsDefault'))),
    layers,
    warnings: [...warnings],
  });
}

type Part = Omit<StyleLayer, 'id' | 'minzoom' | 'maxzoom' | 'filter'>;
type Parts = Result<readonly Part[], SldFault>;

function readRule(
  rule: XmlElement,
  filter: Json | undefined,
  count: number,
  context: ReadContext,
): Result<readonly StyleLayer[], SldFault> {
  const title = textOf(
    childOf(rule, 'Title') ?? childOf(childOf(rule, 'Description'), 'Title') ?? childOf(rule, 'Name'),
  );
  const least = Number(textOf(childOf(rule, 'MinScaleDenominator')) || Number.NaN);
  const most = Number(textOf(childOf(rule, 'MaxScaleDenominator')) || Number.NaN);
  const zoom = (denominator: number): number =>
    Math.min(24, Math.max(0, Math.round(scaleToZoom(denominator) * 1e6) / 1e6));
  const layers: StyleLayer[] = [];
  for (const symbolizer of childrenOf(rule)) {
    if (!symbolizer.name.endsWith('Symbolizer')) continue;
    const parts = readSymbolizer(symbolizer, context);
    if (!parts.ok) return parts;
    for (const part of parts.value) {
      const metadata: JsonObject = { ...(title === '' ? {} : { [METADATA.title]: title }), ...part.metadata };
      layers.push({
        id: `${part.type}-${count + layers.length + 1}`,
        ...part,
        ...(Number.isNaN(most) || most <= 0 ? {} : { minzoom: zoom(most) }),
        ...(Number.isNaN(least) || least <= 0 ? {} : { maxzoom: zoom(least) }),
        ...(filter === undefined ? {} : { filter }),
        ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
      });
    }
  }
  return ok(layers);
}

function readSymbolizer(symbolizer: XmlElement, context: ReadContext): Parts {
  switch (symbolizer.name) {
    case 'PolygonSymbolizer':
      return readPolygon(symbolizer, context);
    case 'LineSymbolizer':
      return readLine(childOf(symbolizer, 'Stroke'), context, childOf(symbolizer, 'PerpendicularOffset'));
    case 'PointSymbolizer':
      return readPoint(symbolizer, context);
    case 'TextSymbolizer':
      return readText(symbolizer, context);
    case 'RasterSymbolizer':
      return readRaster(symbolizer);
    default:
      return fault(`the symbolizer ${symbolizer.name} cannot be drawn`);
  }
}

/** `<CssParameter name="…">` and `<SvgParameter name="…">` by their names. */
function parameters(element: XmlElement | undefined, context: ReadContext): Result<Map<string, Json>, SldFault> {
  const found = new Map<string, Json>();
  for (const parameter of childrenOf(element, 'CssParameter', 'SvgParameter')) {
    const value = mixedValue(parameter, context);
    if (!value.ok) return value;
    found.set(parameter.attributes['name'] ?? '', value.value);
  }
  return ok(found);
}

/** A value that may be text, an expression, or both one after the other. */
function mixedValue(element: XmlElement, context: ReadContext): Result<Json, SldFault> {
  const inside = childrenOf(element);
  if (inside.length === 0) return ok(guess(textOf(element)));
  const parts: Json[] = [];
  for (const child of element.children) {
    if (typeof child === 'string') {
      if (child.trim() !== '') parts.push(child.replace(/\s+/g, ' '));
      continue;
    }
    const value = readValue(child, context);
    if (!value.ok) return value;
    parts.push(value.value);
  }
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return ok(typeof only === 'string' ? guess(only) : only);
  return ok(['concat', ...parts]);
}

/** Only what says something: a property that is as it would be anyway is left out. */
function properties(entries: readonly (readonly [name: string, value: Json | undefined])[]): JsonObject {
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined));
}

function readPolygon(symbolizer: XmlElement, context: ReadContext): Parts {
  const parts: Part[] = [];
  const fill = childOf(symbolizer, 'Fill');
  if (fill !== undefined) {
    const values = parameters(fill, context);
    if (!values.ok) return values;
    let color = values.value.get('fill') ?? '#808080';
    let opacity = values.value.get('fill-opacity');
    const graphic = childOf(fill, 'GraphicFill');
    if (graphic !== undefined) {
      context.warn('A fill with a pattern is drawn as a plain colour.');
      color = markColor(graphic, context) ?? color;
      opacity ??= 0.4;
    }
    parts.push({
      type: 'fill',
      paint: properties([
        ['fill-color', color],
        ['fill-opacity', opacity],
      ]),
    });
  }
  const stroke = childOf(symbolizer, 'Stroke');
  if (stroke !== undefined) {
    const line = readLine(stroke, context);
    if (!line.ok) return line;
    parts.push(...line.value);
  }
  return ok(parts);
}

/** Of the mark a pattern repeats. */
function markColor(graphic: XmlElement, context: ReadContext): Json | undefined {
  const mark = childOf(childOf(graphic, 'Graphic'), 'Mark');
  for (const [part, name] of [
    ['Stroke', 'stroke'],
    ['Fill', 'fill'],
  ] as const) {
    const values = parameters(childOf(mark, part), context);
    const color = values.ok ? values.value.get(name) : undefined;
    if (color !== undefined) return color;
  }
  return undefined;
}

const CAPS: Readonly<Record<string, string>> = { butt: 'butt', round: 'round', square: 'square' };
const JOINS: Readonly<Record<string, string>> = { mitre: 'miter', miter: 'miter', round: 'round', bevel: 'bevel' };

function readLine(stroke: XmlElement | undefined, context: ReadContext, offset?: XmlElement): Parts {
  const values = parameters(stroke, context);
  if (!values.ok) return values;
  const get = (name: string): Json | undefined => values.value.get(name);
  let color: Json = get('stroke') ?? '#000000';
  const graphic = childOf(stroke, 'GraphicStroke') ?? childOf(stroke, 'GraphicFill');
  if (graphic !== undefined) {
    context.warn('A line of repeated symbols is drawn as a plain line.');
    color = markColor(graphic, context) ?? color;
  }
  const width = get('stroke-width') ?? 1;
  const dashes = dashPattern(get('stroke-dasharray'), width);
  const shift = offset === undefined ? undefined : guess(textOf(offset));
  const layout = properties([
    ['line-cap', CAPS[String(get('stroke-linecap'))]],
    ['line-join', JOINS[String(get('stroke-linejoin'))]],
  ]);
  return ok([
    {
      type: 'line',
      ...(Object.keys(layout).length === 0 ? {} : { layout }),
      paint: properties([
        ['line-color', color],
        ['line-width', width],
        ['line-opacity', get('stroke-opacity')],
        ['line-dasharray', dashes],
        ['line-offset', typeof shift === 'number' ? shift : undefined],
      ]),
    },
  ]);
}

/** SLD counts dashes in pixels, MapLibre in widths of the line. */
function dashPattern(dashes: Json | undefined, width: Json): readonly number[] | undefined {
  if (typeof dashes !== 'string' && typeof dashes !== 'number') return undefined;
  const lengths = String(dashes)
    .split(/[\s,]+/)
    .map(Number);
  if (lengths.length > 20 || lengths.some((length) => !(length >= 0))) return undefined;
  const unit = typeof width === 'number' && width > 0 ? width : 1;
  const pattern = lengths.length % 2 === 0 ? lengths : [...lengths, ...lengths];
  return pattern.some((length) => length > 0) ? pattern.map((length) => Number((length / unit).toFixed(4))) : undefined;
}

function readPoint(symbolizer: XmlElement, context: ReadContext): Parts {
  const graphic = childOf(symbolizer, 'Graphic');
  const mark = childOf(graphic, 'Mark');
  if (childOf(graphic, 'ExternalGraphic') !== undefined)
    context.warn('Pictures from other addresses are not fetched; a plain symbol is drawn.');
  const fill = parameters(childOf(mark, 'Fill'), context);
  if (!fill.ok) return fill;
  const stroke = parameters(childOf(mark, 'Stroke'), context);
  if (!stroke.ok) return stroke;
  const sizeElement = childOf(graphic, 'Size');
  const size = sizeElement === undefined ? ok<Json>(6) : mixedValue(sizeElement, context);
  if (!size.ok) return size;
  const opacityElement = childOf(graphic, 'Opacity');
  const opacity = opacityElement === undefined ? undefined : guess(textOf(opacityElement));
  const shape = textOf(childOf(mark, 'WellKnownName')).toLowerCase() || 'square';
  const known = MARKS.find((one) => one === shape);
  if (known === undefined) context.warn(`The symbol ${shape.slice(0, 60)} is drawn as a circle.`);
  const isPlain = mark === undefined;
  const hasFill = isPlain || childOf(mark, 'Fill') !== undefined;
  const hasStroke = isPlain || childOf(mark, 'Stroke') !== undefined;
  const radius: Json = typeof size.value === 'number' ? size.value / 2 : ['/', size.value, 2];
  return ok([
    {
      type: 'circle',
      paint: properties([
        ['circle-radius', radius],
        ['circle-color', fill.value.get('fill') ?? '#808080'],
        ['circle-opacity', hasFill ? (fill.value.get('fill-opacity') ?? opacity) : 0],
        ['circle-stroke-width', hasStroke ? (stroke.value.get('stroke-width') ?? 1) : undefined],
        ['circle-stroke-color', hasStroke ? (stroke.value.get('stroke') ?? '#000000') : undefined],
        ['circle-stroke-opacity', hasStroke ? (stroke.value.get('stroke-opacity') ?? opacity) : undefined],
      ]),
      ...(known === undefined || known === 'circle' ? {} : { metadata: { [METADATA.mark]: known } }),
    },
  ]);
}

function readText(symbolizer: XmlElement, context: ReadContext): Parts {
  const label = childOf(symbolizer, 'Label');
  if (label === undefined) return ok([]);
  const text = mixedValue(label, context);
  if (!text.ok) return text;
  const font = parameters(childOf(symbolizer, 'Font'), context);
  if (!font.ok) return font;
  const fill = parameters(childOf(symbolizer, 'Fill'), context);
  if (!fill.ok) return fill;
  const halo = childOf(symbolizer, 'Halo');
  const haloFill = parameters(childOf(halo, 'Fill'), context);
  if (!haloFill.ok) return haloFill;
  const size = font.value.get('font-size') ?? 10;
  const placement = readPlacement(childOf(symbolizer, 'LabelPlacement'), typeof size === 'number' ? size : 10);
  const family = font.value.get('font-family');
  const look = [
    typeof family === 'string' ? family.slice(0, 100) : 'Noto Sans',
    font.value.get('font-weight') === 'bold' ? 'Bold' : '',
    font.value.get('font-style') === 'italic' || font.value.get('font-style') === 'oblique' ? 'Italic' : '',
  ].filter((word) => word !== '');
  const opacity = fill.value.get('fill-opacity');
  const haloColor = haloFill.value.get('fill') ?? '#ffffff';
  return ok([
    {
      type: 'symbol',
      layout: {
        'text-field': typeof text.value === 'number' ? String(text.value) : text.value,
        'text-size': size,
        'text-font': [look.length === 1 ? `${look[0]} Regular` : look.join(' ')],
        ...placement,
      },
      paint: properties([
        ['text-color', fill.value.get('fill') ?? '#000000'],
        ['text-opacity', opacity],
        ['text-halo-color', halo === undefined ? undefined : faded(haloColor, haloFill.value.get('fill-opacity'))],
        ['text-halo-width', halo === undefined ? undefined : guess(textOf(childOf(halo, 'Radius')) || '1')],
      ]),
    },
  ]);
}

function faded(color: Json, opacity: Json | undefined): Json {
  const parsed = typeof color === 'string' ? parseColor(color) : undefined;
  if (parsed === undefined || typeof opacity !== 'number') return color;
  return formatColor([parsed[0], parsed[1], parsed[2], Math.min(1, Math.max(0, opacity))]);
}

function readPlacement(placement: XmlElement | undefined, size: number): JsonObject {
  if (childOf(placement, 'LinePlacement') !== undefined) return { 'symbol-placement': 'line' };
  const point = childOf(placement, 'PointPlacement');
  if (point === undefined) return {};
  const number = (element: XmlElement | undefined, otherwise: number): number => {
    const value = Number(textOf(element) || Number.NaN);
    return Number.isFinite(value) ? value : otherwise;
  };
  const anchor = childOf(point, 'AnchorPoint');
  const shift = childOf(point, 'Displacement');
  const across = ['left', '', 'right'][Math.round(2 * number(childOf(anchor, 'AnchorPointX'), 0))] ?? '';
  const along = ['bottom', '', 'top'][Math.round(2 * number(childOf(anchor, 'AnchorPointY'), 0.5))] ?? '';
  const word = [along, across].filter((part) => part !== '').join('-');
  const [dx, dy] = [number(childOf(shift, 'DisplacementX'), 0), number(childOf(shift, 'DisplacementY'), 0)];
  const turn = number(childOf(point, 'Rotation'), 0);
  return {
    ...(anchor === undefined || word === '' ? {} : { 'text-anchor': word }),
    // In widths of the letter m, downwards.
    ...(dx === 0 && dy === 0
      ? {}
      : { 'text-offset': [Number((dx / size).toFixed(4)), Number((-dy / size).toFixed(4))] }),
    ...(turn === 0 ? {} : { 'text-rotate': turn }),
  };
}

const MAX_STOPS = 1000;

function readRaster(symbolizer: XmlElement): Parts {
  const opacity = childOf(symbolizer, 'Opacity');
  const channels = childOf(symbolizer, 'ChannelSelection');
  const bands = ['RedChannel', 'GreenChannel', 'BlueChannel', 'GrayChannel']
    .map((name) => Number(textOf(childOf(childOf(channels, name), 'SourceChannelName')) || Number.NaN))
    .filter((band) => Number.isInteger(band) && band > 0);
  const map = childOf(symbolizer, 'ColorMap');
  const ramp = readRamp(map);
  if (!ramp.ok) return ramp;
  const contrast =
    childOf(childOf(channels, 'GrayChannel'), 'ContrastEnhancement') ?? childOf(symbolizer, 'ContrastEnhancement');
  const vendor = (name: string): number => {
    const options = childrenOf(childOf(contrast, 'Normalize') ?? contrast, 'VendorOption');
    return Number(textOf(options.find((option) => option.attributes['name'] === name)) || Number.NaN);
  };
  const stretch = [vendor('minValue'), vendor('maxValue')];
  const look: JsonObject = {
    ...(bands.length > 0 ? { bands } : {}),
    ...(ramp.value === undefined
      ? {}
      : { kind: ramp.value.kind, stops: ramp.value.stops.map((stop) => ({ ...stop })) }),
    ...(stretch.every(Number.isFinite) ? { stretch } : {}),
  };
  return ok([
    {
      type: 'raster',
      paint: properties([['raster-opacity', opacity === undefined ? undefined : guess(textOf(opacity))]]),
      ...(Object.keys(look).length === 0 ? {} : { metadata: { [METADATA.raster]: look } }),
    },
  ]);
}

type Ramp = { readonly kind: 'ramp' | 'intervals' | 'values'; readonly stops: readonly RampStop[] };

function readRamp(map: XmlElement | undefined): Result<Ramp | undefined, SldFault> {
  if (map === undefined) return ok(undefined);
  const encoded = childOf(map, 'Interpolate', 'Categorize');
  if (encoded !== undefined) return ok(readEncodedRamp(encoded));
  const stops: RampStop[] = [];
  for (const entry of childrenOf(map, 'ColorMapEntry')) {
    const { color = '', quantity = '', opacity, label } = entry.attributes;
    const parsed = parseColor(color);
    const value = Number(quantity || Number.NaN);
    if (parsed === undefined || Number.isNaN(value)) return fault('a ColorMapEntry needs a color and a quantity');
    const alpha = opacity === undefined || opacity === '' ? parsed[3] : Math.min(1, Math.max(0, Number(opacity) || 0));
    stops.push({
      value,
      color: formatColor([parsed[0], parsed[1], parsed[2], alpha]),
      ...(label === undefined ? {} : { label }),
    });
  }
  if (stops.length === 0) return ok(undefined);
  if (stops.length > MAX_STOPS) return fault(`a ColorMap has at most ${MAX_STOPS} entries`);
  const { type } = map.attributes;
  const kind = type === 'intervals' || type === 'values' ? type : 'ramp';
  if (kind !== 'values') stops.sort((a, b) => a.value - b.value);
  return ok({ kind, stops });
}

/** Categorize gives a colour below each threshold, Interpolate one at each point. */
function readEncodedRamp(element: XmlElement): Ramp | undefined {
  const color = (text: string): string => {
    const parsed = parseColor(text);
    return parsed === undefined ? '#808080' : formatColor(parsed);
  };
  if (element.name === 'Interpolate') {
    const stops = childrenOf(element, 'InterpolationPoint').map((point) => ({
      value: Number(textOf(childOf(point, 'Data'))),
      color: color(textOf(childOf(point, 'Value'))),
    }));
    return stops.length === 0
      ? undefined
      : { kind: 'ramp', stops: stops.filter((stop) => Number.isFinite(stop.value)) };
  }
  const values = childrenOf(element, 'Value').map((value) => color(textOf(value)));
  const thresholds = childrenOf(element, 'Threshold').map((threshold) => Number(textOf(threshold)));
  const stops = values.map((one, i) => ({ value: thresholds[i] ?? Number.MAX_VALUE, color: one }));
  return stops.length === 0 ? undefined : { kind: 'intervals', stops };
}

function fault(message: string): Result<never, SldFault> {
  return err({ message });
}
