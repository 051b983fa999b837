// SLD 1.0 and 1.1 (Symbology Encoding) → styles as MapLibre layers: one layer or two for each symbolizer of each rule, with the
// rule's filter and scales. Pictures from elsewhere are never fetched; a plain symbol stands in for them.

import { ok, type Result } from '../../kernel/result.ts';
import { type ColumnHint, type ReadContext, readFilter } from './read-filter.ts';
import { readPoint } from './read-point-symbolizer.ts';
import { readRaster } from './read-raster-symbolizer.ts';
import { readLine, readPolygon } from './read-shape-symbolizer.ts';
import { readText } from './read-text-symbolizer.ts';
import { asGrouped, readSldGroup } from './sld-group.ts';
import { type Json, type JsonObject, METADATA, parseStyle, type StyleLayer } from './style-layer.ts';
import { type Parts, type SldFault, sldFault } from './symbolizer.ts';
import { unreadParts } from './unread-parts.ts';
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

export type SldOptions = { readonly columns?: readonly ColumnHint[] };

/** The first style of the document. */
export function readSld(text: string, options: SldOptions = {}): Result<SldStyle, SldFault> {
  const document = readSldDocument(text, options);
  if (!document.ok) return document;
  const styles = document.value.flatMap((layer) => layer.styles);
  const style = styles.find((one) => one.isDefault) ?? styles[0];
  return style === undefined ? sldFault('there is no UserStyle in the document') : ok(style);
}

const MAX_RULES = 400;
/** Of a style; further ones are counted. */
const MAX_WARNINGS = 200;
/** As JSON, in characters. */
const MAX_ELSE_TEXT = 5_000_000;

/** All layers of the document with their styles. */
export function readSldDocument(text: string, options: SldOptions = {}): Result<readonly SldLayer[], SldFault> {
  const root = parseXml(text);
  if (!root.ok) return sldFault(`the SLD cannot be read: ${root.error.message}`);
  if (root.value.name !== 'StyledLayerDescriptor') return sldFault('the document is no StyledLayerDescriptor');
  const layers: SldLayer[] = [];
  for (const layer of childrenOf(root.value, 'NamedLayer', 'UserLayer')) {
    if (layer.name === 'UserLayer' && childOf(layer, 'RemoteOWS') !== undefined)
      return sldFault('layers of other services are not drawn');
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
  return layers.length === 0 ? sldFault('the document has no layer') : ok(layers);
}

function readUserStyle(style: XmlElement, options: SldOptions): Result<SldStyle, SldFault> {
  const warnings = new Set<string>();
  let further = 0;
  const warn = (message: string): void => {
    if (warnings.has(message)) return;
    if (warnings.size < MAX_WARNINGS) warnings.add(message);
    else further += 1;
  };
  const context: ReadContext = { columns: options.columns, warn };
  const layers: StyleLayer[] = [];
  let rules = 0;
  for (const group of childrenOf(style, 'FeatureTypeStyle', 'CoverageStyle')) {
    const groups = readSldGroup(group, warn);
    for (const part of childrenOf(group, 'Transformation', 'VendorOption'))
      if (!groups.read.has(part))
        warn(
          `${group.name}: ${[part.name, ...(part.attributes['name'] ?? '').split(' ', 1)].join(' ').trim()} has no effect.`,
        );
    const filters: Json[] = [];
    const inGroup = childrenOf(group, 'Rule');
    rules += inGroup.length;
    if (rules > MAX_RULES) return sldFault(`a style has at most ${MAX_RULES} rules`);
    for (const rule of inGroup) {
      const filter = childOf(rule, 'Filter');
      if (filter === undefined) continue;
      const read = readFilter(filter, context);
      if (!read.ok) return read;
      filters.push(read.value);
    }
    const isElseRule = (rule: XmlElement): boolean => childOf(rule, 'ElseFilter') !== undefined;
    // Each of them repeats all filters of the others.
    if (inGroup.filter(isElseRule).length * JSON.stringify(filters).length > MAX_ELSE_TEXT)
      return sldFault('the filters are too long for so many rules with an ElseFilter');
    let at = 0;
    for (const rule of inGroup) {
      const isElse = isElseRule(rule);
      const own = childOf(rule, 'Filter') === undefined ? undefined : filters[at++];
      const filter = isElse && filters.length > 0 ? (['!', ['any', ...filters]] as Json) : own;
      const drawn = readRule(rule, filter, layers.length, context);
      if (!drawn.ok) return drawn;
      const { group: grouped } = groups;
      layers.push(...(grouped === undefined ? drawn.value : drawn.value.map((one) => asGrouped(one, grouped))));
    }
  }
  const checked = parseStyle(layers);
  if (!checked.ok) return sldFault(`${checked.error.path}: ${checked.error.message}`);
  const title = textOf(childOf(style, 'Title') ?? childOf(childOf(style, 'Description'), 'Title'));
  return ok({
    name: textOf(childOf(style, 'Name')),
    title: title === '' ? undefined : title,
    isDefault: /^(1|true)$/.test(textOf(childOf(style, 'IsDefault'))),
    layers,
    warnings: [...warnings, ...(further === 0 ? [] : [`… and ${further} more.`])],
  });
}

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
    const place = `${title === '' ? '' : `Rule "${title.slice(0, 60)}", `}${symbolizer.name}`;
    const warn = (message: string): void => context.warn(`${place}: ${message}`);
    for (const part of unreadParts(symbolizer)) warn(`${part}.`);
    const parts = readSymbolizer(symbolizer, { ...context, warn });
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
      return sldFault(`the symbolizer ${symbolizer.name} cannot be drawn`);
  }
}
