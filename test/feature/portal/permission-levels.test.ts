// Permissions as levels: `{collection}/{id}/permissions`, as newer clients read and write them.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PortalClient } from '../../testkit/portal-client.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { bodyOf, idOf, onCatalogue, scriptAs } from './on-catalogue.ts';

type Entry = { readonly id: number; readonly username?: string; readonly name?: string; readonly permissions: string };
type Levels = { readonly users: Entry[]; readonly organizations: Entry[]; readonly groups: Entry[] };

onCatalogue('permissions as levels', {}, (portal) => {
  let layer: number;
  let map: number;
  beforeAll(async () => {
    await scriptAs(
      portal(),
      'ada',
      `insert into portal.resource (resource_type, title) values ('layer', 'Guarded');
       insert into portal.resource (resource_type, title, zoom, projection, center_x, center_y) values ('map', 'Guarded map', 1, 'EPSG:3857', 0, 0)`,
    );
    layer = await idOf(portal(), 'Guarded');
    map = await idOf(portal(), 'Guarded map');
    // Whom ada knows: bob owns something that everybody sees, mia and mel are in a group.
    await scriptAs(portal(), 'bob', `insert into portal.resource (resource_type, title) values ('layer', 'Of bob')`);
  });
  beforeEach(async () => {
    await scriptAs(
      portal(),
      'admin',
      `select portal.set_perms(${layer}, '{"groups": {"anonymous": ["view_resourcebase"]}}')`,
    );
  });
  const read = (client: PortalClient = portal().as('ada'), of = `resources/${layer}`): Promise<Reply> =>
    client.get(`/api/v2/${of}/permissions`);
  const put = (body: unknown, client: PortalClient = portal().as('ada')): Promise<Reply> =>
    client.put(`/api/v2/resources/${layer}/permissions`, body);
  const patch = (body: unknown): Promise<Reply> =>
    portal().as('ada').patch(`/api/v2/resources/${layer}/permissions`, body);
  const perms = async (): Promise<unknown> =>
    bodyOf(await portal().as('ada').get(`/api/v2/resources/${layer}/get_perms`));
  const shown = (reply: Reply): Record<string, string> => {
    expect(reply.status).toBe(200);
    const { users, organizations, groups } = bodyOf<Levels>(reply);
    return Object.fromEntries(
      [...users, ...organizations, ...groups].map(({ username, name, permissions }) => [username ?? name, permissions]),
    );
  };
  const EDIT = [
    'view_resourcebase',
    'download_resourcebase',
    'change_resourcebase',
    'change_resourcebase_metadata',
    'change_layer_data',
    'change_layer_style',
  ];

  test('are read with the people, organizations and the two groups of everybody', async () => {
    await put({
      users: [{ id: portal().ids.bob, permissions: 'edit' }],
      organizations: [{ id: portal().ids.surveyors, permissions: 'view' }],
    });
    expect(await read()).toMatchReply({
      status: 200,
      json: {
        users: [
          {
            id: portal().ids.ada,
            username: 'ada',
            first_name: 'Ada',
            last_name: 'Tester',
            avatar: `http://localhost/avatar/${portal().ids.ada}.svg`,
            permissions: 'owner',
            is_superuser: false,
            is_staff: false,
          },
          {
            id: portal().ids.bob,
            username: 'bob',
            first_name: 'Bob',
            last_name: 'Tester',
            avatar: `http://localhost/avatar/${portal().ids.bob}.svg`,
            permissions: 'edit',
            is_superuser: null,
            is_staff: null,
          },
        ],
        organizations: [
          { id: portal().ids.surveyors, title: 'Surveyors', name: 'surveyors', logo: null, permissions: 'view' },
        ],
        groups: [
          { id: 1, title: expect.any(String), name: 'anonymous', permissions: 'none' },
          { id: 2, title: expect.any(String), name: 'registered-members', permissions: 'none' },
        ],
      },
    });
  });

  test('are the same in every collection that has the item, and in no other', async () => {
    for (const of of [`layers/${layer}`, `datasets/${layer}`, `maps/${map}`, `resources/${map}`])
      expect(shown(await read(portal().as('ada'), of))).toMatchObject({ ada: 'owner' });
    for (const of of [`maps/${layer}`, `documents/${layer}`, 'resources/0', 'resources/x'])
      expect(await read(portal().as('ada'), of)).toMatchReply({ status: 404 });
    expect(await portal().as('ada').put(`/api/v2/maps/${layer}/permissions`, {})).toMatchReply({ status: 404 });
    expect(await portal().as('ada').delete(`/api/v2/maps/${layer}/permissions`)).toMatchReply({ status: 404 });
  });

  test('mean the permissions that set_perms knows', async () => {
    await put({
      users: [{ username: 'bob', permissions: 'edit' }],
      organizations: [{ name: 'surveyors', permissions: 'download' }],
      groups: [
        { name: 'anonymous', permissions: 'view' },
        { id: 2, permissions: 'none' },
      ],
    });
    expect(await perms()).toMatchObject({
      users: { bob: EDIT },
      groups: { anonymous: ['view_resourcebase'], surveyors: ['view_resourcebase', 'download_resourcebase'] },
    });
    expect((await read(portal().as('bob'))).status).toBe(403);
    await put({ users: [{ username: 'bob', permissions: 'manage' }] });
    expect(shown(await read(portal().as('bob')))).toMatchObject({ bob: 'manage', ada: 'owner' });
    // On a map the same level has what maps have.
    await portal()
      .as('ada')
      .put(`/api/v2/maps/${map}/permissions`, { users: [{ username: 'bob', permissions: 'edit' }] });
    expect(bodyOf(await portal().as('ada').get(`/api/v2/resources/${map}/get_perms`))).toMatchObject({
      users: { bob: EDIT.slice(0, 4) },
    });
  });

  test('PUT replaces, PATCH changes what it names, DELETE leaves the owner', async () => {
    await put({
      users: [
        { username: 'bob', permissions: 'view' },
        { username: 'mia', permissions: 'view' },
      ],
      groups: [{ id: 1, permissions: 'view' }],
    });
    expect(
      shown(
        await patch({
          users: [
            { username: 'bob', permissions: 'download' },
            { username: 'mia', permissions: 'none' },
          ],
        }),
      ),
    ).toEqual({
      ada: 'owner',
      bob: 'download',
      anonymous: 'view',
      'registered-members': 'none',
    });
    expect(shown(await put({ users: [{ username: 'mia', permissions: 'view' }] }))).toEqual({
      ada: 'owner',
      mia: 'view',
      anonymous: 'none',
      'registered-members': 'none',
    });
    expect(shown(await portal().as('ada').delete(`/api/v2/resources/${layer}/permissions`))).toEqual({
      ada: 'owner',
      anonymous: 'none',
      'registered-members': 'none',
    });
  });

  test('what was read can be sent back, and changes nothing', async () => {
    const odd = {
      users: { bob: ['view_resourcebase', 'change_resourcebase_metadata'], AnonymousUser: ['view_resourcebase'] },
      groups: {},
    };
    await portal().as('ada').put(`/api/v2/resources/${layer}/set_perms`, odd);
    const before = await perms();
    const levels = bodyOf<Levels>(await read());
    expect(levels.users.find(({ username }) => username === 'bob')?.permissions).toBe('edit');
    await patch(levels);
    expect(
      bodyOf<{ users: unknown }>(await portal().as('ada').get(`/api/v2/resources/${layer}/get_perms`)).users,
    ).toMatchObject({
      bob: odd.users.bob,
    });
    await put(levels);
    expect((await read()).status).toBe(200);
    expect(bodyOf<Levels>(await read())).toEqual(levels);
    expect(await perms()).toMatchObject({ groups: (before as { groups: unknown }).groups });
  });

  test('somebody who takes the own permissions away has done so', async () => {
    await put({ users: [{ username: 'bob', permissions: 'manage' }] });
    expect((await put({ users: [] }, portal().as('bob'))).status).toBe(204);
    expect(shown(await read())).not.toHaveProperty('bob');
    await put({ users: [{ username: 'bob', permissions: 'manage' }], groups: [{ id: 1, permissions: 'view' }] });
    expect(
      (
        await portal()
          .as('bob')
          .patch(`/api/v2/resources/${layer}/permissions`, { users: [{ username: 'bob', permissions: 'view' }] })
      ).status,
    ).toBe(204);
    expect(shown(await read())).toMatchObject({ bob: 'view' });
  });

  test('forms with JSON in `permissions`, as older clients send them, are taken', async () => {
    const body = `permissions=${JSON.stringify({ users: [{ id: portal().ids.bob, permissions: 'view' }], groups: [], organizations: [] })}`;
    const reply = await portal()
      .as('ada')
      .put(`/api/v2/resources/${layer}/permissions`, body, { 'content-type': 'application/x-www-form-urlencoded' });
    expect(shown(reply)).toMatchObject({ bob: 'view' });
  });

  describe('are refused, by name,', () => {
    test.each([
      [
        'a level that is none',
        { users: [{ username: 'bob', permissions: 'admin' }] },
        'unknown level "admin" of "bob"',
      ],
      ['no level', { users: [{ username: 'bob' }] }, 'unknown level "" of "bob"'],
      ['an owner who is not', { users: [{ username: 'bob', permissions: 'owner' }] }, 'unknown level "owner" of "bob"'],
      ['what cannot be a name', { users: [{ username: 'no body', permissions: 'view' }] }, 'unknown user "no body"'],
      ['a number of nobody', { users: [{ id: 99999, permissions: 'view' }] }, 'unknown user "99999"'],
      [
        'AnonymousUser as a person',
        { users: [{ username: 'AnonymousUser', permissions: 'view' }] },
        'unknown user "AnonymousUser"',
      ],
      ['a number that is none', { users: [{ id: '1 or 1=1', permissions: 'view' }] }, 'unknown user "1 or 1=1"'],
      [
        'a group that is not there',
        { organizations: [{ name: 'nobody', permissions: 'view' }] },
        'unknown group "nobody"',
      ],
      [
        'an organization among the groups',
        { groups: [{ name: 'surveyors', permissions: 'view' }] },
        'unknown group "surveyors"',
      ],
      ['everybody among the organizations', { organizations: [{ id: 1, permissions: 'view' }] }, 'unknown group "1"'],
      ['a member that is none', { people: [] }, 'unknown member "people"'],
      ['what is no list', { users: { bob: ['view_resourcebase'] } }, '"users" must be a list'],
      ['what is no object', { users: ['bob'] }, 'entries of "users" must be objects'],
    ])('%s', async (_what, body, message) => {
      const before = await perms();
      const reply = await put(body);
      expect(reply.status).toBe(400);
      // Under the member that it is about.
      const field = /^unknown member/.test(message) ? 'people' : (Object.keys(body)[0] ?? '');
      expect(bodyOf<Record<string, unknown>>(reply)).toMatchObject({ [field]: [message] });
      expect(await perms()).toEqual(before);
    });
    test('what is no object at all', async () => {
      const before = await perms();
      for (const body of ['[]', '"x"', 'nonsense', '', 'null', '{"permissions":"nonsense"}', '{"permissions":"[]"}'])
        expect(
          await portal()
            .as('ada')
            .put(`/api/v2/resources/${layer}/permissions`, body, { 'content-type': 'application/json' }),
          body,
        ).toMatchReply({ status: 400 });
      expect(await perms()).toEqual(before);
    });
  });

  test('an account that the caller does not know is named by its name alone, and nothing else is told of it', async () => {
    const admin = portal().ids.admin;
    expect((await put({ users: [{ id: admin, permissions: 'view' }] })).status).toBe(400);
    const reply = await put({ users: [{ username: 'admin', permissions: 'view' }] });
    expect(bodyOf<Levels>(reply).users[1]).toMatchObject({
      username: 'admin',
      first_name: '',
      last_name: '',
      is_superuser: null,
    });
    // Once named, it may be sent back as it was read.
    expect((await put({ users: [{ id: admin, permissions: 'view' }] })).status).toBe(200);
  });

  test('a private group is unknown to outsiders, by number as by name', async () => {
    const [made] = await portal().db.query<{ id: number }>(
      `insert into portal.user_group (slug, title, access) values ('secret', 'Secret', 'private') returning id`,
    );
    for (const named of [{ id: made?.id }, { name: 'secret' }]) {
      const reply = await put({ organizations: [{ ...named, permissions: 'view' }] });
      expect(reply.status).toBe(400);
      if (named.name === undefined) expect(JSON.stringify(bodyOf(reply))).not.toContain('secret');
    }
  });

  test('are for those who may change them: others are refused, visitors too', async () => {
    for (const [client, status] of [
      [portal().visitor, 403],
      [portal().as('bob'), 403],
      [portal().as('admin'), 200],
    ] as const) {
      expect((await read(client)).status).toBe(status);
      expect((await put({ users: [{ username: 'bob', permissions: 'none' }] }, client)).status).toBe(status);
      expect((await client.delete(`/api/v2/resources/${layer}/permissions`)).status).toBe(status);
    }
    expect((await read(portal().as('bob'))).status).toBe(404);
  });
});
