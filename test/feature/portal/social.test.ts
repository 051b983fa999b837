// Comments, ratings, following and notifications: who reads and writes them, who is told of what, and that nothing is told to anybody who
// may not see the item.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeSmtpMailer } from '../../../src/portal/mail/smtp-mailer.ts';
import { sendLetters } from '../../../src/portal/social/send-letters.ts';
import { boundBin } from '../../../src/portal/trash/empty-trash.ts';
import { startMailServer } from '../../testkit/mail-server.ts';
import type { PortalClient } from '../../testkit/portal-client.ts';
import { bodyOf, idOf, membersOf, onCatalogue, scriptAs } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

type Comment = {
  readonly id: number;
  readonly author: { readonly username: string } | null;
  readonly body: string;
  readonly edited: string | null;
  readonly hidden: boolean;
  readonly may_edit: boolean;
  readonly may_delete: boolean;
  readonly may_hide: boolean;
};
type Comments = {
  readonly comments: readonly Comment[];
  readonly total: number;
  readonly may_comment: boolean;
  readonly is_open: boolean;
};
type Notification = {
  readonly id: number;
  readonly kind: string;
  readonly read: boolean;
  readonly actor: { readonly username: string } | null;
  readonly resource: { readonly pk: string; readonly title: string };
  readonly comment: string | null;
};

onCatalogue('comments, ratings and notifications', {}, (portal) => {
  let ada: PortalClient;
  let bob: PortalClient;
  let mia: PortalClient;
  let admin: PortalClient;
  let rivers: number;
  let mines: number;

  beforeAll(async () => {
    await fillCatalogue(portal());
    const by = async (name: 'ada' | 'bob' | 'mia' | 'admin'): Promise<PortalClient> =>
      portal().bearer(await portal().tokenOf(name));
    [ada, bob, mia, admin] = [await by('ada'), await by('bob'), await by('mia'), await by('admin')];
    rivers = await idOf(portal(), 'Rivers');
    mines = await idOf(portal(), 'Secret mines');
  });
  beforeEach(() =>
    portal().db.script(`delete from portal_private.notification; delete from portal_private.follow;
      delete from portal_private.comment; delete from portal_private.rating; delete from portal_private.notification_choice`),
  );

  const commentsOn = async (who: PortalClient, id: number, query = ''): Promise<Comments> =>
    bodyOf<Comments>(await who.get(`/api/v2/resources/${id}/comments/${query}`));
  const say = async (who: PortalClient, id: number, body: string): Promise<Comment> => {
    const reply = await who.post(`/api/v2/resources/${id}/comments/`, { body });
    expect(reply).toMatchReply({ status: 201 });
    return bodyOf<Comment>(reply);
  };
  const toldTo = async (who: PortalClient): Promise<readonly Notification[]> =>
    bodyOf<{ notifications: readonly Notification[] }>(await who.get('/api/v2/notifications/')).notifications;
  const kindsTo = async (who: PortalClient): Promise<readonly string[]> => (await toldTo(who)).map(({ kind }) => kind);
  const unreadOf = async (who: PortalClient): Promise<number> =>
    bodyOf<{ unread: number }>(await who.get('/api/v2/notifications/unread/')).unread;
  const follow = (who: PortalClient, id: number) => who.post(`/api/v2/resources/${id}/follow/`);
  const itemOf = async (id: number): Promise<Record<string, unknown>> =>
    bodyOf<{ resource: Record<string, unknown> }>(await portal().visitor.get(`/api/v2/resources/${id}/`)).resource;

  describe('people and groups', () => {
    const followed = async (
      who: PortalClient,
    ): Promise<{ users: { username: string }[]; groups: { name: string }[] }> =>
      bodyOf(await who.get('/api/v2/following/'));
    const make = async (title: string, more: object): Promise<number> => {
      const made = await ada.post('/api/v2/maps/', {
        title,
        zoom: 1,
        projection: 'EPSG:3857',
        center_x: 0,
        center_y: 0,
        ...more,
      });
      expect(made).toMatchReply({ status: 201 });
      return Number(bodyOf<{ map: { pk: string } }>(made).map.pk);
    };
    const everybody = { users: {}, groups: { anonymous: ['view_resourcebase'] } };
    const nobody = { users: {}, groups: {} };
    beforeEach(() =>
      portal().db.script('delete from portal_private.follow_owner; delete from portal_private.follow_group'),
    );

    test('are followed and not, by accounts that see them; nobody follows themselves', async () => {
      const { ids } = portal();
      const path = `/api/v2/users/${ids.ada}/follow/`;
      expect(bodyOf(await mia.get(path))).toEqual({ following: false });
      expect(bodyOf(await mia.post(path))).toEqual({ following: true });
      expect(bodyOf(await mia.post(path))).toEqual({ following: true });
      expect(bodyOf(await mia.get(path))).toEqual({ following: true });
      expect(bodyOf(await mia.post(`/api/v2/groups/${ids.surveyors}/follow/`))).toEqual({ following: true });
      expect(await followed(mia)).toMatchObject({ users: [{ username: 'ada' }], groups: [{ pk: ids.surveyors }] });
      expect(await followed(bob)).toEqual({ users: [], groups: [] });
      expect(bodyOf(await mia.delete(path))).toEqual({ following: false });
      expect(await followed(mia)).toMatchObject({ users: [] });
      expect(await ada.post(path)).toMatchReply({ status: 400 });
      expect(await portal().visitor.post(path)).toMatchReply({ status: 401 });
      for (const unknown of [
        '/api/v2/users/987654/follow/',
        '/api/v2/groups/987654/follow/',
        '/api/v2/groups/3/follow/',
      ])
        for (const reply of [await mia.get(unknown), await mia.post(unknown), await mia.delete(unknown)])
          expect(reply, unknown).toMatchReply({ status: 404 });
    });

    test('a private group does not exist for who is not in it', async () => {
      await portal().db.query("update portal.user_group set access = 'private' where id = $1", [
        portal().ids.surveyors,
      ]);
      expect(await bob.post(`/api/v2/groups/${portal().ids.surveyors}/follow/`)).toMatchReply({ status: 404 });
      expect(await mia.post(`/api/v2/groups/${portal().ids.surveyors}/follow/`)).toMatchReply({ status: 200 });
      await portal().db.query("update portal.user_group set access = 'public' where id = $1", [portal().ids.surveyors]);
    });

    test('new items are told once, when they are seen: at once, or when they are shared', async () => {
      await mia.post(`/api/v2/users/${portal().ids.ada}/follow/`);
      const shown = await make('Shown at once', { permissions: everybody });
      expect(await toldTo(mia)).toMatchObject([
        { kind: 'new', actor: { username: 'ada' }, resource: { pk: String(shown), title: 'Shown at once' } },
      ]);
      expect(await kindsTo(ada)).toEqual([]);
      const later = await make('Shown later', { permissions: nobody });
      expect(await toldTo(mia)).toHaveLength(1);
      for (const perms of [everybody, nobody, everybody])
        expect(await ada.put(`/api/v2/resources/${later}/set_perms/`, perms)).toMatchReply({ status: 200 });
      expect((await toldTo(mia)).map(({ resource }) => resource.title)).toEqual(['Shown later', 'Shown at once']);
      // What is not seen any more is not told of any more, and other changes tell nothing.
      await ada.put(`/api/v2/resources/${later}/set_perms/`, nobody);
      expect(await toldTo(mia)).toHaveLength(1);
      await ada.patch(`/api/v2/maps/${shown}/`, { title: 'Renamed' });
      expect(await kindsTo(mia)).toEqual(['new']);
      for (const id of [shown, later]) await ada.delete(`/api/v2/maps/${id}/`);
    });

    test('items of a group are told to its followers, unless they want no word of new ones', async () => {
      const { ids } = portal();
      await mia.post(`/api/v2/groups/${ids.surveyors}/follow/`);
      await bob.post(`/api/v2/groups/${ids.surveyors}/follow/`);
      expect(await bob.patch('/api/v2/notifications/settings/', { new: { in_pages: false } })).toMatchReply({
        status: 200,
      });
      const item = await make('Of the group', { permissions: everybody });
      expect(await kindsTo(mia)).toEqual([]);
      await portal().db.query('update portal.resource set group_id = $1 where id = $2', [ids.surveyors, item]);
      expect(await kindsTo(mia)).toEqual(['new']);
      expect(await kindsTo(bob)).toEqual([]);
      await ada.delete(`/api/v2/maps/${item}/`);
    });
  });

  describe('comments', () => {
    test('are read by everybody who sees the item, and written by accounts that do', async () => {
      await say(bob, rivers, 'Which year?\r\nThe north\u0007 is missing.  ');
      const { comments, total, may_comment } = await commentsOn(portal().visitor, rivers);
      expect(comments).toMatchObject([
        { author: { username: 'bob' }, body: 'Which year?\nThe north is missing.', edited: null, may_edit: false },
      ]);
      expect([total, may_comment]).toEqual([1, false]);
      expect(await itemOf(rivers)).toMatchObject({ comment_count: 1 });
      expect(await portal().visitor.post(`/api/v2/resources/${rivers}/comments/`, { body: 'x' })).toMatchReply({
        status: 401,
      });
    });

    test('of an item that one does not see do not exist, whatever is asked', async () => {
      const { id } = await say(bob, mines, 'Hush');
      for (const reply of [
        await mia.get(`/api/v2/resources/${mines}/comments/`),
        await portal().visitor.get(`/api/v2/resources/${mines}/comments/`),
        await mia.post(`/api/v2/resources/${mines}/comments/`, { body: 'x' }),
        await mia.patch(`/api/v2/resources/${mines}/comments/${id}/`, { body: 'x' }),
        await mia.delete(`/api/v2/resources/${mines}/comments/${id}/`),
        await mia.get(`/api/v2/resources/${mines}/rating/`),
        await mia.put(`/api/v2/resources/${mines}/rating/`, { stars: 1 }),
        await mia.get(`/api/v2/resources/${mines}/follow/`),
        await follow(mia, mines),
        // A comment is found under its own item alone.
        await bob.delete(`/api/v2/resources/${rivers}/comments/${id}/`),
      ])
        expect(reply).toMatchReply({ status: 404 });
    });

    test('are edited by their authors, hidden by owners, and deleted by both and by administrators', async () => {
      const { id } = await say(bob, rivers, 'First');
      const path = `/api/v2/resources/${rivers}/comments/${id}/`;
      expect(await mia.patch(path, { body: 'Mine' })).toMatchReply({ status: 403 });
      expect(await ada.patch(path, { body: 'Mine' })).toMatchReply({ status: 403 });
      expect(await bob.patch(path, { hidden: true })).toMatchReply({ status: 403 });
      expect(await mia.delete(path)).toMatchReply({ status: 403 });
      expect(bodyOf<Comment>(await bob.patch(path, { body: 'Second' }))).toMatchObject({
        body: 'Second',
        edited: expect.any(String),
        may_hide: false,
      });
      expect(bodyOf<Comment>(await ada.patch(path, { hidden: true }))).toMatchObject({ hidden: true, may_hide: true });
      // Out of sight, and out of the count, but not for its author, the owner and administrators.
      for (const who of [mia, portal().visitor])
        expect(await commentsOn(who, rivers)).toMatchObject({ comments: [], total: 0 });
      for (const who of [ada, bob, admin]) expect((await commentsOn(who, rivers)).comments).toHaveLength(1);
      expect(await mia.delete(path)).toMatchReply({ status: 404 });
      expect(await admin.delete(path)).toMatchReply({ status: 204 });
      expect(await bob.delete(path)).toMatchReply({ status: 404 });
      const { entries } = bodyOf<{ entries: { act: string; actor_name: string; detail: unknown }[] }>(
        await admin.get('/api/v2/audit/?act=comment-deleted&act=comment-hidden'),
      );
      expect(entries.map(({ act, actor_name }) => [act, actor_name])).toEqual([
        ['comment-deleted', 'admin'],
        ['comment-hidden', 'ada'],
      ]);
      expect(entries[0]?.detail).toMatchObject({ author: 'bob', body: 'Second' });
    });

    test('are texts of bounded length, in pages', async () => {
      const post = (body: unknown) => bob.post(`/api/v2/resources/${rivers}/comments/`, body);
      for (const body of [{}, { body: ' \n' }, { body: 1 }, { body: 'x'.repeat(5001) }, { body: 'a\0' }, [], null])
        expect(await post(body)).toMatchReply({ status: 400 });
      expect(await post({ body: '𝔵'.repeat(5000) })).toMatchReply({ status: 201 });
      for (const n of [1, 2, 3]) await say(bob, rivers, `Number ${n}`);
      const first = await commentsOn(mia, rivers, '?limit=2');
      expect([first.comments.map(({ body }) => body), first.total]).toEqual([['Number 3', 'Number 2'], 4]);
      const next = await commentsOn(mia, rivers, `?limit=1&before=${first.comments[1]?.id}`);
      expect(next.comments.map(({ body }) => body)).toEqual(['Number 1']);
      for (const query of ['?limit=0', '?limit=101', '?before=x', '?before=9999999999'])
        expect(await mia.get(`/api/v2/resources/${rivers}/comments/${query}`)).toMatchReply({ status: 400 });
    });

    test('are not written without end', async () => {
      for (let n = 0; n < 30; n += 1) await say(bob, rivers, `Number ${n}`);
      expect(await bob.post(`/api/v2/resources/${rivers}/comments/`, { body: 'One more' })).toMatchReply({
        status: 400,
        json: ['You wrote 30 comments within ten minutes. Please wait a little.'],
      });
    });

    test('can be switched off for the whole portal; what was said stays, and can be deleted', async () => {
      const { id } = await say(bob, rivers, 'Before');
      await admin.patch('/api/v2/settings/', { COMMENTS: false });
      try {
        expect(await bob.post(`/api/v2/resources/${rivers}/comments/`, { body: 'x' })).toMatchReply({ status: 403 });
        expect(await bob.patch(`/api/v2/resources/${rivers}/comments/${id}/`, { body: 'x' })).toMatchReply({
          status: 403,
        });
        expect(await commentsOn(bob, rivers)).toMatchObject({
          comments: [{ body: 'Before', may_edit: false, may_delete: true }],
          may_comment: false,
          is_open: false,
        });
        expect(await bob.delete(`/api/v2/resources/${rivers}/comments/${id}/`)).toMatchReply({ status: 204 });
      } finally {
        await admin.patch('/api/v2/settings/', { COMMENTS: true });
      }
    });

    test('stay when their author is deleted, without the name', async () => {
      await portal().db.script(`insert into portal_private.comment (resource_id, account_id, body)
        select ${rivers}, portal.create_account('shortlived'), 'I was here'; delete from portal.account where username = 'shortlived'`);
      expect((await commentsOn(mia, rivers)).comments).toMatchObject([{ author: null, body: 'I was here' }]);
      expect(await mia.delete(`/api/v2/resources/${rivers}/comments/1/`)).not.toMatchReply({ status: 204 });
    });
  });

  describe('ratings', () => {
    const rate = (who: PortalClient, stars: unknown) => who.put(`/api/v2/resources/${rivers}/rating/`, { stars });

    test('are one for each account, changed and taken back, and make the average', async () => {
      expect(await rate(ada, 5)).toMatchReply({ status: 200, json: { average: 5, count: 1, mine: 5 } });
      expect(await rate(bob, 2)).toMatchReply({ status: 200, json: { average: 3.5, count: 2, mine: 2 } });
      expect(await rate(bob, 3)).toMatchReply({ status: 200, json: { average: 4, count: 2, mine: 3 } });
      expect(await rate(mia, 5)).toMatchReply({ status: 200, json: { average: 4.33, count: 3, mine: 5 } });
      expect(await itemOf(rivers)).toMatchObject({ rating: '4', rating_average: 4.33, rating_count: 3 });
      expect(await portal().visitor.get(`/api/v2/resources/${rivers}/rating/`)).toMatchReply({
        status: 200,
        json: { average: 4.33, count: 3, mine: null },
      });
      expect(membersOf(await portal().visitor.get('/api/v2/resources/?sort[]=-rating_average'), 'resources')[0]).toBe(
        'Rivers',
      );
      for (const who of [ada, bob, mia]) await who.delete(`/api/v2/resources/${rivers}/rating/`);
      expect(await itemOf(rivers)).toMatchObject({ rating: '0', rating_average: 0, rating_count: 0 });
    });

    test('are whole numbers from 1 to 5, of people who have signed in', async () => {
      for (const stars of [0, 6, 2.5, '3', null, undefined, 1e99])
        expect(await rate(bob, stars)).toMatchReply({ status: 400 });
      expect(await rate(portal().visitor, 3)).toMatchReply({ status: 401 });
    });

    test('leave the time of the last change alone, and go with their account', async () => {
      const before = (await itemOf(rivers))['last_updated'];
      await portal().db.script(`insert into portal_private.rating (resource_id, account_id, stars)
        select ${rivers}, portal.create_account('raterling'), 1`);
      expect(await itemOf(rivers)).toMatchObject({ rating_count: 1, last_updated: before });
      await portal().db.script(`delete from portal.account where username = 'raterling'`);
      expect(await itemOf(rivers)).toMatchObject({ rating_count: 0, rating_average: 0 });
    });
  });

  describe('notifications', () => {
    test('tell owners of comments on what is theirs, unless they unfollow it, and never of one’s own', async () => {
      await say(bob, rivers, 'Hello');
      await say(ada, rivers, 'Hello yourself');
      expect(await toldTo(ada)).toMatchObject([
        { kind: 'comment', actor: { username: 'bob' }, comment: 'Hello', resource: { title: 'Rivers' }, read: false },
      ]);
      expect(await kindsTo(bob)).toEqual([]);
      expect(await ada.get(`/api/v2/resources/${rivers}/follow/`)).toMatchReply({ json: { following: true } });
      expect(await ada.delete(`/api/v2/resources/${rivers}/follow/`)).toMatchReply({ json: { following: false } });
      await say(bob, rivers, 'Anybody?');
      expect(await toldTo(ada)).toHaveLength(1);
    });

    test('tell followers of data, content, descriptions and deletions, once for what follows quickly', async () => {
      await boundBin(portal().callerDb, 30);
      await scriptAs(
        portal(),
        'ada',
        `insert into portal.resource (resource_type, title) values ('layer', 'Springs');
         insert into portal.resource (resource_type, title, name) values ('geostory', 'A spring story', 'springs');
         insert into portal.app_data (resource_id, data) select id, '{}' from portal.resource where title = 'A spring story'`,
      );
      const [layer, story] = [await idOf(portal(), 'Springs'), await idOf(portal(), 'A spring story')];
      await portal().db.script(`create table layers.springs (fid integer primary key, name text);
        select portal.protect_layer_table('layers.springs', ${layer})`);
      for (const id of [layer, story]) expect(await follow(bob, id)).toMatchReply({ json: { following: true } });
      await scriptAs(
        portal(),
        'ada',
        `insert into layers.springs values (1, 'one'); insert into layers.springs values (2, 'two')`,
      );
      await scriptAs(portal(), 'ada', `insert into layers.springs values (3, 'three')`);
      expect(await kindsTo(bob)).toEqual(['data']);
      expect(await ada.patch(`/api/v2/layers/${layer}/`, { title: 'Wells', keywords: ['wet'] })).toMatchReply({
        status: 200,
      });
      expect(await ada.patch(`/api/v2/geostories/${story}/`, { data: { sections: [] } })).toMatchReply({ status: 200 });
      expect(await ada.delete(`/api/v2/layers/${layer}/`)).toMatchReply({ status: 204 });
      // Of the deleted item only that is left, under the name it had; who restores it takes that back.
      expect((await toldTo(bob)).map(({ kind, resource }) => [kind, resource.title])).toEqual([
        ['deleted', 'Wells'],
        ['content', 'A spring story'],
      ]);
      expect(await ada.post(`/api/v2/bin/${layer}/restore/`)).toMatchReply({ status: 200 });
      expect(await kindsTo(bob)).toEqual(['content', 'metadata', 'data']);
      expect(await ada.delete(`/api/v2/layers/${layer}/`)).toMatchReply({ status: 204 });
      expect(await ada.delete(`/api/v2/bin/${layer}/`)).toMatchReply({ status: 204 });
      expect(await kindsTo(bob)).toEqual(['deleted', 'content']);
      expect(await kindsTo(ada)).toEqual([]);
    });

    test('of what was deleted for good at once reach those who saw it', async () => {
      await boundBin(portal().callerDb, 0);
      await scriptAs(portal(), 'ada', `insert into portal.resource (resource_type, title) values ('layer', 'Puddles')`);
      const id = await idOf(portal(), 'Puddles');
      await follow(bob, id);
      await follow(mia, id);
      await scriptAs(portal(), 'ada', `select portal.set_perms(${id}, '{"users": {"bob": ["view_resourcebase"]}}')`);
      expect(await ada.delete(`/api/v2/layers/${id}/`)).toMatchReply({ status: 204 });
      expect(await toldTo(bob)).toMatchObject([{ kind: 'deleted', resource: { title: 'Puddles' } }]);
      expect(await kindsTo(mia)).toEqual([]);
    });

    test('are seen while the item is, and the comment', async () => {
      await scriptAs(portal(), 'ada', `insert into portal.resource (resource_type, title) values ('layer', 'Ponds')`);
      const id = await idOf(portal(), 'Ponds');
      await follow(mia, id);
      const { id: comment } = await say(bob, id, 'Deep');
      expect([await kindsTo(mia), await unreadOf(mia)]).toEqual([['comment'], 1]);
      await ada.patch(`/api/v2/resources/${id}/comments/${comment}/`, { hidden: true });
      expect([await kindsTo(mia), await unreadOf(mia)]).toEqual([[], 0]);
      await ada.patch(`/api/v2/resources/${id}/comments/${comment}/`, { hidden: false });
      expect(await unreadOf(mia)).toBe(1);
      await scriptAs(portal(), 'ada', `select portal.set_perms(${id}, '{}')`);
      expect([await kindsTo(mia), await unreadOf(mia)]).toEqual([[], 0]);
      // Nor is more told to who lost sight of it.
      await say(ada, id, 'Among ourselves');
      await scriptAs(portal(), 'ada', `select portal.set_perms(${id}, '{"users": {"mia": ["view_resourcebase"]}}')`);
      expect((await toldTo(mia)).map((one) => one.comment)).toEqual(['Deep']);
      expect(await ada.delete(`/api/v2/layers/${id}/`)).toMatchReply({ status: 204 });
    });

    test('come to people who are spoken to by name, if they see the item', async () => {
      await say(bob, rivers, 'What do you think, @mia, @nobody and (@ADA.)?');
      expect(await kindsTo(mia)).toEqual(['mention']);
      expect(await kindsTo(ada)).toEqual(['mention']);
      await say(bob, mines, '@mia look');
      expect(await toldTo(mia)).toHaveLength(1);
    });

    test('are marked as read one by one, or all that were shown', async () => {
      for (const text of ['one', 'two', 'three']) await say(bob, rivers, text);
      const [newest, , oldest] = await toldTo(ada);
      expect(await ada.patch(`/api/v2/notifications/${oldest?.id}/`, { read: true })).toMatchReply({
        json: { meta: { updated: 1 } },
      });
      // Somebody else's is nobody's.
      expect(await mia.patch(`/api/v2/notifications/${newest?.id}/`, { read: true })).toMatchReply({
        json: { meta: { updated: 0 } },
      });
      expect(await unreadOf(ada)).toBe(2);
      expect(membersOf(await ada.get('/api/v2/notifications/?unread=true'), 'notifications', 'comment')).toEqual([
        'three',
        'two',
      ]);
      await say(bob, rivers, 'meanwhile');
      expect(await ada.post('/api/v2/notifications/read/', { up_to: newest?.id })).toMatchReply({
        json: { meta: { updated: 2 } },
      });
      expect(await unreadOf(ada)).toBe(1);
      for (const body of [{}, { up_to: 'x' }, { up_to: -1 }, []])
        expect(await ada.post('/api/v2/notifications/read/', body)).toMatchReply({ status: 400 });
      for (const path of ['', 'unread/', 'settings/'])
        expect(await portal().visitor.get(`/api/v2/notifications/${path}`)).toMatchReply({ status: 401 });
    });

    test('come as each account has chosen for their kind', async () => {
      const { settings } = bodyOf<{ settings: Record<string, unknown> }>(
        await ada.get('/api/v2/notifications/settings/'),
      );
      expect(settings).toMatchObject({
        comment: { in_pages: true, by_mail: false },
        mention: { in_pages: true, by_mail: true },
      });
      for (const body of [
        { comment: true },
        { other: {} },
        { comment: { by_pigeon: true } },
        { comment: { by_mail: 1 } },
      ])
        expect(await ada.patch('/api/v2/notifications/settings/', body)).toMatchReply({ status: 400 });
      expect(await ada.patch('/api/v2/notifications/settings/', { comment: { in_pages: false } })).toMatchReply({
        status: 200,
      });
      await say(bob, rivers, 'Unheard');
      await say(bob, rivers, '@ada heard');
      expect(await kindsTo(ada)).toEqual(['mention']);
    });

    test('go by mail to who wants that, each once, in one letter, and not to who sees the item no longer', async () => {
      const server = await startMailServer();
      const mailer = makeSmtpMailer({ url: server.url, from: 'Maps <maps@example.org>', observe: () => undefined });
      const sendNow = () => sendLetters(portal().callerDb, mailer, 'https://maps.example.org');
      try {
        await portal().db.script(`update portal.account_detail set email = a.username || '@example.org'
          from portal.account a where a.id = account_id and a.username in ('ada', 'mia')`);
        await say(bob, rivers, 'Only in the pages');
        expect(await sendNow()).toBe(0);
        await ada.patch('/api/v2/notifications/settings/', { comment: { by_mail: true } }, { 'accept-language': 'de' });
        await say(bob, rivers, 'First\nsecond line');
        await say(bob, rivers, '@ada, and @mia');
        await say(bob, mines, '@mia cannot see this');
        expect(await sendNow()).toBe(2);
        const letters = [await server.next(), await server.next()];
        expect(letters.map(({ to }) => to[0]).sort()).toEqual(['ada@example.org', 'mia@example.org']);
        const text = letters.find(({ to }) => to[0] === 'ada@example.org')?.text.replaceAll('\r', '') ?? '';
        expect(text).toContain(
          `bob hat „Rivers“ kommentiert\n> First\n> second line\nhttps://maps.example.org/layers/${rivers}#comments`,
        );
        expect(text).toContain('bob hat Sie in einem Kommentar zu „Rivers“ erwähnt');
        expect(text).toContain('https://maps.example.org/notifications');
        expect(await sendNow()).toBe(0);
        await say(bob, rivers, 'Read before it is sent');
        const [newest] = await toldTo(ada);
        await ada.post('/api/v2/notifications/read/', { up_to: newest?.id });
        expect(await sendNow()).toBe(0);
      } finally {
        await mailer.close();
        await server.close();
      }
    });

    test('of people whom the reader does not know come without a name', async () => {
      // An editor who owns nothing and is in no group that mia sees.
      await portal().db.script(`select portal.create_account('quiet')`);
      const [quiet] = await portal().db.query<{ id: number }>(`select id from portal.account where username = 'quiet'`);
      await scriptAs(portal(), 'ada', `insert into portal.resource (resource_type, title) values ('layer', 'Brooks')`);
      const id = await idOf(portal(), 'Brooks');
      await scriptAs(
        portal(),
        'ada',
        `select portal.set_perms(${id}, '{"users": {"quiet": ["view_resourcebase", "change_resourcebase"]}, "groups": {"anonymous": ["view_resourcebase"]}}')`,
      );
      await follow(mia, id);
      await portal().db.script(`begin;
        select set_config('role', 'survest_user', true), set_config('request.jwt.claims', '{"sub": "${quiet?.id}", "role": "survest_user"}', true);
        update portal.resource set abstract = 'Small' where id = ${id}; commit`);
      expect(await toldTo(mia)).toMatchObject([{ kind: 'metadata', actor: null, resource: { title: 'Brooks' } }]);
    });

    test('are kept for ninety days, and followed items are a list', async () => {
      await say(bob, rivers, 'Old');
      await portal().db.script(`update portal_private.notification set at = now() - interval '91 days'`);
      await say(bob, rivers, 'New');
      await portal().callerDb.service([{ text: 'select portal.sweep_notifications()', params: [] }]);
      expect((await toldTo(ada)).map(({ comment }) => comment)).toEqual(['New']);
      await follow(mia, rivers);
      expect(membersOf(await mia.get('/api/v2/resources/followed/'), 'resources')).toEqual(['Rivers']);
      expect(membersOf(await ada.get('/api/v2/resources/followed/?page_size=50'), 'resources')).toContain('Lakes');
      await ada.delete(`/api/v2/resources/${await idOf(portal(), 'Lakes')}/follow/`);
      expect(membersOf(await ada.get('/api/v2/resources/followed/?page_size=50'), 'resources')).not.toContain('Lakes');
    });
  });

  test('nothing of it is written while the portal is read-only', async () => {
    const { id } = await say(bob, rivers, 'Before');
    await admin.patch('/api/v2/settings/', { READ_ONLY: true });
    try {
      for (const reply of [
        await bob.post(`/api/v2/resources/${rivers}/comments/`, { body: 'x' }),
        await bob.delete(`/api/v2/resources/${rivers}/comments/${id}/`),
        await bob.put(`/api/v2/resources/${rivers}/rating/`, { stars: 1 }),
        await follow(bob, rivers),
      ])
        expect(reply).toMatchReply({ status: 403 });
      expect(await commentsOn(bob, rivers)).toMatchObject({ may_comment: false, comments: [{ may_delete: false }] });
    } finally {
      await admin.patch('/api/v2/settings/', { READ_ONLY: false });
    }
  });
});
