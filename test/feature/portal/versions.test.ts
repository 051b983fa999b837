// Versions of what people write: kept whichever way it is saved, seen by who may change it, restored by saving them again; and saving over
// a newer version is refused to who asks for that.

import { beforeAll, expect, test } from 'vitest';
import type { PortalClient } from '../../testkit/portal-client.ts';
import { textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf, idOf, onCatalogue, scriptAs } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

type Version = {
  readonly id: number;
  readonly part: string;
  readonly style: string | null;
  readonly by: string | null;
  readonly current: boolean;
};

onCatalogue('versions', {}, (portal) => {
  let ada: PortalClient;
  let bob: PortalClient;
  let admin: PortalClient;

  beforeAll(async () => {
    await fillCatalogue(portal());
    const by = async (name: 'ada' | 'bob' | 'admin'): Promise<PortalClient> =>
      portal().bearer(await portal().tokenOf(name));
    [ada, bob, admin] = [await by('ada'), await by('bob'), await by('admin')];
  });

  const versionsOf = async (who: PortalClient, id: number, part: string): Promise<readonly Version[]> =>
    bodyOf<{ versions: readonly Version[] }>(await who.get(`/api/v2/resources/${id}/versions/?part=${part}`)).versions;
  const bodyIn = async (who: PortalClient, id: number, version: number | undefined) =>
    bodyOf<{ body: Record<string, unknown> }>(await who.get(`/api/v2/resources/${id}/versions/${version}/`)).body;
  const restore = (who: PortalClient, id: number, version: number | undefined) =>
    who.post(`/api/v2/resources/${id}/versions/${version}/restore/`);

  test('of a description have all of it, keywords and regions too, and are restored as a new version', async () => {
    const id = await idOf(portal(), 'Lakes');
    const before = textOf((await ada.get(`/api/v2/resources/${id}`)).body);
    expect(await versionsOf(ada, id, 'metadata')).toEqual([]);
    const first = { title: 'Lakes and ponds', keywords: ['water', 'ponds'], category: 'inlandWaters' };
    expect(await ada.patch(`/api/v2/layers/${id}`, first)).toMatchReply({ status: 200 });
    expect(await admin.patch(`/api/v2/resources/${id}`, { purpose: 'Swimming' })).toMatchReply({ status: 200 });
    // Nothing is a version that changed nothing.
    await ada.patch(`/api/v2/resources/${id}`, { purpose: 'Swimming' });
    const kept = await versionsOf(ada, id, 'metadata');
    expect(kept.map(({ by, current }) => [by, current])).toEqual([
      ['admin', true],
      ['ada', false],
      [null, false],
    ]);
    expect(await bodyIn(ada, id, kept[1]?.id)).toMatchObject({
      title: 'Lakes and ponds',
      keywords: ['ponds', 'water'],
    });
    expect(await bodyIn(ada, id, kept[2]?.id)).toMatchObject({ title: 'Lakes' });
    expect(await restore(ada, id, kept[2]?.id)).toMatchReply({ status: 200 });
    const shown = (text: string) => {
      const { resource } = JSON.parse(text) as { resource: Record<string, unknown> };
      return { ...resource, last_updated: undefined };
    };
    expect(shown(textOf((await ada.get(`/api/v2/resources/${id}`)).body))).toEqual(shown(before));
    expect((await versionsOf(ada, id, 'metadata')).map(({ by }) => by)).toEqual(['ada', 'admin', 'ada', null]);
  });

  test('of keywords alone begin with those that were there before', async () => {
    const id = await idOf(portal(), 'Rivers');
    const before = bodyOf<{ resource: { keywords: { name: string }[] } }>(await admin.get(`/api/v2/resources/${id}`));
    expect(await admin.patch(`/api/v2/resources/${id}`, { keywords: ['flow'] })).toMatchReply({ status: 200 });
    const kept = await versionsOf(admin, id, 'metadata');
    expect(kept.map(({ by }) => by)).toEqual(['admin', null]);
    expect((await bodyIn(admin, id, kept[1]?.id))['keywords']).toEqual(
      before.resource.keywords.map(({ name }) => name).sort(),
    );
  });

  test('are seen by who may change the part, and by nobody else', async () => {
    const id = await idOf(portal(), 'Lakes');
    const [newest] = await versionsOf(ada, id, 'metadata');
    await scriptAs(portal(), 'ada', `select portal.set_perms(${id}, '{"users": {"bob": ["view_resourcebase"]}}')`);
    expect(await bob.get(`/api/v2/resources/${id}/versions/`)).toMatchReply({ status: 403 });
    expect(await bob.get(`/api/v2/resources/${id}/versions/${newest?.id}/`)).toMatchReply({ status: 403 });
    expect(await restore(bob, id, newest?.id)).toMatchReply({ status: 403 });
    expect(await portal().visitor.get(`/api/v2/resources/${id}/versions/`)).toMatchReply({ status: 401 });
    await scriptAs(portal(), 'ada', `select portal.set_perms(${id}, '{}')`);
    expect(await bob.get(`/api/v2/resources/${id}/versions/`)).toMatchReply({ status: 404 });
    expect(await ada.get(`/api/v2/resources/${id}/versions/?part=all&limit=0&before=x`)).toMatchReply({ status: 400 });
    expect(await ada.get(`/api/v2/resources/${id}/versions/999999999/`)).toMatchReply({ status: 404 });
  });

  test('of a map come back with its layers, and tell nobody of layers that they do not see', async () => {
    await scriptAs(portal(), 'bob', `insert into portal.resource (resource_type, title) values ('layer', 'Wells')`);
    const wells = await idOf(portal(), 'Wells');
    await scriptAs(portal(), 'bob', `select portal.set_perms(${wells}, '{}')`);
    const config = (...names: readonly string[]) => ({
      map: { center: { x: 0, y: 0, crs: 'EPSG:4326' }, zoom: 2, layers: names.map((name) => ({ type: 'wms', name })) },
    });
    const lakes = await idOf(portal(), 'Lakes');
    const [{ alternate } = { alternate: '' }] = await portal().db.query<{ alternate: string }>(
      `select alternate from portal.resource where id = ${lakes}`,
    );
    const made = await ada.post('/api/v2/maps/', { title: 'Waters', data: config(alternate) });
    expect(made).toMatchReply({ status: 201 });
    const id = await idOf(portal(), 'Waters');
    await scriptAs(
      portal(),
      'ada',
      `select portal.set_perms(${id}, '{"users": {"bob": ["view_resourcebase", "change_resourcebase"]}}')`,
    );
    expect(await bob.patch(`/api/v2/maps/${id}`, { data: config('portal:Wells') })).toMatchReply({ status: 200 });
    expect(await ada.patch(`/api/v2/maps/${id}`, { data: config() })).toMatchReply({ status: 200 });
    const kept = await versionsOf(ada, id, 'content');
    expect(kept.map(({ by }) => by)).toEqual(['ada', 'bob', null]);
    expect(JSON.stringify(await bodyIn(bob, id, kept[1]?.id))).toContain('Wells');
    expect(JSON.stringify(await bodyIn(ada, id, kept[1]?.id))).not.toContain('Wells');
    expect(await restore(ada, id, kept[2]?.id)).toMatchReply({ status: 200 });
    expect(await bodyIn(ada, id, kept[2]?.id)).toEqual({ data: config(alternate) });
    expect(textOf((await ada.get(`/api/v2/maps/${id}/layers`)).body)).toContain(alternate);
    expect((await versionsOf(ada, id, 'content')).length).toBe(4);
  });

  test('of styles are those of the layer, and as many are kept as the settings say', async () => {
    const id = await idOf(portal(), 'Lakes');
    await scriptAs(portal(), 'ada', `select portal.add_style(${id}, 'lakes', '<a/>', as_default => true)`);
    const save = (body: string) =>
      scriptAs(
        portal(),
        'ada',
        `update portal.style set sld_body = '${body}' where id = (select default_style_id from portal.resource where id = ${id})`,
      );
    await save('<b/>');
    await save('<c/>');
    const kept = await versionsOf(ada, id, 'style');
    expect(kept.map(({ by, style }) => [by, style])).toEqual([
      ['ada', 'lakes'],
      ['ada', 'lakes'],
      [null, 'lakes'],
    ]);
    expect(await restore(ada, id, kept[2]?.id)).toMatchReply({ status: 200 });
    const style = `select s.sld_body from portal.style s join portal.resource r on r.default_style_id = s.id where r.id = ${id}`;
    expect(await portal().db.query(style)).toEqual([{ sld_body: '<a/>' }]);
    await portal().callerDb.service([{ text: 'select portal.set_version_limit(2)', params: [] }]);
    await save('<d/>');
    expect((await versionsOf(ada, id, 'style')).length).toBe(2);
    await portal().callerDb.service([{ text: 'select portal.set_version_limit(50)', params: [] }]);
  });

  test('that are newer than what was read are not saved over where If-Match says so', async () => {
    const id = await idOf(portal(), 'Waters');
    const stampOf = async () =>
      `"${bodyOf<{ map: { last_updated: string } }>(await ada.get(`/api/v2/maps/${id}`)).map.last_updated}"`;
    const stamp = await stampOf();
    expect(await bob.patch(`/api/v2/maps/${id}`, { title: 'Waters of Bob' })).toMatchReply({ status: 200 });
    const late = await ada.patch(`/api/v2/maps/${id}`, { title: 'Waters of Ada' }, { 'if-match': stamp });
    expect(late).toMatchReply({ status: 412, json: { detail: 'It has been changed in the meantime.' } });
    const store = `/mapviewer/rest/resources/${id}/`;
    expect(await ada.patch(store, { name: 'x', data: {} }, { 'if-match': stamp })).toMatchReply({ status: 412 });
    expect(await ada.patch(`/api/v2/maps/${id}`, { title: 'x' }, { 'if-match': '"x"' })).toMatchReply({ status: 412 });
    const [newest] = await versionsOf(ada, id, 'metadata');
    expect(newest).toMatchObject({ by: 'bob', current: true });
    const again = await ada.patch(`/api/v2/maps/${id}`, { title: 'Waters' }, { 'if-match': await stampOf() });
    expect(again).toMatchReply({ status: 200 });
    expect(await ada.patch(`/api/v2/maps/${id}`, { title: 'Waters' }, { 'if-match': '*' })).toMatchReply({
      status: 200,
    });
  });
});
