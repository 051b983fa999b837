// What `ogrinfo -so -al` writes → the layers of a file, with the coordinate system of each. As JSON it writes only since GDAL 3.7. Pure.

import type { InspectedLayer } from '../import-task.ts';

const NAME = 'Layer name: ';
const NO_GEOMETRY = 'Geometry: None';
const SRS = 'Layer SRS WKT:';

export function ogrinfoLayers(text: string): readonly InspectedLayer[] {
  const layers: { readonly name: string; hasPlaces: boolean; crs: string | undefined }[] = [];
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const line = (lines[i] ?? '').trimEnd();
    const layer = layers.at(-1);
    if (line.startsWith(NAME)) layers.push({ name: line.slice(NAME.length), hasPlaces: true, crs: undefined });
    // A table without places is in no coordinate system.
    else if (layer !== undefined && line === NO_GEOMETRY) layer.hasPlaces = false;
    else if (layer !== undefined && layer.crs === undefined && line === SRS) {
      const wkt = wktAt(lines, i + 1);
      layer.crs = wkt.text;
      i = wkt.end - 1;
    }
  }
  return layers.flatMap(({ name, hasPlaces, crs }) => (hasPlaces ? [{ name, crs }] : []));
}

/** From its first line to the one with which the last bracket is closed; `(unknown)` is none. */
function wktAt(lines: readonly string[], from: number): { readonly text: string | undefined; readonly end: number } {
  let depth = 0;
  let isQuoted = false;
  for (let i = from; i < lines.length; i++) {
    for (const char of lines[i] ?? '') {
      if (char === '"') isQuoted = !isQuoted;
      else if (!isQuoted && char === '[') depth++;
      else if (!isQuoted && char === ']') depth--;
    }
    if (depth > 0 || isQuoted) continue;
    const text = lines
      .slice(from, i + 1)
      .join('\n')
      .trim();
    return { text: text.includes('[') ? text : undefined, end: i + 1 };
  }
  return { text: undefined, end: lines.length };
}
