// A service of somebody else, as small as one can be: a WMS with one layer, a collection of features, a picture, and a STAC catalogue whose items are a
// picture, a file and nothing. Answers from memory, on loopback.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type RemoteServer = { readonly host: string; readonly url: string; close(): Promise<void> };

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const FEATURES = {
  type: 'FeatureCollection',
  features: [{ type: 'Feature', geometry: { type: 'Point', coordinates: [10, 50] }, properties: { name: 'Inn' } }],
};
const ITEM = { type: 'Feature', stac_version: '1.0.0', bbox: [0, 40, 20, 60], geometry: null, links: [] };
const STAC = {
  type: 'FeatureCollection',
  features: [
    {
      ...ITEM,
      id: 'scene',
      properties: { title: 'Scene' },
      assets: { thumbnail: { href: 'picture.png', type: 'image/png' } },
    },
    {
      ...ITEM,
      id: 'levels',
      properties: { title: 'Levels', description: 'Of all gauges.' },
      assets: { data: { href: 'levels.zip' } },
    },
    { ...ITEM, id: 'plans', properties: { title: 'Plans' }, assets: {} },
  ],
};
const CAPABILITIES = (url: string): string => `<?xml version="1.0"?>
<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:xlink="http://www.w3.org/1999/xlink">
  <Service><Name>WMS</Name><Title>Waters</Title></Service>
  <Capability>
    <Request>
      <GetMap><Format>image/png</Format><DCPType><HTTP><Get><OnlineResource xlink:href="${url}/wms?"/></Get></HTTP></DCPType></GetMap>
      <GetFeatureInfo><Format>application/json</Format></GetFeatureInfo>
    </Request>
    <Layer><Title>All</Title><CRS>EPSG:3857</CRS>
      <Layer queryable="1"><Name>rivers</Name><Title>Rivers</Title><CRS>EPSG:3857</CRS>
        <EX_GeographicBoundingBox><westBoundLongitude>0</westBoundLongitude><eastBoundLongitude>20</eastBoundLongitude>
          <southBoundLatitude>40</southBoundLatitude><northBoundLatitude>60</northBoundLatitude></EX_GeographicBoundingBox>
      </Layer>
    </Layer>
  </Capability>
</WMS_Capabilities>`;

export async function startRemoteServer(): Promise<RemoteServer> {
  const server = createServer(({ url = '/', headers }, reply) => {
    const { pathname, searchParams } = new URL(url, `http://${headers.host}`);
    const asked = [...searchParams].find(([name]) => name.toLowerCase() === 'request')?.[1].toLowerCase() ?? '';
    const answer = (type: string, body: string | Buffer): void => {
      reply.writeHead(200, { 'Content-Type': type }).end(body);
    };
    if (pathname === '/wms' && (asked === '' || asked === 'getcapabilities'))
      answer('text/xml', CAPABILITIES(`http://${headers.host}`));
    else if ((pathname === '/wms' && asked === 'getfeatureinfo') || pathname.startsWith('/collections/'))
      answer('application/geo+json', JSON.stringify(FEATURES));
    else if (pathname === '/stac.json') answer('application/json', JSON.stringify(STAC));
    else if (pathname === '/wms' || pathname === '/picture.png') answer('image/png', PICTURE);
    else reply.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
