// A style → its legend: a symbol and its words for each look the style has.

import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { parseColor } from '../../geo/style/color.ts';
import { isFaint } from '../../geo/style/contrast.ts';
import { COUNT, groupOf } from '../../geo/style/group.ts';
import { columnMeant, NO_VALUE_RADIUS, readOrNone } from '../../geo/style/no-value.ts';
import { legendSizes, readSize } from '../../geo/style/proportional-size.ts';
import { NO_VALUE_TITLE, type PlainRule, splitRules } from '../../geo/style/split-rules.ts';
import { type Json, type JsonObject, rasterLook, type StyleLayer } from '../../geo/style/style-layer.ts';
import { nearBy } from '../../geo/style/zoom-sizes.ts';
import { inSlices } from '../../kernel/in-slices.ts';
import { compileStyle } from './compile-style.ts';
import { drawFeatures } from './draw.ts';
import { fontText } from './fonts.ts';
import type { Feature } from './read-features.ts';

export type LegendOptions = {
  /** Of one symbol. */
  readonly width: number;
  readonly height: number;
  /** CSS; undefined: transparent. */
  readonly background: string | undefined;
  /** What people call the columns. */
  readonly names?: ReadonlyMap<string, string>;
  /** Columns in which some features have no value; undefined: nobody knows, and the legend says how such are drawn. */
  readonly missing?: ReadonlySet<string>;
  /** A line below it. */
  readonly note?: string | undefined;
  readonly words?: LegendWords;
};

/** What it says by itself, in the language of its reader. */
export type LegendWords = { readonly none: string; readonly few: string; readonly many: string };

const ENGLISH: LegendWords = { none: NO_VALUE_TITLE, few: 'few', many: 'many' };

export type LegendEntry = {
  readonly title: string;
  readonly layers: readonly StyleLayer[];
  /** What the classes are of: a column, or what of groups is counted. */
  readonly attribute?: string | undefined;
  /** It is for features without a value in this column. */
  readonly missing?: string | undefined;
};

const MAX_ENTRIES = 100;
const MAX_DEPTH = 20;
const GAP = 4;
const FONT_SIZE = 12;
/** Height of the name of an attribute. */
const HEADING = 18;

/** Looks with the same words under the same condition are one symbol: a fill and its border. */
export function legendEntries(style: readonly StyleLayer[], words: LegendWords = ENGLISH): readonly LegendEntry[] {
  const entries = new Map<
    string,
    {
      title: string;
      layers: StyleLayer[];
      fill?: string;
      attribute?: string | undefined;
      missing?: string | undefined;
    }
  >();
  const isOne = style.filter(({ type }) => type !== 'symbol').length <= 2;
  for (const layer of style) {
    // Labels explain themselves.
    if (layer.type === 'symbol') continue;
    if (layer.type === 'raster') {
      const { stops = [] } = rasterLook(layer);
      for (const stop of stops) {
        const title = stop.label ?? (stop.value < Number.MAX_VALUE ? String(stop.value) : '');
        entries.set(`raster ${title} ${stop.color}`, {
          title,
          layers: [stopLayer(stop.color, layer.paint?.['raster-opacity'])],
        });
      }
      if (stops.length === 0)
        entries.set('raster', {
          title: '',
          layers: [{ id: 'grey', type: 'fill', paint: { 'fill-color': '#999999' } }],
        });
      continue;
    }
    if (layer.type === 'heatmap') {
      for (const [i, { title, color }] of heatStops(layer, words).entries())
        entries.set(`heat ${i}`, { title, layers: [stopLayer(color, layer.paint?.['heatmap-opacity'])] });
      continue;
    }
    const rules = splitRules(asNearBy(withoutSizes(layer)));
    const sizes = sizeEntries(layer, rules, words);
    // One symbol of many sizes is told by its sizes.
    if (sizes.length > 0 && rules.length < 2) {
      for (const entry of sizes)
        entries.set(`size ${layer.id} ${entry.title}`, { ...entry, layers: [...entry.layers] });
      continue;
    }
    const below = style[style.indexOf(layer) - 1];
    if (layer.type === 'line' && rules.length === 1 && rules[0]?.title === undefined && below?.type === 'fill') {
      // One border around every class.
      for (const entry of entries.values())
        if (entry.fill === below.id) entry.layers.push(plainLayer(layer, rules[0], entry.layers.length));
      continue;
    }
    for (const rule of rules) {
      const isNone = rule.missing !== undefined && rule.title === NO_VALUE_TITLE;
      const title = isNone ? words.none : (rule.title ?? '');
      // Where there is one look only, its parts belong together whatever their conditions are.
      const key = isOne && title === '' ? title : `${title} ${JSON.stringify(rule.filter ?? null)}`;
      const entry = entries.get(key) ?? {
        title,
        layers: [],
        ...(layer.type === 'fill' ? { fill: layer.id } : {}),
        attribute: rules.length < 2 ? undefined : attributeOf(layer),
        ...(rule.missing === undefined ? {} : { missing: columnMeant(layer, rule.missing) }),
      };
      entry.layers.push(plainLayer(layer, rule, entry.layers.length));
      entries.set(key, entry);
    }
    for (const entry of sizes) entries.set(`size ${layer.id} ${entry.title}`, { ...entry, layers: [...entry.layers] });
  }
  return [...entries.values()].slice(0, MAX_ENTRIES);
}

const SIZE = 'circle-radius';
const COLOUR = 'circle-color';
/** Of the largest point in a legend: what its field has room for. */
const LARGEST = 9;

/** Points as large as a number says, where that is told by entries of its own. */
function withoutSizes(layer: StyleLayer): StyleLayer {
  const by = readSize(layer.paint?.[SIZE]);
  if (by === undefined) return layer;
  const colour = readOrNone(layer.paint?.[COLOUR]);
  const isOne = colour?.column === by.attribute && typeof colour.look === 'string';
  return {
    ...layer,
    paint: {
      ...layer.paint,
      [SIZE]: Math.min(by.radius, LARGEST),
      ...(isOne ? { [COLOUR]: colour.look as Json } : {}),
    },
  };
}

/** How large for how much. Where colours have classes of their own, in none of theirs. */
function sizeEntries(layer: StyleLayer, rules: readonly PlainRule[], words: LegendWords): readonly LegendEntry[] {
  const by = readSize(layer.paint?.[SIZE]);
  if (by === undefined) return [];
  const largest = Math.min(by.radius, LARGEST);
  const grey = rules.length < 2 ? {} : { [COLOUR]: '#888888' };
  const point = (i: number, look: JsonObject): readonly StyleLayer[] => {
    const { paint, ...plain } = plainLayer(layer, rules[0], i);
    return [{ ...plain, paint: { ...paint, ...look } }];
  };
  const attribute = by.attribute;
  const sizes = legendSizes(by).map(({ value, share }, i) => ({
    title: String(value),
    layers: point(i, { ...grey, [SIZE]: largest * share }),
    attribute,
  }));
  const { none } = readOrNone(layer.paint?.[SIZE]) ?? {};
  if (none === undefined) return sizes;
  const { none: colour } = readOrNone(layer.paint?.[COLOUR]) ?? {};
  const look = typeof colour === 'string' && rules.length < 2 ? { [COLOUR]: colour } : grey;
  const layers = point(sizes.length, { ...look, [SIZE]: NO_VALUE_RADIUS });
  return [...sizes, { title: words.none, layers, attribute, missing: attribute }];
}

/** The column by which colour or size of a layer's features is chosen. */
function attributeOf(layer: StyleLayer): string | undefined {
  const { value } = groupOf(layer) ?? {};
  if (value !== undefined) return `${value.of} ${value.column}`;
  const followed = ['color', 'radius', 'width'].map((name) => layer.paint?.[`${layer.type}-${name}`]);
  const [first] = followed.flatMap((one) => firstColumn(one) ?? []);
  return first === COUNT ? 'count' : first;
}

function firstColumn(value: Json | undefined, depth = 0): string | undefined {
  if (!Array.isArray(value) || depth > MAX_DEPTH) return undefined;
  const [operator, name] = value as readonly Json[];
  if ((operator === 'get' || operator === 'has') && typeof name === 'string') return name;
  for (const part of value as readonly Json[]) {
    const found = firstColumn(part, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A colour of a ramp, as much of it as the map shows. */
function stopLayer(color: string, opacity: Json | undefined): StyleLayer {
  const shown = nearBy(opacity ?? 1);
  return {
    id: 'stop',
    type: 'fill',
    paint: { 'fill-color': color, ...(typeof shown === 'number' ? { 'fill-opacity': shown } : {}) },
  };
}

/** The colours of a heatmap from few to many; what is all but transparent shows nothing. A density is no number that anybody could look up. */
function heatStops(
  layer: StyleLayer,
  words: LegendWords,
): readonly { readonly title: string; readonly color: string }[] {
  const ramp = layer.paint?.['heatmap-color'];
  const stops = Array.isArray(ramp) && ramp[0] === 'interpolate' ? (ramp.slice(3) as readonly Json[]) : [];
  const colors = stops.filter(
    (color, i): color is string => i % 2 === 1 && typeof color === 'string' && (parseColor(color)?.[3] ?? 0) > 0.05,
  );
  return colors.map((color, i) => ({
    color,
    title: i === colors.length - 1 ? words.many : i === 0 ? words.few : '',
  }));
}

/** A legend has one symbol for all zooms: the one of near by, which is the largest. */
function asNearBy(layer: StyleLayer): StyleLayer {
  const paint = Object.entries(layer.paint ?? {}).map(([name, value]) => [name, nearBy(value)] as const);
  return { ...layer, paint: Object.fromEntries(paint) };
}

/** Without filter and zooms: the legend shows it always. */
function plainLayer({ id, type, metadata }: StyleLayer, rule: PlainRule | undefined, count: number): StyleLayer {
  const values = Object.entries(rule?.values ?? {}).map(([name, value]) => [name, constant(value)] as const);
  return {
    id: `${id}-${count}`,
    type,
    paint: Object.fromEntries(values),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** What still follows the data is shown as it is in the middle of its range. */
function constant(value: Json): Json {
  if (!Array.isArray(value) || value[0] !== 'interpolate') return value;
  const outputs = value.slice(3).filter((_, i) => i % 2 === 1);
  return outputs[Math.floor(outputs.length / 2)] ?? value;
}

export async function drawLegend(style: readonly StyleLayer[], options: LegendOptions): Promise<Canvas> {
  const { width, height, background, names, missing, note, words } = options;
  const entries = legendEntries(style, words).filter(
    (entry) => entry.missing === undefined || missing === undefined || missing.has(entry.missing),
  );
  /** Above the first class of each attribute. */
  const headings = entries.map(({ attribute }, i) =>
    attribute === undefined || attribute === entries[i - 1]?.attribute
      ? undefined
      : (names?.get(attribute) ?? attribute),
  );
  const measure = createCanvas(1, 1).getContext('2d');
  const font = fontText('', FONT_SIZE);
  measure.font = font;
  const widest = Math.max(0, ...entries.map(({ title }) => Math.min(500, measure.measureText(title).width)));
  const headed = headings.filter((heading) => heading !== undefined);
  const widestHeading = Math.max(0, ...headed.map((heading) => Math.min(500, measure.measureText(heading).width)));
  const widestNote = note === undefined ? 0 : Math.min(500, measure.measureText(note).width);
  const row = Math.max(height, entries.some(({ title }) => title !== '') ? 16 : 1);
  const canvas = createCanvas(
    Math.ceil(
      Math.max(width + 2 * GAP + (widest > 0 ? widest + GAP : 0), widestHeading + 2 * GAP, widestNote + 2 * GAP),
    ),
    Math.max(1, entries.length * (row + GAP) + (headed.length + (note === undefined ? 0 : 1)) * HEADING + GAP),
  );
  const context = canvas.getContext('2d');
  if (background !== undefined) {
    context.fillStyle = background;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  const write = (words: string, x: number, y: number): void => {
    context.fillStyle = '#222222';
    context.font = font;
    context.textBaseline = 'middle';
    context.fillText(words, x, y, 500);
  };
  let top = GAP;
  for (const [i, entry] of entries.entries()) {
    const heading = headings[i];
    if (heading !== undefined) {
      write(heading, GAP, top + HEADING / 2);
      top += HEADING;
    }
    await drawSymbol(context, entry.layers, GAP, top + (row - height) / 2, width, height);
    if (isFaintEverywhere(entry.layers, background ?? PAPER)) {
      context.strokeStyle = HAIRLINE;
      context.lineWidth = 1;
      context.strokeRect(GAP + 0.5, top + (row - height) / 2 + 0.5, width - 1, height - 1);
    }
    if (entry.title !== '') write(entry.title, width + 2 * GAP, top + row / 2);
    top += row + GAP;
  }
  if (note !== undefined) write(note, GAP, top + HEADING / 2);
  return canvas;
}

/** What most clients show a transparent legend on. */
const PAPER = '#ffffff';
const HAIRLINE = '#8d8979';
/** Colours of a layer, each with its opacity. */
const LOOKS: Readonly<Record<string, readonly (readonly [color: string, opacity: string])[]>> = {
  fill: [
    ['fill-color', 'fill-opacity'],
    ['fill-outline-color', 'fill-opacity'],
  ],
  circle: [
    ['circle-color', 'circle-opacity'],
    ['circle-stroke-color', 'circle-stroke-opacity'],
  ],
  line: [['line-color', 'line-opacity']],
};

/** Nobody would see where the symbol ends. */
function isFaintEverywhere(layers: readonly StyleLayer[], ground: string): boolean {
  return layers.every(({ type, paint = {} }) =>
    (LOOKS[type] ?? []).every(([color, opacity]) => {
      const [drawn, share] = [paint[color], paint[opacity] ?? 1];
      if (drawn === undefined && color.endsWith('-outline-color')) return true;
      if (color === 'circle-stroke-color' && (drawn === undefined || paint['circle-stroke-width'] === 0)) return true;
      return typeof drawn === 'string' && typeof share === 'number' && isFaint(drawn, share, ground);
    }),
  );
}

/** A point that is larger than its field would be a square there. */
function fitting(layer: StyleLayer, most: number): StyleLayer {
  const { 'circle-radius': radius, 'circle-stroke-width': edge } = layer.paint ?? {};
  const room = Math.max(1, most - (typeof edge === 'number' ? edge : 0));
  return layer.type !== 'circle' || typeof radius !== 'number' || radius <= room
    ? layer
    : { ...layer, paint: { ...layer.paint, 'circle-radius': room } };
}

/** On a canvas of its own: a symbol larger than its field is cut, and not drawn over the next. */
async function drawSymbol(
  context: SKRSContext2D,
  layers: readonly StyleLayer[],
  x: number,
  y: number,
  width: number,
  height: number,
): Promise<void> {
  const field = createCanvas(width, height);
  const style = compileStyle(layers.map((layer) => fitting(layer, Math.min(width, height) / 2 - 1)));
  const base = { id: '', properties: {} };
  const isFilled = layers.some(({ type }) => type === 'fill');
  const m = 1.5;
  const area: Feature = {
    ...base,
    type: 'Polygon',
    parts: [Float64Array.of(m, m, width - m, m, width - m, height - m, m, height - m, m, m)],
  };
  const line: Feature = {
    ...base,
    type: 'LineString',
    parts: [Float64Array.of(0, height - 3, width * 0.35, height * 0.35, width * 0.65, height * 0.65, width, 3)],
  };
  const point: Feature = { ...base, type: 'Point', parts: [Float64Array.of(width / 2, height / 2)] };
  const features = layers.some(({ type }) => type === 'circle') ? [point] : isFilled ? [area] : [line];
  await inSlices(drawFeatures({ context: field.getContext('2d'), zoom: 10, labels: [] }, features, style));
  context.drawImage(field, x, y);
}
