// Lists: envelope, pages, order, search, filters, extent, fields (sections 1 and 4 of the reference).

import { beforeAll, describe, expect, test } from 'vitest';
import { headerOf, textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf, idOf, membersOf, onCatalogue } from './on-catalogue.ts';
import { fillCatalogue, PUBLIC_TITLES } from './world.ts';

onCatalogue('lists', {}, (portal) => {
  beforeAll(() => fillCatalogue(portal()));

  const titles = async (query: string, collection = 'resources', list = collection): Promise<unknown[]> =>
    membersOf(await portal().visitor.get(`/api/v2/${collection}/${query}`), list);

  describe('addresses and formats', () => {
    test.each([
      '/api/v2/maps',
      '/api/v2/maps/',
      '/api/v2/maps.json',
      '/api/v2/maps?format=json',
      '/api/v2/maps/?format=json',
    ])('%s is the list', async (target) => {
      const reply = await portal().visitor.get(target);
      expect(reply).toMatchReply({ status: 200, headers: { 'content-type': /^application\/json/ } });
      expect(membersOf(reply, 'maps')).toEqual(['Rivers and roads']);
    });

    test('the root names the nine collections', async () => {
      expect(await portal().visitor.get('/api/v2/')).toMatchReply({
        status: 200,
        json: Object.fromEntries(
          ['documents', 'geoapps', 'geostories', 'groups', 'layers', 'maps', 'resources', 'uploads', 'users'].map(
            (name) => [name, expect.stringMatching(new RegExp(`^http://.*/api/v2/${name}$`))],
          ),
        ),
      });
    });

    test.each([
      ['GET', '/api/v2/maps?format=xml', {}, 404, { detail: 'Not found.' }],
      ['GET', '/api/v2/maps', { accept: 'text/csv' }, 406, { detail: 'Could not satisfy the request Accept header.' }],
      ['PUT', '/api/v2/maps', {}, 405, { detail: 'Method "PUT" not allowed.' }],
      ['POST', '/api/v2/maps/5', {}, 405, { detail: 'Method "POST" not allowed.' }],
      ['POST', '/api/v2/categories', {}, 405, { detail: 'Method "POST" not allowed.' }],
      ['GET', '/api/v2/nothing', {}, 404, { detail: 'Not found.' }],
    ])('%s %s is %i', async (method, target, headers, status, json) => {
      expect(await portal().as('ada').request(method, target, { headers })).toMatchReply({ status, json });
    });

    test('other bodies than JSON and forms are not read', async () => {
      expect(await portal().as('ada').post('/api/v2/maps', 'title=x', { 'content-type': 'text/plain' })).toMatchReply({
        status: 415,
        json: { detail: 'Unsupported media type "text/plain" in request.' },
      });
    });

    test('HEAD says what GET would, without saying it', async () => {
      const [head, get] = await Promise.all([
        portal().visitor.request('HEAD', '/api/v2/maps'),
        portal().visitor.get('/api/v2/maps'),
      ]);
      expect(head).toMatchReply({ status: 200, text: '' });
      expect(headerOf(head, 'content-length')).toBe(String(get.body.length));
    });

    test('nobody keeps an answer for somebody else', async () => {
      expect(await portal().visitor.get('/api/v2/maps')).toMatchReply({
        headers: {
          'cache-control': 'private, no-cache',
          // For clients that keep an answer however often they are told to ask again.
          expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
          vary: 'Accept, Authorization, Cookie',
          'x-content-type-options': 'nosniff',
        },
      });
    });

    test('every answer that may differ between callers says so, refusals and pages too', async () => {
      for (const path of ['/', '/api/v2', '/api/v2/users/999999', '/api/v2/schema', '/account/session', '/nowhere'])
        expect([path, headerOf(await portal().visitor.get(path), 'vary')]).toEqual([
          path,
          expect.stringMatching(/(?:^|, )Authorization, Cookie$/),
        ]);
    });

    test('OPTIONS describes the collection', async () => {
      const reply = await portal().as('admin').request('OPTIONS', '/api/v2/groups');
      expect(reply).toMatchReply({ status: 200, headers: { allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, POST' } });
      expect(bodyOf(reply)).toMatchObject({
        resource_name: 'group_profile',
        resource_name_plural: 'group_profiles',
        renders: ['application/json'],
        features: expect.arrayContaining(['filter{}', 'sort[]', 'include[]']),
        properties: {
          title: {
            required: true,
            read_only: false,
            nullable: false,
            type: 'string',
            label: 'Title',
            max_length: 1000,
          },
          pk: { read_only: true, type: 'integer' },
          access: { type: 'choice', default: 'public' },
          group: { type: 'one', related_to: 'groups' },
        },
      });
    });
  });

  test.each([
    ['/api/v2/', 'GET, HEAD, OPTIONS'],
    ['/api/v2/groups/1/members/', 'GET, HEAD, OPTIONS'],
  ])('OPTIONS tells what %s takes from visitors', async (path, allow) => {
    expect(await portal().visitor.request('OPTIONS', path)).toMatchReply({ status: 200, headers: { allow } });
  });

  describe('pages', () => {
    test('have an envelope of five members', async () => {
      const reply = await portal().visitor.get('/api/v2/resources?page_size=2&page=2');
      const body = bodyOf<Record<string, unknown>>(reply);
      expect(Object.keys(body)).toEqual(['links', 'total', 'page', 'page_size', 'resources']);
      expect(body).toMatchObject({
        links: {
          next: expect.stringMatching(/^http:\/\/[^/]+\/api\/v2\/resources\?page=3&page_size=2$/),
          previous: expect.stringMatching(/\/api\/v2\/resources\?page_size=2$/),
        },
        total: 6,
        page: 2,
        page_size: 2,
      });
      expect(membersOf(reply, 'resources')).toEqual(PUBLIC_TITLES.slice(2, 4));
    });

    test('of one list make it whole, by following the links', async () => {
      const found: unknown[] = [];
      let target: string | null = '/api/v2/resources?page_size=4';
      while (target !== null) {
        const reply = await portal().visitor.get(target);
        found.push(...membersOf(reply, 'resources'));
        const { links }: { links: { next: string | null } } = bodyOf(reply);
        target = links.next === null ? null : links.next.replace(/^http:\/\/[^/]+/, '');
      }
      expect(found).toEqual(PUBLIC_TITLES);
    });

    test.each(['0', '-1', 'abc', '3', '99999999999'])('page %s is none', async (page) => {
      expect(await portal().visitor.get(`/api/v2/resources?page_size=3&page=${page}`)).toMatchReply({
        status: 404,
        json: { detail: 'Invalid page.' },
      });
    });

    test('the first page of nothing is fine', async () => {
      expect(await portal().visitor.get('/api/v2/layers?filter{title}=nothing')).toMatchReply({
        status: 200,
        json: { links: { next: null, previous: null }, total: 0, page: 1, page_size: 10, layers: [] },
      });
    });

    test('a size that is too large is cut, one that is none is ten', async () => {
      expect(bodyOf(await portal().visitor.get('/api/v2/resources?page_size=99999'))).toMatchObject({
        links: { next: null, previous: null },
        // All there is stands on it, so it is the page that was asked for.
        page_size: 99999,
        total: 6,
      });
      expect(bodyOf(await portal().visitor.get(`/api/v2/resources?page_size=1${'0'.repeat(30)}`))).toMatchObject({
        page_size: 1000,
      });
      for (const none of ['abc', '0', '-1', '2.5', '']) {
        expect(bodyOf(await portal().visitor.get(`/api/v2/resources?page_size=${none}`))).toMatchObject({
          page_size: 10,
        });
      }
    });

    test('every collection has its own names', async () => {
      const names = {
        documents: 'documents',
        geoapps: 'geoapps',
        geostories: 'geostories',
        groups: 'group_profiles',
        layers: 'layers',
        datasets: 'datasets',
        maps: 'maps',
        resources: 'resources',
        uploads: 'uploads',
        users: 'users',
        owners: 'owners',
        categories: 'categories',
        keywords: 'keywords',
        tkeywords: 'tkeywords',
        regions: 'regions',
      };
      for (const [path, member] of Object.entries(names)) {
        const body = bodyOf(await portal().as('ada').get(`/api/v2/${path}/`));
        expect(Object.keys(body)).toEqual(['links', 'total', 'page', 'page_size', member]);
      }
    });
  });

  describe('order', () => {
    test('is by last change, unless asked for', async () => {
      expect(await titles('')).toEqual(PUBLIC_TITLES);
    });

    test.each([
      [
        '?sort[]=title',
        ['A walk along the river', 'Annual report', 'Dashboard', 'Lakes', 'Rivers', 'Rivers and roads'],
      ],
      [
        '?sort[]=-title',
        ['Rivers and roads', 'Rivers', 'Lakes', 'Dashboard', 'Annual report', 'A walk along the river'],
      ],
      [
        '?ordering=title',
        ['A walk along the river', 'Annual report', 'Dashboard', 'Lakes', 'Rivers', 'Rivers and roads'],
      ],
      [
        '?ordering=-date',
        ['Dashboard', 'A walk along the river', 'Annual report', 'Rivers and roads', 'Lakes', 'Rivers'],
      ],
      [
        '?sort[]=category.identifier&sort[]=-title',
        ['Rivers', 'Lakes', 'Annual report', 'Rivers and roads', 'Dashboard', 'A walk along the river'],
      ],
      [
        '?sort[]=resource_type&sort[]=title',
        ['Annual report', 'Dashboard', 'A walk along the river', 'Lakes', 'Rivers', 'Rivers and roads'],
      ],
      [
        '?ordering=-popular_count&sort[]=pk',
        ['Rivers', 'Lakes', 'Rivers and roads', 'Annual report', 'A walk along the river', 'Dashboard'],
      ],
    ])('%s', async (query, expected) => {
      expect(await titles(query)).toEqual(expected);
    });

    test('common fields sort in every collection', async () => {
      expect(await titles('?sort[]=title', 'layers')).toEqual(['Lakes', 'Rivers']);
      expect(await titles('?sort[]=-name', 'layers')).toEqual(['Rivers', 'Lakes']);
    });

    test('by nothing known is refused', async () => {
      expect(await portal().visitor.get('/api/v2/layers?sort[]=nope')).toMatchReply({
        status: 400,
        json: ["Invalid filter field: ['nope']"],
      });
    });
  });

  describe('search', () => {
    test.each([
      ['?search=RIVER', ['Rivers and roads', 'Rivers', 'A walk along the river', 'Annual report']],
      ['?search=rivers+numbers', ['Annual report']],
      ['?search=rivers,numbers', ['Annual report']],
      ['?search=river&search_fields=title', ['A walk along the river', 'Rivers and roads', 'Rivers']],
      [
        '?search=river&search_fields=title&search_fields=abstract',
        ['A walk along the river', 'Annual report', 'Rivers and roads', 'Rivers'],
      ],
      ['?search=river&search_fields=^title', ['Rivers and roads', 'Rivers']],
      ['?search=RIVERS&search_fields==title', ['Rivers']],
      ['?search=^r.*s$&search_fields=$title', ['Rivers and roads', 'Rivers']],
      ['?search=rivers&search_fields=@title', ['Rivers and roads', 'Rivers']],
      ['?search=ada&search_fields=owner__username', PUBLIC_TITLES],
      ['?search=north&search_fields=keywords__name', ['Rivers']],
      ['?search=100%25', ['Lakes']],
      ['?search=%25', ['Lakes']],
      ['?search=_', []],
      ['?search=nothing', []],
      ['?search=', PUBLIC_TITLES],
    ])('%s', async (query, expected) => {
      expect(await titles(query)).toEqual(expected);
    });

    test('finds nothing that the caller cannot see', async () => {
      expect(await titles('?search=mines')).toEqual([]);
      expect(membersOf(await portal().as('bob').get('/api/v2/resources?search=mines'), 'resources')).toEqual([
        'Secret mines',
      ]);
      expect(await titles('?search=hidden&search_fields=keywords__name')).toEqual([]);
    });
  });

  describe('filters', () => {
    test.each([
      ['filter{title}=Rivers', ['Rivers']],
      ['filter{title}=rivers', []],
      ['filter{title.iexact}=rIVERS', ['Rivers']],
      ['filter{title.contains}=iver', ['A walk along the river', 'Rivers and roads', 'Rivers']],
      ['filter{title.contains}=RIVER', []],
      ['filter{title.icontains}=RIVER', ['A walk along the river', 'Rivers and roads', 'Rivers']],
      ['filter{title.startswith}=River', ['Rivers and roads', 'Rivers']],
      ['filter{title.istartswith}=river', ['Rivers and roads', 'Rivers']],
      ['filter{title.endswith}=s', ['Rivers and roads', 'Lakes', 'Rivers']],
      ['filter{title.iendswith}=S', ['Rivers and roads', 'Lakes', 'Rivers']],
      ['filter{title.in}=Rivers&filter{title.in}=Lakes', ['Lakes', 'Rivers']],
      ['filter{title.in}=Rivers,Lakes', []],
      ['filter{-title.in}=Rivers&filter{-title.in}=Lakes', PUBLIC_TITLES.slice(0, 4)],
      ['filter{title.regex}=^R.*s$', ['Rivers and roads', 'Rivers']],
      ['filter{title.gt}=Rivers', ['Rivers and roads']],
      ['filter{title.lte}=Annual report', ['A walk along the river', 'Annual report']],
      ['filter{title.range}=B&filter{title.range}=M', ['Dashboard', 'Lakes']],
      ['filter{date.gte}=2022-01-01&filter{date.lt}=2022-02-03', ['A walk along the river', 'Annual report']],
      ['filter{date.range}=2020-03-01T10:00:00Z&filter{date.range}=2021-06-06T10:00:00Z', ['Lakes', 'Rivers']],
      ['filter{date.year}=2021', ['Rivers and roads', 'Lakes']],
      ['filter{date.month}=6', ['Lakes']],
      ['filter{date.day}=31', ['Rivers and roads']],
      ['filter{date.week_day}=1', ['Lakes', 'Rivers']],
      ['filter{temporal_extent_start.gte}=2019-01-01', ['Rivers']],
      ['filter{temporal_extent_start.isnull}=false', ['Rivers']],
      ['filter{-temporal_extent_start}=2019-01-01', PUBLIC_TITLES.slice(0, 5)],
      ['filter{featured}=true', ['Lakes']],
      [
        'filter{featured}=0&filter{is_approved}=1',
        ['Dashboard', 'A walk along the river', 'Annual report', 'Rivers and roads', 'Rivers'],
      ],
      ['filter{category.identifier}=inlandWaters', ['Lakes', 'Rivers']],
      ['filter{category.identifier}=inlandwaters', ['Lakes', 'Rivers']],
      ['filter{category.identifier.in}=INLANDWATERS&filter{category.identifier.in}=biota', ['Lakes', 'Rivers']],
      ['filter{resource_type.in}=dataset', ['Lakes', 'Rivers']],
      ['filter{resource_type}=dataset', ['Lakes', 'Rivers']],
      ['filter{-category.identifier}=inlandWaters', PUBLIC_TITLES.slice(0, 4)],
      ['filter{category.isnull}=true', ['Dashboard', 'A walk along the river', 'Rivers and roads']],
      ['filter{category.identifier.isnull}=1', ['Dashboard', 'A walk along the river', 'Rivers and roads']],
      ['filter{keywords.name}=water', ['Lakes', 'Rivers']],
      ['filter{keywords.name.icontains}=WATER', ['Lakes', 'Rivers']],
      ['filter{keywords.slug.in}=water&filter{keywords.slug.in}=north', ['Lakes', 'Rivers']],
      ['filter{-keywords.name}=north', PUBLIC_TITLES.slice(0, 5)],
      ['filter{keywords.isnull}=true', PUBLIC_TITLES.slice(0, 4)],
      ['filter{regions.name}=Europe', ['Lakes']],
      ['filter{regions.code.in}=EUR&filter{regions.code.in}=GLO', ['Lakes']],
      ['filter{owner.username}=ada&filter{title}=Rivers', ['Rivers']],
      ['filter{owner.username}=bob', []],
      ['filter{resource_type}=layer', ['Lakes', 'Rivers']],
      ['filter{resource_type.in}=map&filter{resource_type.in}=geoapp', ['Dashboard', 'Rivers and roads']],
      ['filter{popular_count.gt}=0&filter{bbox_polygon.isnull}=false', ['Rivers']],
      ['filter{doi.isnull}=0', ['Rivers']],
      ['filter{raw_abstract.contains}=Flowing water', ['Rivers']],
      ['filter{processed}=true&filter{title}=Lakes', ['Lakes']],
      ['filter{title}[]=Lakes', ['Lakes']],
    ])('%s', async (query, expected) => {
      const reply = await portal().visitor.get(`/api/v2/resources?${query}`);
      expect(membersOf(reply, 'resources')).toEqual(expected);
      expect(bodyOf(reply)).toMatchObject({ total: expected.length });
    });

    test('by id, of the item and of what it refers to', async () => {
      const id = await idOf(portal(), 'Lakes');
      expect(await titles(`?filter{pk}=${id}`)).toEqual(['Lakes']);
      expect(await titles(`?filter{id.in}=${id}&filter{id.in}=0`)).toEqual(['Lakes']);
      expect(await titles(`?filter{owner}=${portal().ids.ada}&filter{pk.gte}=${id}&filter{pk.lte}=${id}`)).toEqual([
        'Lakes',
      ]);
      expect(await titles('?filter{owner.pk}=0')).toEqual([]);
    });

    test('by what only one type has, in its own collection', async () => {
      expect(await titles('?filter{name}=rivers', 'layers')).toEqual(['Rivers']);
      expect(await titles('?filter{storeType.isnull}=1', 'layers')).toEqual(['Lakes', 'Rivers']);
      expect(await titles('?filter{styles.name}=blue', 'layers')).toEqual(['Rivers']);
      expect(await titles('?filter{default_style.isnull}=true', 'layers')).toEqual(['Lakes']);
      expect(await titles('?filter{zoom.gt}=4', 'maps')).toEqual(['Rivers and roads']);
      expect(await titles('?filter{center_x}=10.5', 'maps')).toEqual(['Rivers and roads']);
    });

    test.each([
      ['filter{nope}=1', ['Invalid filter field: nope']],
      ['filter{title.nope}=1', ['Invalid nested filter field: title']],
      ['filter{pk}=abc', ['A valid integer is required.']],
      ['filter{title.any}=1', ['']],
      ['filter{title', { detail: '"filter{title" is not a well-formed filter key.' }],
      ['filter{title.regex}=[', ['Invalid regular expression.']],
      ['filter{title.regex}=(', ['Invalid regular expression.']],
    ])('%s is refused', async (query, json) => {
      expect(await portal().visitor.get(`/api/v2/resources?${query}`)).toMatchReply({ status: 400, json });
    });

    test('what belongs to a hidden item cannot be found by asking for it', async () => {
      expect(await titles('?filter{keywords.name}=hidden')).toEqual([]);
      expect(await titles(`?filter{owner}=${portal().ids.bob}`)).toEqual([]);
    });
  });

  describe('extent', () => {
    test.each([
      ['0,40,10,50', ['Rivers']],
      ['0,0,90,90', ['Lakes', 'Rivers']],
      ['15,55,20,60', ['Lakes', 'Rivers']],
      ['16,50,19,51', []],
      ['160,-20,-160,20', ['Rivers and roads']],
      ['190,-20,200,20', ['Rivers and roads']],
      ['170,-20,180,20,-180,-20,-165,20', ['Rivers and roads']],
      ['6,46,7,47,21,46,22,47', ['Lakes', 'Rivers']],
      ['-180,-90,180,90', PUBLIC_TITLES],
    ])('%s', async (extent, expected) => {
      expect(await titles(`?extent=${extent}`)).toEqual(expected);
    });

    test('an item whose longitudes run beyond 180 is found where it lies', async () => {
      const corners = [
        [182, -45],
        [184, -45],
        [184, -43],
        [182, -43],
        [182, -45],
      ];
      const made = await portal()
        .as('ada')
        .post('/api/v2/layers', { title: 'Chatham', ll_bbox_polygon: { type: 'Polygon', coordinates: [corners] } });
      const { pk } = bodyOf<{ layer: { pk: string } }>(made).layer;
      for (const extent of [
        '-178,-44,-176,-43',
        '170,-50,-170,-40',
        '170,-50,190,-40',
        '-190,-50,-170,-40',
        '183,-45,185,-43',
      ])
        expect(await titles(`?extent=${extent}`)).toEqual(['Chatham']);
      expect(await titles('?extent=170,-50,180,-40')).toEqual([]);
      expect((await portal().as('ada').delete(`/api/v2/layers/${pk}`)).status).toBe(204);
    });

    test('that is none is refused, and geostories have none', async () => {
      expect(await portal().visitor.get('/api/v2/layers?extent=1,2,3')).toMatchReply({ status: 400 });
      expect(await titles('?extent=1,2,3', 'geostories')).toEqual(['A walk along the river']);
    });
  });

  test('filter, search, extent, order and page together', async () => {
    const reply = await portal().visitor.get(
      '/api/v2/resources?search=water&extent=0,0,90,90&filter{category.identifier}=inlandWaters&sort[]=title&page_size=1&page=2',
    );
    expect(membersOf(reply, 'resources')).toEqual(['Rivers']);
    expect(bodyOf(reply)).toMatchObject({ total: 2, links: { next: null } });
  });

  describe('fields', () => {
    test('that are deferred come when asked for', async () => {
      const plain = bodyOf<{ geostories: object[] }>(await portal().visitor.get('/api/v2/geostories')).geostories[0];
      expect(plain).not.toHaveProperty('data');
      const full = bodyOf<{ geostories: object[] }>(await portal().visitor.get('/api/v2/geostories?include[]=data'))
        .geostories[0];
      expect(full).toMatchObject({ data: { sections: [{ title: 'Start' }] } });
    });

    test('that nobody wants are left out', async () => {
      const only = bodyOf<{ layers: object[] }>(
        await portal().visitor.get(
          '/api/v2/layers?exclude[]=*&include[]=pk&include[]=owner.username&exclude[]=owner.avatar&sort[]=pk',
        ),
      ).layers[0];
      expect(only).toEqual({
        pk: String(await idOf(portal(), 'Rivers')),
        owner: expect.objectContaining({ username: 'ada' }),
      });
      expect(
        bodyOf<{ layers: object[] }>(await portal().visitor.get('/api/v2/layers?exclude[]=title')).layers[0],
      ).not.toHaveProperty('title');
    });

    test('without perms, too', async () => {
      expect(
        bodyOf<{ maps: object[] }>(await portal().visitor.get('/api/v2/maps?exclude[]=perms')).maps[0],
      ).not.toHaveProperty('perms');
    });

    test('that do not exist are refused', async () => {
      expect((await portal().visitor.get('/api/v2/resources?include[]=foo&include[]=owner.foo')).status).toBe(200);
      expect(await portal().visitor.get('/api/v2/resources?exclude[]=foo')).toMatchReply({
        status: 400,
        json: { detail: '"foo" is not a valid field name for "resource".' },
      });
      expect(await portal().visitor.get('/api/v2/resources?exclude[]=viewers')).toMatchReply({ status: 400 });
    });

    test.each<[string, string, unknown]>([
      ['many', 'filter{keywords|name}=north', { keywords: [{ name: 'north' }] }],
      ['many, negated', 'filter{-keywords|name}=north', { keywords: [{ name: 'water' }] }],
      ['by several', 'filter{keywords|name.in}=north&filter{keywords|name.in}=x', { keywords: [{ name: 'north' }] }],
      ['none', 'filter{keywords|slug.startswith}=zz', { keywords: [] }],
      ['one', 'filter{owner|username}=bob', { owner: null }],
      ['one that fits', 'filter{owner|username.icontains}=AD', { owner: { username: 'ada' } }],
      [
        'what hangs on layers only',
        'filter{attribute_set|attribute}=length',
        { attribute_set: [{ attribute: 'length' }] },
      ],
      [
        'beside what is left out',
        'filter{keywords|name}=north&exclude[]=keywords.slug',
        { keywords: [{ name: 'north' }] },
      ],
    ])('related records are narrowed without narrowing the list: %s', async (_, query, expected) => {
      const path = `/api/v2/layers?filter{title.in}=Rivers&filter{title.in}=Lakes&sort[]=-title&${query}`;
      const { layers, total } = bodyOf<{ layers: object[]; total: number }>(await portal().visitor.get(path));
      expect(total).toBe(2);
      expect(layers[0]).toMatchObject({ title: 'Rivers', ...(expected as object) });
      const item = await portal().visitor.get(`/api/v2/layers/${await idOf(portal(), 'Rivers')}?${query}`);
      expect(bodyOf(item)).toMatchObject({ layer: expected });
    });

    test('related records stand beside the others when asked to', async () => {
      const plain = bodyOf<{ layers: Record<string, unknown>[] }>(
        await portal().visitor.get('/api/v2/layers?sort[]=pk'),
      );
      const side = bodyOf<Record<string, Record<string, unknown>[]>>(
        await portal().visitor.get('/api/v2/layers?sort[]=pk&sideloading=true'),
      );
      expect(Object.keys(side)).toEqual(
        expect.arrayContaining(['links', 'total', 'page', 'page_size', 'layers', 'users', 'styles', 'attributes']),
      );
      expect(side['users']).toEqual([plain.layers[0]?.['owner']]);
      expect(side['layers']?.[0]).toMatchObject({ owner: portal().ids.ada, title: 'Rivers' });
      expect(side['attributes']).toEqual(plain.layers[0]?.['attribute_set']);
      const named = bodyOf<Record<string, unknown>>(
        await portal().visitor.get(`/api/v2/layers/${await idOf(portal(), 'Rivers')}?include[]=owner.`),
      );
      expect(named).toMatchObject({
        layer: { owner: portal().ids.ada, poc: { username: 'ada' } },
        users: [{ username: 'ada' }],
      });
      expect(
        bodyOf(await portal().visitor.get('/api/v2/layers?sort[]=pk&include[]=owner.&sideloading=false')),
      ).toMatchObject({ layers: [{ owner: { username: 'ada' } }, {}] });
    });

    test('nobody is loaded beside who would not be seen inside', async () => {
      for (const query of ['sideloading=true', 'sideloading=false', 'include[]=owner.']) {
        const text = textOf((await portal().as('mel').get(`/api/v2/resources?page_size=100&${query}`)).body);
        expect(text).not.toContain('bob');
        expect(text).not.toContain('hidden');
      }
    });

    test('debug tells what each record is', async () => {
      const id = await idOf(portal(), 'Rivers and roads');
      expect(bodyOf<{ maps: object[] }>(await portal().visitor.get('/api/v2/maps?debug=true')).maps[0]).toMatchObject({
        _meta: { id, type: 'map' },
      });
    });
  });
});
