// Degrees ⇄ metres of a web map. Pure.

const WORLD_HALF = 20_037_508.342_789_244;
const HIGHEST = 85.051_128_779_806_6;

export function toMetres(lon: number, lat: number): readonly [x: number, y: number] {
  const angle = (Math.max(-HIGHEST, Math.min(HIGHEST, lat)) * Math.PI) / 180;
  return [(lon / 180) * WORLD_HALF, (Math.log(Math.tan(Math.PI / 4 + angle / 2)) / Math.PI) * WORLD_HALF];
}

export function toDegrees([x, y]: readonly [x: number, y: number]): readonly [lon: number, lat: number] {
  return [(x / WORLD_HALF) * 180, (Math.atan(Math.sinh((y / WORLD_HALF) * Math.PI)) * 180) / Math.PI];
}
