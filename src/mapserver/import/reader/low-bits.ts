// The query (OGR SQL) that adds to the columns of a layer the low halves of its doubles: `exact-doubles.ts` says what for.

import { lowBitsColumn, SPLITTER } from '../exact-doubles.ts';

export type LayerDoubles = {
  readonly layer: string;
  /** All of its columns. */
  readonly columns: readonly string[];
  /** Those of double precision. */
  readonly doubles: readonly string[];
};

/** Names that mean something else in a query. */
const SPECIAL = /^(?:fid|ogr_geometry|ogr_style|ogr_geom_wkt|ogr_geom_area)$/i;
/** In a quoted name a backslash may mean the next character. */
const UNQUOTABLE = /["\\]/;

/** Undefined: nothing to be added, or nothing that can be asked for by name. */
export function lowBitsQuery({ layer, columns, doubles }: LayerDoubles): string | undefined {
  // Names are compared without their case.
  const seen = new Set(columns.map((name) => name.toLowerCase()));
  if (doubles.length === 0 || UNQUOTABLE.test(layer) || seen.size < columns.length) return undefined;
  const lows = doubles
    .filter((name) => !UNQUOTABLE.test(name) && !SPECIAL.test(name) && !seen.has(lowBitsColumn(name).toLowerCase()))
    .map((name) => {
      const scaled = `"${name}" * ${SPLITTER}.0`;
      return `"${name}" - (${scaled} - (${scaled} - "${name}")) AS "${lowBitsColumn(name)}"`;
    });
  return lows.length === 0 ? undefined : `SELECT *, ${lows.join(', ')} FROM "${layer}"`;
}
