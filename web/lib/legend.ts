// Layers of a MapLibre style → a legend: what stands for what. Understands the forms that styles of ours have (one symbol,
// categories, graduated); of any other expression it shows its first colour. Pure.

import { isFaint } from '../../src/geo/style/contrast.ts';
import { COUNT, groupOf } from '../../src/geo/style/group.ts';
import { markPath } from '../../src/geo/style/mark-path.ts';
import { missingColumn, NO_VALUE_RADIUS, readOrNone } from '../../src/geo/style/no-value.ts';
import { legendSizes, readSize } from '../../src/geo/style/proportional-size.ts';
import type { Json } from '../../src/geo/style/style-layer.ts';
import { nearBy } from '../../src/geo/style/zoom-sizes.ts';
import type { StyleLayer } from '../map/drawn.ts';

export type MapSymbol = {
  readonly shape: 'fill' | 'line' | 'circle' | 'text';
  readonly colour: string;
  /** Of the fill, or of the line: 0 to 1. */
  readonly opacity?: number | undefined;
  readonly outline?: string | undefined;
  /** Of the outline. */
  readonly outlineOpacity?: number | undefined;
  readonly size?: number | undefined;
  /** The size tells something: it is drawn as it is, and not as large as is easily seen. */
  readonly isSized?: boolean;
  /** Of a line: lengths of dashes and gaps, in widths of the line. */
  readonly dash?: readonly number[] | undefined;
  /** Of a point that is no circle: a path in a box of 24 by 24, filled by the rule `evenodd`. */
  readonly path?: string | undefined;
};
export type LegendEntry = {
  readonly symbol: MapSymbol;
  readonly label: string;
  /** The attribute whose classes these are. */
  readonly attribute?: string | undefined;
  /** What of groups of features the classes are of: how many there are, or the sum or mean of the attribute. */
  readonly of?: 'count' | 'sum' | 'mean' | undefined;
  /** It is for features without a value in this column. */
  readonly missing?: string | undefined;
};

/** Labels that whoever shows a legend says in the reader's language. */
export const OTHERS = '…';
export const NO_VALUE_LABEL = '∅';
export const FEW = '▁';
export const MANY = '█';

const NO_COLOUR = '#888888';
const COLOURS = {
  fill: 'fill-color',
  line: 'line-color',
  circle: 'circle-color',
  heatmap: 'heatmap-color',
  symbol: 'text-color',
} as const;

export function legendOf(layers: readonly StyleLayer[]): readonly LegendEntry[] {
  const shown = layers.filter((layer) => layer.type in COLOURS && layer.layout?.['visibility'] !== 'none');
  const hasFill = shown.some(({ type }) => type === 'fill');
  const entries = shown
    // The outline of an area belongs to its symbol; labels explain themselves.
    .filter((layer) => !(layer.type === 'line' && hasFill && isOutline(layer, shown)) && layer.type !== 'symbol')
    .flatMap((layer) => entriesOf(layer, shown));
  const seen = new Set<string>();
  return entries.filter(({ symbol, label }) => {
    const key = `${symbol.shape} ${symbol.colour} ${symbol.path ?? ''} ${label}`;
    return seen.has(key) ? false : seen.add(key) !== undefined;
  });
}

/** The line of an area is drawn for the same features. */
function isOutline({ filter }: StyleLayer, all: readonly StyleLayer[]): boolean {
  return all.some((one) => one.type === 'fill' && JSON.stringify(one.filter) === JSON.stringify(filter));
}

const OPACITIES = {
  fill: 'fill-opacity',
  line: 'line-opacity',
  circle: 'circle-opacity',
  symbol: 'text-opacity',
} as const;

function entriesOf(layer: StyleLayer, all: readonly StyleLayer[]): readonly LegendEntry[] {
  const type = layer.type as keyof typeof COLOURS;
  const shape = type === 'symbol' ? 'text' : type === 'heatmap' ? 'fill' : type;
  if (type === 'heatmap') return heatEntries(layer);
  const line = type === 'fill' ? all.find((one) => one.type === 'line' && isOutline(one, [layer])) : undefined;
  const edges = classesOf(
    type === 'circle'
      ? layer.paint?.['circle-stroke-color']
      : (layer.paint?.['fill-outline-color'] ?? line?.paint?.['line-color']),
  );
  const hasEdge = type === 'circle' ? nearSize(layer.paint?.['circle-stroke-width']) !== 0 : line !== undefined;
  const size = nearSize(layer.paint?.[type === 'circle' ? 'circle-radius' : 'line-width']);
  const value = colourOf(layer, type);
  const classes = classesOf(value);
  const group = groupOf(layer);
  const attribute =
    classes.length < 2 ? undefined : group === undefined ? attributeIn(value) : (group.value?.column ?? COUNT);
  const of = group === undefined ? undefined : (group.value?.of ?? 'count');
  const sizes = type === 'circle' ? sizeEntries(layer, classes) : [];
  // One symbol of many sizes is told by its sizes.
  if (sizes.length > 0 && classes.length < 2) return sizes;
  const entries = classes.map(
    ({ label, colour }, i): LegendEntry => ({
      label: label ?? labelOf(layer),
      ...missingIn(layer, label, attribute),
      ...(attribute === undefined ? {} : { attribute }),
      ...(of === undefined ? {} : { of }),
      symbol: {
        shape,
        colour,
        opacity: nearSize(layer.paint?.[OPACITIES[type]]),
        // An outline that follows the fill has the same classes.
        outline:
          hasEdge || type === 'fill' ? edgeColour(edges.length === classes.length ? edges[i] : edges[0]) : undefined,
        ...edgeOpacity(nearSize(edgePaint(layer, type, line))),
        ...(type === 'circle' ? markOf(layer) : type === 'line' ? dashOf(layer) : {}),
        // Clusters of more points are larger.
        size: group?.kind === 'cluster' ? 3 + i * 1.25 : size,
      },
    }),
  );
  return [...entries, ...sizes];
}

function edgePaint({ paint }: StyleLayer, type: keyof typeof COLOURS, line: StyleLayer | undefined): unknown {
  if (type === 'circle') return paint?.['circle-stroke-opacity'];
  // The thin one that a fill has of its own is as see-through as the fill.
  return line === undefined ? paint?.['fill-opacity'] : line.paint?.['line-opacity'];
}

const edgeOpacity = (opacity: number | undefined): Pick<MapSymbol, 'outlineOpacity'> =>
  opacity === undefined || opacity === 1 ? {} : { outlineOpacity: opacity };

/** The colours of a layer. Of points without the number that sizes follow, sizes tell. */
function colourOf({ paint }: StyleLayer, type: keyof typeof COLOURS): unknown {
  const value = paint?.[COLOURS[type]] ?? '#888888';
  const size = type === 'circle' ? readSize(paint?.['circle-radius']) : undefined;
  const read = readOrNone(value);
  return size !== undefined && read?.column === size.attribute && typeof read.look === 'string' ? read.look : value;
}

function missingIn(
  { filter }: StyleLayer,
  label: string | undefined,
  attribute: string | undefined,
): Pick<LegendEntry, 'missing'> {
  const missing = label === NO_VALUE_LABEL ? attribute : missingColumn(filter);
  return missing === undefined ? {} : { missing };
}

/** Radius of the largest point that fits beside its words. */
const LARGEST = 8;

/** Points as large as a number says: how large for how much. Where colours have classes of their own, in none of theirs. */
function sizeEntries(layer: StyleLayer, classes: ReturnType<typeof classesOf>): readonly LegendEntry[] {
  const by = readSize(layer.paint?.['circle-radius']);
  if (by === undefined) return [];
  const largest = Math.min(by.radius, LARGEST);
  const colour = classes.length === 1 ? (classes[0]?.colour ?? NO_COLOUR) : NO_COLOUR;
  const point = (label: string, shade: string, size: number): LegendEntry => ({
    label,
    attribute: by.attribute,
    symbol: {
      shape: 'circle',
      colour: shade,
      opacity: nearSize(layer.paint?.['circle-opacity']),
      ...markOf(layer),
      size,
      isSized: true,
    },
  });
  const sizes = legendSizes(by).map(({ value, share }) => point(String(value), colour, largest * share));
  if (readOrNone(layer.paint?.['circle-radius']) === undefined) return sizes;
  const none = classes.length === 1 ? readOrNone(layer.paint?.['circle-color'])?.none : undefined;
  const missing = point(NO_VALUE_LABEL, typeof none === 'string' ? none : NO_COLOUR, NO_VALUE_RADIUS);
  return [...sizes, { ...missing, missing: by.attribute }];
}

function markOf({ metadata }: StyleLayer): Pick<MapSymbol, 'path'> {
  const path = markPath(String(metadata?.['survest:mark'] ?? 'circle'));
  return path === undefined ? {} : { path };
}

const MAX_DASHES = 16;

function dashOf({ paint }: StyleLayer): Pick<MapSymbol, 'dash'> {
  const dash = paint?.['line-dasharray'];
  const isList = Array.isArray(dash) && dash.length > 0 && dash.length <= MAX_DASHES;
  return isList && dash.every((part) => typeof part === 'number' && part >= 0) ? { dash } : {};
}

/** Lengths of dashes in a sign of this length, in its own units: as on the map, or smaller, so that the pattern is seen twice. */
export function signDashes(dash: readonly number[], width: number, length: number): readonly number[] {
  const whole = dash.reduce((sum, part) => sum + part, 0) * (dash.length % 2 === 0 ? 1 : 2);
  const unit = whole > 0 ? Math.min(width, length / 2 / whole) : width;
  return dash.map((part) => part * unit);
}

/** The colours of a heatmap from few to many; nothing stands for none. A density is no number that anybody could look up. */
function heatEntries(layer: StyleLayer): readonly LegendEntry[] {
  return classesOf(layer.paint?.['heatmap-color'])
    .filter(({ label }) => Number(label) > 0)
    .map(({ colour }, i, all) => ({
      label: i === all.length - 1 ? MANY : i === 0 ? FEW : '',
      symbol: { shape: 'fill', colour, opacity: nearSize(layer.paint?.['heatmap-opacity']) },
    }));
}

function edgeColour(edge: { readonly colour: string } | undefined): string | undefined {
  return edge === undefined || edge.colour === NO_COLOUR ? undefined : edge.colour;
}

/** A number as it is near by, where symbols are largest. */
function nearSize(value: unknown): number | undefined {
  const near = nearBy(value as Json);
  return typeof near === 'number' ? near : undefined;
}

/** The first attribute that an expression looks at. */
function attributeIn(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  if ((value[0] === 'get' || value[0] === 'has') && typeof value[1] === 'string') return value[1];
  for (const part of value.slice(1)) {
    const found = attributeIn(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The classes of a colour expression, each with what it is for. */
export function classesOf(value: unknown): readonly { readonly label: string | undefined; readonly colour: string }[] {
  if (typeof value === 'string') return [{ label: undefined, colour: value }];
  if (!Array.isArray(value)) return [{ label: undefined, colour: '#888888' }];
  const [operator, ...rest] = value as readonly unknown[];
  if (operator === 'match') {
    const pairs = rest.slice(1);
    const entries: { label: string | undefined; colour: string }[] = [];
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const labels = pairs[i];
      entries.push({
        label: Array.isArray(labels) ? labels.join(', ') : String(labels),
        colour: firstColour(pairs[i + 1]),
      });
    }
    if (pairs.length % 2 === 1) entries.push({ label: OTHERS, colour: firstColour(pairs.at(-1)) });
    return entries;
  }
  if (operator === 'step') {
    const [, first, ...stops] = rest;
    const limits = stops.filter((_, i) => i % 2 === 0).map(Number);
    const colours = [first, ...stops.filter((_, i) => i % 2 === 1)].map(firstColour);
    return colours.map((colour, i) => ({ colour, label: rangeLabel(limits[i - 1], limits[i]) }));
  }
  if (operator === 'interpolate') {
    const stops = rest.slice(2);
    const entries: { label: string; colour: string }[] = [];
    for (let i = 0; i + 1 < stops.length; i += 2)
      entries.push({ label: String(stops[i]), colour: firstColour(stops[i + 1]) });
    return entries;
  }
  if (operator === 'case') {
    // Classes of what has a value, and one colour for what has none.
    const read = readOrNone(value);
    if (read !== undefined && Array.isArray(read.look))
      return [...classesOf(read.look), { label: NO_VALUE_LABEL, colour: firstColour(read.none) }];
    const entries: { label: string | undefined; colour: string }[] = [];
    for (let i = 0; i + 1 < rest.length; i += 2)
      entries.push({ label: conditionLabel(rest[i]), colour: firstColour(rest[i + 1]) });
    if (rest.length % 2 === 1) entries.push({ label: OTHERS, colour: firstColour(rest.at(-1)) });
    return entries;
  }
  return [{ label: undefined, colour: firstColour(value) }];
}

function rangeLabel(from: number | undefined, to: number | undefined): string {
  if (from === undefined) return `< ${to ?? ''}`;
  return to === undefined ? `≥ ${from}` : `${from} – ${to}`;
}

const SIGNS: Readonly<Record<string, string>> = { '<': '<', '<=': '≤', '>': '>', '>=': '≥', '!=': '≠' };

function conditionLabel(condition: unknown): string | undefined {
  if (!Array.isArray(condition)) return undefined;
  const [operator] = condition as readonly unknown[];
  const last: unknown = condition.at(-1);
  if (typeof last !== 'string' && typeof last !== 'number') return undefined;
  const sign = SIGNS[String(operator)];
  return sign === undefined ? String(last) : `${sign} ${last}`;
}

const COLOUR = /^(?:#[0-9a-f]{3,8}|rgba?\([\d.,\s%/]+\)|hsla?\([\d.,\s%/a-z]+\)|[a-z]{3,20})$/i;
const WORDS = new Set([
  'get',
  'match',
  'step',
  'case',
  'interpolate',
  'linear',
  'coalesce',
  'literal',
  'zoom',
  'number',
  'string',
]);

function firstColour(value: unknown): string {
  if (typeof value === 'string' && COLOUR.test(value) && !WORDS.has(value)) return value;
  if (Array.isArray(value)) {
    if (value[0] === 'rgb' || value[0] === 'rgba') {
      const alpha = value[0] === 'rgba' && typeof value[4] === 'number' ? ` / ${value[4]}` : '';
      return `rgb(${value.slice(1, 4).map(Number).join(' ')}${alpha})`;
    }
    for (const part of value.slice(1).reverse()) {
      const found = firstColour(part);
      if (found !== '#888888') return found;
    }
  }
  return '#888888';
}

function labelOf({ filter, metadata }: StyleLayer): string {
  const title = metadata?.['survest:title'];
  if (typeof title === 'string' && title !== '') return title;
  if (missingColumn(filter) !== undefined) return NO_VALUE_LABEL;
  return Array.isArray(filter) ? (conditionLabel(filter) ?? '') : '';
}

/** Whether nobody sees where a sign ends on this ground: neither its colour nor its outline stands out. */
export function isFaintSign({ colour, opacity = 1, outline, outlineOpacity = 1 }: MapSymbol, ground: string): boolean {
  return isFaint(colour, opacity, ground) && (outline === undefined || isFaint(outline, outlineOpacity, ground));
}
