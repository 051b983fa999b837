// What the main thread and a picture thread say to each other. An order goes over, the thread asks for rows and for parts of files as
// it needs them, and the picture comes back. The caller's identity and the statements' transaction stay on the main thread: a thread
// can only ask in the name of an order that it was given.

import type { Filter } from '../../geo/cql/cql.ts';
import type { StyleLayer } from '../../geo/style/style-layer.ts';
import type { View } from '../../geo/view.ts';
import type { Observation } from '../../kernel/observation.ts';
import type { Result } from '../../kernel/result.ts';
import type { Layer } from '../../layer-ports/layer.ts';
import type { Batch, DbError } from '../../pg/driver.ts';
import type { TimeSpan } from '../query/time-sql.ts';
import type { ImageFormat } from '../render/encode-image.ts';
import type { RenderError } from '../render/render-map.ts';
import type { PackedRows } from './packed-rows.ts';

export type OrderedLayer = {
  readonly layer: Layer;
  readonly style: readonly StyleLayer[];
  /** Only of the features that pass it. */
  readonly filter?: Filter | undefined;
  /** Without the opacity of a raster's style: whoever shows the picture does that. */
  readonly isSolid?: boolean;
};

/** A picture to be drawn. */
export type PictureOrder = {
  readonly view: View;
  readonly layers: readonly OrderedLayer[];
  /** CSS; undefined: transparent. */
  readonly background: string | undefined;
  readonly time?: TimeSpan;
  readonly format: ImageFormat;
};

/** By `client`: whose database and files it is about; by `order`: in whose name. */
export type Question =
  | { readonly kind: 'read'; readonly order: number; readonly statements: Batch }
  | { readonly kind: 'service'; readonly client: number; readonly statements: Batch }
  | {
      readonly kind: 'file';
      readonly client: number;
      readonly key: string;
      readonly start: number;
      readonly end: number;
    };

export type RowsAnswer = Result<readonly PackedRows[], DbError>;
/** Undefined: the part lies behind the end of the file. */
export type FileAnswer = Result<Uint8Array | undefined, string>;

export type ToThread =
  | {
      readonly kind: 'draw';
      readonly id: number;
      readonly client: number;
      readonly piece: number;
      readonly order: PictureOrder;
    }
  | { readonly kind: 'answer'; readonly question: number; readonly answer: RowsAnswer | FileAnswer };

export type FromThread =
  | { readonly kind: 'drawn'; readonly id: number; readonly picture: Result<Uint8Array, RenderError> }
  /** The thread's own mistake: it is a bug, and told as one. */
  | { readonly kind: 'failed'; readonly id: number; readonly error: unknown }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  | { readonly kind: 'observed'; readonly client: number; readonly observation: Observation };
