// What dashboards, stories and other apps say of items that the reader does not see: nothing, in whatever way the app is read.

import { beforeAll, expect, test } from 'vitest';
import type { PortalClient } from '../../testkit/portal-client.ts';
import { textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf, idOf, onCatalogue } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

const NOBODYS = 2_147_483_647;

onCatalogue('references of apps', {}, (portal) => {
  let [rivers, secret] = [0, 0];
  let alternate = '';
  const made: Record<string, string> = {};
  const OPEN = {
    users: { ada: ['view_resourcebase', 'change_resourcebase'] },
    groups: { anonymous: ['view_resourcebase'] },
  };
  const widget = (id: string, layer: number) => ({
    id,
    kind: 'bar',
    title: `About ${layer}`,
    width: 6,
    height: 4,
    layer,
    column: 'depth_of_shaft',
  });
  const dashboard = () => ({
    type: 'survest-dashboard',
    version: 1,
    widgets: [widget('a', rivers), widget('b', secret), { id: 't', kind: 'text', title: 'T', width: 3, height: 3 }],
  });
  const story = () => ({
    type: 'survest-story',
    sections: [
      { id: 's1', title: 'One', text: 'x', media: { kind: 'layer', layer: rivers, view: { center: [1, 2], zoom: 3 } } },
      { id: 's2', title: 'Two', text: 'y', media: { kind: 'layer', layer: secret, view: { center: [7, 8], zoom: 9 } } },
      { id: 's3', title: 'Three', text: 'z', media: { kind: 'widget', widget: widget('w', secret) } },
      { id: 's4', title: 'Four', text: '', media: { kind: 'image', document: 987_654, alt: 'gone' } },
      { id: 's5', title: 'Five', text: '' },
    ],
  });
  const foreign = () => ({
    widgets: 'none',
    map: { layers: [{ name: alternate, title: 'The mines' }, { name: 'osm' }] },
  });
  const make = async (collection: 'geoapps' | 'geostories', title: string, data: unknown): Promise<string> => {
    const reply = await portal()
      .as('admin')
      .post(`/api/v2/${collection}/`, { title, name: title, owner: 'admin', data });
    expect([reply.status, reply.status < 300 ? '' : textOf(reply.body)]).toEqual([201, '']);
    const [record] = Object.values(bodyOf<Record<string, { pk: string }>>(reply));
    const pk = record?.pk ?? '';
    expect((await portal().as('admin').put(`/api/v2/resources/${pk}/set_perms/`, OPEN)).status).toBe(200);
    return pk;
  };
  const dataOf = async <T>(pk: string | undefined, client: PortalClient, collection = 'geoapps'): Promise<T> => {
    const reply = await client.get(`/api/v2/${collection}/${pk}?include[]=data`);
    expect(reply.status).toBe(200);
    return (Object.values(bodyOf<Record<string, { data: T }>>(reply))[0] as { data: T }).data;
  };

  beforeAll(async () => {
    await fillCatalogue(portal());
    [rivers, secret] = [await idOf(portal(), 'Rivers'), await idOf(portal(), 'Secret mines')];
    const hidden = await portal().as('admin').get(`/api/v2/layers/${secret}`);
    alternate = bodyOf<{ layer: { alternate: string } }>(hidden).layer.alternate;
    expect((await portal().visitor.get(`/api/v2/layers/${secret}`)).status).toBe(404);
    made['dashboard'] = await make('geoapps', 'Board', dashboard());
    made['story'] = await make('geostories', 'Story', story());
    made['foreign'] = await make('geoapps', 'Foreign', foreign());
  });

  test('a reader is told nothing of what they do not see, and all of the rest', async () => {
    const board = await dataOf<ReturnType<typeof dashboard>>(made['dashboard'], portal().visitor);
    expect(board.widgets).toEqual([
      widget('a', rivers),
      { id: 'b', kind: 'bar', title: '', width: 6, height: 4, layer: NOBODYS, column: '…' },
      dashboard().widgets[2],
    ]);
    const told = await dataOf<ReturnType<typeof story>>(made['story'], portal().visitor, 'geostories');
    const [one, two, three, four, five] = told.sections;
    expect([one, five]).toEqual([story().sections[0], story().sections[4]]);
    expect(two).toEqual({ id: 's2', title: 'Two', text: 'y', media: { kind: 'layer', layer: NOBODYS, alt: '' } });
    expect(JSON.stringify(three)).not.toContain('depth_of_shaft');
    expect(JSON.stringify(three)).not.toContain(`"layer":${secret},`);
    expect(JSON.stringify(three)).not.toContain(`About ${secret}`);
    expect(four?.media).toEqual({ kind: 'image', document: NOBODYS, alt: '' });
    const other = await dataOf<ReturnType<typeof foreign>>(made['foreign'], portal().visitor);
    expect(other.map.layers).toEqual([{ name: 'osm' }]);
  });

  test('who may change the app reads all of it, so that saving loses nothing', async () => {
    for (const who of [portal().as('ada'), portal().as('admin')]) {
      expect(await dataOf(made['dashboard'], who)).toEqual(dashboard());
      expect(await dataOf(made['story'], who, 'geostories')).toEqual(story());
      expect(await dataOf(made['foreign'], who)).toEqual(foreign());
    }
  });

  test('lists and copies tell no more than the app itself', async () => {
    for (const collection of ['geoapps', 'geostories']) {
      const list = textOf((await portal().visitor.get(`/api/v2/${collection}/?include[]=data`)).body);
      expect(list).toContain(collection === 'geoapps' ? 'survest-dashboard' : 'survest-story');
      for (const told of [alternate, `"layer":${secret}`, `"layer": ${secret}`]) expect(list).not.toContain(told);
    }
    const mia = portal().as('mia');
    for (const name of ['dashboard', 'story', 'foreign']) {
      const copied = await mia.put(`/api/v2/resources/${made[name]}/copy`, { defaults: { title: 'Mine' } });
      expect(copied.status).toBe(201);
      const text = textOf(copied.body);
      const [[kind, copy] = []] = Object.entries(JSON.parse(text) as Record<string, { pk: string }>);
      const data = JSON.stringify(await dataOf(copy?.pk, mia, kind === 'geostory' ? 'geostories' : 'geoapps'));
      expect(data).toContain('{');
      for (const told of [alternate, 'The mines', `About ${secret}`]) expect(data).not.toContain(told);
      // Nor do its versions, which are for who may change it.
      expect((await portal().visitor.get(`/api/v2/resources/${made[name]}/versions/`)).status).toBeGreaterThan(400);
    }
  });
});
