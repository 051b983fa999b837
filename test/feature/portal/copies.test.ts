// Copies of items: what the caller reads of one, as a new item of the caller's own.

import { beforeAll, expect, test } from 'vitest';
import { bodyOf, idOf, onCatalogue } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

type Item = Readonly<Record<string, unknown>> & { readonly pk: string; readonly data?: unknown };

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

onCatalogue('copies', {}, (portal, blobs) => {
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    await fillCatalogue(portal());
    for (const title of ['Rivers', 'Rivers and roads', 'Annual report', 'A walk along the river', 'Secret mines'])
      ids[title] = await idOf(portal(), title);
  });
  const copy = (who: 'ada' | 'bob', title: string, body?: unknown, headers = {}) =>
    portal().as(who).request('PUT', `/api/v2/resources/${ids[title]}/copy`, { body, headers });
  const itemOf = (reply: Parameters<typeof bodyOf>[0], name: string): Item => {
    expect([reply.status, reply.status === 201 ? '' : String(reply.body)]).toEqual([201, '']);
    const item = bodyOf<Record<string, Item>>(reply)[name];
    if (item === undefined) throw new Error(`no ${name} in the answer`);
    return item;
  };

  test('of a map have its layers and view, belong to who makes them, and are shown to nobody else', async () => {
    const original = bodyOf<{ map: Item }>(await portal().as('bob').get(`/api/v2/maps/${ids['Rivers and roads']}`)).map;
    const made = itemOf(
      await copy('bob', 'Rivers and roads', `defaults=${JSON.stringify({ title: 'Mine' })}`, FORM),
      'map',
    );
    expect(made).toMatchObject({
      title: 'Mine',
      owner: { username: 'bob' },
      zoom: original['zoom'],
      abstract: original['abstract'],
    });
    expect(made.pk).not.toBe(original.pk);
    const rows = (item: Item) =>
      (item['maplayers'] as readonly { name: string; opacity: number }[]).map(({ name, opacity }) => [name, opacity]);
    expect(rows(made)).toEqual(rows(original));
    expect(await portal().visitor.get(`/api/v2/maps/${made.pk}`)).toMatchReply({ status: 404 });
    expect(await portal().as('ada').get(`/api/v2/maps/${made.pk}`)).toMatchReply({ status: 404 });
    // The original is as it was.
    const after = bodyOf<{ map: Item }>(await portal().as('bob').get(`/api/v2/maps/${ids['Rivers and roads']}`)).map;
    expect(after).toEqual(original);
    const shared = { defaults: { permissions: { users: {}, groups: { anonymous: ['view_resourcebase'] } } } };
    const open = itemOf(await copy('bob', 'Rivers and roads', shared), 'map');
    expect([open['title'], (await portal().visitor.get(`/api/v2/maps/${open.pk}`)).status]).toEqual([
      'Rivers and roads',
      200,
    ]);
  });

  test('of a story have its content, under a name of their own', async () => {
    const first = itemOf(await copy('bob', 'A walk along the river'), 'geostory');
    const second = itemOf(await copy('bob', 'A walk along the river', { title: 'Another walk' }), 'geostory');
    expect(first['name']).not.toBe(second['name']);
    expect(second['title']).toBe('Another walk');
    expect(
      bodyOf<{ geostory: Item }>(await portal().as('bob').get(`/api/v2/geostories/${second.pk}?include[]=data`))
        .geostory.data,
    ).toEqual({
      sections: [{ title: 'Start' }],
    });
  });

  test('of a document have its file, which is kept when the original goes; its address is copied as it is', async () => {
    const form = '--b\r\nContent-Disposition: form-data; name="doc_file"; filename="a.txt"\r\n\r\nhello\r\n--b--\r\n';
    const sent = await portal()
      .as('ada')
      .request('POST', '/api/v2/documents/', {
        body: form,
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      });
    const original = itemOf(sent, 'document');
    ids['file'] = Number(original.pk);
    const perms = (names: readonly string[]) =>
      portal()
        .as('ada')
        .put(`/api/v2/resources/${original.pk}/set_perms`, { users: { bob: names }, groups: {} });
    await perms(['view_resourcebase']);
    expect(await copy('bob', 'file')).toMatchReply({ status: 403 });
    await perms(['view_resourcebase', 'download_resourcebase']);
    const made = itemOf(await copy('bob', 'file', { title: 'Copied' }), 'document');
    expect(made).toMatchObject({ title: 'Copied', extension: 'txt', mime_type: original['mime_type'] });
    expect(await portal().as('ada').delete(`/api/v2/documents/${original.pk}`)).toMatchReply({ status: 204 });
    expect(await portal().as('bob').get(`/documents/${made.pk}/download`)).toMatchReply({ status: 200, text: 'hello' });
    const address = itemOf(
      await portal().as('ada').post('/api/v2/documents/', { title: 'Elsewhere', doc_url: 'https://example.org/a.pdf' }),
      'document',
    );
    ids['address'] = Number(address.pk);
    expect(itemOf(await copy('bob', 'address'), 'document')).toMatchObject({ href: 'https://example.org/a.pdf' });
  });

  test('are not made of what the caller does not see, of layers, or of nonsense, and leave no file behind', async () => {
    const count = async (): Promise<number> => {
      let files = 0;
      for await (const _ of blobs.list('documents')) files++;
      return files;
    };
    const before = await count();
    expect(await copy('ada', 'Secret mines')).toMatchReply({ status: 404 });
    expect(await copy('bob', 'Rivers')).toMatchReply({
      status: 400,
      json: { detail: expect.stringMatching(/not copied/) },
    });
    expect(await portal().visitor.request('PUT', `/api/v2/resources/${ids['Rivers and roads']}/copy`)).toMatchReply({
      status: 401,
    });
    for (const body of ['defaults=no', 'defaults=[]'])
      expect(await copy('bob', 'Rivers and roads', body, FORM)).toMatchReply({
        status: 400,
        json: { defaults: ['Expected a JSON object.'] },
      });
    expect(await copy('bob', 'Rivers and roads', { title: '' })).toMatchReply({ status: 400 });
    expect(await count()).toBe(before);
    const shown = bodyOf<{ resources: { resource_type: string; is_copyable: boolean }[] }>(
      await portal().visitor.get('/api/v2/resources?page_size=100'),
    ).resources;
    expect(shown.every(({ resource_type, is_copyable }) => is_copyable === (resource_type !== 'layer'))).toBe(true);
  });
});
