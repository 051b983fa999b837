// Links between items: seen by who sees both ends, made and taken away by who may change the one they belong to.

import { beforeAll, expect, test } from 'vitest';
import type { PortalClient } from '../../testkit/portal-client.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { bodyOf, idOf, membersOf, onCatalogue } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

type Titles = { readonly linked_to: unknown[]; readonly linked_by: unknown[]; readonly resources: unknown[] };

onCatalogue('linked resources', {}, (portal) => {
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    await fillCatalogue(portal());
    for (const title of [
      'Rivers',
      'Lakes',
      'Rivers and roads',
      'Annual report',
      'Dashboard',
      'Secret mines',
      'Shared wells',
    ])
      ids[title] = await idOf(portal(), title);
  });
  const path = (title: string, collection = 'resources'): string =>
    `/api/v2/${collection}/${ids[title]}/linked_resources`;
  const read = async (title: string, client: PortalClient = portal().visitor): Promise<Titles> => {
    const reply = await client.get(path(title));
    expect(reply.status).toBe(200);
    const titles = (name: string): unknown[] => membersOf(reply, name).toSorted();
    return { linked_to: titles('linked_to'), linked_by: titles('linked_by'), resources: titles('resources') };
  };
  const link = (title: string, target: unknown, as: 'ada' | 'bob' = 'ada', collection = 'resources'): Promise<Reply> =>
    portal().as(as).post(path(title, collection), { target });
  const unlink = (title: string, target: unknown): Promise<Reply> => portal().as('ada').delete(path(title), { target });

  test('those of documents and the layers of maps are among them, from both ends', async () => {
    expect(await read('Annual report')).toEqual({
      linked_to: ['Lakes', 'Rivers'],
      linked_by: [],
      resources: ['Lakes', 'Rivers'],
    });
    expect(await read('Rivers')).toEqual({
      linked_to: [],
      linked_by: ['Annual report', 'Rivers and roads'],
      resources: ['Annual report', 'Rivers and roads'],
    });
    const reply = await portal().visitor.get(path('Rivers and roads'));
    expect(bodyOf<{ linked_to: unknown[] }>(reply).linked_to).toMatchObject([
      { title: 'Rivers', internal: true, resource_type: 'layer' },
    ]);
  });

  test('are made and taken away, by one or several ids, from every collection', async () => {
    expect(await link('Dashboard', ids['Rivers'], 'ada', 'geoapps')).toMatchReply({
      status: 201,
      json: { success: [ids['Rivers']], error: [] },
    });
    expect((await link('Dashboard', [String(ids['Lakes']), ids['Rivers']])).status).toBe(201);
    expect((await read('Dashboard')).linked_to).toEqual(['Lakes', 'Rivers']);
    expect((await read('Lakes')).linked_by).toEqual(['Annual report', 'Dashboard']);
    expect(await unlink('Dashboard', [ids['Lakes'], ids['Annual report']])).toMatchReply({
      status: 200,
      json: { success: [ids['Lakes']], error: [ids['Annual report']] },
    });
    expect((await read('Dashboard')).linked_to).toEqual(['Rivers']);
    expect((await unlink('Dashboard', ids['Rivers'])).status).toBe(200);
  });

  test('of a document are the same in its own list', async () => {
    expect((await link('Annual report', ids['Dashboard'], 'ada', 'documents')).status).toBe(201);
    const list = await portal().visitor.get(path('Annual report', 'documents'));
    expect(membersOf(list, 'resources').toSorted()).toEqual(['Dashboard', 'Lakes', 'Rivers']);
    expect((await unlink('Annual report', ids['Dashboard'])).status).toBe(200);
    expect((await read('Annual report')).linked_to).toEqual(['Lakes', 'Rivers']);
  });

  test('filters, order and pages are those of lists', async () => {
    const first = await portal().visitor.get(`${path('Annual report')}?page_size=1&sort[]=title`);
    const asked = (query: string): Promise<Reply> => portal().visitor.get(`${path('Rivers')}?${query}`);
    expect(membersOf(await asked('filter{resource_type}=map&page=1&page_size=99999'), 'linked_by')).toEqual([
      'Rivers and roads',
    ]);
    expect(membersOf(first, 'linked_to')).toEqual(['Lakes']);
    expect(bodyOf(first)).toMatchObject({ total: 2 });
    expect((await asked('filter{nope}=1')).status).toBe(400);
  });

  test('an end that the caller does not see is not there, and cannot be linked to', async () => {
    expect(await link('Rivers', ids['Secret mines'])).toMatchReply({
      status: 400,
      json: { target: [`Invalid pk "${ids['Secret mines']}" - object does not exist.`] },
    });
    expect((await link('Rivers', ids['Shared wells'])).status).toBe(201);
    expect((await read('Rivers', portal().as('ada'))).linked_to).toEqual(['Shared wells']);
    expect((await read('Rivers', portal().as('bob'))).linked_to).toEqual(['Shared wells']);
    expect((await read('Rivers')).linked_to).toEqual([]);
    expect((await read('Rivers', portal().as('mel'))).resources).toEqual(['Annual report', 'Rivers and roads']);
    expect((await portal().visitor.get(path('Secret mines'))).status).toBe(404);
    expect((await portal().as('bob').post(path('Secret mines'), { target: ids['Rivers'] })).status).toBe(201);
    expect((await read('Rivers', portal().as('ada'))).linked_by).toEqual(['Annual report', 'Rivers and roads']);
    expect((await read('Rivers', portal().as('bob'))).linked_by).toEqual([
      'Annual report',
      'Rivers and roads',
      'Secret mines',
    ]);
  });

  test('are made by who may change the item, and by nobody else', async () => {
    expect((await link('Rivers', ids['Lakes'], 'bob')).status).toBe(403);
    expect((await portal().as('bob').delete(path('Annual report'), { target: ids['Rivers'] })).status).toBe(403);
    expect((await portal().visitor.post(path('Rivers'), { target: ids['Lakes'] })).status).toBe(401);
    expect((await read('Annual report')).linked_to).toEqual(['Lakes', 'Rivers']);
  });

  test('what is no target is refused, by name', async () => {
    for (const target of ['x', [], {}, [1.5], [null], undefined, -1, Array.from({ length: 1001 }, (_, i) => i + 1)])
      expect((await link('Rivers', target)).status).toBe(400);
    expect((await link('Rivers', ids['Rivers'])).status).toBe(400);
    expect((await link('Rivers', 987654)).status).toBe(400);
    expect((await portal().as('ada').post(path('Rivers'), [])).status).toBe(400);
    expect((await portal().as('ada').post(path('Rivers', 'maps'), { target: ids['Lakes'] })).status).toBe(404);
    expect((await portal().as('ada').get('/api/v2/resources/x/linked_resources')).status).toBe(404);
  });

  test('go with the items', async () => {
    const made = await portal()
      .as('ada')
      .post('/api/v2/documents/', { title: 'Short', doc_url: 'https://example.org/a.pdf' });
    const id = Number(bodyOf<{ document: { pk: string } }>(made).document.pk);
    expect((await link('Dashboard', id)).status).toBe(201);
    expect((await portal().as('ada').delete(`/api/v2/documents/${id}`)).status).toBe(204);
    expect((await read('Dashboard')).linked_to).toEqual([]);
  });
});
