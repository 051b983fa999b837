// Unlisted links: an address that shows one item, and what it shows, to whoever has it, until it ends. What they open on every surface is in
// test/attacks.

import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { publicJwks } from '../../../src/portal/oidc/signing-keys.ts';
import type { PortalClient } from '../../testkit/portal-client.ts';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { openRest } from '../../testkit/rest-client.ts';
import { makeLayer, onLayers } from '../mapserver/layer-kit.ts';
import { bodyOf } from './on-catalogue.ts';

type Link = {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly embed_url: string | null;
  readonly permissions: string;
  readonly expires: string | null;
  readonly is_on: boolean;
  readonly is_good: boolean;
};
type Links = {
  readonly links: readonly Link[];
  readonly lacking: readonly { readonly title: string; readonly may_share: boolean }[];
  readonly shown_by: readonly { readonly id: number; readonly pk: string | null; readonly item: string | null }[];
};

const NOBODY = { users: {}, groups: {} };
const TILE = '/tiles/wells/2/2/1.mvt';

onLayers('unlisted links', {}, (kit) => {
  let wells = 0;
  let bobs = 0;
  let map = 0;

  const ada = (): PortalClient => kit().portal.as('ada');
  const path = (item: number): string => `/api/v2/resources/${item}/share_links/`;
  const links = async (item: number, who = ada()): Promise<Links> => bodyOf<Links>(await who.get(path(item)));
  const make = async (item: number, body: object = {}): Promise<Link & { secret: string }> => {
    const reply = await ada().post(path(item), body);
    if (reply.status !== 201) throw new Error(`${reply.status} ${textOf(reply.body)}`);
    const [link] = bodyOf<Links>(reply).links;
    if (link === undefined) throw new Error('no link');
    return { ...link, secret: secretOf(link) };
  };
  const open = async (address: string, secret: string, who = kit().portal.visitor): Promise<number> =>
    (await who.get(`${address}${address.includes('?') ? '&' : '?'}unlisted=${secret}`)).status;
  const acts = async (item: number): Promise<string[]> =>
    (
      await kit().db.query<{ act: string }>('select act from portal_private.audit where subject_id = $1 order by id', [
        item,
      ])
    ).map(({ act }) => act);

  beforeAll(async () => {
    const point = (name: string, owner: 'ada' | 'bob') =>
      makeLayer(kit(), {
        name,
        owner,
        columns: 'label text',
        geometry: 'Point',
        rows: `insert into $table (label, geom) values ('one', st_setsrid(st_makepoint(10, 50), 4326))`,
      });
    wells = await point('wells', 'ada');
    bobs = await point('bobs', 'bob');
    const view = { center: { x: 10, y: 50, crs: 'EPSG:4326' }, zoom: 3, projection: 'EPSG:3857' };
    const layers = ['wells', 'bobs'].map((name) => ({ type: 'wms', name: `portal:${name}`, url: '/ows' }));
    const made = await ada().post('/api/v2/maps/', { title: 'Wells', data: { version: 2, map: { ...view, layers } } });
    map = Number(bodyOf<{ map: { pk: string } }>(made).map.pk);
    for (const [item, owner] of [
      [wells, 'ada'],
      [map, 'ada'],
      [bobs, 'bob'],
    ] as const)
      expect((await kit().portal.as(owner).put(`/api/v2/resources/${item}/set_perms/`, NOBODY)).status).toBe(200);
    await kit()
      .portal.as('bob')
      .put(`/api/v2/resources/${bobs}/set_perms/`, {
        users: { ada: ['view_resourcebase'] },
        groups: {},
      });
  });

  afterEach(() => kit().db.script('delete from portal_private.share_link'));

  describe('the API', () => {
    test('makes links with an address for the page and for a frame, and tells them again to who manages the item', async () => {
      const made = await make(map, {
        title: 'For the press',
        permissions: 'download',
        expires: '2099-01-01T00:00:00Z',
      });
      expect(made).toMatchObject({
        title: 'For the press',
        permissions: 'download',
        expires: '2099-01-01T00:00:00.000Z',
        is_on: true,
        is_good: true,
      });
      expect(made.url).toMatch(new RegExp(`/maps/${map}\\?unlisted=[A-Za-z0-9_-]{32}$`));
      expect(made.embed_url).toBe(made.url.replace('?', '/embed?'));
      expect((await links(map)).links.map(({ url }) => url)).toEqual([made.url]);
      expect(await links(map, kit().portal.as('admin'))).toMatchObject({ links: [{ url: made.url }] });
    });

    test('refuses everybody else: it is not there for who does not see the item, and only for who manages it', async () => {
      const { portal } = kit();
      expect((await portal.visitor.get(path(map))).status).toBe(401);
      expect((await portal.as('bob').get(path(map))).status).toBe(404);
      await ada().put(`/api/v2/resources/${map}/set_perms/`, {
        users: { bob: ['view_resourcebase', 'change_resourcebase'] },
        groups: {},
      });
      expect((await portal.as('bob').get(path(map))).status).toBe(403);
      expect((await portal.as('bob').post(path(map), {})).status).toBe(403);
      await ada().put(`/api/v2/resources/${map}/set_perms/`, NOBODY);
    });

    test.each([
      [{ permissions: 'edit' }, { permissions: ['Must be "view" or "download".'] }],
      [{ expires: 'tomorrow' }, { expires: ['Must be a time such as 2030-01-31T12:00:00Z, or null.'] }],
      [{ expires: '2001-01-01T00:00:00Z' }, { expires: ['A link ends in the future.'] }],
      [{ title: 'x'.repeat(101) }, { title: ["A link's title has at most 100 characters."] }],
      [{ secret: 'mine' }, { secret: ['There is no such member.'] }],
      [[], { non_field_errors: expect.anything() }],
    ])('says what is wrong with %j', async (body, json) => {
      expect(await ada().post(path(map), body)).toMatchReply({ status: 400, json });
    });

    test('has twenty links of an item at most', async () => {
      for (let n = 0; n < 20; n++) await make(wells);
      expect(await ada().post(path(wells), {})).toMatchReply({
        status: 400,
        json: { non_field_errors: ['An item has at most 20 links: end one of them first.'] },
      });
    });

    test('gives nobody more than whoever makes it holds', async () => {
      const { portal, db } = kit();
      await db.query('update portal.setting set value = true where name = $1', ['RESOURCE_PUBLISHING']);
      await portal.as('admin').put(`/api/v2/resources/${bobs}/set_perms/`, {
        users: { ada: ['view_resourcebase', 'change_resourcebase_permissions'] },
        groups: {},
      });
      await db.query('update portal.setting set value = false where name = $1', ['RESOURCE_PUBLISHING']);
      expect((await ada().post(path(bobs), { permissions: 'download' })).status).toBe(403);
      expect((await ada().post(path(bobs), { permissions: 'view' })).status).toBe(201);
      await portal.as('admin').put(`/api/v2/resources/${bobs}/set_perms/`, {
        users: { ada: ['view_resourcebase'] },
        groups: {},
      });
    });
  });

  describe('a link', () => {
    test('opens its item by name and is nothing in lists, and the answer says that it is not to be listed', async () => {
      const { secret } = await make(wells);
      const { visitor } = kit().portal;
      const reply = await visitor.get(`/api/v2/layers/${wells}/?unlisted=${secret}`);
      expect(reply).toMatchReply({
        status: 200,
        headers: { 'x-robots-tag': 'noindex, nofollow', 'cache-control': 'private, no-cache' },
      });
      expect(bodyOf<{ layer: { perms: string[] } }>(reply).layer.perms).toEqual(['view_resourcebase']);
      for (const list of ['/api/v2/layers/', '/api/v2/resources/?search=wells', '/ogc/collections?f=json'])
        expect(
          textOf((await visitor.get(`${list}${list.includes('?') ? '&' : '?'}unlisted=${secret}`)).body),
        ).not.toContain('wells');
      expect(await visitor.get(`/api/v2/layers/?filter{pk.in}=${wells}&unlisted=${secret}`)).toMatchReply({
        status: 200,
        json: expect.objectContaining({ total: 1 }),
      });
    });

    test('is what clients of the services need: capabilities name its layer and addresses with the link, and questions are sent as well', async () => {
      const { secret } = await make(wells, { permissions: 'download' });
      const { visitor } = kit().portal;
      const text = async (address: string): Promise<string> => textOf((await visitor.get(address)).body);
      for (const [service, operation] of [
        ['/wms?service=WMS', `/wms?unlisted=${secret}&#38;`],
        ['/wfs?service=WFS&version=2.0.0', `/wfs?unlisted=${secret}&#38;`],
        ['/wmts?service=WMTS', `/wmts?unlisted=${secret}&#38;`],
        ['/ows?service=WMS', `/wms?unlisted=${secret}&#38;`],
      ] as const) {
        const asked = `${service}&request=GetCapabilities`;
        expect(await text(asked), service).not.toContain('wells');
        const linked = await text(`${asked}&unlisted=${secret}`);
        expect(linked, service).toContain('wells');
        expect(linked, service).toContain(operation);
      }
      expect(await text(`/wmts/1.0.0/WMTSCapabilities.xml?unlisted=${secret}`)).toContain(`.png?unlisted=${secret}"`);
      const post = (address: string, body: string, type: string): Promise<Reply> =>
        visitor.request('POST', address, { body, headers: { 'content-type': type } });
      const form = 'application/x-www-form-urlencoded';
      const map = `service=WMS&version=1.3.0&request=GetMap&layers=wells&styles=&crs=CRS:84&bbox=0,0,10,10&width=10&height=10&format=image/png`;
      expect((await post('/wms', map, form)).status).toBe(400);
      expect((await post(`/wms?unlisted=${secret}`, map, form)).status).toBe(200);
      const query = `<wfs:GetFeature service="WFS" version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0"><wfs:Query typeNames="portal:wells"/></wfs:GetFeature>`;
      expect((await post('/wfs', query, 'text/xml')).status).toBeGreaterThanOrEqual(400);
      expect((await post(`/wfs?unlisted=${secret}`, query, 'text/xml')).status).toBe(200);
      const insert = `<wfs:Transaction service="WFS" version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0"><wfs:Delete typeName="portal:wells"><fes:Filter><fes:ResourceId rid="wells.1"/></fes:Filter></wfs:Delete></wfs:Transaction>`;
      expect((await post(`/wfs?unlisted=${secret}`, insert, 'text/xml')).status).toBeGreaterThanOrEqual(400);
    });

    test('adds to what an account sees, and takes nothing from it', async () => {
      const { secret } = await make(wells);
      const bob = kit().portal.as('bob');
      expect(await open(`/api/v2/layers/${wells}/`, secret, bob)).toBe(200);
      expect(await open(`/api/v2/layers/${bobs}/`, secret, bob)).toBe(200);
      expect((await bob.get(`/api/v2/layers/${wells}/`)).status).toBe(404);
    });

    test('of another item opens nothing, nor does a wrong, malformed or doubled one', async () => {
      const { secret } = await make(map);
      expect(await open(`/api/v2/maps/${map}/`, secret)).toBe(200);
      expect(await open(`/api/v2/layers/${wells}/`, secret)).toBe(404);
      expect(await open(TILE, secret)).toBe(404);
      const wrong = secret.startsWith('A') ? `B${secret.slice(1)}` : `A${secret.slice(1)}`;
      for (const other of [wrong, '', 'x', `${secret}=`, `${secret}&unlisted=${secret}`, '%00'])
        expect([other, await open(`/api/v2/maps/${map}/`, other)]).toEqual([other, 404]);
    });

    test('is not taken for a column of its name', async () => {
      const { secret } = await make(wells);
      const listed = async (rest: string): Promise<number> =>
        (await ada().get(`/ogc/collections/wells/items?${rest}`)).status;
      expect([await listed('unlisted=true'), await listed(`unlisted=${secret}`)]).toEqual([400, 200]);
    });

    test('never writes', async () => {
      const { secret } = await make(wells, { permissions: 'download' });
      const { portal, db } = kit();
      const bob = portal.as('bob');
      for (const who of [portal.visitor, bob]) {
        for (const reply of [
          await who.patch(`/api/v2/layers/${wells}/?unlisted=${secret}`, { title: 'Mine' }),
          await who.post(`/ogc/collections/wells/items?unlisted=${secret}`, {
            type: 'Feature',
            properties: {},
            geometry: null,
          }),
          await who.post(`/api/v2/resources/${wells}/comments/?unlisted=${secret}`, { body: 'Hello' }),
          await who.post(`/api/v2/resources/${wells}/share_links/?unlisted=${secret}`, {}),
        ])
          expect([401, 403, 404]).toContain(reply.status);
      }
      await expect(
        db.query(
          `insert into portal_private.resource_grant select ${wells}, principal, 4 from portal_private.share_link limit 1 on conflict (resource_id, principal) do update set perms = 4`,
        ),
      ).rejects.toThrow(/resource_grant_links_read/);
    });

    test('that was renewed, was switched off, has ended or is gone opens nothing at once, and its token neither', async () => {
      const { portal, db } = kit();
      const rest = await openRest(
        db,
        {
          'db-schemas': 'layers',
          'db-extra-search-path': 'public',
          'db-anon-role': 'survest_anon',
          'db-relation-guard': 'portal.visible_relations',
          'db-token-check': 'portal.check_token',
          'jwt-secret': publicJwks(portal.keys),
        },
        () => db.driver,
      );
      const made = await make(wells, { permissions: 'download' });
      const one = `${path(wells)}${made.id}/`;
      const item = `/api/v2/layers/${wells}/`;
      const token = async (secret: string) =>
        bodyOf<{ access_token: string }>(await portal.visitor.post(`/account/token?unlisted=${secret}`)).access_token;
      const rows = async (bearer: string) =>
        (await rest.get('/wells?select=label', { authorization: `Bearer ${bearer}` })).status;
      try {
        const first = await token(made.secret);
        expect([await open(TILE, made.secret), await rows(first)]).toEqual([200, 200]);
        expect((await rest.get('/wells?select=label')).status).toBe(404);
        expect(
          (await rest.post('/wells', '{"label":"two"}', { authorization: `Bearer ${first}` })).status,
        ).toBeGreaterThanOrEqual(400);
        const [renewed] = bodyOf<Links>(await ada().post(`${one}renew/`)).links;
        const secret = secretOf(renewed as Link);
        expect(secret).not.toBe(made.secret);
        expect([await open(item, made.secret), await open(TILE, made.secret), await rows(first)]).toEqual([
          404, 404, 401,
        ]);
        const second = await token(secret);
        const now = async (): Promise<number[]> => [
          await open(item, secret),
          await open(TILE, secret),
          await rows(second),
        ];
        expect(await now()).toEqual([200, 200, 200]);
        await ada().patch(one, { is_on: false });
        expect(await now()).toEqual([404, 404, 401]);
        await ada().patch(one, { is_on: true, expires: '2099-01-01T00:00:00Z' });
        expect(await now()).toEqual([200, 200, 200]);
        await db.query(
          `update portal_private.share_link set expires = now() - interval '1 second' where id = ${made.id}`,
        );
        expect(await now()).toEqual([404, 404, 401]);
        expect((await links(wells)).links.find(({ id }) => id === made.id)).toMatchObject({ is_good: false });
        expect(await portal.visitor.post(`/account/token?unlisted=${secret}`)).toMatchReply({ status: 401 });
        await ada().patch(one, { expires: null });
        expect(await now()).toEqual([200, 200, 200]);
        await ada().delete(one);
        expect(await now()).toEqual([404, 404, 401]);
        expect(await acts(wells)).toEqual(
          expect.arrayContaining(['link-made', 'granted', 'link-renewed', 'link-changed', 'link-ended', 'revoked']),
        );
      } finally {
        await rest.close();
      }
    });

    test('is nothing while its item is in the bin, and works again with it', async () => {
      const { secret } = await make(map);
      await kit().db.query('select portal.set_bin_days(30)');
      await ada().post(`${path(map)}share/`);
      expect(await open(TILE, secret)).toBe(200);
      expect((await ada().delete(`/api/v2/maps/${map}/`)).status).toBeLessThan(300);
      expect([await open(`/api/v2/maps/${map}/`, secret), await open(TILE, secret)]).toEqual([404, 404]);
      expect((await ada().post(`/api/v2/bin/${map}/restore/`)).status).toBeLessThan(300);
      expect([await open(`/api/v2/maps/${map}/`, secret), await open(TILE, secret)]).toEqual([200, 200]);
    });

    test('keeps what it has while the permissions are set, and goes where nobody but the owner is left', async () => {
      const { secret } = await make(wells);
      await ada().put(`/api/v2/resources/${wells}/set_perms/`, NOBODY);
      expect(await open(TILE, secret)).toBe(200);
      await ada().delete(`/api/v2/layers/${wells}/permissions`);
      expect(await open(TILE, secret)).toBe(404);
      expect((await links(wells)).links).toEqual([]);
    });

    test('makes an item shared as long as it is good', async () => {
      const sharing = async () =>
        bodyOf<{ layer: { sharing: string } }>(await ada().get(`/api/v2/layers/${wells}/?include[]=sharing`)).layer
          .sharing;
      expect(await sharing()).toBe('private');
      const { id } = await make(wells);
      expect(await sharing()).toBe('shared');
      await ada().patch(`${path(wells)}${id}/`, { is_on: false });
      expect(await sharing()).toBe('private');
    });
  });

  describe('what an item shows', () => {
    test('is told where visitors of its links would lack it, and given to them as far as the caller may', async () => {
      const { id, secret } = await make(map);
      expect((await links(map)).lacking.map(({ title, may_share }) => [title, may_share])).toEqual([
        ['bobs', false],
        ['wells', true],
      ]);
      expect(await open(TILE, secret)).toBe(404);
      const shared = bodyOf<Links>(await ada().post(`${path(map)}share/`));
      expect(shared.lacking.map(({ title }) => title)).toEqual(['bobs']);
      expect(await open(TILE, secret)).toBe(200);
      expect(await open('/download/wells.geojson', secret)).toBe(401);
      expect(await open('/tiles/bobs/2/2/1.mvt', secret)).toBe(404);
      // To download only where the link lets people do that.
      await ada().patch(`${path(map)}${id}/`, { permissions: 'download' });
      expect((await links(map)).lacking.map(({ title }) => title)).toEqual(['bobs', 'wells']);
      await ada().post(`${path(map)}share/`);
      expect(await open('/download/wells.geojson', secret)).toBe(200);
      await ada().patch(`${path(map)}${id}/`, { permissions: 'view' });
      expect([await open('/download/wells.geojson', secret), await open(TILE, secret)]).toEqual([401, 200]);
      // Who manages the layer knows of it, and can take it back.
      expect((await links(wells)).shown_by).toEqual([{ id, permissions: 'view', pk: String(map), item: 'Wells' }]);
      expect((await ada().delete(`${path(wells)}${id}/`)).status).toBe(200);
      expect([await open(TILE, secret), await open(`/api/v2/maps/${map}/`, secret)]).toEqual([404, 200]);
    });
  });

  test('caches never mix what a link shows with what everybody sees', async () => {
    const { secret } = await make(wells);
    const { visitor } = kit().portal;
    const address = `/api/v2/layers/${wells}/`;
    for (const one of [TILE, address]) {
      const seen = await visitor.get(`${one}?unlisted=${secret}`);
      expect(seen).toMatchReply({ status: 200, headers: { 'cache-control': expect.stringContaining('private') } });
      const tag = headerOf(seen, 'etag') ?? '"none"';
      expect((await visitor.get(one, { 'if-none-match': tag })).status).toBe(404);
      expect((await visitor.get(one)).status).toBe(404);
      expect((await visitor.get(`${one}?unlisted=${secret}`)).status).toBe(200);
    }
  });

  test('links go with the account that made them', async () => {
    const { portal, db } = kit();
    await ada().put(`/api/v2/resources/${wells}/set_perms/`, {
      users: { mel: ['view_resourcebase', 'change_resourcebase_permissions'] },
      groups: {},
    });
    const reply = await portal.as('mel').post(path(wells), {});
    const secret = secretOf(bodyOf<Links>(reply).links[0] as Link);
    expect(await open(TILE, secret)).toBe(200);
    await db.query('delete from portal.account where id = $1', [portal.ids.mel]);
    expect(await open(TILE, secret)).toBe(404);
    expect(
      await db.query(
        `select from portal_private.resource_grant g where principal < -1000000000
            and not exists (select from portal_private.share_link l where l.principal = g.principal)`,
      ),
    ).toEqual([]);
  });

  test('whoever tries out links is slowed down, with links alone, and one that has ended costs nobody anything', async () => {
    const { secret } = await make(wells);
    // From an address of its own: the other tests are not slowed down.
    const from = async (remoteAddress: string, url: string): Promise<number> =>
      (await kit().portal.app.inject({ method: 'GET', url, remoteAddress })).statusCode;
    const tries = (unlisted: string): Promise<number> => from('192.0.2.7', `${TILE}?unlisted=${unlisted}`);
    const guess = (n: number): string => String(n).padStart(32, 'g');
    for (let n = 0; n < 5; n++) expect(await tries(guess(0))).toBe(404);
    for (let n = 1; n < 70; n++) await tries(guess(n));
    expect(await tries(secret)).toBe(429);
    expect(await from('192.0.2.7', '/api/v2/layers/')).toBe(200);
    expect(await open(TILE, secret)).toBe(200);
  });
});

function secretOf({ url }: Link): string {
  return url.split('unlisted=')[1] ?? '';
}
