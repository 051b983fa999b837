// Formats that say all there is to know themselves.

import { type ImportFormat, readByGdal } from '../format.ts';

export const flatgeobuf: ImportFormat = {
  title: 'FlatGeobuf',
  read: (dataset, context) => readByGdal(dataset, context, { driver: 'FlatGeobuf' }, { extension: '.fgb' }),
};

export const gpx: ImportFormat = {
  title: 'GPX',
  // The points of routes and tracks are in these already.
  read: (dataset, context) =>
    readByGdal(dataset, context, { driver: 'GPX', layers: ['waypoints', 'routes', 'tracks'] }, { extension: '.gpx' }),
};

export const gml: ImportFormat = {
  title: 'GML',
  // Neither schemas from elsewhere nor files beside it; once to learn the columns, once to read.
  read: (dataset, context) =>
    readByGdal(
      dataset,
      context,
      { driver: 'GML', openOptions: ['DOWNLOAD_SCHEMA=NO', 'WRITE_GFS=NO'] },
      // Newer versions take the corners of a feature's own box for columns.
      { extension: '.gml', passes: 2, ignored: ['lowerCorner', 'upperCorner'] },
    ),
};
