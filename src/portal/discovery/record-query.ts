// What the catalogue services ask of the records, one form for all of them: a filter, words, a box, a time, types and ids, an order and
// a window.

import type { Box } from '../../geo/bbox.ts';
import type { Filter, When } from '../../geo/cql/cql.ts';

export type RecordQuery = {
  readonly filter?: Filter | undefined;
  /** All of them have to be in title, abstract or keywords. */
  readonly words?: readonly string[];
  /** Any of them, in degrees; west may be greater than east. */
  readonly box?: Box | undefined;
  readonly when?: When | undefined;
  /** Kinds of items: `layer`, `map` … */
  readonly types?: readonly string[] | undefined;
  /** Of items; what is no uuid is nobody's. */
  readonly uuids?: readonly string[] | undefined;
  /** Layers of pixels alone. */
  readonly isRaster?: boolean;
  readonly sort?: readonly { readonly name: string; readonly isDescending: boolean }[];
  readonly offset: number;
  readonly limit: number;
};

/** Larger windows are cut to this size. */
export const MAX_RECORDS = 1000;
/** Beyond this nobody turns pages. */
export const MAX_OFFSET = 100_000_000;
