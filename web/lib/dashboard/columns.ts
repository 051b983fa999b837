// The columns of a layer by what a dashboard can do with them. Pure.

import { type ColumnFormat, parseColumnFormat } from '../../../src/geo/presentation/column-format.ts';
import type { Attribute, Layer } from '../../api/types.ts';

export type DataKind = 'number' | 'date' | 'text' | 'boolean';
export type DataColumn = {
  readonly name: string;
  readonly label: string;
  readonly kind: DataKind;
  readonly format: ColumnFormat | undefined;
};

const NUMBERS: ReadonlySet<string> = new Set(
  'byte short int integer long float double decimal nonNegativeInteger'.split(' ').map((name) => `xsd:${name}`),
);

function kindOf({ attribute_type: type }: Attribute): DataKind | undefined {
  if (type.startsWith('gml:') || type === 'xsd:base64Binary') return undefined;
  if (NUMBERS.has(type)) return 'number';
  if (type === 'xsd:date' || type === 'xsd:dateTime') return 'date';
  return type === 'xsd:boolean' ? 'boolean' : 'text';
}

export function dataColumns(layer: Layer): readonly DataColumn[] {
  return layer.attribute_set.flatMap((attribute) => {
    const kind = kindOf(attribute);
    const { attribute: name, attribute_label: label, visible } = attribute;
    if (kind === undefined || !visible) return [];
    return [{ name, kind, label: label || name, format: parseColumnFormat(attribute.format) }];
  });
}

export const hasPlaces = (layer: Layer): boolean =>
  layer.subtype !== 'tabular' && layer.subtype !== 'remote' && layer.storeType !== 'coverageStore';
/** Rasters have no rows. */
export const hasRows = (layer: Layer): boolean => layer.storeType !== 'coverageStore';
