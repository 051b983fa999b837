import { expect, test } from 'vitest';
import type { GeoGeometry } from './geojson.ts';
import { gmlGeometry } from './gml.ts';
import { parseXml } from './style/xml-tree.ts';

const read = (xml: string, srs = 'urn:ogc:def:crs:EPSG::4326'): GeoGeometry | undefined => {
  const tree = parseXml(xml);
  return tree.ok ? gmlGeometry(tree.value, srs) : undefined;
};

test('the name of the system says which coordinate comes first', () => {
  const point = (srs: string): GeoGeometry | undefined =>
    read(`<gml:Point srsName="${srs}"><gml:pos>50 10</gml:pos></gml:Point>`);
  for (const srs of [
    'urn:ogc:def:crs:EPSG::4326',
    'http://www.opengis.net/def/crs/EPSG/0/4326',
    'urn:x-ogc:def:crs:EPSG:6.9:4326',
  ])
    expect(point(srs), srs).toEqual({ type: 'Point', coordinates: [10, 50] });
  for (const srs of ['EPSG:4326', 'urn:ogc:def:crs:OGC:1.3:CRS84', 'http://www.opengis.net/gml/srs/epsg.xml#4326'])
    expect(point(srs), srs).toEqual({ type: 'Point', coordinates: [50, 10] });
  expect(point('urn:ogc:def:crs:EPSG::25832')).toBeUndefined();
  expect(point('nonsense')).toBeUndefined();
});

test('metres of web maps become degrees', () => {
  const found = read('<Point><pos>1113194.907932736 6446275.841017159</pos></Point>', 'EPSG:3857');
  expect(found?.type === 'Point' && found.coordinates.map((side) => Math.round(side * 1e6) / 1e6)).toEqual([10, 50]);
});

test('lines, holes, patches, members and coordinates of GML 2 are read', () => {
  expect(read('<LineString><posList srsDimension="3">1 2 9 3 4 9</posList></LineString>')).toEqual({
    type: 'LineString',
    coordinates: [
      [2, 1],
      [4, 3],
    ],
  });
  const square = (size: number): string =>
    `<LinearRing><posList>0 0 0 ${size} ${size} ${size} 0 0</posList></LinearRing>`;
  expect(
    read(`<Polygon><exterior>${square(9)}</exterior><interior>${square(1)}</interior></Polygon>`, 'CRS:84'),
  ).toMatchObject({
    type: 'Polygon',
    coordinates: [{ length: 4 }, { 2: [1, 1] }],
  });
  expect(
    read(
      `<MultiSurface><surfaceMember><Surface><patches><PolygonPatch><exterior>${square(2)}</exterior></PolygonPatch></patches></Surface></surfaceMember><surfaceMember><Polygon><exterior>${square(3)}</exterior></Polygon></surfaceMember></MultiSurface>`,
    ),
  ).toMatchObject({ type: 'MultiPolygon', coordinates: [{ 0: { 2: [2, 2] } }, { 0: { 2: [3, 3] } }] });
  expect(
    read(
      '<MultiCurve><curveMember><Curve><segments><LineStringSegment><posList>0 1 2 3</posList></LineStringSegment></segments></Curve></curveMember></MultiCurve>',
    ),
  ).toEqual({
    type: 'MultiLineString',
    coordinates: [
      [
        [1, 0],
        [3, 2],
      ],
    ],
  });
  expect(
    read(
      '<MultiPoint><pointMember><Point><coordinates>5,6,7</coordinates></Point></pointMember></MultiPoint>',
      'EPSG:4326',
    ),
  ).toEqual({
    type: 'MultiPoint',
    coordinates: [[5, 6]],
  });
});

test('what is no simple feature, and what is not whole, is none', () => {
  for (const xml of [
    '<Solid/>',
    '<Point/>',
    '<Point><pos>a b</pos></Point>',
    '<LineString><posList>1 2</posList></LineString>',
    '<Polygon><exterior><LinearRing><posList>0 0 1 1</posList></LinearRing></exterior></Polygon>',
    '<Curve><segments><Arc><posList>0 0 1 1 2 0</posList></Arc></segments></Curve>',
  ])
    expect(read(xml), xml).toBeUndefined();
  const deep = `${'<MultiGeometry><geometryMember>'.repeat(20)}<Point><pos>1 2</pos></Point>${'</geometryMember></MultiGeometry>'.repeat(20)}`;
  expect(read(deep)).toBeUndefined();
});

test('coordinates as X and Y, and as positions with a height', () => {
  const point = { type: 'Point', coordinates: [5, 6] };
  expect(read('<Point><coord><X>5</X><Y>6</Y></coord></Point>', 'EPSG:4326')).toEqual(point);
  expect(read('<Point><coord><X>5</X><Y>6</Y><Z>7</Z></coord></Point>', 'EPSG:4326')).toEqual(point);
  expect(read('<Point><pos>5 6 7</pos></Point>', 'EPSG:4326')).toEqual(point);
  expect(read('<LineString srsDimension="3"><posList>5 6 7 8 9 10</posList></LineString>', 'EPSG:4326')).toEqual({
    type: 'LineString',
    coordinates: [
      [5, 6],
      [8, 9],
    ],
  });
});
