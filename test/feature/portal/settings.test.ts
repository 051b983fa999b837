// The switches of the publishing workflow, turned through HTTP: who sees a new item before and after it is approved and published,
// what belongs to private groups, and the defaults of new items.

import { afterEach, describe, expect, test } from 'vitest';
import type { PortalClient } from '../../testkit/portal-client.ts';
import { bodyOf, onCatalogue } from './on-catalogue.ts';

const USUAL = {
  ADMIN_MODERATE_UPLOADS: false,
  COMMENTS: true,
  DEFAULT_ANONYMOUS_DOWNLOAD_PERMISSION: true,
  DEFAULT_ANONYMOUS_VIEW_PERMISSION: true,
  GROUPS_BY_ACCOUNTS: true,
  GROUP_PRIVATE_RESOURCES: false,
  READ_ONLY: false,
  RESOURCE_PUBLISHING: false,
};

onCatalogue('settings', {}, (portal) => {
  const turn = (settings: unknown, client: PortalClient = portal().as('admin')) =>
    client.patch('/api/v2/settings/', settings);
  afterEach(() => turn(USUAL));

  async function newItem(members: Record<string, unknown> = {}, client = portal().as('ada')): Promise<string> {
    const reply = await client.post('/api/v2/documents/', {
      title: 'New',
      doc_url: 'https://example.org/a',
      ...members,
    });
    expect(reply).toMatchReply({ status: 201 });
    return bodyOf<{ document: { pk: string } }>(reply).document.pk;
  }
  /** Who gets it, by name. */
  async function seenBy(id: string): Promise<string[]> {
    const clients = {
      visitor: portal().visitor,
      bob: portal().as('bob'),
      mia: portal().as('mia'),
      mel: portal().as('mel'),
      ada: portal().as('ada'),
      admin: portal().as('admin'),
    };
    const seen: string[] = [];
    for (const [name, client] of Object.entries(clients)) {
      const { status } = await client.get(`/api/v2/documents/${id}/`);
      const { total } = bodyOf<{ total: number }>(await client.get(`/api/v2/resources/?filter{pk}=${id}`));
      expect(total).toBe(status === 200 ? 1 : 0);
      if (status === 200) seen.push(name);
    }
    return seen;
  }
  const EVERYBODY = ['visitor', 'bob', 'mia', 'mel', 'ada', 'admin'];

  test('an account keeps what it prefers for itself, and visitors have nothing to keep', async () => {
    const at = '/api/v2/preferences/';
    const [ada, bob] = [portal().as('ada'), portal().as('bob')];
    expect(await ada.get(at)).toMatchReply({ status: 200, json: { preferences: {} } });
    for (const tour of ['done', 'done']) expect(await ada.patch(at, { tour })).toMatchReply({ status: 200 });
    expect(await ada.get(at)).toMatchReply({ status: 200, json: { preferences: { tour: 'done' } } });
    expect(await bob.get(at)).toMatchReply({ status: 200, json: { preferences: {} } });
    expect(await bob.patch(at, { theme: 'dark', language: 'de' })).toMatchReply({ status: 200 });
    expect(await bob.get(at)).toMatchReply({ json: { preferences: { theme: 'dark', language: 'de' } } });
    expect(await bob.patch(at, { theme: 'pink' })).toMatchReply({ status: 400 });
    expect(await ada.patch(at, { tour: null })).toMatchReply({ status: 200, json: { meta: { updated: 1 } } });
    expect(await ada.get(at)).toMatchReply({ status: 200, json: { preferences: {} } });
    expect(await ada.patch(at, { tour: 'x', colour: 'red' })).toMatchReply({
      status: 400,
      json: { tour: ['Must be null or one of: done.'], colour: ['Unknown preference.'] },
    });
    expect(await ada.patch(at, [])).toMatchReply({ status: 400 });
    for (const reply of [await portal().visitor.get(at), await portal().visitor.patch(at, { tour: 'done' })])
      expect(reply).toMatchReply({ status: 401 });
    await turn({ READ_ONLY: true });
    expect(await ada.patch(at, { tour: 'done' })).toMatchReply({ status: 403 });
  });

  test('are read by everybody', async () => {
    expect(await portal().visitor.get('/api/v2/settings/')).toMatchReply({ status: 200, json: { settings: USUAL } });
  });

  test('are turned by administrators alone, and kept', async () => {
    expect(await turn({ READ_ONLY: true }, portal().visitor)).toMatchReply({ status: 401 });
    expect(await turn({ READ_ONLY: true }, portal().as('ada'))).toMatchReply({ status: 403 });
    expect(await turn({ RESOURCE_PUBLISHING: true, GROUP_PRIVATE_RESOURCES: true })).toMatchReply({
      status: 200,
      json: { meta: { updated: 2 } },
    });
    expect(bodyOf(await portal().visitor.get('/api/v2/settings'))).toMatchObject({
      settings: { RESOURCE_PUBLISHING: true, GROUP_PRIVATE_RESOURCES: true, READ_ONLY: false },
    });
  });

  test.each([
    [{ NO_SUCH: true }, { NO_SUCH: ['Unknown setting.'] }],
    [{ READ_ONLY: 'yes' }, { READ_ONLY: ['Must be a valid boolean.'] }],
    [
      { READ_ONLY: null, __proto__x: 1 },
      { READ_ONLY: ['Must be a valid boolean.'], __proto__x: ['Unknown setting.'] },
    ],
    [[], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
  ])('%j is refused', async (body, json) => {
    expect(await turn(body)).toMatchReply({ status: 400, json });
    expect(await portal().visitor.get('/api/v2/settings')).toMatchReply({ json: { settings: USUAL } });
  });

  describe('publishing', () => {
    test('a new item is for everybody', async () => {
      expect(await seenBy(await newItem())).toEqual(EVERYBODY);
    });

    test('RESOURCE_PUBLISHING: a visitor sees it once somebody else has published it', async () => {
      await turn({ RESOURCE_PUBLISHING: true });
      const id = await newItem({ is_published: true });
      expect(await seenBy(id)).toEqual(['bob', 'mia', 'mel', 'ada', 'admin']);
      expect(await portal().as('ada').patch(`/api/v2/documents/${id}`, { is_published: true })).toMatchReply({
        status: 403,
      });
      expect(await portal().as('admin').patch(`/api/v2/documents/${id}`, { is_published: true })).toMatchReply({
        status: 200,
      });
      expect(await seenBy(id)).toEqual(EVERYBODY);
    });

    test('with moderation, too: not approved is for the owner, approved for accounts, published for all', async () => {
      await turn({ RESOURCE_PUBLISHING: true, ADMIN_MODERATE_UPLOADS: true });
      const id = await newItem();
      expect(await seenBy(id)).toEqual(['ada', 'admin']);
      await portal().as('admin').patch(`/api/v2/documents/${id}`, { is_approved: true });
      expect(await seenBy(id)).toEqual(['bob', 'mia', 'mel', 'ada', 'admin']);
      await portal().as('admin').patch(`/api/v2/documents/${id}`, { is_published: true });
      expect(await seenBy(id)).toEqual(EVERYBODY);
    });

    test('GROUP_PRIVATE_RESOURCES: what belongs to a private group is for its members', async () => {
      const group = portal().ids.surveyors;
      await portal().as('admin').patch(`/api/v2/groups/${group}`, { access: 'private' });
      const id = await newItem({ group }, portal().as('mel'));
      expect(await seenBy(id)).toEqual(EVERYBODY);
      await turn({ GROUP_PRIVATE_RESOURCES: true });
      expect(await seenBy(id)).toEqual(['mia', 'mel', 'admin']);
      await portal().as('admin').patch(`/api/v2/groups/${group}`, { access: 'public' });
      expect(await seenBy(id)).toEqual(EVERYBODY);
    });

    test('without the anonymous defaults a new item is for the owner’s groups', async () => {
      await turn({ DEFAULT_ANONYMOUS_VIEW_PERMISSION: false, DEFAULT_ANONYMOUS_DOWNLOAD_PERMISSION: false });
      expect(await seenBy(await newItem({}, portal().as('mel')))).toEqual(['mia', 'mel', 'admin']);
    });

    test('READ_ONLY: nobody but administrators writes, and perms say so', async () => {
      const id = await newItem();
      await turn({ READ_ONLY: true });
      expect(
        await portal().as('ada').post('/api/v2/documents', { title: 'No', doc_url: 'https://example.org/a' }),
      ).toMatchReply({ status: 403 });
      expect(
        await portal().as('ada').patch(`/api/v2/documents/${id}`, { title: 'No', doc_url: 'https://example.org/a' }),
      ).toMatchReply({ status: 403 });
      expect(bodyOf(await portal().as('ada').get(`/api/v2/documents/${id}`))).toMatchObject({
        document: { perms: ['view_resourcebase', 'download_resourcebase'], owner: { perms: [] } },
      });
      expect(await portal().as('admin').patch(`/api/v2/documents/${id}`, { title: 'Yes' })).toMatchReply({
        status: 200,
      });
    });
  });
});
