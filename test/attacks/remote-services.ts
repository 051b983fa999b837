// Services of others, asked by the program: it asks none but those of the settings, at addresses of the internet, and hands on nothing but pictures and
// facts. The service that it may ask is the program itself, which draws a public layer.

import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, collection } from '../feature/uploads/upload-kit.ts';
import type { PortalClient } from '../testkit/portal-client.ts';
import type { Reply } from '../testkit/reply-matcher.ts';
import type { BuiltPortal } from './built-portal.ts';

type Offer = {
  readonly name: string;
  readonly title: string;
  readonly reason: string | null;
  readonly layer: Readonly<Record<string, string | null>> | null;
};

export function remoteServices(portal: () => BuiltPortal): void {
  let listener: Server;
  let admin: PortalClient;
  let name = '';
  const visits: string[] = [];
  beforeAll(async () => {
    listener = createServer((request, reply) => {
      visits.push(request.url ?? '');
      reply.end('{}');
    });
    await new Promise<void>((resolve) => {
      listener.listen(portal().canary, '127.0.0.1', resolve);
    });
    admin = portal().bearer(await portal().tokenOf('admin'));
    const upload = await portal().import('admin', [
      { name: 'faraway.geojson', content: collection([{ geometry: at(10, 50), properties: { name: 'far & away' } }]) },
    ]);
    const perms = { users: { AnonymousUser: ['view_resourcebase', 'download_resourcebase'] }, groups: {} };
    expect((await admin.put(`/api/v2/resources/${upload.resource_id}/set_perms/`, perms)).status).toBe(200);
    const [layer] = await portal().db.query<{ name: string }>('select name from portal.resource where id = $1', [
      upload.resource_id,
    ]);
    name = layer?.name ?? '';
  });
  afterAll(
    () =>
      new Promise((resolve) => {
        listener.close(resolve);
        listener.closeAllConnections();
      }),
  );

  const read = async (address: string): Promise<readonly Offer[]> => {
    const reply = await admin.get(`/api/v2/remote/service/?url=${encodeURIComponent(address)}`);
    expect(reply.status, String(reply.body)).toBe(200);
    return (JSON.parse(String(reply.body)) as { readonly layers: readonly Offer[] }).layers;
  };
  const paramsOf = (layer: Offer['layer']): string =>
    String(
      new URLSearchParams(
        Object.fromEntries(Object.entries(layer ?? {}).filter((one): one is [string, string] => one[1] !== null)),
      ),
    );

  test('what is not in the settings is not asked, nor what means this machine though it is', async () => {
    const { canary, url } = portal();
    const hosts = ['127.0.0.1', '2130706433', '0x7f000001', '127.1', '[::ffff:127.0.0.1]', 'localhost', '[::1]'];
    const addresses = hosts.flatMap((host) => [
      `http://${host}:${canary}/`,
      `http://${host}:${canary}/arcgis/rest/services/A/MapServer`,
      `http://allowed.example.org@${host}:${canary}/`,
      `http://${host}:${canary}#@allowed.example.org/`,
    ]);
    for (const address of [
      ...addresses,
      'file:///etc/passwd',
      'ftp://127.0.0.1/',
      `${url.replace('http:', 'gopher:')}/`,
    ]) {
      const escaped = encodeURIComponent(address);
      const replies = await Promise.all(
        [
          `service/?url=${escaped}`,
          `tiles/0/0/0/?kind=wms&name=a&url=${escaped}`,
          `tiles/0/0/0/?kind=tiles&url=${escaped}${encodeURIComponent('{z}/{x}/{y}')}`,
          `tiles/0/0/0/?kind=arcgis-map&name=1&url=${escaped}`,
          `legend/?kind=wms&name=a&url=${escaped}`,
          `info/?kind=wms&name=a&info=text/plain&lng=1&lat=1&zoom=1&url=${escaped}`,
          `features/?kind=features&bbox=0,0,1,1&url=${escaped}`,
          `features/?kind=wfs&name=a&bbox=0,0,1,1&url=${escaped}`,
          `picture/?kind=image&url=${escaped}`,
        ].map((target) => admin.get(`/api/v2/remote/${target}`)),
      );
      expect(
        replies.map(({ status }) => status),
        address,
      ).toEqual(replies.map(() => 400));
    }
    expect(visits).toEqual([]);
  });

  test('visitors read no service, and see layers of maps', async () => {
    const { visitor, url } = portal();
    expect((await visitor.get(`/api/v2/remote/service/?url=${encodeURIComponent(`${url}/wms`)}`)).status).toBe(401);
    const offer = (await read(`${url}/wms`)).find((one) => one.name.endsWith(name));
    const tile = await visitor.get(`/api/v2/remote/tiles/0/0/0/?${paramsOf(offer?.layer ?? {})}`);
    expect([tile.status, headerOf(tile, 'content-type'), headerOf(tile, 'x-content-type-options')]).toEqual([
      200,
      'image/png',
      'nosniff',
    ]);
    expect(headerOf(tile, 'content-security-policy')).toContain('sandbox');
  });

  test('WMS, WMTS and OGC API are read, drawn and asked about a place', async () => {
    const { url } = portal();
    const [wms, wmts, api] = await Promise.all([
      read(`${url}/wms?service=WMS&request=GetCapabilities`),
      read(`${url}/wmts?service=WMTS`),
      read(`${url}/ogc/`),
    ]);
    const named = (offers: readonly Offer[]): Offer => {
      const found = offers.find((one) => one.name.endsWith(name));
      if (found === undefined) throw new Error(`${name} is not among ${offers.map((one) => one.name).join(', ')}`);
      return found;
    };
    for (const { layer } of [named(wms), named(wmts)])
      expect(await admin.get(`/api/v2/remote/tiles/1/1/0/?${paramsOf(layer)}`), layer?.['kind'] ?? '').toMatchObject({
        status: 200,
        headers: { 'content-type': 'image/png' },
      });
    const place = 'lng=10&lat=50&zoom=5';
    const info = await admin.get(`/api/v2/remote/info/?${paramsOf(named(wms).layer)}&${place}`);
    expect(JSON.parse(String(info.body)).found[0].name).toBe('far & away');
    expect(await admin.get(`/api/v2/remote/legend/?${paramsOf(named(wms).layer)}`)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/png' },
    });
    const features = { kind: 'features', url: `${url}/ogc/collections/${name}` };
    const found = await admin.get(`/api/v2/remote/features/?${new URLSearchParams(features)}&bbox=0,40,20,60`);
    expect(JSON.parse(String(found.body))).toMatchObject({
      truncated: false,
      features: [{ geometry: { type: 'Point', coordinates: [10, 50] } }],
    });
    expect(named(api).layer?.['kind']).toMatch(/^(?:tiles|features)$/);
  });

  test('this program is read as a GeoNode, by its CSW, its Records and its WFS, and what it links to is drawn', async () => {
    const { url } = portal();
    const kinds: Record<string, string> = {};
    for (const address of [`${url}/api/v2/`, `${url}/csw`, `${url}/records`, `${url}/wfs`]) {
      const offer = (await read(address)).find((one) => one.title === 'faraway' || one.name.endsWith(name));
      expect(offer?.reason, address).toBeNull();
      const layer = offer?.layer ?? {};
      kinds[new URL(address).pathname] = layer['kind'] ?? '';
      const params = paramsOf(layer);
      if (layer['kind'] === 'wms' || layer['kind'] === 'tiles')
        expect(await admin.get(`/api/v2/remote/tiles/1/1/0/?${params}`), address).toMatchObject({
          status: 200,
          headers: { 'content-type': 'image/png' },
        });
      else {
        const found = await admin.get(`/api/v2/remote/features/?${params}&bbox=0,40,20,60`);
        expect(JSON.parse(String(found.body)), address).toMatchObject({
          truncated: false,
          features: [{ geometry: { type: 'Point', coordinates: [10, 50] }, properties: { name: 'far & away' } }],
        });
      }
    }
    expect(kinds).toEqual({ '/api/v2/': 'wms', '/csw': 'wms', '/records': 'wms', '/wfs': 'wfs' });
    // The same features as GML.
    const wfs = (await read(`${url}/wfs`)).find((one) => one.name.endsWith(name))?.layer ?? {};
    const gml = await admin.get(`/api/v2/remote/features/?${paramsOf({ ...wfs, output: '' })}&bbox=0,40,20,60`);
    expect(JSON.parse(String(gml.body))).toMatchObject({
      features: [{ geometry: { type: 'Point', coordinates: [10, 50] }, properties: { name: 'far & away' } }],
    });
    // Rasters alone are in it, and there are none: it is read all the same.
    const stac = await admin.get(`/api/v2/remote/service/?url=${encodeURIComponent(`${url}/stac`)}`);
    expect([stac.status, (JSON.parse(String(stac.body)) as { kind: string }).kind]).toEqual([200, 'stac']);
  });

  test('what is no picture is not handed on, and no header of the caller reaches the service', async () => {
    const { url } = portal();
    for (const path of ['/?', '/health?', '/api/v2/openapi.json?']) {
      const template = encodeURIComponent(`${url}${path}{z}{x}{y}`);
      const reply = await admin.get(`/api/v2/remote/tiles/0/0/0/?kind=tiles&url=${template}`);
      expect([reply.status, headerOf(reply, 'content-type')], path).toEqual([502, 'application/json; charset=utf-8']);
      expect(String(reply.body)).not.toContain('<');
    }
    // What only its owner sees is not there for the service: it is asked as a visitor.
    const own = await portal().import('admin', [
      { name: 'ownonly.geojson', content: collection([{ geometry: at(10, 50), properties: { name: 'x' } }]) },
    ]);
    const nobody = { users: {}, groups: {} };
    expect((await admin.put(`/api/v2/resources/${own.resource_id}/set_perms/`, nobody)).status).toBe(200);
    const offers = await read(`${url}/wms`);
    const [hidden] = await portal().db.query<{ name: string }>('select name from portal.resource where id = $1', [
      own.resource_id,
    ]);
    expect(offers.some((one) => one.name.endsWith(hidden?.name ?? ''))).toBe(false);
  });
}

const headerOf = ({ headers }: Reply, name: string): string => String((headers as Record<string, unknown>)[name] ?? '');
