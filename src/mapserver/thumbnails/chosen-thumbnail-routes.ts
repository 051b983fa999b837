// `set_thumbnail_from_bbox`: a layer or map drawn as somebody wants it to be looked at; `delete_thumbnail` takes a chosen picture away. Who may change an item may choose its picture; what is
// drawn is what everybody sees who sees the item, whoever asks for it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import { type BlobStore, makeBlobKey } from '../../blobs/blob-store.ts';
import { parseCrs } from '../../geo/crs.ts';
import { type Box, makeProject, WEB_MERCATOR } from '../../geo/projection.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { mayBeCommitted } from '../../pg/may-be-committed.ts';
import { type MapContext, type MapFailure, requestInfo } from '../map-context.ts';
import type { CrsRegistry } from '../render/crs-registry.ts';
import { renderRemote, renderThumbnail, type SmallPicture, type ThumbnailParts } from './render-thumbnail.ts';
import { viewOfBox } from './thumbnail-view.ts';

type Route = FastifyRequest<{ Params: { readonly id: string } }>;

export function registerChosenThumbnails(app: FastifyInstance, context: MapContext, parts: ThumbnailParts): void {
  for (const collection of ['resources', 'datasets', 'layers', 'maps', 'documents', 'geoapps', 'geostories']) {
    app.post<{ Params: { readonly id: string } }>(
      `/api/v2/${collection}/:id/set_thumbnail_from_bbox`,
      (request, reply) => choose(context, parts, request, reply),
    );
    app.post<{ Params: { readonly id: string } }>(`/api/v2/${collection}/:id/delete_thumbnail`, (request, reply) =>
      unchoose(context, parts, request, reply),
    );
  }
}

async function choose(
  context: MapContext,
  parts: ThumbnailParts,
  request: Route,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const chooser = await chooserOf(context, parts, request, reply);
  if (chooser === undefined) return reply;
  const { caller, id, info, fail } = chooser;
  const { store } = parts;
  const picture = await drawnPicture(parts, request);
  if (!picture.ok) return fail(picture.error);
  const kept = await keep(context.blobs, picture.value.bytes);
  if (!kept.ok) return fail(kept.error);
  const blob = kept.value;
  const chosen = await store.choose(caller, info, id, { blob, mimeType: picture.value.mimeType });
  if (!chosen.ok) {
    if (!mayBeCommitted({ kind: 'database', error: chosen.error })) await context.blobs.remove(blob);
    return fail({ kind: 'database', error: chosen.error });
  }
  if (chosen.value !== undefined) await context.blobs.remove(chosen.value);
  return reply
    .header('Cache-Control', 'private, no-cache')
    .send({ success: true, thumbnail_url: `${context.baseUrl(request)}/thumbs/${id}.png` });
}

/** The item has the picture again that is drawn of it. */
async function unchoose(
  context: MapContext,
  { store }: ThumbnailParts,
  request: Route,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const chooser = await chooserOf(context, { store }, request, reply);
  if (chooser === undefined) return reply;
  const { caller, id, info, fail } = chooser;
  const forgotten = await store.unchoose(caller, info, id);
  if (!forgotten.ok) return fail({ kind: 'database', error: forgotten.error });
  if (forgotten.value !== undefined) await context.blobs.remove(forgotten.value);
  return reply
    .header('Cache-Control', 'private, no-cache')
    .send({ success: true, thumbnail_url: `${context.baseUrl(request)}/thumbs/${id}.png` });
}

type Chooser = {
  readonly caller: Caller;
  readonly id: number;
  readonly info: ReturnType<typeof requestInfo>;
  readonly fail: (error: MapFailure) => FastifyReply;
};

/** Who asks for an item whose picture they may choose; undefined: they were answered. The database asks again when something is written. */
async function chooserOf(
  context: MapContext,
  { store }: Pick<ThumbnailParts, 'store'>,
  request: Route,
  reply: FastifyReply,
): Promise<Chooser | undefined> {
  const caller = await context.identify(request, reply);
  if (caller === undefined) return undefined;
  const fail = (error: MapFailure): FastifyReply => context.answerError(request, reply, error, caller);
  const refuse = (error: MapFailure): undefined => void fail(error);
  if (caller.kind === 'visitor') return refuse({ kind: 'not-authenticated' });
  const id = idOf(request);
  if (id === undefined) return refuse({ kind: 'not-found' });
  const info = requestInfo(request);
  const may = await store.mayChoose(caller, info, id);
  if (!may.ok) return refuse({ kind: 'database', error: may.error });
  if (may.value !== true) return refuse({ kind: may.value === undefined ? 'not-found' : 'forbidden' });
  return { caller, id, info, fail };
}

function idOf({ params }: Route): number | undefined {
  return /^\d{1,9}$/.test(params.id) ? Number(params.id) : undefined;
}

async function keep(blobs: BlobStore, bytes: Uint8Array): Promise<Result<string, MapFailure>> {
  const blob = makeBlobKey('thumbnails');
  const stored = await blobs.put(
    blob,
    (async function* () {
      yield bytes;
    })(),
  );
  if (stored.ok) return ok(blob);
  switch (stored.error.kind) {
    case 'not-noted':
      return err({ kind: 'database', error: stored.error.error });
    case 'disk':
      return err(stored.error);
    default:
      throw new Error(`a thumbnail cannot be stored: ${stored.error.kind}`);
  }
}

async function drawnPicture(parts: ThumbnailParts, request: Route): Promise<Result<SmallPicture, MapFailure>> {
  const subject = await parts.store.subject(idOf(request) ?? 0);
  if (!subject.ok) return err({ kind: 'database', error: subject.error });
  // A document has no place that could be drawn; so clients know it.
  if (subject.value === undefined || subject.value.kind === 'picture')
    return err({ kind: 'method-not-allowed', method: request.method });
  const box = await boxOf(parts.crs, request.body);
  if (!box.ok) return box;
  const view = viewOfBox(box.value);
  const drawn =
    subject.value.kind === 'remote'
      ? await renderRemote(parts, subject.value, view)
      : await renderThumbnail(parts, subject.value, view);
  if (!drawn.ok) {
    if (drawn.error.kind === 'database') return err(drawn.error);
    return err({ kind: 'bad-request', detail: 'This cannot be drawn.' });
  }
  return drawn.value === undefined
    ? err({ kind: 'bad-request', detail: 'There is nothing to draw.' })
    : ok(drawn.value);
}

/**
 * `{"bbox": [x, x, y, y], "srid": "EPSG:3857"}` → metres of a web map. Two of each axis, in either order: so clients of GeoNode send
 * it.
 */
async function boxOf(crs: CrsRegistry, body: unknown): Promise<Result<Box, MapFailure>> {
  const { bbox, srid = 'EPSG:4326' } = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly bbox?: unknown;
    readonly srid?: unknown;
  };
  const numbers = Array.isArray(bbox) ? bbox.map(numberOf) : [];
  const [x1, x2, y1, y2] = numbers;
  if (numbers.length !== 4 || x1 === undefined || x2 === undefined || y1 === undefined || y2 === undefined)
    return refused('"bbox" has to be a list of four numbers: x, x, y, y.');
  const name = typeof srid === 'string' ? parseCrs(srid) : undefined;
  if (name === undefined) return refused('"srid" has to name a coordinate system, such as EPSG:3857.');
  const system = await crs.find(name.srid);
  if (!system.ok) return err({ kind: 'database', error: system.error });
  if (system.value === undefined) return refused(`"srid": there is no coordinate system EPSG:${name.srid}.`);
  const [west, south, east, north] = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
  const isDegrees = system.value.isGeographic;
  if (isDegrees && (south < -90 || north > 90 || west < -360 || east > 360))
    return refused('"bbox" lies beyond the poles: two longitudes, then two latitudes.');
  const inside = (latitude: number): number => (isDegrees ? Math.max(-85.05, Math.min(85.05, latitude)) : latitude);
  const project = makeProject(system.value, WEB_MERCATOR);
  const low = project(west, inside(south));
  const high = project(east, inside(north));
  if (low === undefined || high === undefined || west === east || south === north)
    return refused('"bbox" is no box in this coordinate system.');
  return ok([
    Math.min(low[0], high[0]),
    Math.min(low[1], high[1]),
    Math.max(low[0], high[0]),
    Math.max(low[1], high[1]),
  ]);
}

function numberOf(value: unknown): number | undefined {
  const isText = typeof value === 'string' && value.length <= 40 && value.trim() !== '';
  const number = typeof value === 'number' ? value : isText ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

function refused(detail: string): Result<never, MapFailure> {
  return err({ kind: 'bad-request', detail });
}
