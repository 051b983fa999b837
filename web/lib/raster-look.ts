// How a raster is drawn: one band in grey or by a ramp of colours between two numbers, or bands as colours. To a MapLibre layer with
// our metadata, back where it was made so, and to a legend. Pure.

import type { RasterSummary } from '../api/raster.ts';
import type { StyleLayer } from '../map/drawn.ts';
import { RAMPS, rampColours } from './colour-classes.ts';
import type { LegendEntry } from './legend.ts';
import { isSameJson } from './same-json.ts';

const METADATA = 'survest:raster';

export type RasterStyle = {
  readonly band: number;
  /** A ramp's name; undefined: in grey. */
  readonly ramp: string | undefined;
  readonly low: number;
  readonly high: number;
  /** Heights are lit from the north-west; how much steeper than they are. */
  readonly shade?: number | undefined;
  /** Bands as red, green and blue, instead of one of them. */
  readonly colours?: readonly [number, number, number] | undefined;
};

type Stop = { readonly value: number; readonly color: string; readonly label?: string };
type Look = {
  readonly bands?: readonly number[];
  readonly kind?: string;
  readonly stops?: readonly Stop[];
  readonly stretch?: readonly [number, number];
  readonly hillshade?: { readonly azimuth: number; readonly altitude: number; readonly exaggeration: number };
};

const STOPS = 5;

export function rasterLayers({ band, ramp, low, high, shade, colours: shown }: RasterStyle): readonly StyleLayer[] {
  const lit = shade === undefined ? {} : { hillshade: { azimuth: 315, altitude: 45, exaggeration: shade } };
  if (shown !== undefined)
    return [{ id: 'raster', type: 'raster', metadata: { [METADATA]: { bands: shown, stretch: [low, high] } } }];
  const colours = ramp === undefined ? undefined : RAMPS[ramp];
  const look: Look =
    colours === undefined
      ? { bands: [band], stretch: [low, high], ...lit }
      : {
          bands: [band],
          kind: 'ramp',
          stops: rampColours(colours, STOPS).map((color, i) => {
            const value = low + ((high - low) * i) / (STOPS - 1);
            return { value, color, label: shortNumber(value) };
          }),
          ...lit,
        };
  return [{ id: 'raster', type: 'raster', metadata: { [METADATA]: look } }];
}

/** Undefined: made by other means. */
export function rasterStyleOf(layers: readonly StyleLayer[], summary: RasterSummary): RasterStyle | undefined {
  const [layer, ...others] = layers;
  if (others.length > 0 || layer === undefined || layer.type !== 'raster') return undefined;
  const { bands = [], stops, stretch, kind, hillshade } = lookOf(layer);
  const [red, green, blue] = bands;
  if (red !== undefined && green !== undefined && blue !== undefined && bands.length === 3) {
    const [low, high] = stretch ?? summary.bands[0]?.stretch ?? [0, 255];
    return { band: 1, ramp: undefined, low, high, colours: [red, green, blue] };
  }
  if (bands.length > 1) return undefined;
  const shade = hillshade?.exaggeration;
  const lit = shade === undefined ? {} : { shade };
  const band = bands[0] ?? 1;
  if (stops !== undefined && stops.length > 0) {
    const [low, high] = [stops[0]?.value ?? 0, stops.at(-1)?.value ?? 0];
    const ramp = Object.keys(RAMPS).find((name) => {
      const made = lookOf(rasterLayers({ band, ramp: name, low, high })[0]).stops;
      return isSameJson(made, stops);
    });
    return ramp === undefined || (kind ?? 'ramp') !== 'ramp' ? undefined : { band, ramp, low, high, ...lit };
  }
  if (bands.length === 0 && summary.drawn !== 'grey') return undefined;
  const [low, high] = stretch ?? summary.bands.find((one) => one.band === band)?.stretch ?? [0, 255];
  return { band, ramp: undefined, low, high, ...lit };
}

export function rasterLegend(
  layers: readonly StyleLayer[],
  summary: RasterSummary | undefined,
): readonly LegendEntry[] {
  const layer = layers.find(({ type }) => type === 'raster');
  const { stops = [], bands = [], stretch } = lookOf(layer);
  if (stops.length > 0)
    return stops.map(({ value, color, label }) =>
      entry(color, label ?? (value < Number.MAX_VALUE ? String(value) : '')),
    );
  if (bands.length >= 3 || (bands.length === 0 && summary?.drawn === 'colours')) {
    const shown = bands.length >= 3 ? bands : [1, 2, 3];
    return ['#ff0000', '#00c000', '#0000ff'].map((colour, i) => entry(colour, `band ${shown[i]}`));
  }
  if (summary === undefined || (summary.drawn === 'palette' && bands.length === 0)) return [];
  const [low, high] = stretch ?? summary.bands.find(({ band }) => band === (bands[0] ?? 1))?.stretch ?? [0, 255];
  return [0, 0.5, 1].map((share) => {
    const level = Math.round(share * 255);
    return entry(`rgb(${level} ${level} ${level})`, shortNumber(low + (high - low) * share));
  });
}

function entry(colour: string, label: string): LegendEntry {
  return { label, symbol: { shape: 'fill', colour } };
}

function lookOf(layer: StyleLayer | undefined): Look {
  const look = layer?.metadata?.[METADATA];
  return typeof look === 'object' && look !== null ? (look as Look) : {};
}

function shortNumber(n: number): string {
  return String(Number(n.toPrecision(4)));
}
