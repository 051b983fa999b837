// What a picture asks of the basemaps that the operator named. `basemaps` fills it.

import type { Canvas } from '@napi-rs/canvas';
import type { View } from '../../geo/view.ts';

export type WantedBasemap = {
  /** As it was chosen; undefined: nobody chose, so it is the operator's usual one. */
  readonly id: string | undefined;
  /** Nobody outside is asked: only what this program holds itself is drawn. */
  readonly isOwnAlone: boolean;
};

/** Whose map it is; undefined: nothing was drawn, the packaged map is to be. */
export type DrawNamedBasemap = (canvas: Canvas, view: View, wanted: WantedBasemap) => Promise<string | undefined>;
