// A request for features, parsed → the query that answers it, its coordinate systems looked up.

import { CRS84 } from '../../geo/crs.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { MapFailure } from '../map-context.ts';
import { boxCondition, type FeatureQuery, propertiesOf, timeCondition } from '../query/feature-query.ts';
import { filterToSql } from '../query/filter-sql.ts';
import { type CrsBook, type KnownCrs, WGS84 } from '../query/known-crs.ts';
import type { Sql } from '../query/value.ts';
import type { ItemsRequest } from './items-request.ts';

/** Passed over, the parameter would give an answer to another question. */
const NO_TIME =
  'datetime: this layer has no column of dates or times to select by. Leave the parameter out, or use filter with another column.';

/** Everything of the request that is not about the form of the answer. */
export async function toQuery(
  asked: ItemsRequest,
  layer: VectorLayer,
  book: CrsBook,
): Promise<Result<FeatureQuery, MapFailure>> {
  const crs = await crsOf(book, layer, asked.crs);
  if (!crs.ok) return crs;
  const bboxCrs = await crsOf(book, layer, asked.bboxCrs);
  if (!bboxCrs.ok) return bboxCrs;
  const filterCrs = await crsOf(book, layer, asked.filterCrs);
  if (!filterCrs.ok) return filterCrs;
  const conditions: Sql[] = [];
  if (asked.bbox !== undefined) conditions.push(boxCondition(layer, asked.bbox, bboxCrs.value));
  const time = asked.when === undefined ? undefined : timeCondition(layer, asked.when);
  if (asked.when !== undefined && time === undefined) return err({ kind: 'bad-request', detail: NO_TIME });
  if (time !== undefined) conditions.push(time);
  if (asked.filter !== undefined) {
    const filter = filterToSql(asked.filter, layer, filterCrs.value);
    if (!filter.ok) return err({ kind: 'bad-request', detail: `filter: ${filter.error.said}.` });
    conditions.push(filter.value);
  }
  const wanted = asked.properties;
  return ok({
    layer,
    columns: propertiesOf(layer).filter(({ name }) => wanted === undefined || wanted.includes(name)),
    crs: crs.value,
    hasGeometry: asked.hasGeometry,
    conditions,
    order: asked.order,
    isAnyOrder: false,
    limit: asked.limit,
    offset: asked.offset,
    after: asked.after,
  });
}

export async function crsOf(
  book: CrsBook,
  layer: VectorLayer,
  name: string | undefined,
): Promise<Result<KnownCrs, MapFailure>> {
  if (name === undefined || name === CRS84) return ok(WGS84);
  const crs = await book.of(layer, name);
  if (crs.ok) return crs;
  return crs.error.kind === 'database'
    ? err(crs.error)
    : err({ kind: 'bad-request', detail: `This layer is not offered in "${name.slice(0, 100)}".` });
}
