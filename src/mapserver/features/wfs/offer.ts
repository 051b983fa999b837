// What the feature service has for a caller: what capabilities are made of.

import type { VectorLayer } from '../../../layers/layer.ts';

export type Offer = {
  /** Address of the service. */
  readonly url: string;
  /** Those that the caller sees. */
  readonly layers: readonly VectorLayer[];
  /** Ids of those whose features the caller may change. */
  readonly editable: ReadonlySet<number>;
};

export const COMPARISONS: readonly string[] = [
  'LessThan',
  'GreaterThan',
  'LessThanEqualTo',
  'GreaterThanEqualTo',
  'EqualTo',
  'NotEqualTo',
  'Like',
  'Between',
  'NullCheck',
];

export const SPATIAL: readonly string[] = [
  'BBOX',
  'Equals',
  'Disjoint',
  'Intersects',
  'Touches',
  'Crosses',
  'Within',
  'Contains',
  'Overlaps',
  'DWithin',
  'Beyond',
];

/** The systems that a layer is offered in, its own first. */
export function systemsOf({ srid }: Pick<VectorLayer, 'srid'>): readonly number[] {
  return [...new Set([srid, 4326, 3857])];
}
