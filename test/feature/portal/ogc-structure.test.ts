// Capabilities, descriptions, features, exceptions and records stand as the schemas of OGC and ISO want them, in every version.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { structureFaults } from '../../testkit/ogc-structure.ts';
import { textOf } from '../../testkit/reply-matcher.ts';
import { makeLayer, onLayers } from '../mapserver/layer-kit.ts';
import { grid, makeRaster } from '../mapserver/raster-kit.ts';
import { fillCatalogue } from './world.ts';

const WFS = '/wfs?service=WFS&version=';
const WCS = '/wcs?service=WCS&version=';
const CSW = '/csw?service=CSW&version=2.0.2&request=';
const RECORDS = `${CSW}GetRecords&resultType=results&maxRecords=100`;
const OF_LAYERS = ['spots', 'fields', 'ways', 'mixed'] as const;

/** Kind of document, and where it is. The facts know no capabilities of WFS 1.0.0, which is older than their schemas. */
const DOCUMENTS: readonly (readonly [kind: string, target: string])[] = [
  ...['1.1.0', '2.0.0'].map((v) => [`wfs-${v}`, `${WFS}${v}&request=GetCapabilities`] as const),
  ...['1.0.0', '1.1.0', '2.0.0'].flatMap((v) =>
    OF_LAYERS.map(
      (layer) =>
        [`wfs-${v}`, `${WFS}${v}&request=GetFeature&typeName=portal:${layer}&typeNames=portal:${layer}`] as const,
    ),
  ),
  ['wfs-2.0.0', `${WFS}2.0.0&request=GetFeature&typeNames=portal:spots&resultType=hits`],
  ['wfs-2.0.0', `${WFS}2.0.0&request=ListStoredQueries`],
  ['wfs-2.0.0', `${WFS}2.0.0&request=DescribeStoredQueries`],
  ['ows-1.1.0', `${WFS}1.1.0&request=GetFeature&typeName=portal:none`],
  ['ows-2.0.0', `${WFS}2.0.0&request=GetFeature&typeNames=portal:none`],
  ...['1.0.0', '1.1.1', '2.0.1'].flatMap((v) => [
    [`wcs-${v}`, `${WCS}${v}&request=GetCapabilities`] as const,
    [
      `wcs-${v}`,
      `${WCS}${v}&request=DescribeCoverage&${{ '1.0.0': 'coverage', '1.1.1': 'identifiers' }[v] ?? 'coverageId'}=metres`,
    ] as const,
  ]),
  ['wcsf-1.1.1', `${WCS}1.1.1&request=GetCoverage`],
  ['wcsf-2.0.1', `${WCS}2.0.1&request=GetCoverage`],
  ['wms-1.3.0', '/wms?service=WMS&version=1.3.0&request=GetCapabilities'],
  ['wmts', '/wmts?service=WMTS&request=GetCapabilities'],
  ['sld-1.0', '/styles/fields/default.sld'],
  ['csw', `${CSW}GetCapabilities`],
  ['csw', `${CSW}DescribeRecord`],
  ['csw', `${CSW}GetDomain&propertyName=dc:type`],
  ...['brief', 'summary', 'full'].map((set) => ['csw', `${RECORDS}&elementSetName=${set}`] as const),
];

onLayers('documents of OGC and ISO', { engines: ['postgres'] }, (kit) => {
  beforeAll(async () => {
    await fillCatalogue(kit().portal);
    await makeLayer(kit(), {
      name: 'spots',
      title: 'A & B',
      columns:
        'name text, height integer, code bytea, data jsonb, seen timestamptz, day date, "größe m²" numeric, share double precision',
      geometry: 'Point',
      rows: `insert into $table (name, height, code, data, seen, day, share, geom) values
        ('a', 1, '\\xDEAD', '{"a":1}', now(), current_date, 'infinity', st_setsrid(st_makepoint(7, 51), 4326)), ('b', null, null, null, null, null, null, null)`,
    });
    const box = `st_multi(st_makeenvelope(400000, 5500000, 400100, 5500100, 25832))`;
    await makeLayer(kit(), {
      name: 'fields',
      geometry: 'MultiPolygon',
      srid: 25832,
      rows: `insert into $table (geom) values (${box})`,
    });
    for (const [name, geometry, wkt] of [
      ['ways', 'MultiLineString', 'MULTILINESTRING((0 0, 1 1),(2 2, 3 3))'],
      ['mixed', 'Geometry', 'GEOMETRYCOLLECTION(POINT(0 0), LINESTRING(0 0, 1 1), POLYGON((0 0, 1 0, 1 1, 0 0)))'],
    ] as const)
      await makeLayer(kit(), {
        name,
        geometry,
        rows: `insert into $table (geom) values (st_setsrid(st_geomfromtext('${wkt}'), 4326))`,
      });
    const { folder, gdal } = kit();
    writeFileSync(
      join(folder, 'u.asc'),
      grid(40, 30, 400_000, 5_500_000, 1000, (c, r) => c * 100 + r),
    );
    await gdal('gdal_translate', ['-q', '-of', 'COG', '-a_srs', 'EPSG:25832', '-ot', 'Int16', 'u.asc', 'u.tif']);
    await makeRaster(kit(), 'u.tif', {
      name: 'metres',
      srid: 25832,
      box: [400_000, 5_500_000, 440_000, 5_530_000],
      wgs84: [7.6, 49.6, 8.2, 49.95],
    });
  });

  const get = async (target: string): Promise<string> => textOf((await kit().portal.as('ada').get(target)).body);

  test.each(DOCUMENTS)('%s: %s', async (kind, target) => {
    expect(structureFaults(kind, await get(target))).toEqual([]);
  });

  test('ISO 19139 of every item', async () => {
    const items = await kit().db.query<{ id: number }>(`select id from portal.resource where is_public order by id`);
    expect(items.length).toBeGreaterThan(5);
    for (const { id } of items)
      expect([id, structureFaults('gmd', await get(`/metadata/${id}.iso19139.xml`))]).toEqual([id, []]);
  });

  test.each(['1.0.0', '1.1.0', '2.0.0'])('the answer to a transaction of WFS %s', async (version) => {
    const isNew = version === '2.0.0';
    const [space, name, filter] = isNew
      ? [
          'http://www.opengis.net/wfs/2.0',
          'ValueReference',
          '<f:Filter xmlns:f="http://www.opengis.net/fes/2.0"><f:ResourceId rid="spots.1"/></f:Filter>',
        ]
      : [
          'http://www.opengis.net/wfs',
          'Name',
          '<f:Filter xmlns:f="http://www.opengis.net/ogc"><f:FeatureId fid="spots.1"/></f:Filter>',
        ];
    const update = `<Update typeName="spots"><Property><${name}>name</${name}><Value>z</Value></Property>${filter}</Update>`;
    const insert = '<Insert handle="new"><p:spots xmlns:p="urn:survest:layers"><p:name>n</p:name></p:spots></Insert>';
    const sent = `<Transaction service="WFS" version="${version}" xmlns="${space}">${insert}${update}</Transaction>`;
    const reply = await kit().portal.as('ada').post('/wfs', sent, { 'content-type': 'text/xml' });
    expect([reply.status, structureFaults(`wfs-${version}`, textOf(reply.body))]).toEqual([200, []]);
  });

  test('what stands elsewhere than its schema wants it is noticed', () => {
    const head = '<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0"';
    const marks = 'timeStamp="2020-01-01T00:00:00Z" numberMatched="0" numberReturned="0"';
    const faults = (rest: string): readonly string[] => structureFaults('wfs-2.0.0', `${head} ${rest}`);
    expect(faults(`${marks}/>`)).toEqual([]);
    expect(faults('timeStamp="x"/>')).toHaveLength(2);
    expect(faults(`${marks} colour="red"/>`)).toEqual(['wfs20:FeatureCollection has an attribute colour']);
    expect(faults(`${marks}><wfs:colour/></wfs:FeatureCollection>`)).toHaveLength(1);
    expect(faults(`${marks}><wfs:member/><wfs:boundedBy/></wfs:FeatureCollection>`)).toEqual([
      'wfs20:FeatureCollection/wfs20:boundedBy is out of order',
    ]);
  });
});
