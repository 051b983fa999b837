// How wide a cell of a summarised layer is, and up to which scale it is summarised, as people say it of maps. Pure.

import { CELL_PIXELS } from '../cells/cell.ts';

const EQUATOR_M = 40_075_016.686;
const TILE = 512;
/** Of a pixel, as the standards of map services have it. */
const PIXEL_M = 0.00028;

/** Metres on the ground, at the equator of web maps where no latitude is said. */
export function cellMetres(zoom: number, lat = 0): number {
  return (EQUATOR_M * Math.cos((lat * Math.PI) / 180) * CELL_PIXELS) / (TILE * 2 ** Math.max(0, Math.floor(zoom)));
}

/** The zoom of web maps at a scale of 1 to so much. */
export function zoomOfScale(denominator: number): number {
  return Math.log2(EQUATOR_M / (TILE * PIXEL_M * denominator));
}

export function scaleOfZoom(zoom: number): number {
  return EQUATOR_M / (TILE * PIXEL_M * 2 ** zoom);
}

/** To two digits: 1.2 km, 340 m; as the language writes numbers. */
export function widthText(metres: number, language = 'en'): string {
  const isLong = metres >= 1000;
  const number = Number((isLong ? metres / 1000 : metres).toPrecision(2));
  return `${number.toLocaleString(language, { useGrouping: false })} ${isLong ? 'km' : 'm'}`;
}
