// GeoPackages: every layer of them becomes one of ours, every table without places a plain table. Keys are kept, for other software refers to
// features by them.

import { failed, type ImportFormat, readByGdal } from '../format.ts';
import { readSqliteSchema } from '../sqlite-schema.ts';
import { sqliteSchemaFault } from '../sqlite-schema-fault.ts';

export const geopackage: ImportFormat = {
  title: 'GeoPackage',
  async read(dataset, context) {
    const { base } = dataset;
    const schema = await readSqliteSchema(base.path);
    if (!schema.ok) return failed({ kind: 'unreadable', file: base.name, said: schema.error });
    const what = sqliteSchemaFault(schema.value);
    if (what !== undefined) return failed({ kind: 'forbidden-content', file: base.name, what });
    const read = await readByGdal(
      dataset,
      context,
      { driver: 'GPKG', openOptions: ['LIST_ALL_TABLES=NO'], keepsKeys: true },
      { extension: '.gpkg', hasTables: true },
    );
    const isUnread = !read.ok && read.error.kind === 'failed' && read.error.failure.kind === 'unreadable';
    if (isUnread && schema.value.some((statement) => TILES.test(statement)))
      return failed({ kind: 'unreadable', file: base.name, said: ONLY_TILES });
    return read;
  },
};

const TILES = /^\s{0,99}create\s{1,99}table\s{1,99}["'[`]?gpkg_tile_matrix_set\b/i;
/** GDAL says no more than that it cannot open it. */
const ONLY_TILES =
  'it holds a raster in tiles and no features; save it as a GeoTIFF (`gdal_translate file.gpkg file.tif`) and upload that';
