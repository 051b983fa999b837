// What every route of the map services is given: the database, the layers as the caller sees them, files, and how to end a request
// that failed. The portal has all of it; `server` hands it over.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../auth/caller-db.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { DiskFault } from '../kernel/disk-fault.ts';
import type { Observe } from '../kernel/observation.ts';
import type { LayerAccess, LayerError } from '../layer-ports/layer-access.ts';
import type { StyleStore } from '../layer-ports/style-store.ts';
import type { ThumbnailStore } from '../layer-ports/thumbnail-store.ts';
import type { DbError } from '../pg/driver.ts';
import type { DrawNamedBasemap } from './thumbnails/named-basemap.ts';

/** Why a request gets no answer. How it is said (in JSON) is up to the application. */
export type MapFailure =
  /** Not there, or not for this caller. */
  | { readonly kind: 'not-found' }
  /** `detail`: what is missing, where that can be said. */
  | { readonly kind: 'forbidden'; readonly detail?: string }
  | { readonly kind: 'not-authenticated' }
  | { readonly kind: 'method-not-allowed'; readonly method: string }
  | { readonly kind: 'bad-request'; readonly detail: string }
  /** By field: what is wrong with its value. */
  | { readonly kind: 'invalid-fields'; readonly fields: { readonly [field: string]: readonly string[] } }
  | { readonly kind: 'not-acceptable' }
  /** Somebody else has changed it since the caller looked. */
  | { readonly kind: 'precondition-failed' }
  | { readonly kind: 'unsupported-media-type'; readonly type: string }
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'disk'; readonly fault: DiskFault; readonly cause?: string }
  | { readonly kind: 'database'; readonly error: DbError };

export type MapContext = {
  readonly db: CallerDb;
  readonly layers: LayerAccess;
  /** Changes styles of layers, in the caller's name. */
  readonly styleStore: StyleStore;
  readonly thumbnails: ThumbnailStore;
  /** For pictures of maps; undefined: the operator named no basemaps. */
  readonly drawNamedBasemap?: DrawNamedBasemap | undefined;
  /** Layers as the service sees them, for pictures that everybody sees who sees their item. */
  readonly serviceLayers: LayerAccess;
  readonly blobs: BlobStore;
  /** Texts in CSV that a spreadsheet would run as formulas are defused. */
  readonly csvFormulaGuard: boolean;
  /** A service that finds addresses, besides the packaged names of places. */
  readonly geocoder: { readonly url: string; readonly perSecond: number } | undefined;
  /** Who asks; undefined: wrong credentials, and the request has been answered. */
  readonly identify: (request: FastifyRequest, reply: FastifyReply) => Promise<Caller | undefined>;
  readonly answerError: (
    request: FastifyRequest,
    reply: FastifyReply,
    error: MapFailure,
    caller?: Caller,
  ) => FastifyReply;
  /** The address as the client knows it, without a slash at the end. */
  readonly baseUrl: (request: FastifyRequest) => string;
  /** The address of a service, for its documents: with the unlisted link that the request came with, since clients go on from there. */
  readonly serviceUrl: (request: FastifyRequest, path: string) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly observe: Observe;
};

/** A service that answers at one address, whatever it is asked for by parameters. */
export type ServiceHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export function layerFailure(error: LayerError): MapFailure {
  return error.kind === 'no-such-layer' ? { kind: 'not-found' } : error;
}

/** What the database is told of a request. */
export function requestInfo(request: FastifyRequest): RequestInfo {
  const end = request.url.indexOf('?');
  return { method: request.method, path: end < 0 ? request.url : request.url.slice(0, end) };
}
