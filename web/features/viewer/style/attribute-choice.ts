// Which attributes of a layer a style can follow.

import type { StatisticsRows } from '../../../api/statistics.ts';
import type { Attribute } from '../../../api/types.ts';
import { asked, filterCql } from '../../../lib/layer-filter.ts';
import type { Colouring } from '../../../lib/simple-style.ts';
import type { ViewerLayer } from '../viewer-state.ts';

const NUMERIC = /^xsd:(?:int|integer|long|short|byte|double|float|decimal)$/;

export const isNumeric = ({ attribute_type }: Pick<Attribute, 'attribute_type'>): boolean =>
  NUMERIC.test(attribute_type);

export const attributesOf = ({ layer }: ViewerLayer): readonly Attribute[] =>
  layer.attribute_set.filter(({ attribute_type }) => !attribute_type.startsWith('gml:'));

/** Classes and categories are made of what the map shows of the layer. */
export const shownRowsOf = ({ layer, filter }: ViewerLayer): StatisticsRows => ({
  name: layer.name,
  filter: filterCql(asked(filter)),
});

/** An editor of one way to colour a layer. */
export type ColouringProps<Kind extends Colouring['kind']> = {
  readonly one: ViewerLayer;
  readonly colouring: Extract<Colouring, { kind: Kind }>;
  readonly onChange: (next: Colouring) => void;
};
