// Size, bands and place of the rasters among some items, as far as the caller sees them: a JSON array in one row.

import { sql } from '../../../sql/index.ts';
import { arrayText, type BoundValue, bound, type Sql } from '../../fields/bound-value.ts';

export function rasterFactsSql(ids: readonly number[]): Sql {
  return sql<BoundValue>`select coalesce(json_agg(json_build_object('id', p.resource_id, 'width', p.width, 'height', p.height, 'bands', p.bands,
      'box', case when r.bbox_polygon is not null then json_build_array(st_xmin(r.bbox_polygon), st_ymin(r.bbox_polygon), st_xmax(r.bbox_polygon), st_ymax(r.bbox_polygon)) end)), '[]')
    from portal.raster p join portal.resource r on r.id = p.resource_id where p.resource_id = any (${bound(arrayText(ids))}::integer[])`;
}
