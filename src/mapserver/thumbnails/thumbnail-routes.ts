// Thumbnails: `/thumbs/{id}.png`, for whoever sees the item.

import type { FastifyInstance } from 'fastify';
import { isAmong } from '../../http/etag.ts';
import type { ThumbnailStore } from '../../layer-ports/thumbnail-store.ts';
import { type MapContext, requestInfo } from '../map-context.ts';

/** What a person has chosen is shown as a picture, and as nothing else. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

export function registerThumbnails(app: FastifyInstance, context: MapContext, store: ThumbnailStore): void {
  app.get<{ Params: { readonly file: string } }>('/thumbs/:file', async (request, reply) => {
    const caller = await context.identify(request, reply);
    if (caller === undefined) return reply;
    const [, id] = /^(\d{1,9})\.(?:png|jpg|jpeg)$/.exec(request.params.file) ?? [];
    if (id === undefined) return context.answerError(request, reply, { kind: 'not-found' }, caller);
    const found = await store.find(caller, requestInfo(request), Number(id));
    if (!found.ok) return context.answerError(request, reply, { kind: 'database', error: found.error }, caller);
    if (found.value === undefined) return context.answerError(request, reply, { kind: 'not-found' }, caller);
    // A new picture has a new key: the key is its version.
    const tag = `"${found.value.blob.slice(found.value.blob.lastIndexOf('/') + 1)}"`;
    reply.header('Cache-Control', 'private, no-cache').header('Vary', 'Authorization, Cookie').header('ETag', tag);
    if (isAmong(tag, request.headers['if-none-match'] ?? '')) return reply.code(304).send();
    const opened = await context.blobs.open(found.value.blob);
    if (!opened.ok) return context.answerError(request, reply, { kind: 'not-found' }, caller);
    const type = PICTURES.has(found.value.mimeType) ? found.value.mimeType : 'application/octet-stream';
    return reply
      .type(type)
      .header('Content-Length', String(opened.value.size))
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .send(opened.value.stream);
  });
}
