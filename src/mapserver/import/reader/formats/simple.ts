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
