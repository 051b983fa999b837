// `POST /maps/{id}/thumbnail`: a small picture for a map, as the map client of GeoNode 3 sends it: the picture itself, or the box that is to be drawn.

import type { FastifyInstance } from 'fastify';
import { ok } from '../../kernel/result.ts';
import { isMultipart } from '../files/multipart.ts';
import { pictureIn, setThumbnail } from '../kinds/item/thumbnail-path.ts';
import type { Collection } from '../operations/collection.ts';
import type { ApiContext, Handle } from '../operations/exchange.ts';
import { bodyOf, pathId } from '../operations/register-collection.ts';
import { isMembers } from '../operations/write/body-forms.ts';

export function mapThumbnail(app: FastifyInstance, context: ApiContext, maps: Collection): Handle {
  return async (exchange) => {
    const { request } = exchange;
    if (isMultipart(request)) return setThumbnail(context, exchange, maps);
    const body = await bodyOf(exchange);
    if (!body.ok) return body;
    if (isMembers(body.value) && pictureIn(body.value) !== undefined) return setThumbnail(context, exchange, maps);
    // Boxes are drawn by the map services, which this application knows by their address alone.
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = request.headers;
    const drawn = await app.inject({
      method: 'POST',
      url: `/api/v2/maps/${pathId(exchange) ?? 0}/set_thumbnail_from_bbox`,
      headers: { ...headers, 'content-type': 'application/json' },
      payload: JSON.stringify(body.value ?? {}),
      remoteAddress: context.addressOf(request),
    });
    return ok({ status: drawn.statusCode, body: drawn.body });
  };
}
