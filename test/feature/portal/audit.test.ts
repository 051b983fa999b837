// The audit log: what was done stands in it, by whom; administrators read it, and nobody changes it.

import { expect, test } from 'vitest';
import { PASSWORD } from '../../testkit/portal-client.ts';
import { textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf, idOf, onCatalogue, scriptAs } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

type Entry = {
  readonly id: number;
  readonly actor_name: string | null;
  readonly act: string;
  readonly subject: string;
  readonly name: string | null;
  readonly detail: unknown;
};

onCatalogue('the audit log', {}, (portal) => {
  const entries = async (query = ''): Promise<readonly Entry[]> =>
    bodyOf<{ entries: readonly Entry[] }>(await portal().as('admin').get(`/api/v2/audit/${query}`)).entries;
  const told = async (act: string): Promise<unknown> => {
    const found = (await entries('?limit=1000')).find((entry) => entry.act === act);
    return found === undefined ? undefined : [found.actor_name, found.subject, found.name, found.detail];
  };

  test('has sign-ins and failed ones, also of names that nobody has', async () => {
    // Who reads signs in as well, the first time.
    await entries();
    await portal().session('bob');
    expect(await told('sign-in')).toEqual(['bob', 'account', 'bob', null]);
    await portal().browser().post('/account/login/', { username: 'ada', password: 'wrong' });
    expect(await told('sign-in-failed')).toEqual(['ada', 'account', 'ada', { address: expect.any(String) }]);
    await portal().basic('=nobody', 'wrong').get('/api/v2/maps/');
    expect(await told('sign-in-failed')).toEqual([null, 'account', '=nobody', { address: expect.any(String) }]);
    await portal().basic('mel', PASSWORD).get('/api/v2/maps/');
    expect((await entries()).find((entry) => entry.name === 'mel')).toMatchObject({ act: 'sign-in' });
  });

  test('has changed permissions, deletions, members, accounts, passwords and switches, with who did it', async () => {
    await fillCatalogue(portal());
    const before = (await entries()).length;
    const lakes = await idOf(portal(), 'Lakes');
    await scriptAs(portal(), 'ada', `select portal.set_perms(${lakes}, '{"users": {"bob": ["view_resourcebase"]}}')`);
    expect(await told('granted')).toEqual([
      'ada',
      'layer',
      'Lakes',
      expect.objectContaining({ 'user bob': expect.arrayContaining(['view_resourcebase']) }),
    ]);
    expect(await portal().as('ada').delete(`/api/v2/layers/${lakes}`)).toMatchReply({ status: 204 });
    expect(await told('deleted')).toEqual(['ada', 'layer', 'Lakes', { owner: portal().ids.ada }]);
    await scriptAs(portal(), 'admin', `select portal.invite_group_member(${portal().ids.surveyors}, 'bob', false)`);
    expect(await told('member-added')).toMatchObject(['admin', 'group', 'Surveyors', { username: 'bob' }]);
    await portal().as('admin').patch('/api/v2/settings/', { RESOURCE_PUBLISHING: true });
    expect(await told('setting-changed')).toEqual(['admin', 'setting', 'RESOURCE_PUBLISHING', true]);
    await portal().as('admin').patch('/api/v2/settings/', { RESOURCE_PUBLISHING: false });
    await scriptAs(
      portal(),
      'admin',
      `update portal.account_detail set is_staff = true where account_id = ${portal().ids.mel}`,
    );
    expect(await told('changed')).toEqual([
      'admin',
      'account',
      'mel',
      { is_active: true, is_staff: true, is_superuser: false },
    ]);
    expect((await entries('?limit=1000')).length).toBeGreaterThan(before);
  });

  test('has nothing of what was rolled back', async () => {
    const before = await entries('?limit=1');
    await scriptAs(portal(), 'admin', `update portal.setting set value = not value; select 1 / 0`).catch(() => {});
    await portal()
      .db.script('rollback')
      .catch(() => {});
    expect(await entries('?limit=1')).toEqual(before);
  });

  test('is read by administrators alone, page by page, also as CSV and NDJSON', async () => {
    expect(await portal().visitor.get('/api/v2/audit/')).toMatchReply({ status: 401 });
    expect(await portal().as('ada').get('/api/v2/audit/')).toMatchReply({ status: 403 });
    // More than a page of them, one of which a spreadsheet would take for a formula.
    for (let n = 0; n < 8; n += 1) await portal().basic(`=guess-${n}`, 'wrong').get('/api/v2/maps/');
    const all = await entries('?limit=1000');
    const paged: number[] = [];
    for (let next: string | null = '/api/v2/audit/?limit=7'; next !== null; ) {
      const page: { entries: readonly Entry[]; next: string | null } = bodyOf(await portal().as('admin').get(next));
      paged.push(...page.entries.map(({ id }) => id));
      next = page.next === null ? null : page.next.slice(page.next.indexOf('/api/'));
    }
    expect(paged).toEqual(all.map(({ id }) => id));
    const lines = await portal().as('admin').get('/api/v2/audit/?export=ndjson&limit=3');
    expect(lines).toMatchReply({ status: 200, headers: { 'content-type': 'application/x-ndjson; charset=utf-8' } });
    expect(
      textOf(lines.body)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(all.slice(0, 3));
    const csv = textOf((await portal().as('admin').get('/api/v2/audit/?export=csv&limit=1000')).body);
    expect(csv.split('\r\n')[0]).toBe('id,at,actor,actor_name,act,subject,subject_id,name,detail');
    expect(csv).toContain(",'=guess-7,");
    expect(await portal().as('admin').get('/api/v2/audit/?page_size=2')).toMatchReply({
      status: 400,
      json: { page_size: [expect.stringContaining('before, limit, export')] },
    });
    expect(await portal().as('admin').get('/api/v2/audit/?limit=0&export=xml&before=x')).toMatchReply({
      status: 400,
      json: { before: [expect.any(String)], limit: [expect.any(String)], export: [expect.any(String)] },
    });
  });

  test('cannot be changed, by its owner neither', async () => {
    for (const change of [
      'update portal_private.audit set act = null',
      'delete from portal_private.audit',
      'truncate portal_private.audit',
    ])
      await expect(portal().db.script(change)).rejects.toThrow('Entries of the audit log are not changed.');
  });
});
