// Points drawn in groups: clusters (circles that keep their distance, each with how many points are around) and hexagons (a cell of a honeycomb, with a count, a sum or
// a mean). A style layer says so in `metadata["survest:group"]`; what it draws are then not the layer's features but the groups, which the
// server makes of them. Pure.

export type Group = {
  readonly kind: 'cluster' | 'hexagon';
  /** Width of a cell in pixels at whole zooms. */
  readonly size: number;
  /** What of a number column is told of each group, as VALUE. */
  readonly value?: GroupValue;
};

type GroupValue = { readonly of: 'sum' | 'mean'; readonly column: string };

/** What a group is called in the metadata of a style layer. */
export const GROUP = 'survest:group' as const;

/** Attributes of a group, the first two as clusters of MapLibre have them. */
export const COUNT = 'point_count';
export const SHORT_COUNT = 'point_count_abbreviated';
export const VALUE = 'value';

/** What clusters follow from reaches as far as four times their size, which is no farther than the tiles around. */
export const CLUSTER_SIZES: readonly number[] = [32, 64, 128];
export const HEXAGON_SIZES = { least: 12, most: 128 } as const;
const MAX_NAME = 200;

/** Undefined: it is none; the words: why not. */
export function parseGroup(raw: unknown): Group | string {
  if (typeof raw !== 'object' || raw === null) return 'a group is an object with "kind" and "size"';
  const { kind, size, value } = raw as Readonly<Record<string, unknown>>;
  if (kind !== 'cluster' && kind !== 'hexagon') return 'the kind of a group is "cluster" or "hexagon"';
  if (typeof size !== 'number') return 'a group has a "size" in pixels';
  if (kind === 'cluster' && !CLUSTER_SIZES.includes(size))
    return `the size of a cluster is one of ${CLUSTER_SIZES.join(', ')}`;
  if (kind === 'hexagon' && !(size >= HEXAGON_SIZES.least && size <= HEXAGON_SIZES.most))
    return `the size of a hexagon is between ${HEXAGON_SIZES.least} and ${HEXAGON_SIZES.most} pixels`;
  if (value === undefined || value === null) return { kind, size };
  const { of, column } = typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {};
  if ((of !== 'sum' && of !== 'mean') || typeof column !== 'string' || column === '' || column.length > MAX_NAME)
    return 'the value of a group is {"of": "sum" or "mean", "column": a number column}';
  return { kind, size, value: { of, column } };
}

/** The group that a style layer draws; undefined: it draws the features themselves. */
export function groupOf(layer: {
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}): Group | undefined {
  const raw = layer.metadata?.[GROUP];
  if (raw === undefined) return undefined;
  const group = parseGroup(raw);
  return typeof group === 'string' ? undefined : group;
}

/** The same text for the same group. */
export function groupKey({ kind, size, value }: Group): string {
  return value === undefined ? `${kind} ${size}` : `${kind} ${size} ${value.of} ${value.column}`;
}

/** Behind `/tiles/{layer}`: the address of its tiles, with places for zoom, column and row. */
export function groupTiles({ kind, size, value }: Group): string {
  const query = new URLSearchParams({
    size: String(size),
    ...(value === undefined ? {} : { [value.of]: value.column }),
  });
  return `/${kind === 'cluster' ? 'clusters' : 'hexagons'}/{z}/{x}/{y}.mvt?${query}`;
}
