// A GeoPackage with its binary columns as BLOB, or, where this GDAL has no function of SQL that decodes them, as hexadecimal text.

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../kernel/result.ts';
import type { FeatureQuery } from '../query/feature-query.ts';
import {
  BINARY_STAND_IN,
  binaryColumns,
  decodeStatements,
  HEX_DECODERS,
  type HexDecoder,
  NO_FUNCTION,
} from './binary-columns.ts';
import { type ConvertError, type Converter, convert } from './convert.ts';
import { OUTPUTS } from './gdal-formats.ts';
import { SOURCE, sourceVrt } from './source-vrt.ts';

export type GeoPackage = {
  readonly file: string;
  /** Binary columns are hexadecimal text. */
  readonly isHexText: boolean;
};

/** Of the features in the folder. `args`: those of `gdalArguments`. */
export async function convertGeoPackage(
  converter: Converter,
  folder: string,
  query: FeatureQuery,
  args: readonly string[],
  signal: AbortSignal,
  decoders: readonly HexDecoder[] = HEX_DECODERS,
): Promise<Result<GeoPackage, ConvertError>> {
  const { columns, layer } = query;
  const output = OUTPUTS.gpkg;
  const binaries = binaryColumns(columns, layer);
  if (binaries.length > 0) {
    await writeFile(join(folder, SOURCE), sourceVrt(query, binaries));
    const mapped = [...args, '-mapFieldType', `${BINARY_STAND_IN}=Binary`];
    for (const decoder of decoders) {
      const statements = decodeStatements(layer.name, binaries, decoder);
      const made = await convert(converter, folder, output, mapped, signal, statements);
      if (made.ok) return ok({ file: made.value, isHexText: false });
      if (!made.error.said.includes(NO_FUNCTION)) return made;
      await rm(join(folder, output), { force: true });
    }
  }
  await writeFile(join(folder, SOURCE), sourceVrt(query));
  const made = await convert(converter, folder, output, args, signal);
  return made.ok ? ok({ file: made.value, isHexText: binaries.length > 0 }) : made;
}
