// Server-side request forgery: no address that somebody writes anywhere is fetched by the program. A server on this machine listens, under
// every way of writing its address, and nobody comes.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, collection } from '../feature/uploads/upload-kit.ts';
import type { BuiltPortal } from './built-portal.ts';

export function nothingIsFetched(portal: () => BuiltPortal): void {
  let listener: Server;
  const visits: string[] = [];
  let addresses: readonly string[];
  beforeAll(async () => {
    listener = createServer((request, reply) => {
      visits.push(`${request.method} ${request.url}`);
      reply.end('{}');
    });
    await new Promise<void>((resolve) => {
      listener.listen(0, '127.0.0.1', resolve);
    });
    const { port } = listener.address() as AddressInfo;
    addresses = ['127.0.0.1', '2130706433', '0x7f000001', '127.1', '[::ffff:127.0.0.1]', 'localhost'].map(
      (host) => `http://${host}:${port}/canary.png`,
    );
  });
  afterAll(
    () =>
      new Promise((resolve) => {
        listener.close(resolve);
        listener.closeAllConnections();
      }),
  );

  test('the listener hears whoever comes', async () => {
    await fetch(addresses[0] ?? '');
    expect(visits.splice(0)).toHaveLength(1);
  });

  test('are not followed from any field of any record', async () => {
    const admin = portal().bearer(await portal().tokenOf('admin'));
    const upload = await portal().import('admin', [
      { name: 'fetched.geojson', content: collection([{ geometry: at(10, 50), properties: { name: addresses[0] } }]) },
    ]);
    const targets = [`/api/v2/layers/${upload.resource_id}/`];
    const made = await admin.post('/api/v2/documents/', { title: 'x', doc_url: addresses[0] });
    targets.push(`/api/v2/documents/${JSON.parse(String(made.body)).document.pk}/`);
    let written = 0;
    for (const path of targets) {
      const record = Object.values(JSON.parse(String((await admin.get(`${path}?include[]=*`)).body)))[0] as object;
      for (const [field, value] of Object.entries(record)) {
        if (typeof value !== 'string' && value !== null) continue;
        if ((await admin.patch(path, { [field]: addresses[0] })).status === 200) written += 1;
      }
      await admin.get(path);
    }
    expect(written).toBeGreaterThan(20);
    expect(visits).toEqual([]);
  });

  test('are not followed from styles, maps and requests', async () => {
    const admin = portal().bearer(await portal().tokenOf('admin'));
    const sld = (address: string): string =>
      `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:xlink="http://www.w3.org/1999/xlink"><NamedLayer><Name>fetched</Name><UserStyle><FeatureTypeStyle><Rule><PointSymbolizer><Graphic><ExternalGraphic><OnlineResource xlink:type="simple" xlink:href="${address}"/><Format>image/png</Format></ExternalGraphic><Size>12</Size></Graphic></PointSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
    for (const address of addresses) {
      const escaped = encodeURIComponent(address);
      const map =
        '/ows?service=WMS&version=1.3.0&request=GetMap&layers=fetched&styles=&crs=EPSG:4326&bbox=40,0,60,20&width=16&height=16&format=image/png';
      for (const [method, target, body] of [
        ['GET', `${map}&sld=${escaped}`],
        ['GET', `${map}&sld_body=${encodeURIComponent(sld(address))}`],
        ['POST', '/styles/fetched', sld(address)],
        ['PUT', '/styles/fetched/fetched.sld', sld(address)],
        ['GET', `/ows?service=WFS&version=2.0.0&request=GetFeature&typeNames=fetched&schemaLocation=${escaped}`],
        ['POST', '/ows', `<!DOCTYPE x [<!ENTITY e SYSTEM "${address}">]><GetFeature service="WFS">&e;</GetFeature>`],
        [
          'POST',
          '/ows',
          `<GetFeature service="WFS" xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="${address}"/></GetFeature>`,
        ],
        ['GET', `/?url=${escaped}`],
        ['GET', `/o/authorize?client_id=x&redirect_uri=${escaped}&request_uri=${escaped}`],
        [
          'POST',
          '/api/v2/maps/',
          { title: 'x', data: { map: { sources: { s: { type: 'raster', url: address } } }, thumbnail: address } },
        ],
        ['POST', `/api/v2/uploads/upload/?url=${escaped}`, { url: address }],
      ] as const) {
        const isXml = typeof body === 'string';
        const reply = await admin.request(method, target, {
          ...(body === undefined ? {} : { body, headers: { 'content-type': isXml ? 'text/xml' : 'application/json' } }),
        });
        expect(reply.status, `${method} ${target}`).toBeLessThan(500);
      }
    }
    expect(visits).toEqual([]);
  });
}
