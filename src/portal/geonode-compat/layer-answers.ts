// Questions about a layer by its name: may the caller edit its features or its style, and where is its file.

import { err, ok } from '../../kernel/result.ts';
import type { Collection } from '../operations/collection.ts';
import { type ApiContext, type Handle, json } from '../operations/exchange.ts';
import { pathPart } from '../operations/register-collection.ts';
import { findLayer } from './find-records.ts';
import type { Json } from './v1-records.ts';

/** `{"authorized": true}`; a layer that is not there for the caller is none that could be edited. */
export function layerCheck(context: ApiContext, layers: Collection, check: 'edit-check' | 'style-check'): Handle {
  return async (exchange) => {
    const found = await findLayer(context, exchange, layers, pathPart(exchange, 'layer'));
    if (!found.ok) return found;
    const layer = found.value ?? {};
    const authorized =
      check === 'edit-check'
        ? may(layer, 'change_layer_data') && layer['storeType'] === 'dataStore'
        : may(layer, 'change_layer_style');
    return ok(json(200, { authorized }));
  };
}

/** The permissions as the database has them for the caller. */
function may({ perms }: Json, permission: string): boolean {
  return Array.isArray(perms) && perms.includes(permission);
}

/** A shapefile or a GeoTIFF; the download itself says who may have it. */
export function layerDownload(context: ApiContext, layers: Collection): Handle {
  return async (exchange) => {
    const found = await findLayer(context, exchange, layers, pathPart(exchange, 'name'));
    if (!found.ok) return found;
    if (found.value === undefined) return err({ kind: 'not-found' });
    const file = `${found.value['pk']}.${found.value['storeType'] === 'coverageStore' ? 'tif' : 'shp.zip'}`;
    return ok({ status: 302, headers: { Location: `/download/${file}` } });
  };
}
