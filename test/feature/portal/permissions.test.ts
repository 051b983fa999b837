// Permissions through HTTP: reading and replacing them, what each allows, and that they hold at once (section 10).

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { AccountName, PortalClient } from '../../testkit/portal-client.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { bodyOf, idOf, membersOf, onCatalogue, scriptAs } from './on-catalogue.ts';

onCatalogue('permissions', {}, (portal) => {
  let layer: number;
  beforeAll(async () => {
    await scriptAs(portal(), 'ada', `insert into portal.resource (resource_type, title) values ('layer', 'Guarded')`);
    layer = await idOf(portal(), 'Guarded');
  });
  const setPerms = (body: unknown, client: PortalClient = portal().as('ada')): Promise<Reply> =>
    client.put(`/api/v2/resources/${layer}/set_perms/`, body);
  const getPerms = (client: PortalClient = portal().as('ada')): Promise<Reply> =>
    client.get(`/api/v2/resources/${layer}/get_perms/`);
  const FULL = [
    'view_resourcebase',
    'download_resourcebase',
    'change_resourcebase',
    'change_resourcebase_metadata',
    'delete_resourcebase',
    'change_resourcebase_permissions',
    'publish_resourcebase',
    'change_layer_data',
    'change_layer_style',
  ];

  describe('reading and replacing', () => {
    test('a new item is for everybody to see', async () => {
      await scriptAs(portal(), 'ada', `insert into portal.resource (resource_type, title) values ('layer', 'New')`);
      onTestFinished(() => portal().db.script(`delete from portal.resource where title = 'New'`));
      const path = `/api/v2/resources/${await idOf(portal(), 'New')}`;
      expect(await portal().as('ada').get(`${path}/get_perms/`)).toMatchReply({
        status: 200,
        json: { users: { ada: FULL }, groups: { anonymous: ['view_resourcebase', 'download_resourcebase'] } },
      });
    });

    test('replaces everything, but for what the owner keeps, and answers with what was sent', async () => {
      const body = {
        users: { bob: ['view_resourcebase', 'change_resourcebase'], mia: [] },
        groups: { surveyors: ['view_resourcebase'] },
      };
      expect(await setPerms(body)).toMatchReply({ status: 200, json: body });
      expect(await getPerms()).toMatchReply({
        status: 200,
        json: {
          users: { ada: FULL, bob: ['view_resourcebase', 'change_resourcebase'] },
          groups: { surveyors: ['view_resourcebase'] },
        },
      });
      expect(await setPerms({ users: { ada: [] } })).toMatchReply({ status: 200 });
      expect(await getPerms()).toMatchReply({ status: 200, json: { users: { ada: FULL }, groups: {} } });
    });

    test('AnonymousUser is everybody', async () => {
      await setPerms({ users: { AnonymousUser: ['view_resourcebase'] } });
      expect(await getPerms()).toMatchReply({
        status: 200,
        json: {
          users: { ada: FULL, AnonymousUser: ['view_resourcebase'] },
          groups: { anonymous: ['view_resourcebase'] },
        },
      });
      expect(await portal().visitor.get(`/api/v2/layers/${layer}`)).toMatchReply({ status: 200 });
    });

    test.each<[unknown, string, RegExp]>([
      [{ users: { 'no body': ['view_resourcebase'] } }, 'users', /no body/],
      [{ groups: { nothing: [] } }, 'groups', /nothing/],
      [{ users: { bob: ['rule_the_world'] } }, 'users', /rule_the_world/],
      [{ groups: { anonymous: [{ a: 1 }] } }, 'groups', /permission/],
      [{ users: { bob: 'view_resourcebase' } }, 'users', /bob/],
      [{ users: ['bob'] }, 'users', /users/],
      [{ owners: {} }, 'owners', /owners/],
      [[], 'non_field_errors', /dictionary, but got list/],
      ['text', 'non_field_errors', /dictionary, but got str/],
      [5, 'non_field_errors', /dictionary, but got int/],
      [null, 'non_field_errors', /dictionary, but got NoneType/],
    ])('%j is refused under %s, and changes nothing', async (body, field, message) => {
      await setPerms({ users: { bob: ['view_resourcebase'] } });
      expect(
        await portal()
          .as('ada')
          .put(`/api/v2/resources/${layer}/set_perms`, JSON.stringify(body), { 'content-type': 'application/json' }),
      ).toMatchReply({ status: 400, json: { [field]: [expect.stringMatching(message)] } });
      expect(bodyOf(await getPerms())).toMatchObject({ users: { bob: ['view_resourcebase'] } });
    });

    test('of a kind of item that does not have them are refused, also when it is made', async () => {
      const spec = { users: { bob: ['view_resourcebase', 'change_layer_data'] } };
      const made = await portal()
        .as('ada')
        .post('/api/v2/documents', { title: 'Paper', doc_url: 'https://x.example/a' });
      const { pk } = bodyOf<{ document: { pk: string } }>(made).document;
      const fault = 'a document has no permission "change_layer_data"';
      expect(await portal().as('ada').put(`/api/v2/resources/${pk}/set_perms`, spec)).toMatchReply({
        status: 400,
        json: { users: [fault] },
      });
      expect(
        await portal()
          .as('ada')
          .post('/api/v2/documents', { title: 'Paper 2', doc_url: 'https://x.example/a', permissions: spec }),
      ).toMatchReply({ status: 400, json: { permissions: [fault] } });
      await portal().as('ada').delete(`/api/v2/documents/${pk}`);
    });

    test('is for owners, staff, and who was given that permission', async () => {
      await setPerms({
        users: { bob: ['view_resourcebase'], mia: ['view_resourcebase', 'change_resourcebase_permissions'] },
      });
      expect(await getPerms(portal().as('bob'))).toMatchReply({ status: 403 });
      expect(await setPerms({}, portal().as('bob'))).toMatchReply({ status: 403 });
      expect(await getPerms(portal().as('mel'))).toMatchReply({ status: 404 });
      expect(await setPerms({}, portal().as('mel'))).toMatchReply({ status: 404 });
      // Visitors are refused alike whether there is such an item or not.
      const refused = { status: 403, json: { detail: 'Authentication credentials were not provided.' } };
      expect(await getPerms(portal().visitor)).toMatchReply(refused);
      expect(await setPerms({}, portal().visitor)).toMatchReply(refused);
      expect(await portal().visitor.get('/api/v2/resources/987654/get_perms')).toMatchReply(refused);
      expect(await getPerms(portal().as('mia'))).toMatchReply({ status: 200 });
      // nobody gives away what they do not have
      expect(await setPerms({ users: { mel: ['delete_resourcebase'] } }, portal().as('mia'))).toMatchReply({
        status: 403,
      });
      expect(
        await setPerms(
          { users: { mel: ['view_resourcebase'], mia: ['view_resourcebase', 'change_resourcebase_permissions'] } },
          portal().as('mia'),
        ),
      ).toMatchReply({ status: 200 });
      expect(await portal().as('mel').get(`/api/v2/layers/${layer}`)).toMatchReply({ status: 200 });
      expect(await setPerms({}, portal().as('admin'))).toMatchReply({ status: 200 });
    });

    test('takes nothing away when nothing is sent', async () => {
      await setPerms({ users: { bob: ['view_resourcebase'] } });
      expect(await portal().as('ada').request('PUT', `/api/v2/resources/${layer}/set_perms`)).toMatchReply({
        status: 400,
      });
      expect(bodyOf(await getPerms())).toMatchObject({ users: { bob: ['view_resourcebase'] } });
    });

    test('knows only its verbs and its items', async () => {
      expect(await portal().as('ada').get(`/api/v2/resources/${layer}/set_perms`)).toMatchReply({
        status: 405,
        headers: { allow: 'OPTIONS, PUT' },
        json: { detail: 'Method "GET" not allowed.' },
      });
      for (const method of ['POST', 'PATCH', 'DELETE']) {
        expect(await portal().as('ada').request(method, `/api/v2/resources/${layer}/set_perms`)).toMatchReply({
          status: 405,
        });
        expect(await portal().as('ada').request(method, `/api/v2/resources/${layer}/get_perms`)).toMatchReply({
          status: 405,
        });
      }
      for (const id of ['999999', 'abc']) {
        expect(await portal().as('ada').get(`/api/v2/resources/${id}/get_perms`)).toMatchReply({ status: 404 });
        expect(await portal().as('ada').put(`/api/v2/resources/${id}/set_perms`, {})).toMatchReply({ status: 404 });
      }
    });
  });

  test('totals are right while items come, go and change hands at the same moment', async () => {
    const ada = portal().as('ada');
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        ada.post('/api/v2/resources', {
          title: `Counted ${n}`,
          ...(n % 2 === 0 ? { doc_url: 'https://x.example/a' } : { resource_type: 'layer' }),
        }),
      ),
    );
    const ids = made.map((reply) => Number(bodyOf<{ resource: { pk: string } }>(reply).resource.pk));
    await Promise.all(
      ids.map((id, n) =>
        n % 3 === 0
          ? ada.delete(`/api/v2/resources/${id}`)
          : n % 3 === 1
            ? ada.put(`/api/v2/resources/${id}/set_perms`, { users: { bob: ['view_resourcebase'] } })
            : ada.patch(`/api/v2/resources/${id}`, { is_approved: false }),
      ),
    );
    for (const list of [
      '/api/v2/resources',
      '/api/v2/layers',
      '/api/v2/resources?filter{resource_type}=layer',
      '/api/v2/resources?filter{resource_type.in}=layer&filter{resource_type.in}=document',
      '/api/v2/resources/approved',
      '/api/v2/resources/published',
    ]) {
      for (const client of [portal().visitor, ada, portal().as('bob'), portal().as('mel'), portal().as('admin')]) {
        const reply = await client.get(`${list}${list.includes('?') ? '&' : '?'}page_size=1000`);
        const { total, ...rest } = bodyOf<{ total: number; resources?: unknown[]; layers?: unknown[] }>(reply);
        expect([list, total]).toEqual([list, (rest.resources ?? rest.layers)?.length]);
      }
    }
    await ada.delete(
      '/api/v2/resources',
      ids.map((id) => ({ id })),
    );
  });

  test('a grant that is taken back is gone with the next request, everywhere', async () => {
    await setPerms({ users: { bob: ['view_resourcebase', 'change_resourcebase'] } });
    const bob = portal().as('bob');
    const looks = async (): Promise<number[]> =>
      Promise.all([
        bob.get(`/api/v2/layers/${layer}`),
        bob.get(`/api/v2/resources/${layer}`),
        bob.get(`/api/v2/layers/${layer}/styles`),
        bob.get(`/api/v2/layers/${layer}?filter{title}=Guarded`),
        bob.patch(`/api/v2/layers/${layer}`, { purpose: 'x' }),
      ]).then((replies) => replies.map(({ status }) => status));
    const lists = async (): Promise<unknown[]> => [
      membersOf(await bob.get('/api/v2/layers'), 'layers'),
      membersOf(await bob.get('/api/v2/resources?search=guarded'), 'resources'),
      membersOf(await bob.get('/api/v2/owners'), 'owners', 'username'),
    ];
    expect(await looks()).toEqual([200, 200, 200, 200, 200]);
    expect(await lists()).toEqual([['Guarded'], ['Guarded'], ['ada']]);
    await setPerms({});
    expect(await looks()).toEqual([404, 404, 404, 404, 404]);
    expect(await lists()).toEqual([[], [], []]);
    await setPerms({ groups: { 'registered-members': ['view_resourcebase'] } });
    expect(await looks()).toEqual([200, 200, 200, 200, 403]);
    expect(await lists()).toEqual([['Guarded'], ['Guarded'], ['ada']]);
  });

  describe('what each permission allows', () => {
    type Role = 'visitor' | AccountName;
    const ROLES: readonly Role[] = ['visitor', 'bob', 'mel', 'ada', 'admin'];
    const who = (role: Role): PortalClient => (role === 'visitor' ? portal().visitor : portal().as(role));

    /** As bob is given it; mel is in the group `surveyors`, which is given the same; ada owns the item. */
    type Case = { readonly perms: readonly string[]; readonly allowed: readonly string[] };
    const CASES: readonly Case[] = [
      { perms: [], allowed: [] },
      { perms: ['view_resourcebase'], allowed: ['read'] },
      { perms: ['view_resourcebase', 'download_resourcebase'], allowed: ['read', 'download'] },
      { perms: ['view_resourcebase', 'change_resourcebase_metadata'], allowed: ['read', 'describe', 'keywords'] },
      {
        perms: ['view_resourcebase', 'change_resourcebase'],
        allowed: ['read', 'describe', 'keywords', 'thumbnail', 'hide'],
      },
      { perms: ['view_resourcebase', 'publish_resourcebase'], allowed: ['read', 'publish'] },
      { perms: ['view_resourcebase', 'change_resourcebase_permissions'], allowed: ['read', 'perms'] },
      { perms: ['view_resourcebase', 'delete_resourcebase'], allowed: ['read', 'delete'] },
      // without being seen nothing can be done with it
      { perms: ['change_resourcebase', 'delete_resourcebase', 'change_resourcebase_permissions'], allowed: [] },
    ];
    const ACTIONS: Readonly<Record<string, (client: PortalClient, id: number) => Promise<Reply>>> = {
      read: (client, id) => client.get(`/api/v2/documents/${id}`),
      download: (client, id) => client.get(`/documents/${id}/download`),
      describe: (client, id) => client.patch(`/api/v2/documents/${id}`, { purpose: 'changed' }),
      keywords: (client, id) => client.patch(`/api/v2/documents/${id}`, { keywords: ['changed'] }),
      thumbnail: (client, id) =>
        client.patch(`/api/v2/documents/${id}`, { thumbnail_url: 'https://example.org/x.png' }),
      publish: (client, id) => client.patch(`/api/v2/documents/${id}`, { is_published: false }),
      feature: (client, id) => client.patch(`/api/v2/documents/${id}`, { featured: true }),
      give: (client, id) => client.patch(`/api/v2/documents/${id}`, { owner: portal().ids.admin }),
      perms: (client, id) => client.get(`/api/v2/resources/${id}/get_perms`),
      hide: (client, id) => client.patch(`/api/v2/documents/${id}`, { metadata_only: true }),
      delete: (client, id) => client.delete(`/api/v2/documents/${id}`),
    };
    const OWNERS = ['read', 'download', 'describe', 'keywords', 'thumbnail', 'publish', 'perms', 'hide', 'delete'];

    const READING: ReadonlySet<string> = new Set(['read', 'download', 'perms']);

    async function makeItem(perms: readonly string[]): Promise<number> {
      await portal().db.script(`delete from portal.resource where title = 'Item'`);
      await scriptAs(
        portal(),
        'ada',
        `insert into portal.resource (resource_type, title, doc_url) values ('document', 'Item', 'https://example.org/x.pdf'); select portal.set_perms(id, '${JSON.stringify({ users: { bob: perms }, groups: { surveyors: perms } })}') from portal.resource where title = 'Item'`,
      );
      return idOf(portal(), 'Item');
    }

    for (const { perms, allowed } of CASES) {
      test(`${perms.join(', ') || 'nothing'}: ${allowed.join(', ') || 'nothing'}`, async () => {
        const wrong: string[] = [];
        let id: number | undefined;
        for (const role of ROLES) {
          for (const [name, act] of Object.entries(ACTIONS)) {
            id ??= await makeItem(perms);
            const reply = await act(who(role), id);
            // What was done is undone.
            if (reply.status < 400 && !READING.has(name)) id = undefined;
            const holds =
              role === 'admin' ||
              (role === 'ada' ? OWNERS.includes(name) : role !== 'visitor' && allowed.includes(name));
            const seen =
              role === 'ada' || role === 'admin' || (role !== 'visitor' && perms.includes('view_resourcebase'));
            const toVisitors = name === 'read' || name === 'download' ? 404 : name === 'perms' ? 403 : 401;
            const expected = holds ? [200, 204, 302] : role === 'visitor' ? [toVisitors] : [seen ? 403 : 404];
            // An owner who is unknown to the caller is a mistake in the field.
            if (name === 'give' && !holds && seen) expected.push(400);
            if (!expected.includes(reply.status)) wrong.push(`${role} ${name}: ${reply.status} instead of ${expected}`);
          }
        }
        expect(wrong).toEqual([]);
      }, 120_000);
    }
  });
});
