// What drawing thumbnails asks of the catalogue. The portal fills it. Drawing is the service's own work; looking at a picture is asked
// as the caller.

import type { Caller } from '../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../auth/caller-db.ts';
import type { Box } from '../geo/projection.ts';
import type { Result } from '../kernel/result.ts';
import type { DbError } from '../pg/driver.ts';

export type DueThumbnail = { readonly id: number; readonly change: string };

export type ThumbnailSubject =
  | { readonly kind: 'layer'; readonly id: number }
  /** A layer of somebody else's service, as its record has it. */
  | { readonly kind: 'remote'; readonly id: number; readonly remote: unknown; readonly extent: Box | undefined }
  /** A document that is a picture itself. */
  | { readonly kind: 'picture'; readonly id: number; readonly blob: string; readonly size: number }
  | {
      readonly kind: 'map';
      readonly id: number;
      readonly extent: Box | undefined;
      readonly center: readonly [number, number];
      readonly zoom: number;
      /** As it was chosen in the viewer; undefined: the usual one. */
      readonly basemap?: string | undefined;
      /** Those that everybody who sees the map sees, from the bottom up. */
      readonly layers: readonly {
        readonly id: number;
        readonly opacity: number;
        readonly style: string;
        /** The map's own style of it, as it was sent; undefined: it has none. */
        readonly ownStyle?: unknown;
        /** CQL2 as JSON, as it was sent: which of its features the map shows; undefined: all of them. */
        readonly filter?: unknown;
      }[];
    };

export type ThumbnailStore = {
  /** The database as the service itself sees it. */
  readonly serviceDb: CallerDb;
  /** The database as visitors see it. */
  readonly visitorDb: CallerDb;
  due(most: number): Promise<Result<readonly DueThumbnail[], DbError>>;
  /** Undefined: it is gone, or nothing can be drawn of it. */
  subject(id: number): Promise<Result<ThumbnailSubject | undefined, DbError>>;
  /** Notes the new picture; the blob of the one before it. */
  keep(id: number, blob: string, mimeType: string): Promise<Result<string | undefined, DbError>>;
  drawn(due: DueThumbnail): Promise<Result<void, DbError>>;
  /** Whether the caller sees the item (undefined: no), and may choose its picture. */
  mayChoose(caller: Caller, info: RequestInfo, id: number): Promise<Result<boolean | undefined, DbError>>;
  /** Notes a picture that the caller has chosen, in its name; the blob of the one before it. */
  choose(
    caller: Caller,
    info: RequestInfo,
    id: number,
    picture: { readonly blob: string; readonly mimeType: string },
  ): Promise<Result<string | undefined, DbError>>;
  /** Takes a chosen picture away, in the caller's name; its blob, where there was one. */
  unchoose(caller: Caller, info: RequestInfo, id: number): Promise<Result<string | undefined, DbError>>;
  /** The picture of an item that the caller sees: the one a person chose, else the drawn one. */
  find(
    caller: Caller,
    info: RequestInfo,
    id: number,
  ): Promise<Result<{ readonly blob: string; readonly mimeType: string } | undefined, DbError>>;
};
