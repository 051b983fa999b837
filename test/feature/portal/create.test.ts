// POST: one record or many, all or nothing (section 6 of the reference).

import { describe, expect, test } from 'vitest';
import { headerOf } from '../../testkit/reply-matcher.ts';
import { bodyOf, membersOf, onCatalogue } from './on-catalogue.ts';

const ELSEWHERE = { doc_url: 'https://example.org/paper' };
const MAP = { zoom: 3, projection: 'EPSG:3857', center_x: 0, center_y: 0 };

onCatalogue('creating', {}, (portal) => {
  const total = async (title: string): Promise<number> =>
    Number(
      (
        await portal().db.query<{ n: string }>('select count(*) as n from portal.resource where title like $1', [title])
      )[0]?.n,
    );

  describe('one record', () => {
    test('comes back whole, in its envelope, with its address', async () => {
      const reply = await portal()
        .as('ada')
        .post('/api/v2/maps/', { ...MAP, title: 'First' });
      expect(reply.status).toBe(201);
      const { map } = bodyOf<{ map: Record<string, unknown> }>(reply);
      expect(map).toMatchObject({
        pk: expect.stringMatching(/^\d+$/),
        title: 'First',
        resource_type: 'map',
        owner: { pk: portal().ids.ada, username: 'ada' },
        poc: { username: 'ada' },
        abstract: '',
        date_type: 'publication',
        language: 'eng',
        supplemental_information: 'No information provided',
        srid: 'EPSG:4326',
        is_published: true,
        featured: false,
        metadata_only: false,
        zoom: 3,
        perms: expect.arrayContaining(['view_resourcebase', 'delete_resourcebase', 'change_resourcebase_permissions']),
      });
      expect(headerOf(reply, 'location')).toBe(`http://localhost/api/v2/maps/${map['pk']}`);
      expect(await portal().visitor.get(`/api/v2/maps/${map['pk']}`)).toMatchReply({
        status: 200,
        json: {
          map: expect.objectContaining({ title: 'First', perms: ['view_resourcebase', 'download_resourcebase'] }),
        },
      });
    });

    test('is only tried with tx=rollback: answered, or refused, and not kept', async () => {
      const prefer = { prefer: 'tx=rollback' };
      const reply = await portal()
        .as('ada')
        .post('/api/v2/maps/', { ...MAP, title: 'Tried' }, prefer);
      expect(reply).toMatchReply({ status: 201, headers: { 'preference-applied': 'tx=rollback' } });
      expect(bodyOf(reply)).toMatchObject({ map: { title: 'Tried', owner: { username: 'ada' } } });
      expect(headerOf(reply, 'location')).toBeNull();
      const many = await portal()
        .as('ada')
        .post(
          '/api/v2/maps/',
          [
            { ...MAP, title: 'Tried 1' },
            { ...MAP, title: 'Tried 2' },
          ],
          prefer,
        );
      expect(many).toMatchReply({ status: 201, headers: { 'preference-applied': 'tx=rollback' } });
      expect(bodyOf<{ maps: unknown[] }>(many).maps).toHaveLength(2);
      expect(
        (
          await portal()
            .as('ada')
            .post('/api/v2/maps/', { ...MAP }, prefer)
        ).status,
      ).toBe(400);
      expect(await total('Tried%')).toBe(0);
    });

    test.each([
      ['wrapped in its name', { map: { ...MAP, title: 'wrapped' } }],
      ['wrapped in the name of the list', { maps: { ...MAP, title: 'wrapped 2' } }],
    ])('can be %s', async (_, body) => {
      const reply = await portal().as('ada').post('/api/v2/maps', body);
      expect(reply.status).toBe(201);
      expect(bodyOf(reply)).toHaveProperty('map');
    });

    test('can be a form', async () => {
      const form = new URLSearchParams({
        title: 'Form',
        zoom: '2',
        projection: 'EPSG:3857',
        center_x: '1.5',
        center_y: '-2',
        featured: 'false',
        keywords: 'a, b',
      });
      const reply = await portal()
        .as('ada')
        .post('/api/v2/maps', form.toString(), { 'content-type': 'application/x-www-form-urlencoded' });
      expect(reply.status).toBe(201);
      expect(bodyOf(reply)).toMatchObject({
        map: { title: 'Form', center_x: 1.5, keywords: [{ name: 'a' }, { name: 'b' }] },
      });
    });

    test.each([
      ['repeated', 'keywords=a&keywords=b,c&title=Before&title=List'],
      ['as JSON', `keywords=${encodeURIComponent('["a", {"name": "b"}, "c"]')}&title=List`],
    ])('takes the lists of a form %s', async (_, form) => {
      const reply = await portal()
        .as('ada')
        .post('/api/v2/maps', `${form}&zoom=2&projection=EPSG:3857&center_x=0&center_y=0`, {
          'content-type': 'application/x-www-form-urlencoded',
        });
      expect(reply).toMatchObject({ status: 201 });
      expect(bodyOf(reply)).toMatchObject({
        map: { title: 'List', keywords: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
      });
    });

    test('brings keywords, regions and code lists by name, by id, and as they are read', async () => {
      const made = bodyOf<{ document: Record<string, unknown> }>(
        await portal()
          .as('ada')
          .post('/api/v2/documents', {
            title: 'Described',
            ...ELSEWHERE,
            keywords: ['Wasser', { name: 'Fluß', slug: 'x' }],
            regions: ['EUR', { code: 'NAM', name: 'Namibia' }, 1],
            category: { identifier: 'biota' },
            license: 'odbl',
            restriction_code_type: 1,
            spatial_representation_type: '2',
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
            temporal_extent_start: '2020-01-01',
            temporal_extent_end: '2020-12-31T23:59:59+01:00',
            abstract: '<p>Hello &amp; <b>good</b>\nbye &#39;x&#39;</p>',
          }),
      ).document;
      expect(made).toMatchObject({
        keywords: [
          { name: 'Fluß', slug: 'fluß' },
          { name: 'Wasser', slug: 'wasser' },
        ],
        regions: [
          { code: 'EUR', name: 'Europe' },
          { code: 'GLO', name: 'Global' },
          { code: 'NAM', name: 'Namibia' },
        ],
        category: { identifier: 'biota' },
        license: { identifier: 'odbl' },
        restriction_code_type: { identifier: 'copyright' },
        spatial_representation_type: { identifier: 'grid' },
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
        // the same, because the item is in WGS 84
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
        temporal_extent_start: '2020-01-01T00:00:00.000000Z',
        temporal_extent_end: '2020-12-31T22:59:59.000000Z',
        raw_abstract: "Hello & good bye 'x'",
        raw_purpose: '',
      });
      // and can be sent back as it was read
      const again = await portal().as('ada').put(`/api/v2/documents/${made['pk']}`, { document: made });
      expect(again).toMatchReply({ status: 200, json: expect.objectContaining({ meta: { updated: 1 } }) });
      const { last_updated: _, ...kept } = made;
      expect(bodyOf(await portal().as('ada').get(`/api/v2/documents/${made['pk']}`))).toMatchObject({ document: kept });
    });

    test('an extent in another system has no copy in WGS 84', async () => {
      const box = {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [0, 1e6],
            [1e6, 1e6],
            [0, 0],
          ],
        ],
      };
      const { layer } = bodyOf<{ layer: Record<string, unknown> }>(
        await portal().as('ada').post('/api/v2/layers', { title: 'Far', srid: 'EPSG:3857', bbox_polygon: box }),
      );
      expect(layer).toMatchObject({ bbox_polygon: box, ll_bbox_polygon: null, srid: 'EPSG:3857' });
    });

    test.each([
      ['Caf&eacute; &amp; bar &hellip; &copy; 2020 &euro;5', 'Café & bar … © 2020 €5'],
      ['&lt;b&gt; &quot;&apos;&#39;&#x27;&nbsp;x', "<b> \"''' x"],
      ['&NotEqualTilde; &Aring;ngstr&ouml;m &Afr;', '≂̸ Ångström 𝔄'],
      // each reference once, and what is none stays
      ['&amp;lt; &#38;amp; &amp;eacute;', '&lt; &amp; &eacute;'],
      ['&nope; AT&T a&&b &#xD800; &', '&nope; AT&T a&&b &#xD800; &'],
      ['&copy 2021 ?a=1&copy=2', '© 2021 ?a=1&copy=2'],
      ['<p>Zur&uuml;ck<br>\n</p>', 'Zurück'],
    ])('%s is read plain as %s', async (abstract, plain) => {
      const reply = await portal().as('ada').post('/api/v2/geoapps', { name: abstract, title: 'Plain', abstract });
      expect(bodyOf(reply)).toMatchObject({ geoapp: { abstract, raw_abstract: plain } });
    });

    const ring = (x: number, y: number) => [
      [0, 0],
      [0, y],
      [x, y],
      [x, 0],
      [0, 0],
    ];
    const square = (x: number, y: number) => ({ type: 'Polygon', coordinates: [ring(x, y)] });
    const DEGREES = [expect.stringMatching(/^Longitudes are between/)];
    test.each<[Record<string, unknown>, unknown]>([
      [{ srid: 'EPSG:999999' }, { srid: [expect.stringMatching(/^There is no such coordinate system/)] }],
      [{ srid: 'epsg:123456789' }, { srid: [expect.stringMatching(/^There is no such coordinate system/)] }],
      [{ bbox_polygon: square(500, 10) }, { bbox_polygon: DEGREES }],
      [{ ll_bbox_polygon: square(10, 91) }, { ll_bbox_polygon: DEGREES }],
      [{ ll_bbox_polygon: square(500, 10), srid: 'EPSG:3857' }, { ll_bbox_polygon: DEGREES }],
      [
        { ll_bbox_polygon: { type: 'MultiPolygon', coordinates: [[ring(1, 1)], [ring(10, 500)]] } },
        { ll_bbox_polygon: DEGREES },
      ],
    ])('%j is no place on the earth', async (body, json) => {
      expect(
        await portal()
          .as('ada')
          .post('/api/v2/layers', { title: 'Nowhere', ...body }),
      ).toMatchReply({
        status: 400,
        json,
      });
      const made = await portal().as('ada').post('/api/v2/layers', { title: 'Somewhere', srid: 'EPSG:4326' });
      const { pk } = bodyOf<{ layer: { pk: string } }>(made).layer;
      expect(await portal().as('ada').patch(`/api/v2/layers/${pk}`, body)).toMatchReply({ status: 400, json });
    });

    test('metres may be large, and an extent may go over the date line', async () => {
      for (const body of [{ bbox_polygon: square(1e6, 1e6), srid: 'EPSG:3857' }, { bbox_polygon: square(190, 90) }])
        expect(
          (
            await portal()
              .as('ada')
              .post('/api/v2/layers', { title: 'Far away', ...body })
          ).status,
        ).toBe(201);
    });

    test('read-only members are left alone', async () => {
      const reply = await portal()
        .as('ada')
        .post('/api/v2/documents', {
          title: 'Strange',
          ...ELSEWHERE,
          pk: 1,
          uuid: 'x',
          popular_count: 7,
        });
      expect(reply.status).toBe(201);
      expect(bodyOf(reply)).toMatchObject({ document: { title: 'Strange', popular_count: '0', processed: true } });
    });

    test.each([
      [
        '{"title": "Strange", "doc_url": "https://example.org/a", "nonsense": {"a": 1}}',
        { nonsense: ['Unknown field.'] },
      ],
      [
        '{"title": "Strange", "doc_url": "https://example.org/a", "viewers": [], "is_public": false}',
        { viewers: ['Unknown field.'], is_public: ['Unknown field.'] },
      ],
      ['{"title": "Strange", "doc_url": "https://example.org/a", "Title": "x"}', { Title: ['Unknown field.'] }],
      [
        '{"title": "Strange", "doc_url": "https://example.org/a", "constructor": 1, "": 2}',
        { constructor: ['Unknown field.'], '': ['Unknown field.'] },
      ],
      [
        `{"title": "Strange", "doc_url": "https://example.org/a", "${'x'.repeat(1000)}": 1}`,
        { ['x'.repeat(100)]: ['Unknown field.'] },
      ],
    ])('%s has a member that no field has: ignored and named, or refused for who is strict', async (body, json) => {
      const headers = { 'content-type': 'application/json' };
      const before = await portal().db.query('select count(*) from portal.resource');
      expect(
        await portal()
          .as('ada')
          .post('/api/v2/documents', body, { ...headers, prefer: 'handling=strict' }),
      ).toMatchReply({ status: 400, json });
      expect(await portal().db.query('select count(*) from portal.resource')).toEqual(before);
      expect(await portal().as('ada').post('/api/v2/documents', body, headers)).toMatchReply({
        status: 201,
        json: { document: expect.objectContaining({ title: 'Strange' }), meta: { ignored: Object.keys(json) } },
      });
    });

    test('a wrapper beside something else is no wrapper', async () => {
      expect(
        await portal()
          .as('ada')
          .post('/api/v2/documents', { document: { title: 'Strange' }, documents: [] }),
      ).toMatchReply({
        status: 400,
        json: { title: ['This field is required.'] },
      });
    });

    test('one that hides itself is shown this once', async () => {
      const reply = await portal()
        .as('ada')
        .post('/api/v2/documents', { title: 'Hider', ...ELSEWHERE, metadata_only: true });
      expect(reply.status).toBe(201);
      const { pk } = bodyOf<{ document: { pk: string } }>(reply).document;
      expect(await portal().as('admin').get(`/api/v2/documents/${pk}`)).toMatchReply({ status: 404 });
    });

    test.each<[string, unknown, unknown]>([
      [
        'maps',
        {},
        {
          title: ['This field is required.'],
          zoom: ['This field is required.'],
          projection: ['This field is required.'],
          center_x: ['This field is required.'],
          center_y: ['This field is required.'],
        },
      ],
      ['documents', { title: '' }, { title: ['This field may not be blank.'] }],
      [
        'documents',
        { title: 'x'.repeat(300), featured: 'x' },
        { title: ['Ensure this field has no more than 255 characters.'], featured: ['Must be a valid boolean.'] },
      ],
      [
        'documents',
        { title: 't', ...ELSEWHERE, category: 99_999 },
        { category: ['Invalid pk "99999" - category object does not exist.'] },
      ],
      [
        'documents',
        { title: 't', ...ELSEWHERE, category: 'nope' },
        { category: ['Invalid pk "nope" - category object does not exist.'] },
      ],
      [
        'documents',
        { title: 't', ...ELSEWHERE, regions: ['XXX'] },
        { regions: ['Invalid pk "XXX" - region object does not exist.'] },
      ],
      [
        'documents',
        { title: 't', ...ELSEWHERE, keywords: [99_999] },
        { keywords: ['Invalid pk "99999" - keyword object does not exist.'] },
      ],
      [
        'documents',
        { title: 't', ...ELSEWHERE, group: 'nobody' },
        { group: ['Invalid pk "nobody" - group object does not exist.'] },
      ],
      [
        'documents',
        { title: 't', ...ELSEWHERE, temporal_extent_start: '2020-01-02', temporal_extent_end: '2020-01-01' },
        { temporal_extent_end: ['The end must not be before the start.'] },
      ],
      ['documents', { title: 't', ...ELSEWHERE, doc_url: 'javascript:alert(1)' }, { doc_url: ['Enter a valid URL.'] }],
      ['geoapps', { title: 't' }, ["No valid data: 'name' and 'owner' are mandatory fields!"]],
      ['geostories', { title: 't', owner: 'ada' }, ["No valid data: 'name' and 'owner' are mandatory fields!"]],
      ['geostories', { name: '' }, { name: ['This field may not be blank.'] }],
      ['groups', {}, { title: ['This field is required.'] }],
      ['users', {}, { username: ['This field is required.'] }],
      ['uploads', {}, { name: ['This field is required.'] }],
      ['resources', {}, { title: ['This field is required.'] }],
      ['documents', { title: 'half \ud800 a character' }, { title: ['Not a valid string.'] }],
      ['geoapps', { name: 'n', data: [1] }, { data: ['Expected a dictionary of items but got type "list".'] }],
      ['geoapps', { name: 'n', data: '"text"' }, { data: ['Expected a dictionary of items but got type "str".'] }],
      ['resources', { title: 't', resource_type: 'service' }, { resource_type: ['"service" is not a valid choice.'] }],
      ['documents', 'text', { non_field_errors: ['Invalid data. Expected a dictionary, but got str.'] }],
      ['documents', [], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
    ])('in %s, %j is refused', async (collection, body, json) => {
      const reply = await portal()
        .as('admin')
        .post(`/api/v2/${collection}/`, JSON.stringify(body), { 'content-type': 'application/json' });
      expect(reply).toMatchReply({ status: 400, json });
    });

    test('a body that is no JSON is told so', async () => {
      expect(
        await portal().as('ada').post('/api/v2/maps', '{"title": ', { 'content-type': 'application/json' }),
      ).toMatchReply({ status: 400, json: { detail: expect.stringMatching(/^JSON parse error - /) } });
    });

    test('nobody is asked to sign in too late: visitors are refused before anything is read', async () => {
      expect(await portal().visitor.post('/api/v2/maps', { title: 5 })).toMatchReply({
        status: 401,
        json: { detail: 'Authentication credentials were not provided.' },
        headers: { 'www-authenticate': /Basic/ },
      });
      expect(await portal().visitor.post('/api/v2/users', { username: 'mallory' })).toMatchReply({ status: 401 });
    });

    test('items are made in one’s own name; administrators may name another', async () => {
      expect(
        await portal()
          .as('ada')
          .post('/api/v2/documents', { title: 'For bob', ...ELSEWHERE, owner: 'bob' }),
      ).toMatchReply({
        status: 400,
        json: ["The specified 'owner' does not exist!"],
      });
      await portal()
        .as('bob')
        .post('/api/v2/documents', { title: 'Bob shows himself', ...ELSEWHERE });
      expect(
        await portal()
          .as('ada')
          .post('/api/v2/documents', { title: 'For bob', ...ELSEWHERE, owner: 'bob' }),
      ).toMatchReply({
        status: 403,
      });
      expect(
        bodyOf(
          await portal()
            .as('admin')
            .post('/api/v2/documents', { title: 'For bob', ...ELSEWHERE, owner: 'bob' }),
        ),
      ).toMatchObject({ document: { owner: { username: 'bob' } } });
      expect(await total('For bob')).toBe(1);
    });

    test('what only others may decide is refused: featured, foreign groups', async () => {
      expect(
        await portal()
          .as('ada')
          .post('/api/v2/documents', { title: 'Star', ...ELSEWHERE, featured: true }),
      ).toMatchReply({
        status: 403,
        json: { detail: 'You do not have permission to perform this action.' },
      });
      expect(
        await portal()
          .as('ada')
          .post('/api/v2/documents', { title: 'Star', ...ELSEWHERE, group: portal().ids.surveyors }),
      ).toMatchReply({ status: 403 });
      expect(await total('Star')).toBe(0);
      expect(
        bodyOf(
          await portal()
            .as('mel')
            .post('/api/v2/documents', {
              title: 'Ours',
              ...ELSEWHERE,
              group: { pk: portal().ids.surveyors, name: 'surveyors' },
            }),
        ),
      ).toMatchObject({ document: { group: { pk: portal().ids.surveyors, name: 'surveyors' } } });
    });
  });

  test('of several apps of one name at the same moment, one is made', async () => {
    const all = await Promise.all(
      Array.from({ length: 6 }, () => portal().as('ada').post('/api/v2/geoapps', { name: 'Only one' })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400]);
  });

  describe('resources', () => {
    test('can be made where all types are, by saying which one', async () => {
      const reply = await portal()
        .as('ada')
        .post('/api/v2/resources', [
          { title: 'A layer', resource_type: 'layer' },
          { title: 'A map', resource_type: 'map', ...MAP },
          { name: 'An app', resource_type: 'geoapp', data: { a: 1 } },
        ]);
      expect(reply.status).toBe(201);
      expect(membersOf(reply, 'resources', 'resource_type')).toEqual(['layer', 'map', 'geoapp']);
      expect(membersOf(reply, 'resources')).toEqual(['A layer', 'A map', 'An app']);
    });

    test.each(['map', 'layer', 'dataset', 'geoapp', 'geostory'])('a title is enough for a %s', async (type) => {
      const reply = await portal()
        .as('ada')
        .post('/api/v2/resources/', { title: `Only a ${type}`, resource_type: type });
      expect(reply.status).toBe(201);
      const made = (bodyOf(reply) as { resource: { pk: string } }).resource;
      expect(made).toMatchObject({
        title: `Only a ${type}`,
        resource_type: type === 'dataset' ? 'layer' : type,
        metadata_only: false,
      });
      expect(await portal().as('ada').get(`/api/v2/resources/${made.pk}/`)).toMatchReply({ status: 200 });
    });

    describe.each([
      ['a title alone', { title: 'To come' }],
      ['a document without file or address', { title: 'To come', resource_type: 'document' }],
      ['one with an empty address', { title: 'To come', doc_url: '' }],
      ['one with no address', { title: 'To come', doc_url: null }],
    ])('%s', (_, body) => {
      const describe = async (): Promise<string> => {
        const reply = await portal().as('ada').post('/api/v2/resources/', body);
        expect(reply.status).toBe(201);
        const { resource } = bodyOf(reply) as { resource: { pk: string } };
        expect(resource).toMatchObject({ title: 'To come', resource_type: 'document', metadata_only: true });
        expect(await portal().as('ada').get(`/api/v2/documents/${resource.pk}/`)).toMatchReply({ status: 404 });
        return resource.pk;
      };

      test('is a record out of sight, which comes into sight with its address', async () => {
        const pk = await describe();
        const given = { doc_url: 'https://example.org/later.pdf' };
        expect(await portal().as('bob').patch(`/api/v2/documents/${pk}/`, given)).toMatchReply({ status: 404 });
        expect(await portal().as('ada').patch(`/api/v2/documents/${pk}/`, { abstract: 'x' })).toMatchReply({
          status: 404,
        });
        expect(await portal().as('ada').patch(`/api/v2/documents/${pk}/`, given)).toMatchReply({ status: 200 });
        expect(bodyOf(await portal().as('ada').get(`/api/v2/documents/${pk}/`))).toMatchObject({
          document: { title: 'To come', href: given.doc_url, metadata_only: false, extension: 'pdf' },
        });
      });

      test('is deleted by its owner alone', async () => {
        const pk = await describe();
        for (const collection of ['documents', 'resources'])
          expect((await portal().as('bob').delete(`/api/v2/${collection}/${pk}/`)).status).toBe(404);
        expect((await portal().as('ada').delete(`/api/v2/maps/${pk}/`)).status).toBe(404);
        expect((await portal().as('ada').delete(`/api/v2/resources/${pk}/`)).status).toBe(204);
        expect((await portal().as('ada').delete(`/api/v2/documents/${pk}/`)).status).toBe(404);
      });

      test('or with its file', async () => {
        const pk = await describe();
        const body =
          '--b\r\nContent-Disposition: form-data; name="doc_file"; filename="later.txt"\r\n\r\nlater\r\n--b--\r\n';
        const headers = { 'content-type': 'multipart/form-data; boundary=b' };
        expect(
          await portal()
            .as('ada')
            .request('PATCH', `/api/v2/documents/${pk}/`, { headers, body: Buffer.from(body) }),
        ).toMatchReply({ status: 200 });
        expect(bodyOf(await portal().as('ada').get(`/api/v2/documents/${pk}/`))).toMatchObject({
          document: { title: 'To come', extension: 'txt', metadata_only: false },
        });
      });
    });

    test('one that was hidden by hand stays hidden, whatever content it is given', async () => {
      const made = await portal()
        .as('ada')
        .post('/api/v2/documents', { title: 'Hidden', ...ELSEWHERE, metadata_only: true });
      const { pk } = (bodyOf(made) as { document: { pk: string } }).document;
      expect(
        await portal().as('ada').patch(`/api/v2/documents/${pk}/`, { doc_url: 'https://example.org/b' }),
      ).toMatchReply({ status: 404 });
    });

    test('are documents where nobody says what they are, of the kind that their address tells', async () => {
      const made = await portal()
        .as('ada')
        .post('/api/v2/resources', { title: 'Plain', doc_url: 'https://example.org/a.png' });
      const { pk } = (bodyOf(made) as { resource: { pk: string } }).resource;
      expect(made).toMatchReply({ status: 201 });
      expect(bodyOf(await portal().as('ada').get(`/api/v2/documents/${pk}`))).toMatchObject({
        document: { title: 'Plain', resource_type: 'document', extension: 'png', doc_type: 'image' },
      });
    });
  });

  describe('many records', () => {
    test.each([
      ['an array', (maps: unknown[]) => maps],
      ['an array in the name of the list', (maps: unknown[]) => ({ maps })],
      ['an array in the name of an item', (maps: unknown[]) => ({ map: maps })],
    ])('as %s come back in their order, without pages', async (_, wrap) => {
      const reply = await portal()
        .as('ada')
        .post(
          '/api/v2/maps',
          wrap([
            { ...MAP, title: 'b' },
            { ...MAP, title: 'a', keywords: ['k'] },
            { ...MAP, title: 'c' },
          ]),
        );
      expect(reply.status).toBe(201);
      expect(Object.keys(bodyOf(reply))).toEqual(['maps']);
      expect(membersOf(reply, 'maps')).toEqual(['b', 'a', 'c']);
    });

    test('are all refused when one is wrong, each mistake beside its element', async () => {
      const bad = [{ ...MAP, title: 'ok-bulk' }, { title: 'no zoom-bulk' }, 5, { ...MAP, title: '' }];
      expect(await portal().as('ada').post('/api/v2/maps', bad)).toMatchReply({
        status: 400,
        json: {
          maps: [],
          errors: [
            {
              detail: {
                zoom: ['This field is required.'],
                projection: ['This field is required.'],
                center_x: ['This field is required.'],
                center_y: ['This field is required.'],
              },
              source: bad[1],
            },
            { detail: { non_field_errors: ['Invalid data. Expected a dictionary, but got int.'] }, source: 5 },
            { detail: { title: ['This field may not be blank.'] }, source: bad[3] },
          ],
        },
      });
      expect(await total('%-bulk')).toBe(0);
    });

    test('are all undone when the database refuses one', async () => {
      const bad = [
        { name: 'unique-app', title: 'x-undone' },
        { name: 'unique-app', title: 'y-undone' },
      ];
      expect(await portal().as('ada').post('/api/v2/geoapps', bad)).toMatchReply({
        status: 400,
        json: {
          geoapps: [],
          errors: [{ detail: { non_field_errors: ["A GeoApp with the same 'name' already exists!"] }, source: bad[1] }],
        },
      });
      const unknown = [
        { title: 'p-undone', ...ELSEWHERE },
        { title: 'q-undone', ...ELSEWHERE, category: 'nope' },
      ];
      expect(await portal().as('ada').post('/api/v2/documents', unknown)).toMatchReply({
        status: 400,
        json: {
          documents: [],
          errors: [
            { detail: { category: ['Invalid pk "nope" - category object does not exist.'] }, source: unknown[1] },
          ],
        },
      });
      expect(
        await portal()
          .as('ada')
          .post('/api/v2/documents', [
            { title: 'r-undone', ...ELSEWHERE },
            { title: 's-undone', ...ELSEWHERE, featured: true },
          ]),
      ).toMatchReply({ status: 403 });
      expect(await total('%-undone')).toBe(0);
    });

    test('have a limit', async () => {
      expect(
        await portal()
          .as('ada')
          .post('/api/v2/documents', Array(1001).fill({ title: 'flood', ...ELSEWHERE })),
      ).toMatchReply({ status: 400 });
      expect(await total('flood')).toBe(0);
    });
  });
});
