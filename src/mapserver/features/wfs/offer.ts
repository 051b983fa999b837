// What the feature service has for a caller: what capabilities are made of.

import type { VectorLayer } from '../../../layer-ports/layer.ts';

export type Offer = {
  /** Address of the service. */
  readonly url: string;
  /** Whether there is any layer whose features the caller may change. */
  readonly canEdit: boolean;
  readonly pages: AsyncIterable<OfferPage>;
};

/** Some of the layers that the caller sees: a portal can have more than a document that is held whole could name. */
export type OfferPage = {
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
