// Raster layers for suites, made by SQL as an import makes them.

import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeBlobKey } from '../../../src/blobs/blob-store.ts';
import { scriptAs } from '../portal/on-catalogue.ts';
import type { LayerKit } from './layer-kit.ts';

/** A plain ASCII grid, north up, one number per pixel. */
export function grid(
  columns: number,
  rows: number,
  west: number,
  south: number,
  size: number,
  value: (c: number, r: number) => number,
): string {
  const lines = Array.from({ length: rows }, (_, r) =>
    Array.from({ length: columns }, (_, c) => value(c, r)).join(' '),
  );
  return `ncols ${columns}\nnrows ${rows}\nxllcorner ${west}\nyllcorner ${south}\ncellsize ${size}\nNODATA_value -9999\n${lines.join('\n')}\n`;
}

export type RasterInfo = {
  readonly name: string;
  readonly srid: number;
  readonly box: readonly [number, number, number, number];
  readonly wgs84: readonly [number, number, number, number];
};

/** As an import makes it: file in the store, item, record of the raster. */
export async function makeRaster(kit: LayerKit, file: string, info: RasterInfo): Promise<number> {
  const path = join(kit.folder, file);
  const blob = makeBlobKey('rasters');
  const put = await kit.blobs.put(blob, createReadStream(path));
  if (!put.ok) throw new Error(put.error.kind);
  const about = JSON.parse(await kit.gdal('gdalinfo', ['-json', path])) as {
    size: [number, number];
    bands: { type: string; noDataValue?: number }[];
  };
  const bands = JSON.stringify(about.bands.map(({ type, noDataValue }) => ({ type, nodata: noDataValue ?? null })));
  await scriptAs(
    kit.portal,
    'ada',
    `insert into portal.resource (resource_type, title, name, store, store_type, srid, bbox_polygon, ll_bbox_polygon) values
       ('layer', '${info.name}', '${info.name}', '${info.name}', 'coverageStore', 'EPSG:${info.srid}', st_makeenvelope(${info.box.join(', ')}, ${info.srid}), st_makeenvelope(${info.wgs84.join(', ')}, 4326));
     insert into portal.raster (resource_id, blob, size, width, height, bands)
       select max(id), '${blob}', ${statSync(path).size}, ${about.size[0]}, ${about.size[1]}, '${bands}' from portal.resource`,
  );
  const [made] = await kit.db.query<{ id: number }>('select max(id) as id from portal.resource');
  return made?.id ?? 0;
}
