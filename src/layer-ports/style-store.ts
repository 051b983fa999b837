// What the map services ask of the catalogue when a style is changed. The portal fills it; every change is made as the caller, and
// the database says who may.

import type { Caller } from '../auth/caller.ts';
import type { RequestInfo } from '../auth/caller-db.ts';
import type { Result } from '../kernel/result.ts';
import type { DbError } from '../pg/driver.ts';

export type StyleContent = {
  readonly title: string | null;
  readonly sld: string;
  readonly sldVersion: string;
  /** Layers as JSON text. */
  readonly maplibre: string;
};

export type StyleName = { readonly id: number; readonly name: string; readonly title: string | null };

export type StyleStore = {
  /** What styles are called, of many at once; those the caller does not see are not among them. */
  names(caller: Caller, info: RequestInfo, ids: readonly number[]): Promise<Result<readonly StyleName[], DbError>>;
  /** False: there is no such style for the caller. */
  replace(caller: Caller, info: RequestInfo, style: number, content: StyleContent): Promise<Result<boolean, DbError>>;
  /** Adds a style to the layer; its id. A name that is taken gets another one. */
  add(
    caller: Caller,
    info: RequestInfo,
    layer: number,
    name: string,
    content: StyleContent,
  ): Promise<Result<number, DbError>>;
  /** False: the layer does not have it. */
  remove(caller: Caller, info: RequestInfo, layer: number, style: number): Promise<Result<boolean, DbError>>;
  /** The style that is drawn when none is asked for. */
  makeDefault(caller: Caller, info: RequestInfo, layer: number, style: number): Promise<Result<boolean, DbError>>;
};
