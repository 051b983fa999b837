// Changing a password over the API.

import { expect, test } from 'vitest';
import { onPortal, PASSWORD, type Portal } from '../../testkit/portal-client.ts';

const SESSION = '/account/session/';
const NEW = 'staple battery';

onPortal('changing a password', {}, (portal) => {
  const path = (account: keyof Portal['ids']): string => `/api/v2/users/${portal().ids[account]}/password/`;

  test('one’s own, with the old one: every other session ends, this one goes on', async () => {
    const here = await portal().session('bob');
    const elsewhere = await portal().session('bob');
    const token = await portal().tokenOf('bob');
    expect(await here.put(path('bob'), { old_password: PASSWORD, password: NEW })).toMatchReply({
      status: 200,
      json: { meta: { updated: 1 } },
    });
    expect(await here.get(SESSION)).toMatchReply({ json: { user: expect.objectContaining({ username: 'bob' }) } });
    expect(await elsewhere.get(SESSION)).toMatchReply({ json: { user: null } });
    expect((await portal().bearer(token).get(SESSION)).status).toBe(401);
    expect((await portal().basic('bob', PASSWORD).get(SESSION)).status).toBe(401);
    expect((await portal().basic('bob', NEW).get(SESSION)).status).toBe(200);
    const back = { old_password: NEW, new_password: PASSWORD };
    expect((await portal().basic('bob', NEW).put(path('bob'), back)).status).toBe(200);
  });

  test('an administrator gives anybody a new one, and needs the old one for their own', async () => {
    expect((await portal().as('admin').put(path('mel'), { password: NEW })).status).toBe(200);
    expect((await portal().basic('mel', NEW).get(SESSION)).status).toBe(200);
    expect((await portal().as('admin').put(path('mel'), { password: PASSWORD })).status).toBe(200);
    expect(await portal().as('admin').put(path('admin'), { password: NEW })).toMatchReply({
      status: 400,
      json: { old_password: ['This field is required.'] },
    });
  });

  test.each([
    ['a wrong old one', { old_password: 'wrong', password: NEW }, { old_password: ['Invalid password.'] }],
    ['none', { old_password: PASSWORD }, { password: ['This field is required.'] }],
    [
      'a short one',
      { old_password: PASSWORD, password: 'short' },
      { password: ['This password is too short. It must contain at least 8 characters.'] },
    ],
    [
      'an endless one',
      { old_password: PASSWORD, password: 'x'.repeat(2000) },
      { password: ['Ensure this field has no more than 1024 characters.'] },
    ],
    ['a number', { old_password: PASSWORD, password: 12345678 }, { password: ['Not a valid string.'] }],
    ['a list', [], { password: ['This field is required.'] }],
  ])('%s is refused, and nothing changes', async (_what, body, json) => {
    expect(await portal().as('ada').put(path('ada'), body)).toMatchReply({ status: 400, json });
    expect((await portal().as('ada').get(SESSION)).status).toBe(200);
  });

  test('somebody else’s: a visitor has to sign in, an account does not even see it, staff see it and may not', async () => {
    const body = { old_password: PASSWORD, password: NEW };
    expect((await portal().visitor.put(path('ada'), body)).status).toBe(401);
    expect((await portal().as('bob').put(path('ada'), body)).status).toBe(404);
    await portal().db.query('update portal.account_detail set is_staff = true where account_id = $1', [
      portal().ids.mia,
    ]);
    expect((await portal().as('mia').put(path('ada'), body)).status).toBe(403);
    expect((await portal().as('mia').put(path('admin'), body)).status).toBe(403);
    expect((await portal().as('ada').get(SESSION)).status).toBe(200);
  });

  test('a forged request changes nothing', async () => {
    const ada = await portal().session('ada');
    const cookie = `sessionid=${ada.cookies.get('sessionid')}`;
    const reply = await portal().visitor.put(path('ada'), { old_password: PASSWORD, password: NEW }, { cookie });
    expect(reply.status).toBe(403);
  });

  test('old passwords cannot be guessed here either', async () => {
    portal().clock.advance(3600_000);
    const ada = await portal().session('ada');
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1) {
      statuses.push((await ada.put(path('ada'), { old_password: `guess ${i}`, password: NEW })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
    portal().clock.advance(3600_000);
  });

  test.each(['0', 'x', '-1', '2147483648', `1' --`])('there is no account %s', async (id) => {
    expect(
      (
        await portal()
          .as('admin')
          .put(`/api/v2/users/${encodeURIComponent(id)}/password`, { password: NEW })
      ).status,
    ).toBe(404);
  });
});
