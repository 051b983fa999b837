// Which rows of a layer a picture or a question about a place is about: those of a span of time that pass a filter. Pure.

import type { CqlError, Filter } from '../../geo/cql/cql.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import { filterToSql } from './filter-sql.ts';
import { WGS84 } from './known-crs.ts';
import { inSpan, type TimeSpan } from './time-sql.ts';
import type { Sql } from './value.ts';

export function shownRows(
  layer: VectorLayer,
  time: TimeSpan | undefined,
  filter: Filter | undefined,
): Result<readonly Sql[], CqlError> {
  const span = inSpan(layer, time);
  const when = span === undefined ? [] : [span];
  if (filter === undefined) return ok(when);
  const passing = filterToSql(filter, layer, WGS84);
  return passing.ok ? ok([...when, passing.value]) : passing;
}
