// Basemaps that administrators switch on: who may, what is refused, and what everybody's browser is then allowed to ask.

import { beforeEach, expect, test } from 'vitest';
import { tileNumber } from '../../../src/mapserver/basemaps/pmtiles-format.ts';
import { archive } from '../../testkit/pmtiles.ts';
import { MAX_ARCHIVE, type PortalClient } from '../../testkit/portal-client.ts';
import { type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf, onCatalogue } from './on-catalogue.ts';

const LIST = '/api/v2/basemaps/';
const STREETS = {
  id: 'streets',
  type: 'xyz',
  url: 'https://tiles.example.org/{z}/{x}/{y}.png',
  attribution: '© Somebody',
};

type Listed = { readonly default: string | null; readonly basemaps: readonly Record<string, unknown>[] };

const CITY = archive(1, new Map([[tileNumber(2, 1, 3), Buffer.from('a tile')]]), { vector_layers: [{ id: 'roads' }] });

const sent = (
  client: PortalClient,
  content: Buffer | undefined,
  fields: Readonly<Record<string, string>> = { id: 'city', title: 'City', attribution: '© Somebody, CC BY 4.0' },
): Promise<Reply> => {
  const boundary = '----a-boundary-of-the-tests';
  const part = (head: string, body: Buffer | string): readonly Buffer[] => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ];
  const chunks = [
    ...Object.entries(fields).flatMap(([name, value]) => part(`name="${name}"`, value)),
    ...(content === undefined ? [] : part('name="file"; filename="city.pmtiles"', content)),
    Buffer.from(`--${boundary}--\r\n`),
  ];
  return client.request('POST', `${LIST}archives/`, {
    body: Buffer.concat(chunks),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
};

onCatalogue('basemaps of administrators', {}, (portal, blobs) => {
  const kept = async (): Promise<readonly string[]> => {
    const keys = [];
    for await (const { key } of blobs.list('basemaps/')) keys.push(key);
    return keys;
  };
  const archives = async (): Promise<readonly Record<string, unknown>[]> =>
    bodyOf<{ archives: Record<string, unknown>[] }>(await portal().as('admin').get(`${LIST}archives/`)).archives;

  const listed = async (): Promise<Listed> => bodyOf<Listed>(await portal().visitor.get(LIST));
  const policy = async (): Promise<string> => {
    const { headers } = await portal().app.inject('/viewer');
    return String(headers['content-security-policy']);
  };

  beforeEach(async () => {
    for (const { id } of [...(await listed()).basemaps, ...(await archives())])
      await portal().as('admin').delete(`${LIST}${id}/`);
  });

  test('are none at first, and presets are offered without being asked for', async () => {
    expect(await listed()).toEqual({ default: null, basemaps: [], unreadable: [] });
    const { presets } = bodyOf<{ presets: { id: string; definition: object }[] }>(
      await portal().visitor.get(`${LIST}presets/`),
    );
    expect(presets.map(({ id }) => id)).toEqual(['openfreemap', 'versatiles', 'openstreetmap', 'sentinel-2']);
    expect(await policy()).not.toContain('https:');
  });

  test('every preset is taken as it is offered', async () => {
    const { presets } = bodyOf<{ presets: { id: string; definition: object }[] }>(
      await portal().visitor.get(`${LIST}presets/`),
    );
    const admin = portal().as('admin');
    for (const { id, definition } of presets)
      expect(await admin.post(LIST, { id, ...definition })).toMatchReply({ status: 201 });
    expect((await listed()).basemaps.map(({ id, is_setting, sites }) => [id, is_setting, sites])).toEqual([
      ['openfreemap', false, ['https://tiles.openfreemap.org']],
      ['versatiles', false, ['https://tiles.versatiles.org']],
      ['openstreetmap', false, ['https://tile.openstreetmap.org']],
      ['sentinel-2', false, ['https://tiles.maps.eox.at']],
    ]);
    for (const { id } of presets) expect(await admin.delete(`${LIST}${id}/`)).toMatchReply({ status: 204 });
    expect((await listed()).basemaps).toEqual([]);
  });

  test('are switched on and off by administrators alone', async () => {
    const { visitor } = portal();
    expect(await visitor.post(LIST, STREETS)).toMatchReply({ status: 401 });
    expect(await portal().as('ada').post(LIST, STREETS)).toMatchReply({ status: 403 });
    expect((await listed()).basemaps).toEqual([]);
    expect(await portal().as('admin').post(LIST, STREETS)).toMatchReply({
      status: 201,
      json: { basemap: { id: 'streets' } },
    });
    for (const send of [
      () => portal().as('ada').delete(`${LIST}streets/`),
      () => portal().as('ada').patch(`${LIST}streets/`, { default: true }),
    ])
      expect(await send()).toMatchReply({ status: 403 });
    expect((await listed()).basemaps).toHaveLength(1);
  });

  test('an archive is uploaded, listed, switched off and on, and removed with its file', async () => {
    const admin = portal().as('admin');
    expect(await sent(admin, CITY)).toMatchReply({ status: 201, json: { basemap: { id: 'city' } } });
    const style = /\/basemaps\/city\/style\.json$/;
    const [shown] = (await listed()).basemaps;
    expect(shown).toMatchObject({
      id: 'city',
      title: 'City',
      kind: 'style',
      attribution: '© Somebody, CC BY 4.0',
      sites: [],
    });
    expect(shown?.['style']).toMatch(style);
    const one = { id: 'city', title: 'City', attribution: '© Somebody, CC BY 4.0', bytes: CITY.length };
    expect(await archives()).toEqual([{ ...one, on: true }]);
    const [key] = await kept();
    const noted = await portal().db.query('select * from portal.used_blobs() where blob = $1', [key]);
    expect(noted).toEqual([{ blob: key, used_by: 'basemap city' }]);
    await admin.patch(`${LIST}city/`, { default: true });
    expect(await admin.patch(`${LIST}city/`, { on: false })).toMatchReply({ status: 200 });
    expect(await listed()).toEqual({ default: null, basemaps: [], unreadable: [] });
    expect(await archives()).toEqual([{ ...one, on: false }]);
    // Nobody's usual one while it is off.
    expect(await admin.patch(`${LIST}city/`, { default: true })).toMatchReply({ status: 404 });
    expect(await admin.patch(`${LIST}city/`, { on: true })).toMatchReply({ status: 200 });
    expect((await listed()).basemaps.map(({ id }) => id)).toEqual(['city']);
    expect(await admin.delete(`${LIST}city/`)).toMatchReply({ status: 204 });
    expect([await archives(), await kept()]).toEqual([[], []]);
  });

  test('an archive that cannot be read, is too large, or says not whose it is, is refused with the reason, and nothing of it is kept', async () => {
    const admin = portal().as('admin');
    const fields = { id: 'city', attribution: '© Somebody' };
    const broken = Buffer.concat([CITY.subarray(0, 127), Buffer.alloc(CITY.length)]);
    for (const [content, given, status, said] of [
      [Buffer.from('nothing of the kind'.repeat(20)), fields, 400, 'is not a PMTiles archive'],
      [CITY.subarray(0, 60), fields, 400, 'is not a PMTiles archive'],
      [CITY.subarray(0, CITY.length - 3), fields, 400, 'is cut off'],
      [broken, fields, 400, 'cannot be unpacked'],
      [Buffer.alloc(0), fields, 400, 'is not a PMTiles archive'],
      [Buffer.concat([CITY, Buffer.alloc(MAX_ARCHIVE)]), fields, 413, '100'],
      [undefined, fields, 400, 'No file was sent'],
      [CITY, { id: 'city' }, 400, 'required'],
      [CITY, { ...fields, id: 'world' }, 400, 'packaged'],
      [CITY, { ...fields, path: '/etc/passwd' }, 400, 'path'],
    ] as const) {
      const reply = await sent(admin, content, given);
      expect(reply, said).toMatchReply({ status });
      expect(textOf(reply.body)).toContain(said);
      expect(await kept(), said).toEqual([]);
    }
    expect(await sent(admin, CITY)).toMatchReply({ status: 201 });
    expect(await sent(admin, CITY)).toMatchReply({ status: 400, json: { id: ['There is a basemap city already.'] } });
    expect(await kept()).toHaveLength(1);
    for (const [client, status] of [
      [portal().visitor, 401],
      [portal().as('ada'), 403],
    ] as const) {
      expect(await sent(client, CITY, { ...fields, id: 'other' })).toMatchReply({ status });
      expect(await client.get(`${LIST}archives/`)).toMatchReply({ status });
    }
    expect(await kept()).toHaveLength(1);
  });

  test('their sites may be asked by browsers from then on, until they are switched off', async () => {
    const admin = portal().as('admin');
    await admin.post(LIST, STREETS);
    expect(await policy()).toContain("connect-src 'self' https://tiles.example.org");
    expect(await admin.delete(`${LIST}streets/`)).toMatchReply({ status: 204 });
    expect(await policy()).not.toContain('tiles.example.org');
    expect(await admin.delete(`${LIST}streets/`)).toMatchReply({ status: 404 });
    const { id, ...definition } = STREETS;
    expect(
      await portal().db.query(
        `select actor_name, act, detail from portal_private.audit where name = 'streets' order by id desc limit 2`,
      ),
    ).toEqual([
      { actor_name: 'admin', act: 'setting-changed', detail: null },
      { actor_name: 'admin', act: 'setting-changed', detail: definition },
    ]);
  });

  test('one at most is the usual one', async () => {
    const admin = portal().as('admin');
    await admin.post(LIST, { ...STREETS, default: true });
    await admin.post(LIST, { ...STREETS, id: 'grey', default: true });
    expect((await listed()).default).toBe('grey');
    expect(await admin.patch(`${LIST}streets/`, { default: true })).toMatchReply({ status: 200 });
    expect((await listed()).default).toBe('streets');
    expect(await admin.patch(`${LIST}streets/`, { default: false })).toMatchReply({ status: 200 });
    expect((await listed()).default).toBeNull();
    expect(await admin.patch(`${LIST}nothing/`, { default: true })).toMatchReply({ status: 404 });
    expect(await admin.patch(`${LIST}streets/`, { default: 'yes' })).toMatchReply({ status: 400 });
  });

  test('what is wrong with one is said', async () => {
    const admin = portal().as('admin');
    const refused = async (entry: object, said: string): Promise<void> => {
      expect(await admin.post(LIST, entry)).toMatchReply({ status: 400, json: { non_field_errors: [said] } });
    };
    await refused(
      { ...STREETS, url: 'tiles/{z}' },
      'The basemap is refused: url must be an http or https address without a user, or a path.',
    );
    await refused(
      { ...STREETS, id: 'world' },
      'The basemap is refused: id cannot be world, which is a packaged basemap.',
    );
    await refused({ ...STREETS, ulr: 1 }, 'The basemap is refused: there is no "ulr" in a basemap of this type.');
    for (const host of ['a.example;report-uri', 'a.example,b.example', "a.example'self'"])
      await refused(
        { ...STREETS, url: `https://${host}/{z}/{x}/{y}` },
        'The basemap is refused: url has no host that can be asked.',
      );
    await refused(
      { ...STREETS, origins: ['https://a.example;script-src'] },
      'The basemap is refused: origins has no host that can be asked.',
    );
    for (const place of [{ path: '/etc/passwd' }, { key: 'documents/1' }])
      await refused(
        { id: 'city', type: 'pmtiles', ...place },
        'Name the archive by its url; path and key are for the setting basemaps alone.',
      );
    await admin.post(LIST, STREETS);
    expect(await admin.post(LIST, STREETS)).toMatchReply({
      status: 400,
      json: { id: ['There is a basemap streets already.'] },
    });
  });
});
