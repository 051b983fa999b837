// A coverage as the documents of the service describe it: a raster layer with its grid, its axes and its bands.

import type { Crs } from '../../geo/projection.ts';
import type { RasterLayer } from '../../layer-ports/layer.ts';
import type { OpenRaster } from '../raster/open-raster.ts';
import { columnOfXmlName, xmlName } from '../xml-text.ts';
import { type AxisNames, axesOf, type CoverageGrid, gridOf } from './coverage-grid.ts';

export type Coverage = {
  readonly layer: RasterLayer;
  readonly crs: Crs;
  readonly axes: AxisNames;
  readonly grid: CoverageGrid;
  readonly bands: readonly { readonly name: string; readonly type: string; readonly nodata: number | null }[];
};

export function describeCoverage(layer: RasterLayer, raster: OpenRaster, crs: Crs): Coverage {
  return {
    layer,
    crs,
    axes: axesOf(layer.srid, crs.isGeographic),
    grid: gridOf(raster),
    bands: Array.from({ length: raster.bands }, (_, i) => ({
      name: `band${i + 1}`,
      type: layer.bands[i]?.type ?? '',
      nodata: layer.bands[i]?.nodata ?? raster.nodata,
    })),
  };
}

/** The same qualified name as in WMS and WFS; what stands behind the colon is a name in XML, which names of layers need not be. */
export function coverageName({ name }: Pick<RasterLayer, 'name'>): string {
  return `portal:${xmlName(name)}`;
}

/** The same for WCS 2.0, whose ids have no colon: as other servers write it. */
export function coverageId({ name }: Pick<RasterLayer, 'name'>): string {
  return `portal__${xmlName(name)}`;
}

/** `portal__dem`, `portal:dem` and `dem` mean the layer `dem`. */
export function layerNameOf(id: string): string {
  return columnOfXmlName(id.replace(/^(?:portal|geonode)(?:__|:)/, ''));
}
