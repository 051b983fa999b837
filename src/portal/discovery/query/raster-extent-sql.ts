// Where and of what time the rasters are that the caller sees, in one row: west, south, east, north, first and last moment. Of more
// rasters than can be looked through for one answer the row has no values.

import { raw } from '../../../sql/index.ts';
import type { Sql } from '../../fields/bound-value.ts';

const MAX_RASTERS = 10_000;

export function rasterExtentSql(): Sql {
  return raw(`select json_build_object('box', case when n > ${MAX_RASTERS} or box is null then null
      else json_build_array(st_xmin(box), st_ymin(box), st_xmax(box), st_ymax(box)) end,
    'interval', case when n > ${MAX_RASTERS} then null else json_build_array(first, last) end)
  from (select count(*) as n, st_extent(s.ll_bbox_polygon) as box,
      to_char(min(s.first) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as first,
      to_char(max(s.last) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last
    from (select r.ll_bbox_polygon, coalesce(r.temporal_extent_start, r.temporal_extent_end, r.date) as first,
        coalesce(r.temporal_extent_end, r.temporal_extent_start, r.date) as last
      from portal.raster p join portal.resource r on r.id = p.resource_id limit ${MAX_RASTERS + 1}) s) e`);
}
