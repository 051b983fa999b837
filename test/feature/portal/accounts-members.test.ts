// Who is in a group, and who may say so.

import { describe, expect, test } from 'vitest';
import { onPortal, type Portal } from '../../testkit/portal-client.ts';

onPortal('members of groups', {}, (portal) => {
  const members = (group: number | string = portal().ids.surveyors): string => `/api/v2/groups/${group}/members/`;

  test('an administrator adds members, and a manager changes what they are', async () => {
    expect(await portal().as('admin').post(members(), { username: 'ada' })).toMatchReply({
      status: 201,
      json: { pk: portal().ids.ada, username: 'ada', role: 'member' },
    });
    expect(await portal().as('mia').post(members(), { username: 'Ada', role: 'manager' })).toMatchReply({
      status: 200,
      json: { pk: portal().ids.ada, username: 'ada', role: 'manager' },
    });
    expect(await membersOf(portal())).toEqual({ mia: true, mel: false, ada: true });
    expect((await portal().as('ada').post(members(), { username: 'ada', role: 'member' })).status).toBe(200);
    expect(await membersOf(portal())).toEqual({ mia: true, mel: false, ada: false });
  });

  describe('a manager invites', () => {
    const own = '/api/v2/invitations/';
    const open = (): string => `${own}${portal().ids.surveyors}/`;

    test('and whoever accepts is a member, in the role that was offered', async () => {
      expect(await portal().as('mia').post(members(), { username: 'Bob' })).toMatchReply({
        status: 202,
        json: { username: 'bob', role: 'member', state: 'invited' },
      });
      expect(await membersOf(portal())).not.toHaveProperty('bob');
      expect(await portal().as('bob').get(own)).toMatchReply({
        status: 200,
        json: {
          invitations: [
            {
              group: {
                pk: portal().ids.surveyors,
                slug: 'surveyors',
                title: expect.any(String),
                description: expect.any(String),
              },
              role: 'member',
              invited_by: 'mia',
              date: expect.any(String),
            },
          ],
        },
      });
      expect(await portal().as('bob').put(open(), { accept: true })).toMatchReply({ status: 200 });
      expect(await membersOf(portal())).toMatchObject({ bob: false });
      expect(await portal().as('bob').get(own)).toMatchReply({ json: { invitations: [] } });
      expect((await portal().as('bob').put(open(), { accept: true })).status).toBe(404);
      expect(await portal().as('bob').delete(`${members()}${portal().ids.bob}`)).toMatchReply({
        status: 204,
        text: '',
      });
    });

    test('and nobody who takes the name later is', async () => {
      const mia = portal().as('mia');
      const invited = (): Promise<unknown> =>
        mia.get(open()).then(({ body }) => JSON.parse(body.toString()).invitations);
      expect(await mia.post(members(), { username: 'nobody-at-all' })).toMatchReply({
        status: 400,
        json: { username: ['There is no account with this name.'] },
      });
      const made = await portal().db.query<{ id: number }>(`select portal.create_account('shortly') as id`);
      expect((await mia.post(members(), { username: 'shortly' })).status).toBe(202);
      await portal().db.query(`update portal.account set username = 'renamed' where id = $1`, [made[0]?.id]);
      expect(await invited()).toMatchObject([{ username: 'renamed' }]);
      await portal().db.query('delete from portal.account where id = $1', [made[0]?.id]);
      expect(await invited()).toEqual([]);
    });

    test('until it is taken back', async () => {
      expect((await portal().as('mia').post(members(), { username: 'bob' })).status).toBe(202);
      expect((await portal().as('mia').delete(`${open()}bob/`)).status).toBe(204);
      expect((await portal().as('mia').delete(`${open()}bob/`)).status).toBe(404);
      expect((await portal().as('bob').put(open(), { accept: true })).status).toBe(404);
    });

    test('and nobody else sees or takes back who was', async () => {
      await portal().as('mia').post(members(), { username: 'bob' });
      expect(await portal().as('mel').get(open())).toMatchReply({ json: { invitations: [] } });
      expect((await portal().as('mel').delete(`${open()}bob/`)).status).toBe(403);
      expect((await portal().visitor.get(own)).status).toBe(401);
      expect(await portal().as('bob').put(open(), {})).toMatchReply({ status: 400 });
      expect((await portal().as('bob').put(open(), { accept: false })).status).toBe(200);
      expect(await membersOf(portal())).not.toHaveProperty('bob');
    });
  });

  test('a member leaves, and cannot leave twice', async () => {
    await portal().as('admin').post(members(), { username: 'bob' });
    expect(await portal().as('bob').delete(`${members()}${portal().ids.bob}`)).toMatchReply({ status: 204, text: '' });
    expect((await portal().as('mia').delete(`${members()}${portal().ids.bob}`)).status).toBe(404);
  });

  describe('refused', () => {
    test.each([
      ['a visitor', (p: Portal) => p.visitor, 403, { detail: 'Authentication credentials were not provided.' }],
      ['a member', (p: Portal) => p.as('mel'), 403, { detail: 'You do not have permission to perform this action.' }],
      [
        'somebody else',
        (p: Portal) => p.as('bob'),
        403,
        { detail: 'You do not have permission to perform this action.' },
      ],
    ])('%s changes nothing', async (_who, client, status, json) => {
      const before = await membersOf(portal());
      for (const username of ['bob', 'nobody-at-all']) {
        expect(await client(portal()).post(members(), { username })).toMatchReply({ status, json });
      }
      expect(await client(portal()).delete(`${members()}${portal().ids.mia}`)).toMatchReply({ status, json });
      expect(await membersOf(portal())).toEqual(before);
    });

    test('a private group does not exist for those outside it', async () => {
      const [group] = await portal().db.query<{ id: number }>(
        `insert into portal.user_group (slug, title, access) values ('secret', 'Secret', 'private') returning id`,
      );
      const path = members(group?.id);
      expect((await portal().as('bob').post(path, { username: 'bob' })).status).toBe(404);
      expect((await portal().as('bob').delete(`${path}${portal().ids.ada}`)).status).toBe(404);
      expect((await portal().as('admin').post(path, { username: 'bob' })).status).toBe(201);
    });

    test('everybody is in the pseudo groups, whatever is asked', async () => {
      for (const group of [1, 2]) {
        expect((await portal().as('admin').post(members(group), { username: 'bob' })).status).toBe(400);
      }
      expect((await portal().as('mia').post(members(3), { username: 'bob' })).status).toBe(403);
    });

    test.each([
      ['no name', {}, { username: ['This field is required.'] }],
      ['an empty name', { username: '' }, { username: ['This field may not be blank.'] }],
      ['a number', { username: 7 }, { username: ['Not a valid string.'] }],
      ['an unknown name', { username: 'nobody-at-all' }, { username: ['There is no account with this name.'] }],
      [
        'the visitors’ pseudo account',
        { username: 'AnonymousUser' },
        { username: ['There is no account with this name.'] },
      ],
      ['a name with a NUL', { username: 'a\0b' }, { username: ['There is no account with this name.'] }],
      [
        'an unknown role',
        { username: 'bob', role: 'owner' },
        { role: [expect.stringContaining('not a valid choice')] },
      ],
      ['an object as role', { username: 'bob', role: {} }, { role: [expect.stringContaining('not a valid choice')] }],
    ])('%s', async (_what, body, json) => {
      expect(await portal().as('admin').post(members(), body)).toMatchReply({ status: 400, json });
    });

    test.each(['0', '-1', 'x', '1e3', '99999999999', `1' or '1'='1`, '%00'])(
      'a group called %s is not there',
      async (id) => {
        expect((await portal().as('admin').post(members(id), { username: 'bob' })).status).toBe(404);
        expect(
          (
            await portal()
              .as('admin')
              .delete(`${members(id)}1`)
          ).status,
        ).toBe(404);
        expect((await portal().as('admin').delete(`${members()}${id}`)).status).toBe(404);
      },
    );
  });
});

async function membersOf(portal: Portal): Promise<Record<string, boolean>> {
  const rows = await portal.db.query<{ username: string; is_manager: boolean }>(
    'select a.username, m.is_manager from portal.group_member m join portal.account a on a.id = m.account_id where m.group_id = $1',
    [portal.ids.surveyors],
  );
  return Object.fromEntries(rows.map(({ username, is_manager }) => [username, is_manager]));
}
