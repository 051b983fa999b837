// Names of a table's columns → those that hold coordinates, as far as the names tell.

export type CoordinateColumns =
  | { readonly kind: 'xy'; readonly x: number; readonly y: number; readonly isDegrees: boolean }
  | { readonly kind: 'wkt'; readonly column: number }
  /** Somebody said that there are none. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' };

const LONGITUDES = [
  'longitude',
  'long',
  'lon',
  'lng',
  'x_long',
  'decimallongitude',
  'longitud',
  'längengrad',
  'laengengrad',
];
const LATITUDES = ['latitude', 'lat', 'y_lat', 'decimallatitude', 'latitud', 'breitengrad'];
const EASTINGS = ['x', 'easting', 'east', 'xcoord', 'x_coord', 'coord_x', 'point_x', 'rechtswert'];
const NORTHINGS = ['y', 'northing', 'north', 'ycoord', 'y_coord', 'coord_y', 'point_y', 'hochwert'];
const GEOMETRIES = [
  'wkt',
  'ewkt',
  'wkb',
  'geom',
  'geometry',
  'the_geom',
  'wkb_geometry',
  'wkt_geom',
  'wkt_geometry',
  'shape',
];

/** `looksLikeGeometry`: whether the first value of a column is one. */
export function guessCoordinates(
  names: readonly string[],
  looksLikeGeometry: (column: number) => boolean,
): CoordinateColumns {
  const plain = names.map((name) => name.trim().toLowerCase());
  const geometry = firstOf(plain, GEOMETRIES, looksLikeGeometry);
  if (geometry >= 0) return { kind: 'wkt', column: geometry };
  for (const [isDegrees, xs, ys] of [
    [true, LONGITUDES, LATITUDES],
    [false, EASTINGS, NORTHINGS],
  ] as const) {
    const x = firstOf(plain, xs);
    const y = firstOf(plain, ys);
    if (x >= 0 && y >= 0) return { kind: 'xy', x, y, isDegrees };
  }
  // Names with more in them: `gps_lat`, `Latitude (deg)`.
  const x = only(plain, /(?:^|[^a-z])(?:lon|lng|long|longitude)(?:[^a-z]|$)/);
  const y = only(plain, /(?:^|[^a-z])(?:lat|latitude)(?:[^a-z]|$)/);
  return x >= 0 && y >= 0 ? { kind: 'xy', x, y, isDegrees: true } : { kind: 'unknown' };
}

function firstOf(
  names: readonly string[],
  wanted: readonly string[],
  also: (column: number) => boolean = () => true,
): number {
  for (const want of wanted) {
    const at = names.indexOf(want);
    if (at >= 0 && also(at)) return at;
  }
  return -1;
}

function only(names: readonly string[], pattern: RegExp): number {
  const matching = names.flatMap((name, i) => (pattern.test(name) ? [i] : []));
  return matching.length === 1 ? (matching[0] ?? -1) : -1;
}
