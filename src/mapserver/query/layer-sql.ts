// Names in statements about a layer's table: every schema is said, for PostGIS may stand anywhere. Pure.

import type { VectorLayer } from '../../layers/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { quoteIdent } from '../../sql/index.ts';

export function tableOf({ table }: VectorLayer): string {
  return `layers.${quoteIdent(table)}`;
}

/** Calls of PostGIS: `gis(layer)('st_transform')` → `"public".st_transform`. */
export function gisOf({ gis }: Pick<VectorLayer, 'gis'>): (name: string) => string {
  const schema = quoteIdent(gis);
  return (name) => `${schema}.${name}`;
}

/** Do the boxes of two geometries meet? The operator that spatial indexes answer. */
export function overlaps({ gis }: Pick<VectorLayer, 'gis'>, left: string, right: string): string {
  return `${left} operator(${quoteIdent(gis)}.&&) ${right}`;
}

/** A bound on the time of every statement after it in the flight. */
export function timeLimit(ms: number): Statement {
  return {
    name: 'map_time_limit',
    text: `select set_config('statement_timeout', $1, true)`,
    params: [String(ms)],
    ignoreRows: true,
  };
}
