// The file that tells GDAL what lies in the lines of GeoJSON: an OGR VRT (virtual dataset) with each column and its type, for GeoJSON
// has only a few types of its own and GDAL would guess. Pure.

import { columnClass } from '../columns/column-class.ts';
import type { FeatureQuery } from '../query/feature-query.ts';
import { escapeXml } from '../xml-text.ts';
import { BINARY_STAND_IN, type BinaryColumn } from './binary-columns.ts';

/** Files in the work folder. */
export const LINES = 'features.geojsonl';
export const SOURCE = 'features.vrt';
/** The layer in it. */
const SOURCE_LAYER = 'features';

/** What GDAL says, and goes on with no features, where it cannot read the lines. */
export const NOT_OPENED = 'Failed to open datasource';

const TYPES = {
  integer: 'type="Integer64"',
  number: 'type="Real"',
  boolean: 'type="Integer" subtype="Boolean"',
  text: 'type="String"',
  json: 'type="String" subtype="JSON"',
  time: 'type="DateTime"',
  date: 'type="Date"',
  bytes: 'type="String"',
} as const;

const INTEGERS: Readonly<Record<string, string>> = {
  smallint: 'type="Integer" subtype="Int16"',
  integer: 'type="Integer"',
};

/** `binaries`: columns that become binary, with their texts in columns of their own behind all others. */
export function sourceVrt(
  { columns, hasGeometry }: Pick<FeatureQuery, 'columns' | 'hasGeometry'>,
  binaries: readonly BinaryColumn[] = [],
): string {
  const binaryNames = new Set(binaries.map(({ name }) => name));
  const fields = columns.map(({ name, type }) => {
    const standIn = binaryNames.has(name) ? `type="${BINARY_STAND_IN}"` : undefined;
    return field(name, name, standIn ?? INTEGERS[type] ?? TYPES[columnClass(type)]);
  });
  for (const { name, hex } of binaries) fields.push(field(hex, name, TYPES.bytes));
  // Without a field, all fields of the source would be there.
  return `<OGRVRTDataSource><OGRVRTLayer name="${SOURCE_LAYER}"><SrcDataSource relativeToVRT="1">${LINES}</SrcDataSource>${hasGeometry ? '' : '<GeometryType>wkbNone</GeometryType>'}${fields.join('')}</OGRVRTLayer></OGRVRTDataSource>\n`;
}

function field(name: string, source: string, type: string): string {
  return `<Field name="${escapeXml(name)}" src="${escapeXml(source)}" ${type}/>`;
}
