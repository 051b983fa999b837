// A style that a person can make without knowing anything of styles: one symbol, a colour per category or per class of a number, a size by
// a number, a heatmap, groups with their counts. To MapLibre layers and, where it was made so, back. Pure.

import { groupOf } from '../../src/geo/style/group.ts';
import { ICON_NAMES, type IconName } from '../../src/geo/style/icons.ts';
import { HIDDEN, hasValue, NO_VALUE, numberIn, orNone, readOrNone, valueColumn } from '../../src/geo/style/no-value.ts';
import { readSize, sizeExpression } from '../../src/geo/style/proportional-size.ts';
import type { Json } from '../../src/geo/style/style-layer.ts';
import { byZoom, readByZoom, SMALL_RADIUS, SMALL_WIDTH } from '../../src/geo/style/zoom-sizes.ts';
import type { StyleLayer } from '../map/drawn.ts';
import { RAMPS, rampColours } from './colour-classes.ts';
import { type GroupColouring, groupLayers, readGroups } from './group-style.ts';
import { isSameJson } from './same-json.ts';

export type GeometryKind = 'point' | 'line' | 'polygon' | 'mixed';

export type SimpleStyle = {
  readonly colour: Colouring;
  /** A colour; AUTOMATIC: areas have that of their fill, points a white halo. */
  readonly outline: string;
  /** Of lines and outlines, in pixels. */
  readonly width: number;
  /** Of points, in pixels. */
  readonly radius: number;
  /** Of areas and points. */
  readonly opacity: number;
  /** Attribute that is written beside each feature; empty: none. */
  readonly label: string;
  /** The zoom from which on features stand apart: below it symbols are smaller, and outlines and halos fade. Undefined: sizes stay. */
  readonly crowd: number | undefined;
  /** Points as large as a number says: the area of the one with `most` is that of the radius. */
  readonly sizeBy?: SizeBy | undefined;
  /** Of points. */
  readonly mark?: Mark | undefined;
  /** Of lines. */
  readonly dash?: Dash | undefined;
};

type SizeBy = {
  readonly attribute: string;
  readonly most: number;
  /** Of points without the number, which are small: a colour, or HIDDEN. Where colours follow a column, theirs is taken. */
  readonly none: string;
};
type Mark = Shape | IconName;
type Shape = 'circle' | 'square' | 'triangle' | 'star' | 'cross';
export const SHAPES: readonly Shape[] = ['circle', 'square', 'triangle', 'star', 'cross'];
const MARKS: readonly Mark[] = [...SHAPES, ...ICON_NAMES];
const MARK = 'survest:mark';
/** In widths of the line. */
const DASHES = { dashed: [4, 2], dotted: [1, 2], dashdot: [4, 2, 1, 2] } as const;
export type Dash = keyof typeof DASHES;
export const DASH_NAMES: readonly Dash[] = ['dashed', 'dotted', 'dashdot'];

export const AUTOMATIC = 'auto';
const HALO = '#ffffff';

export type Colouring =
  | { readonly kind: 'single'; readonly colour: string }
  | {
      readonly kind: 'categories';
      readonly attribute: string;
      readonly entries: readonly Category[];
      readonly other: string;
      /** For what has no value: a colour, or HIDDEN; undefined: it is one of the others. */
      readonly none?: string | undefined;
    }
  | {
      readonly kind: 'graduated';
      readonly attribute: string;
      readonly breaks: readonly number[];
      readonly colours: readonly string[];
      /** For what has no number: a colour, or HIDDEN. */
      readonly none: string;
    }
  | {
      /** Points as a density. */
      readonly kind: 'heat';
      readonly ramp: string;
      /** How far a point reaches, in pixels. */
      readonly reach: number;
      /** How warm it gets: 1, as usual, or so many times as much. */
      readonly strength?: number | undefined;
      /** Points count by a number, of which `mean` counts as one. */
      readonly weight?: HeatWeight | undefined;
      /** Colours in even steps, as earlier versions made them: where many points lie, all is the last one. */
      readonly isEven?: true | undefined;
    }
  | GroupColouring;
type HeatWeight = { readonly attribute: string; readonly mean: number };
type HeatColouring = Extract<Colouring, { kind: 'heat' }>;
type Category = { readonly value: string | number; readonly colour: string };

export const PALETTE: readonly string[] = [
  '#1f78b4',
  '#e8871e',
  '#33a02c',
  '#c2325f',
  '#7a5195',
  '#b7950b',
  '#0b877d',
  '#a65628',
  '#5b7db1',
  '#d14d9a',
  '#6b8e23',
  '#8c8c8c',
];

export const PLAIN: SimpleStyle = {
  colour: { kind: 'single', colour: '#0b877d' },
  outline: AUTOMATIC,
  width: 1.5,
  radius: 5,
  opacity: 0.75,
  label: '',
  crowd: undefined,
};

export function toLayers(style: SimpleStyle, geometry: GeometryKind): readonly StyleLayer[] {
  if (style.colour.kind === 'heat') return [heatLayer(style, style.colour)];
  if (isGrouped(style.colour)) {
    const outline = style.outline === AUTOMATIC ? HALO : style.outline;
    return groupLayers(style.colour, { opacity: style.opacity, outline, width: Math.min(style.width, 4) });
  }
  const { sizeBy } = style;
  const colour = colourExpression(style.colour);
  const isSizeAlone = sizeBy !== undefined && style.colour.kind === 'single' && sizeBy.none !== HIDDEN;
  const fill: StyleLayer = { id: 'fill', type: 'fill', paint: { 'fill-color': colour, 'fill-opacity': style.opacity } };
  const isAutomatic = style.outline === AUTOMATIC;
  const faded = byZoom(style.crowd, 0, 1);
  const outline: StyleLayer = {
    id: 'outline',
    type: 'line',
    paint: {
      'line-color': isAutomatic ? colour : style.outline,
      'line-width': style.width,
      ...(faded === 1 ? {} : { 'line-opacity': faded }),
    },
  };
  const line: StyleLayer = {
    id: 'line',
    type: 'line',
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: {
      'line-color': colour,
      'line-width': byZoom(style.crowd, Math.min(SMALL_WIDTH, style.width), style.width),
      ...(style.dash === undefined ? {} : { 'line-dasharray': DASHES[style.dash] }),
    },
  };
  const circle: StyleLayer = {
    id: 'circle',
    type: 'circle',
    ...(style.mark === undefined || style.mark === 'circle' ? {} : { metadata: { [MARK]: style.mark } }),
    paint: {
      'circle-color': isSizeAlone ? orNone(sizeBy.attribute, colour, sizeBy.none) : colour,
      'circle-radius':
        sizeBy === undefined
          ? byZoom(style.crowd, Math.min(SMALL_RADIUS, style.radius), style.radius)
          : sizeExpression({ radius: style.radius, ...sizeBy }, sizeBy.none === HIDDEN),
      'circle-opacity': style.opacity,
      'circle-stroke-color': isAutomatic ? HALO : style.outline,
      'circle-stroke-width': byZoom(style.crowd, 0, Math.min(style.width, 4)),
    },
  };
  const drawn = drawnConditions(style);
  const only = (type: string, layer: StyleLayer): StyleLayer => ({ ...layer, filter: ['==', ['geometry-type'], type] });
  const symbols: Readonly<Record<GeometryKind, readonly StyleLayer[]>> = {
    point: [circle],
    line: [line],
    polygon: [fill, outline],
    mixed: [only('Polygon', fill), only('Polygon', outline), only('LineString', line), only('Point', circle)],
  };
  const layers = [...symbols[geometry], ...(style.label === '' ? [] : [labels(style.label, geometry)])];
  return drawn.length === 0 ? layers : layers.map((layer) => withConditions(layer, drawn));
}

/** What a feature has to have to be drawn: features without a value may be hidden. */
function drawnConditions({ colour, sizeBy }: SimpleStyle): readonly unknown[] {
  const isByColumn = colour.kind === 'graduated' || colour.kind === 'categories';
  const columns = [
    ...(isByColumn && colour.none === HIDDEN ? [colour.attribute] : []),
    ...(sizeBy?.none === HIDDEN ? [sizeBy.attribute] : []),
  ];
  return [...new Set(columns)].map(hasValue);
}

function withConditions(layer: StyleLayer, drawn: readonly unknown[]): StyleLayer {
  const all = [...(layer.filter === undefined ? [] : [layer.filter]), ...drawn];
  return { ...layer, filter: all.length === 1 ? all[0] : ['all', ...all] };
}

/** Columns in which features have to have a value to be drawn. */
function columnsNeeded(filter: unknown): ReadonlySet<string> {
  const conditions: readonly unknown[] = Array.isArray(filter) && filter[0] === 'all' ? filter.slice(1) : [filter];
  return new Set(conditions.flatMap((condition) => valueColumn(condition) ?? []));
}

export function isGrouped(colour: Colouring): colour is GroupColouring {
  return colour.kind === 'cluster' || colour.kind === 'hexagon';
}

/** Where points stand apart, one alone is hardly warm; a zoom farther away there are four in its place. */
function heatLayer(
  { crowd, opacity }: SimpleStyle,
  { ramp, reach, strength = 1, weight, isEven }: HeatColouring,
): StyleLayer {
  const colours = rampColours(RAMPS[ramp] ?? ['#ffffb2', '#fd8d3c', '#a50f15'], HEAT_STOPS);
  // What is counted ends at 1: so that places eight times as dense still differ, there is less of each point, and colours lie closer to nought.
  const share = isEven === true ? 1 : strength / HEAT_ROOM;
  const stopAt = (i: number): number => ((i + 0.3) / (HEAT_STOPS - 0.7)) ** (isEven === true ? 1 : 2);
  const intensity =
    crowd === undefined
      ? share
      : [
          'interpolate',
          ['exponential', 4],
          ['zoom'],
          crowd - 8,
          HEAT_SHARE * share * 4 ** -8,
          crowd + 2,
          HEAT_SHARE * share * 4 ** 2,
        ];
  return {
    id: 'heat',
    type: 'heatmap',
    paint: {
      'heatmap-color': [
        'interpolate',
        ['linear'],
        ['heatmap-density'],
        0,
        transparent(colours[0]),
        ...colours.flatMap((colour, i) => [
          Math.round(stopAt(i) * (isEven === true ? 100 : 1000)) / (isEven === true ? 100 : 1000),
          colour,
        ]),
      ],
      'heatmap-radius': reach,
      'heatmap-intensity': intensity,
      ...(weight === undefined ? {} : { 'heatmap-weight': weightOf(weight) }),
      'heatmap-opacity': opacity,
    },
  };
}

/** The same colour without any of it: fading to black would show a grey seam. */
function transparent(colour = '#000000'): string {
  const part = (i: number): number => Number.parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16);
  return `rgba(${part(0)},${part(1)},${part(2)},0)`;
}

const HEAT_STOPS = 5;
const HEAT_SHARE = 0.5;
const HEAT_ROOM = 8;

/** What has no number, or less than nought, is not counted. */
const weightOf = ({ attribute, mean }: HeatWeight): Json =>
  orNone(attribute, ['/', ['max', 0, numberIn(attribute)], mean], 0);

function readWeight(value: unknown): HeatWeight | undefined {
  const read = readOrNone(value);
  const mean: unknown = Array.isArray(read?.look) ? read.look[2] : undefined;
  return read === undefined || typeof mean !== 'number' ? undefined : { attribute: read.column, mean };
}

function readHeat(layer: StyleLayer): SimpleStyle | undefined {
  const { paint = {} } = layer;
  const intensity = paint['heatmap-intensity'];
  const highest = Array.isArray(intensity) ? (intensity[5] as unknown) : undefined;
  const crowd = typeof highest === 'number' ? highest - 2 : undefined;
  const [reach, opacity] = [paint['heatmap-radius'], paint['heatmap-opacity']];
  if (typeof reach !== 'number' || typeof opacity !== 'number') return undefined;
  const most: unknown = Array.isArray(intensity) ? intensity.at(-1) : undefined;
  const share = typeof most === 'number' ? most / (HEAT_SHARE * 4 ** 2) : intensity;
  const strength = typeof share === 'number' ? Math.round(share * HEAT_ROOM * 100) / 100 : 1;
  const weight = readWeight(paint['heatmap-weight']);
  const weighed = weight === undefined ? {} : { weight };
  for (const ramp of Object.keys(RAMPS))
    for (const form of [strength === 1 ? {} : { strength }, { isEven: true as const }]) {
      const colour = { kind: 'heat', ramp, reach, ...form, ...weighed } as const;
      const style: SimpleStyle = { ...PLAIN, colour, opacity, crowd };
      if (isSameJson(toLayers(style, 'point')[0]?.paint, paint)) return style;
    }
  return undefined;
}

function labels(attribute: string, geometry: GeometryKind): StyleLayer {
  return {
    id: 'label',
    type: 'symbol',
    layout: {
      'text-field': ['to-string', ['get', attribute]],
      'text-size': 12,
      ...(geometry === 'line' ? { 'symbol-placement': 'line' } : {}),
      ...(geometry === 'point' ? { 'text-anchor': 'top', 'text-offset': [0, 0.7] } : {}),
    },
    paint: { 'text-color': '#222222', 'text-halo-color': '#ffffff', 'text-halo-width': 1.4 },
  };
}

function colourExpression(colour: Exclude<Colouring, HeatColouring | GroupColouring>): Json {
  switch (colour.kind) {
    case 'single':
      return colour.colour;
    case 'categories': {
      if (colour.entries.length === 0) return colour.other;
      // Compared as text: what is a number in one tile may be text in the next.
      const pairs = colour.entries.flatMap(({ value, colour: one }) => [String(value), one]);
      return shown(colour, ['match', ['to-string', ['get', colour.attribute]], ...pairs, colour.other]);
    }
    case 'graduated': {
      const [first = '#888888', ...others] = colour.colours;
      if (colour.breaks.length === 0) return first;
      const stops = colour.breaks.flatMap((limit, i) => [limit, others[i] ?? first]);
      return shown(colour, ['step', numberIn(colour.attribute), first, ...stops]);
    }
  }
}

/** Colours by a column, with the one of features without a value. */
function shown(
  { attribute, none }: { readonly attribute: string; readonly none?: string | undefined },
  look: Json,
): Json {
  return none === undefined || none === HIDDEN ? look : orNone(attribute, look, none);
}

/** Undefined: made by other means, and not to be pressed into this form. */
export function fromLayers(layers: readonly StyleLayer[]): SimpleStyle | undefined {
  if (layers.some((layer) => groupOf(layer) !== undefined)) {
    const read = readGroups(layers);
    if (read === undefined) return undefined;
    const { outline, ...look } = read.look;
    return { ...PLAIN, ...look, colour: read.colour, outline: outline === HALO ? AUTOMATIC : outline };
  }
  const [only, ...others] = layers;
  if (only?.type === 'heatmap' && others.length === 0) return readHeat(only);
  const find = (type: string): StyleLayer | undefined => layers.find((layer) => layer.type === type);
  const [fill, line, circle, symbol] = [find('fill'), find('line'), find('circle'), find('symbol')];
  const main = fill ?? circle ?? line;
  if (main === undefined) return undefined;
  const size = readSize(circle?.paint?.['circle-radius']);
  const painted = main.paint?.[`${main.type}-color`];
  const ofSize = readOrNone(painted);
  // One colour of points that follow a number in size, and another of those without the number.
  const isOfSize = size !== undefined && ofSize?.column === size.attribute && typeof ofSize.look === 'string';
  const needed = columnsNeeded(main.filter);
  const colour = withHidden(parseColour(isOfSize ? ofSize.look : painted), needed);
  if (colour === undefined) return undefined;
  const number = (value: unknown, usual: number): number => readByZoom(value)?.large ?? usual;
  // What a style does not say is as MapLibre has it; an area without a line has an outline of no width.
  const width =
    line !== undefined
      ? number(line.paint?.['line-width'], 1)
      : circle !== undefined
        ? number(circle.paint?.['circle-stroke-width'], 0)
        : 0;
  const sized = [circle?.paint?.['circle-radius'], line?.paint?.['line-opacity'], line?.paint?.['line-width']];
  const sizeNone = size !== undefined && needed.has(size.attribute) ? HIDDEN : isOfSize ? ofSize.none : NO_VALUE;
  const mark = MARKS.find((one) => one === circle?.metadata?.[MARK]);
  const dashes = JSON.stringify(layers.findLast(({ type }) => type === 'line')?.paint?.['line-dasharray']);
  const dash = fill === undefined ? DASH_NAMES.find((one) => JSON.stringify(DASHES[one]) === dashes) : undefined;
  return {
    ...(size === undefined
      ? {}
      : { sizeBy: { attribute: size.attribute, most: size.most, none: plainText(sizeNone, NO_VALUE) } }),
    ...(mark === undefined ? {} : { mark }),
    ...(dash === undefined ? {} : { dash }),
    colour,
    outline: fill === undefined ? haloOf(circle) : outlineOf(fill, line),
    width,
    radius: size?.radius ?? number(circle?.paint?.['circle-radius'], 5),
    opacity: number(fill?.paint?.['fill-opacity'] ?? circle?.paint?.['circle-opacity'], 1),
    label: attributeOf(symbol?.layout?.['text-field']) ?? '',
    crowd: sized.flatMap((value) => readByZoom(value)?.crowd ?? [])[0],
  };
}

const plainText = (value: unknown, usual: string): string => (typeof value === 'string' ? value : usual);

function haloOf(point: StyleLayer | undefined): string {
  const halo = plainText(point?.paint?.['circle-stroke-color'], HALO);
  return halo === HALO ? AUTOMATIC : halo;
}

function outlineOf(area: StyleLayer, edge: StyleLayer | undefined): string {
  const colour = edge?.paint?.['line-color'];
  const isSame = JSON.stringify(colour) === JSON.stringify(area.paint?.['fill-color']);
  return edge === undefined || isSame ? AUTOMATIC : plainText(colour, AUTOMATIC);
}

/** Features that a filter leaves out for want of a value are hidden ones. */
function withHidden(colour: Colouring | undefined, needed: ReadonlySet<string>): Colouring | undefined {
  const isByColumn = colour?.kind === 'graduated' || colour?.kind === 'categories';
  return isByColumn && needed.has(colour.attribute) ? { ...colour, none: HIDDEN } : colour;
}

export function parseColour(value: unknown): Colouring | undefined {
  if (typeof value === 'string') return { kind: 'single', colour: value };
  if (!Array.isArray(value)) return undefined;
  const [operator, input, ...rest] = value as readonly unknown[];
  // Classes or categories of what has a value, and one colour for what has none.
  const read = readOrNone(value);
  if (read !== undefined) {
    const classes = parseColour(read.look);
    const isByColumn = classes?.kind === 'graduated' || classes?.kind === 'categories';
    return isByColumn && classes.attribute === read.column && typeof read.none === 'string'
      ? { ...classes, none: read.none }
      : undefined;
  }
  const attribute = attributeOf(input);
  if (attribute === undefined) return undefined;
  if (operator === 'match') {
    const entries: Category[] = [];
    for (let i = 0; i + 1 < rest.length; i += 2) {
      const [key, colour] = [rest[i], rest[i + 1]];
      if ((typeof key !== 'string' && typeof key !== 'number') || typeof colour !== 'string') return undefined;
      entries.push({ value: key, colour });
    }
    const other = rest.at(-1);
    return typeof other === 'string' ? { kind: 'categories', attribute, entries, other } : undefined;
  }
  if (operator === 'step') {
    const colours = rest.filter((_, i) => i % 2 === 0);
    const breaks = rest.filter((_, i) => i % 2 === 1);
    if (!colours.every((one) => typeof one === 'string') || !breaks.every((one) => typeof one === 'number'))
      return undefined;
    // Nobody means the lowest class by what has no number.
    return { kind: 'graduated', attribute, breaks, colours, none: NO_VALUE };
  }
  return undefined;
}

/** `["get", name]`, perhaps within a conversion. */
export function attributeOf(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  if (value[0] === 'get' && typeof value[1] === 'string' && value.length === 2) return value[1];
  return value[0] === 'to-string' || value[0] === 'to-number' || value[0] === 'number' || value[0] === 'string'
    ? attributeOf(value[1])
    : undefined;
}
