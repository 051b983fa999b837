// Maps as the clients of newer versions of GeoNode make them: with the viewer's configuration (`data` or `blob`) and `maplayers`, and no
// fields for the view.

import { beforeAll, expect, test } from 'vitest';
import type { PortalClient } from '../../testkit/portal-client.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { bodyOf, idOf, onCatalogue } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

type Maplayer = Readonly<Record<string, unknown>> & { readonly pk: number };
type MapRecord = {
  readonly pk: string;
  readonly zoom: number;
  readonly maplayers: readonly Maplayer[];
  readonly data?: unknown;
};

const configOf = (layers: readonly unknown[]) => ({
  version: 2,
  map: { center: { x: '9.5', y: 47, crs: 'EPSG:4326' }, zoom: 7, projection: 'EPSG:900913', layers },
});

onCatalogue('maps of newer clients', {}, (portal) => {
  let [rivers, lakes] = ['', ''];
  let secret = '';
  beforeAll(async () => {
    await fillCatalogue(portal());
    const names = async (title: string): Promise<string> => {
      const id = await idOf(portal(), title);
      return bodyOf<{ layer: { alternate: string } }>(await portal().as('admin').get(`/api/v2/layers/${id}`)).layer
        .alternate;
    };
    [rivers, lakes, secret] = [await names('Rivers'), await names('Lakes'), await names('Secret mines')];
  });
  const mapOf = (reply: Reply): MapRecord => {
    expect([reply.status, reply.status < 300 ? '' : String(reply.body)]).toEqual([expect.any(Number), '']);
    return bodyOf<{ map: MapRecord }>(reply).map;
  };
  const read = async (pk: string, client: PortalClient = portal().as('ada')): Promise<MapRecord> =>
    mapOf(await client.get(`/api/v2/maps/${pk}?include[]=data`));
  const shown = (map: MapRecord) => map.maplayers.map(({ name, extra_params }) => [name, extra_params]);

  test('take their view and their layers from the configuration, under either of its names, as JSON or text', async () => {
    const config = configOf([
      { id: 'a', name: rivers, type: 'wms', style: 'blue', opacity: 0.5, visibility: false },
      { id: 'osm__0', name: 'mapnik', type: 'osm', group: 'background' },
    ]);
    for (const body of [
      { title: 'By data', data: config },
      { title: 'By blob', blob: config, ressource_type: 'map' },
      { title: 'By text', data: JSON.stringify(config) },
    ]) {
      const made = mapOf(await portal().as('ada').post('/api/v2/maps', body));
      expect([body.title, made]).toEqual([
        body.title,
        expect.objectContaining({ zoom: 7, projection: 'EPSG:900913', center_x: 9.5, center_y: 47 }),
      ]);
      expect(made.maplayers).toEqual([
        {
          pk: expect.any(Number),
          extra_params: { msId: 'a' },
          current_style: 'blue',
          name: rivers,
          order: 0,
          visibility: false,
          opacity: 0.5,
          dataset: { pk: String(await idOf(portal(), 'Rivers')), title: 'Rivers', alternate: rivers },
        },
        expect.objectContaining({ name: 'mapnik', order: 1, visibility: true, opacity: 1, dataset: null }),
      ]);
      expect((await read(made.pk)).data).toEqual(config);
    }
    const made = await portal().as('ada').post('/api/v2/resources', { resource_type: 'map', title: 'R', data: config });
    expect(made.status).toBe(201);
    const { resource } = bodyOf<{ resource: { pk: string } }>(made);
    expect(shown(await read(resource.pk))).toEqual([
      [rivers, { msId: 'a' }],
      ['mapnik', { msId: 'osm__0' }],
    ]);
  });

  test('keep what the body says itself, and ask for what neither says', async () => {
    const own = mapOf(
      await portal()
        .as('ada')
        .post('/api/v2/maps', { title: 'Own', zoom: 3, center_x: 1, data: configOf([]) }),
    );
    expect(own).toMatchObject({ zoom: 3, center_x: 1, center_y: 47, projection: 'EPSG:900913', maplayers: [] });
    const required = ['This field is required.'];
    for (const data of [{ version: 2 }, { map: { zoom: 3 } }, { map: { center: { x: 1 }, zoom: 3 } }])
      expect(await portal().as('ada').post('/api/v2/maps', { title: 'No view', data })).toMatchReply({
        status: 400,
        json: { zoom: required, projection: required, center_x: required, center_y: required },
      });
    expect(await portal().as('ada').post('/api/v2/maps', { title: 'x', data: 'no JSON' })).toMatchReply({
      status: 400,
    });
  });

  test('come with what a preset of the viewer stands for, and nothing else', async () => {
    const { pk } = mapOf(
      await portal()
        .as('ada')
        .post('/api/v2/maps', { title: 'Opened', data: configOf([{ id: 'a', name: rivers }]) }),
    );
    const opened = bodyOf<{ map: Record<string, unknown> }>(
      await portal()
        .as('ada')
        .get(`/api/v2/maps/${pk}?api_preset=viewer_common&api_preset=map_viewer&api_preset=nonsense`),
    ).map;
    expect(opened).toMatchObject({
      pk,
      title: 'Opened',
      data: { map: expect.anything() },
      maplayers: [{ name: rivers }],
    });
    expect(opened).not.toHaveProperty('purpose');
    const [listed] = bodyOf<{ resources: Record<string, unknown>[] }>(
      await portal().as('ada').get(`/api/v2/resources?api_preset=catalog_list&filter{pk}=${pk}`),
    ).resources;
    expect(Object.keys(listed ?? {})).toEqual(
      expect.arrayContaining(['pk', 'title', 'owner', 'perms', 'thumbnail_url']),
    );
    expect(listed).not.toHaveProperty('abstract');
  });

  test('follow a configuration that is changed; one without layers leaves them as they are', async () => {
    const { pk } = mapOf(
      await portal()
        .as('ada')
        .post('/api/v2/maps', { title: 'Changing', data: configOf([{ id: 'a', name: rivers }]) }),
    );
    const at = `/api/v2/maps/${pk}`;
    const shownAt = `${at}?include[]=maplayers`;
    const changed = mapOf(
      await portal()
        .as('ada')
        .patch(shownAt, { data: configOf([{ id: 'b', name: lakes }]) }),
    );
    expect(shown(changed)).toEqual([[lakes, { msId: 'b' }]]);
    const kept = mapOf(
      await portal()
        .as('ada')
        .patch(shownAt, { data: { map: { center: { x: 5, y: 6 }, zoom: 9 } } }),
    );
    expect([kept.zoom, shown(kept)]).toEqual([9, [[lakes, { msId: 'b' }]]]);
    for (const data of [{ map: { layers: 'all' } }, { map: { layers: [1] } }])
      expect(await portal().as('ada').patch(shownAt, { data })).toMatchReply({
        status: 400,
        json: { data: [expect.any(String)] },
      });
  });

  test('have their layers changed row by row by maplayers: sent back, nothing is lost', async () => {
    const { pk } = mapOf(
      await portal()
        .as('ada')
        .post('/api/v2/maps', {
          title: 'Rows',
          data: configOf([
            { id: 'a', name: rivers, format: 'image/png', group: 'x' },
            { id: 'o', name: 'osm' },
          ]),
        }),
    );
    const at = `/api/v2/maps/${pk}`;
    const shownAt = `${at}?include[]=maplayers`;
    const before = await read(pk);
    const layers = bodyOf<unknown[]>(await portal().as('ada').get(`${at}/layers`));
    expect(mapOf(await portal().as('ada').patch(shownAt, { maplayers: before.maplayers })).maplayers).toEqual(
      before.maplayers,
    );
    expect(bodyOf(await portal().as('ada').get(`${at}/layers`))).toEqual(layers);
    const [first, second] = before.maplayers;
    const added = { name: lakes, order: 0, visibility: true, opacity: 1, extra_params: { msId: 'new' } };
    const changed = mapOf(
      await portal()
        .as('ada')
        .patch(shownAt, { maplayers: [{ ...first, order: 1, opacity: 0.2 }, added] }),
    );
    expect(changed.maplayers).toMatchObject([
      { name: lakes, extra_params: { msId: 'new' }, dataset: { title: 'Lakes' } },
      { pk: first?.pk, name: rivers, opacity: 0.2, extra_params: { msId: 'a' } },
    ]);
    expect(bodyOf<object[]>(await portal().as('ada').get(`${at}/layers`))).toMatchObject([
      { name: lakes },
      { name: rivers, format: 'image/png', group: 'x' },
    ]);
    // The pk of a row that is not there, or of another map, is a new row.
    const other = await idOf(portal(), 'Rivers and roads');
    const [foreign] = (await read(String(other))).maplayers;
    const odd = mapOf(
      await portal()
        .as('ada')
        .patch(shownAt, { maplayers: [{ ...second, pk: foreign?.pk, name: 'osm' }] }),
    );
    expect(odd.maplayers).toMatchObject([{ name: 'osm' }]);
    expect(odd.maplayers[0]?.pk).not.toBe(foreign?.pk);
    expect((await read(String(other))).maplayers).toContainEqual(foreign);
    for (const maplayers of [
      5,
      [5],
      [{ opacity: 2 }],
      [{ name: 'x'.repeat(300) }],
      [{ order: 1.5 }],
      [{ pk: 'a' }],
      [{ visibility: 1 }],
    ])
      expect(await portal().as('ada').patch(at, { maplayers })).toMatchReply({
        status: 400,
        json: { maplayers: [expect.any(String)] },
      });
  });

  test('name no layer that the reader does not see, and lose none that the writer does not see', async () => {
    const { pk } = mapOf(
      await portal()
        .as('bob')
        .post('/api/v2/maps', {
          title: 'With a secret',
          data: configOf([
            { id: 's', name: secret },
            { id: 'r', name: rivers },
          ]),
        }),
    );
    expect(shown(await read(pk, portal().as('bob')))).toHaveLength(2);
    const reply = await portal().visitor.get(`/api/v2/maps/${pk}?include[]=data`);
    expect(String(reply.body)).not.toContain(secret);
    expect(shown(mapOf(reply))).toEqual([[rivers, { msId: 'r' }]]);
    await portal()
      .as('bob')
      .put(`/api/v2/resources/${pk}/set_perms`, {
        users: { ada: ['view_resourcebase', 'change_resourcebase'] },
        groups: {},
      });
    const seen = await read(pk);
    expect(await portal().as('ada').patch(`/api/v2/maps/${pk}`, { maplayers: seen.maplayers })).toMatchReply({
      status: 200,
    });
    expect(shown(await read(pk, portal().as('bob')))).toHaveLength(2);
  });
});
