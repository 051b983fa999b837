// Symbolizers of rasters in an SLD → raster layers with bands, stretch and ramp of colours. Pure.

import { ok, type Result } from '../../kernel/result.ts';
import { formatColor, parseColor } from './color.ts';
import { guess } from './read-filter.ts';
import { type JsonObject, METADATA, type RampStop, RELIEF } from './style-layer.ts';
import { type Parts, properties, type SldFault, sldFault } from './symbolizer.ts';
import { childOf, childrenOf, textOf, type XmlElement } from './xml-tree.ts';

const MAX_STOPS = 1000;

export function readRaster(symbolizer: XmlElement): Parts {
  const opacity = childOf(symbolizer, 'Opacity');
  const channels = childOf(symbolizer, 'ChannelSelection');
  const bands = ['RedChannel', 'GreenChannel', 'BlueChannel', 'GrayChannel']
    .map((name) => Number(textOf(childOf(childOf(channels, name), 'SourceChannelName')) || Number.NaN))
    .filter((band) => Number.isInteger(band) && band > 0);
  const map = childOf(symbolizer, 'ColorMap');
  const ramp = readRamp(map);
  if (!ramp.ok) return ramp;
  const contrast =
    childOf(childOf(channels, 'GrayChannel'), 'ContrastEnhancement') ?? childOf(symbolizer, 'ContrastEnhancement');
  const vendor = (name: string): number => {
    const options = childrenOf(childOf(contrast, 'Normalize') ?? contrast, 'VendorOption');
    return Number(textOf(options.find((option) => option.attributes['name'] === name)) || Number.NaN);
  };
  const stretch = [vendor('minValue'), vendor('maxValue')];
  const relief = childOf(symbolizer, 'ShadedRelief');
  const look: JsonObject = {
    ...(bands.length > 0 ? { bands } : {}),
    ...(ramp.value === undefined
      ? {}
      : { kind: ramp.value.kind, stops: ramp.value.stops.map((stop) => ({ ...stop })) }),
    ...(stretch.every(Number.isFinite) ? { stretch } : {}),
    ...(relief === undefined ? {} : { hillshade: readRelief(symbolizer, relief) }),
  };
  return ok([
    {
      type: 'raster',
      paint: properties([['raster-opacity', opacity === undefined ? undefined : guess(textOf(opacity))]]),
      ...(Object.keys(look).length === 0 ? {} : { metadata: { [METADATA.raster]: look } }),
    },
  ]);
}

/** A relief without a factor, or with one that is none, is as steep as it is. */
function readRelief(symbolizer: XmlElement, relief: XmlElement): JsonObject {
  const factor = Number(textOf(childOf(relief, 'ReliefFactor')) || RELIEF);
  const option = (name: string, usual: number): number => {
    const found = childrenOf(symbolizer, 'VendorOption').find(({ attributes }) => attributes['name'] === name);
    const value = Number(textOf(found) || usual);
    return Number.isFinite(value) ? value : usual;
  };
  const exaggeration = Number.isFinite(factor) && factor > 0 ? Math.round((factor / RELIEF) * 1000) / 1000 : 1;
  return { azimuth: option('azimuth', 315), altitude: option('altitude', 45), exaggeration };
}

type Ramp = { readonly kind: 'ramp' | 'intervals' | 'values'; readonly stops: readonly RampStop[] };

function readRamp(map: XmlElement | undefined): Result<Ramp | undefined, SldFault> {
  if (map === undefined) return ok(undefined);
  const encoded = childOf(map, 'Interpolate', 'Categorize');
  if (encoded !== undefined) return ok(readEncodedRamp(encoded));
  const stops: RampStop[] = [];
  for (const entry of childrenOf(map, 'ColorMapEntry')) {
    const { color = '', quantity = '', opacity, label } = entry.attributes;
    const parsed = parseColor(color);
    const value = Number(quantity || Number.NaN);
    if (parsed === undefined || Number.isNaN(value)) return sldFault('a ColorMapEntry needs a color and a quantity');
    const alpha = opacity === undefined || opacity === '' ? parsed[3] : Math.min(1, Math.max(0, Number(opacity) || 0));
    stops.push({
      value,
      color: formatColor([parsed[0], parsed[1], parsed[2], alpha]),
      ...(label === undefined ? {} : { label }),
    });
  }
  if (stops.length === 0) return ok(undefined);
  if (stops.length > MAX_STOPS) return sldFault(`a ColorMap has at most ${MAX_STOPS} entries`);
  const { type } = map.attributes;
  const kind = type === 'intervals' || type === 'values' ? type : 'ramp';
  if (kind !== 'values') stops.sort((a, b) => a.value - b.value);
  return ok({ kind, stops });
}

/** Categorize gives a colour below each threshold, Interpolate one at each point. */
function readEncodedRamp(element: XmlElement): Ramp | undefined {
  const color = (text: string): string => {
    const parsed = parseColor(text);
    return parsed === undefined ? '#808080' : formatColor(parsed);
  };
  if (element.name === 'Interpolate') {
    const stops = childrenOf(element, 'InterpolationPoint').map((point) => ({
      value: Number(textOf(childOf(point, 'Data'))),
      color: color(textOf(childOf(point, 'Value'))),
    }));
    return stops.length === 0
      ? undefined
      : { kind: 'ramp', stops: stops.filter((stop) => Number.isFinite(stop.value)) };
  }
  const values = childrenOf(element, 'Value').map((value) => color(textOf(value)));
  const thresholds = childrenOf(element, 'Threshold').map((threshold) => Number(textOf(threshold)));
  const stops = values.map((one, i) => ({ value: thresholds[i] ?? Number.MAX_VALUE, color: one }));
  return stops.length === 0 ? undefined : { kind: 'intervals', stops };
}
