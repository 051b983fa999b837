// Coordinate systems by their definitions (proj4 text or WKT) → functions from one to the other. What lies outside of where a
// projection is good comes out undefined, never as infinity. For views and pixels; features are transformed by the database.

import proj4 from 'proj4';

type Position = readonly [x: number, y: number];
export type Box = readonly [xmin: number, ymin: number, xmax: number, ymax: number];
export type Project = (x: number, y: number) => Position | undefined;

export type Crs = {
  readonly srid: number;
  /** For proj4. */
  readonly definition: string;
  readonly isGeographic: boolean;
  /** Metres in one unit; of a degree, at the equator. */
  readonly metresPerUnit: number;
};

const METRES_PER_DEGREE = 111_319.490_793_273_57;

export const WGS84: Crs = {
  srid: 4326,
  definition: '+proj=longlat +datum=WGS84 +no_defs',
  isGeographic: true,
  metresPerUnit: METRES_PER_DEGREE,
};

export const WEB_MERCATOR: Crs = {
  srid: 3857,
  definition:
    '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +wktext +no_defs',
  isGeographic: false,
  metresPerUnit: 1,
};

/** Undefined: a definition that cannot be read. */
export function makeCrs(srid: number, definition: string): Crs | undefined {
  if (srid === 4326) return WGS84;
  if (srid === 3857) return WEB_MERCATOR;
  try {
    const { oProj } = proj4(definition) as unknown as { oProj: { projName?: string; to_meter?: number } };
    const isGeographic = oProj.projName === 'longlat';
    return { srid, definition, isGeographic, metresPerUnit: isGeographic ? METRES_PER_DEGREE : (oProj.to_meter ?? 1) };
  } catch {
    return undefined;
  }
}

/** Mercator runs off to infinity at the poles, and others fold over: further than this nothing is shown. */
const MAX_LATITUDE = 89.9;

export function makeProject(from: Crs, to: Crs): Project {
  if (from.srid === to.srid) return (x, y) => [x, y];
  if (from.srid === 4326 && to.srid === 3857) return degreesToMercator;
  if (from.srid === 3857 && to.srid === 4326) return mercatorToDegrees;
  const converter = proj4(from.definition, to.definition);
  return (x, y) => {
    if (from.isGeographic && Math.abs(y) > 90) return undefined;
    const latitude = from.isGeographic ? Math.min(MAX_LATITUDE, Math.max(-MAX_LATITUDE, y)) : y;
    let position: number[];
    try {
      position = converter.forward([x, latitude]);
    } catch {
      return undefined;
    }
    const [px, py] = position;
    return px !== undefined && py !== undefined && Number.isFinite(px) && Number.isFinite(py) ? [px, py] : undefined;
  };
}

const RADIUS = 6_378_137;

function degreesToMercator(x: number, y: number): Position | undefined {
  if (Math.abs(y) > 90) return undefined;
  const latitude = Math.min(MAX_LATITUDE, Math.max(-MAX_LATITUDE, y));
  return [(x * Math.PI * RADIUS) / 180, RADIUS * Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360))];
}

function mercatorToDegrees(x: number, y: number): Position {
  return [(x / RADIUS) * (180 / Math.PI), (2 * Math.atan(Math.exp(y / RADIUS)) - Math.PI / 2) * (180 / Math.PI)];
}

const STEPS = 16;

/** The box around a box on the other side, by a grid of places in it; undefined: none of it is there. */
export function projectBox(project: Project, [xmin, ymin, xmax, ymax]: Box): Box | undefined {
  let box: [number, number, number, number] | undefined;
  for (let i = 0; i <= STEPS; i++) {
    for (let j = 0; j <= STEPS; j++) {
      const at = project(xmin + ((xmax - xmin) * i) / STEPS, ymin + ((ymax - ymin) * j) / STEPS);
      if (at === undefined) continue;
      const [x, y] = at;
      if (box === undefined) box = [x, y, x, y];
      else {
        if (x < box[0]) box[0] = x;
        if (y < box[1]) box[1] = y;
        if (x > box[2]) box[2] = x;
        if (y > box[3]) box[3] = y;
      }
    }
  }
  return box;
}

/** Grown on all sides by a share of its size. */
export function growBox([xmin, ymin, xmax, ymax]: Box, share: number): Box {
  const [dx, dy] = [(xmax - xmin) * share, (ymax - ymin) * share];
  return [xmin - dx, ymin - dy, xmax + dx, ymax + dy];
}
