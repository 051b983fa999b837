// Layers and tables made from a form: empty, open to edits at once, and the same on every surface.

import { expect, test } from 'vitest';
import { type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { type LayerKit, onLayers } from './layer-kit.ts';

function body<T = Record<string, unknown>>(reply: Reply): T {
  return JSON.parse(textOf(reply.body)) as T;
}

type Made = {
  readonly pk: string;
  readonly name: string;
  readonly subtype: string;
  readonly srid: string;
  readonly perms: readonly string[];
  readonly attribute_set: readonly { readonly attribute: string; readonly attribute_label: string | null }[];
  readonly links: readonly { readonly link_type: string }[];
};

const PRIVATE = { users: {}, groups: {} };

onLayers('a layer from a form', {}, (kit: () => LayerKit) => {
  const as = async (name: 'ada' | 'bob' | 'mia') => kit().portal.bearer(await kit().portal.tokenOf(name));
  const make = async (form: object): Promise<Made> => {
    const reply = await (await as('ada')).post('/api/v2/layers/empty/', { permissions: PRIVATE, ...form });
    expect(reply).toMatchReply({ status: 201 });
    return body<{ layer: Made }>(reply).layer;
  };

  test('has its columns, its owner edits it at once, and its extent follows', async () => {
    const ada = await as('ada');
    const made = await make({
      title: 'Trees of the city',
      geometry: 'point',
      crs: 'EPSG:25832',
      columns: [
        { name: 'Species', type: 'text', required: true },
        { name: 'Höhe (m)', type: 'double precision' },
        { name: 'geom', type: 'date' },
      ],
    });
    expect(made).toMatchObject({ name: 'Trees_of_the_city', subtype: 'vector', srid: 'EPSG:25832' });
    expect(made.perms).toContain('change_layer_data');
    expect(made.attribute_set.map(({ attribute, attribute_label: label }) => [attribute, label])).toEqual([
      ['species', 'Species'],
      ['höhe_m', 'Höhe (m)'],
      ['geom_2', 'geom'],
      ['geom', null],
    ]);
    const path = `/ogc/collections/${made.name}`;
    expect(await ada.get(path)).toMatchReply({ status: 200 });
    expect(await ada.get('/wms?service=WMS&request=GetCapabilities')).toMatchReply({ status: 200 });
    const refused = await ada.post(`${path}/items`, { type: 'Feature', geometry: null, properties: {} });
    expect(refused.status).toBe(400);
    const added = await ada.post(`${path}/items`, {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [9, 50] },
      properties: { species: 'Tilia', höhe_m: 12.5 },
    });
    expect(added).toMatchReply({ status: 201 });
    const extent = body<{ extent: { spatial: { bbox: number[][] } } }>(await ada.get(path)).extent.spatial.bbox[0];
    expect(extent?.map(Math.round)).toEqual([9, 50, 9, 50]);
    // Nobody else knows of it.
    expect((await (await as('bob')).get(path)).status).toBe(404);
    expect((await (await as('bob')).get(`/api/v2/layers/${made.pk}/`)).status).toBe(404);
  });

  test('of the same title is another layer', async () => {
    const [first, second] = [
      await make({ title: 'Same', geometry: 'polygon' }),
      await make({ title: 'Same', geometry: 'line' }),
    ];
    expect(first.name).not.toBe(second.name);
  });

  test('is refused with a sentence at every field that is wrong, and to visitors', async () => {
    const ada = await as('ada');
    const reply = await ada.post('/api/v2/layers/empty/', {
      title: ' ',
      geometry: 'circle',
      crs: 'Gauss',
      colour: 1,
      columns: [
        { name: 'a', type: 'text' },
        { name: 'a', type: 'text' },
        { name: '', type: 'text' },
        { name: 'b', type: 'money' },
      ],
    });
    expect(reply.status).toBe(400);
    expect(Object.keys(body(reply)).sort()).toEqual(['colour', 'columns', 'crs', 'geometry', 'title']);
    expect(
      (await ada.post('/api/v2/layers/empty/', { title: 'x', geometry: 'point', crs: 'EPSG:999999' })).status,
    ).toBe(400);
    const strange = { users: { bob: ['fly'] }, groups: {} };
    const flying = await ada.post('/api/v2/layers/empty/', { title: 'x', geometry: 'point', permissions: strange });
    expect(flying).toMatchReply({ status: 400 });
    expect(body(flying)).toHaveProperty('users');
    expect((await kit().portal.visitor.post('/api/v2/layers/empty/', { title: 'x', geometry: 'point' })).status).toBe(
      401,
    );
    expect(
      await kit().db.query(
        `select relname from pg_class where relnamespace = 'staging'::regnamespace and relname like 'new%'`,
      ),
    ).toEqual([]);
  });

  test('without geometry is a table: in the catalogue, and no layer of any map service', async () => {
    const ada = await as('ada');
    const made = await make({ title: 'Prices', geometry: 'none', columns: [{ name: 'Price', type: 'numeric' }] });
    expect(made.subtype).toBe('tabular');
    expect([...new Set(made.links.map((link) => link.link_type))]).toEqual(['metadata']);
    expect((await ada.get(`/ogc/collections/${made.name}`)).status).toBe(404);
    for (const path of [
      '/ogc/collections',
      '/wms?service=WMS&request=GetCapabilities',
      '/wfs?service=WFS&request=GetCapabilities',
    ])
      expect(textOf((await ada.get(path)).body)).not.toContain('Prices');
    const listed = body<{ layers: Made[] }>(await ada.get('/api/v2/layers/?filter{subtype}=tabular'));
    expect(listed.layers.map(({ pk }) => pk)).toEqual([made.pk]);
  });

  test('finds its coordinate system by words of the name, in any order, or by the code', async () => {
    const find = async (search: string) =>
      body<{ crs: { code: string; name: string }[] }>(
        await kit().portal.visitor.get(`/api/v2/crs/?search=${encodeURIComponent(search)}`),
      ).crs;
    expect(await find('32n utm etrs89')).toContainEqual({ code: 'EPSG:25832', name: 'ETRS89 / UTM zone 32N' });
    // Systems without a name are in the list of PostGIS as well.
    expect((await find('pseudo mercator')).map(({ code }) => code)).toEqual(['EPSG:3857']);
    expect((await find('EPSG:4326'))[0]).toEqual({ code: 'EPSG:4326', name: 'WGS 84' });
    expect(await find('4978')).not.toContainEqual(expect.objectContaining({ code: 'EPSG:4978' }));
    expect(await find('100% _')).not.toContainEqual(expect.objectContaining({ code: 'EPSG:4326' }));
    expect((await find('utm')).length).toBe(20);
    expect(await find('  ')).toEqual([]);
    expect((await kit().portal.visitor.get(`/api/v2/crs/?search=${'x'.repeat(101)}`)).status).toBe(400);
  });

  test('its columns are added, renamed, dropped and put back by who manages it, on every surface at once', async () => {
    const ada = await as('ada');
    const made = await make({
      title: 'Wells',
      geometry: 'point',
      columns: [
        { name: 'Depth', type: 'double precision', required: true },
        { name: 'Dug', type: 'timestamptz' },
      ],
      permissions: { users: { bob: ['view_resourcebase', 'change_layer_data', 'download_resourcebase'] }, groups: {} },
    });
    const [path, layer] = [`/api/v2/layers/${made.pk}/columns`, `/ogc/collections/${made.name}`];
    const first = async () => body<{ properties: object }>(await ada.get(`${layer}/items/1`)).properties;
    const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [7, 50] } };
    const properties = { depth: 0.1, dug: '2020-02-03T04:05:06.789+00:00' };
    expect((await ada.post(`${layer}/items`, { ...feature, properties })).status).toBe(201);
    const before = await first();

    expect(await ada.post(`${path}/`, { name: 'Höhe (m)', type: 'integer' })).toMatchReply({
      status: 201,
      json: { name: 'höhe_m' },
    });
    expect((await ada.patch(`${layer}/items/1`, { properties: { höhe_m: 5 } })).status).toBe(204);

    // A style that uses the column follows it, and so does the history.
    await kit().db.query(
      `update portal.style set maplibre = '[{"paint": {"circle-radius": ["get", "höhe_m"]}, "filter": ["==", ["get", "other"], "höhe_m"]}]'
        where id = (select default_style_id from portal.resource where id = ${made.pk})`,
    );
    expect(body(await ada.get(`${path}/${encodeURIComponent('höhe_m')}/uses/`))).toEqual({
      styles: [expect.any(String)],
      maps: [],
      hidden_maps: 0,
      template: false,
      views: [],
      constraints: [],
    });
    expect(await ada.patch(`${path}/${encodeURIComponent('höhe_m')}/`, { name: 'Height' })).toMatchReply({
      status: 200,
      json: { name: 'height' },
    });
    expect(await first()).toEqual({ ...before, height: 5 });
    const [style] = await kit().db.query<{ maplibre: unknown }>(
      `select maplibre from portal.style where id = (select default_style_id from portal.resource where id = ${made.pk})`,
    );
    expect(style?.maplibre).toEqual([
      { paint: { 'circle-radius': ['get', 'height'] }, filter: ['==', ['get', 'other'], 'höhe_m'] },
    ]);
    const { edits } = body<{ edits: { id: number; new: object }[] }>(await ada.get(`${layer}/history`));
    expect(edits[0]?.new).toEqual({ height: 5 });
    const attributes = async () =>
      body<{ layer: Made }>(await ada.get(`/api/v2/layers/${made.pk}/`)).layer.attribute_set.map(
        (one) => one.attribute,
      );
    expect(await attributes()).toContain('height');

    // What is kept is the value to its last digit.
    for (const column of ['depth', 'dug', 'height'])
      expect(await ada.delete(`${path}/${column}/`)).toMatchReply({ status: 200, json: { name: column } });
    expect(await first()).toEqual({});
    expect(await attributes()).toEqual(['geom']);
    const { dropped } = body<{ dropped: { id: number; name: string; by: string }[] }>(await ada.get(`${path}/`));
    expect(dropped).toMatchObject([
      { name: 'height', by: 'ada' },
      { name: 'dug', by: 'ada' },
      { name: 'depth', by: 'ada' },
    ]);
    for (const { id } of dropped) expect((await ada.post(`${path}/dropped/${id}/restore/`, {})).status).toBe(200);
    expect(await first()).toEqual({ ...before, height: 5 });
    expect(body<{ columns: object[] }>(await ada.get(`${path}/`)).columns).toContainEqual({
      name: 'depth',
      label: 'Depth',
      type: 'double precision',
      required: true,
      fixed: false,
    });
    expect((await ada.post(`${path}/dropped/${dropped[0]?.id}/restore/`, {})).status).toBe(404);

    // Whoever may only change rows does not change columns, and others do not know of them.
    const bob = await as('bob');
    for (const reply of [
      await bob.get(`${path}/`),
      await bob.post(`${path}/`, { name: 'x', type: 'text' }),
      await bob.patch(`${path}/depth/`, { name: 'x' }),
      await bob.delete(`${path}/depth/`),
    ])
      expect(reply.status).toBe(403);
    expect((await (await as('mia')).delete(`${path}/depth/`)).status).toBe(404);
    expect((await kit().portal.visitor.delete(`${path}/depth/`)).status).toBe(401);

    // The key and the shape stay; what a view is made of is not taken from under it.
    for (const column of ['fid', 'geom']) expect((await ada.delete(`${path}/${column}/`)).status).toBe(400);
    expect((await ada.delete(`${path}/nothing/`)).status).toBe(404);
    await kit().db.script(`create view public.deep as select depth from layers."${made.name}" where depth > 1`);
    expect(body(await ada.get(`${path}/depth/uses/`))).toMatchObject({ views: ['public.deep'] });
    expect((await ada.delete(`${path}/depth/`)).status).toBe(400);
    expect(await attributes()).toContain('depth');
    await kit().db.script('drop view public.deep');

    // After a while they are gone for good.
    expect((await ada.delete(`${path}/dug/`)).status).toBe(200);
    await kit().db.query('select portal.forget_dropped_columns(30)');
    expect(body<{ dropped: object[] }>(await ada.get(`${path}/`)).dropped).toHaveLength(1);
    await kit().db.query('select portal.forget_dropped_columns(0)');
    expect(body<{ dropped: object[] }>(await ada.get(`${path}/`)).dropped).toEqual([]);
    expect(await kit().db.query('select from portal_private.dropped_value')).toEqual([]);
  });
});
