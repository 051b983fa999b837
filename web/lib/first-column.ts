// Which column a style begins with, by what the catalogue knows of them: categories with one of a few values, classes with the one whose numbers differ
// most. Ids, codes, years, running numbers and coordinates tell nothing of that kind, nor does what is the same everywhere. Pure.

import { isNaming } from '../../src/geo/presentation/show-value.ts';
import type { Attribute } from '../api/types.ts';

type Known = Pick<
  Attribute,
  'attribute' | 'attribute_type' | 'visible' | 'count' | 'min' | 'max' | 'average' | 'stddev' | 'unique_values'
>;

const FEW = { least: 2, most: 12 };
const UNKNOWN = 'NA';

/** '': there is none. */
export function firstCategory(attributes: readonly Known[]): string {
  const worth = (one: Known): number => {
    if (isNaming(one.attribute)) return 4;
    const values = one.unique_values === UNKNOWN ? undefined : one.unique_values.split(',').length;
    if (values === undefined) return isWord(one) ? 2 : 3;
    return values >= FEW.least && values <= FEW.most ? 0 : values < FEW.least ? 4 : 1;
  };
  return best(attributes, (one) => -worth(one) - (one.visible ? 0 : 10));
}

const isWord = ({ attribute_type }: Known): boolean =>
  attribute_type === 'xsd:string' || attribute_type === 'xsd:boolean';

/** Of columns of numbers. */
export function firstNumber(attributes: readonly Known[]): string {
  return best(attributes, (one) => (isTelling(one) ? variation(one) : -1) - (one.visible ? 0 : 1e6));
}

const COORDINATE = /^(?:x|y|z|lon|lng|long|longitude|lat|latitude|easting|northing)$/i;

function isTelling(one: Known): boolean {
  const { attribute, attribute_type: type, count, min, max } = one;
  if (isNaming(attribute) || COORDINATE.test(attribute) || (min !== UNKNOWN && min === max)) return false;
  const [low, high] = [Number(min), Number(max)];
  // As many whole numbers as there are rows: they are counted up.
  return !(/^xsd:(?:int|integer|long|short)$/.test(type) && count > 2 && high - low + 1 === count);
}

/** How far numbers are from their mean, in parts of it; nobody knows: 0. */
function variation({ average, stddev }: Known): number {
  const [mean, deviation] = [Number(average), Number(stddev)];
  if (!Number.isFinite(mean) || !Number.isFinite(deviation)) return 0;
  return mean === 0 ? (deviation > 0 ? 1e5 : 0) : Math.min(1e5, deviation / Math.abs(mean));
}

/** The first of the best. */
function best(attributes: readonly Known[], worth: (one: Known) => number): string {
  let chosen: { readonly name: string; readonly worth: number } | undefined;
  for (const one of attributes) {
    const here = worth(one);
    if (chosen === undefined || here > chosen.worth) chosen = { name: one.attribute, worth: here };
  }
  return chosen?.name ?? '';
}
