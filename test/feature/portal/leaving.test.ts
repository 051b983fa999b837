// An account that ends itself, and what becomes of what it owns.

import { expect, test } from 'vitest';
import { emptyBin } from '../../../src/portal/trash/empty-trash.ts';
import { PASSWORD } from '../../testkit/portal-client.ts';
import { textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf, onCatalogue, scriptAs } from './on-catalogue.ts';

const LEAVE = '/account/delete/';

onCatalogue('an account that ends itself', {}, (portal, blobs) => {
  const make = (who: 'ada' | 'bob' | 'mel', title: string): Promise<void> =>
    scriptAs(
      portal(),
      who,
      `insert into portal.resource (resource_type, title, doc_url) values ('document', '${title}', 'https://a.example/x')`,
    );
  const owners = (title: string) =>
    portal().db.query(
      'select a.username, b.resource_id is not null as in_bin from portal.resource r join portal.account a on a.id = r.owner_id left join portal_private.bin b on b.resource_id = r.id where r.title = $1',
      [title],
    );

  test('proves itself, and no token can end it', async () => {
    const mia = await portal().session('mia');
    expect(await mia.post(LEAVE, {})).toMatchReply({ status: 400, json: { password: ['This field is required.'] } });
    expect(await mia.post(LEAVE, { password: 'wrong' })).toMatchReply({
      status: 400,
      json: { password: ['This password is wrong.'] },
    });
    const token = portal().bearer(await portal().tokenOf('mia'));
    expect((await token.post(LEAVE, { password: PASSWORD })).status).toBe(403);
    expect((await portal().visitor.post(LEAVE, { password: PASSWORD })).status).toBe(401);
    // A page of another site has no token against forgery.
    mia.cookies.delete('csrftoken');
    expect((await mia.post(LEAVE, { password: PASSWORD })).status).toBe(403);
  });

  test('leaves what it owns to somebody of its groups, and to no stranger', async () => {
    await make('mel', 'Of mel');
    const mel = await portal().session('mel');
    for (const hand_over_to of ['bob', 'nobody at all', 'mel'])
      expect(await mel.post(LEAVE, { password: PASSWORD, hand_over_to })).toMatchReply({
        status: 400,
        json: { hand_over_to: ['Nobody of your groups, and no administrator, has this name.'] },
      });
    expect((await mel.post(LEAVE, { password: PASSWORD, hand_over_to: 'Mia' })).status).toBe(204);
    expect(await owners('Of mel')).toEqual([{ username: 'mia', in_bin: false }]);
    expect(bodyOf(await mel.get('/account/session/'))).toMatchObject({ user: null });
    expect((await portal().as('mel').get('/api/v2/uploads/')).status).toBe(401);
  });

  test('or leaves it in the bin, where an administrator finds it until its days are over', async () => {
    await portal().db.query('select portal.set_bin_days(30)');
    await make('ada', 'Of ada');
    const ada = await portal().session('ada');
    expect((await ada.post(LEAVE, { password: PASSWORD })).status).toBe(204);
    expect(await owners('Of ada')).toEqual([{ username: 'admin', in_bin: true }]);
    expect(textOf((await portal().as('admin').get('/api/v2/bin/')).body)).toContain('Of ada');
    expect(await emptyBin(portal().callerDb, blobs)).toEqual({ ok: true, value: 0 });
    // Thirty days go by.
    await portal().db.script(`update portal_private.bin set kept_until = kept_until - interval '30 days'`);
    expect(await emptyBin(portal().callerDb, blobs)).toEqual({ ok: true, value: 1 });
    expect(await owners('Of ada')).toEqual([]);
  });

  test('is not the last administrator', async () => {
    const admin = await portal().session('admin');
    const reply = await admin.post(LEAVE, { password: PASSWORD });
    expect(reply.status).toBe(400);
    expect((await portal().as('admin').get('/api/v2/users/')).status).toBe(200);
  });
});
