// Annotations of a map, shapes and texts drawn on it by its maker ⇄ the GeoJSON that the map's data hold. Read from whatever is there. Pure.

import type { Feature, FeatureCollection, Geometry, Point, Position } from 'geojson';

export const ANNOTATION_KINDS = ['point', 'line', 'polygon', 'text'] as const;
export type AnnotationKind = (typeof ANNOTATION_KINDS)[number];

export type Annotation = {
  readonly id: string;
  readonly kind: AnnotationKind;
  readonly title: string;
  readonly description: string;
  /** `#rrggbb` */
  readonly colour: string;
  readonly geometry: Geometry;
};

export const ANNOTATION_COLOUR = '#c2410c';
/** All of them travel with the map whenever it is opened. */
export const MAX_ANNOTATIONS = 500;
export const MAX_TITLE = 200;
export const MAX_DESCRIPTION = 4000;
const MAX_VERTICES = 5000;

const GEOMETRIES: Readonly<Record<AnnotationKind, Geometry['type']>> = {
  point: 'Point',
  text: 'Point',
  line: 'LineString',
  polygon: 'Polygon',
};

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is none is left out. */
export function parseAnnotations(value: unknown): readonly Annotation[] {
  const features = isObject(value) && Array.isArray(value['features']) ? value['features'] : [];
  const seen = new Set<string>();
  return features.slice(0, MAX_ANNOTATIONS).flatMap((feature: unknown) => {
    const one = isObject(feature) ? parseAnnotation(feature) : undefined;
    if (one === undefined || seen.has(one.id)) return [];
    seen.add(one.id);
    return [one];
  });
}

function parseAnnotation({ id, properties, geometry }: Json): Annotation | undefined {
  const about = isObject(properties) ? properties : {};
  const kind = ANNOTATION_KINDS.find((one) => one === about['kind']);
  if (kind === undefined || typeof id !== 'string' || id === '' || id.length > 100) return undefined;
  const shape = parseGeometry(kind, geometry);
  if (shape === undefined) return undefined;
  const { title, description, colour } = about;
  return {
    id,
    kind,
    title: typeof title === 'string' ? title.slice(0, MAX_TITLE) : '',
    description: typeof description === 'string' ? description.slice(0, MAX_DESCRIPTION) : '',
    colour: typeof colour === 'string' && /^#[0-9a-f]{6}$/i.test(colour) ? colour : ANNOTATION_COLOUR,
    geometry: shape,
  };
}

function parseGeometry(kind: AnnotationKind, value: unknown): Geometry | undefined {
  if (!isObject(value) || value['type'] !== GEOMETRIES[kind]) return undefined;
  const { coordinates } = value;
  switch (kind) {
    case 'point':
    case 'text':
      return isPosition(coordinates) ? { type: 'Point', coordinates } : undefined;
    case 'line':
      return isPositions(coordinates, 2) ? { type: 'LineString', coordinates } : undefined;
    case 'polygon': {
      const [ring] = Array.isArray(coordinates) ? (coordinates as readonly unknown[]) : [];
      return isPositions(ring, 4) ? { type: 'Polygon', coordinates: [ring] } : undefined;
    }
  }
}

function isPosition(value: unknown): value is Position {
  return Array.isArray(value) && value.length >= 2 && value.length <= 3 && value.every(Number.isFinite);
}

function isPositions(value: unknown, least: number): value is Position[] {
  return Array.isArray(value) && value.length >= least && value.length <= MAX_VERTICES && value.every(isPosition);
}

export function annotationsData(annotations: readonly Annotation[]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: annotations.map(({ id, kind, title, description, colour, geometry }) => ({
      type: 'Feature',
      id,
      properties: { kind, title, description, colour },
      geometry,
    })),
  };
}

/** As a map draws them: each shape, and a point where its title stands. `without`: the one that a drawing tool shows itself. */
export function annotationShapes(annotations: readonly Annotation[], without?: string): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: annotations
      .filter(({ id }) => id !== without)
      .flatMap(({ id, kind, title, colour, geometry }): readonly Feature[] => {
        const shape: Feature = { type: 'Feature', properties: { annotation: id, kind, colour }, geometry };
        if (title === '') return kind === 'text' ? [] : [shape];
        const label: Feature = {
          type: 'Feature',
          properties: { annotation: id, kind: 'label', of: kind, colour, title },
          geometry: { type: 'Point', coordinates: [...labelPlace(geometry)] },
        };
        return kind === 'text' ? [label] : [shape, label];
      }),
  };
}

/** The point itself, the middle vertex of a line, the centre of gravity of an area. */
function labelPlace(geometry: Geometry): Position {
  switch (geometry.type) {
    case 'Point':
      return (geometry as Point).coordinates;
    case 'LineString':
      return geometry.coordinates[Math.floor(geometry.coordinates.length / 2)] ?? [0, 0];
    case 'Polygon':
      return centreOf(geometry.coordinates[0] ?? []);
    default:
      return [0, 0];
  }
}

function centreOf(ring: readonly Position[]): Position {
  let [area, x, y] = [0, 0, 0];
  const [[x0 = 0, y0 = 0] = []] = ring;
  // Relative to the first corner: small shapes far from the origin would lose their digits.
  for (let i = 0; i + 1 < ring.length; i++) {
    const [ax, ay] = [(ring[i]?.[0] ?? 0) - x0, (ring[i]?.[1] ?? 0) - y0];
    const [bx, by] = [(ring[i + 1]?.[0] ?? 0) - x0, (ring[i + 1]?.[1] ?? 0) - y0];
    const cross = ax * by - bx * ay;
    area += cross;
    x += (ax + bx) * cross;
    y += (ay + by) * cross;
  }
  return area === 0 ? [x0, y0] : [x0 + x / (3 * area), y0 + y / (3 * area)];
}

/** What corners set one by one make; undefined: they are too few. */
export function shapeOfCorners(kind: AnnotationKind, corners: readonly Position[]): Geometry | undefined {
  const [first] = corners;
  if (first === undefined) return undefined;
  switch (kind) {
    case 'point':
    case 'text':
      return { type: 'Point', coordinates: first };
    case 'line':
      return corners.length < 2 ? undefined : { type: 'LineString', coordinates: [...corners] };
    case 'polygon':
      return corners.length < 3 ? undefined : { type: 'Polygon', coordinates: [[...corners, first]] };
  }
}
