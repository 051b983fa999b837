// The viewer store (section 13 of the reference, D6, D7): one's own maps, as the viewer keeps them.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bodyOf, idOf, onCatalogue, sweepEach } from './on-catalogue.ts';

const CONFIG = {
  version: 2,
  map: {
    center: { x: 11.2, y: 43.7, crs: 'EPSG:4326' },
    zoom: 7.6,
    projection: 'EPSG:900913',
    maxExtent: [-1, -1, 1, 1],
    layers: [
      { type: 'osm', name: 'mapnik', group: 'background', visibility: true, fixed: true },
      {
        type: 'wms',
        name: 'portal:rivers',
        format: 'image/png',
        style: 'rivers_styles',
        opacity: 0.4,
        visibility: false,
        url: ['http://a/wms', 'http://b/wms'],
        dimensions: [{ name: 'time' }],
      },
    ],
    groups: [],
  },
  widgetsConfig: {},
};
const ATTRIBUTES = [
  { type: 'string', name: 'title', value: 'Rivers of the south', label: 'Title' },
  { type: 'string', name: 'abstract', value: 'All of them', label: 'Abstract' },
];

for (const prefix of ['/mapviewer/rest', '/mapstore/rest']) {
  onCatalogue(`viewer store at ${prefix}`, {}, (portal) => {
    const path = `${prefix}/resources`;
    let id: number;
    beforeAll(async () => {
      await portal().as('ada').post('/api/v2/layers', { title: 'Rivers', owner: 'ada' });
      await portal().db.script(
        `update portal.resource set name = 'rivers', alternate = 'portal:rivers', store = 'data' where title = 'Rivers'`,
      );
    });
    sweepEach(portal);
    beforeEach(async () => {
      const made = await portal().as('ada').post(`${path}/`, { name: 'My map', data: CONFIG, attributes: ATTRIBUTES });
      expect(made.status).toBe(201);
      id = bodyOf<{ id: number }>(made).id;
    });

    test.each([['none'], [{ a: 1 }], [5], [['x']]])('layers that are %j are refused', async (layers) => {
      const data = { ...CONFIG, map: { ...CONFIG.map, layers } };
      for (const [method, target] of [
        ['POST', path],
        ['PATCH', `${path}/${id}`],
      ] as const) {
        expect(
          await portal()
            .as('ada')
            .request(method, target, { body: { name: 'Wrong', data } }),
        ).toMatchReply({
          status: 400,
          json: { data: [expect.stringMatching(/layer/)] },
        });
      }
    });

    test('a member that nobody knows is ignored, and named in the record', async () => {
      const reply = await portal().as('ada').patch(`${path}/${id}`, { id, category: 'MAP' });
      expect(bodyOf(reply)).toMatchObject({ id, meta: { ignored: ['category'] } });
    });

    test('what is saved is a map of the portal', async () => {
      expect(bodyOf(await portal().as('ada').get(`/api/v2/maps/${id}`))).toMatchObject({
        map: {
          title: 'Rivers of the south',
          abstract: 'All of them',
          zoom: 8,
          projection: 'EPSG:900913',
          center_x: 11.2,
          center_y: 43.7,
          owner: { username: 'ada' },
        },
      });
      expect(bodyOf(await portal().as('ada').get(`/api/v2/maps/${id}/layers`))).toMatchObject([
        {
          name: 'mapnik',
          stack_order: 0,
          group: 'background',
          fixed: true,
          visibility: true,
          opacity: 1,
          local: false,
        },
        {
          name: 'portal:rivers',
          stack_order: 1,
          opacity: 0.4,
          visibility: false,
          styles: 'rivers_styles',
          format: 'image/png',
          ows_url: 'http://a/wms',
          store: 'data',
          local: true,
          layer_params: expect.stringContaining('"dimensions":[{"name":"time"}]'),
        },
      ]);
      expect(bodyOf<unknown[]>(await portal().as('ada').get(`/api/v2/maps/${id}/local_layers`))).toMatchObject([
        { title: 'Rivers' },
      ]);
    });

    test('is read without an envelope, with its data only when asked for', async () => {
      const plain = bodyOf<Record<string, unknown>>(await portal().as('ada').get(`${path}/${id}/`));
      expect(Object.keys(plain)).toEqual(['id', 'user', 'layers', 'name', 'creation_date', 'last_update']);
      expect(plain).toMatchObject({
        id,
        user: 'ada',
        name: 'My map',
        layers: [{ name: 'mapnik' }, { name: 'portal:rivers' }],
      });
      expect(bodyOf(await portal().as('ada').get(`${path}/${id}/?full=true`))).toMatchObject({
        id,
        data: CONFIG,
        attributes: ATTRIBUTES,
      });
      const list = bodyOf<unknown[]>(await portal().as('ada').get(`${path}/?full=true`));
      expect(list).toMatchObject([{ id, data: CONFIG }]);
    });

    test('is changed in parts or as a whole, and its layers are made anew', async () => {
      expect(await portal().as('ada').patch(`${path}/${id}/?full=true`, { id, name: 'Renamed' })).toMatchReply({
        status: 200,
        json: expect.objectContaining({ id, name: 'Renamed', data: CONFIG }),
      });
      const data = { version: 2, map: { ...CONFIG.map, zoom: 3, layers: [CONFIG.map.layers[1]] } };
      expect(
        bodyOf(
          await portal()
            .as('ada')
            .put(`${path}/${id}`, {
              name: 'Whole',
              data,
              attributes: [{ name: 'title', value: 'New title', type: 'string', label: 'Title' }],
            }),
        ),
      ).toMatchObject({ name: 'Whole', layers: [{ name: 'portal:rivers' }] });
      expect(bodyOf(await portal().as('ada').get(`/api/v2/maps/${id}`))).toMatchObject({
        map: { title: 'New title', zoom: 3 },
      });
      expect(await portal().as('ada').put(`${path}/${id}`, { data })).toMatchReply({
        status: 400,
        json: { name: ['This field is required.'] },
      });
    });

    test('a map of the portal gets its viewer data by its id', async () => {
      const map = bodyOf<{ map: { pk: string } }>(
        await portal()
          .as('bob')
          .post('/api/v2/maps', { title: 'Bare', zoom: 1, projection: 'EPSG:3857', center_x: 0, center_y: 0 }),
      ).map.pk;
      expect(
        await portal()
          .as('bob')
          .post(path, { id: Number(map), name: 'Dressed', data: CONFIG, attributes: [] }),
      ).toMatchReply({ status: 201, json: expect.objectContaining({ id: Number(map), name: 'Dressed' }) });
      expect(
        await portal()
          .as('ada')
          .post(path, { id: Number(map), name: 'Stolen', data: CONFIG, attributes: [] }),
      ).toMatchReply({ status: 404 });
    });

    test('is for accounts, and one’s own only, though others see the map', async () => {
      for (const target of [path, `${path}/${id}`, `${prefix}/users`])
        expect(await portal().visitor.get(target)).toMatchReply({ status: 401 });
      expect(await portal().visitor.post(path, {})).toMatchReply({ status: 401 });
      expect(await portal().as('bob').get(`/api/v2/maps/${id}`)).toMatchReply({ status: 200 });
      expect(await portal().as('bob').get(`${path}/${id}`)).toMatchReply({ status: 404 });
      expect(await portal().as('bob').patch(`${path}/${id}`, { name: 'x' })).toMatchReply({ status: 404 });
      expect(await portal().as('bob').put(`${path}/${id}`, { name: 'x', data: CONFIG })).toMatchReply({ status: 404 });
      expect(await portal().as('bob').delete(`${path}/${id}`)).toMatchReply({ status: 404 });
      expect(bodyOf<{ user: string }[]>(await portal().as('bob').get(path)).map(({ user }) => user)).not.toContain(
        'ada',
      );
    });

    test.each<[string, unknown, unknown]>([
      ['no data', { name: 'x', attributes: [] }, { detail: 'Map Configuration (data) is Mandatory!' }],
      ['no name', { data: CONFIG }, { name: ['This field is required.'] }],
      ['data that is no JSON', { name: 'x', data: '{' }, { data: ['Value must be valid JSON.'] }],
      [
        'attributes that are no list',
        { name: 'x', data: {}, attributes: { a: 1 } },
        { attributes: ['Expected a list of attributes.'] },
      ],
      [
        'an attribute of no type',
        { name: 'x', data: {}, attributes: [{ name: 'a', type: 'magic' }] },
        { attributes: [expect.stringMatching(/string, number/)] },
      ],
      [
        'an attribute without a name',
        { name: 'x', data: {}, attributes: [{ value: 1 }] },
        { attributes: ['Every attribute needs a name.'] },
      ],
      [
        'too many layers',
        { name: 'x', data: { map: { layers: Array(1001).fill({}) } } },
        { data: [expect.stringMatching(/1000 layers/)] },
      ],
    ])('%s is refused', async (_, body, json) => {
      expect(await portal().as('ada').post(path, body)).toMatchReply({ status: 400, json });
    });

    test('whatever the data are, the map stays in its bounds', async () => {
      const strange = {
        map: {
          center: { x: 'east', y: 1e300 },
          zoom: 'far',
          projection: 5,
          layers: [{ name: 5, opacity: 7, visibility: 'yes', url: { a: 1 }, group: ['x'], style: {} }],
        },
      };
      const made = await portal().as('ada').post(path, { name: 'Strange', data: strange });
      expect(made.status).toBe(201);
      expect(
        bodyOf(
          await portal()
            .as('ada')
            .get(`/api/v2/maps/${bodyOf<{ id: number }>(made).id}`),
        ),
      ).toMatchObject({ map: { zoom: 0, projection: 'EPSG:3857', center_x: 0, center_y: 1e9 } });
      expect(bodyOf(made)).toMatchObject({ layers: [{ name: null, opacity: 1, visibility: true, ows_url: null }] });
    });

    test('a layer that the caller does not see is just a name', async () => {
      const perms = `/api/v2/resources/${await idOf(portal(), 'Rivers')}/set_perms`;
      await portal().as('admin').put(perms, {});
      const made = bodyOf<{ layers: { local: boolean }[] }>(
        await portal().as('bob').post(path, { name: 'Prying', data: CONFIG }),
      );
      expect(made.layers.map(({ local }) => local)).toEqual([false, false]);
      await portal()
        .as('admin')
        .put(perms, { groups: { anonymous: ['view_resourcebase', 'download_resourcebase'] } });
    });

    test('is deleted with its map', async () => {
      expect(await portal().as('ada').delete(`${path}/${id}/`)).toMatchReply({ status: 204, text: '' });
      expect(await portal().as('ada').get(`/api/v2/maps/${id}`)).toMatchReply({ status: 404 });
      expect(await portal().as('ada').get(`${path}/${id}`)).toMatchReply({ status: 404 });
    });

    describe('users', () => {
      test('are oneself; administrators see all', async () => {
        expect(await portal().as('bob').get(`${prefix}/users/`)).toMatchReply({
          status: 200,
          json: [
            expect.objectContaining({
              url: expect.stringMatching(new RegExp(`/rest/users/${portal().ids.bob}/$`)),
              username: 'bob',
              email: 'bob@example.org',
              is_staff: false,
              is_active: true,
              is_superuser: false,
            }),
          ],
        });
        expect(bodyOf<unknown[]>(await portal().as('admin').get(`${prefix}/users`)).length).toBeGreaterThan(3);
        expect(await portal().as('bob').get(`${prefix}/users/${portal().ids.ada}`)).toMatchReply({ status: 404 });
      });

      test('change themselves, but not what they are', async () => {
        const own = `${prefix}/users/${portal().ids.bob}/`;
        expect(
          await portal().as('bob').put(own, { username: 'bob', first_name: 'Robert', email: 'bob@example.org' }),
        ).toMatchReply({
          status: 200,
          json: expect.objectContaining({ first_name: 'Robert', email: 'bob@example.org' }),
        });
        expect(await portal().as('bob').put(own, { username: 'bob', is_superuser: true })).toMatchReply({
          status: 403,
        });
        expect(await portal().as('bob').post(`${prefix}/users`, { username: 'friend' })).toMatchReply({ status: 403 });
      });

      test('are made and deleted by administrators', async () => {
        const made = await portal()
          .as('admin')
          .post(`${prefix}/users/`, { username: 'viewer', password: 'long enough', email: 'v@example.org' });
        expect(made).toMatchReply({
          status: 201,
          json: expect.objectContaining({ username: 'viewer', email: 'v@example.org', is_active: true }),
        });
        const { id: account } = bodyOf<{ id: number }>(made);
        expect(await portal().basic('viewer', 'long enough').get(`${prefix}/users/${account}`)).toMatchReply({
          status: 200,
        });
        expect(await portal().as('admin').delete(`${prefix}/users/${account}`)).toMatchReply({ status: 204 });
      });
    });
  });
}
