// The looks of a layer: which of its styles is meant, and that style as layers that can be drawn, whatever form it was stored in.

import { defaultLayers } from '../../geo/style/default-layers.ts';
import { withNoValue } from '../../geo/style/no-value.ts';
import type { ColumnHint } from '../../geo/style/read-filter.ts';
import { readSld } from '../../geo/style/read-sld.ts';
import { parseStyle, type StyleLayer } from '../../geo/style/style-layer.ts';
import { writeSld } from '../../geo/style/write-sld.ts';
import type { Layer } from '../../layer-ports/layer.ts';
import type { LayerStyle } from '../../layer-ports/layer-access.ts';
import { crowdOf } from '../cells/crowd-zoom.ts';
import { columnClass } from '../columns/column-class.ts';

/** By id, by name (with or without a workspace), or the default one for an empty name. */
export function pickStyle(layer: Layer, styles: readonly LayerStyle[], wanted: string): LayerStyle | undefined {
  if (wanted === '' || wanted === 'default')
    return styles.find((style) => style.id === layer.defaultStyle) ?? styles[0];
  const plain = wanted.slice(wanted.indexOf(':') + 1);
  return (
    styles.find((style) => String(style.id) === wanted) ??
    styles.find((style) => style.name === wanted) ??
    styles.find((style) => style.name === plain)
  );
}

/** What is stored for viewers, else what the SLD says, else the look of a layer nobody has styled. */
export function styleLayers(layer: Layer, style: LayerStyle | undefined): readonly StyleLayer[] {
  if (style?.maplibre !== undefined && style.maplibre !== null) {
    const parsed = parseStyle(style.maplibre);
    if (parsed.ok && parsed.value.length > 0) return withNoValue(parsed.value);
  }
  if (style?.sld !== undefined && style.sld !== null) {
    const read = readSld(style.sld, { columns: columnHints(layer) });
    if (read.ok && read.value.layers.length > 0) return withNoValue(read.value.layers);
  }
  return layer.kind === 'raster'
    ? defaultLayers('raster', layer.name)
    : defaultLayers(layer.geometry.kind, layer.name, crowdOf(layer));
}

/** As it was sent, else written of what viewers draw. */
export function sldOf(layer: Layer, style: LayerStyle | undefined): string {
  if (style?.sld !== null && style?.sld !== undefined && style.sld !== '') return style.sld;
  const head = { layer: layer.name, style: style?.name ?? 'default', title: style?.title ?? undefined };
  return writeSld(styleLayers(layer, style), head);
}

export function columnHints(layer: Layer): readonly ColumnHint[] {
  if (layer.kind === 'raster') return [];
  return layer.columns.map(({ name, type }) => {
    const kind = columnClass(type);
    return { name, kind: kind === 'integer' || kind === 'number' ? 'number' : kind === 'boolean' ? 'boolean' : 'text' };
  });
}
