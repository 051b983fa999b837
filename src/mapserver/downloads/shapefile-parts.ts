// A shapefile holds one type of geometry: features of several types become one shapefile for each, and those without a geometry a
// table. Which types there are is noted as the features pass by. Pure.

import type { Part } from './gdal-formats.ts';

export type ShapefilePart = Part & {
  /** Behind the name of the layer: `_polygon`. */
  readonly suffix: string;
};

/** Types of GeoJSON that go into one shapefile. */
const CLASSES: readonly { readonly suffix: string; readonly types: readonly string[] }[] = [
  { suffix: '_point', types: ['Point'] },
  { suffix: '_multipoint', types: ['MultiPoint'] },
  { suffix: '_line', types: ['LineString', 'MultiLineString'] },
  { suffix: '_polygon', types: ['Polygon', 'MultiPolygon'] },
];
const NO_TYPE = 'null';

export type TypesNote = {
  /** A feature of GeoJSON, as the database writes it. */
  look(feature: Buffer): void;
  readonly types: ReadonlySet<string>;
};

/** Where the type of the geometry stands: behind the id, which is a number or a short text. */
const HEAD_BYTES = 2000;

export function noteTypes(): TypesNote {
  const types = new Set<string>();
  return {
    types,
    look(feature) {
      const head = feature.toString('latin1', 0, HEAD_BYTES);
      types.add(/"geometry":\{"type":"(\w{1,30})"/.exec(head)?.[1] ?? NO_TYPE);
    },
  };
}

/** Undefined: a type that no shapefile can hold. An empty list: all features fit into one file. */
export function shapefileParts(types: ReadonlySet<string>, suffixOfType: string): readonly ShapefilePart[] | undefined {
  const placed = [...types].filter((type) => type !== NO_TYPE);
  const classes = CLASSES.filter((one) => one.types.some((type) => types.has(type)));
  if (placed.some((type) => !CLASSES.some((one) => one.types.includes(type)))) return undefined;
  if (classes.length <= 1) return [];
  const parts = classes.map(({ suffix, types: [single = '', multiple] }) => ({
    suffix,
    type: `${single.toUpperCase()}${suffixOfType}`,
    where: [single, ...(multiple === undefined ? [] : [multiple])]
      .map((type) => `OGR_GEOMETRY = '${type.toUpperCase()}'`)
      .join(' OR '),
  }));
  if (!types.has(NO_TYPE)) return parts;
  return [...parts, { suffix: '_without_geometry', type: 'NONE', where: 'OGR_GEOMETRY IS NULL' }];
}
