// Binary columns (bytea) of a GeoPackage. GeoJSON has no binary and GDAL's virtual datasets (OGR VRT) drop it, so the bytes travel as
// hexadecimal text in a column of their own, beside an empty one that GDAL makes a BLOB. SQL in the finished file then decodes the
// text into it and drops the text. Pure.

import type { LayerColumn, VectorLayer } from '../../layer-ports/layer.ts';
import { columnClass } from '../columns/column-class.ts';

export type BinaryColumn = {
  readonly name: string;
  /** The column that holds the text while the file is made. */
  readonly hex: string;
};

/** Functions of SQL that make bytes of hexadecimal text: SpatiaLite's, and that of SQLite since 3.41. */
export type HexDecoder = (hex: string) => string;
export const HEX_DECODERS: readonly HexDecoder[] = [(hex) => `CastToBlob(${hex}, 1)`, (hex) => `unhex(${hex})`];

/** What SQLite says where it has not got the function. */
export const NO_FUNCTION = 'no such function';

/** A type that no column has otherwise, which `-mapFieldType` makes binary. */
export const BINARY_STAND_IN = 'Time';

export function binaryColumns(
  columns: readonly LayerColumn[],
  { primaryKey }: Pick<VectorLayer, 'primaryKey'>,
): readonly BinaryColumn[] {
  const taken = new Set([primaryKey, ...columns.map(({ name }) => name)].map((name) => name.toLowerCase()));
  const free = (name: string): string => (taken.has(name) ? free(`${name}_`) : name);
  return columns
    .filter(({ type }) => columnClass(type) === 'bytes')
    .map(({ name }, i) => ({ name, hex: free(`survest_hex_${i + 1}`) }));
}

/** To be run one after another in the file. The texts begin with `\x`. */
export function decodeStatements(
  table: string,
  binaries: readonly BinaryColumn[],
  decoder: HexDecoder,
): readonly string[] {
  const decoded = binaries.map(({ name, hex }) => `${quoted(name)} = ${decoder(`substr(${quoted(hex)}, 3)`)}`);
  return [
    `UPDATE ${quoted(table)} SET ${decoded.join(', ')}`,
    ...binaries.map(({ hex }) => `ALTER TABLE ${quoted(table)} DROP COLUMN ${quoted(hex)}`),
    // Else the room of the texts would stay in the file.
    'VACUUM',
  ];
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
