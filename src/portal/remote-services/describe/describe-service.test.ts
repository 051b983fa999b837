import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeRemoteFetch, type RemoteFetch } from '../../../http/outbound/remote-fetch.ts';
import { describeService } from './describe-service.ts';
import type { RemoteService } from './remote-service.ts';

const WMS_111 = `<?xml version="1.0"?>
<!DOCTYPE WMT_MS_Capabilities SYSTEM "http://schemas.opengis.net/wms/1.1.1/capabilities_1_1_1.dtd">
<WMT_MS_Capabilities version="1.1.1"><Service><Title>Old maps</Title></Service><Capability>
<Request><GetMap><Format>image/png; mode=8bit</Format></GetMap><GetFeatureInfo><Format>text/plain</Format><Format>application/vnd.ogc.gml</Format></GetFeatureInfo></Request>
<Layer><Title>All</Title><LatLonBoundingBox minx="-10" miny="-20" maxx="10" maxy="20"/>
<Attribution><Title>Survey &lt;b&gt;of roads</Title></Attribution>
<Layer queryable="1"><Name>roads</Name><Title>Roads</Title><KeywordList><Keyword>traffic</Keyword></KeywordList></Layer>
<Layer><Name>rivers</Name><Title>Rivers</Title><LatLonBoundingBox minx="1" miny="2" maxx="3" maxy="4"/></Layer></Layer></Capability></WMT_MS_Capabilities>`;

const matrices = (prefix: string, width = 256): string =>
  [0, 1]
    .map(
      (z) =>
        `<TileMatrix><ows:Identifier>${prefix}${z}</ows:Identifier><ScaleDenominator>${559082264.0287178 / 2 ** z}</ScaleDenominator><TileWidth>${width}</TileWidth></TileMatrix>`,
    )
    .join('');
const WMTS = `<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1"><Contents>
<Layer><ows:Title>Ortho</ows:Title><ows:Identifier>ortho</ows:Identifier><Style isDefault="true"><ows:Identifier>plain</ows:Identifier></Style><Format>image/jpeg</Format>
<ows:WGS84BoundingBox><ows:LowerCorner>5 45</ows:LowerCorner><ows:UpperCorner>15 55</ows:UpperCorner></ows:WGS84BoundingBox>
<Dimension><ows:Identifier>Time</ows:Identifier><Default>2024</Default></Dimension>
<TileMatrixSetLink><TileMatrixSet>utm</TileMatrixSet></TileMatrixSetLink><TileMatrixSetLink><TileMatrixSet>web</TileMatrixSet></TileMatrixSetLink>
<ResourceURL format="image/jpeg" resourceType="tile" template="https://tiles.example.org/{Style}/{Time}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.jpg"/></Layer>
<Layer><ows:Identifier>keyed</ows:Identifier><Style><ows:Identifier/></Style><Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>web</TileMatrixSet></TileMatrixSetLink></Layer>
<Layer><ows:Identifier>elsewhere</ows:Identifier><Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>utm</TileMatrixSet></TileMatrixSetLink></Layer>
<TileMatrixSet><ows:Identifier>web</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>${matrices('web:')}</TileMatrixSet>
<TileMatrixSet><ows:Identifier>utm</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::25832</ows:SupportedCRS>${matrices('')}</TileMatrixSet>
</Contents></Capabilities>`;

const ARCGIS = {
  mapName: 'Layers',
  copyrightText: 'County of Somewhere',
  fullExtent: {
    xmin: 0,
    ymin: 0,
    xmax: 1113194.9,
    ymax: 1118889.9,
    spatialReference: { wkid: 102100, latestWkid: 3857 },
  },
  layers: [
    { id: 0, name: 'Group', subLayerIds: [1] },
    { id: 1, name: 'Parcels', subLayerIds: null, type: 'Feature Layer' },
  ],
};

const ANSWERS: Readonly<Record<string, { readonly type: string; readonly body: string }>> = {
  '/wms': { type: 'application/vnd.ogc.wms_xml', body: WMS_111 },
  '/wmts': { type: 'application/xml', body: WMTS },
  '/arcgis/rest/services/A/MapServer': { type: 'application/json', body: JSON.stringify(ARCGIS) },
  '/arcgis/rest/services/A/FeatureServer': { type: 'application/json', body: JSON.stringify(ARCGIS) },
  '/page': { type: 'text/html', body: '<!doctype html><title>Nothing</title>' },
  '/bomb': { type: 'text/xml', body: '<!DOCTYPE x [<!ENTITY a "aaaa">]><WMS_Capabilities>&a;</WMS_Capabilities>' },
};

let server: Server;
let fetch: RemoteFetch;
let base = '';
const asked: string[] = [];
beforeAll(async () => {
  server = createServer(({ url = '/' }, reply) => {
    asked.push(url);
    const found = ANSWERS[url.split('?')[0] ?? ''];
    if (found === undefined) reply.writeHead(404).end();
    else reply.writeHead(200, { 'Content-Type': found.type }).end(found.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  fetch = makeRemoteFetch({ hosts: { allowed: [], internal: [`127.0.0.1:${port}`] } });
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

test('a WMS of 1.1.1 is read with what holds for the layers below a heading, and its own parameters are kept', async () => {
  const service = await describe('/wms?map=/maps/a.map&REQUEST=GetCapabilities&SERVICE=wms');
  expect(service).toMatchObject({ kind: 'wms', title: 'Old maps', truncated: false });
  const [roads, rivers] = service.offers;
  expect(roads).toMatchObject({
    name: 'roads',
    title: 'Roads',
    keywords: ['traffic'],
    bbox: [-10, -20, 10, 20],
    attribution: 'Survey <b>of roads',
    layer: { kind: 'wms', version: '1.1.1', image: 'image/png', info: 'application/vnd.ogc.gml' },
  });
  expect(roads?.layer?.url).toBe(`${base}/wms?map=%2Fmaps%2Fa.map`);
  expect([rivers?.bbox, rivers?.layer?.info]).toEqual([[1, 2, 3, 4], undefined]);
  expect(asked.at(-1)).toBe('/wms?map=%2Fmaps%2Fa.map&service=WMS&request=GetCapabilities');
});

test('layers of a WMTS become addresses of tiles, if they have the grid of web maps', async () => {
  const service = await describe('/wmts?service=WMTS');
  expect(service.offers.map(({ name, layer }) => [name, layer?.url])).toEqual([
    ['ortho', 'https://tiles.example.org/plain/2024/web/web%3A{z}/{y}/{x}.jpg'],
    [
      'keyed',
      `${base}/wmts?service=WMTS&request=GetTile&version=1.0.0&layer=keyed&style=&format=image%2Fpng&tilematrixset=web&tilematrix=web%3A{z}&tilecol={x}&tilerow={y}`,
    ],
  ]);
  expect(service.offers[0]?.bbox).toEqual([5, 45, 15, 55]);
});

test('ArcGIS draws the layers of a map, and gives the features of others', async () => {
  const map = await describe('/arcgis/rest/services/A/MapServer');
  expect(map.offers.map(({ title, attribution, layer }) => [title, attribution, layer?.kind, layer?.name])).toEqual([
    ['Parcels', 'County of Somewhere', 'arcgis-map', '1'],
  ]);
  expect(map.offers[0]?.bbox?.map(Math.round)).toEqual([0, 0, 10, 10]);
  const features = await describe('/arcgis/rest/services/A/FeatureServer/1');
  expect(features.offers[0]?.layer).toMatchObject({
    kind: 'arcgis-features',
    url: `${base}/arcgis/rest/services/A/FeatureServer/1`,
  });
});

test('an address of tiles is taken as it is; what answers with something else is said to be none', async () => {
  expect((await describe('/{z}/{x}/{-y}.png')).kind).toBe('xyz');
  for (const [address, fault] of [
    [`${base}/page`, { kind: 'unknown-service' }],
    [`${base}/bomb`, { kind: 'unknown-service' }],
    [`${base}/missing`, { kind: 'status', status: 404 }],
    ['http://{z}.example.org/{x}/{y}', { kind: 'address' }],
    ['javascript:alert(1)', { kind: 'address' }],
    ['http://elsewhere.example/wms', { kind: 'refused', why: 'host' }],
  ] as const)
    expect(await describeService(fetch, address), address).toMatchObject({ ok: false, error: fault });
});
