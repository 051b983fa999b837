// Tells a map its style. Of a source that has nothing new but the address of its tiles, the map keeps the tiles it has until the new ones are there:
// told by a difference of styles it would throw the source away, and the layer would flicker with every change of its rows.

import { type Map as GlMap, RasterTileSource, type StyleSpecification, VectorTileSource } from 'maplibre-gl';

export function tellStyle(map: GlMap, style: StyleSpecification, options: Parameters<GlMap['setStyle']>[1]): void {
  for (const [id, wanted] of Object.entries(style.sources)) {
    if (wanted.type !== 'vector' && wanted.type !== 'raster') continue;
    const source = map.getSource(id);
    if (!(source instanceof VectorTileSource || source instanceof RasterTileSource)) continue;
    const { tiles: before, ...rest } = source.serialize();
    const { tiles, ...others } = wanted;
    if (tiles === undefined || String(before) === String(tiles)) continue;
    if (JSON.stringify(sorted(rest)) === JSON.stringify(sorted(others))) source.setTiles([...tiles]);
  }
  map.setStyle(style, options);
}

function sorted(members: object): readonly (readonly [string, unknown])[] {
  return Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));
}
