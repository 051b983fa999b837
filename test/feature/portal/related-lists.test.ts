// Lists below an item: what belongs to whom, and who is in a group. They take the query of other lists, and answer bare arrays.

import { beforeAll, describe, expect, test } from 'vitest';
import { type Document, validatorOf } from './answers-by-schema.ts';
import { bodyOf, membersOf, onCatalogue, scriptAs } from './on-catalogue.ts';

onCatalogue('lists below an item', {}, (portal) => {
  beforeAll(async () => {
    await scriptAs(
      portal(),
      'ada',
      `insert into portal.resource (resource_type, title, ll_bbox_polygon) values
         ('layer', 'Rivers', st_makeenvelope(0, 0, 1, 1, 4326)), ('layer', 'Lakes', st_makeenvelope(50, 50, 51, 51, 4326));
       insert into portal.resource (resource_type, title, doc_url) values ('document', 'River report', 'https://example.org/a');
       select portal.set_perms(id, '{"groups": {"surveyors": ["view_resourcebase"]}}') from portal.resource`,
    );
  });
  const shown = async (path: string, member: string, as: 'admin' | 'mia' = 'admin'): Promise<unknown[]> =>
    bodyOf<Record<string, unknown>[]>(await portal().as(as).get(path)).map((record) => record[member]);

  describe.each([
    ['users/{id}/resources', () => `/api/v2/users/${portal().ids.ada}/resources`, 'admin'],
    ['groups/{id}/resources', () => `/api/v2/groups/${portal().ids.surveyors}/resources`, 'mia'],
  ] as const)('%s', (_, path, as) => {
    test.each<[string, string[]]>([
      ['?ordering=title', ['Lakes', 'River report', 'Rivers']],
      ['?sort[]=-title', ['Rivers', 'River report', 'Lakes']],
      ['?ordering=-title&page_size=2', ['Rivers', 'River report']],
      ['?ordering=-title&page=2&page_size=2', ['Lakes']],
      ['?filter{resource_type}=document', ['River report']],
      ['?filter{title.icontains}=RIVER&ordering=title', ['River report', 'Rivers']],
      ['?search=river&ordering=title', ['River report', 'Rivers']],
      ['?search=river&search_fields=title&ordering=title', ['River report', 'Rivers']],
      ['?extent=-1,-1,2,2', ['Rivers']],
    ])('takes %s', async (query, titles) => {
      expect(await shown(`${path()}${query}`, 'title', as)).toEqual(titles);
    });

    test('refuses what is wrong, and ends where it ends', async () => {
      for (const [query, status] of [
        ['?filter{nonsense}=1', 400],
        ['?ordering=nonsense', 400],
        ['?page=99&page_size=1', 404],
        ['?page=0', 404],
      ] as const)
        expect([query, (await portal().as(as).get(`${path()}${query}`)).status]).toEqual([query, status]);
    });
  });

  test('groups/{id}/members and managers filter, order, search and page', async () => {
    const path = `/api/v2/groups/${portal().ids.surveyors}`;
    expect(await shown(`${path}/members`, 'username')).toEqual(['mel', 'mia']);
    expect(await shown(`${path}/members?ordering=-username`, 'username')).toEqual(['mia', 'mel']);
    expect(await shown(`${path}/members?page_size=1&page=2`, 'username')).toEqual(['mia']);
    expect(await shown(`${path}/members?filter{username.startswith}=me`, 'username')).toEqual(['mel']);
    expect(await shown(`${path}/members?search=MIA`, 'username')).toEqual(['mia']);
    expect(await shown(`${path}/managers?filter{username}=mel`, 'username')).toEqual([]);
    expect(await shown(`${path}/members?exclude[]=*&include[]=username`, 'pk')).toEqual([undefined, undefined]);
    expect(await portal().as('admin').get('/api/v2/groups/999999/members?search=x')).toMatchReply({ status: 404 });
  });

  test('users/{id}/groups does, too', async () => {
    const path = `/api/v2/users/${portal().ids.mia}/groups`;
    expect(await shown(`${path}?filter{slug}=surveyors`, 'slug')).toEqual(['surveyors']);
    expect(await shown(`${path}?filter{slug}=other`, 'slug')).toEqual([]);
    expect(await shown(`${path}?search=survey`, 'slug')).toEqual(['surveyors']);
  });

  test('users and groups are searched by their names', async () => {
    const users = async (query: string) =>
      membersOf(await portal().as('admin').get(`/api/v2/users?${query}`), 'users', 'username');
    expect(await users('search=me')).toEqual(['mel']);
    expect(await users('search=MEL tester')).toEqual(['mel']);
    expect(
      await users('search=tester&search_fields=last_name&search_fields=username&page_size=1&ordering=-username'),
    ).toEqual(['mia']);
    expect(await users('search=nobody-at-all')).toEqual([]);
    expect(membersOf(await portal().as('bob').get('/api/v2/groups?search=survey'), 'group_profiles', 'slug')).toEqual([
      'surveyors',
    ]);
    expect(membersOf(await portal().as('bob').get('/api/v2/users?search=mel'), 'users', 'username')).toEqual([]);
  });
});

onCatalogue('patch-all alone', { api: { enableBulkUpdate: false, enablePatchAll: true } }, (portal) => {
  test('works without the forms for several records', async () => {
    await portal()
      .as('ada')
      .post('/api/v2/layers', [{ title: 'One' }, { title: 'Two' }]);
    expect(
      await portal().as('ada').patch('/api/v2/layers?patch-all=true&filter{title}=One', { abstract: 'changed' }),
    ).toMatchReply({ status: 200, json: { meta: { updated: 1 } } });
    expect(membersOf(await portal().as('ada').get('/api/v2/layers?filter{abstract}=changed'), 'layers')).toEqual([
      'One',
    ]);
    for (const [method, body] of [
      ['PATCH', [{ id: 1, abstract: 'x' }]],
      ['DELETE', [{ id: 1 }]],
    ] as const)
      expect(await portal().as('ada').request(method, '/api/v2/layers', { body })).toMatchReply({ status: 405 });
  });

  test('is described with its parameter and its one object', async () => {
    const document = bodyOf<Document>(await portal().visitor.get('/api/v2/schema/?format=json'));
    const { patch, ...others } = document.paths['/api/v2/layers/'] ?? {};
    expect(Object.keys(others).sort()).toEqual(['get', 'post']);
    expect(patch?.parameters?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['patch-all', 'filter{}', 'search', 'extent']),
    );
    const schema = patch?.requestBody?.content['application/json']?.schema ?? {};
    expect(validatorOf(schema, document)({ abstract: 'x' })).toBe(true);
    expect(validatorOf(schema, document)([{ id: 1, abstract: 'x' }])).toBe(false);
  });
});
