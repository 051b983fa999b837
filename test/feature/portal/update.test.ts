// PUT and PATCH: items, several by id, all that pass a filter (section 7 of the reference).

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf, idOf, membersOf, onCatalogue, scriptAs } from './on-catalogue.ts';

const REFUSED = { status: 403, json: { detail: 'You do not have permission to perform this action.' } };
const updated = (count: number) => ({ status: 200, json: expect.objectContaining({ meta: { updated: count } }) });
const ignoring = (...ignored: readonly string[]) => ({
  status: 200,
  json: expect.objectContaining({ meta: { updated: 1, ignored } }),
});

onCatalogue('changing', {}, (portal) => {
  let one: number;
  let two: number;
  let three: number;
  beforeAll(async () => {
    await scriptAs(
      portal(),
      'ada',
      `insert into portal.resource (resource_type, title, zoom, projection, center_x, center_y) values ('map', 'One', 1, 'EPSG:3857', 0, 0), ('map', 'Two', 2, 'EPSG:3857', 0, 0)`,
    );
    await scriptAs(
      portal(),
      'bob',
      `insert into portal.resource (resource_type, title, zoom, projection, center_x, center_y) values ('map', 'Three', 3, 'EPSG:3857', 0, 0), ('map', 'Hidden', 3, 'EPSG:3857', 0, 0); select portal.set_perms(id, '{}') from portal.resource where title = 'Hidden'`,
    );
    [one, two, three] = [await idOf(portal(), 'One'), await idOf(portal(), 'Two'), await idOf(portal(), 'Three')];
  });
  beforeEach(() =>
    portal().db.script(
      `update portal.resource set abstract = '', purpose = null, zoom = 1 where resource_type = 'map'`,
    ),
  );

  const field = async (id: number, name: string): Promise<unknown> =>
    bodyOf<{ map: Record<string, unknown> }>(await portal().as('admin').get(`/api/v2/maps/${id}`)).map[name];
  const abstracts = async (): Promise<unknown[]> =>
    membersOf(await portal().as('admin').get('/api/v2/maps?sort[]=pk'), 'maps', 'abstract');

  describe('one item', () => {
    test('PATCH changes what is sent and says how many records that were', async () => {
      expect(await portal().as('ada').patch(`/api/v2/maps/${one}/`, { abstract: 'new' })).toMatchReply(updated(1));
      expect(await field(one, 'abstract')).toBe('new');
      expect(await field(one, 'title')).toBe('One');
    });

    test('wrapped in its name, too', async () => {
      expect(
        await portal()
          .as('ada')
          .patch(`/api/v2/maps/${one}`, { map: { abstract: 'wrapped' } }),
      ).toMatchReply(updated(1));
      expect(await field(one, 'abstract')).toBe('wrapped');
    });

    test('the same number addresses it among all resources', async () => {
      expect(await portal().as('ada').patch(`/api/v2/resources/${one}`, { purpose: 'p' })).toMatchReply(updated(1));
      expect(await field(one, 'purpose')).toBe('p');
      expect(await portal().as('ada').patch(`/api/v2/layers/${one}`, { purpose: 'q' })).toMatchReply({ status: 404 });
    });

    test('PUT wants everything that is required', async () => {
      expect(await portal().as('ada').put(`/api/v2/maps/${one}`, { title: 'One' })).toMatchReply({
        status: 400,
        json: {
          zoom: ['This field is required.'],
          projection: ['This field is required.'],
          center_x: ['This field is required.'],
          center_y: ['This field is required.'],
        },
      });
      expect(
        await portal()
          .as('ada')
          .put(`/api/v2/maps/${one}`, { title: 'One', zoom: 9, projection: 'EPSG:3857', center_x: 1, center_y: 2 }),
      ).toMatchReply(updated(1));
      expect(await field(one, 'zoom')).toBe(9);
    });

    test('no record is answered, only how many were updated', async () => {
      const counted = { status: 200, json: { meta: { updated: 1 } } };
      const change = { purpose: 'not to be shown' };
      expect(await portal().as('ada').patch(`/api/v2/maps/${one}`, change)).toMatchReply(counted);
      expect(await portal().as('ada').patch(`/api/v2/resources/${one}`, change)).toMatchReply(counted);
      expect(
        await portal()
          .as('ada')
          .put(`/api/v2/maps/${one}`, { title: 'One', zoom: 9, projection: 'EPSG:3857', center_x: 1, center_y: 2 }),
      ).toMatchReply(counted);
      expect(
        await portal()
          .as('ada')
          .patch('/api/v2/maps/', [{ id: one, ...change }]),
      ).toMatchReply(counted);
    });

    test.each(['include[]=data', 'exclude[]=abstract'])(
      'the record is answered to who names its fields: %s',
      async (query) => {
        const changed = await portal().as('ada').patch(`/api/v2/maps/${one}?${query}`, { purpose: 'to be shown' });
        expect(changed.headers).not.toHaveProperty('preference-applied');
        expect(bodyOf(changed)).toEqual({
          map: expect.objectContaining({ pk: String(one), purpose: 'to be shown' }),
          meta: { updated: 1 },
        });
        expect(
          await portal()
            .as('ada')
            .patch(`/api/v2/maps/${one}?${query}`, { purpose: null }, { prefer: 'return=minimal' }),
        ).toMatchReply({ status: 200, json: { meta: { updated: 1 } } });
        const several = await portal()
          .as('ada')
          .patch(`/api/v2/maps/?${query}`, [{ id: one, purpose: 'of several' }]);
        expect(bodyOf(several)).toMatchObject({ maps: [{ purpose: 'of several' }], meta: { updated: 1 } });
      },
    );

    test('the record is answered to who prefers it', async () => {
      const reply = await portal()
        .as('ada')
        .patch(`/api/v2/maps/${one}`, { abstract: 'shown' }, { prefer: 'return=representation' });
      expect(reply).toMatchReply({
        status: 200,
        headers: { 'preference-applied': 'return=representation' },
        json: {
          map: expect.objectContaining({
            pk: String(one),
            abstract: 'shown',
            perms: expect.arrayContaining(['change_resourcebase']),
          }),
          meta: { updated: 1 },
        },
      });
      const deferred = await portal()
        .as('ada')
        .patch(
          `/api/v2/maps/${one}?include[]=data`,
          { data: { a: 1 } },
          { prefer: 'respond-async, return=representation' },
        );
      expect(bodyOf(deferred)).toMatchObject({ map: { data: { a: 1 } } });
    });

    test('a document has the digits that were sent', async () => {
      const numbers = '"big": 9007199254740993, "long": 0.12345678901234567890';
      for (const data of [`{${numbers}}`, JSON.stringify(`{${numbers}}`)]) {
        const path = `/api/v2/maps/${one}?include[]=data`;
        const reply = await portal()
          .as('ada')
          .request('PATCH', path, {
            body: `{"data":${data}}`,
            headers: { 'content-type': 'application/json', prefer: 'return=representation' },
          });
        expect(textOf(reply.body)).toMatch(/"data":\s*\{"big": ?9007199254740993, ?"long": ?0\.12345678901234567890\}/);
      }
    });

    test('nothing to change is a change all the same, for who may', async () => {
      expect(await portal().as('ada').patch(`/api/v2/maps/${one}`, {})).toMatchReply(updated(1));
      expect(await portal().as('ada').patch(`/api/v2/maps/${one}`, { created: 'x' })).toMatchReply(updated(1));
      expect(await portal().as('bob').patch(`/api/v2/maps/${one}`, {})).toMatchReply(REFUSED);
    });

    test('a member that no field has is ignored and named, or refused for who is strict', async () => {
      const body = { title: 'Never', zoom: 1, projection: 'EPSG:3857', center_x: 0, center_y: 0, nonsense: 1 };
      const headers = { prefer: 'handling=strict' };
      const bulk = [{ id: one, title: 'Never', nonsense: 1 }];
      for (const method of ['PUT', 'PATCH']) {
        expect(await portal().as('ada').request(method, `/api/v2/maps/${one}`, { body, headers })).toMatchReply({
          status: 400,
          json: { nonsense: ['Unknown field.'] },
        });
      }
      expect(await portal().as('ada').patch('/api/v2/maps', bulk, headers)).toMatchReply({
        status: 400,
        json: { maps: [], errors: [{ detail: { nonsense: ['Unknown field.'] }, source: bulk[0] }] },
      });
      expect(bodyOf(await portal().as('ada').get(`/api/v2/maps?filter{title}=Never`))).toMatchObject({ total: 0 });
      for (const method of ['PUT', 'PATCH']) {
        expect(
          await portal()
            .as('ada')
            .request(method, `/api/v2/maps/${one}`, { body: { ...body, title: 'One' } }),
        ).toMatchReply(ignoring('nonsense'));
      }
      expect(
        await portal()
          .as('ada')
          .patch('/api/v2/maps', [{ id: one, nonsense: 1, other: 2 }]),
      ).toMatchReply({ status: 200, json: { meta: { updated: 1, ignored: ['nonsense', 'other'] } } });
    });

    test('keywords, regions and references are replaced or taken away', async () => {
      await portal()
        .as('ada')
        .patch(`/api/v2/maps/${one}`, { keywords: ['a', 'b'], regions: ['GLO'], category: 'biota' });
      await portal()
        .as('ada')
        .patch(`/api/v2/maps/${one}`, { keywords: ['b', 'c'] });
      expect(bodyOf(await portal().visitor.get(`/api/v2/maps/${one}`))).toMatchObject({
        map: {
          keywords: [{ name: 'b' }, { name: 'c' }],
          regions: [{ code: 'GLO' }],
          category: { identifier: 'biota' },
        },
      });
      await portal().as('ada').patch(`/api/v2/maps/${one}`, { keywords: [], regions: [], category: null });
      expect(bodyOf(await portal().visitor.get(`/api/v2/maps/${one}`))).toMatchObject({
        map: { keywords: [], regions: [], category: null },
      });
    });

    test('a mistake changes nothing', async () => {
      expect(await portal().as('ada').patch(`/api/v2/maps/${one}`, { abstract: 'half', zoom: 'x' })).toMatchReply({
        status: 400,
        json: { zoom: ['A valid integer is required.'] },
      });
      expect(
        await portal().as('ada').patch(`/api/v2/maps/${one}`, { abstract: 'half', category: 99_999 }),
      ).toMatchReply({ status: 400, json: { category: ['Invalid pk "99999" - category object does not exist.'] } });
      expect(
        await portal().as('ada').patch(`/api/v2/maps/${one}`, {
          abstract: 'half',
          temporal_extent_start: '2020-01-02',
          temporal_extent_end: '2020-01-01',
        }),
      ).toMatchReply({ status: 400, json: { temporal_extent_end: ['The end must not be before the start.'] } });
      expect(await portal().as('ada').patch(`/api/v2/maps/${one}`, { abstract: 'half', featured: true })).toMatchReply(
        REFUSED,
      );
      expect(await field(one, 'abstract')).toBe('');
    });

    test('of others is refused, and one that is not seen is not there', async () => {
      expect(await portal().as('ada').patch(`/api/v2/maps/${three}`, { abstract: 'x' })).toMatchReply(REFUSED);
      expect(
        await portal()
          .as('ada')
          .patch(`/api/v2/maps/${await idOf(portal(), 'Hidden')}`, { abstract: 'x' }),
      ).toMatchReply({ status: 404, json: { detail: 'Not found.' } });
      for (const id of ['999999', '0', '-1', 'abc', '1e3', '99999999999999'])
        expect(await portal().as('ada').patch(`/api/v2/maps/${id}`, { abstract: 'x' })).toMatchReply({ status: 404 });
      expect(await portal().visitor.patch(`/api/v2/maps/${one}`, { abstract: 'x' })).toMatchReply({ status: 401 });
      expect(await portal().as('admin').patch(`/api/v2/maps/${three}`, { abstract: 'by admin' })).toMatchReply(
        updated(1),
      );
    });

    test('that does not pass the filters of the query is not there', async () => {
      expect(await portal().as('ada').patch(`/api/v2/maps/${one}?filter{title}=Two`, { abstract: 'x' })).toMatchReply({
        status: 404,
      });
      expect(await portal().visitor.get(`/api/v2/maps/${one}?filter{title}=Two`)).toMatchReply({ status: 404 });
      expect(await portal().visitor.get(`/api/v2/maps/${one}?filter{title}=One&search=one`)).toMatchReply({
        status: 200,
      });
      expect(await portal().as('ada').patch(`/api/v2/maps/${one}?filter{title}=One`, { abstract: 'x' })).toMatchReply(
        updated(1),
      );
    });

    test('hidden by metadata_only, it can be brought back by who could change it', async () => {
      expect(
        await portal().as('ada').patch(`/api/v2/maps/${two}`, { metadata_only: true, abstract: 'last words' }),
      ).toMatchReply(updated(1));
      expect(await portal().as('ada').get(`/api/v2/maps/${two}`)).toMatchReply({ status: 404 });
      expect(await portal().as('admin').get(`/api/v2/maps/${two}`)).toMatchReply({ status: 404 });
      expect(await portal().as('bob').patch(`/api/v2/maps/${two}`, { metadata_only: false })).toMatchReply({
        status: 404,
      });
      expect(
        await portal().as('ada').patch(`/api/v2/maps/${two}`, { metadata_only: false, purpose: 'back' }),
      ).toMatchReply(updated(1));
      expect(bodyOf(await portal().visitor.get(`/api/v2/maps/${two}`))).toMatchObject({
        map: { abstract: 'last words', purpose: 'back', metadata_only: false },
      });
    });

    test('extents follow each other only in WGS 84', async () => {
      const box = (x: number) => ({
        type: 'Polygon',
        coordinates: [
          [
            [x, 0],
            [x, 1],
            [x + 1, 1],
            [x, 0],
          ],
        ],
      });
      await portal()
        .as('ada')
        .patch(`/api/v2/maps/${one}`, { ll_bbox_polygon: box(1) });
      expect([await field(one, 'bbox_polygon'), await field(one, 'll_bbox_polygon')]).toEqual([box(1), box(1)]);
      await portal()
        .as('ada')
        .patch(`/api/v2/maps/${one}`, { srid: 'EPSG:3857', bbox_polygon: box(5) });
      expect([await field(one, 'bbox_polygon'), await field(one, 'll_bbox_polygon')]).toEqual([box(5), box(1)]);
      await portal()
        .as('ada')
        .patch(`/api/v2/maps/${one}`, { ll_bbox_polygon: box(2) });
      expect([await field(one, 'bbox_polygon'), await field(one, 'll_bbox_polygon')]).toEqual([box(5), box(2)]);
      await portal().as('ada').patch(`/api/v2/maps/${one}`, { srid: 'EPSG:4326', ll_bbox_polygon: null });
      expect(
        await portal().db.query('select bbox_polygon, ll_bbox_polygon from portal.resource where id = $1', [one]),
      ).toEqual([{ bbox_polygon: null, ll_bbox_polygon: null }]);
      // Without one of its own, a map has the extent of its view.
      expect(await field(one, 'bbox_polygon')).toEqual(await field(one, 'll_bbox_polygon'));
    });

    test('a picture sent as text becomes the thumbnail', async () => {
      const picture =
        'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      expect(await portal().as('ada').patch(`/api/v2/maps/${one}`, { thumbnail_url: picture })).toMatchReply(
        updated(1),
      );
      expect(await field(one, 'thumbnail_url')).toBe(`http://localhost/thumbs/${one}.png`);
      // sent back as it was read it stays
      expect(
        await portal()
          .as('ada')
          .patch(`/api/v2/maps/${one}`, { thumbnail_url: `http://localhost/thumbs/${one}.png` }),
      ).toMatchReply(updated(1));
      expect(await portal().db.query('select thumbnail_url from portal.resource where id = $1', [one])).toEqual([
        { thumbnail_url: null },
      ]);
      expect(
        await portal().as('ada').patch(`/api/v2/maps/${one}`, { thumbnail_url: 'data:image/png;base64,PHN2Zy8+' }),
      ).toMatchReply({ status: 400, json: { thumbnail_url: ['The picture cannot be read.'] } });
      expect(
        await portal().as('ada').patch(`/api/v2/maps/${one}`, { thumbnail_url: 'https://example.org/x.png' }),
      ).toMatchReply(updated(1));
      expect(await field(one, 'thumbnail_url')).toBe('https://example.org/x.png');
    });
  });

  describe('several by id', () => {
    test.each([
      ['an array', (maps: unknown[]) => maps],
      ['in the name of the list', (maps: unknown[]) => ({ maps })],
    ])('%s', async (_, wrap) => {
      expect(
        await portal()
          .as('ada')
          .patch(
            '/api/v2/maps',
            wrap([
              { id: one, abstract: 'a1' },
              { pk: String(two), abstract: 'a2' },
            ]),
          ),
      ).toMatchReply(updated(2));
      expect(await abstracts()).toEqual(['a1', 'a2', '', '']);
    });

    test('whatever order they are named in, requests at the same moment do not stop each other', async () => {
      const all = await Promise.all(
        Array.from({ length: 8 }, (_, n) => {
          const maps = [one, two].map((id) => ({ id, abstract: `n${n}`, keywords: [`k${n % 3}`, 'new'] }));
          return portal()
            .as('ada')
            .patch('/api/v2/maps', n % 2 === 0 ? maps : maps.reverse());
        }),
      );
      expect(all.map(({ status }) => status)).toEqual(Array(8).fill(200));
      const [first, second] = await abstracts();
      expect(first).toBe(second);
    });

    test('one object with its id is one of several', async () => {
      expect(await portal().as('ada').patch('/api/v2/maps', { id: one, abstract: 'x' })).toMatchReply(updated(1));
    });

    test('on the address of any item, too, and with PUT', async () => {
      expect(
        await portal()
          .as('ada')
          .patch(`/api/v2/maps/${three}`, [{ id: one, abstract: 'x' }]),
      ).toMatchReply(updated(1));
      expect(await field(one, 'abstract')).toBe('x');
      expect(
        await portal()
          .as('ada')
          .put(`/api/v2/maps/${three}`, [{ id: one, title: 'One' }]),
      ).toMatchReply({ status: 400 });
    });

    test('the records are answered in order to who prefers them', async () => {
      const reply = await portal()
        .as('ada')
        .patch(
          '/api/v2/maps',
          [
            { id: two, abstract: 'b' },
            { id: one, abstract: 'a' },
          ],
          { prefer: 'return=representation' },
        );
      expect(membersOf(reply, 'maps')).toEqual(['Two', 'One']);
    });

    test('all of them or none', async () => {
      expect(
        await portal()
          .as('ada')
          .patch('/api/v2/maps', [
            { id: one, abstract: 'x' },
            { id: three, abstract: 'x' },
          ]),
      ).toMatchReply(REFUSED);
      expect(
        await portal()
          .as('ada')
          .patch('/api/v2/maps', [
            { id: one, abstract: 'x' },
            { id: 999_999, abstract: 'x' },
          ]),
      ).toMatchReply({ status: 400, json: ['Could not find all objects to update: 2 != 1.'] });
      expect(
        await portal()
          .as('ada')
          .patch('/api/v2/maps', [
            { id: one, abstract: 'x' },
            { id: one, abstract: 'y' },
          ]),
      ).toMatchReply({ status: 400, json: ['Could not find all objects to update: 2 != 1.'] });
      const bad = { id: two, zoom: 'x' };
      expect(
        await portal()
          .as('ada')
          .patch('/api/v2/maps', [{ id: one, abstract: 'x' }, bad]),
      ).toMatchReply({
        status: 400,
        json: { maps: [], errors: [{ detail: { zoom: ['A valid integer is required.'] }, source: bad }] },
      });
      expect(
        await portal()
          .as('ada')
          .patch('/api/v2/maps', [
            { id: one, abstract: 'x' },
            { id: two, category: 99_999 },
          ]),
      ).toMatchReply({ status: 400, json: { category: ['Invalid pk "99999" - category object does not exist.'] } });
      expect(await field(one, 'abstract')).toBe('');
    });

    test('only what passes the filters and is seen can be hit', async () => {
      expect(
        await portal()
          .as('ada')
          .patch('/api/v2/maps?filter{title}=One', [
            { id: one, abstract: 'x' },
            { id: two, abstract: 'x' },
          ]),
      ).toMatchReply({ status: 400, json: ['Could not find all objects to update: 2 != 1.'] });
      expect(
        await portal()
          .as('ada')
          .patch('/api/v2/maps', [{ id: await idOf(portal(), 'Hidden'), abstract: 'x' }]),
      ).toMatchReply({ status: 400, json: ['Could not find all objects to update: 1 != 0.'] });
    });

    test.each<[unknown]>([[[{ abstract: 'x' }]], [{ abstract: 'x' }], [[]], [[{ id: 'x', abstract: 'y' }]], [{}]])(
      '%j names nothing',
      async (body) => {
        expect(await portal().as('ada').patch('/api/v2/maps', body)).toMatchReply({
          status: 400,
          json: [expect.stringMatching(/^Invalid lookup keys: /)],
        });
      },
    );

    test('patch-all means nothing while it is off', async () => {
      expect(await portal().as('admin').patch('/api/v2/maps?patch-all=true', { abstract: 'x' })).toMatchReply({
        status: 400,
      });
      expect(await abstracts()).toEqual(['', '', '', '']);
    });
  });
});

onCatalogue('changing everything', { api: { enablePatchAll: true } }, (portal) => {
  beforeAll(async () => {
    const map = (title: string) => `('map', '${title}', 1, 'EPSG:3857', 0, 0)`;
    await scriptAs(
      portal(),
      'ada',
      `insert into portal.resource (resource_type, title, zoom, projection, center_x, center_y) values ${['A one', 'A two', 'B one'].map(map)}`,
    );
    await scriptAs(
      portal(),
      'bob',
      `insert into portal.resource (resource_type, title, zoom, projection, center_x, center_y) values ${map('A bob')}`,
    );
  });
  beforeEach(() => portal().db.script(`update portal.resource set abstract = ''`));
  const changed = async (): Promise<unknown[]> =>
    membersOf(await portal().as('admin').get('/api/v2/maps?filter{-abstract}=&sort[]=title'), 'maps');

  test.each(['true', '1', 'query'])('patch-all=%s changes what passes the filter', async (how) => {
    expect(
      await portal()
        .as('ada')
        .patch(`/api/v2/maps?patch-all=${how}&filter{title.contains}=one`, { abstract: 'x', keywords: ['all'] }),
    ).toMatchReply({ status: 200, json: { meta: { updated: 2 } } });
    expect(await changed()).toEqual(['A one', 'B one']);
    expect(
      membersOf(await portal().visitor.get('/api/v2/maps?filter{keywords.name}=all&sort[]=title'), 'maps'),
    ).toEqual(['A one', 'B one']);
  });

  test.each(['true', 'query'])('patch-all=%s changes nothing when one of them may not be changed', async (how) => {
    expect(
      await portal().as('ada').patch(`/api/v2/maps?patch-all=${how}&filter{title.startswith}=A`, { abstract: 'x' }),
    ).toMatchReply(REFUSED);
    expect(await changed()).toEqual([]);
    expect(await portal().as('admin').patch(`/api/v2/maps?patch-all=${how}`, { abstract: 'x' })).toMatchReply({
      status: 200,
      json: { meta: { updated: 4 } },
    });
  });

  test('none is none', async () => {
    expect(
      await portal().as('ada').patch('/api/v2/maps?patch-all=true&filter{title}=nothing', { abstract: 'x' }),
    ).toMatchReply({ status: 200, json: { meta: { updated: 0 } } });
  });

  test.each<[string, unknown, unknown]>([
    ['0', { abstract: 'x' }, { detail: '"0" is not valid for patch-all' }],
    ['false', { abstract: 'x' }, { detail: '"false" is not valid for patch-all' }],
    ['yes', { abstract: 'x' }, { detail: '"yes" is not valid for patch-all' }],
    ['', { abstract: 'x' }, { detail: '"" is not valid for patch-all' }],
    ['true', [{ abstract: 'x' }], ['Patch-all data must be in object form']],
    ['true', { zz: 1 }, ['Unknown field: "zz"']],
    ['true', { id: 1 }, ['Cannot update field: "id"']],
    ['query', { pk: 1 }, ['Cannot update field: "pk"']],
    ['query', { zoom: 'x' }, { zoom: ['A valid integer is required.'] }],
    ['true', { category: 'nope' }, { category: ['Invalid pk "nope" - category object does not exist.'] }],
  ])('patch-all=%s with %j is refused', async (how, body, json) => {
    expect(await portal().as('admin').patch(`/api/v2/maps?patch-all=${how}`, body)).toMatchReply({ status: 400, json });
    expect(await changed()).toEqual([]);
  });
});

onCatalogue('without bulk updates', { api: { enableBulkUpdate: false, enablePatchAll: true } }, (portal) => {
  test('collections are neither changed nor deleted from, and items only one by one', async () => {
    expect(
      await portal()
        .as('admin')
        .patch('/api/v2/maps', [{ id: 1 }]),
    ).toMatchReply({ status: 405, json: { detail: 'Method "PATCH" not allowed.' } });
    expect(
      await portal()
        .as('admin')
        .delete('/api/v2/maps', [{ id: 1 }]),
    ).toMatchReply({ status: 405, json: { detail: 'Method "DELETE" not allowed.' } });
    expect(
      await portal()
        .as('admin')
        .patch('/api/v2/maps/1', [{ id: 1 }]),
    ).toMatchReply({ status: 400, json: { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] } });
  });
});
