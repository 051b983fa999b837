// Formats that say all there is to know themselves.

import { type ImportFormat, readByGdal } from '../format.ts';
import { readableXml } from '../readable-xml.ts';

export const flatgeobuf: ImportFormat = {
  title: 'FlatGeobuf',
  read: (dataset, context) => readByGdal(dataset, context, { driver: 'FlatGeobuf' }, { extension: '.fgb' }),
};

export const gpx: ImportFormat = {
  title: 'GPX',
  async read({ base }, context) {
    const plain = await readableXml(base, context);
    if (!plain.ok) return plain;
    return readByGdal(
      { base: plain.value, parts: new Map() },
      context,
      // The points of routes and tracks are in these already.
      { driver: 'GPX', layers: ['waypoints', 'routes', 'tracks'] },
      { extension: '.gpx' },
    );
  },
};
