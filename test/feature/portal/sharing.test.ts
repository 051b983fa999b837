// Whom new items are shared with when the request says so, what is told of sharing, and what of layers that one does not see.

import { beforeAll, describe, expect, test } from 'vitest';
import { onPortal, type PortalClient } from '../../testkit/portal-client.ts';
import { textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf, idOf, onCatalogue, scriptAs } from './on-catalogue.ts';

const NOBODY = { users: {}, groups: {} };
const EVERYBODY = { users: {}, groups: { anonymous: ['view_resourcebase', 'download_resourcebase'] } };

type Made = { readonly pk: string };

onCatalogue('sharing', {}, (portal) => {
  const member = (reply: Awaited<ReturnType<PortalClient['get']>>): Made => {
    if (reply.status !== 201) throw new Error(`${reply.status} ${textOf(reply.body)}`);
    const [made] = Object.values(bodyOf<Record<string, Made>>(reply));
    if (made === undefined) throw new Error('nothing was made');
    return made;
  };
  const sharingOf = async (who: PortalClient, pk: string): Promise<unknown> => {
    const reply = await who.get(`/api/v2/resources/${pk}/?include[]=sharing`);
    return reply.status === 200 ? bodyOf<{ resource: { sharing: string } }>(reply).resource.sharing : reply.status;
  };
  const makers: readonly (readonly [string, (permissions: unknown) => Promise<string>])[] = [
    [
      'a map',
      async (permissions) =>
        member(
          await portal()
            .as('ada')
            .post('/api/v2/maps/', {
              title: 'Map',
              zoom: 1,
              projection: 'EPSG:3857',
              center_x: 0,
              center_y: 0,
              ...(permissions === undefined ? {} : { permissions }),
            }),
        ).pk,
    ],
    [
      'a story',
      async (permissions) =>
        member(
          await portal()
            .as('ada')
            .post('/api/v2/geostories/', {
              name: `story ${Math.random()}`,
              title: 'Story',
              data: {},
              ...(permissions === undefined ? {} : { permissions }),
            }),
        ).pk,
    ],
    [
      'an app',
      async (permissions) =>
        member(
          await portal()
            .as('ada')
            .post('/api/v2/geoapps/', {
              name: `app ${Math.random()}`,
              title: 'App',
              data: {},
              ...(permissions === undefined ? {} : { permissions }),
            }),
        ).pk,
    ],
    [
      'a map of the viewer',
      async (permissions) => {
        const reply = await portal()
          .as('ada')
          .post('/mapviewer/rest/resources/', {
            name: `viewer ${Math.random()}`,
            data: { map: { layers: [] } },
            ...(permissions === undefined ? {} : { permissions }),
          });
        if (reply.status !== 201) throw new Error(textOf(reply.body));
        return String(bodyOf<{ id: number }>(reply).id);
      },
    ],
  ];

  describe.each(makers)('%s', (_, make) => {
    test('is its owner’s alone when the request says so', async () => {
      const pk = await make(NOBODY);
      expect(await sharingOf(portal().as('ada'), pk)).toBe('private');
      expect(await sharingOf(portal().visitor, pk)).toBe(404);
      expect(await sharingOf(portal().as('bob'), pk)).toBe(404);
    });

    test('is everybody’s when the request says so, or nothing', async () => {
      for (const permissions of [EVERYBODY, undefined]) {
        const pk = await make(permissions);
        expect(await sharingOf(portal().visitor, pk)).toBe('public');
      }
    });

    test('is not made when the permissions make no sense', async () => {
      await expect(make({ users: { 'nobody of that name': ['view_resourcebase'] }, groups: {} })).rejects.toThrow(
        /permissions.*nobody of that name/s,
      );
    });
  });

  test('what is shared with some is told as that, and only where it is asked for', async () => {
    const [, make] = makers[0] ?? [];
    const pk = (await make?.({ users: { bob: ['view_resourcebase'] }, groups: {} })) ?? '';
    expect(await sharingOf(portal().as('ada'), pk)).toBe('shared');
    expect(await sharingOf(portal().as('bob'), pk)).toBe('shared');
    const plain = bodyOf<{ map: object }>(await portal().as('ada').get(`/api/v2/maps/${pk}/`)).map;
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['sharing']));
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['permissions']));
  });

  test('where new items are moderated their owners can still keep them to themselves, and give nothing away', async () => {
    const turn = (on: boolean): Promise<unknown> =>
      portal().as('admin').patch('/api/v2/settings/', { ADMIN_MODERATE_UPLOADS: on });
    await turn(true);
    const [, make] = makers[0] ?? [];
    const pk = (await make?.(NOBODY)) ?? '';
    const given = (await make?.({ users: { bob: ['change_resourcebase'] }, groups: {} })) ?? '';
    const refused = await portal().as('ada').put(`/api/v2/resources/${pk}/set_perms/`, NOBODY);
    await portal().as('admin').patch(`/api/v2/resources/${pk}/`, { is_approved: true });
    await portal().as('admin').patch(`/api/v2/resources/${given}/`, { is_approved: true });
    await turn(false);
    expect(refused.status).toBe(403);
    expect(await sharingOf(portal().visitor, pk)).toBe(404);
    expect(await sharingOf(portal().as('ada'), pk)).toBe('private');
    expect(await sharingOf(portal().as('bob'), given)).toBe(404);
  });

  describe('layers of a map that the reader does not see', () => {
    let map = '';
    beforeAll(async () => {
      for (const name of ['open_fields', 'secret_mines'])
        await scriptAs(
          portal(),
          'ada',
          `insert into portal.resource (resource_type, title, name, store, store_type, srid) values ('layer', '${name}', '${name}', 'portal_data', 'dataStore', 'EPSG:4326')`,
        );
      await scriptAs(
        portal(),
        'ada',
        `select portal.set_perms(r.id, '{"users": {}, "groups": {}}') from portal.resource r where r.name = 'secret_mines'`,
      );
      const reply = await portal()
        .as('ada')
        .post('/mapviewer/rest/resources/', {
          name: 'Both',
          data: {
            map: {
              layers: [
                { type: 'wms', id: 'portal:open_fields__1', name: 'portal:open_fields', title: 'Fields' },
                { type: 'wms', id: 'portal:secret_mines__2', name: 'portal:secret_mines', title: 'Mines of which …' },
              ],
              groups: [{ id: 'Default', nodes: ['portal:open_fields__1', 'portal:secret_mines__2'] }],
            },
            widgetsConfig: {
              widgets: [
                { id: 'a', title: 'Fields', layer: { name: 'portal:open_fields' } },
                { id: 'b', title: 'Mines', layer: { name: 'portal:secret_mines', title: 'Mines' } },
                { id: 'c', title: 'Mines by year', charts: [{ traces: [{ layer: { name: 'portal:secret_mines' } }] }] },
                { id: 'd', maps: [{ layers: [{ name: 'secret_mines' }, { name: 'portal:open_fields' }] }] },
                { id: 'e', picture: '/wms?LAYERS=portal%3Asecret_mines&REQUEST=GetMap' },
              ],
            },
            timelineData: { selectedLayer: 'portal:secret_mines__2' },
            featureGrid: { attributes: { 'portal:secret_mines': { depth: {} }, 'portal:open_fields': { kind: {} } } },
            // Nobody sees a layer of this name: it stays, and tells nothing.
            note: 'portal:not_a_layer',
          },
          permissions: EVERYBODY,
        });
      if (reply.status !== 201) throw new Error(textOf(reply.body));
      map = String(bodyOf<{ id: number }>(reply).id);
    });

    test('are counted, and nothing else is told of them, at any address', async () => {
      const { visitor } = portal();
      const whole = await visitor.get(`/api/v2/maps/${map}/?include[]=hidden_layers&include[]=data`);
      expect(bodyOf<{ map: { hidden_layers: number } }>(whole).map.hidden_layers).toBe(1);
      expect(textOf(whole.body)).toContain('open_fields');
      for (const path of ['', '?include[]=data', 'layers/', 'local_layers/', 'data/']) {
        const reply = await visitor.get(`/api/v2/maps/${map}/${path}`);
        expect([path, reply.status]).toEqual([path, 200]);
        expect(textOf(reply.body)).not.toMatch(/mines/i);
      }
    });

    test('are in no other part of the configuration, and what is about others stays', async () => {
      const reply = await portal().visitor.get(`/api/v2/maps/${map}/?include[]=data`);
      expect(bodyOf<{ map: { data: unknown } }>(reply).map.data).toMatchObject({
        map: {
          layers: [{ name: 'portal:open_fields' }],
          groups: [{ id: 'Default', nodes: ['portal:open_fields__1'] }],
        },
        widgetsConfig: { widgets: [{ id: 'a' }, { id: 'd', maps: [{ layers: [{ name: 'portal:open_fields' }] }] }] },
        featureGrid: { attributes: { 'portal:open_fields': { kind: {} } } },
        note: 'portal:not_a_layer',
      });
    });

    test('are not in versions, copies and the viewer store either', async () => {
      const copied = await portal().as('bob').put(`/api/v2/resources/${map}/copy/`, {});
      const { pk } = bodyOf<{ resource?: { pk: number }; map?: { pk: number } }>(copied).map ?? { pk: 0 };
      const copy = await portal().as('bob').get(`/api/v2/maps/${pk}/?include[]=data`);
      expect(copy.status).toBe(200);
      expect(textOf(copy.body)).toContain('open_fields');
      expect(textOf(copy.body)).not.toMatch(/mines/i);
      // bob may change the map, and ada its owner loses sight of the layer that she has given away.
      const may = ['view_resourcebase', 'change_resourcebase'];
      await portal()
        .as('ada')
        .put(`/api/v2/resources/${map}/set_perms/`, { ...EVERYBODY, users: { bob: may } });
      const saved = await portal().as('ada').get(`/api/v2/maps/${map}/?include[]=data`);
      const { data } = bodyOf<{ map: { data: Record<string, unknown> } }>(saved).map;
      await portal()
        .as('ada')
        .patch(`/api/v2/maps/${map}/`, { data: { ...data, more: true } });
      const { versions } = bodyOf<{ versions: { id: number }[] }>(
        await portal().as('bob').get(`/api/v2/resources/${map}/versions/?part=content`),
      );
      expect(versions.length).toBeGreaterThan(0);
      for (const { id } of versions) {
        const version = await portal().as('bob').get(`/api/v2/resources/${map}/versions/${id}/`);
        expect(textOf(version.body)).toContain('open_fields');
        expect(textOf(version.body)).not.toMatch(/mines/i);
      }
      const secret = await idOf(portal(), 'secret_mines');
      await portal().db.query('update portal.resource set owner_id = $2 where id = $1', [secret, portal().ids.mel]);
      await portal().db.query('delete from portal_private.resource_grant where resource_id = $1 and principal = $2', [
        secret,
        portal().ids.ada,
      ]);
      const stored = await portal().as('ada').get(`/mapviewer/rest/resources/${map}/?full=true`);
      expect(textOf(stored.body)).toContain('open_fields');
      expect(textOf(stored.body)).not.toMatch(/mines/i);
      await portal().db.query('update portal.resource set owner_id = $2 where id = $1', [secret, portal().ids.ada]);
    });

    test('are there for who sees them', async () => {
      const reply = await portal().as('ada').get(`/api/v2/maps/${map}/?include[]=hidden_layers&include[]=data`);
      expect(bodyOf<{ map: { hidden_layers: number } }>(reply).map.hidden_layers).toBe(0);
      expect(textOf(reply.body)).toContain('secret_mines');
      expect(textOf((await portal().as('ada').get(`/api/v2/maps/${map}/layers/`)).body)).toContain('secret_mines');
    });

    test('a map that is hidden itself tells no number', async () => {
      await portal().as('ada').put(`/api/v2/resources/${map}/set_perms/`, NOBODY);
      expect((await portal().visitor.get(`/api/v2/maps/${map}/?include[]=hidden_layers`)).status).toBe(404);
    });
  });
});

onPortal(
  'what the pages begin with',
  { portal: { defaultSharing: 'public', embedHosts: ['video.example.org'] } },
  (portal) => {
    test('is as the settings have it', async () => {
      expect(await portal().visitor.get('/account/defaults/')).toMatchReply({
        status: 200,
        json: {
          sharing: 'public',
          bin_days: 0,
          mail: false,
          registration: 'off',
          provider: null,
          embed_hosts: ['video.example.org'],
          remote_hosts: [],
          sql_console: true,
        },
      });
    });
  },
);
