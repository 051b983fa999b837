// GeoPackages: every layer of them becomes one of ours. Keys are kept, for other software refers to features by them.

import { type ImportFormat, readByGdal } from '../format.ts';

export const geopackage: ImportFormat = {
  title: 'GeoPackage',
  read: (dataset, context) =>
    readByGdal(
      dataset,
      context,
      { driver: 'GPKG', openOptions: ['LIST_ALL_TABLES=NO'], keepsKeys: true },
      { extension: '.gpkg' },
    ),
};
