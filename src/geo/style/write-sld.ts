// A style → SLD, version 1.0 or 1.1. Looks that follow the data become rules, looks that follow the zoom become ranges of scales;
// what SLD has no words for is left out, with a comment in its place.

import { escapeXml } from '../../kernel/escape-xml.ts';
import { hexColor, parseColor } from './color.ts';
import { ICON_SCHEME, iconPath } from './icons.ts';
import { writeSldGroup } from './sld-group.ts';
import { type PlainRule, splitRules } from './split-rules.ts';
import { type Hillshade, type Json, MARKS, METADATA, RELIEF, rasterLook, type StyleLayer } from './style-layer.ts';
import { writeCondition, writeValue } from './write-filter.ts';
import { zoomToScale } from './zoom-scale.ts';

export type SldVersion = '1.0.0' | '1.1.0';

export type SldHead = { readonly layer: string; readonly style: string; readonly title: string | undefined };

/** What the two versions write differently. */
type Dialect = { readonly parameter: string; readonly se: string };
const DIALECTS: Readonly<Record<SldVersion, Dialect>> = {
  '1.0.0': { parameter: 'CssParameter', se: '' },
  '1.1.0': { parameter: 'se:SvgParameter', se: 'se:' },
};

export function writeSld(layers: readonly StyleLayer[], head: SldHead, version: SldVersion = '1.0.0'): string {
  const dialect = DIALECTS[version];
  const { se } = dialect;
  const groups: string[] = [];
  for (let i = 0; i < layers.length; i++) {
    const layer = layers[i];
    if (layer === undefined) continue;
    const outline = outlineOf(layer, layers[i + 1]);
    if (outline !== undefined) i++;
    groups.push(writeGroup(layer, outline, dialect));
  }
  const title =
    head.title === undefined
      ? ''
      : version === '1.0.0'
        ? `<Title>${escapeXml(head.title)}</Title>`
        : `<se:Description><se:Title>${escapeXml(head.title)}</se:Title></se:Description>`;
  const spaces =
    version === '1.0.0'
      ? 'xmlns="http://www.opengis.net/sld"'
      : 'xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se"';
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<StyledLayerDescriptor version="${version}" ${spaces} xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">` +
    `<NamedLayer><${se}Name>${escapeXml(head.layer)}</${se}Name><UserStyle><${se}Name>${escapeXml(head.style)}</${se}Name>${title}` +
    `${groups.join('')}</UserStyle></NamedLayer></StyledLayerDescriptor>\n`
  );
}

/** A fill and the line after it under the same conditions are one polygon with its border. */
function outlineOf(layer: StyleLayer, next: StyleLayer | undefined): StyleLayer | undefined {
  if (layer.type !== 'fill' || next?.type !== 'line' || layer.paint?.['fill-outline-color'] !== undefined)
    return undefined;
  const same =
    layer.minzoom === next.minzoom &&
    layer.maxzoom === next.maxzoom &&
    JSON.stringify(layer.filter) === JSON.stringify(next.filter) &&
    JSON.stringify(layer.metadata?.[METADATA.group]) === JSON.stringify(next.metadata?.[METADATA.group]) &&
    layer.metadata?.[METADATA.title] === next.metadata?.[METADATA.title];
  // A border that is a choice of its own makes rules of its own.
  return same && splitRules(next).length === 1 ? next : undefined;
}

function writeGroup(written: StyleLayer, outline: StyleLayer | undefined, dialect: Dialect): string {
  const { se } = dialect;
  const { before, after, layer } = writeSldGroup(written);
  const border = outline === undefined ? undefined : splitRules(writeSldGroup(outline).layer)[0];
  const rules = splitRules(layer).map((rule) => writeRule(layer, rule, border, dialect));
  return `<${se}FeatureTypeStyle>${before}${rules.join('')}${after}</${se}FeatureTypeStyle>`;
}

function writeRule(layer: StyleLayer, rule: PlainRule, border: PlainRule | undefined, dialect: Dialect): string {
  const { se } = dialect;
  if (rule.values['visibility'] === 'none') return '';
  const filter = rule.filter === undefined ? '' : writeCondition(rule.filter);
  if (filter === undefined)
    return `<!-- ${escapeXml(layer.id).replaceAll('--', '- -')}: its filter has no form in SLD -->`;
  const title = rule.title === undefined ? '' : writeTitle(rule.title, dialect);
  const least = rule.maxzoom === undefined ? '' : scale('Min', rule.maxzoom, se);
  const most = rule.minzoom === undefined ? '' : scale('Max', rule.minzoom, se);
  const condition = filter === '' ? '' : `<ogc:Filter>${filter}</ogc:Filter>`;
  return `<${se}Rule>${title}${condition}${least}${most}${writeSymbolizer(layer, rule, border, dialect)}</${se}Rule>`;
}

function writeTitle(title: string, { se }: Dialect): string {
  const text = `<${se}Title>${escapeXml(title)}</${se}Title>`;
  return se === '' ? text : `<${se}Description>${text}</${se}Description>`;
}

function scale(end: 'Min' | 'Max', zoom: number, se: string): string {
  return `<${se}${end}ScaleDenominator>${Number(zoomToScale(zoom).toPrecision(15))}</${se}${end}ScaleDenominator>`;
}

function writeSymbolizer(layer: StyleLayer, rule: PlainRule, border: PlainRule | undefined, dialect: Dialect): string {
  const { se } = dialect;
  switch (rule.type) {
    case 'fill': {
      const edge = rule.values['fill-outline-color'];
      const stroke =
        border !== undefined
          ? writeStroke(border, dialect)
          : edge === undefined
            ? ''
            : element('Stroke', [parameter('stroke', color(edge), dialect)], dialect);
      const fill = element(
        'Fill',
        [
          parameter('fill', color(rule.values['fill-color'] ?? '#000000'), dialect),
          parameter('fill-opacity', opacity(rule.values['fill-color'], rule.values['fill-opacity']), dialect),
        ],
        dialect,
      );
      return `<${se}PolygonSymbolizer>${fill}${stroke}</${se}PolygonSymbolizer>`;
    }
    case 'line': {
      const shift = rule.values['line-offset'];
      const offset =
        se !== '' && typeof shift === 'number' ? `<se:PerpendicularOffset>${shift}</se:PerpendicularOffset>` : '';
      return `<${se}LineSymbolizer>${writeStroke(rule, dialect)}${offset}</${se}LineSymbolizer>`;
    }
    case 'circle':
      return writePoint(rule, dialect);
    case 'symbol':
      return writeText(rule, dialect);
    case 'heatmap':
      return '<!-- a heatmap has no form in SLD -->';
    case 'raster':
      return writeRaster(layer, rule, dialect);
  }
}

function writeStroke({ values }: PlainRule, dialect: Dialect): string {
  const width = values['line-width'] ?? 1;
  const dashes = values['line-dasharray'];
  const unit = typeof width === 'number' ? width : 1;
  const plain = Array.isArray(dashes) && dashes.every((dash) => typeof dash === 'number');
  const join = values['line-join'];
  return element(
    'Stroke',
    [
      parameter('stroke', color(values['line-color'] ?? '#000000'), dialect),
      parameter('stroke-width', width, dialect),
      parameter('stroke-opacity', opacity(values['line-color'], values['line-opacity']), dialect),
      parameter('stroke-linecap', values['line-cap'], dialect),
      parameter('stroke-linejoin', join === 'miter' ? 'mitre' : join, dialect),
      parameter(
        'stroke-dasharray',
        plain ? dashes.map((dash) => round(Number(dash) * unit)).join(' ') : undefined,
        dialect,
      ),
    ],
    dialect,
  );
}

function writePoint({ values, metadata }: PlainRule, dialect: Dialect): string {
  const { se } = dialect;
  const mark = MARKS.find((one) => one === metadata[METADATA.mark]) ?? 'circle';
  const radius = values['circle-radius'] ?? 5;
  const size = typeof radius === 'number' ? String(round(radius * 2)) : (writeValue(['*', radius, 2]) ?? '10');
  const hasStroke = values['circle-stroke-width'] !== undefined && values['circle-stroke-width'] !== 0;
  const stroke = hasStroke
    ? element(
        'Stroke',
        [
          parameter('stroke', color(values['circle-stroke-color'] ?? '#000000'), dialect),
          parameter('stroke-width', values['circle-stroke-width'], dialect),
          parameter('stroke-opacity', opacity(values['circle-stroke-color'], values['circle-stroke-opacity']), dialect),
        ],
        dialect,
      )
    : '';
  const fill = element(
    'Fill',
    [
      parameter('fill', color(values['circle-color'] ?? '#000000'), dialect),
      parameter('fill-opacity', opacity(values['circle-color'], values['circle-opacity']), dialect),
    ],
    dialect,
  );
  return (
    `<${se}PointSymbolizer><${se}Graphic><${se}Mark><${se}WellKnownName>${iconPath(mark) === undefined ? mark : `${ICON_SCHEME}${mark}`}</${se}WellKnownName>${fill}${stroke}</${se}Mark>` +
    `<${se}Size>${size}</${se}Size></${se}Graphic></${se}PointSymbolizer>`
  );
}

const ANCHORS: Readonly<Record<string, readonly [number, number]>> = {
  left: [0, 0.5],
  right: [1, 0.5],
  top: [0.5, 1],
  bottom: [0.5, 0],
  'top-left': [0, 1],
  'top-right': [1, 1],
  'bottom-left': [0, 0],
  'bottom-right': [1, 0],
  center: [0.5, 0.5],
};

function writeText({ values }: PlainRule, dialect: Dialect): string {
  const { se } = dialect;
  const field = values['text-field'];
  const label = field === undefined ? undefined : writeLabel(field);
  if (label === undefined) return '<!-- a label that has no form in SLD -->';
  const size = values['text-size'] ?? 16;
  const [font] = Array.isArray(values['text-font']) ? values['text-font'] : ['Noto Sans Regular'];
  const words = String(font);
  const family = words.replace(/\b(regular|bold|italic|oblique)\b/gi, '').trim() || 'sans-serif';
  const looks = element(
    'Font',
    [
      parameter('font-family', family, dialect),
      parameter('font-size', size, dialect),
      parameter('font-weight', /bold/i.test(words) ? 'bold' : undefined, dialect),
      parameter('font-style', /italic|oblique/i.test(words) ? 'italic' : undefined, dialect),
    ],
    dialect,
  );
  const width = values['text-halo-width'];
  const halo =
    typeof width === 'number' && width > 0
      ? `<${se}Halo><${se}Radius>${width}</${se}Radius>${element(
          'Fill',
          [
            parameter('fill', color(values['text-halo-color'] ?? '#ffffff'), dialect),
            parameter('fill-opacity', opacity(values['text-halo-color'], undefined), dialect),
          ],
          dialect,
        )}</${se}Halo>`
      : '';
  const fill = element(
    'Fill',
    [
      parameter('fill', color(values['text-color'] ?? '#000000'), dialect),
      parameter('fill-opacity', opacity(values['text-color'], values['text-opacity']), dialect),
    ],
    dialect,
  );
  const placement = writePlacement(values, typeof size === 'number' ? size : 10, se);
  return `<${se}TextSymbolizer><${se}Label>${label}</${se}Label>${looks}${placement}${halo}${fill}</${se}TextSymbolizer>`;
}

function writeLabel(field: Json): string | undefined {
  if (typeof field === 'string' || typeof field === 'number') {
    // The older form names columns in braces.
    return String(field)
      .split(/(\{[^{}]+\})/)
      .map((part) => (/^\{.+\}$/.test(part) ? writeValue(['get', part.slice(1, -1)]) : escapeXml(part)))
      .join('');
  }
  return writeValue(field);
}

function writePlacement(values: PlainRule['values'], size: number, se: string): string {
  if (values['symbol-placement'] === 'line' || values['symbol-placement'] === 'line-center')
    return `<${se}LabelPlacement><${se}LinePlacement/></${se}LabelPlacement>`;
  const [x, y] = ANCHORS[String(values['text-anchor'] ?? 'center')] ?? [0.5, 0.5];
  const offset = values['text-offset'];
  const [dx, dy] = Array.isArray(offset) ? offset.map(Number) : [0, 0];
  const turn = values['text-rotate'];
  const shift =
    (dx ?? 0) === 0 && (dy ?? 0) === 0
      ? ''
      : `<${se}Displacement><${se}DisplacementX>${round((dx ?? 0) * size)}</${se}DisplacementX><${se}DisplacementY>${round(-(dy ?? 0) * size)}</${se}DisplacementY></${se}Displacement>`;
  return (
    `<${se}LabelPlacement><${se}PointPlacement><${se}AnchorPoint><${se}AnchorPointX>${x}</${se}AnchorPointX><${se}AnchorPointY>${y}</${se}AnchorPointY></${se}AnchorPoint>` +
    `${shift}${typeof turn === 'number' ? `<${se}Rotation>${turn}</${se}Rotation>` : ''}</${se}PointPlacement></${se}LabelPlacement>`
  );
}

function writeRaster(layer: StyleLayer, { values }: PlainRule, { se }: Dialect): string {
  const look = rasterLook(layer);
  const shown = values['raster-opacity'];
  const channel = (name: string, band: number): string =>
    `<${se}${name}><${se}SourceChannelName>${band}</${se}SourceChannelName>${stretchOf(name)}</${se}${name}>`;
  const stretchOf = (name: string): string =>
    name === 'GrayChannel' && look.stretch !== undefined
      ? `<${se}ContrastEnhancement><${se}Normalize><${se}VendorOption name="minValue">${look.stretch[0]}</${se}VendorOption><${se}VendorOption name="maxValue">${look.stretch[1]}</${se}VendorOption></${se}Normalize></${se}ContrastEnhancement>`
      : '';
  const relief =
    look.hillshade === undefined
      ? ''
      : `<${se}ShadedRelief><${se}ReliefFactor>${round(RELIEF * look.hillshade.exaggeration)}</${se}ReliefFactor></${se}ShadedRelief>${sunOf(look.hillshade)}`;
  const names = look.bands?.length === 3 ? ['RedChannel', 'GreenChannel', 'BlueChannel'] : ['GrayChannel'];
  const bands = look.bands ?? (look.stretch === undefined ? [] : [1]);
  const channels =
    bands.length === 0
      ? ''
      : `<${se}ChannelSelection>${names.map((name, i) => channel(name, bands[i] ?? 1)).join('')}</${se}ChannelSelection>`;
  return `<${se}RasterSymbolizer>${typeof shown === 'number' ? `<${se}Opacity>${shown}</${se}Opacity>` : ''}${channels}${writeRamp(layer, se)}${relief}</${se}RasterSymbolizer>`;
}

/** Where the light comes from SLD cannot say: it is an option of ours where it is not the usual place. */
function sunOf({ azimuth, altitude }: Hillshade): string {
  if (azimuth === 315 && altitude === 45) return '';
  return `<VendorOption name="azimuth">${azimuth}</VendorOption><VendorOption name="altitude">${altitude}</VendorOption>`;
}

function writeRamp(layer: StyleLayer, se: string): string {
  const { kind = 'ramp', stops = [] } = rasterLook(layer);
  if (stops.length === 0) return '';
  if (se !== '' && kind !== 'values') {
    const look = '<se:LookupValue>Rasterdata</se:LookupValue>';
    if (kind === 'ramp')
      return `<se:ColorMap><se:Interpolate fallbackValue="#000000" mode="linear" method="color">${look}${stops
        .map(
          ({ value, color: one }) =>
            `<se:InterpolationPoint><se:Data>${value}</se:Data><se:Value>${color(one)}</se:Value></se:InterpolationPoint>`,
        )
        .join('')}</se:Interpolate></se:ColorMap>`;
    return `<se:ColorMap><se:Categorize fallbackValue="#000000">${look}${stops
      .map(
        ({ value, color: one }) =>
          `<se:Value>${color(one)}</se:Value>${value < Number.MAX_VALUE ? `<se:Threshold>${value}</se:Threshold>` : ''}`,
      )
      .join('')}</se:Categorize></se:ColorMap>`;
  }
  const entries = stops.map(({ value, color: one, label }) => {
    const alpha = parseColor(one)?.[3] ?? 1;
    return `<${se}ColorMapEntry color="${color(one)}" quantity="${value}"${alpha < 1 ? ` opacity="${round(alpha)}"` : ''}${label === undefined ? '' : ` label="${escapeXml(label)}"`}/>`;
  });
  return `<${se}ColorMap type="${kind}">${entries.join('')}</${se}ColorMap>`;
}

/** Nothing inside: no element. */
function element(name: string, inside: readonly string[], { se }: Dialect): string {
  return `<${se}${name}>${inside.join('')}</${se}${name}>`;
}

function parameter(name: string, value: Json | undefined, { parameter: tag }: Dialect): string {
  if (value === undefined || value === null) return '';
  const text =
    typeof value === 'object'
      ? writeValue(value)
      : typeof value === 'number'
        ? String(round(value))
        : escapeXml(String(value));
  return text === undefined ? '' : `<${tag} name="${name}">${text}</${tag}>`;
}

/** SLD writes colours without their opacity. */
function color(value: Json): Json {
  const parsed = typeof value === 'string' ? parseColor(value) : undefined;
  return parsed === undefined ? value : hexColor(parsed);
}

function opacity(value: Json | undefined, shown: Json | undefined): Json | undefined {
  const alpha = typeof value === 'string' ? (parseColor(value)?.[3] ?? 1) : 1;
  if (alpha >= 1) return shown;
  return typeof shown === 'number' || shown === undefined ? round(alpha * (shown ?? 1)) : shown;
}

function round(value: number): number {
  return Number(value.toFixed(4));
}
