// What the services ask of rasters: pixels drawn into a view, and the numbers at a place.

import type { Result } from '../../kernel/result.ts';
import type { RasterLayer } from '../../layers/layer.ts';
import type { DrawRaster, RenderError } from '../render/render-map.ts';
import type { View } from '../render/view.ts';

export type RasterReader = {
  readonly draw: DrawRaster;
  /** The bands at a pixel of the view; undefined: there is nothing. */
  valuesAt(
    layer: RasterLayer,
    view: View,
    x: number,
    y: number,
  ): Promise<Result<readonly (number | null)[] | undefined, RenderError>>;
};
