// Layers and tables made from a form: empty, open to edits at once, and the same on every surface.

import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf } from '../portal/on-catalogue.ts';
import { type LayerKit, onLayers } from './layer-kit.ts';
import { REFUSED, REFUSED_TO_WRITE } from './sql-attacks.ts';

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
    return bodyOf<{ layer: Made }>(reply).layer;
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
    expect(made).toMatchObject({ name: 'trees_of_the_city', subtype: 'vector', srid: 'EPSG:25832' });
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
    const extent = bodyOf<{ extent: { spatial: { bbox: number[][] } } }>(await ada.get(path)).extent.spatial.bbox[0];
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
    expect(Object.keys(bodyOf(reply)).sort()).toEqual(['colour', 'columns', 'crs', 'geometry', 'title']);
    expect(
      (await ada.post('/api/v2/layers/empty/', { title: 'x', geometry: 'point', crs: 'EPSG:999999' })).status,
    ).toBe(400);
    const strange = { users: { bob: ['fly'] }, groups: {} };
    const flying = await ada.post('/api/v2/layers/empty/', { title: 'x', geometry: 'point', permissions: strange });
    expect(flying).toMatchReply({ status: 400 });
    expect(bodyOf(flying)).toHaveProperty('users');
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
    await make({ title: 'Not a table', geometry: 'point' });
    const listed = bodyOf<{ layers: Made[] }>(await ada.get('/api/v2/layers/?filter{subtype}=tabular&page_size=100'));
    expect(listed.layers.map(({ pk }) => pk)).toContain(made.pk);
    expect(new Set(listed.layers.map(({ subtype }) => subtype))).toEqual(new Set(['tabular']));

    // Its rows have a history, and an edit is undone.
    await kit().db.script(`
      begin; select set_config('role', 'survest_user', true), set_config('request.jwt.claims', '{"sub": "${kit().portal.ids.ada}", "role": "survest_user"}', true);
      insert into layers.prices (price) values (1); update layers.prices set price = 2; commit`);
    const path = `/api/v2/layers/${made.pk}/history/`;
    const edits = async () => bodyOf<{ edits: { id: number; kind: string }[] }>(await ada.get(path)).edits;
    expect(await edits()).toMatchObject([
      { kind: 'update', by: 'ada', feature: '1', old: { price: 1 }, new: { price: 2 } },
      { kind: 'insert', by: 'ada', new: { price: 1 } },
    ]);
    const [newest, oldest] = await edits();
    expect((await ada.post(`${path}${oldest?.id}/undo/`)).status).toBe(412);
    expect((await (await as('bob')).post(`${path}${newest?.id}/undo/`)).status).toBe(404);
    expect((await ada.post(`${path}${newest?.id}/undo/`)).status).toBe(204);
    expect(await kit().db.query('select price::integer from layers.prices')).toEqual([{ price: 1 }]);
    expect(bodyOf<{ edits: object[] }>(await ada.get(`${path}?limit=1&before=${newest?.id}`)).edits).toHaveLength(1);
    expect((await ada.get(`${path}?limit=x`)).status).toBe(400);
    expect((await (await as('bob')).get(path)).status).toBe(404);
  });

  test('without geometry is downloaded as CSV, JSON, workbook and GeoPackage by who may, filtered as features are', async () => {
    const ada = await as('ada');
    const made = await make({
      title: 'Stock [2024]',
      geometry: 'none',
      columns: [
        { name: 'Ware', type: 'text' },
        { name: 'Count', type: 'integer' },
        { name: 'Price', type: 'numeric' },
        { name: 'Sold', type: 'boolean' },
        { name: 'Day', type: 'date' },
      ],
      permissions: { users: { bob: ['view_resourcebase'] }, groups: {} },
    });
    const file = (format: string, query = ''): Promise<Reply> => ada.get(`/download/${made.name}.${format}${query}`);
    expect((await file('gpkg')).status).toBe(200);
    await kit().db.script(`set role survest_admin; select set_config('request.jwt.claims', '{"role":"survest_admin"}', false);
      insert into layers."${made.name}" (ware, count, price, sold, day) values ('=1+1', 3, 2.50, true, '2024-05-01'), ('Käse', null, 12345678901234567890, false, null);
      reset role`);
    expect(textOf((await file('csv')).body)).toContain("'=1+1,3,2.50,t,2024-05-01");
    expect(bodyOf(await file('json'))).toEqual([
      { fid: 1, ware: '=1+1', count: 3, price: 2.5, sold: true, day: '2024-05-01' },
      { fid: 2, ware: 'Käse', count: null, price: 12345678901234567000, sold: false, day: null },
    ]);
    expect(bodyOf<object[]>(await file('json', '?filter=count>2&properties=ware'))).toEqual([{ fid: 1, ware: '=1+1' }]);
    for (const [format, out] of [
      ['xlsx', ['ware (String) = =1+1', 'price (String) = 12345678901234567890', 'day (Date) = 2024/05/01']],
      ['gpkg', ['ware (String) = Käse', 'sold (Integer(Boolean)) = 1', 'day (Date) = 2024/05/01']],
    ] as const) {
      const path = `${kit().folder}/stock.${format}`;
      await writeFile(path, Buffer.from((await file(format)).body ?? ''));
      const told = await kit().gdal('ogrinfo', ['-al', path]);
      for (const one of out) expect(told).toContain(one);
      expect(told).toContain('Feature Count: 2');
      expect(told).toContain('Geometry: None');
    }
    for (const wrong of ['geojson', 'shp.zip', 'tif', 'csv?bbox=0,0,1,1', 'csv?filter=S_INTERSECTS(geom,POINT(0 0))'])
      expect((await file(wrong)).status).toBe(400);
    expect((await (await as('bob')).get(`/download/${made.name}.xlsx`)).status).toBe(403);
    expect((await (await as('mia')).get(`/download/${made.name}.csv`)).status).toBe(404);
    expect((await kit().portal.visitor.get(`/download/${made.pk}.json`)).status).toBe(404);
  });

  test('finds its coordinate system by words of the name, in any order, or by the code', async () => {
    const find = async (search: string) =>
      bodyOf<{ crs: { code: string; name: string }[] }>(
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
    const first = async () => bodyOf<{ properties: object }>(await ada.get(`${layer}/items/1`)).properties;
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
    // So does the style that a map has of its own, in this layer and in no other.
    const own = (name: string) => [{ id: 'a', type: 'circle', paint: { 'circle-radius': ['get', name] } }];
    const config = (name: string, other: string) => ({
      map: {
        layers: [
          { name: `portal:${made.name}`, type: 'wms', 'survest:style': own(name) },
          { name: 'portal:other', type: 'wms', 'survest:style': own(other) },
        ],
      },
    });
    const mapped = await ada.post('/api/v2/maps/', {
      title: 'Of wells',
      zoom: 3,
      projection: 'EPSG:3857',
      center_x: 0,
      center_y: 0,
      data: config('höhe_m', 'höhe_m'),
    });
    expect(mapped).toMatchReply({ status: 201 });
    const mapId = bodyOf<{ map: { pk: string } }>(mapped).map.pk;
    expect(bodyOf(await ada.get(`${path}/${encodeURIComponent('höhe_m')}/uses/`))).toEqual({
      styles: [expect.any(String)],
      maps: [{ pk: mapId, title: 'Of wells' }],
      hidden_maps: 0,
      template: false,
      filter: false,
      views: [],
      constraints: [],
    });
    expect(await ada.patch(`${path}/${encodeURIComponent('höhe_m')}/`, { name: 'Height' })).toMatchReply({
      status: 200,
      json: { name: 'height' },
    });
    expect(await first()).toEqual({ ...before, height: 5 });
    expect(bodyOf<{ map: { data: unknown } }>(await ada.get(`/api/v2/maps/${mapId}/?include[]=data`)).map.data).toEqual(
      config('height', 'höhe_m'),
    );
    expect(bodyOf(await ada.get(`${path}/height/uses/`))).toMatchObject({ maps: [{ pk: mapId }] });
    const [style] = await kit().db.query<{ maplibre: unknown }>(
      `select maplibre from portal.style where id = (select default_style_id from portal.resource where id = ${made.pk})`,
    );
    expect(style?.maplibre).toEqual([
      { paint: { 'circle-radius': ['get', 'height'] }, filter: ['==', ['get', 'other'], 'höhe_m'] },
    ]);
    const { edits } = bodyOf<{ edits: { id: number; new: object }[] }>(await ada.get(`${layer}/history`));
    expect(edits[0]?.new).toEqual({ height: 5 });
    const attributes = async () =>
      bodyOf<{ layer: Made }>(await ada.get(`/api/v2/layers/${made.pk}/`)).layer.attribute_set.map(
        (one) => one.attribute,
      );
    expect(await attributes()).toContain('height');

    // What is kept is the value to its last digit.
    for (const column of ['depth', 'dug', 'height'])
      expect(await ada.delete(`${path}/${column}/`)).toMatchReply({ status: 200, json: { name: column } });
    expect(await first()).toEqual({});
    expect(await attributes()).toEqual(['geom']);
    const { dropped } = bodyOf<{ dropped: { id: number; name: string; by: string }[] }>(await ada.get(`${path}/`));
    expect(dropped).toMatchObject([
      { name: 'height', by: 'ada' },
      { name: 'dug', by: 'ada' },
      { name: 'depth', by: 'ada' },
    ]);
    for (const { id } of dropped) expect((await ada.post(`${path}/dropped/${id}/restore/`, {})).status).toBe(200);
    expect(await first()).toEqual({ ...before, height: 5 });
    expect(bodyOf<{ columns: object[] }>(await ada.get(`${path}/`)).columns).toContainEqual({
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
    expect(bodyOf(await ada.get(`${path}/depth/uses/`))).toMatchObject({ views: ['public.deep'] });
    expect((await ada.delete(`${path}/depth/`)).status).toBe(400);
    expect(await attributes()).toContain('depth');
    await kit().db.script('drop view public.deep');

    // After a while they are gone for good.
    expect((await ada.delete(`${path}/dug/`)).status).toBe(200);
    await kit().db.query('select portal.forget_dropped_columns(30)');
    expect(bodyOf<{ dropped: object[] }>(await ada.get(`${path}/`)).dropped).toHaveLength(1);
    await kit().db.query('select portal.forget_dropped_columns(0)');
    expect(bodyOf<{ dropped: object[] }>(await ada.get(`${path}/`)).dropped).toEqual([]);
    expect(await kit().db.query('select from portal_private.dropped_value')).toEqual([]);
  });

  test('takes columns of a table by a key, tells what did not match, and takes them again when the table has changed', async () => {
    const ada = await as('ada');
    const open = { users: { bob: ['view_resourcebase', 'change_layer_data', 'download_resourcebase'] }, groups: {} };
    const [towns, people] = [
      await make({
        title: 'Towns',
        geometry: 'point',
        columns: [
          { name: 'Code', type: 'integer' },
          { name: 'Name', type: 'text' },
        ],
        permissions: open,
      }),
      await make({
        title: 'People',
        geometry: 'none',
        columns: [
          { name: 'Nr', type: 'text' },
          { name: 'Name', type: 'text' },
          { name: 'Einwohner', type: 'bigint' },
          { name: 'About', type: 'jsonb' },
        ],
      }),
    ];
    const tables = `set role survest_admin; select set_config('request.jwt.claims', '{"role":"survest_admin"}', false)`;
    await kit().db.script(`${tables};
      insert into layers.towns (code, name) values (1, 'Aa'), (2, 'Bb'), (3, 'Cc'), (null, 'Dd');
      insert into layers.people (nr, name, einwohner, about) values (' 1', 'A', 100, '{"a": 1}'), ('2', 'B', 200, null), ('9', 'X', 9, null);
      reset role`);
    const path = `/api/v2/layers/${towns.pk}/joins/`;
    const wish = { table: Number(people.pk), layer_key: 'code', table_key: 'nr' };
    const count = { rows: 4, matched: 2, ambiguous: 0, unmatched: ['3'], unused: ['9'] };
    expect(await ada.post(`${path}preview/`, wish)).toMatchReply({
      status: 200,
      json: { ...count, id: null, columns: [] },
    });
    expect(await ada.post(path, wish)).toMatchReply({ status: 400, json: { columns: [expect.any(String)] } });
    const columns = ['name', 'einwohner', 'about'];
    const joined = await ada.post(path, { ...wish, columns });
    expect(joined).toMatchReply({ status: 201 });
    const { id, ...said } = bodyOf<{ id: number }>(joined);
    const pairs = [
      { from: 'name', to: 'name_2' },
      { from: 'einwohner', to: 'einwohner' },
      { from: 'about', to: 'about' },
    ];
    expect(said).toEqual({ ...count, columns: pairs });
    const values = async () =>
      bodyOf<{ features: { properties: Record<string, unknown> }[] }>(
        await ada.get(`/ogc/collections/${towns.name}/items?limit=10`),
      ).features.map(({ properties: { code, name_2, einwohner, about } }) => [code, name_2, einwohner, about]);
    expect(await values()).toEqual([
      [1, 'A', 100, { a: 1 }],
      [2, 'B', 200, null],
      [3, null, null, null],
      [null, null, null, null],
    ]);
    expect((await ada.get(`/ogc/collections/${towns.name}/items?filter=einwohner>150`)).status).toBe(200);
    const described = bodyOf<{ layer: Made }>(await ada.get(`/api/v2/layers/${towns.pk}/`)).layer.attribute_set;
    expect(described).toContainEqual(
      expect.objectContaining({ attribute: 'einwohner', attribute_label: 'Einwohner', attribute_type: 'xsd:long' }),
    );
    const { edits } = bodyOf<{ edits: object[] }>(await ada.get(`/ogc/collections/${towns.name}/history`));
    expect(edits[0]).toMatchObject({ kind: 'bulk', bulk: 'join', rows: 2, by: 'ada' });
    // Who would delete the table is told.
    expect(await ada.get(`/api/v2/resources/${people.pk}/used_by/`)).toMatchReply({
      status: 200,
      json: {
        items: [{ id: Number(towns.pk), resource_type: 'layer', title: 'Towns' }],
        total: 1,
        others: 0,
      },
    });

    // The table changes: that is told, and the values are taken again, under whatever names the columns have now.
    const listed = async () => bodyOf<{ joins: { changed: boolean }[] }>(await ada.get(path)).joins;
    expect(await listed()).toMatchObject([{ id, title: 'People', changed: false, rows: 4, matched: 2, by: 'ada' }]);
    await kit().db.script(`${tables};
      update layers.people set einwohner = 111 where nr = ' 1'; delete from layers.people where nr = '2';
      insert into layers.people (nr, einwohner) values ('3', 300); reset role`);
    expect(await listed()).toMatchObject([{ changed: true }]);
    for (const [table, column, name] of [
      [towns.pk, 'einwohner', 'Population'],
      [people.pk, 'nr', 'Code'],
    ])
      expect((await ada.patch(`/api/v2/layers/${table}/columns/${column}/`, { name })).status).toBe(200);
    expect(await ada.post(`${path}${id}/refresh/`)).toMatchReply({
      status: 200,
      json: expect.objectContaining({ id, matched: 2 }),
    });
    expect(await listed()).toMatchObject([{ changed: false, table_key: 'code' }]);
    expect(
      await kit().db.query(
        'select code, name_2, population::integer from layers.towns where code is not null order by fid',
      ),
    ).toEqual([
      { code: 1, name_2: 'A', population: 111 },
      { code: 2, name_2: null, population: null },
      { code: 3, name_2: null, population: 300 },
    ]);

    // Two rows of one key do not say which is meant.
    await kit().db.script(`${tables}; insert into layers.people (code) values ('3'); reset role`);
    expect(await ada.post(`${path}preview/`, { ...wish, table_key: 'code' })).toMatchReply({
      status: 200,
      json: expect.objectContaining({ ambiguous: 1 }),
    });
    expect((await ada.post(`${path}${id}/refresh/`)).status).toBe(400);
    for (const wrong of [
      { ...wish, table_key: 'nothing', columns },
      { ...wish, table_key: 'code', layer_key: 'geom', columns },
      { ...wish, table_key: 'einwohner', columns: ['nothing'] },
      { ...wish, colour: 1 },
    ])
      expect((await ada.post(path, wrong)).status).toBe(400);

    // It takes the permissions of both.
    const [bob, mia] = [await as('bob'), await as('mia')];
    expect((await bob.get(path)).status).toBe(403);
    expect((await bob.post(`${path}preview/`, wish)).status).toBe(403);
    expect((await mia.post(`${path}preview/`, wish)).status).toBe(404);
    const bobs = await bob.post('/api/v2/layers/empty/', {
      title: 'Of Bob',
      geometry: 'point',
      columns: [{ name: 'Code', type: 'integer' }],
    });
    const own = `/api/v2/layers/${bodyOf<{ layer: Made }>(bobs).layer.pk}/joins/preview/`;
    expect((await bob.post(own, { ...wish, table_key: 'code' })).status).toBe(404);
    expect((await kit().portal.visitor.post(path, wish)).status).toBe(401);

    // Forgotten, the values stay.
    expect((await bob.delete(`${path}${id}/`)).status).toBe(403);
    expect((await ada.delete(`${path}${id}/`)).status).toBe(204);
    expect((await ada.delete(`${path}${id}/`)).status).toBe(404);
    expect(await listed()).toEqual([]);
    expect(await kit().db.query('select from layers.towns where population = 111')).toHaveLength(1);
  });

  test('is changed by several at once one after the other, and takes nothing of a table that is deleted meanwhile', async () => {
    const ada = await as('ada');
    const column = (name: string) => ({ name, type: 'integer' });
    const rivers = await make({ title: 'Rivers', geometry: 'none', columns: [column('Code')] });
    const gauges = await make({
      title: 'Gauges',
      geometry: 'none',
      columns: [column('Nr'), column('Level'), column('Flow')],
    });
    const admin = `set role survest_admin; select set_config('request.jwt.claims', '{"role":"survest_admin"}', false)`;
    await kit().db.script(`${admin}; insert into layers.rivers (code) values (1), (2);
      insert into layers.gauges (nr, level, flow) values (1, 10, 100), (2, 20, 200); reset role`);
    const joins = ({ pk }: Made): string => `/api/v2/layers/${pk}/joins/`;
    const wish = { table: Number(gauges.pk), layer_key: 'code', table_key: 'nr' };

    // The same twice is one join; others get columns of their own; and neither of two tables waits for the other.
    const [first, second, other, back] = await Promise.all([
      ada.post(joins(rivers), { ...wish, columns: ['level'] }),
      ada.post(joins(rivers), { ...wish, columns: ['level'] }),
      ada.post(joins(rivers), { ...wish, columns: ['flow'] }),
      ada.post(joins(gauges), { table: Number(rivers.pk), layer_key: 'nr', table_key: 'code', columns: ['code'] }),
    ]);
    expect([first, second, other, back].map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(bodyOf<{ id: number }>(first).id).toBe(bodyOf<{ id: number }>(second).id);
    expect(await kit().db.query('select code, level, flow from layers.rivers order by code')).toEqual([
      { code: 1, level: 10, flow: 100 },
      { code: 2, level: 20, flow: 200 },
    ]);
    const columns = `/api/v2/layers/${rivers.pk}/columns/`;
    const added = await Promise.all([1, 2, 3].map(() => ada.post(columns, { name: 'Note', type: 'text' })));
    expect(added.map((reply) => bodyOf(reply)['name']).sort()).toEqual(['note', 'note_2', 'note_3']);
    const dropped = await Promise.all([1, 2].map(() => ada.delete(`${columns}note/`)));
    expect(dropped.map(({ status }) => status).sort()).toEqual([200, 404]);

    // While a join waits for its turn, its table is deleted.
    const { id } = bodyOf<{ id: number }>(first);
    const held = `select pg_advisory_lock(portal_private.hold_number(${rivers.pk}))`;
    const isShared = kit().db.engine === 'postgres';
    if (isShared) await kit().db.query(held);
    const waiting = isShared ? ada.post(`${joins(rivers)}${id}/refresh/`) : undefined;
    while (
      isShared &&
      (await kit().db.query(`select from pg_locks where locktype = 'advisory' and not granted`)).length === 0
    );
    expect((await ada.delete(`/api/v2/resources/${gauges.pk}/`)).status).toBe(204);
    if (isShared) await kit().db.query(held.replace('pg_advisory_lock', 'pg_advisory_unlock'));
    expect((await (waiting ?? ada.post(`${joins(rivers)}${id}/refresh/`))).status).toBe(404);
    expect((await ada.post(joins(rivers), { ...wish, columns: ['level'] })).status).toBe(404);
    expect(await kit().db.query('select level from layers.rivers where level is not null')).toHaveLength(2);
  });

  test('is read and written in SQL by administrators: as administrators, reading unless they say so, and noted', async () => {
    const admin = kit().portal.as('admin');
    const made = await make({ title: 'Sums', geometry: 'none', columns: [{ name: 'N', type: 'bigint' }] });
    type Told = { columns: string[]; rows: (string | null)[][]; more: boolean; written: number | null; plan?: unknown };
    const run = async (statement: string, more: object = {}): Promise<Reply> =>
      admin.post('/api/v2/sql/', { statement, ...more });
    const told = async (statement: string, more: object = {}): Promise<Told> => {
      const reply = await run(statement, more);
      expect(reply, statement).toMatchReply({ status: 200 });
      return bodyOf<Told>(reply);
    };
    const insert = 'insert into sums (n) select 9007199254740993 + g from generate_series(0, 1500) g';
    expect(await run(insert)).toMatchReply({
      status: 400,
      json: [expect.stringContaining('read-only transaction')],
    });
    expect(await told(insert, { writes: true })).toEqual({ columns: [], rows: [], more: false, written: 1501 });
    expect(await told('select min(n) as n, null as n, count(*) from sums')).toEqual({
      columns: ['n', 'n', 'count'],
      rows: [['9007199254740993', null, '1501']],
      more: false,
      written: null,
    });
    const many = await told('-- all\nselect fid from sums order by 1;');
    expect([many.rows.length, many.more]).toEqual([1000, true]);
    expect((await told('update sums set n = 1 where fid <= 2 returning fid', { writes: true })).rows).toEqual([
      ['1'],
      ['2'],
    ]);
    expect(await told('select fid, n from sums where false')).toMatchObject({
      columns: [/fid/, /n/].map((one) => expect.stringMatching(one)),
      rows: [],
    });
    expect((await told(`select repeat('x', 20000)`)).rows[0]?.[0]).toHaveLength(10_001);
    expect((await told('select * from sums', { action: 'explain' })).plan).toMatchObject([
      { Plan: { 'Total Cost': expect.any(Number) } },
    ]);
    expect((await told('select * from sums', { action: 'analyze' })).plan).toMatchObject([
      { Plan: { 'Actual Rows': 1501 } },
    ]);
    expect((await run('delete from sums', { action: 'analyze' })).status).toBe(400);
    expect((await run('delete from sums', { action: 'analyze', writes: true })).status).toBe(400);
    for (const wrong of [
      {},
      { statement: '' },
      { statement: 'select 1', colour: 1 },
      { statement: 'x'.repeat(20_001) },
    ])
      expect((await admin.post('/api/v2/sql/', wrong)).status).toBe(400);

    // Edits are theirs in the history, and every statement is in the audit log.
    expect(bodyOf<{ edits: object[] }>(await admin.get(`/api/v2/layers/${made.pk}/history/`)).edits[0]).toMatchObject({
      by: 'admin',
    });
    const log = bodyOf<{ entries: { detail: object }[] }>(await admin.get('/api/v2/audit/?act=sql&limit=100'));
    expect(log.entries.map(({ detail }) => detail)).toContainEqual({ statement: insert, wanted: 'run', writes: true });

    for (const [statement, said] of REFUSED) {
      const reply = await run(statement);
      expect([statement, reply.status], textOf(reply.body)).toEqual([statement, 400]);
      expect(textOf(reply.body), statement).toMatch(said);
    }
    for (const [statement, said] of [...REFUSED, ...REFUSED_TO_WRITE]) {
      const reply = await run(statement, { writes: true });
      expect([statement, reply.status], textOf(reply.body)).toEqual([statement, 400]);
      expect(textOf(reply.body), statement).toMatch(said);
    }
    // Nothing stays on the connection, whoever has it next.
    await told('select pg_advisory_lock(4712)', { writes: true });
    await told('select pg_advisory_lock(4712)');
    expect(await kit().db.query(`select from pg_locks where locktype = 'advisory' and objid = 4712`)).toEqual([]);
    if (kit().db.engine === 'postgres') {
      // Values of sequences, and what else a session remembers, end with it. The embedded engine has one session for all.
      const [[pid] = []] = (await told('select pg_backend_pid()', { writes: true })).rows;
      const open = (): Promise<unknown[]> => kit().db.query('select from pg_stat_activity where pid = $1', [pid]);
      await expect.poll(open).toEqual([]);
    }
    expect((await admin.get(`/api/v2/layers/${made.pk}/`)).status).toBe(200);

    const nobody = { statement: 'select 1' };
    expect((await (await as('bob')).post('/api/v2/sql/', nobody)).status).toBe(403);
    expect((await kit().portal.visitor.post('/api/v2/sql/', nobody)).status).toBe(401);

    // Switched off by the settings, it is refused to administrators, too.
    await kit().db.query('select portal.set_sql_console(false)');
    expect(await run('select 1')).toMatchReply({
      status: 403,
      json: { detail: 'SQL for administrators is switched off by the setting sql-console.' },
    });
    // The function itself refuses, whichever way leads to it.
    const caller = {
      kind: 'account',
      id: kit().portal.ids.admin,
      username: 'admin',
      role: 'survest_admin',
      via: 'session',
    } as const;
    const direct = await kit().portal.callerDb.read(caller, { method: 'GET', path: '/' }, [
      { text: `select portal.run_sql('select 1', 'run', 1)`, params: [] },
    ]);
    expect(direct).toMatchObject({
      ok: false,
      error: { sqlstate: '42501', detail: expect.stringContaining('sql-console') },
    });
    await kit().db.query('select portal.set_sql_console(true)');
    expect(await told('select 1')).toMatchObject({ rows: [['1']] });
  });

  test('is a table of the database that an administrator registers: read under our permissions, and left where it is', async () => {
    const admin = kit().portal.bearer(await kit().portal.tokenOf('admin'));
    const bob = await as('bob');
    const path = '/api/v2/database_tables/';
    await kit().db.script(`
      create schema cadastre;
      create table cadastre.parcel (nr text primary key, area numeric, geom public.geometry(Polygon, 25832));
      comment on column cadastre.parcel.area is 'Area (m²)';
      insert into cadastre.parcel values ('a', 12.5, public.st_makeenvelope(500000, 5500000, 500100, 5500100, 25832)), ('b', 3, null);
      create view cadastre.owner as select nr as parcel, 'Ada' as name from cadastre.parcel;
      create table cadastre.secret (id integer primary key, who text);
      alter table cadastre.secret enable row level security;
      create view cadastre.leak as select * from cadastre.secret;
      create table cadastre.closed (id integer primary key);
      grant usage on schema cadastre to survest_authenticator;
      grant select on cadastre.parcel, cadastre.owner, cadastre.secret, cadastre.leak to survest_authenticator`);
    expect((await bob.get(path)).status).toBe(403);
    expect((await bob.post(path, { schema: 'cadastre', table: 'parcel' })).status).toBe(403);
    expect((await kit().portal.visitor.get(path)).status).toBe(401);
    type Found = { name: string; key: string | null; geometry: string | null; fault: string | null };
    const { tables } = bodyOf<{ tables: Found[] }>(await admin.get(`${path}?search=CADASTRE.`));
    expect(tables.map(({ name, key, geometry }) => [name, key, geometry])).toEqual([
      ['closed', 'id', null],
      ['leak', null, null],
      ['owner', null, null],
      ['parcel', 'nr', 'geom'],
      ['secret', 'id', null],
    ]);
    const faults = Object.fromEntries(tables.map(({ name, fault }) => [name, fault]));
    expect(faults).toMatchObject({ parcel: null, owner: null });
    for (const name of ['secret', 'leak']) {
      expect(faults[name]).toContain('row security');
      expect((await admin.post(path, { schema: 'cadastre', table: name, key: 'id' })).status).toBe(400);
    }
    // The embedded database has one login, which reads everything.
    if (kit().db.uri !== undefined) expect(faults['closed']).toContain('grant select on cadastre.closed');
    for (const [schema, table] of [
      ['survest', 'migration'],
      ['portal', 'account'],
      ['pg_catalog', 'pg_class'],
      ['cadastre', 'nothing'],
    ])
      expect((await admin.post(path, { schema, table })).status).toBe(404);

    const shared = { users: { bob: ['view_resourcebase', 'download_resourcebase'] }, groups: {} };
    const made = await admin.post(path, { schema: 'cadastre', table: 'parcel', title: 'Parcels', permissions: shared });
    expect(made).toMatchReply({ status: 201 });
    const { layer } = bodyOf<{ layer: Made & { is_registered: boolean } }>(made);
    expect(layer).toMatchObject({ subtype: 'vector', srid: 'EPSG:25832', is_registered: true });
    expect(layer.perms).not.toContain('change_layer_data');
    expect(layer.perms).toContain('delete_resourcebase');
    const items = `/ogc/collections/${layer.name}/items`;
    const read = bodyOf<{ features: { id: string; properties: object }[] }>(await bob.get(items)).features;
    expect(read.map(({ id, properties }) => [id, properties])).toEqual([
      ['a', { area: 12.5 }],
      ['b', { area: 3 }],
    ]);
    // What is changed in the database is seen at once.
    await kit().db.script(`update cadastre.parcel set area = 4 where nr = 'b'`);
    expect(bodyOf<{ properties: object }>(await bob.get(`${items}/b`)).properties).toEqual({ area: 4 });
    expect((await bob.get(`/download/${layer.pk}.csv`)).status).toBe(200);
    const extent = bodyOf<{ extent: { spatial: { bbox: number[][] } } }>(
      await bob.get(`/ogc/collections/${layer.name}`),
    );
    expect(extent.extent.spatial.bbox[0]?.map(Math.round)).toEqual([9, 50, 9, 50]);
    // Nobody else sees it, and nobody writes.
    expect((await (await as('mia')).get(items)).status).toBe(404);
    const feature = { type: 'Feature', geometry: null, properties: { nr: 'c' } };
    expect((await admin.post(items, feature)).status).toBe(403);
    expect((await admin.delete(`${items}/a`)).status).toBe(403);
    expect((await admin.get(`/api/v2/layers/${layer.pk}/columns/`)).status).toBe(403);
    await kit().db.script(`
      begin; select set_config('role', 'survest_user', true), set_config('request.jwt.claims', '{"sub": "${kit().portal.ids.mia}", "role": "survest_user"}', true);
      do $$ begin if exists (select from layers."${layer.name}") then raise exception 'mia sees rows'; end if; end $$; commit`);

    // A view without places is a plain table; its key is said, and has to be one.
    const view = { schema: 'cadastre', table: 'owner' };
    expect((await admin.post(path, view)).status).toBe(400);
    expect((await admin.post(path, { ...view, key: 'name' })).status).toBe(400);
    const table = bodyOf<{ layer: Made }>(await admin.post(path, { ...view, key: 'parcel' })).layer;
    expect(table.subtype).toBe('tabular');

    // Deleted for good, the layer is gone and the table is not.
    for (const { pk } of [layer, table]) {
      expect((await admin.delete(`/api/v2/layers/${pk}/`)).status).toBe(204);
      await kit().db.query(`delete from portal.resource where id = ${pk}`);
    }
    expect(
      await kit().db.query(
        `select relname from pg_class where relnamespace = 'layers'::regnamespace and relkind = 'v'`,
      ),
    ).toEqual([]);
    expect(await kit().db.query('select nr from cadastre.parcel order by nr')).toEqual([{ nr: 'a' }, { nr: 'b' }]);
    expect(await kit().db.query('select from cadastre.owner')).toHaveLength(2);
  });
});
