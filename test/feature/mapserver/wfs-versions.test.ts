// WFS 1.0.0 and 1.1.0 beside 2.0.0: what GDAL, OWSLib and older clients ask by default, and the facts that the schemas of the OGC demand.

import { beforeAll, expect, test } from 'vitest';
import { childOf, childrenOf, parseXml, type XmlElement } from '../../../src/geo/style/xml-tree.ts';
import { describeNeeding, testNeeding } from '../../testkit/describe-needing.ts';
import { missing, PYTHON } from '../../testkit/machine.ts';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { makeLayer, onLayers } from './layer-kit.ts';

/** Says that east comes first, to every client. */
const EAST = 'http://www.opengis.net/gml/srs/epsg.xml#4326';
const VERSIONS = ['1.0.0', '1.1.0', '2.0.0'] as const;

type Read = {
  features: { properties: Record<string, unknown>; geometry: { type: string; coordinates: unknown } | null }[];
};

function tree(reply: Reply): XmlElement {
  const parsed = parseXml(textOf(reply.body));
  if (!parsed.ok) throw new Error(`${parsed.error.message}: ${textOf(reply.body).slice(0, 300)}`);
  return parsed.value;
}

function names(element: XmlElement | undefined): string[] {
  return childrenOf(element).map(({ name }) => name);
}

function all(element: XmlElement, name: string): XmlElement[] {
  return childrenOf(element).flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);
}

function words(element: XmlElement | undefined): string {
  return (element?.children ?? []).filter((child) => typeof child === 'string').join('');
}

onLayers('WFS in all versions', {}, (kit) => {
  beforeAll(async () => {
    await makeLayer(kit(), {
      name: 'places',
      title: 'Places',
      columns: 'name text, height integer, share double precision, code bytea, tags text[], seen timestamptz',
      geometry: 'Point',
      rows: `insert into $table (name, height, share, code, tags, seen, geom) values
        ('Köln', 53, 'Infinity', '\\xDEADBEEF', '{a,"b c"}', '2020-01-02T03:04:05Z', st_setsrid(st_makepoint(6.96, 50.94), 4326)),
        ('Null Island', -1, 2.5, null, null, null, st_setsrid(st_makepoint(0, 0), 4326)),
        ('East', 7, null, null, null, null, st_setsrid(st_makepoint(20, 10), 4326))`,
    });
    // Each stands to the square between 10° and 12° east, 40° and 42° north, as its name says.
    await makeLayer(kit(), {
      name: 'shapes',
      columns: 'name text',
      geometry: 'Geometry',
      rows: `insert into $table (name, geom) values
        ('equals', st_makeenvelope(10, 40, 12, 42, 4326)),
        ('touches', st_makeenvelope(12, 40, 13, 42, 4326)),
        ('crosses', st_geomfromtext('LINESTRING(9 41, 13 41)', 4326)),
        ('overlaps', st_makeenvelope(11, 41, 13, 43, 4326)),
        ('within', st_makeenvelope(10.5, 40.5, 11, 41, 4326)),
        ('contains', st_makeenvelope(9, 39, 13, 43, 4326)),
        ('disjoint', st_makeenvelope(20, 40, 21, 41, 4326))`,
    });
    await makeLayer(kit(), {
      name: 'areas',
      columns: 'name text',
      geometry: 'MultiPolygon',
      srid: 25832,
      rows: `insert into $table (name, geom) values
        ('two', st_collect(st_makeenvelope(350000, 5600000, 360000, 5610000, 25832), st_makeenvelope(370000, 5600000, 380000, 5610000, 25832)))`,
    });
  });

  const get = (version: string, query: string): Promise<Reply> =>
    kit().portal.visitor.get(`/wfs?service=WFS&version=${version}&${query}`);
  const ids = async (version: string, query: string): Promise<string[]> => {
    const reply = await get(version, `request=GetFeature&typeName=portal:places&${query}`);
    if (reply.status !== 200) throw new Error(textOf(reply.body));
    return [...textOf(reply.body).matchAll(/ (?:gml:id|fid)="places\.(\d+)"/g)].map(([, id]) => id ?? '');
  };

  test('capabilities have the parts of each version’s schema, in its order', async () => {
    const [old, middle, newest] = await Promise.all(
      VERSIONS.map(async (version) => tree(await get(version, 'request=GetCapabilities'))),
    );
    expect(old?.attributes['version']).toBe('1.0.0');
    expect(names(old)).toEqual(['Service', 'Capability', 'FeatureTypeList', 'Filter_Capabilities']);
    expect(names(childOf(old, 'Service'))).toEqual([
      'Name',
      'Title',
      'Abstract',
      'Keywords',
      'OnlineResource',
      'Fees',
      'AccessConstraints',
    ]);
    expect(names(childOf(childOf(old, 'Capability'), 'Request'))).toEqual([
      'GetCapabilities',
      'DescribeFeatureType',
      'GetFeature',
    ]);
    expect(names(childOf(childOf(old, 'FeatureTypeList'), 'FeatureType'))).toEqual([
      'Name',
      'Title',
      'Abstract',
      'SRS',
      'Operations',
      'LatLongBoundingBox',
    ]);
    expect(middle?.attributes['version']).toBe('1.1.0');
    for (const one of [middle, newest])
      expect(names(one)).toEqual([
        'ServiceIdentification',
        'ServiceProvider',
        'OperationsMetadata',
        'FeatureTypeList',
        'Filter_Capabilities',
      ]);
    expect(names(childOf(childOf(middle, 'FeatureTypeList'), 'FeatureType'))).toEqual([
      'Name',
      'Title',
      'Abstract',
      'DefaultSRS',
      'OtherSRS',
      'OtherSRS',
      'Operations',
      'OutputFormats',
      'WGS84BoundingBox',
    ]);
    expect(newest?.attributes['version']).toBe('2.0.0');
  });

  test.each([
    ['', '2.0.0'],
    ['&version=1.0.0', '1.0.0'],
    ['&version=1.1.0', '1.1.0'],
    ['&version=2.0.2', '2.0.0'],
    ['&version=1.0.5', '1.0.0'],
    ['&version=1.5.0', '1.1.0'],
    ['&version=9.0.0', '2.0.0'],
    ['&version=0.0.1', '1.0.0'],
    ['&acceptVersions=3.0.0,1.1.0,2.0.0', '1.1.0'],
    ['&acceptVersions=1.0.0&version=2.0.0', '1.0.0'],
  ])('GetCapabilities%s agrees on %s', async (query, version) => {
    const reply = await kit().portal.visitor.get(`/wfs?service=WFS&request=GetCapabilities${query}`);
    expect(tree(reply).attributes['version']).toBe(version);
  });

  test('what cannot be agreed upon is an exception, each version’s in its own form', async () => {
    const none = await kit().portal.visitor.get('/wfs?service=WFS&request=GetCapabilities&acceptVersions=3.0.0');
    expect([none.status, textOf(none.body)]).toEqual([400, expect.stringContaining('VersionNegotiationFailed')]);
    expect(await kit().portal.visitor.get('/wfs?service=WFS&request=GetFeature&version=3.0.0')).toMatchReply({
      status: 400,
    });
    const faults = await Promise.all(
      VERSIONS.map(async (version) => tree(await get(version, 'request=GetFeature&typeName=nothing'))),
    );
    expect(faults.map(({ name, attributes }) => [name, attributes['version']])).toEqual([
      ['ServiceExceptionReport', '1.2.0'],
      ['ExceptionReport', '1.0.0'],
      ['ExceptionReport', '2.0.0'],
    ]);
    expect(faults[0]?.attributes['xmlns']).toBe('http://www.opengis.net/ogc');
    expect(faults[1]?.attributes['ows']).toBe('http://www.opengis.net/ows');
  });

  test('features are GML 2, GML 3.1.1 and GML 3.2, with the namespaces and attributes of each', async () => {
    const [old, middle, newest] = await Promise.all(
      VERSIONS.map((version) => get(version, 'request=GetFeature&typeName=portal:areas')),
    );
    const two = tree(old as Reply);
    expect(two.attributes['gml']).toBe('http://www.opengis.net/gml');
    // GML 2 wants the extent first, or that it is not known.
    expect(names(two)).toEqual(['boundedBy', 'featureMember']);
    expect(all(two, 'areas')[0]?.attributes).toEqual({ fid: 'areas.1' });
    expect(names(all(two, 'geom')[0])).toEqual(['MultiPolygon']);
    expect(all(two, 'coordinates')).toHaveLength(2);
    const three = tree(middle as Reply);
    expect(three.attributes).toMatchObject({ gml: 'http://www.opengis.net/gml', numberOfFeatures: '1' });
    expect(three.attributes).not.toHaveProperty('numberMatched');
    expect(names(all(three, 'geom')[0])).toEqual(['MultiSurface']);
    expect(tree(newest as Reply).attributes).toMatchObject({
      gml: 'http://www.opengis.net/gml/3.2',
      numberMatched: '1',
      numberReturned: '1',
    });
    expect(headerOf(old as Reply, 'content-type')).toBe('text/xml; subtype=gml/2.1.2');
    expect(headerOf(middle as Reply, 'content-type')).toBe('text/xml; subtype=gml/3.1.1');
  });

  test('every gml:id stands once in a document, on members of collections too', async () => {
    for (const version of ['1.1.0', '2.0.0']) {
      const text = textOf((await get(version, 'request=GetFeature&typeName=portal:areas')).body);
      const found = [...text.matchAll(/gml:id="([^"]*)"/g)].map(([, id]) => id);
      expect(found).toEqual(['areas.1', 'areas.1.geom', 'areas.1.geom.1', 'areas.1.geom.2']);
    }
  });

  test('values are of the types that the schema says: binary, lists, infinity', async () => {
    for (const version of VERSIONS) {
      const schema = tree(await get(version, 'request=DescribeFeatureType&typeName=portal:places'));
      const types = Object.fromEntries(
        all(schema, 'element').map(({ attributes }) => [attributes['name'], attributes['type']]),
      );
      expect(types).toMatchObject({ code: 'xs:hexBinary', share: 'xs:double', tags: 'xs:string', seen: 'xs:dateTime' });
      expect(types['geom']).toBe('gml:PointPropertyType');
      const [first] = all(tree(await get(version, 'request=GetFeature&typeName=portal:places')), 'places');
      const value = (name: string): string => words(childOf(first, name));
      expect(value('code')).toMatch(/^(?:[0-9A-F]{2})+$/);
      expect([value('code'), value('share'), value('tags'), value('seen')]).toEqual([
        'DEADBEEF',
        'INF',
        '["a","b c"]',
        '2020-01-02T03:04:05+00:00',
      ]);
    }
  });

  test('stored queries name the types that they return', async () => {
    const listed = tree(await get('2.0.0', 'request=ListStoredQueries'));
    expect(all(listed, 'ReturnFeatureType').map(words)).toEqual(['portal:areas', 'portal:places', 'portal:shapes']);
    const described = tree(await get('2.0.0', 'request=DescribeStoredQueries'));
    expect(all(described, 'QueryExpressionText')[0]?.attributes['returnFeatureTypes']).toBe(
      'portal:areas portal:places portal:shapes',
    );
  });

  test.each([
    ['1.0.0', '', '6.96,50.94', EAST],
    ['1.0.0', 'EPSG:4326', '6.96,50.94', EAST],
    ['1.0.0', 'http://www.opengis.net/gml/srs/epsg.xml%234326', '6.96,50.94', EAST],
    ['1.0.0', 'urn:ogc:def:crs:EPSG::4326', '6.96,50.94', EAST],
    ['1.1.0', '', '50.94 6.96', 'urn:ogc:def:crs:EPSG::4326'],
    ['1.1.0', 'urn:ogc:def:crs:EPSG::4326', '50.94 6.96', 'urn:ogc:def:crs:EPSG::4326'],
    ['1.1.0', 'EPSG:4326', '6.96 50.94', EAST],
    ['2.0.0', 'EPSG:4326', '6.96 50.94', EAST],
    ['2.0.0', '', '50.94 6.96', 'urn:ogc:def:crs:EPSG::4326'],
  ])('%s in "%s": positions are %s, and the system is named so', async (version, srs, at, named) => {
    const query = `request=GetFeature&typeName=places&maxFeatures=1&count=1${srs === '' ? '' : `&srsName=${srs}`}`;
    const text = textOf((await get(version, query)).body);
    expect(/<gml:(?:pos|coordinates)[^>]*>([^<]*)</.exec(text)?.[1]).toBe(at);
    expect(/srsName="([^"]*)"/.exec(text)?.[1]).toBe(named);
  });

  test('boxes come in the order of the axes that their version means', async () => {
    expect(await ids('1.0.0', 'bbox=6,50,7,51')).toEqual(['1']);
    expect(await ids('1.1.0', 'bbox=50,6,51,7')).toEqual(['1']);
    expect(await ids('1.1.0', 'bbox=6,50,7,51,EPSG:4326')).toEqual(['1']);
    expect(await ids('1.1.0', 'bbox=50,6,51,7,urn:ogc:def:crs:EPSG::4326')).toEqual(['1']);
  });

  const height = '<ogc:PropertyName>portal:height</ogc:PropertyName>';
  const box10 = '<gml:Box srsName="EPSG:4326"><gml:coordinates>6,50 7,51</gml:coordinates></gml:Box>';
  const coord10 =
    '<gml:Box><gml:coord><gml:X>6</gml:X><gml:Y>50</gml:Y></gml:coord><gml:coord><gml:X>7</gml:X><gml:Y>51</gml:Y></gml:coord></gml:Box>';
  // 700 metres west of the first place, a hundredth of a degree.
  const point10 = '<gml:Point srsName="EPSG:4326"><gml:coordinates>6.95,50.94</gml:coordinates></gml:Point>';
  const ring10 =
    '<gml:Polygon srsName="EPSG:4326"><gml:outerBoundaryIs><gml:LinearRing><gml:coordinates>6,50 7,50 7,51 6,51 6,50</gml:coordinates></gml:LinearRing></gml:outerBoundaryIs></gml:Polygon>';
  test.each([
    [`<ogc:PropertyIsEqualTo>${height}<ogc:Literal>53</ogc:Literal></ogc:PropertyIsEqualTo>`, ['1']],
    [`<ogc:PropertyIsNotEqualTo>${height}<ogc:Literal>53</ogc:Literal></ogc:PropertyIsNotEqualTo>`, ['2', '3']],
    [`<ogc:PropertyIsLessThan>${height}<ogc:Literal>7</ogc:Literal></ogc:PropertyIsLessThan>`, ['2']],
    [
      `<ogc:PropertyIsGreaterThanOrEqualTo>${height}<ogc:Literal>7</ogc:Literal></ogc:PropertyIsGreaterThanOrEqualTo>`,
      ['1', '3'],
    ],
    [
      `<ogc:PropertyIsLike wildCard="*" singleChar="." escape="!"><ogc:PropertyName>name</ogc:PropertyName><ogc:Literal>N.ll*</ogc:Literal></ogc:PropertyIsLike>`,
      ['2'],
    ],
    ['<ogc:PropertyIsNull><ogc:PropertyName>share</ogc:PropertyName></ogc:PropertyIsNull>', ['3']],
    [
      `<ogc:PropertyIsBetween>${height}<ogc:LowerBoundary><ogc:Literal>0</ogc:Literal></ogc:LowerBoundary><ogc:UpperBoundary><ogc:Literal>10</ogc:Literal></ogc:UpperBoundary></ogc:PropertyIsBetween>`,
      ['3'],
    ],
    [
      `<ogc:Not><ogc:PropertyIsNull><ogc:PropertyName>share</ogc:PropertyName></ogc:PropertyIsNull></ogc:Not>`,
      ['1', '2'],
    ],
    [`<ogc:BBOX><ogc:PropertyName>portal:geom</ogc:PropertyName>${box10}</ogc:BBOX>`, ['1']],
    [`<ogc:BBOX><ogc:PropertyName>portal:geom</ogc:PropertyName>${coord10}</ogc:BBOX>`, ['1']],
    [`<ogc:Intersects><ogc:PropertyName>geom</ogc:PropertyName>${ring10}</ogc:Intersects>`, ['1']],
    [`<ogc:Within><ogc:PropertyName>geom</ogc:PropertyName>${ring10}</ogc:Within>`, ['1']],
    [`<ogc:Disjoint><ogc:PropertyName>geom</ogc:PropertyName>${ring10}</ogc:Disjoint>`, ['2', '3']],
    [
      `<ogc:DWithin><ogc:PropertyName>geom</ogc:PropertyName>${point10}<ogc:Distance units="m">1000</ogc:Distance></ogc:DWithin>`,
      ['1'],
    ],
    [
      `<ogc:DWithin><ogc:PropertyName>geom</ogc:PropertyName>${point10}<ogc:Distance units="m">600</ogc:Distance></ogc:DWithin>`,
      [],
    ],
    [
      `<ogc:DWithin><ogc:PropertyName>geom</ogc:PropertyName>${point10}<ogc:Distance units="degree">1</ogc:Distance></ogc:DWithin>`,
      ['1'],
    ],
    [
      `<ogc:Beyond><ogc:PropertyName>geom</ogc:PropertyName>${point10}<ogc:Distance units="km">10</ogc:Distance></ogc:Beyond>`,
      ['2', '3'],
    ],
    [
      `<ogc:PropertyIsEqualTo><ogc:Add>${height}<ogc:Mul><ogc:Literal>2</ogc:Literal><ogc:Literal>3</ogc:Literal></ogc:Mul></ogc:Add><ogc:Literal>13</ogc:Literal></ogc:PropertyIsEqualTo>`,
      ['3'],
    ],
    ['<ogc:FeatureId fid="places.2"/><ogc:FeatureId fid="places.3"/>', ['2', '3']],
  ])('OGC Filter 1.0, by address and in XML: %s', async (filter, found) => {
    const written = `<ogc:Filter xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">${filter}</ogc:Filter>`;
    expect(await ids('1.0.0', `filter=${encodeURIComponent(written)}`)).toEqual(found);
    const reply = await kit().portal.visitor.post(
      '/wfs',
      `<wfs:GetFeature service="WFS" version="1.0.0" xmlns:wfs="http://www.opengis.net/wfs"><wfs:Query typeName="portal:places">${written}</wfs:Query></wfs:GetFeature>`,
      { 'content-type': 'text/xml' },
    );
    expect([...textOf(reply.body).matchAll(/ fid="places\.(\d+)"/g)].map(([, id]) => id)).toEqual(found);
  });

  const GML_32 = 'http://www.opengis.net/gml/3.2';
  const SQUARES = {
    '1.0.0': ring10.replace('6,50 7,50 7,51 6,51 6,50', '10,40 12,40 12,42 10,42 10,40'),
    '1.1.0':
      '<gml:Polygon srsName="urn:ogc:def:crs:EPSG::4326"><gml:exterior><gml:LinearRing><gml:posList>40 10 40 12 42 12 42 10 40 10</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>',
    '2.0.0': `<gml:Polygon gml:id="p" srsName="urn:ogc:def:crs:EPSG::4326"><gml:exterior><gml:LinearRing><gml:posList>40 10 40 12 42 12 42 10 40 10</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>`,
  } as const;
  const RELATED = [
    ['Equals', ['equals']],
    ['Touches', ['touches']],
    ['Crosses', ['crosses']],
    ['Overlaps', ['overlaps']],
    ['Within', ['equals', 'within']],
    ['Contains', ['contains', 'equals']],
    ['Disjoint', ['disjoint']],
    ['Intersects', ['contains', 'crosses', 'equals', 'overlaps', 'touches', 'within']],
  ] as const;
  test.each(VERSIONS.flatMap((version) => RELATED.map(([operator, found]) => [operator, version, found] as const)))(
    'the spatial operator %s of WFS %s',
    async (operator, version, found) => {
      const isNew = version === '2.0.0';
      const prefix = isNew ? 'fes' : 'ogc';
      const space = isNew ? 'http://www.opengis.net/fes/2.0' : 'http://www.opengis.net/ogc';
      const gml = isNew ? GML_32 : 'http://www.opengis.net/gml';
      const property = isNew ? 'ValueReference' : 'PropertyName';
      const filter = `<${prefix}:Filter xmlns:${prefix}="${space}" xmlns:gml="${gml}"><${prefix}:${operator}><${prefix}:${property}>geom</${prefix}:${property}>${SQUARES[version]}</${prefix}:${operator}></${prefix}:Filter>`;
      const types = isNew ? 'typeNames' : 'typeName';
      const reply = await get(
        version,
        `request=GetFeature&${types}=portal:shapes&filter=${encodeURIComponent(filter)}`,
      );
      const told = [...textOf(reply.body).matchAll(/<portal:name>([^<]*)</g)].map(([, name]) => name);
      expect({ status: reply.status, told: told.sort() }).toEqual({ status: 200, told: found });
    },
  );

  test('a request in XML without a version speaks the one of its namespace', async () => {
    const ask = async (space: string): Promise<XmlElement> =>
      tree(
        await kit().portal.visitor.post(
          '/wfs',
          `<wfs:GetFeature service="WFS" xmlns:wfs="${space}" maxFeatures="1" count="1"><wfs:Query typeName="portal:places" typeNames="portal:places"/></wfs:GetFeature>`,
          { 'content-type': 'application/xml' },
        ),
      );
    expect((await ask('http://www.opengis.net/wfs')).attributes['numberOfFeatures']).toBe('1');
    expect((await ask('http://www.opengis.net/wfs/2.0')).attributes['numberMatched']).toBe('3');
  });

  test('maxFeatures, sortBy, propertyName, featureId and hits', async () => {
    for (const version of ['1.0.0', '1.1.0']) {
      expect(await ids(version, 'maxFeatures=2')).toEqual(['1', '2']);
      expect(await ids(version, 'sortBy=height%20A')).toEqual(['2', '3', '1']);
      expect(await ids(version, 'featureId=places.3')).toEqual(['3']);
      const text = textOf((await get(version, 'request=GetFeature&typeName=places&propertyName=name')).body);
      expect(text).toContain('<portal:name>');
      expect(text).not.toContain('<portal:height>');
    }
    const hits = tree(await get('1.1.0', 'request=GetFeature&typeName=places&resultType=hits'));
    expect([hits.attributes['numberOfFeatures'], names(hits)]).toEqual(['3', []]);
  });

  describeNeeding(missing('gdal'), 'GDAL', () => {
    test.each(['1.0.0', '1.1.0'])('GDAL reads WFS %s: types, fields, positions, boxes and filters', async (version) => {
      const source = `WFS:${await kit().address()}/wfs?VERSION=${version}`;
      const said = await kit().run('ogrinfo', ['-ro', '-so', source, 'portal:places']);
      expect(said).toContain('Feature Count: 3');
      expect(said).toMatch(/height: Integer \(/);
      const read = async (...args: string[]): Promise<Read['features']> =>
        (JSON.parse(await kit().run('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', source, ...args])) as Read).features;
      expect((await read('portal:places')).map(({ geometry }) => geometry?.coordinates)).toEqual([
        [6.96, 50.94],
        [0, 0],
        [20, 10],
      ]);
      expect(await read('portal:places', '-spat', '5', '45', '8', '52')).toHaveLength(1);
      expect(
        (await read('portal:places', '-where', 'height > 10')).map(({ properties }) => properties['name']),
      ).toEqual(['Köln']);
      const [area] = await read('-t_srs', 'EPSG:25832', 'portal:areas');
      expect(area?.geometry?.type).toBe('MultiPolygon');
      expect((area?.geometry?.coordinates as number[][][][] | undefined)?.[0]?.[0]).toContainEqual([350000, 5600000]);
    });
  });

  testNeeding(missing('owslib'), 'OWSLib reads WFS 1.0.0 and 1.1.0, its defaults', async () => {
    const script = `
import json, sys
from owslib.wfs import WebFeatureService
out = {}
for version in ('1.0.0', '1.1.0'):
  wfs = WebFeatureService(sys.argv[1] + '/wfs', version=version)
  places = wfs['portal:places']
  gml = wfs.getfeature(typename=['portal:places'], maxfeatures=1).read()
  box = wfs.getfeature(typename=['portal:places'], bbox=(6, 50, 7, 51) if version == '1.0.0' else (6, 50, 7, 51, 'EPSG:4326')).read()
  out[version] = {
    'types': sorted(wfs.contents), 'title': places.title, 'box': places.boundingBoxWGS84,
    'operations': sorted(o.name for o in wfs.operations), 'schema': wfs.get_schema('portal:places')['properties'],
    'gml': gml.decode() if isinstance(gml, bytes) else gml, 'found': (box if isinstance(box, str) else box.decode()).count('featureMember>') // 2,
  }
print(json.dumps(out))`;
    const said = JSON.parse(await kit().run(PYTHON, ['-c', script, await kit().address()])) as Record<string, unknown>;
    for (const version of ['1.0.0', '1.1.0'])
      expect(said[version]).toMatchObject({
        types: ['portal:areas', 'portal:places', 'portal:shapes'],
        title: 'Places',
        operations: ['DescribeFeatureType', 'GetCapabilities', 'GetFeature'],
        schema: { name: 'string', height: 'int' },
        found: 1,
      });
  });
});
