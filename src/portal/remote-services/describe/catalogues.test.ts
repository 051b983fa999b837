// Catalogues of others, each served as they write it: what of their records a map can show, and what is said of the rest.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeRemoteFetch, type RemoteFetch } from '../../../http/outbound/remote-fetch.ts';
import { MAX_REQUESTS } from './ask-service.ts';
import { describeService } from './describe-service.ts';
import type { RemoteService } from './remote-service.ts';

let server: Server;
let fetch: RemoteFetch;
let base = '';
let asked: string[] = [];
let answers: Readonly<Record<string, (params: URLSearchParams) => string | object | undefined>> = {};

beforeAll(async () => {
  server = createServer(({ url = '/' }, reply) => {
    asked.push(url);
    const { pathname, searchParams } = new URL(url, base);
    const body = answers[pathname]?.(
      new URLSearchParams([...searchParams].map(([k, v]): [string, string] => [k.toLowerCase(), v])),
    );
    if (body === undefined) reply.writeHead(404).end();
    else reply.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  fetch = makeRemoteFetch({ hosts: { allowed: [], internal: [`127.0.0.1:${port}`] } });
});
beforeEach(() => {
  asked = [];
});
afterAll(() => {
  fetch.close();
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const describe = async (path: string): Promise<RemoteService> => {
  const described = await describeService(fetch, base + path);
  if (!described.ok) throw new Error(JSON.stringify(described.error));
  return described.value;
};
const shown = ({ offers }: RemoteService): unknown[] =>
  offers.map(({ name, layer, reason, page }) => [name, layer?.kind ?? reason, layer?.url ?? page, layer?.name]);

const WMS = `<WMS_Capabilities version="1.3.0"><Service/><Capability><Request><GetMap><Format>image/png</Format></GetMap>
<GetFeatureInfo><Format>text/plain</Format></GetFeatureInfo></Request><Layer><Layer queryable="1"><Name>w:roads</Name><Title>Roads</Title></Layer></Layer></Capability></WMS_Capabilities>`;

test('feature types of a WFS are read with the format and the system that it has for them', async () => {
  const wfs = (version: string, formats: string, crs: string): string =>
    `<wfs:WFS_Capabilities version="${version}"><ows:ServiceIdentification><ows:Title>Places</ows:Title></ows:ServiceIdentification>
     <ows:OperationsMetadata><ows:Operation name="GetFeature"><ows:Parameter name="outputFormat">${formats}</ows:Parameter></ows:Operation></ows:OperationsMetadata>
     <FeatureTypeList><FeatureType><Name>w:roads</Name><Title>Roads</Title><ows:Keywords><ows:Keyword>traffic</ows:Keyword></ows:Keywords>${crs}
     <ows:WGS84BoundingBox><ows:LowerCorner>5 45</ows:LowerCorner><ows:UpperCorner>15 55</ows:UpperCorner></ows:WGS84BoundingBox></FeatureType></FeatureTypeList></wfs:WFS_Capabilities>`;
  const value = (text: string): string => `<ows:Value>${text}</ows:Value>`;
  answers = {
    '/new': () =>
      wfs(
        '2.0.0',
        `<ows:AllowedValues>${value('application/gml+xml; version=3.2')}${value('application/json')}</ows:AllowedValues>`,
        '<DefaultCRS>urn:ogc:def:crs:EPSG::25832</DefaultCRS><OtherCRS>urn:ogc:def:crs:EPSG::4326</OtherCRS>',
      ),
    '/old': () => wfs('1.1.0', value('text/xml; subtype=gml/3.1.1'), '<DefaultSRS>EPSG:4326</DefaultSRS>'),
  };
  const [now, before] = [await describe('/new?SERVICE=WFS'), await describe('/old?service=wfs')];
  expect(now).toMatchObject({ kind: 'wfs', title: 'Places', truncated: false });
  expect(now.offers[0]).toMatchObject({
    keywords: ['traffic'],
    bbox: [5, 45, 15, 55],
    layer: { version: '2.0.0', output: 'application/json', srs: 'urn:ogc:def:crs:EPSG::4326', name: 'w:roads' },
  });
  expect(before.offers[0]?.layer).toMatchObject({ version: '1.1.0', output: '', srs: 'EPSG:4326' });
});

test('records of a CSW in Dublin Core and ISO are drawn by the services they link to, and the others say why not', async () => {
  const dublin = (id: string, more: string): string =>
    `<csw:Record><dc:identifier>${id}</dc:identifier><dc:title>Roads</dc:title>${more}<ows:BoundingBox crs="urn:x-ogc:def:crs:EPSG:6.11:4326"><ows:LowerCorner>45 5</ows:LowerCorner><ows:UpperCorner>55 15</ows:UpperCorner></ows:BoundingBox></csw:Record>`;
  const link = (scheme: string, href: string): string => `<dct:references scheme="${scheme}">${href}</dct:references>`;
  const capabilities = `<csw:Capabilities version="2.0.2"><ows:ServiceIdentification><ows:Title>Records</ows:Title><ows:ServiceType>CSW</ows:ServiceType></ows:ServiceIdentification></csw:Capabilities>`;
  const pages: Readonly<Record<string, string>> = {
    1: `<csw:GetRecordsResponse><csw:SearchResults nextRecord="3">${dublin('by-title', link('OGC:WMS', '/wms?service=WMS&amp;request=GetCapabilities'))}${dublin('template', link('XYZ', `${base}/t/{z}/{x}/{y}.png`))}</csw:SearchResults></csw:GetRecordsResponse>`,
    3: `<csw:GetRecordsResponse><csw:SearchResults nextRecord="0">${dublin('file', link('WWW:DOWNLOAD-1.0-http--download', '/a.zip'))}${dublin('page', link('WWW:LINK-1.0-http--link', '/a.html'))}${dublin('nothing', link('OGC:WMS', 'javascript:alert(1)'))}</csw:SearchResults></csw:GetRecordsResponse>`,
  };
  answers = {
    '/csw': (params) =>
      params.get('request') === 'GetCapabilities' ? capabilities : pages[params.get('startposition') ?? ''],
    '/wms': () => WMS,
  };
  const service = await describe('/csw');
  expect(service).toMatchObject({ kind: 'csw', title: 'Records', truncated: false });
  expect(shown(service)).toEqual([
    ['by-title', 'wms', `${base}/wms`, 'w:roads'],
    ['template', 'tiles', `${base}/t/{z}/{x}/{y}.png`, ''],
    ['file', 'files', `${base}/a.zip`, undefined],
    ['page', 'page', `${base}/a.html`, undefined],
    ['nothing', 'no-links', undefined, undefined],
  ]);
  expect(service.offers[0]).toMatchObject({ bbox: [5, 45, 15, 55], layer: { info: 'text/plain' } });

  const iso = `<csw:GetRecordsResponse><csw:SearchResults nextRecord="0"><gmd:MD_Metadata><gmd:fileIdentifier><gco:CharacterString>iso</gco:CharacterString></gmd:fileIdentifier>
    <gmd:identificationInfo><gmd:MD_DataIdentification><gmd:citation><gmd:CI_Citation><gmd:title><gco:CharacterString>Anything</gco:CharacterString></gmd:title></gmd:CI_Citation></gmd:citation>
    <gmd:credit><gco:CharacterString>Survey</gco:CharacterString></gmd:credit><gmd:descriptiveKeywords><gmd:MD_Keywords><gmd:keyword><gco:CharacterString>water</gco:CharacterString></gmd:keyword></gmd:MD_Keywords></gmd:descriptiveKeywords>
    <gmd:extent><gmd:EX_Extent><gmd:geographicElement><gmd:EX_GeographicBoundingBox><gmd:westBoundLongitude><gco:Decimal>1</gco:Decimal></gmd:westBoundLongitude><gmd:eastBoundLongitude><gco:Decimal>3</gco:Decimal></gmd:eastBoundLongitude><gmd:southBoundLatitude><gco:Decimal>2</gco:Decimal></gmd:southBoundLatitude><gmd:northBoundLatitude><gco:Decimal>4</gco:Decimal></gmd:northBoundLatitude></gmd:EX_GeographicBoundingBox></gmd:geographicElement></gmd:EX_Extent></gmd:extent></gmd:MD_DataIdentification></gmd:identificationInfo>
    <gmd:distributionInfo><gmd:MD_Distribution><gmd:transferOptions><gmd:MD_DigitalTransferOptions><gmd:onLine><gmd:CI_OnlineResource><gmd:linkage><gmd:URL>${base}/gone</gmd:URL></gmd:linkage><gmd:protocol><gco:CharacterString>OGC:WMS-1.3.0-http-get-map</gco:CharacterString></gmd:protocol><gmd:name><gco:CharacterString>w:rivers</gco:CharacterString></gmd:name></gmd:CI_OnlineResource></gmd:onLine></gmd:MD_DigitalTransferOptions></gmd:transferOptions></gmd:MD_Distribution></gmd:distributionInfo></gmd:MD_Metadata></csw:SearchResults></csw:GetRecordsResponse>`;
  const withIso = capabilities.replace(
    '</csw:Capabilities>',
    '<ows:OperationsMetadata><ows:Operation name="GetRecords"><ows:Parameter name="outputSchema"><ows:Value>http://www.isotc211.org/2005/gmd</ows:Value></ows:Parameter></ows:Operation></ows:OperationsMetadata></csw:Capabilities>',
  );
  answers = { '/csw': (params) => (params.get('request') === 'GetCapabilities' ? withIso : iso) };
  const found = await describe('/csw');
  expect(shown(found)).toEqual([['iso', 'wms', `${base}/gone`, 'w:rivers']]);
  expect(found.offers[0]).toMatchObject({
    title: 'Anything',
    keywords: ['water'],
    attribution: 'Survey',
    bbox: [1, 2, 3, 4],
  });
});

test('collections of records are looked into page by page, and those of features are layers as before', async () => {
  const record = (id: string, ...links: readonly object[]): object => ({
    type: 'Feature',
    id,
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [1, 2],
          [3, 2],
          [3, 4],
          [1, 2],
        ],
      ],
    },
    properties: { title: id, keywords: ['a'] },
    links: [{ rel: 'self', type: 'application/geo+json', href: '/records/collections/main/items/x' }, ...links],
  });
  answers = {
    '/records': () => ({ title: 'All', links: [{ rel: 'data', href: 'records/collections' }] }),
    '/records/collections': () => ({
      collections: [
        { id: 'main', itemType: 'record', links: [{ rel: 'items', href: '/records/collections/main/items' }] },
        { id: 'plain', links: [{ rel: 'items', href: '/records/collections/plain/items' }] },
      ],
    }),
    '/records/collections/main/items': (params) =>
      params.get('page') === '2'
        ? { features: [record('two', { rel: 'alternate', type: 'text/html', href: '/two.html' })] }
        : {
            features: [record('one', { rel: 'related', type: 'application/json', href: '/ogc/collections/7' })],
            links: [{ rel: 'next', href: '/records/collections/main/items?page=2' }],
          },
  };
  const service = await describe('/records');
  expect(service.kind).toBe('ogc-api');
  expect(shown(service)).toEqual([
    ['plain', 'features', `${base}/records/collections/plain`, ''],
    ['one', 'features', `${base}/ogc/collections/7`, ''],
    ['two', 'page', `${base}/two.html`, undefined],
  ]);
  expect(service.offers[1]).toMatchObject({ bbox: [1, 2, 3, 4], keywords: ['a'] });
});

test('datasets of a GeoNode portal are drawn by the WMS they link to, with their metadata', async () => {
  answers = {
    '/': () => '<!doctype html><title>A portal</title>',
    '/api/v2/datasets/': (params) => ({
      total: 2,
      datasets:
        params.get('page') === '1'
          ? [
              {
                pk: 7,
                uuid: 'u-7',
                alternate: 'geonode:roads',
                title: 'Roads',
                raw_abstract: 'All of them.',
                attribution: 'Survey',
                keywords: [{ name: 'traffic', slug: 'traffic' }],
                extent: { coords: [1, 2, 3, 4], srid: 'EPSG:4326' },
                links: [{ link_type: 'OGC:WMS', url: `${base}/geoserver/ows`, mime: 'text/html' }],
              },
            ]
          : [
              {
                pk: 8,
                uuid: 'u-8',
                alternate: '',
                title: 'Table',
                subtype: 'tabular',
                detail_url: '/catalogue/#/dataset/8',
              },
            ],
    }),
  };
  const service = await describe('/');
  expect(service.kind).toBe('geonode');
  expect(shown(service)).toEqual([
    ['u-7', 'wms', `${base}/geoserver/ows`, 'geonode:roads'],
    ['u-8', 'page', `${base}/catalogue/#/dataset/8`, undefined],
  ]);
  expect(service.offers[0]).toMatchObject({
    abstract: 'All of them.',
    attribution: 'Survey',
    keywords: ['traffic'],
    bbox: [1, 2, 3, 4],
  });
});

const item = (id: string, assets: object, links: readonly object[] = []): object => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id,
  bbox: [1, 2, 0, 3, 4, 100],
  properties: { title: id },
  assets,
  links,
});

test('a static STAC catalogue is walked, though its catalogues name each other, and previews are pictures of their place', async () => {
  answers = {
    '/stac/catalog.json': () => ({
      stac_version: '1.0.0',
      type: 'Catalog',
      id: 'scenes',
      links: [
        { rel: 'child', href: './a/collection.json' },
        { rel: 'item', href: 'cog.json' },
        { rel: 'item', href: 'missing.json' },
      ],
    }),
    '/stac/a/collection.json': () => ({
      stac_version: '1.0.0',
      type: 'Collection',
      links: [
        { rel: 'child', href: '../catalog.json' },
        { rel: 'item', href: 'seen.json' },
        { rel: 'item', href: 'tiled.json' },
      ],
    }),
    '/stac/cog.json': () => item('cog', { data: { href: 'cog.tif', type: 'image/tiff' } }),
    '/stac/a/seen.json': () =>
      item('seen', {
        small: { href: 's.png', type: 'image/png', roles: ['thumbnail'] },
        big: { href: 'b.jpg', type: 'image/jpeg', roles: ['overview'] },
        svg: { href: 'x.svg', type: 'image/svg+xml', roles: ['thumbnail'] },
      }),
    '/stac/a/tiled.json': () =>
      item('tiled', {}, [{ rel: 'xyz', href: 'https://{s}.example.org/{z}/{x}/{y}.png', 'href:servers': ['t1'] }]),
  };
  const service = await describe('/stac/catalog.json');
  expect(service).toMatchObject({ kind: 'stac', title: 'scenes', truncated: true });
  expect(shown(service)).toEqual([
    ['cog', 'files', `${base}/stac/cog.tif`, undefined],
    ['seen', 'image', `${base}/stac/a/b.jpg`, ''],
    ['tiled', 'tiles', 'https://t1.example.org/{z}/{x}/{y}.png', ''],
  ]);
  expect(service.offers[1]?.bbox).toEqual([1, 2, 3, 4]);
});

test('a STAC API is searched page by page', async () => {
  answers = {
    '/api': () => ({
      stac_version: '1.0.0',
      type: 'Catalog',
      title: 'Scenes',
      links: [
        { rel: 'search', href: '/api/search', method: 'POST' },
        { rel: 'search', href: '/api/search' },
      ],
    }),
    '/api/search': (params) => ({
      features: [item(params.get('token') ?? 'first', {})],
      links: params.has('token') ? [] : [{ rel: 'next', href: '/api/search?token=second' }],
    }),
  };
  const service = await describe('/api');
  expect(service.truncated).toBe(false);
  expect(shown(service).map((one) => (one as unknown[])[0])).toEqual(['first', 'second']);
});

test('catalogues without an end are left after so many requests, and what was found is told', async () => {
  const child = (n: number): object => ({
    stac_version: '1.0.0',
    type: 'Catalog',
    links: Array.from({ length: 50 }, (_, i) => ({ rel: 'child', href: `/deep?n=${n}.${i}` })),
  });
  answers = {
    '/deep': () => child(asked.length),
    '/wide': () => ({
      features: [item(`i${asked.length}`, {})],
      stac_version: '1.0.0',
      links: [{ rel: 'next', href: `/wide?n=${asked.length}` }],
    }),
    '/pages': () => ({ stac_version: '1.0.0', type: 'Catalog', links: [{ rel: 'search', href: '/wide' }] }),
    '/csw': (params) =>
      params.get('request') === 'GetCapabilities'
        ? '<csw:Capabilities><ows:ServiceIdentification><ows:ServiceType>CSW</ows:ServiceType></ows:ServiceIdentification></csw:Capabilities>'
        : `<csw:GetRecordsResponse><csw:SearchResults nextRecord="${asked.length + 1}"><csw:Record><dc:identifier>${asked.length}</dc:identifier></csw:Record></csw:SearchResults></csw:GetRecordsResponse>`,
  };
  for (const path of ['/deep', '/pages', '/csw']) {
    asked = [];
    expect(await describe(path), path).toMatchObject({ truncated: true });
    expect(asked.length, path).toBeLessThanOrEqual(MAX_REQUESTS);
    expect(asked.length, path).toBeGreaterThan(10);
  }
});
