import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Annotation, annotationShapes, annotationsData, parseAnnotations, shapeOfCorners } from './annotations.ts';

const NOTES: readonly Annotation[] = [
  {
    id: 'a',
    kind: 'polygon',
    title: 'Flood of 2013',
    description: 'As far as the water came.',
    colour: '#0055aa',
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [2, 0],
          [2, 2],
          [0, 2],
          [0, 0],
        ],
      ],
    },
  },
  {
    id: 'b',
    kind: 'text',
    title: 'Here',
    description: '',
    colour: '#123456',
    geometry: { type: 'Point', coordinates: [5, 6] },
  },
];

test('annotations come back from the map’s data as they were put there', () => {
  expect(parseAnnotations(JSON.parse(JSON.stringify(annotationsData(NOTES))))).toEqual(NOTES);
});

test('whatever the data hold, what is no annotation is left out, and a colour is a colour', () => {
  const feature = (properties: object, geometry: unknown, id = 'x'): object => ({
    type: 'Feature',
    id,
    properties,
    geometry,
  });
  const point = { type: 'Point', coordinates: [1, 2] };
  expect(
    parseAnnotations({
      features: [
        feature({ kind: 'point', colour: 'url(evil)' }, point),
        feature({ kind: 'point' }, point),
        feature({ kind: 'line' }, point, 'y'),
        feature(
          { kind: 'line' },
          {
            type: 'LineString',
            coordinates: [
              [0, 0],
              [1, Number.NaN],
            ],
          },
          'z',
        ),
        feature({ kind: 'circle' }, point, 'w'),
        null,
      ],
    }),
  ).toEqual([{ id: 'x', kind: 'point', title: '', description: '', colour: '#c2410c', geometry: point }]);
  fc.assert(fc.property(fc.jsonValue(), (data) => Array.isArray(parseAnnotations(data))));
});

test('a title stands in the middle of its area; a text is its title alone', () => {
  const { features } = annotationShapes(NOTES);
  expect(features.map(({ properties }) => properties?.['kind'])).toEqual(['polygon', 'label', 'label']);
  expect(features[1]?.geometry).toEqual({ type: 'Point', coordinates: [1, 1] });
  expect(annotationShapes(NOTES, 'a').features).toHaveLength(1);
});

test('corners make a shape as soon as there are enough of them', () => {
  expect(shapeOfCorners('line', [[0, 0]])).toBeUndefined();
  expect(
    shapeOfCorners('polygon', [
      [0, 0],
      [1, 0],
    ]),
  ).toBeUndefined();
  expect(
    shapeOfCorners('polygon', [
      [0, 0],
      [1, 0],
      [1, 1],
    ]),
  ).toEqual({
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    ],
  });
});
