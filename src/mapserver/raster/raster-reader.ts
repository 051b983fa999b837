// What the services ask of rasters: pixels drawn into a view, the numbers at a place, and what there is to be drawn.

import type { View } from '../../geo/view.ts';
import type { Result } from '../../kernel/result.ts';
import type { RasterLayer } from '../../layer-ports/layer.ts';
import type { DrawRaster, RenderError } from '../render/render-map.ts';
import type { OpenRaster } from './open-raster.ts';

export type RasterReader = {
  readonly draw: DrawRaster;
  /** The file itself, for those who read its numbers. */
  open(layer: RasterLayer): Promise<Result<OpenRaster, RenderError>>;
  /** The bands at a pixel of the view; undefined: there is nothing. */
  valuesAt(
    layer: RasterLayer,
    view: View,
    x: number,
    y: number,
  ): Promise<Result<readonly (number | null)[] | undefined, RenderError>>;
  describe(layer: RasterLayer): Promise<Result<RasterSummary, RenderError>>;
};

export type RasterSummary = {
  /** What is drawn where the style says nothing: the file's own colours, three bands as colours, or one in grey. */
  readonly drawn: 'palette' | 'colours' | 'grey';
  readonly bands: readonly {
    /** From 1. */
    readonly band: number;
    readonly type: string;
    readonly nodata: number | null;
    /** Smallest and largest numbers, without the rare ones. */
    readonly min: number;
    readonly max: number;
    /** Numbers that are drawn darkest and brightest where the style says nothing. */
    readonly stretch: readonly [number, number];
  }[];
};
