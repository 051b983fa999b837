// Tells a map its style. Of a source that has nothing new but the address of its tiles, the map keeps the tiles it has until the new ones are there:
// told by a difference of styles it would throw the source away, and the layer would flicker with every change of its rows.

import {
  type Map as GlMap,
  RasterTileSource,
  type SourceSpecification,
  type StyleSpecification,
  VectorTileSource,
} from 'maplibre-gl';

type Addresses = ReadonlyMap<string, readonly string[]>;

/** What the sources of a map are to have, as it was told last. */
const wanted = new WeakMap<GlMap, Addresses>();

export function tellStyle(map: GlMap, style: StyleSpecification, options: Parameters<GlMap['setStyle']>[1]): void {
  const addresses = new Map<string, readonly string[]>();
  const sources: Record<string, SourceSpecification> = { ...style.sources };
  for (const [id, next] of Object.entries(style.sources)) {
    if (next.type !== 'vector' && next.type !== 'raster') continue;
    const source = tiledSource(map, id);
    if (source === undefined) continue;
    const { tiles: before, ...rest } = source.serialize();
    const { tiles, ...others } = next;
    if (tiles === undefined || before === undefined || String(before) === String(tiles)) continue;
    if (JSON.stringify(sorted(rest)) !== JSON.stringify(sorted(others))) continue;
    // In tiles without the column that the new look follows, no feature has a value: rather nothing for a moment than something that is not so.
    if (columnsOf(before) !== columnsOf(tiles)) continue;
    addresses.set(id, tiles);
    sources[id] = { ...next, tiles: before };
  }
  wanted.set(map, addresses);
  map.setStyle({ ...style, sources }, options);
  if (addresses.size === 0) return;
  // A source whose layers have another look is paused until the next picture, and would not hear of its new address.
  map.once('render', () => {
    for (const [id, tiles] of wanted.get(map) ?? []) tiledSource(map, id)?.setTiles([...tiles]);
    wanted.delete(map);
  });
  map.triggerRepaint();
}

function tiledSource(map: GlMap, id: string): VectorTileSource | RasterTileSource | undefined {
  const source = map.getSource(id);
  return source instanceof VectorTileSource || source instanceof RasterTileSource ? source : undefined;
}

/** Columns that are asked for in the address of tiles. */
function columnsOf([address = '']: readonly string[]): string {
  return String(new URLSearchParams(address.slice(address.indexOf('?') + 1)).getAll('column'));
}

function sorted(members: object): readonly (readonly [string, unknown])[] {
  return Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));
}
