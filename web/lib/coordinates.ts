// Coordinates as people write them: `48.1, 11.5` is latitude first, as on most maps. Pure.

/** Longitude and latitude; undefined: it is no place. */
export function parseCoordinates(text: string): readonly [lon: number, lat: number] | undefined {
  const [, first, second] =
    /^\s*(-?\d{1,3}(?:\.\d{1,10})?)\s{0,5}[,;\s]\s{0,5}(-?\d{1,3}(?:\.\d{1,10})?)\s*$/.exec(text.slice(0, 60)) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const [lat, lon] = [Number(first), Number(second)];
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? [lon, lat] : undefined;
}

/** `48.13743° N, 11.57549° E`, as fine as the zoom shows. */
export function coordinateText([lon, lat]: readonly [number, number], zoom: number, language: string): string {
  const digits = Math.max(1, Math.min(6, Math.round(zoom / 3)));
  const number = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const east = ((((lon + 180) % 360) + 360) % 360) - 180;
  const part = (value: number, positive: string, negative: string): string =>
    `${number.format(Math.abs(value))}° ${value < 0 ? negative : positive}`;
  return `${part(lat, 'N', 'S')}, ${part(east, ...(EAST_WEST[language] ?? ['E', 'W']))}`;
}

/** Where they differ from English. O is the east in German, and the west in French and Spanish. */
const EAST_WEST: Readonly<Record<string, readonly [east: string, west: string]>> = {
  de: ['O', 'W'],
  fr: ['E', 'O'],
  es: ['E', 'O'],
};
