// The few addresses of GeoServer's REST API that clients look at to see what is there: its version, the layers, the store. For reading alone, and as
// the caller sees it.

import { err, ok } from '../../kernel/result.ts';
import type { Collection } from '../operations/collection.ts';
import { type ApiContext, type Handle, json } from '../operations/exchange.ts';
import { pathPart } from '../operations/register-collection.ts';
import { findLayer, findRecords } from './find-records.ts';

/** The program under its own name, so that nobody takes it for another. */
export function geoserverVersion(version: string): Handle {
  return async (exchange) => {
    const format = pathPart(exchange, 'format');
    const resource = { '@name': 'Survest', Version: version };
    if (format === 'json') return ok(json(200, { about: { resource: [resource] } }));
    if (format !== 'xml') return err({ kind: 'not-found' });
    return ok({
      status: 200,
      headers: { 'Content-Type': 'application/xml; charset=utf-8' },
      body: `<?xml version="1.0" encoding="UTF-8"?>\n<about><resource name="Survest"><Version>${version}</Version></resource></about>\n`,
    });
  };
}

/** More are in the catalogue's own lists, which have pages. */
const MAX_LAYERS = 10_000;

export function geoserverLayers(context: ApiContext, layers: Collection): Handle {
  return async (exchange) => {
    const query = 'exclude[]=*&include[]=alternate&sort[]=alternate';
    const found = await findRecords(context, exchange, layers, query, { limit: MAX_LAYERS, offset: 0 });
    if (!found.ok) return found;
    const layer = found.value.records.map(({ alternate }) => ({
      name: alternate,
      href: `${exchange.base}/geoserver/rest/layers/${encodeURIComponent(String(alternate))}.json`,
    }));
    return ok(json(200, { layers: { layer } }));
  };
}

export function geoserverLayer(context: ApiContext, layers: Collection): Handle {
  return async (exchange) => {
    const named = /^(.+)\.json$/.exec(pathPart(exchange, 'file'))?.[1];
    if (named === undefined) return err({ kind: 'not-found' });
    const found = await findLayer(context, exchange, layers, named);
    if (!found.ok) return found;
    if (found.value === undefined) return err({ kind: 'not-found' });
    const { name, storeType } = found.value;
    return ok(json(200, { layer: { name, type: storeType === 'coverageStore' ? 'RASTER' : 'VECTOR' } }));
  };
}

/** There is one database behind all layers, whatever a client calls it; how it is reached is nobody's business. */
export const geoserverStore: Handle = async (exchange) => {
  const name = /^(.+)\.json$/.exec(pathPart(exchange, 'file'))?.[1];
  if (name === undefined) return err({ kind: 'not-found' });
  const workspace = { name: pathPart(exchange, 'ws') };
  return ok(json(200, { dataStore: { name, type: 'PostGIS', enabled: true, workspace } }));
};
