// What the map services ask of the catalogue. The portal fills it; every question is put as the caller, so the answer is
// already what that caller may see.

import type { Caller } from '../auth/caller.ts';
import type { RequestInfo } from '../auth/caller-db.ts';
import type { PermissionName } from '../auth/permission-names.ts';
import type { Popup } from '../geo/presentation/presentation.ts';
import type { Result } from '../kernel/result.ts';
import type { DbError } from '../pg/driver.ts';
import type { Layer, LayerTable } from './layer.ts';

export type LayerError =
  | { readonly kind: 'no-such-layer'; readonly name: string }
  | { readonly kind: 'database'; readonly error: DbError };

type LayerPermission = Extract<
  PermissionName,
  'view_resourcebase' | 'download_resourcebase' | 'change_layer_data' | 'change_layer_style'
>;

export type LayerStyle = {
  readonly id: number;
  readonly name: string;
  readonly title: string | null;
  readonly sld: string | null;
  /** MapLibre style layers, the form the renderer and the viewer share. */
  readonly maplibre: unknown;
};

/** A place in the list of layers, which is by name and then by id. */
export type LayerPlace = { readonly name: string; readonly id: number };

export type LayersInTurn = {
  readonly layers: readonly Layer[];
  /** Where to go on; undefined: these were the last ones. There may be fewer of them than were asked for: not every table can be served. */
  readonly next: LayerPlace | undefined;
};

export type LayerAccess = {
  /** By name or by id in digits. */
  find(caller: Caller, info: RequestInfo, name: string): Promise<Result<Layer, LayerError>>;
  /** The table of a layer, plain tables among them. Rasters have none. */
  findTable(caller: Caller, info: RequestInfo, name: string): Promise<Result<LayerTable, LayerError>>;
  /** Visible layers by name, a page at a time. */
  list(
    caller: Caller,
    info: RequestInfo,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<Result<{ readonly layers: readonly Layer[]; readonly total: number }, LayerError>>;
  /** The same without a total, behind a place: for documents that name all of them. */
  listAfter(
    caller: Caller,
    info: RequestInfo,
    page: { readonly limit: number; readonly after: LayerPlace | undefined },
  ): Promise<Result<LayersInTurn, LayerError>>;
  may(
    caller: Caller,
    info: RequestInfo,
    layer: number,
    permission: LayerPermission,
  ): Promise<Result<boolean, LayerError>>;
  /** Those of the layers with which the caller may do it. */
  mayAmong(
    caller: Caller,
    info: RequestInfo,
    layers: readonly number[],
    permission: LayerPermission,
  ): Promise<Result<ReadonlySet<number>, LayerError>>;
  /** Whether there is any layer with which the caller may do it. */
  mayWithAny(caller: Caller, info: RequestInfo, permission: LayerPermission): Promise<Result<boolean, LayerError>>;
  /** A layer with a style of that name, best the one that has the name itself. */
  withStyle(caller: Caller, info: RequestInfo, style: string): Promise<Result<number | undefined, LayerError>>;
  /** What a pop-up says of a feature. */
  popup(caller: Caller, info: RequestInfo, layer: number): Promise<Result<Popup, LayerError>>;
  styles(caller: Caller, info: RequestInfo, layer: number): Promise<Result<readonly LayerStyle[], LayerError>>;
};
