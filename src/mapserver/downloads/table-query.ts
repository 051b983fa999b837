// A download of a table without places: the parameters of one of features, as far as they are about rows, → the query. It is that of a layer with no
// geometry to be asked for, so that everything that writes features writes rows.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { LayerTable, VectorLayer } from '../../layer-ports/layer.ts';
import { parseItemsRequest, type Query } from '../features/items-request.ts';
import type { MapFailure } from '../map-context.ts';
import { type FeatureQuery, propertiesOf, timeCondition } from '../query/feature-query.ts';
import { filterToSql } from '../query/filter-sql.ts';
import { WGS84 } from '../query/known-crs.ts';
import { mayCondition } from '../query/layer-sql.ts';
import type { Sql } from '../query/value.ts';

/** About places. */
const NOT_HERE = ['bbox', 'bbox-crs', 'crs', 'filter-crs', 'skipGeometry'];

/** Never read: nothing asks for it. */
const NO_SHAPE: VectorLayer['geometry'] = { column: '', kind: 'point', type: 'Point', nullable: false };

export function tableQuery(asked: Query, table: LayerTable): Result<FeatureQuery, MapFailure> {
  const refuse = (detail: string): Result<never, MapFailure> => err({ kind: 'bad-request', detail });
  const stranger = NOT_HERE.find((name) => asked[name] !== undefined);
  if (stranger !== undefined) return refuse(`${stranger}: the rows of this table have no places.`);
  const layer: VectorLayer = { ...table, geometry: NO_SHAPE };
  const parsed = parseItemsRequest(asked, layer, 'all');
  if (!parsed.ok) return parsed;
  const { filter, when, properties, order, limit, offset, after } = parsed.value;
  // The permission once more, where the rows are read.
  const conditions: Sql[] = [mayCondition(layer, 'download_resourcebase')];
  if (filter !== undefined) {
    const condition = filterToSql(filter, table, WGS84);
    if (!condition.ok) return refuse(`filter: ${condition.error.said}.`);
    conditions.push(condition.value);
  }
  if (when !== undefined) {
    const condition = timeCondition(layer, when);
    if (condition === undefined) return refuse('datetime: this table has no column of dates or times to select by.');
    conditions.push(condition);
  }
  return ok({
    layer,
    columns: propertiesOf(layer).filter(({ name }) => properties === undefined || properties.includes(name)),
    crs: WGS84,
    hasGeometry: false,
    conditions,
    order,
    isAnyOrder: false,
    limit,
    offset,
    after,
  });
}
