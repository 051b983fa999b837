// `/static/mapstore/configs/map.json`: an empty map of the viewer that GeoNode uses, which scripts fill with layers and send as a new
// map; and `placeholder.json`, where that viewer is sent after a change of language.

import { err, ok } from '../../kernel/result.ts';
import { type Handle, json } from '../operations/exchange.ts';
import { pathPart } from '../operations/register-collection.ts';

const FILES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['placeholder.json', {}],
  [
    'map.json',
    {
      version: 2,
      map: {
        center: { x: 0, y: 0, crs: 'EPSG:4326' },
        zoom: 2,
        projection: 'EPSG:900913',
        units: 'm',
        maxExtent: [-20037508.34, -20037508.34, 20037508.34, 20037508.34],
        layers: [],
      },
    },
  ],
]);

export const mapTemplate: Handle = async (exchange) => {
  const file = FILES.get(pathPart(exchange, 'file'));
  return file === undefined ? err({ kind: 'not-found' }) : ok(json(200, file));
};
