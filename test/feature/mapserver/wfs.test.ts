// The Web Feature Service, as GDAL and OWSLib use it, and as nobody should.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { testNeeding } from '../../testkit/describe-needing.ts';
import { missing, PYTHON } from '../../testkit/machine.ts';
import { PASSWORD } from '../../testkit/portal-client.ts';
import { type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';

type Read = {
  features: { properties: Record<string, unknown>; geometry: { type: string; coordinates: unknown } | null }[];
};

/** Debian's own Python, which has its packages. */

onLayers('WFS', {}, (kit) => {
  let places = 0;

  beforeAll(async () => {
    places = await makeLayer(kit(), {
      name: 'places',
      title: 'Places & <more>',
      columns:
        'name text, height integer, big bigint, share double precision, is_new boolean, since date, seen timestamptz',
      geometry: 'Point',
      rows: `insert into $table (name, height, big, share, is_new, since, seen, geom) values
        ('Köln "am" <Rhein>', 53, 9007199254740993, 0.25, true, '2001-02-03', '2020-01-02T03:04:05Z', st_setsrid(st_makepoint(6.96, 50.94), 4326)),
        ('Null Island', -1, 5, -2.5, false, null, null, st_setsrid(st_makepoint(0, 0), 4326)),
        (E'b\\x01ad', null, null, null, null, null, null, st_setsrid(st_makepoint(10, 20), 4326))`,
    });
    await makeLayer(kit(), {
      name: 'areas',
      columns: 'name text',
      geometry: 'MultiPolygon',
      srid: 25832,
      rows: `insert into $table (name, geom) values
        ('west', st_multi(st_makeenvelope(350000, 5600000, 360000, 5610000, 25832))),
        ('east', st_multi(st_makeenvelope(370000, 5600000, 380000, 5610000, 25832)))`,
    });
    await makeLayer(kit(), {
      name: 'sizes',
      columns: '"größe_m²" integer, "a b" text, a_b text',
      geometry: 'Point',
      rows: `insert into $table ("größe_m²", "a b", a_b, geom) values
        (5, 'with a space', 'without', st_setsrid(st_makepoint(1, 2), 4326)), (50, 'x', 'y', st_setsrid(st_makepoint(3, 4), 4326))`,
    });
    await makeLayer(kit(), {
      name: 'many',
      columns: 'n integer',
      geometry: 'Point',
      rows: `insert into $table (n, geom) select n, st_setsrid(st_makepoint(n % 360 - 180, n % 170 - 85), 4326) from generate_series(1, 2500) n`,
    });
    const secret = await makeLayer(kit(), {
      name: 'secret',
      geometry: 'Point',
      owner: 'bob',
      rows: `insert into $table (geom) values (st_setsrid(st_makepoint(1, 1), 4326))`,
    });
    await setPerms(kit(), secret, {});
  });

  const get = (query: string): Promise<Reply> => kit().portal.visitor.get(`/wfs?service=WFS&version=2.0.0&${query}`);
  const names = async (query: string): Promise<string[]> => {
    const reply = await get(`request=GetFeature&typeNames=portal:places&${query}`);
    if (reply.status !== 200) throw new Error(`${reply.status} ${textOf(reply.body)}`);
    return [...textOf(reply.body).matchAll(/gml:id="places\.(\d+)"/g)].map(([, id]) => id ?? '');
  };
  const filtered = (filter: string): Promise<string[]> =>
    names(
      `filter=${encodeURIComponent(`<fes:Filter xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2">${filter}</fes:Filter>`)}`,
    );

  test('GeoJSON in another system names it and says how many there are, and GDAL reads it so', async () => {
    const reply = await get(
      'request=GetFeature&typeNames=portal:areas&outputFormat=application/json&srsName=EPSG:25832',
    );
    expect(JSON.parse(textOf(reply.body))).toMatchObject({
      crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25832' } },
      numberReturned: 2,
      numberMatched: 2,
      totalFeatures: 2,
    });
    const page = await get('request=GetFeature&typeNames=portal:many&outputFormat=application/json&count=3');
    expect(JSON.parse(textOf(page.body))).toMatchObject({
      numberReturned: 3,
      numberMatched: 2500,
      totalFeatures: 2500,
    });
    writeFileSync(join(kit().folder, 'areas.geojson'), textOf(reply.body));
    const read = await kit().gdal('ogrinfo', ['-ro', '-al', '-so', 'areas.geojson']);
    expect(read).toContain('ID["EPSG",25832]');
    expect(read).toContain('Extent: (350000.0');
    const degrees = await get('request=GetFeature&typeNames=portal:areas&outputFormat=application/json');
    expect(JSON.parse(textOf(degrees.body))).not.toHaveProperty('crs');
  });

  testNeeding(
    missing('gdal'),
    'columns whose names XML forbids are read and filtered by GDAL, and none is taken for another',
    async () => {
      const read = await kit().run('ogrinfo', [
        '-ro',
        '-al',
        '-where',
        '"größe_m_x00B2_" < 10',
        `WFS:${await kit().address()}/wfs?typeName=portal:sizes`,
      ]);
      expect(read).toContain('Feature Count: 1');
      expect(read).toContain('größe_m_x00B2_ (Integer) = 5');
      expect(read).toContain('a_x0020_b (String) = with a space');
      expect(read).toContain('a_b (String) = without');
    },
  );

  testNeeding(
    missing('gdal'),
    'GDAL lists the types and reads features, attributes and extents as they are stored',
    async () => {
      const source = `WFS:${await kit().address()}/wfs`;
      const listed = await kit().run('ogrinfo', ['-ro', source]);
      expect(listed).toContain('portal:places (title: Places & <more>)');
      expect(listed).not.toContain('secret');
      const said = await kit().run('ogrinfo', ['-ro', '-so', source, 'portal:places']);
      for (const line of [
        /Feature Count: 3/,
        /Extent: \(-?0\.0+, -?0\.0+\) - \(10\.0+, 50\.94\d*\)/,
        /height: Integer \(/,
        /big: Integer64/,
        /share: Real/,
        /is_new: Integer\(Boolean\)/,
        /since: Date/,
        /seen: DateTime/,
      ])
        expect(said).toMatch(line);
      const { features } = JSON.parse(
        await kit().run('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', source, 'portal:places']),
      ) as Read;
      expect(
        features.map(({ properties, geometry }) => [
          properties['name'],
          properties['height'] ?? null,
          properties['big'] ?? null,
          geometry?.coordinates,
        ]),
      ).toEqual([
        ['Köln "am" <Rhein>', 53, expect.anything(), [6.96, 50.94]],
        ['Null Island', -1, 5, [0, 0]],
        ['bad', null, null, [10, 20]],
      ]);
      const areas = JSON.parse(
        await kit().run('ogr2ogr', [
          '-f',
          'GeoJSON',
          '-t_srs',
          'EPSG:25832',
          '/vsistdout/',
          source,
          'portal:areas',
          '-where',
          "name = 'west'",
        ]),
      ) as Read;
      expect(areas.features).toHaveLength(1);
      expect(
        (areas.features[0]?.geometry?.coordinates as unknown as number[][][][] | undefined)?.[0]?.[0],
      ).toContainEqual([350000, 5600000]);
    },
  );

  testNeeding(missing('gdal'), 'GDAL reads a large type page by page, signs in, and filters by box', async () => {
    const source = `WFS:${await kit().address()}/wfs`;
    const { features } = JSON.parse(
      await kit().run('ogr2ogr', [
        '-f',
        'GeoJSON',
        '/vsistdout/',
        source,
        'portal:many',
        '--config',
        'OGR_WFS_PAGE_SIZE',
        '700',
      ]),
    ) as Read;
    expect(new Set(features.map(({ properties }) => properties['n'])).size).toBe(2500);
    const box = JSON.parse(
      await kit().run('ogr2ogr', [
        '-f',
        'GeoJSON',
        '/vsistdout/',
        source,
        'portal:places',
        '-spat',
        '5',
        '45',
        '8',
        '52',
      ]),
    ) as Read;
    expect(box.features).toHaveLength(1);
    const secret = await kit().run('ogrinfo', ['-ro', '-so', source, 'portal:secret'], {
      GDAL_HTTP_USERPWD: `bob:${PASSWORD}`,
    });
    expect(secret).toMatch(/Feature Count: 1/);
  });

  testNeeding(missing('owslib'), 'OWSLib reads capabilities, schema and features', async () => {
    const script = `
import json, sys
from owslib.wfs import WebFeatureService
wfs = WebFeatureService(sys.argv[1] + '/wfs', version='2.0.0')
places = wfs['portal:places']
schema = wfs.get_schema('portal:places')
answer = wfs.getfeature(typename='portal:places', outputFormat='application/json').read()
hits = wfs.getfeature(typename='portal:places', maxfeatures=1).read()
one = wfs.getfeature(typename='portal:places', outputFormat='application/json', filter='<fes:Filter xmlns:fes="http://www.opengis.net/fes/2.0"><fes:ResourceId rid="places.1"/></fes:Filter>').read()
print(json.dumps({
  'types': sorted(wfs.contents), 'title': places.title, 'box': places.boundingBoxWGS84,
  'operations': sorted(o.name for o in wfs.operations), 'schema': schema['properties'], 'geometry': schema['geometry'],
  'features': json.loads(answer)['features'], 'gml': hits.decode(), 'filtered': len(json.loads(one)['features']),
}))`;
    const said = JSON.parse(await kit().run(PYTHON, ['-c', script, await kit().address()])) as {
      types: string[];
      title: string;
      box: number[];
      schema: Record<string, string>;
      geometry: string;
      features: Read['features'];
      gml: string;
    };
    // Another test makes a crowd.
    expect(said.types.filter((type) => !type.startsWith('portal:crowd_'))).toEqual(
      ['areas', 'many', 'places', 'sizes'].map((name) => `portal:${name}`),
    );
    expect(said).toMatchObject({
      filtered: 1,
      title: 'Places & <more>',
      box: [expect.closeTo(0), expect.closeTo(0), expect.closeTo(10), expect.closeTo(50.94)],
      schema: { name: 'string', height: 'int', share: 'double', since: 'date' },
      geometry: 'Point',
    });
    expect(said.features.map(({ properties, geometry }) => [properties['height'], geometry?.coordinates])).toEqual([
      [53, [6.96, 50.94]],
      [-1, [0, 0]],
      [null, [10, 20]],
    ]);
    expect(said.gml).toContain('numberMatched="3" numberReturned="1"');
  });

  test('axes come in the order of the system that is asked for', async () => {
    const at = async (srs: string): Promise<string | undefined> =>
      /<gml:pos[^>]*>([^<]*)</.exec(
        textOf((await get(`request=GetFeature&typeNames=places&count=1${srs === '' ? '' : `&srsName=${srs}`}`)).body),
      )?.[1];
    expect(await at('')).toBe('50.94 6.96');
    expect(await at('urn:ogc:def:crs:EPSG::4326')).toBe('50.94 6.96');
    expect(await at('EPSG:4326')).toBe('6.96 50.94');
    expect(await at('urn:ogc:def:crs:EPSG::3857')).toMatch(/^774783\.6\d* 6610687\.2/);
    expect(await names('bbox=50,6,51,7,urn:ogc:def:crs:EPSG::4326')).toEqual(['1']);
    expect(await names('bbox=6,50,7,51,EPSG:4326')).toEqual(['1']);
    expect(await names('bbox=50,6,51,7')).toEqual(['1']);
  });

  const property = '<fes:ValueReference>portal:height</fes:ValueReference>';
  test.each([
    [`<fes:PropertyIsEqualTo>${property}<fes:Literal>53</fes:Literal></fes:PropertyIsEqualTo>`, ['1']],
    [`<fes:PropertyIsLessThan>${property}<fes:Literal>0</fes:Literal></fes:PropertyIsLessThan>`, ['2']],
    [
      `<fes:PropertyIsLike wildCard="*" singleChar="?" escapeChar="!"><fes:ValueReference>name</fes:ValueReference><fes:Literal>N?ll*</fes:Literal></fes:PropertyIsLike>`,
      ['2'],
    ],
    [
      `<fes:PropertyIsLike wildCard="*" singleChar="?" escapeChar="!" matchCase="false"><fes:ValueReference>name</fes:ValueReference><fes:Literal>null%</fes:Literal></fes:PropertyIsLike>`,
      [],
    ],
    [`<fes:PropertyIsNull>${property}</fes:PropertyIsNull>`, ['3']],
    [
      `<fes:PropertyIsBetween>${property}<fes:LowerBoundary><fes:Literal>-5</fes:Literal></fes:LowerBoundary><fes:UpperBoundary><fes:Literal>60</fes:Literal></fes:UpperBoundary></fes:PropertyIsBetween>`,
      ['1', '2'],
    ],
    [
      `<fes:Not><fes:PropertyIsEqualTo>${property}<fes:Literal>53</fes:Literal></fes:PropertyIsEqualTo></fes:Not>`,
      ['2'],
    ],
    [
      `<fes:Or><fes:PropertyIsEqualTo>${property}<fes:Literal>53</fes:Literal></fes:PropertyIsEqualTo><fes:PropertyIsNull>${property}</fes:PropertyIsNull></fes:Or>`,
      ['1', '3'],
    ],
    [
      `<fes:BBOX><fes:ValueReference>geom</fes:ValueReference><gml:Envelope srsName="urn:ogc:def:crs:EPSG::4326"><gml:lowerCorner>50 6</gml:lowerCorner><gml:upperCorner>51 7</gml:upperCorner></gml:Envelope></fes:BBOX>`,
      ['1'],
    ],
    [
      `<fes:Within><fes:ValueReference>geom</fes:ValueReference><gml:Polygon srsName="EPSG:4326"><gml:exterior><gml:LinearRing><gml:posList>9 19 11 19 11 21 9 21 9 19</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></fes:Within>`,
      ['3'],
    ],
    [`<fes:ResourceId rid="places.2"/><fes:ResourceId rid="places.3"/>`, ['2', '3']],
    [`<fes:ResourceId rid="areas.1"/>`, []],
  ])('filter %s', async (filter, found) => {
    expect(await filtered(filter)).toEqual(found);
  });

  test.each(['furlongs', 'constructor'])('a distance in %s is refused', async (unit) => {
    const filter = `<fes:Filter xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2"><fes:DWithin><fes:ValueReference>geom</fes:ValueReference><gml:Point srsName="EPSG:4326"><gml:pos>0 0</gml:pos></gml:Point><fes:Distance uom="${unit}">1</fes:Distance></fes:DWithin></fes:Filter>`;
    expect(await get(`request=GetFeature&typeNames=places&filter=${encodeURIComponent(filter)}`)).toMatchReply({
      status: 400,
    });
  });

  test('pages, sorting, ids, hits and other formats', async () => {
    expect(await names('count=1&startIndex=1')).toEqual(['2']);
    expect(await names('sortBy=height DESC'.replace(' ', '%20'))).toEqual(['1', '2', '3']);
    expect(await names('resourceId=places.3')).toEqual(['3']);
    const hits = textOf((await get('request=GetFeature&typeNames=places&resultType=hits')).body);
    expect(hits).toContain('numberMatched="3" numberReturned="0"');
    const page = textOf((await get('request=GetFeature&typeNames=many&count=1000')).body);
    expect(page).toMatch(/next="[^"]*startindex=1000/);
    const one = await get('request=GetFeature&storedquery_id=urn:ogc:def:query:OGC-WFS::GetFeatureById&id=places.1');
    expect(textOf(one.body)).toMatch(/^<\?xml[^>]*>\s*<portal:places [^>]*gml:id="places\.1">/);
    expect(
      await get('request=GetFeature&storedquery_id=urn:ogc:def:query:OGC-WFS::GetFeatureById&id=places.99'),
    ).toMatchReply({ status: 404 });
    expect(textOf((await get('request=GetFeature&typeNames=places&outputFormat=csv&count=1')).body)).toBe(
      'fid,name,height,big,share,is_new,since,seen,wkt\n1,"Köln ""am"" <Rhein>",53,9007199254740993,0.25,t,2001-02-03,2020-01-02 03:04:05+00,POINT(50.94 6.96)\n',
    );
  });

  test('requests in XML are answered, too', async () => {
    const xml = `<?xml version="1.0"?><wfs:GetFeature xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0" service="WFS" version="2.0.0" count="5">
      <wfs:Query typeNames="portal:places"><fes:Filter><fes:PropertyIsGreaterThan><fes:ValueReference>height</fes:ValueReference><fes:Literal>0</fes:Literal></fes:PropertyIsGreaterThan></fes:Filter></wfs:Query></wfs:GetFeature>`;
    const reply = await kit().portal.visitor.post('/wfs', xml, { 'content-type': 'text/xml' });
    expect(reply.status).toBe(200);
    expect(textOf(reply.body)).toContain('numberMatched="1"');
  });

  test('what is not shared is not there, and a permission that is taken away is gone at once', async () => {
    for (const query of [
      'request=GetFeature&typeNames=portal:secret',
      'request=DescribeFeatureType&typeNames=portal:secret',
    ])
      expect(await get(query)).toMatchReply({ status: 400 });
    await setPerms(kit(), places, {});
    expect(await get('request=GetFeature&typeNames=portal:places')).toMatchReply({ status: 400 });
    expect(textOf((await get('request=GetCapabilities')).body)).not.toContain('portal:places');
    await setPerms(kit(), places, OPEN);
  });

  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><fes:Filter><x>&b;</x></fes:Filter>`;
  const exceptions: readonly (readonly [query: string, status: number])[] = [
    ['request=Nothing', 501],
    ['', 400],
    ['request=GetFeature', 400],
    ['request=GetFeature&typeNames=nothing', 400],
    ['request=GetFeature&typeNames=places,areas', 400],
    [`request=DescribeFeatureType&typeNames=${Array.from({ length: 1000 }, (_, i) => `t${i}`).join(',')}`, 400],
    ['request=GetFeature&typeNames=places&count=x', 400],
    ['request=GetFeature&typeNames=places&startIndex=-1', 400],
    ['request=GetFeature&typeNames=places&bbox=1,2,3', 400],
    ['request=GetFeature&typeNames=places&bbox=NaN,2,3,4', 400],
    ['request=GetFeature&typeNames=places&bbox=-1e999,2,3,4', 400],
    ['request=GetFeature&typeNames=places&bbox=3,4,1,2', 400],
    ['request=GetFeature&typeNames=places&bbox=1,2,3,4,EPSG:99999', 400],
    ['request=GetFeature&typeNames=places&count=-5', 400],
    ['request=GetFeature&typeNames=places&count=99999999999999999999', 400],
    [`request=GetFeature&typeNames=${'x'.repeat(3000)}`, 400],
    [`request=GetFeature&typeNames=places&sortBy=${Array.from({ length: 60 }, () => 'name').join(',')}`, 400],
    [
      `request=GetFeature&typeNames=places&filter=${encodeURIComponent(`<Filter><Or>${'<PropertyIsNull><ValueReference>name</ValueReference></PropertyIsNull>'.repeat(3000)}</Or></Filter>`).slice(0, 200_000)}`,
      400,
    ],
    ['request=GetFeature&typeNames=places&srsName=EPSG:1', 400],
    ['request=GetFeature&typeNames=places&outputFormat=pdf', 400],
    ['request=GetFeature&typeNames=places&sortBy=nothing', 400],
    [`request=GetFeature&typeNames=places&filter=${encodeURIComponent(bomb)}`, 400],
    [`request=GetFeature&typeNames=places&filter=${encodeURIComponent('<fes:Filter>')}`, 400],
    [
      `request=GetFeature&typeNames=places&filter=${encodeURIComponent(`<Filter>${'<Not>'.repeat(300)}${'</Not>'.repeat(300)}</Filter>`)}`,
      400,
    ],
    [
      `request=GetFeature&typeNames=places&filter=${encodeURIComponent('<Filter><PropertyIsEqualTo><ValueReference>height</ValueReference><Literal>tall</Literal></PropertyIsEqualTo></Filter>')}`,
      400,
    ],
    [
      `request=GetFeature&typeNames=places&filter=${encodeURIComponent('<Filter><PropertyIsEqualTo><ValueReference>x</ValueReference><Literal>1</Literal></PropertyIsEqualTo></Filter>')}`,
      400,
    ],
  ];
  test.each(exceptions.map(([query, status]) => [nameOf(query), status, query] as const))(
    '%s is an exception (%i)',
    async (_name, status, query) => {
      const reply = await get(query);
      expect([reply.status, textOf(reply.body)]).toEqual([status, expect.stringContaining('<ows:ExceptionReport')]);
    },
  );

  test('a request in XML with entities, or without an end, is refused', async () => {
    for (const xml of [
      `<!DOCTYPE x SYSTEM "file:///etc/passwd"><GetFeature/>`,
      bomb,
      '<GetFeature',
      '',
      'x'.repeat(100),
    ])
      expect((await kit().portal.visitor.post('/wfs', xml, { 'content-type': 'text/xml' })).status).toBe(400);
    const long = `<GetFeature>${' '.repeat(2_000_000)}</GetFeature>`;
    const refused = await kit().portal.visitor.post('/wfs', long, { 'content-type': 'text/xml' });
    expect([refused.status, textOf(refused.body)]).toEqual([400, expect.stringContaining('longer than 1000000')]);
    expect(
      (await kit().portal.as('ada').post('/wfs', 'x'.repeat(9_000_000), { 'content-type': 'text/xml' })).status,
    ).toBe(413);
  });

  test('documents that name all types name all of them, however many there are', async () => {
    await kit().db.script(`
      do $$ begin
        for n in 1..250 loop
          execute format('create table layers.%I (fid integer primary key, geom geometry(point, 4326))', 'crowd_' || n);
          with made as (
            insert into portal.resource (resource_type, title, name, alternate, owner_id)
            values ('layer', 'crowd_' || n, 'crowd_' || n, 'portal:crowd_' || n, ${kit().portal.ids.ada}) returning id)
          insert into portal_private.layer_table (resource_id, table_name) select id, 'crowd_' || n from made;
        end loop;
      end $$`);
    const all = Array.from({ length: 250 }, (_, n) => `crowd_${n + 1}`).sort();
    const named = async (query: string, name: RegExp): Promise<string[]> => {
      const reply = await kit().portal.visitor.get(`/wfs?service=WFS&${query}`);
      const found = textOf(reply.body).matchAll(name);
      return [...new Set([...found].map(([, one]) => one ?? ''))].sort();
    };
    for (const version of ['1.0.0', '1.1.0', '2.0.0']) {
      expect(await named(`version=${version}&request=GetCapabilities`, /Name>portal:(crowd_\d+)</g)).toEqual(all);
      expect(await named(`version=${version}&request=DescribeFeatureType`, /name="(crowd_\d+)"/g)).toEqual(all);
    }
    for (const request of ['ListStoredQueries', 'DescribeStoredQueries'])
      expect(await named(`version=2.0.0&request=${request}`, /portal:(crowd_\d+)\b/g)).toEqual(all);
  });
});

/** What is long is named by how it begins. */
function nameOf(query: string): string {
  return query.length <= 200 ? query : `${query.slice(0, 160)}… (${query.length} characters)`;
}
