// DELETE: one or several, all or nothing (section 8 of the reference).

import { beforeEach, expect, test } from 'vitest';
import { idOf, membersOf, onCatalogue, scriptAs } from './on-catalogue.ts';

onCatalogue('deleting', {}, (portal) => {
  beforeEach(async () => {
    await portal().db.script('delete from portal.resource');
    await scriptAs(
      portal(),
      'ada',
      `insert into portal.resource (resource_type, title, zoom, projection, center_x, center_y) values ('map', 'One', 1, 'EPSG:3857', 0, 0), ('map', 'Two', 2, 'EPSG:3857', 0, 0)`,
    );
    await scriptAs(
      portal(),
      'bob',
      `insert into portal.resource (resource_type, title, zoom, projection, center_x, center_y) values ('map', 'Three', 3, 'EPSG:3857', 0, 0)`,
    );
  });
  const left = async (): Promise<unknown[]> =>
    membersOf(await portal().as('admin').get('/api/v2/maps?sort[]=pk'), 'maps');

  test('an item is gone, and the second time it is not there', async () => {
    const one = await idOf(portal(), 'One');
    expect(await portal().as('ada').delete(`/api/v2/maps/${one}/`)).toMatchReply({ status: 204, text: '' });
    expect(await portal().as('ada').delete(`/api/v2/maps/${one}/`)).toMatchReply({
      status: 404,
      json: { detail: 'Not found.' },
    });
    expect(await left()).toEqual(['Two', 'Three']);
  });

  test('of others it stays', async () => {
    const three = await idOf(portal(), 'Three');
    expect(await portal().as('ada').delete(`/api/v2/maps/${three}`)).toMatchReply({ status: 403 });
    expect(await portal().visitor.delete(`/api/v2/maps/${three}`)).toMatchReply({ status: 401 });
    await scriptAs(portal(), 'bob', `select portal.set_perms(${three}, '{}')`);
    expect(await portal().as('ada').delete(`/api/v2/maps/${three}`)).toMatchReply({ status: 404 });
    expect(
      await portal()
        .as('ada')
        .delete(`/api/v2/layers/${await idOf(portal(), 'One')}`),
    ).toMatchReply({ status: 404 });
    expect(
      await portal()
        .as('ada')
        .delete(`/api/v2/maps/${await idOf(portal(), 'One')}?filter{title}=Two`),
    ).toMatchReply({ status: 404 });
    expect(await left()).toEqual(['One', 'Two', 'Three']);
  });

  test.each([
    ['an array', (ids: object[]) => ids],
    ['an array in the name of the list', (ids: object[]) => ({ maps: ids })],
    ['the name of the item', (ids: unknown) => ({ map: ids })],
  ])('several by %s; unknown ids are gone already', async (_, wrap) => {
    const body = wrap([
      { id: await idOf(portal(), 'One') },
      { id: String(await idOf(portal(), 'Two')) },
      { id: 999_999 },
    ]);
    expect(await portal().as('ada').delete('/api/v2/maps/', body)).toMatchReply({ status: 204, text: '' });
    expect(await left()).toEqual(['Three']);
  });

  test('all of them or none', async () => {
    const ids = await Promise.all(['One', 'Two', 'Three'].map((title) => idOf(portal(), title)));
    expect(
      await portal()
        .as('ada')
        .delete(
          '/api/v2/maps',
          ids.map((id) => ({ id })),
        ),
    ).toMatchReply({ status: 403 });
    expect(await left()).toEqual(['One', 'Two', 'Three']);
    expect(
      await portal()
        .as('admin')
        .delete(
          '/api/v2/maps',
          ids.map((id) => ({ id })),
        ),
    ).toMatchReply({ status: 204 });
    expect(await left()).toEqual([]);
  });

  test('ids of another collection are not of this one', async () => {
    expect(
      await portal()
        .as('ada')
        .delete('/api/v2/layers', [{ id: await idOf(portal(), 'One') }]),
    ).toMatchReply({ status: 204 });
    expect(await left()).toEqual(['One', 'Two', 'Three']);
  });

  test.each<[unknown]>([
    [undefined],
    [{}],
    [{ id: 1 }],
    [{ map: { id: 1 } }],
    [{ map: [] }],
    [[]],
    [{ maps: [] }],
    ['text'],
    [5],
  ])('%j names nothing', async (body) => {
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    expect(await portal().as('ada').request('DELETE', '/api/v2/maps', sent)).toMatchReply({ status: 405, text: '' });
  });

  test.each<[unknown]>([[[{}]], [[{ id: 'x' }]], [[5]], [{ maps: [{ title: 'One' }] }], [[{ id: 1 }, { pk: null }]]])(
    '%j is a mistake',
    async (body) => {
      expect(await portal().as('ada').delete('/api/v2/maps', body)).toMatchReply({
        status: 400,
        json: ['Every record to delete needs its id.'],
      });
      expect(await left()).toEqual(['One', 'Two', 'Three']);
    },
  );
});
