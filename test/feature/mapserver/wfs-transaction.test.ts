// WFS-T in all three versions: features inserted, updated, replaced and deleted, by whoever may; and everything that is refused.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { describeNeeding, testNeeding } from '../../testkit/describe-needing.ts';
import { missing, PYTHON } from '../../testkit/machine.ts';
import { PASSWORD, type PortalClient } from '../../testkit/portal-client.ts';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';

const SPACES = {
  '1.0.0':
    'xmlns:wfs="http://www.opengis.net/wfs" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml"',
  '1.1.0':
    'xmlns:wfs="http://www.opengis.net/wfs" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml"',
  '2.0.0':
    'xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2"',
} as const;
type Version = keyof typeof SPACES;
const VERSIONS = Object.keys(SPACES) as Version[];

function transaction(version: Version, actions: string): string {
  return `<?xml version="1.0"?><wfs:Transaction service="WFS" version="${version}" ${SPACES[version]} xmlns:portal="urn:survest:layers">${actions}</wfs:Transaction>`;
}

function filter(version: Version, ...ids: readonly string[]): string {
  return version === '2.0.0'
    ? `<fes:Filter>${ids.map((id) => `<fes:ResourceId rid="${id}"/>`).join('')}</fes:Filter>`
    : `<ogc:Filter>${ids.map((id) => `<ogc:FeatureId fid="${id}"/>`).join('')}</ogc:Filter>`;
}

/** A point at 7 east, 51 north, as the version writes it. */
const POINT: Readonly<Record<Version, string>> = {
  '1.0.0':
    '<gml:Point srsName="EPSG:4326"><gml:coordinates decimal="." cs="," ts=" ">7,51</gml:coordinates></gml:Point>',
  '1.1.0': '<gml:Point srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>51 7</gml:pos></gml:Point>',
  '2.0.0': '<gml:Point gml:id="p" srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>51 7</gml:pos></gml:Point>',
};

onLayers('WFS-T', {}, (kit) => {
  let spots = 0;

  beforeAll(async () => {
    spots = await makeLayer(kit(), {
      name: 'spots',
      columns:
        'name text, height integer check (height < 10000), code bytea, data jsonb, seen timestamptz, "größe m²" numeric',
      geometry: 'Point',
      rows: '',
    });
    await makeLayer(kit(), { name: 'fields', columns: 'name text', geometry: 'MultiPolygon', srid: 25832, rows: '' });
    await makeLayer(kit(), { name: 'ways', columns: 'name text', geometry: 'MultiLineString', rows: '' });
    await makeLayer(kit(), { name: 'heights', columns: 'name text', geometry: 'PointZ', rows: '' });
    const secret = await makeLayer(kit(), { name: 'secret', geometry: 'Point', owner: 'bob', rows: '' });
    await setPerms(kit(), secret, {});
  });

  beforeEach(async () => {
    for (const table of ['spots', 'fields', 'ways', 'heights'])
      await kit().db.script(`truncate layers.${table} restart identity`);
    await kit().db.script(`insert into layers.spots (name, height, geom) values
      ('one', 1, public.st_setsrid(public.st_makepoint(1, 2), 4326)), ('two', 2, public.st_setsrid(public.st_makepoint(3, 4), 4326))`);
  });

  const send = (xml: string, client: PortalClient = kit().portal.as('ada')): Promise<Reply> =>
    client.post('/wfs', xml, { 'content-type': 'text/xml' });
  const done = async (xml: string, client?: PortalClient): Promise<string> => {
    const reply = await send(xml, client);
    if (reply.status !== 200) throw new Error(`${reply.status} ${textOf(reply.body)}`);
    return textOf(reply.body);
  };
  const rows = (columns = 'name', table = 'spots'): Promise<readonly Record<string, unknown>[]> =>
    kit().db.query(`select ${columns} from layers.${table} as t order by fid`);
  const shapes = async (table: string): Promise<unknown[]> =>
    (await rows('public.st_asewkt(public.st_snaptogrid(geom, 0.001)) as at', table)).map(({ at }) => at);
  const assign = (version: Version, name: string, value: string): string =>
    version === '2.0.0'
      ? `<wfs:Property><wfs:ValueReference>${name}</wfs:ValueReference><wfs:Value>${value}</wfs:Value></wfs:Property>`
      : `<wfs:Property><wfs:Name>${name}</wfs:Name><wfs:Value>${value}</wfs:Value></wfs:Property>`;

  test.each(VERSIONS)(
    '%s: insert, update and delete in one transaction, with ids and handles in the answer',
    async (version) => {
      const said = await done(
        transaction(
          version,
          `<wfs:Insert handle="new ones"><portal:spots><portal:name>Köln &amp; more</portal:name><portal:height>53</portal:height><portal:geom>${POINT[version]}</portal:geom></portal:spots><portal:spots><portal:name>bare</portal:name></portal:spots></wfs:Insert>
         <wfs:Update typeName="portal:spots">${assign(version, 'portal:name', 'changed')}${assign(version, 'geom', POINT[version])}${filter(version, 'spots.1')}</wfs:Update>
         <wfs:Delete typeName="portal:spots">${filter(version, 'spots.2')}</wfs:Delete>`,
        ),
      );
      expect(await rows('fid, name, height, public.st_astext(geom) as at')).toEqual([
        { fid: 1, name: 'changed', height: 1, at: 'POINT(7 51)' },
        { fid: 3, name: 'Köln & more', height: 53, at: 'POINT(7 51)' },
        { fid: 4, name: 'bare', height: null, at: null },
      ]);
      const id = (key: number): string =>
        version === '2.0.0' ? `<fes:ResourceId rid="spots.${key}"/>` : `<ogc:FeatureId fid="spots.${key}"/>`;
      if (version === '1.0.0') {
        expect(said).toContain(`<wfs:InsertResult handle="new ones">${id(3)}${id(4)}</wfs:InsertResult>`);
        expect(said).toContain(
          '<wfs:TransactionResult><wfs:Status><wfs:SUCCESS/></wfs:Status></wfs:TransactionResult>',
        );
        return;
      }
      expect(said).toContain('<wfs:totalInserted>2</wfs:totalInserted><wfs:totalUpdated>1</wfs:totalUpdated>');
      expect(said).toContain('<wfs:totalDeleted>1</wfs:totalDeleted></wfs:TransactionSummary>');
      expect(said).toContain(
        `<wfs:InsertResults><wfs:Feature handle="new ones">${id(3)}</wfs:Feature><wfs:Feature handle="new ones">${id(4)}</wfs:Feature></wfs:InsertResults>`,
      );
    },
  );

  test('what another site can send without leave changes nothing: plain text and forms', async () => {
    const { portal } = kit();
    const xml = transaction(
      '1.1.0',
      '<wfs:Insert><portal:spots><portal:name>slipped in</portal:name></portal:spots></wfs:Insert>',
    );
    const from = (origin: string, type: string): Promise<Reply> =>
      portal.as('ada').post('/wfs', xml, { origin, 'content-type': type });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=xml']) {
      const reply = await from('https://elsewhere.example', type);
      expect([type, reply.status]).toEqual([type, 501]);
      expect(textOf(reply.body)).toContain('text/xml');
    }
    expect(await rows()).toHaveLength(2);
    // A browser has asked for leave before it sends these, and pages of ours need none.
    for (const [origin, type] of [
      ['https://elsewhere.example', 'text/xml; charset=UTF-8'],
      ['https://elsewhere.example', 'application/gml+xml'],
      ['http://localhost', 'text/plain;charset=UTF-8'],
    ] as const)
      expect([type, (await from(origin, type)).status]).toEqual([type, 200]);
    expect(await rows()).toHaveLength(5);
    const read = '<GetFeature service="WFS" version="2.0.0"><Query typeNames="portal:spots"/></GetFeature>';
    expect(await portal.visitor.post('/wfs', read, { origin: 'https://elsewhere.example' })).toMatchReply({
      status: 200,
    });
  });

  test('1.0.0: positions come east first under any name of their system, as QGIS writes them', async () => {
    const urn =
      '<gml:Point srsName="urn:ogc:def:crs:EPSG::4326"><gml:coordinates cs="," ts=" ">7,51</gml:coordinates></gml:Point>';
    await done(
      transaction('1.0.0', `<wfs:Insert><portal:spots><portal:geom>${urn}</portal:geom></portal:spots></wfs:Insert>`),
    );
    expect((await shapes('spots')).at(-1)).toBe('SRID=4326;POINT(7 51)');
  });

  test('2.0.0: replace makes of a feature what is sent, and nothing else', async () => {
    const said = await done(
      transaction(
        '2.0.0',
        `<wfs:Replace handle="r"><portal:spots><portal:name>new</portal:name><portal:geom>${POINT['2.0.0']}</portal:geom></portal:spots>${filter('2.0.0', 'spots.1')}</wfs:Replace>`,
      ),
    );
    expect(said).toContain('<wfs:totalReplaced>1</wfs:totalReplaced>');
    expect(said).toContain(
      '<wfs:ReplaceResults><wfs:Feature handle="r"><fes:ResourceId rid="spots.1"/></wfs:Feature></wfs:ReplaceResults>',
    );
    expect(await rows('fid, name, height, public.st_astext(geom) as at')).toContainEqual({
      fid: 1,
      name: 'new',
      height: null,
      at: 'POINT(7 51)',
    });
  });

  test('1.1.0: a replaced feature is counted as updated, since its summary has no other name for it', async () => {
    const replace = `<wfs:Replace><portal:spots><portal:name>new</portal:name></portal:spots>${filter('1.1.0', 'spots.1')}</wfs:Replace>`;
    const update = `<wfs:Update typeName="portal:spots">${assign('1.1.0', 'name', 'changed')}${filter('1.1.0', 'spots.2')}</wfs:Update>`;
    const said = await done(transaction('1.1.0', replace + update));
    expect(said).toContain('<wfs:totalUpdated>2</wfs:totalUpdated><wfs:totalDeleted>0</wfs:totalDeleted>');
    expect(said).not.toContain('Replace');
    expect(await rows()).toEqual([{ name: 'new' }, { name: 'changed' }]);
  });

  test('a geometry is in the system that it names, otherwise in that of its action, otherwise in that of the transaction', async () => {
    const insert = (action: string, shape: string): string =>
      `<wfs:Insert${action}><portal:spots><portal:geom><gml:Point${shape}><gml:pos>1 2</gml:pos></gml:Point></portal:geom></portal:spots></wfs:Insert>`;
    // One metre from the origin, or one degree.
    const [metres, degrees] = [' srsName="EPSG:3857"', ' srsName="EPSG:4326"'];
    const sent = transaction('2.0.0', insert(degrees, metres) + insert(degrees, '') + insert('', ''));
    await done(sent.replace('service=', `${metres} service=`));
    expect((await shapes('spots')).slice(2)).toEqual([
      'SRID=4326;POINT(0 0)',
      'SRID=4326;POINT(1 2)',
      'SRID=4326;POINT(0 0)',
    ]);
  });

  test('all of it is done, or none', async () => {
    const before = await rows('fid, name');
    const reply = await send(
      transaction(
        '1.1.0',
        `<wfs:Delete typeName="spots">${filter('1.1.0', 'spots.1')}</wfs:Delete><wfs:Insert handle="too high"><portal:spots><portal:height>20000</portal:height></portal:spots></wfs:Insert>`,
      ),
    );
    expect([reply.status, textOf(reply.body)]).toEqual([400, expect.stringContaining('locator="too high"')]);
    expect(await rows('fid, name')).toEqual(before);
  });

  test.each<[string, string, string, unknown]>([
    [
      'GML 2 polygon with a hole, in degrees',
      'fields',
      '<gml:Polygon srsName="EPSG:4326"><gml:outerBoundaryIs><gml:LinearRing><gml:coordinates>7,50 8,50 8,51 7,51 7,50</gml:coordinates></gml:LinearRing></gml:outerBoundaryIs><gml:innerBoundaryIs><gml:LinearRing><gml:coordinates>7.4,50.4 7.6,50.4 7.6,50.6 7.4,50.4</gml:coordinates></gml:LinearRing></gml:innerBoundaryIs></gml:Polygon>',
      expect.stringMatching(/^SRID=25832;MULTIPOLYGON\(\(\([^)]*\),\([^)]*\)\)\)$/),
    ],
    [
      'GML 3.2 surfaces, in its own system',
      'fields',
      '<gml:MultiSurface srsName="urn:ogc:def:crs:EPSG::25832"><gml:surfaceMember><gml:Surface><gml:patches><gml:PolygonPatch><gml:exterior><gml:LinearRing><gml:posList srsDimension="2">350000 5600000 360000 5600000 360000 5610000 350000 5600000</gml:posList></gml:LinearRing></gml:exterior></gml:PolygonPatch></gml:patches></gml:Surface></gml:surfaceMember><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:pos>370000 5600000</gml:pos><gml:pos>380000 5600000</gml:pos><gml:pos>380000 5610000</gml:pos><gml:pos>370000 5600000</gml:pos></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface>',
      'SRID=25832;MULTIPOLYGON(((350000 5600000,360000 5600000,360000 5610000,350000 5600000)),((370000 5600000,380000 5600000,380000 5610000,370000 5600000)))',
    ],
    [
      'a curve of several segments becomes a MultiLineString',
      'ways',
      '<gml:Curve srsName="urn:ogc:def:crs:EPSG::4326"><gml:segments><gml:LineStringSegment><gml:posList>50 7 51 8</gml:posList></gml:LineStringSegment><gml:LineStringSegment><gml:posList>51 8 52 9</gml:posList></gml:LineStringSegment></gml:segments></gml:Curve>',
      'SRID=4326;MULTILINESTRING((7 50,8 51,9 52))',
    ],
    [
      'three dimensions',
      'heights',
      '<gml:Point srsName="EPSG:4326" srsDimension="3"><gml:pos>7 50 100</gml:pos></gml:Point>',
      'SRID=4326;POINT(7 50 100)',
    ],
    [
      'two dimensions where three are stored, in Mercator',
      'heights',
      '<gml:Point srsName="EPSG:3857"><gml:pos>0 0</gml:pos></gml:Point>',
      'SRID=4326;POINT(0 0 0)',
    ],
  ])('geometries: %s', async (_name, table, gml, stored) => {
    await done(
      transaction(
        '2.0.0',
        `<wfs:Insert><portal:${table}><portal:geom>${gml}</portal:geom></portal:${table}></wfs:Insert>`,
      ),
    );
    expect(await shapes(table)).toEqual([stored]);
  });

  test('values of every type come back as they are sent: binary, JSON, moments, null, odd names', async () => {
    await done(
      transaction(
        '2.0.0',
        `<wfs:Insert><portal:spots xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><portal:name xsi:nil="true"/><portal:code>DEADBEEF</portal:code><portal:data>{"a":[1]}</portal:data><portal:seen>2020-01-02T03:04:05Z</portal:seen><portal:größe_x0020_m_x00B2_>1.50</portal:größe_x0020_m_x00B2_></portal:spots></wfs:Insert>`,
      ),
    );
    expect(
      (await rows('name, encode(code, \'hex\') as code, data, seen::text as seen, "größe m²"::text as size')).at(-1),
    ).toMatchObject({
      name: null,
      code: 'deadbeef',
      data: { a: [1] },
      size: '1.50',
    });
  });

  test('who may: basic auth, token and session; not visitors, not others, not a page of another site', async () => {
    const insert = transaction(
      '1.1.0',
      '<wfs:Insert><portal:spots><portal:name>x</portal:name></portal:spots></wfs:Insert>',
    );
    const update = transaction(
      '1.1.0',
      `<wfs:Update typeName="spots">${assign('1.1.0', 'name', 'y')}${filter('1.1.0', 'spots.1')}</wfs:Update>`,
    );
    const remove = transaction('1.1.0', `<wfs:Delete typeName="spots">${filter('1.1.0', 'spots.1')}</wfs:Delete>`);
    const { portal } = kit();
    expect(await done(insert, portal.bearer(await portal.tokenOf('ada')))).toContain('totalInserted>1<');
    const session = await portal.session('ada');
    expect(await done(insert, session)).toContain('totalInserted>1<');
    const before = await rows();
    for (const xml of [insert, update, remove]) {
      const visitor = await send(xml, portal.visitor);
      expect([visitor.status, headerOf(visitor, 'www-authenticate')]).toEqual([401, expect.stringContaining('Basic')]);
      const page = await portal.visitor.post('/wfs', xml, { 'content-type': 'text/xml', 'sec-fetch-dest': 'empty' });
      expect([page.status, headerOf(page, 'www-authenticate')]).toEqual([401, null]);
      expect((await send(xml, portal.as('bob'))).status).toBe(403);
      const cookie = [...session.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const forged = await portal.visitor.post('/wfs', xml, {
        'content-type': 'text/xml',
        cookie,
        origin: 'https://elsewhere.example',
      });
      expect(forged.status).toBe(403);
    }
    expect(await rows()).toEqual(before);
    expect((await send(transaction('1.1.0', '<wfs:Insert><portal:secret/></wfs:Insert>'))).status).toBe(400);
  });

  test('capabilities announce what this caller may do', async () => {
    const said = async (client: PortalClient, version: Version): Promise<string> =>
      textOf((await client.get(`/wfs?service=WFS&request=GetCapabilities&version=${version}`)).body);
    const { portal } = kit();
    for (const version of VERSIONS) {
      const [visitor, owner] = await Promise.all([said(portal.visitor, version), said(portal.as('ada'), version)]);
      expect(visitor).not.toMatch(/name="Transaction"|<Transaction>|Insert|LockFeature/);
      expect(owner).toMatch(/name="Transaction"|<Transaction>/);
      expect(owner).not.toContain('LockFeature');
    }
    await setPerms(kit(), spots, {
      groups: { anonymous: ['view_resourcebase'] },
      users: { bob: ['view_resourcebase', 'change_layer_data'] },
    });
    const theirs = await said(portal.as('bob'), '1.1.0');
    const type = (name: string): string =>
      new RegExp(`<wfs:Name>portal:${name}</wfs:Name>.*?</wfs:FeatureType>`).exec(theirs)?.[0] ?? '';
    expect(type('spots')).toContain('<wfs:Operation>Insert</wfs:Operation>');
    expect(type('ways')).not.toContain('Insert');
    await setPerms(kit(), spots, OPEN);
  });

  test('the version of the layer moves with a transaction, so that no tile of before is shown', async () => {
    const tag = async (): Promise<string | null> =>
      headerOf(await kit().portal.visitor.get('/tiles/spots/0/0/0.pbf'), 'etag');
    const before = await tag();
    expect(before).not.toBeNull();
    await done(transaction('1.0.0', `<wfs:Delete typeName="spots">${filter('1.0.0', 'spots.1')}</wfs:Delete>`));
    expect(await tag()).not.toBe(before);
  });

  test.each<[string, string, number]>([
    ['a lock', '<wfs:LockFeature service="WFS" version="1.1.0" xmlns:wfs="http://www.opengis.net/wfs"/>', 501],
    [
      'features with a lock',
      '<wfs:GetFeatureWithLock service="WFS" version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0"/>',
      501,
    ],
    ['a document type', `<!DOCTYPE x [<!ENTITY a "b">]>${transaction('2.0.0', '').slice(21)}`, 400],
    ['a delete of everything by mistake', transaction('2.0.0', '<wfs:Delete typeName="spots"/>'), 400],
    ['an update of nothing', transaction('2.0.0', '<wfs:Update typeName="spots"/>'), 400],
    ['no type', transaction('2.0.0', '<wfs:Delete><fes:Filter/></wfs:Delete>'), 400],
    ['ids of one’s own', transaction('1.1.0', '<wfs:Insert idgen="UseExisting"><portal:spots/></wfs:Insert>'), 400],
    [
      'a lock of somewhere',
      transaction('2.0.0', '<wfs:Insert><portal:spots/></wfs:Insert>').replace('service=', 'lockId="5" service='),
      400,
    ],
    ['an unknown type', transaction('2.0.0', '<wfs:Insert><portal:nothing/></wfs:Insert>'), 400],
    [
      'an unknown property',
      transaction('2.0.0', '<wfs:Insert><portal:spots><portal:colour>red</portal:colour></portal:spots></wfs:Insert>'),
      400,
    ],
    [
      'a value that does not fit',
      transaction('2.0.0', '<wfs:Insert><portal:spots><portal:height>tall</portal:height></portal:spots></wfs:Insert>'),
      400,
    ],
    [
      'JSON that is none',
      transaction('2.0.0', '<wfs:Insert><portal:spots><portal:data>{</portal:data></portal:spots></wfs:Insert>'),
      400,
    ],
    [
      'a geometry that is none',
      transaction(
        '2.0.0',
        '<wfs:Insert><portal:spots><portal:geom><gml:Point><gml:pos>x y</gml:pos></gml:Point></portal:geom></portal:spots></wfs:Insert>',
      ),
      400,
    ],
    [
      'half a position',
      transaction(
        '2.0.0',
        '<wfs:Insert><portal:ways><portal:geom><gml:LineString srsName="EPSG:4326"><gml:posList>1 2 3</gml:posList></gml:LineString></portal:geom></portal:ways></wfs:Insert>',
      ),
      400,
    ],
    [
      'a geometry of another type',
      transaction(
        '2.0.0',
        '<wfs:Insert><portal:spots><portal:geom><gml:LineString srsName="EPSG:4326"><gml:posList>1 2 3 4</gml:posList></gml:LineString></portal:geom></portal:spots></wfs:Insert>',
      ),
      400,
    ],
    [
      'a position beyond the poles',
      transaction(
        '2.0.0',
        '<wfs:Insert><portal:spots><portal:geom><gml:Point srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>100 7</gml:pos></gml:Point></portal:geom></portal:spots></wfs:Insert>',
      ),
      400,
    ],
    [
      'an unknown system',
      transaction(
        '2.0.0',
        '<wfs:Insert><portal:spots><portal:geom><gml:Point srsName="EPSG:99999"><gml:pos>1 7</gml:pos></gml:Point></portal:geom></portal:spots></wfs:Insert>',
      ),
      400,
    ],
    ['a native operation', transaction('2.0.0', '<wfs:Native vendorId="x" safeToIgnore="false"/>'), 400],
    ['too many actions', transaction('2.0.0', `<wfs:Insert>${'<portal:spots/>'.repeat(5001)}</wfs:Insert>`), 400],
    ['too deep', transaction('2.0.0', `<wfs:Insert>${'<a>'.repeat(100)}${'</a>'.repeat(100)}</wfs:Insert>`), 400],
  ])('refused, and nothing is changed: %s', async (_name, xml, status) => {
    const before = await rows('fid, name, height');
    const reply = await send(xml);
    expect([reply.status, textOf(reply.body)]).toEqual([status, expect.stringContaining('Exception')]);
    expect(await rows('fid, name, height')).toEqual(before);
  });

  test('a transaction by address is refused', async () => {
    expect(await kit().portal.as('ada').get('/wfs?service=WFS&version=2.0.0&request=Transaction')).toMatchReply({
      status: 501,
    });
  });

  describeNeeding(missing('gdal for Python'), 'GDAL', () => {
    test.each(VERSIONS)('GDAL edits by WFS %s: inserts, changes, moves and deletes', async (version) => {
      const script = `
import sys
from osgeo import gdal, ogr
gdal.UseExceptions(); ogr.UseExceptions()
gdal.SetConfigOption('GDAL_HTTP_USERPWD', sys.argv[2])
data = gdal.OpenEx('WFS:' + sys.argv[1] + '/wfs?VERSION=${version}', gdal.OF_VECTOR | gdal.OF_UPDATE)
layer = data.GetLayerByName('portal:spots')
one = ogr.Feature(layer.GetLayerDefn())
one.SetField('name', 'from GDAL'); one.SetField('height', 7)
one.SetGeometry(ogr.CreateGeometryFromWkt('POINT(7 51)' if '${version}' == '1.0.0' else 'POINT(7 51)'))
assert layer.CreateFeature(one) == 0
layer.ResetReading()
for feature in [f for f in layer]:
  if feature.GetField('name') == 'one':
    feature.SetField('name', 'renamed')
    feature.SetGeometry(ogr.CreateGeometryFromWkt('POINT(8 52)'))
    assert layer.SetFeature(feature) == 0
  if feature.GetField('name') == 'two':
    assert layer.DeleteFeature(feature.GetFID()) == 0
data = None
`;
      writeFileSync(join(kit().folder, 'edit.py'), script);
      await kit().run(PYTHON, ['edit.py', await kit().address(), `ada:${PASSWORD}`]);
      expect(await rows('name, height, public.st_astext(geom) as at')).toEqual([
        { name: 'renamed', height: 1, at: 'POINT(8 52)' },
        { name: 'from GDAL', height: 7, at: 'POINT(7 51)' },
      ]);
    });
  });

  testNeeding(missing('gdal'), 'ogr2ogr appends a file of areas, in a collection or one by one', async () => {
    const square = (x: number): unknown => ({
      type: 'Feature',
      properties: { name: `at ${x}` },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [x, 50],
            [x + 1, 50],
            [x + 1, 51],
            [x, 51],
            [x, 50],
          ],
        ],
      },
    });
    writeFileSync(
      join(kit().folder, 'new.geojson'),
      JSON.stringify({ type: 'FeatureCollection', features: [square(7), square(9)] }),
    );
    const target = `WFS:${await kit().address()}/wfs?VERSION=1.1.0`;
    await kit().run(
      'ogr2ogr',
      ['-append', '-update', '-t_srs', 'EPSG:25832', target, 'new.geojson', '-nln', 'portal:fields'],
      {
        GDAL_HTTP_USERPWD: `ada:${PASSWORD}`,
      },
    );
    expect(
      await rows(
        'name, public.st_geometrytype(geom) as type, public.st_xmin(public.st_transform(geom, 4326))::numeric(5, 2)::text as west',
        'fields',
      ),
    ).toEqual([
      { name: 'at 7', type: 'ST_MultiPolygon', west: '7.00' },
      { name: 'at 9', type: 'ST_MultiPolygon', west: '9.00' },
    ]);
  });

  test('features that come in a collection are inserted, all of them', async () => {
    const member = (name: string): string =>
      `<gml:featureMember><portal:spots><portal:name>${name}</portal:name></portal:spots></gml:featureMember>`;
    const said = await done(
      transaction(
        '1.1.0',
        `<wfs:Insert><wfs:FeatureCollection>${member('a')}${member('b')}</wfs:FeatureCollection></wfs:Insert>`,
      ),
    );
    expect(said).toContain('<wfs:totalInserted>2</wfs:totalInserted>');
  });

  test('an update chosen by a filter changes what the filter finds', async () => {
    const taller = `<ogc:Filter><ogc:PropertyIsGreaterThan><ogc:PropertyName>height</ogc:PropertyName><ogc:Literal>1</ogc:Literal></ogc:PropertyIsGreaterThan></ogc:Filter>`;
    const said = await done(
      transaction(
        '1.1.0',
        `<wfs:Update typeName="portal:spots">${assign('1.1.0', 'name', 'tall')}${taller}</wfs:Update>`,
      ),
    );
    expect(said).toContain('<wfs:totalUpdated>1</wfs:totalUpdated>');
    expect((await rows()).map(({ name }) => name)).toEqual(['one', 'tall']);
  });
});
