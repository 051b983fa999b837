// The query (OGR SQL) that adds to the columns of a layer the low halves of its doubles: `exact-doubles.ts` says what for.

import { lowBitsColumn, SPLITTER } from '../exact-doubles.ts';

export type LayerDoubles = {
  readonly layer: string;
  /** All of its columns. */
  readonly columns: readonly string[];
  /** Those of double precision. */
  readonly doubles: readonly string[];
  /** Lists of such numbers, whose halves no query can ask for. */
  readonly lists: readonly string[];
};

/** Names that mean something else in a query. */
const SPECIAL = /^(?:fid|ogr_geometry|ogr_style|ogr_geom_wkt|ogr_geom_area)$/i;
/** In a quoted name a backslash before a quotation mark takes its meaning away: at the end of a name it would take that of the last one. */
const UNQUOTABLE = /\\$/;

/** Undefined: nothing to be added, or nothing that can be asked for by name. */
export function lowBitsQuery({ layer, columns, doubles }: LayerDoubles): string | undefined {
  // Names are compared without their case.
  const seen = new Set(columns.map((name) => name.toLowerCase()));
  if (doubles.length === 0 || UNQUOTABLE.test(layer) || seen.size < columns.length) return undefined;
  const lows = doubles
    .filter((name) => isAskedFor(name, seen))
    .map((name) => {
      const scaled = `${quoted(name)} * ${SPLITTER}.0`;
      return `${quoted(name)} - (${scaled} - (${scaled} - ${quoted(name)})) AS ${quoted(lowBitsColumn(name))}`;
    });
  return lows.length === 0 ? undefined : `SELECT *, ${lows.join(', ')} FROM ${quoted(layer)}`;
}

/** Columns whose numbers are read with 15 digits. */
export function roundedColumns(about: LayerDoubles): readonly string[] {
  if (lowBitsQuery(about) === undefined) return [...about.doubles, ...about.lists];
  const seen = new Set(about.columns.map((name) => name.toLowerCase()));
  return [...about.doubles.filter((name) => !isAskedFor(name, seen)), ...about.lists];
}

function isAskedFor(name: string, seen: ReadonlySet<string>): boolean {
  return !UNQUOTABLE.test(name) && !SPECIAL.test(name) && !seen.has(lowBitsColumn(name).toLowerCase());
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '\\"')}"`;
}
