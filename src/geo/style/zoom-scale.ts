// Zoom levels of map viewers ⇄ scale denominators of OGC services. A viewer's zoom 0 is the world on 512 pixels; a denominator
// counts pixels of 0.28 mm at the equator.

/** Denominator at zoom 0. */
const WHOLE_WORLD = 40_075_016.685_578_49 / 512 / 0.000_28;

export function scaleToZoom(denominator: number): number {
  return Math.log2(WHOLE_WORLD / denominator);
}

export function zoomToScale(zoom: number): number {
  return WHOLE_WORLD / 2 ** zoom;
}

/** Of a picture whose pixels are so many metres wide. */
export function resolutionToZoom(metresPerPixel: number): number {
  return scaleToZoom(metresPerPixel / 0.000_28);
}
