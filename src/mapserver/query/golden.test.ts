// What becomes of layers, filters, views, tiles and edits, as SQL: a file per case in golden/, to be read. `npm run bless` rewrites them.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseCqlText } from '../../geo/cql/cql-text.ts';
import { WEB_MERCATOR } from '../../geo/projection.ts';
import { makeView } from '../../geo/view.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { cellSize, cellsStatement, countStatement as countTilesStatement, sizeIndexes } from './cells-sql.ts';
import { deleteStatement, insertStatement, replaceStatement, updateStatement } from './edit-sql.ts';
import { featureInfoStatement } from './feature-info-sql.ts';
import {
  boxCondition,
  countStatement,
  type FeatureQuery,
  featuresStatement,
  keyCondition,
  keysCondition,
  timeCondition,
  wholeLayer,
} from './feature-query.ts';
import { filterToSql } from './filter-sql.ts';
import { WGS84 } from './known-crs.ts';
import { csvSelect, gmlSelect, kmlSelect } from './row-selects.ts';
import { categoriesSql, numbersSql } from './statistics-sql.ts';
import { wholeTile } from './tile-plan.ts';
import { encodedTileStatement, tileRowsStatement } from './tile-sql.ts';
import { inSpan } from './time-sql.ts';
import { allOf, type Sql, toCopy, toStatement } from './value.ts';
import { featureStatement, planFeatures } from './view-sql.ts';

const column = { label: null, description: null, nullable: true, hasDefault: false, generated: false } as const;

const towns: VectorLayer = {
  kind: 'vector',
  id: 7,
  name: 'towns',
  alternate: 'portal:towns',
  title: 'Towns',
  abstract: '',
  keywords: [],
  attribution: null,
  srid: 4326,
  crs: 'EPSG:4326',
  extent: { native: [5, 47, 15, 55], wgs84: [5, 47, 15, 55] },
  version: '1',
  dataVersion: '1',
  cacheable: true,
  defaultStyle: undefined,
  styles: [],
  updated: '2024-01-01T00:00:00Z',
  interval: undefined,
  table: 'towns',
  primaryKey: 'id',
  keyType: 'integer',
  geometry: { column: 'geom', kind: 'point', type: 'Point', nullable: false },
  columns: [
    { ...column, name: 'id', type: 'integer' },
    { ...column, name: 'name', type: 'text' },
    { ...column, name: 'people', type: 'integer' },
    { ...column, name: 'founded', type: 'date' },
  ],
  timeColumn: 'founded',
  ownRowRules: false,
  estimatedRows: 1000,
  overview: undefined,
  gis: 'public',
};

/** Many polygons in a system of their own. */
const fields: VectorLayer = {
  ...towns,
  name: 'fields',
  table: 'fields',
  srid: 25832,
  extent: { native: [280_000, 5_200_000, 920_000, 6_100_000], wgs84: [5, 47, 15, 55] },
  geometry: { column: 'shape', kind: 'polygon', type: 'MultiPolygon', nullable: true },
  estimatedRows: 1_000_000,
};

function overlooked(layer: VectorLayer): VectorLayer {
  const shares = Array.from({ length: 10 }, () => 0.25);
  const overview = {
    summaryTo: 9,
    shares,
    bareTo: 9,
    numbers: ['people'],
    categories: [],
    rows: 1e6,
    isUpdating: false,
  };
  return { ...layer, overview };
}

const utm = { srid: 25832, isNorthFirst: false, uri: 'http://www.opengis.net/def/crs/EPSG/0/25832' } as const;
const all: FeatureQuery = wholeLayer(towns, WGS84);

function filtered(cql: string): Statement {
  const parsed = parseCqlText(cql);
  if (!parsed.ok) throw new Error(parsed.error.said);
  const condition = filterToSql(parsed.value, towns, WGS84);
  if (!condition.ok) throw new Error(condition.error.said);
  return countStatement({ ...all, conditions: [condition.value] });
}

function near(unit: 'metre' | undefined): Statement {
  const [left, right] = [
    { kind: 'property', name: 'geom' },
    { kind: 'geometry', value: point },
  ] as const;
  const condition = filterToSql({ kind: 'distance', isWithin: true, left, right, distance: 5, unit }, towns, WGS84);
  if (!condition.ok) throw new Error(condition.error.said);
  return countStatement({ ...all, conditions: [condition.value] });
}

function must(condition: Sql | undefined): Sql {
  if (condition === undefined) throw new Error('no condition');
  return condition;
}

const key = must(keyCondition(towns, '5'));
const point = { type: 'Point', coordinates: [9, 50] } as const;
const view = makeView(WEB_MERCATOR, [556_597, 5_942_074, 1_669_792, 7_361_866], 512, 512);

const cases: Readonly<Record<string, Statement | string>> = {
  'a page of features': featuresStatement({
    ...all,
    limit: 10,
    offset: 20,
    order: [{ column: 'people', isDown: true }],
  }),
  'the page behind a key': featuresStatement({ ...all, limit: 10, after: '41' }, 1),
  'how many there are': countStatement({ ...all, limit: 10 }),
  'a box in degrees': countStatement({ ...all, conditions: [boxCondition(towns, [8, 49, 10, 51], WGS84)] }),
  'a box over the edge of the world': countStatement({
    ...all,
    conditions: [boxCondition(towns, [170, -10, -170, 10], WGS84)],
  }),
  'a box in degrees of a layer in metres': countStatement({
    ...wholeLayer(fields, WGS84),
    conditions: [boxCondition(fields, [8, 49, 10, 51], WGS84)],
  }),
  'features of a day': countStatement({
    ...all,
    conditions: [must(timeCondition(towns, { kind: 'instant', at: '1200-06-01' }))],
  }),
  'features by their keys': countStatement({ ...all, conditions: [keysCondition(towns, ['5', '7', 'none'])] }),
  'cql comparisons': filtered(`name = 'O''Neill' and people > 5000 and people * 2.5 <= 20000`),
  'cql like, in, between, null': filtered(
    `casei(name) like casei('a%') or people in (1, 2) or people between 3 and 4 or name is null`,
  ),
  'cql spatial': filtered('s_intersects(geom, point(9 50))'),
  'a distance in metres': near('metre'),
  'a distance in the units of the layer': near(undefined),
  'cql temporal': filtered(`t_during(founded, interval('1100-01-01', '..'))`),
  'a file of csv': toCopy(csvSelect({ ...all, conditions: [must(keyCondition(towns, '5'))] }, false), 'csv'),
  'rows of kml': toStatement(kmlSelect(all)),
  'rows of gml': toStatement(gmlSelect(all, { version: 3, isLongName: true })),
  'an encoded tile': encodedTileStatement(wholeTile(towns, { z: 8, x: 134, y: 86 })),
  'names of areas in a tile': encodedTileStatement({
    ...wholeTile(overlooked(fields), { z: 9, x: 268, y: 172 }),
    source: { kind: 'labels' },
  }),
  'a tile as rows': tileRowsStatement(wholeTile(towns, { z: 8, x: 134, y: 86 })),
  'features that fill a cell': tileRowsStatement({
    ...wholeTile(overlooked(fields), { z: 5, x: 16, y: 10 }),
    source: { kind: 'large', share: 0.25 },
  }),
  'cells of a tile': cellsStatement({
    layer: overlooked(fields),
    tile: { z: 5, x: 16, y: 10 },
    margin: 0,
    columns: { numbers: ['people'], categories: ['name'] },
    sizes: { below: cellSize(fields, 5) },
    conditions: [],
    percent: undefined,
  }),
  'cells of a sample, around a tile': cellsStatement({
    layer: towns,
    tile: { z: 3, x: 4, y: 0 },
    margin: 16,
    columns: { numbers: [], categories: [] },
    sizes: undefined,
    conditions: [key],
    percent: 2.5,
  }),
  'features counted by tile': countTilesStatement(fields, 16, 31, { after: '5', upTo: '20005' }),
  'an index of large features': sizeIndexes(fields, 4)[0] ?? '',
  'a view': featureStatement(
    planFeatures(towns, view, [5, 47, 15, 55], new Set(['name']), [
      inSpan(towns, { from: '1100-01-01T00:00:00Z', to: '1200-01-01T00:00:00Z' }) ?? key,
    ]),
  ),
  'large features of a view': featureStatement({
    ...planFeatures(
      overlooked(fields),
      view,
      [280_000, 5_200_000, 920_000, 6_100_000],
      new Set(['name']),
      [],
      undefined,
      true,
    ),
    summaryZoom: 5,
  }),
  'what lies at a place': featureInfoStatement(towns, [8.99, 49.99, 9.01, 50.01], 5, [], {
    crs: WEB_MERCATOR,
    within: undefined,
  }),
  'a feature inserted': insertStatement(towns, { geometry: point, properties: { name: 'Ulm' } }, WGS84),
  'a feature inserted from another system': insertStatement(
    fields,
    {
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [9, 50],
            [10, 50],
            [10, 51],
            [9, 50],
          ],
        ],
      },
      properties: {},
    },
    { ...WGS84, isNorthFirst: true },
  ),
  'a feature replaced': replaceStatement(towns, key, { geometry: point, properties: { name: 'Ulm' } }, WGS84),
  'a feature updated': updateStatement(fields, key, { geometry: undefined, properties: { name: null } }, utm),
  'a feature deleted': deleteStatement(towns, allOf([key])),
  'classes of a number': toStatement(
    numbersSql(towns, {
      column: towns.columns[2] ?? { ...column, name: '', type: '' },
      method: 'quantile',
      classes: 5,
      categories: 0,
      bins: 12,
      passing: undefined,
    }),
  ),
  'most frequent values': toStatement(
    categoriesSql(towns, {
      column: { ...column, name: 'name', type: 'text' },
      method: undefined,
      classes: 5,
      categories: 10,
      bins: 1,
      passing: undefined,
    }),
  ),
};

const folder = join(import.meta.dirname, 'golden');
const fileOf = (name: string): string => join(folder, `${name.replaceAll(/[ ,]+/g, '-')}.sql`);

describe('the SQL of', () => {
  test.each(Object.entries(cases))('%s', (name, statement) => {
    const made = `-- ${name}\n${typeof statement === 'string' ? `${broken(statement)}\n` : shown(statement)}`;
    if (process.env['BLESS'] === '1') writeFileSync(fileOf(name), made);
    expect(made).toBe(readFileSync(fileOf(name), 'utf8'));
  });

  test('every file has its case', () => {
    expect(readdirSync(folder).sort()).toEqual(
      Object.keys(cases)
        .map((name) => fileOf(name).slice(folder.length + 1))
        .sort(),
    );
  });
});

function shown({ text, params }: Statement): string {
  return `${broken(text)}\n${params.map((param, i) => `-- $${i + 1}: ${String(param)}\n`).join('')}`;
}

/** A line for each part of it. */
function broken(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=(?:from|where|order by|limit|offset|union all|set|returning|and|or) )/g, '\n  ');
}
