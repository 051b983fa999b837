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
    return readByGdal(
      dataset,
      context,
      { driver: 'GPKG', openOptions: ['LIST_ALL_TABLES=NO'], keepsKeys: true },
      { extension: '.gpkg', hasTables: true },
    );
  },
};
