// Points drawn in groups, as the simple editor makes them: circles with how many points each stands for, or a honeycomb coloured by a count, a sum
// or a mean. To MapLibre layers, and what such layers were made of. The groups themselves are made by the server. Pure.

import { COUNT, GROUP, type Group, groupOf, SHORT_COUNT, VALUE } from '../../src/geo/style/group.ts';
import { hasValue, NO_VALUE } from '../../src/geo/style/no-value.ts';
import type { StyleLayer } from '../map/drawn.ts';
import { RAMPS, rampColours } from './colour-classes.ts';

export type ClusterColouring = { readonly kind: 'cluster'; readonly ramp: string; readonly size: number };
export type HexagonColouring = {
  readonly kind: 'hexagon';
  readonly ramp: string;
  /** Width of a cell in pixels. */
  readonly size: number;
  readonly of: 'count' | 'sum' | 'mean';
  /** Of a sum or a mean; empty: of none. */
  readonly attribute: string;
  /** Limits between classes. */
  readonly breaks: readonly number[];
};
export type GroupColouring = ClusterColouring | HexagonColouring;

/** What of a style holds for groups too. */
export type GroupLook = { readonly opacity: number; readonly outline: string; readonly width: number };

/** One point alone, and then by tens, as counts grow from zoom to zoom. Colours and sizes have the same classes, so that a legend has one entry for each. */
const CLUSTER_BREAKS = [2, 10, 100, 1000] as const;
/** Radius of one point, and of clusters of each class in cells of 64 pixels. */
const RADII = [6, 13, 17, 21, 26] as const;
/** By tens, as those of clusters: from far away a cell of a large layer has thousands. */
export const COUNT_BREAKS: readonly number[] = [2, 10, 100, 1000, 10_000];
const MAX_BREAKS = 11;

/** Colours of a ramp for so many classes. */
type Shades = (ramp: string, n: number) => readonly string[];

/** How counts are written. */
type Ink = Readonly<Record<string, string | number>>;

/** Seen on every colour of a ramp, the dark ones of the largest clusters as well. */
const WHITE: Ink = { 'text-color': '#ffffff', 'text-halo-color': '#3a2a20', 'text-halo-width': 1.2 };
const BLACK: Ink = { 'text-color': '#1c1c1c', 'text-halo-color': '#ffffff', 'text-halo-width': 1.2 };

export function groupLayers(
  colouring: GroupColouring,
  look: GroupLook,
  shades: Shades = visible,
  ink: Ink = WHITE,
): readonly StyleLayer[] {
  return colouring.kind === 'cluster'
    ? clusterLayers(colouring, look, shades, ink)
    : [hexagonLayer(colouring, look, shades)];
}

function clusterLayers(
  { ramp, size }: ClusterColouring,
  { opacity, outline, width }: GroupLook,
  shades: Shades,
  ink: Ink,
): readonly StyleLayer[] {
  const metadata = { [GROUP]: { kind: 'cluster', size } satisfies Group };
  // A point stands where it is, however large cells are.
  const radii = RADII.map((radius, i) => (i === 0 ? radius : Math.round(radius * Math.sqrt(size / 64))));
  const [first = '', ...others] = shades(ramp, CLUSTER_BREAKS.length);
  const step = (list: readonly unknown[]): unknown => ['step', ['get', COUNT], ...classes(list, CLUSTER_BREAKS)];
  return [
    {
      id: 'cluster',
      type: 'circle',
      metadata,
      paint: {
        'circle-color': step([first, first, ...others]),
        'circle-radius': step(radii),
        'circle-opacity': opacity,
        'circle-stroke-color': outline,
        'circle-stroke-width': width,
      },
    },
    {
      id: 'count',
      type: 'symbol',
      metadata,
      filter: ['>', ['get', COUNT], 1],
      layout: { 'text-field': ['get', SHORT_COUNT], 'text-size': 12, 'text-allow-overlap': true },
      paint: ink,
    },
  ];
}

function hexagonLayer(colouring: HexagonColouring, { opacity, outline }: GroupLook, shades: Shades): StyleLayer {
  const { ramp, size, of, attribute, breaks } = colouring;
  const isCount = of === 'count' || attribute === '';
  const group: Group = { kind: 'hexagon', size, ...(isCount ? {} : { value: { of, column: attribute } }) };
  const list = shades(ramp, breaks.length + 1);
  const step = (name: string): unknown =>
    breaks.length === 0 ? list[0] : ['step', ['get', name], ...classes(list, breaks)];
  return {
    id: 'hexagons',
    type: 'fill',
    metadata: { [GROUP]: group },
    paint: {
      'fill-color': isCount ? step(COUNT) : ['case', hasValue(VALUE), step(VALUE), NO_VALUE],
      'fill-opacity': opacity,
      'fill-outline-color': outline,
    },
  };
}

const whole: Shades = (ramp, n) => rampColours(RAMPS[ramp] ?? ['#ffffb2', '#fd8d3c', '#a50f15'], n);

/** Without the first, which on a light map is hardly seen: small groups are most of them, and white around. */
const visible: Shades = (ramp, n) => whole(ramp, n + 1).slice(1);

function classes(list: readonly unknown[], breaks: readonly number[]): readonly unknown[] {
  return [list[0], ...breaks.flatMap((limit, i) => [limit, list[i + 1]])];
}

/** As groups are made, and as they were: styles that were saved earlier have the colours of the whole ramp, and black counts. */
const EDITIONS: readonly (readonly [Shades, Ink])[] = [
  [visible, WHITE],
  [visible, BLACK],
  [whole, BLACK],
];

/** What layers were made of; undefined: not by this editor. `halo`: the colour that stands for no choice. */
export function readGroups(
  layers: readonly StyleLayer[],
): { readonly colour: GroupColouring; readonly look: GroupLook } | undefined {
  const [first] = layers;
  const group = first === undefined ? undefined : groupOf(first);
  if (first === undefined || group === undefined) return undefined;
  const paint = first.paint ?? {};
  const isCluster = group.kind === 'cluster';
  const look = {
    opacity: paint[isCluster ? 'circle-opacity' : 'fill-opacity'],
    outline: paint[isCluster ? 'circle-stroke-color' : 'fill-outline-color'],
    width: isCluster ? paint['circle-stroke-width'] : 1,
  };
  if (!isLook(look)) return undefined;
  for (const ramp of Object.keys(RAMPS)) {
    const colour: GroupColouring = isCluster
      ? { kind: 'cluster', ramp, size: group.size }
      : {
          kind: 'hexagon',
          ramp,
          size: group.size,
          of: group.value?.of ?? 'count',
          attribute: group.value?.column ?? '',
          breaks: breaksIn(paint['fill-color']),
        };
    for (const [shades, ink] of EDITIONS) {
      const made = groupLayers(colour, look, shades, ink).map(withoutId);
      if (JSON.stringify(made) === JSON.stringify(layers.map(withoutId))) return { colour, look };
    }
  }
  return undefined;
}

function isLook(look: Readonly<Record<keyof GroupLook, unknown>>): look is GroupLook {
  return typeof look.opacity === 'number' && typeof look.outline === 'string' && typeof look.width === 'number';
}

/** The order of the parts of a layer means nothing. */
function withoutId({ type, filter, minzoom, maxzoom, paint, layout, metadata }: StyleLayer): unknown {
  return [type, filter ?? null, minzoom ?? null, maxzoom ?? null, sorted(paint), sorted(layout), metadata?.[GROUP]].map(
    (part) => part ?? null,
  );
}

function sorted(part: Readonly<Record<string, unknown>> | undefined): unknown {
  return Object.entries(part ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
}

function breaksIn(value: unknown): readonly number[] {
  const step: unknown = Array.isArray(value) && value[0] === 'case' ? value[2] : value;
  if (!Array.isArray(step) || step[0] !== 'step') return [];
  return step.slice(3).filter((part, i): part is number => i % 2 === 0 && typeof part === 'number');
}

/** `2, 5, 10` → limits in their order; undefined: these are none. */
export function parseBreaks(text: string): readonly number[] | undefined {
  const parts = text
    .split(/[;,]/, MAX_BREAKS + 1)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const numbers = parts.map(Number);
  const isRising = numbers.every((n, i) => Number.isFinite(n) && (i === 0 || n > (numbers[i - 1] ?? 0)));
  return isRising && numbers.length <= MAX_BREAKS ? numbers : undefined;
}
