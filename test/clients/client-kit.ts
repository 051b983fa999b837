// One running portal for the clients: the built program, two accounts, and small helpers that send what the
// clients send.

import { writeGeoTiff } from '../../src/server/demo/geotiff.ts';
import { makeAccount, PASSWORD, type PortalProgram, startPortal } from '../browser/portal-program.ts';
import { makeShapefile } from '../browser/shapefile.ts';

type Sent = {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** As it was read; what is in it, the tests say. */
  readonly json: ReturnType<typeof JSON.parse>;
};

export type Client = {
  get(path: string): Promise<Sent>;
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Sent>;
};

/** With name and password in every request; undefined: a visitor. No redirect is followed, as Qt follows none. */
export function clientOf(portal: PortalProgram, account?: string): Client {
  const send: Client['send'] = async (method, path, body, headers = {}) => {
    const isRaw = body === undefined || typeof body === 'string' || body instanceof FormData;
    const reply = await fetch(path.startsWith('http') ? path : portal.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(account === undefined
          ? {}
          : { Authorization: `Basic ${Buffer.from(`${account}:${PASSWORD}`).toString('base64')}` }),
        ...(isRaw ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : isRaw ? (body as string | FormData) : JSON.stringify(body),
    });
    const text = await reply.text();
    const type = reply.headers.get('content-type') ?? '';
    return {
      status: reply.status,
      type,
      text,
      json: /\bjson\b/.test(type) && text !== '' ? JSON.parse(text) : undefined,
    };
  };
  return { get: (path) => send('GET', path), send };
}

export async function startForClients(): Promise<PortalProgram> {
  const portal = await startPortal();
  await makeAccount(portal, 'ada');
  await makeAccount(portal, 'bob');
  return portal;
}

/** A shapefile of two squares, its files under the names that clients give them; with a style where there is one. */
export function shapefileForm(name: string, fields: Readonly<Record<string, string>>, sld?: string): FormData {
  const { shp, shx, dbf, prj } = makeShapefile([
    { name: 'one', value: 1, x: 5, y: 45 },
    { name: 'two', value: 2, x: 8, y: 48 },
  ]);
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('base_file', new Blob([Uint8Array.from(shp)]), `${name}.shp`);
  for (const [field, bytes] of Object.entries({ dbf, shx, prj }))
    form.append(`${field}_file`, new Blob([Uint8Array.from(bytes)]), `${name}.${field}`);
  if (sld !== undefined) form.append('sld_file', new Blob([sld]), `${name}.sld`);
  return form;
}

/** A GeoTIFF under `base_file` and once more under `tif_file`, as the plugin sends it. */
export function rasterForm(name: string, fields: Readonly<Record<string, string>>): FormData {
  const tif = writeGeoTiff({
    width: 4,
    height: 2,
    west: 5,
    north: 47,
    cell: 1,
    values: Uint16Array.from([1, 2, 3, 4, 5, 6, 7, 8]),
  });
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  for (const field of ['base_file', 'tif_file']) form.append(field, new Blob([Uint8Array.from(tif)]), `${name}.tif`);
  return form;
}
