// What each collection has of its own (section 11 of the reference), and the collections to look around by.

import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, idOf, membersOf, onCatalogue, scriptAs, sweepEach } from './on-catalogue.ts';
import { fillCatalogue, PUBLIC_TITLES } from './world.ts';

onCatalogue('collections', {}, (portal) => {
  const id: Record<string, number> = {};
  beforeAll(async () => {
    await fillCatalogue(portal());
    for (const title of PUBLIC_TITLES) id[title] = await idOf(portal(), title);
  });
  sweepEach(portal);

  describe('resources', () => {
    test.each([
      ['approved', ['Dashboard', 'A walk along the river', 'Annual report', 'Rivers and roads', 'Rivers']],
      ['published', ['A walk along the river', 'Annual report', 'Rivers and roads', 'Lakes', 'Rivers']],
      ['featured', ['Lakes']],
    ])('%s are a list of their own', async (name, expected) => {
      const reply = await portal().visitor.get(`/api/v2/resources/${name}/`);
      expect(membersOf(reply, 'resources')).toEqual(expected);
      expect(bodyOf(reply)).toMatchObject({ total: expected.length, page: 1, page_size: 10 });
      expect(membersOf(await portal().visitor.get(`/api/v2/resources/${name}?page_size=1`), 'resources')).toEqual(
        expected.slice(0, 1),
      );
    });

    test('have types', async () => {
      expect(await portal().visitor.get('/api/v2/resources/resource_types/')).toMatchReply({
        status: 200,
        json: { resource_types: ['layer', 'map', 'document', 'geostory'] },
      });
    });

    test('an item tells everything about itself', async () => {
      const { resource } = bodyOf<{ resource: Record<string, unknown> }>(
        await portal().visitor.get(`/api/v2/resources/${id['Rivers']}`),
      );
      expect(resource).toEqual({
        pk: String(id['Rivers']),
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        resource_type: 'layer',
        polymorphic_ctype_id: '58',
        perms: ['view_resourcebase', 'download_resourcebase'],
        owner: {
          pk: portal().ids.ada,
          username: 'ada',
          first_name: 'Ada',
          last_name: 'Tester',
          avatar: expect.stringMatching(/^http:/),
          perms: ['add_resource'],
        },
        poc: expect.objectContaining({ username: 'ada' }),
        metadata_author: expect.objectContaining({ username: 'ada' }),
        title: 'Rivers',
        abstract: 'Flowing <b>water</b> of the north',
        attribution: null,
        doi: '10.1/rivers',
        alternate: 'portal:rivers',
        date: '2020-03-01T10:00:00.000000Z',
        date_type: 'publication',
        edition: null,
        purpose: null,
        maintenance_frequency: null,
        restriction_code_type: null,
        constraints_other: null,
        license: { identifier: 'odbl' },
        language: 'eng',
        category: { identifier: 'inlandWaters' },
        spatial_representation_type: null,
        temporal_extent_start: '2019-01-01T00:00:00.000000Z',
        temporal_extent_end: null,
        supplemental_information: 'No information provided',
        data_quality_statement: null,
        bbox_polygon: {
          type: 'Polygon',
          coordinates: [
            [
              [5, 45],
              [5, 55],
              [15, 55],
              [15, 45],
              [5, 45],
            ],
          ],
        },
        ll_bbox_polygon: {
          type: 'Polygon',
          coordinates: [
            [
              [5, 45],
              [5, 55],
              [15, 55],
              [15, 45],
              [5, 45],
            ],
          ],
        },
        extent: { coords: [5, 45, 15, 55], srid: 'EPSG:4326' },
        srid: 'EPSG:4326',
        group: null,
        keywords: [
          { name: 'north', slug: 'north' },
          { name: 'water', slug: 'water' },
        ],
        regions: [],
        popular_count: String(id['Rivers']),
        share_count: '0',
        rating: '0',
        rating_average: 0,
        rating_count: 0,
        comment_count: 0,
        featured: false,
        is_published: true,
        is_approved: true,
        metadata_only: false,
        is_copyable: false,
        processed: true,
        detail_url: 'http://localhost/layers/portal:rivers',
        embed_url: 'http://localhost/layers/portal:rivers/embed',
        thumbnail_url: null,
        created: expect.stringMatching(/Z$/),
        last_updated: expect.stringMatching(/^2024-01-01T00:/),
        raw_abstract: 'Flowing water of the north',
        raw_purpose: '',
        raw_constraints_other: '',
        raw_supplemental_information: 'No information provided',
        raw_data_quality_statement: '',
        subtype: null,
        link: `http://localhost/api/v2/layers/${id['Rivers']}`,
        // Metadata in every format.
        links: Array(5).fill(expect.objectContaining({ link_type: 'metadata' })),
        tkeywords: [],
      });
    });

    test.each(['999999', '0', 'abc', '1.5', '99999999999', '%00', "1'--"])('%s is not there', async (address) => {
      expect(await portal().visitor.get(`/api/v2/resources/${address}`)).toMatchReply({
        status: 404,
        json: { detail: 'Not found.' },
      });
    });

    test('a view is counted for whoever sees the item, and changes nothing else of it', async () => {
      const path = `/api/v2/layers/${id['Lakes']}`;
      type Seen = { readonly layer: { readonly popular_count: string; readonly last_updated: string } };
      const before = bodyOf<Seen>(await portal().visitor.get(path)).layer;
      expect(await portal().visitor.post(`/api/v2/resources/${id['Lakes']}/views/`)).toMatchReply({ status: 204 });
      expect(await portal().as('bob').post(`/api/v2/resources/${id['Lakes']}/views`)).toMatchReply({ status: 204 });
      expect(bodyOf<Seen>(await portal().visitor.get(path)).layer).toEqual({
        ...before,
        popular_count: String(Number(before.popular_count) + 2),
      });
      const mines = await idOf(portal(), 'Secret mines');
      expect(await portal().as('ada').post(`/api/v2/resources/${mines}/views/`)).toMatchReply({ status: 404 });
      expect(await portal().visitor.post('/api/v2/resources/999999/views/')).toMatchReply({ status: 404 });
    });

    test('favourites are each account’s own', async () => {
      const lakes = `/api/v2/resources/${id['Lakes']}/favorite/`;
      expect(await portal().visitor.get('/api/v2/resources/favorites')).toMatchReply({ status: 401 });
      expect(await portal().visitor.post(lakes)).toMatchReply({ status: 401 });
      expect(await portal().as('bob').post(lakes)).toMatchReply({ status: 201 });
      expect(await portal().as('bob').post(lakes)).toMatchReply({ status: 400 });
      expect(membersOf(await portal().as('bob').get('/api/v2/resources/favorites'), 'resources')).toEqual(['Lakes']);
      expect(membersOf(await portal().as('bob').get('/api/v2/layers?favorite=true'), 'layers')).toEqual(['Lakes']);
      expect(bodyOf(await portal().as('bob').get(`/api/v2/layers/${id['Lakes']}?include[]=favorite`))).toMatchObject({
        layer: { favorite: true },
      });
      expect(membersOf(await portal().as('ada').get('/api/v2/resources/favorites'), 'resources')).toEqual([]);
      expect(membersOf(await portal().visitor.get('/api/v2/layers?favorite=true'), 'layers')).toEqual([]);
      expect(bodyOf(await portal().visitor.get(`/api/v2/layers/${id['Lakes']}?include[]=favorite`))).toMatchObject({
        layer: { favorite: false },
      });
      expect(await portal().as('bob').delete(lakes)).toMatchReply({ status: 200 });
      expect(await portal().as('bob').delete(lakes)).toMatchReply({ status: 404 });
      expect(
        await portal()
          .as('ada')
          .post(`/api/v2/resources/${await idOf(portal(), 'Secret mines')}/favorite`),
      ).toMatchReply({ status: 404 });
    });
  });

  describe('layers', () => {
    test('have styles and attributes, embedded and under paths of their own', async () => {
      const { layer } = bodyOf<{ layer: Record<string, unknown> }>(
        await portal().visitor.get(`/api/v2/layers/${id['Rivers']}`),
      );
      const style = {
        pk: expect.any(Number),
        name: 'blue',
        workspace: 'portal',
        sld_title: null,
        sld_body: '<sld/>',
        sld_version: '1.0.0',
        sld_url: expect.stringMatching(/^http:\/\/localhost\/styles\//),
      };
      expect(layer).toMatchObject({
        name: 'rivers',
        workspace: 'portal',
        charset: 'UTF-8',
        default_style: style,
        styles: [style],
        attribute_set: [{ attribute: 'name', min: 'NA', featureinfo_type: 'type_property' }, { attribute: 'length' }],
      });
      expect(await portal().visitor.get(`/api/v2/layers/${id['Rivers']}/styles/`)).toMatchReply({
        status: 200,
        json: { styles: [style] },
      });
      expect(bodyOf(await portal().visitor.get(`/api/v2/layers/${id['Rivers']}/attribute_set`))).toMatchObject({
        attributes: [{ attribute: 'name' }, { attribute: 'length' }],
      });
      expect(await portal().visitor.get(`/api/v2/datasets/${id['Lakes']}/styles/`)).toMatchReply({
        status: 200,
        json: { styles: [] },
      });
    });

    test('go by a second name, for who knows them by it', async () => {
      expect(bodyOf(await portal().visitor.get(`/api/v2/datasets/${id['Rivers']}`))).toMatchObject({
        dataset: { title: 'Rivers' },
      });
      expect(
        bodyOf(
          await portal()
            .as('ada')
            .post('/api/v2/datasets', { dataset: { title: 'By another name' } }),
        ),
      ).toMatchObject({
        dataset: { title: 'By another name', name: 'By_another_name', alternate: 'portal:By_another_name' },
      });
      expect(membersOf(await portal().visitor.get('/api/v2/layers?search=another'), 'layers')).toEqual([
        'By another name',
      ]);
    });
  });

  describe('relation paths', () => {
    test('take include and exclude of the related records, and no filters', async () => {
      expect(
        await portal().visitor.get(`/api/v2/layers/${id['Rivers']}/styles?exclude[]=*&include[]=name`),
      ).toMatchReply({ status: 200, json: { styles: [{ name: 'blue' }] } });
      expect(await portal().visitor.get(`/api/v2/layers/${id['Rivers']}/styles?filter{name}=blue`)).toMatchReply({
        status: 400,
        json: ['Filtering is not enabled on relation endpoints.'],
      });
      expect(await portal().visitor.get(`/api/v2/layers/${id['Rivers']}/styles?exclude[]=nope`)).toMatchReply({
        status: 400,
        json: { detail: '"nope" is not a valid field name for "style".' },
      });
    });

    test('of an unknown item say so in their own way; other fields have none', async () => {
      expect(await portal().visitor.get('/api/v2/layers/999999/styles')).toMatchReply({
        status: 404,
        json: 'Not found',
      });
      expect(await portal().visitor.get(`/api/v2/layers/${await idOf(portal(), 'Secret mines')}/styles`)).toMatchReply({
        status: 404,
        json: 'Not found',
      });
      for (const field of ['title', 'owner', 'nope', '__proto__', 'constructor', 'data'])
        expect(await portal().visitor.get(`/api/v2/layers/${id['Rivers']}/${field}`)).toMatchReply({ status: 404 });
    });
  });

  describe('maps', () => {
    test('list their layers from the bottom, and those of the portal whole', async () => {
      const layers = bodyOf<Record<string, unknown>[]>(
        await portal().visitor.get(`/api/v2/maps/${id['Rivers and roads']}/layers/`),
      );
      expect(layers).toEqual([
        expect.objectContaining({ name: 'osm', stack_order: 0, opacity: 1, local: false }),
        expect.objectContaining({
          name: 'portal:rivers',
          stack_order: 1,
          opacity: 0.5,
          visibility: true,
          transparent: true,
          layer_params: '{}',
        }),
      ]);
      expect(Object.keys(layers[0] ?? {})).toEqual([
        'pk',
        'name',
        'store',
        'stack_order',
        'format',
        'opacity',
        'styles',
        'transparent',
        'fixed',
        'group',
        'visibility',
        'ows_url',
        'layer_params',
        'source_params',
        'local',
      ]);
      const local = bodyOf<Record<string, unknown>[]>(
        await portal().visitor.get(`/api/v2/maps/${id['Rivers and roads']}/local_layers/`),
      );
      expect(local.map(({ title }) => title)).toEqual(['Rivers']);
      expect(local[0]).toMatchObject({
        styles: [{ name: 'blue' }],
        attribute_set: [{ attribute: 'name' }, { attribute: 'length' }],
      });
    });

    test('that are not there have none', async () => {
      for (const path of ['layers', 'local_layers']) {
        expect(await portal().visitor.get(`/api/v2/maps/999999/${path}`)).toMatchReply({
          status: 404,
          json: { detail: 'Not found.' },
        });
        expect(await portal().visitor.get(`/api/v2/maps/${id['Rivers']}/${path}`)).toMatchReply({ status: 404 });
      }
    });
  });

  describe('geoapps and geostories', () => {
    test('keep one document, shown when asked for and replaced as a whole', async () => {
      const made = await portal()
        .as('ada')
        .post('/api/v2/geostories?include[]=data', { name: 'story', data: '{"a": [1, 2]}', abstract: 'x' });
      expect(made.status).toBe(201);
      const { geostory } = bodyOf<{ geostory: Record<string, unknown> }>(made);
      expect(geostory).toMatchObject({
        name: 'story',
        title: 'story',
        app_type: 'GeoStory',
        resource_type: 'geostory',
        data: { a: [1, 2] },
        zoom: null,
      });
      const path = `/api/v2/geostories/${geostory['pk']}`;
      expect(await portal().visitor.get(`${path}/data/`)).toMatchReply({
        status: 200,
        json: { GeoAppData: { a: [1, 2] } },
      });
      expect(
        await portal()
          .as('ada')
          .patch(path, { data: { b: null } }),
      ).toMatchReply({ status: 200 });
      expect(bodyOf(await portal().visitor.get(`${path}?include[]=data`))).toMatchObject({
        geostory: { data: { b: null } },
      });
      expect(
        await portal()
          .as('ada')
          .patch(path, { blob: { c: 1 } }),
      ).toMatchReply({ status: 200 });
      expect(await portal().visitor.get(`${path}/data`)).toMatchReply({ json: { GeoAppData: { c: 1 } } });
      expect(await portal().as('bob').patch(path, { data: {} })).toMatchReply({ status: 403 });
    });

    test('have names of their own', async () => {
      expect(await portal().as('bob').post('/api/v2/geoapps', { name: 'walk' })).toMatchReply({
        status: 400,
        json: ["A GeoApp with the same 'name' already exists!"],
      });
      expect(await portal().as('ada').post('/api/v2/geoapps', { name: 'mine', owner: 'nobody' })).toMatchReply({
        status: 400,
        json: ["The specified 'owner' does not exist!"],
      });
      expect(
        bodyOf(await portal().as('ada').post('/api/v2/geoapps', { name: 'mine', owner: 'ada', title: 'T' })),
      ).toMatchObject({ geoapp: { name: 'mine', title: 'T', owner: { username: 'ada' } } });
    });
  });

  test('documents are told apart by subtype, too: their kind', async () => {
    const made = await portal()
      .as('ada')
      .post('/api/v2/documents/', { title: 'A picture elsewhere', doc_url: 'https://example.org/p.png' });
    expect(made.status).toBe(201);
    const found = await portal().visitor.get('/api/v2/documents/?filter{subtype}[]=image');
    expect(bodyOf<{ documents: unknown[] }>(found).documents).toMatchObject([
      { title: 'A picture elsewhere', subtype: 'image', doc_type: 'image' },
    ]);
    for (const subtype of ['remote', 'tabular'])
      expect(bodyOf(await portal().visitor.get(`/api/v2/resources/?filter{subtype.in}=${subtype}`))).toMatchObject({
        total: 0,
      });
    const { document } = bodyOf<{ document: { pk: string } }>(made);
    expect((await portal().as('ada').delete(`/api/v2/documents/${document.pk}`)).status).toBe(204);
  });

  test('layers are told apart by subtype, as field and filter, under both of their names', async () => {
    const ada = portal().as('ada');
    for (const [title, columns] of [
      ['Sub vector', `store_type = 'dataStore'`],
      ['Sub raster', `store_type = 'coverageStore'`],
      ['Sub time', `store_type = 'dataStore', has_time = true`],
    ] as const) {
      await ada.post('/api/v2/datasets', { title });
      await portal().db.script(`update portal.resource set ${columns} where title = '${title}'`);
    }
    const titles = async (target: string, list: string) =>
      bodyOf<Record<string, { title: string; subtype: string }[]>>(
        await ada.get(`/api/v2/${target}&filter{title.startswith}=Sub &sort[]=title`),
      )[list]?.map(({ title, subtype }) => [title, subtype]);
    const raster = ['Sub raster', 'raster'];
    const timed = ['Sub time', 'vector_time'];
    expect(await titles('datasets?x', 'datasets')).toEqual([raster, timed, ['Sub vector', 'vector']]);
    expect(await titles('layers?filter{subtype}=raster', 'layers')).toEqual([raster]);
    expect(
      await titles(
        'resources?filter{subtype.in}=raster&filter{subtype.in}=vector_time&filter{subtype.in}=remote',
        'resources',
      ),
    ).toEqual([raster, timed]);
    const [{ id } = { id: 0 }] = await portal().db.query<{ id: number }>(
      `select id from portal.resource where title = 'Sub time'`,
    );
    expect(await portal().as('bob').delete(`/api/v2/resources/${id}/delete`)).toMatchReply({ status: 403 });
    expect(await portal().visitor.delete(`/api/v2/resources/${id}/delete`)).toMatchReply({ status: 401 });
    expect(await ada.delete(`/api/v2/resources/${id}/delete/`)).toMatchReply({ status: 204 });
    expect(await ada.delete(`/api/v2/resources/${id}/delete/`)).toMatchReply({ status: 404 });
    await portal().db.script(`delete from portal.resource where title like 'Sub %'`);
  });

  describe('the extent of a map', () => {
    const polygon = (west: number, south: number, east: number, north: number) => ({
      type: 'Polygon',
      coordinates: [
        [
          [west, south],
          [west, north],
          [east, north],
          [east, south],
          [west, south],
        ],
      ],
    });

    test('is that of its layers that the caller sees, else of its view, and is not stored by sending it back', async () => {
      const ada = portal().as('ada');
      const view = { zoom: 2, projection: 'EPSG:3857', center_x: 0, center_y: 0 };
      const { pk } = bodyOf<{ map: { pk: string } }>(await ada.post('/api/v2/maps', { title: 'Placed', ...view })).map;
      const extent = async (client = ada) =>
        bodyOf<{ map: Record<string, unknown> }>(await client.get(`/api/v2/maps/${pk}`)).map['bbox_polygon'];
      const shown = (await extent()) as { coordinates: number[][][] };
      // Three of the four rows of tiles.
      expect(shown.coordinates[0]?.[0]).toEqual([-180, expect.closeTo(-79.171, 2)]);
      expect(shown.coordinates[0]?.[2]).toEqual([180, expect.closeTo(79.171, 2)]);
      const found = async (box: string, client = ada): Promise<readonly boolean[]> =>
        Promise.all(
          ['maps', 'resources'].map(async (list) =>
            membersOf(await client.get(`/api/v2/${list}?extent=${box}&page_size=100`), list, 'pk').includes(pk),
          ),
        );
      expect(await found('100,10,101,11')).toEqual([true, true]);
      expect(await found('100,80,101,85')).toEqual([false, false]);

      const layers: string[] = [];
      for (const [title, box] of [
        ['East', polygon(10, 10, 20, 20)],
        ['Secret', polygon(50, 50, 60, 60)],
      ] as const) {
        const made = await ada.post('/api/v2/layers', { title, bbox_polygon: box });
        layers.push(bodyOf<{ layer: { pk: string } }>(made).layer.pk);
      }
      await ada.put(`/api/v2/resources/${layers[1]}/set_perms`, {});
      await portal().db.script(
        layers
          .map(
            (id, n) =>
              `insert into portal.map_layer (map_id, layer_id, stack_order, name) values (${pk}, ${id}, ${n}, 'x')`,
          )
          .join(';'),
      );
      expect(await extent()).toEqual(polygon(10, 10, 60, 60));
      expect(await extent(portal().visitor)).toEqual(polygon(10, 10, 20, 20));
      // A list is narrowed by the extent that it shows, and tells nobody of layers that are not for them.
      expect(await found('55,55,56,56')).toEqual([true, true]);
      expect(await found('55,55,56,56', portal().visitor)).toEqual([false, false]);
      expect(await found('15,15,16,16', portal().visitor)).toEqual([true, true]);
      expect(await found('70,70,71,71,15,15,16,16', portal().visitor)).toEqual([true, true]);
      expect(await found('100,10,101,11')).toEqual([false, false]);
      const { resource } = bodyOf<{ resource: Record<string, unknown> }>(
        await portal().visitor.get(`/api/v2/resources/${pk}`),
      );
      expect(resource).toMatchObject({ ll_bbox_polygon: polygon(10, 10, 20, 20) });

      const { map } = bodyOf<{ map: Record<string, unknown> }>(await ada.get(`/api/v2/maps/${pk}`));
      expect((await ada.put(`/api/v2/maps/${pk}`, map)).status).toBe(200);
      expect(await extent(portal().visitor)).toEqual(polygon(10, 10, 20, 20));
      await ada.patch(`/api/v2/maps/${pk}`, { bbox_polygon: polygon(1, 1, 2, 2) });
      expect(await extent(portal().visitor)).toEqual(polygon(1, 1, 2, 2));
      expect(await found('15,15,16,16')).toEqual([false, false]);
      expect(await found('1,1,3,3')).toEqual([true, true]);
      await ada.delete(
        '/api/v2/layers',
        layers.map((id) => ({ id })),
      );
      await ada.delete(`/api/v2/maps/${pk}`);
    });
  });

  describe('groups', () => {
    test('are for who is signed in; private ones for their members', async () => {
      await portal().db.script(
        `insert into portal.user_group (slug, title, access) values ('vault', 'Vault', 'private')`,
      );
      for (const path of [
        '',
        `/${portal().ids.surveyors}`,
        `/${portal().ids.surveyors}/members`,
        `/${portal().ids.surveyors}/resources`,
      ])
        expect(await portal().visitor.get(`/api/v2/groups${path}`)).toMatchReply({ status: 403 });
      expect(await portal().visitor.post('/api/v2/groups', { title: 'Mine' })).toMatchReply({ status: 403 });
      expect(membersOf(await portal().as('bob').get('/api/v2/groups'), 'group_profiles')).toEqual([
        'Registered members',
        'Surveyors',
      ]);
      expect(membersOf(await portal().as('admin').get('/api/v2/groups'), 'group_profiles')).toEqual([
        'Registered members',
        'Surveyors',
        'Vault',
      ]);
    });

    test('show members, managers and what they may see', async () => {
      await scriptAs(
        portal(),
        'mel',
        `insert into portal.resource (resource_type, title) values ('document', 'Of the surveyors'); select portal.set_perms(id, '{"groups": {"surveyors": ["view_resourcebase"]}}') from portal.resource where title = 'Of the surveyors'`,
      );
      const path = `/api/v2/groups/${portal().ids.surveyors}`;
      const names = async (part: string): Promise<unknown[]> =>
        bodyOf<{ username: string }[]>(await portal().as('bob').get(`${path}/${part}`)).map(({ username }) => username);
      expect(await names('members')).toEqual(['mel', 'mia']);
      expect(await names('managers')).toEqual(['mia']);
      expect(bodyOf<object[]>(await portal().as('bob').get(`${path}/members`))[0]).toEqual({
        pk: portal().ids.mel,
        username: 'mel',
        first_name: 'Mel',
        last_name: 'Tester',
        avatar: expect.any(String),
        perms: ['add_resource'],
      });
      expect(
        bodyOf<{ title: string }[]>(await portal().as('mia').get(`${path}/resources`)).map(({ title }) => title),
      ).toEqual(['Of the surveyors']);
      expect(await portal().as('bob').get(`${path}/resources`)).toMatchReply({ status: 200, json: [] });
      expect(await portal().as('bob').get('/api/v2/groups/999999/members')).toMatchReply({ status: 404 });
    });

    test('are made by administrators where accounts may not, and changed by their managers, but not renamed', async () => {
      const body = { title: 'Divers', slug: 'divers', description: '', keywords: ['Water'], access: 'public-invite' };
      const turn = (on: boolean) => portal().as('admin').patch('/api/v2/settings/', { GROUPS_BY_ACCOUNTS: on });
      await turn(false);
      expect(await portal().as('ada').post('/api/v2/groups', body)).toMatchReply({ status: 403 });
      await turn(true);
      const made = await portal().as('admin').post('/api/v2/groups', body);
      expect(made).toMatchReply({
        status: 201,
        json: {
          group_profile: {
            pk: expect.any(Number),
            title: 'Divers',
            group: { pk: expect.any(Number), name: 'divers' },
            slug: 'divers',
            logo: null,
            description: '',
            email: '',
            keywords: ['water'],
            access: 'public-invite',
            categories: [],
          },
        },
      });
      expect(await portal().as('admin').post('/api/v2/groups', body)).toMatchReply({
        status: 400,
        json: { slug: ['group profile with this slug already exists.'] },
      });
      const path = `/api/v2/groups/${portal().ids.surveyors}`;
      expect(await portal().as('mel').patch(path, { description: 'x' })).toMatchReply({ status: 403 });
      expect(
        await portal().as('mia').patch(path, { description: 'Measured', email: 'survey@example.org' }),
      ).toMatchReply({ status: 200, json: expect.objectContaining({ meta: { updated: 1 } }) });
      expect(await portal().as('mia').patch(path, { slug: 'other' })).toMatchReply({ status: 403 });
      expect(await portal().as('mia').delete(path)).toMatchReply({ status: 403 });
      expect(bodyOf(await portal().as('bob').get(path))).toMatchObject({
        group_profile: { description: 'Measured', email: 'survey@example.org', slug: 'surveyors' },
      });
      const { pk } = bodyOf<{ group_profile: { pk: number } }>(made).group_profile;
      expect(await portal().as('admin').delete(`/api/v2/groups/${pk}`)).toMatchReply({ status: 204 });
      expect(await portal().as('admin').delete('/api/v2/groups/2')).toMatchReply({ status: 403 });
    });

    test('are made by accounts, who then lead them, and get their name of the title', async () => {
      const make = async (body: object): Promise<{ pk: number; slug: string }> => {
        const reply = await portal().as('bob').post('/api/v2/groups/?include[]=role', body);
        expect(reply).toMatchReply({ status: 201 });
        return bodyOf<{ group_profile: { pk: number; slug: string } }>(reply).group_profile;
      };
      const made = await make({ title: 'Wässer & Böden – Süd', access: 'private' });
      expect(made).toMatchObject({ slug: 'wasser-boden-sud', role: 'manager', access: 'private', description: '' });
      const second = await make({ title: 'Wässer & Böden – Süd' });
      expect(second.slug).toMatch(/^wasser-boden-sud-[0-9a-f]{4}$/);
      expect((await make({ title: '水' })).slug).toBe('group');
      const mine = await portal()
        .as('bob')
        .get('/api/v2/groups/?filter{role.in}=manager&filter{role.in}=member&include[]=role');
      expect(membersOf(mine, 'group_profiles', 'role')).toEqual(['manager', 'manager', 'manager']);
      expect((await portal().as('ada').get(`/api/v2/groups/${made.pk}/`)).status).toBe(404);
      expect((await portal().visitor.post('/api/v2/groups/', { title: 'x' })).status).toBe(403);
      // One that others are in is theirs as well.
      const members = `/api/v2/groups/${second.pk}/members/`;
      await portal().as('bob').post(members, { username: 'ada' });
      await portal().as('ada').put(`/api/v2/invitations/${second.pk}/`, { accept: true });
      expect((await portal().as('bob').delete(`/api/v2/groups/${second.pk}/`)).status).toBe(403);
      expect((await portal().as('ada').delete(`/api/v2/groups/${second.pk}/`)).status).toBe(403);
      await portal().as('ada').delete(`${members}${portal().ids.ada}/`);
      for (const { pk } of [made, second])
        expect((await portal().as('bob').delete(`/api/v2/groups/${pk}/`)).status).toBe(204);
      await portal()
        .as('bob')
        .delete(`/api/v2/groups/${(await make({ title: 'a' })).pk}/`);
    });

    test('can have categories', async () => {
      await portal().db.script(
        `insert into portal.group_category (slug, name) values ('science', 'Science'), ('art', 'Art')`,
      );
      const path = `/api/v2/groups/${portal().ids.surveyors}`;
      expect(
        await portal()
          .as('mia')
          .patch(path, { categories: ['science', { name: 'Art' }] }),
      ).toMatchReply({ status: 200 });
      expect(bodyOf(await portal().as('bob').get(path))).toMatchObject({
        group_profile: { categories: ['art', 'science'] },
      });
      expect(
        await portal()
          .as('mia')
          .patch(path, { categories: ['nope'] }),
      ).toMatchReply({
        status: 400,
        json: { categories: ['Invalid pk "nope" - group category object does not exist.'] },
      });
      expect(await portal().as('mia').patch(path, { categories: [] })).toMatchReply({ status: 200 });
    });
  });

  describe('users', () => {
    test('are seen by administrators, and each by itself', async () => {
      expect(membersOf(await portal().as('admin').get('/api/v2/users?page_size=100'), 'users', 'username')).toEqual([
        'ada',
        'admin',
        'bob',
        'gone',
        'mel',
        'mia',
      ]);
      expect(membersOf(await portal().as('bob').get('/api/v2/users'), 'users', 'username')).toEqual(['bob']);
      expect(await portal().visitor.get('/api/v2/users')).toMatchReply({
        status: 200,
        json: { links: { next: null, previous: null }, total: 0, page: 1, page_size: 10, users: [] },
      });
      expect(await portal().as('bob').get(`/api/v2/users/${portal().ids.bob}`)).toMatchReply({
        status: 200,
        json: {
          user: {
            pk: portal().ids.bob,
            username: 'bob',
            first_name: 'Bob',
            last_name: 'Tester',
            avatar: expect.stringMatching(/\/avatar\/\d+\.svg$/),
            perms: ['add_resource'],
            is_superuser: false,
            is_staff: false,
          },
        },
      });
      expect(await portal().as('bob').get(`/api/v2/users/${portal().ids.ada}`)).toMatchReply({ status: 404 });
      expect(await portal().visitor.get(`/api/v2/users/${portal().ids.ada}`)).toMatchReply({ status: 404 });
    });

    test('show their mail address to themselves only, and only when asked', async () => {
      expect(bodyOf(await portal().as('bob').get(`/api/v2/users/${portal().ids.bob}?include[]=email`))).toMatchObject({
        user: { email: 'bob@example.org' },
      });
      expect(await portal().visitor.get('/api/v2/resources?filter{owner.email}=ada@example.org')).toMatchReply({
        status: 400,
      });
    });

    test('have groups, and own what the caller sees of it', async () => {
      expect(
        bodyOf<{ slug: string }[]>(await portal().as('mia').get(`/api/v2/users/${portal().ids.mia}/groups`)).map(
          ({ slug }) => slug,
        ),
      ).toEqual(['surveyors']);
      expect(await portal().as('bob').get(`/api/v2/users/${portal().ids.mia}/groups`)).toMatchReply({ status: 404 });
      expect(
        bodyOf<{ title: string }[]>(await portal().as('bob').get(`/api/v2/users/${portal().ids.bob}/resources`)).map(
          ({ title }) => title,
        ),
      ).toEqual(['Secret mines', 'Shared wells']);
      expect(
        bodyOf<{ title: string }[]>(await portal().as('admin').get(`/api/v2/users/${portal().ids.bob}/resources`)).map(
          ({ title }) => title,
        ),
      ).toEqual(['Secret mines', 'Shared wells']);
      expect(await portal().visitor.get(`/api/v2/users/${portal().ids.bob}/resources`)).toMatchReply({ status: 404 });
    });

    test('are made by administrators, with a password to sign in with', async () => {
      const body = { username: 'eve', password: 'long enough', first_name: 'Eve', email: 'eve@example.org' };
      expect(await portal().as('ada').post('/api/v2/users', body)).toMatchReply({ status: 403 });
      const made = await portal().as('admin').post('/api/v2/users', body);
      expect(made).toMatchReply({
        status: 201,
        json: {
          user: expect.objectContaining({
            username: 'eve',
            first_name: 'Eve',
            perms: ['add_resource'],
            is_staff: false,
          }),
        },
      });
      expect(String(made.body)).not.toMatch(/password|argon|long enough/);
      expect(
        membersOf(await portal().basic('eve', 'long enough').get('/api/v2/users?include[]=email'), 'users', 'email'),
      ).toEqual(['eve@example.org']);
      expect(await portal().as('admin').post('/api/v2/users', { username: 'EVE' })).toMatchReply({
        status: 400,
        json: { username: ['A user with that username already exists.'] },
      });
      expect(await portal().as('admin').post('/api/v2/users', { username: 'short', password: 'short' })).toMatchReply({
        status: 400,
        json: { password: [expect.stringMatching(/too short/)] },
      });
      expect(await portal().as('admin').post('/api/v2/users', { username: 'a b' })).toMatchReply({ status: 400 });
    });

    test('change their own profile, and nobody makes himself an administrator', async () => {
      const path = `/api/v2/users/${portal().ids.bob}`;
      expect(await portal().as('bob').patch(path, { first_name: 'Robert', email: 'bob@example.org' })).toMatchReply({
        status: 200,
        json: expect.objectContaining({ meta: { updated: 1 } }),
      });
      expect(bodyOf(await portal().as('bob').get(`${path}?include[]=email`))).toMatchObject({
        user: { first_name: 'Robert', email: 'bob@example.org' },
      });
      // as it was read
      expect(
        await portal()
          .as('bob')
          .put(path, bodyOf(await portal().as('bob').get(path))),
      ).toMatchReply({ status: 200 });
      for (const flag of ['is_superuser', 'is_staff'])
        expect(
          await portal()
            .as('bob')
            .patch(path, { [flag]: true }),
        ).toMatchReply({ status: 403 });
      expect(await portal().as('bob').patch(path, { is_active: false })).toMatchReply({ status: 403 });
      expect(await portal().as('bob').patch(path, { username: 'king' })).toMatchReply({ status: 403 });
      expect(await portal().as('bob').patch(path, { password: 'long enough' })).toMatchReply({ status: 403 });
      expect(await portal().as('bob').patch(`/api/v2/users/${portal().ids.ada}`, { first_name: 'x' })).toMatchReply({
        status: 404,
      });
      expect(
        await portal()
          .as('bob')
          .patch('/api/v2/users', [{ id: portal().ids.bob, is_superuser: true }]),
      ).toMatchReply({ status: 403 });
      expect(await portal().as('admin').patch(path, { is_staff: true })).toMatchReply({ status: 200 });
      expect(bodyOf(await portal().as('bob').get(path))).toMatchObject({ user: { is_staff: true } });
      await portal().as('admin').patch(path, { is_staff: false, first_name: 'Bob' });
    });

    test('that are deleted leave what they own to an administrator', async () => {
      const made = bodyOf<{ user: { pk: number } }>(
        await portal().as('admin').post('/api/v2/users', { username: 'leaver', password: 'long enough' }),
      ).user.pk;
      await portal()
        .basic('leaver', 'long enough')
        .post('/api/v2/documents', { title: 'Left behind', doc_url: 'https://example.org/a' });
      expect(await portal().as('bob').delete(`/api/v2/users/${made}`)).toMatchReply({ status: 404 });
      expect(await portal().as('admin').delete(`/api/v2/users/${made}`)).toMatchReply({ status: 204 });
      expect(
        bodyOf(await portal().visitor.get(`/api/v2/documents/${await idOf(portal(), 'Left behind')}`)),
      ).toMatchObject({ document: { owner: { username: 'admin' } } });
      expect(await portal().as('admin').delete(`/api/v2/users/${portal().ids.admin}`)).toMatchReply({ status: 400 });
    });

    test('without a picture get one', async () => {
      expect(await portal().visitor.get('/avatar/7.svg')).toMatchReply({
        status: 200,
        headers: { 'content-type': /svg/, 'content-security-policy': /sandbox/ },
        text: /^<svg/,
      });
      for (const name of ['x.svg', '7.png', '<script>.svg'])
        expect(await portal().visitor.get(`/avatar/${encodeURIComponent(name)}`)).toMatchReply({ status: 404 });
    });
  });

  describe('uploads', () => {
    afterEach(() => portal().db.script('delete from portal.upload'));

    test('are seen by who started them, and by administrators', async () => {
      await scriptAs(portal(), 'ada', `insert into portal.upload (name) values ('rivers')`);
      const [{ id: upload, import_id: importId } = { id: 0, import_id: 0 }] = await portal().db.query<{
        id: number;
        import_id: number;
      }>('select id, import_id from portal.upload');
      const path = `/api/v2/uploads/${upload}`;
      expect(await portal().as('ada').get(path)).toMatchReply({
        status: 200,
        json: {
          upload: {
            id: upload,
            name: 'rivers',
            date: expect.stringMatching(/Z$/),
            create_date: expect.stringMatching(/Z$/),
            user: portal().ids.ada,
            state: 'READY',
            progress: 0,
            complete: false,
            import_id: importId,
            uploadfile_set: [],
            resume_url: null,
            delete_url: `/upload/delete/${upload}`,
            import_url: `http://localhost/mapserver/rest/imports/${importId}`,
            detail_url: null,
          },
        },
      });
      expect(await portal().as('bob').get(path)).toMatchReply({ status: 404 });
      for (const one of [path, `${path.replace(/\/$/, '')}/uploadfile_set`, '/api/v2/uploads/99999999']) {
        expect(await portal().visitor.get(one)).toMatchReply({ status: 401 });
      }
      expect(bodyOf(await portal().visitor.get('/api/v2/uploads'))).toMatchObject({ total: 0 });
      expect(bodyOf(await portal().as('admin').get('/api/v2/uploads'))).toMatchObject({ total: 1 });
      await portal().db.script(
        `insert into portal.upload_file (upload_id, name, slug, base, blob) values (${upload}, 'rivers.shp', 'rivers', true, 'uploads/x'); update portal.upload set state = 'WAITING'`,
      );
      expect(bodyOf(await portal().as('ada').get(path))).toMatchObject({
        upload: { state: 'WAITING', progress: 50, resume_url: `/upload/?id=${importId}`, uploadfile_set: [] },
      });
      await portal().db.script(
        `update portal.upload set state = 'PROCESSED', resource_id = ${id['Rivers']}, session = '{"charset": "UTF-8", "upload_dir": "/secret"}'`,
      );
      const full = bodyOf<{ upload: Record<string, unknown> }>(
        await portal().as('ada').get(`${path}?full=true`),
      ).upload;
      expect(full).toMatchObject({
        progress: 100,
        complete: true,
        delete_url: null,
        detail_url: 'http://localhost/layers/portal:rivers',
        uploadfile_set: [
          {
            name: 'rivers.shp',
            slug: 'rivers',
            base: true,
            file: expect.stringMatching(new RegExp(`^http://localhost${path}/files/\\d+$`)),
          },
        ],
        layer: { title: 'Rivers', perms: expect.arrayContaining(['change_layer_data']) },
        session: { name: 'rivers', charset: 'UTF-8' },
      });
      expect(JSON.stringify(full)).not.toContain('/secret');
      expect(bodyOf(await portal().as('ada').get(`${path}/uploadfile_set/`))).toMatchObject({
        upload_files: [{ name: 'rivers.shp' }],
      });
    });

    test('are filtered by state in any case', async () => {
      await scriptAs(portal(), 'ada', `insert into portal.upload (name) values ('rivers')`);
      await portal().db.script(`update portal.upload set state = 'PROCESSED'`);
      for (const state of ['PROCESSED', 'processed', 'Processed']) {
        expect(bodyOf(await portal().as('ada').get(`/api/v2/uploads?filter{state}=${state}`))).toMatchObject({
          total: 1,
        });
        expect(
          bodyOf(await portal().as('ada').get(`/api/v2/uploads?filter{-state}=${state}&page=1&page_size=99999`)),
        ).toMatchObject({ total: 0 });
      }
      expect(bodyOf(await portal().as('ada').get('/api/v2/uploads?search=RIV'))).toMatchObject({ total: 1 });
    });

    test('can be made, named and deleted, but not declared finished', async () => {
      const made = bodyOf<{ upload: { id: number; state: string } }>(
        await portal()
          .as('bob')
          .post('/api/v2/uploads', { name: 'wells', state: 'PROCESSED', progress: 100, user: portal().ids.ada }),
      ).upload;
      expect(made).toMatchObject({ name: 'wells', state: 'READY', progress: 0, user: portal().ids.bob });
      expect(
        await portal()
          .as('bob')
          .patch('/api/v2/uploads', [{ id: made.id, name: 'deep wells' }]),
      ).toMatchReply({ status: 200, json: expect.objectContaining({ meta: { updated: 1 } }) });
      expect(await portal().as('ada').delete(`/api/v2/uploads/${made.id}`)).toMatchReply({ status: 404 });
      expect(await portal().as('bob').delete(`/api/v2/uploads/${made.id}`)).toMatchReply({ status: 204 });
    });
  });

  describe('to look around by', () => {
    test('are owners, categories, keywords and regions, with what the caller sees of each', async () => {
      const counts = async (collection: string, member: string, client = portal().visitor): Promise<object> => {
        const body = bodyOf<Record<string, Record<string, unknown>[]>>(
          await client.get(`/api/v2/${collection}?page_size=1000&filter{count.gt}=0`),
        );
        return Object.fromEntries((body[collection] ?? []).map((record) => [record[member], record['count']]));
      };
      expect(await counts('categories', 'identifier')).toEqual({ inlandWaters: 2, society: 1 });
      expect(await counts('keywords', 'name')).toMatchObject({ water: 2, north: 1 });
      expect(await counts('keywords', 'name')).not.toHaveProperty('hidden');
      expect(await counts('keywords', 'name', portal().as('bob'))).toMatchObject({ hidden: 1 });
      expect(await counts('regions', 'name')).toEqual({ Europe: 1, Global: 1 });
      expect(Object.keys(await counts('owners', 'username'))).not.toContain('bob');
      expect(await counts('owners', 'username', portal().as('bob'))).toMatchObject({ bob: 2 });
      expect(await counts('tkeywords', 'name')).toEqual({});
    });

    test('each record has an address', async () => {
      const body = bodyOf<{ categories: { link: string }[] }>(
        await portal().visitor.get('/api/v2/categories?search=biota'),
      );
      expect(body.categories).toHaveLength(1);
      expect(
        bodyOf(await portal().visitor.get(body.categories[0]?.link.replace('http://localhost', '') ?? '')),
      ).toMatchObject({ category: { identifier: 'biota', count: 0 } });
    });

    test('are read only', async () => {
      for (const name of ['owners', 'categories', 'keywords', 'regions']) {
        for (const method of ['POST', 'PATCH', 'DELETE'])
          expect(await portal().as('admin').request(method, `/api/v2/${name}`)).toMatchReply({ status: 405 });
        for (const method of ['PUT', 'PATCH', 'DELETE'])
          expect(await portal().as('admin').request(method, `/api/v2/${name}/1`)).toMatchReply({ status: 405 });
      }
    });
  });
});
