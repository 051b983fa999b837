// What those that an item is shared with lack of the items that it shows, and giving them just that.

import { beforeAll, expect, test } from 'vitest';
import type { PortalClient } from '../../testkit/portal-client.ts';
import { textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf, idOf, onCatalogue, scriptAs } from './on-catalogue.ts';

const NOBODY = { users: {}, groups: {} };
const VIEW = ['view_resourcebase'];
const EVERYBODY = { users: {}, groups: { anonymous: VIEW } };
const LAYERS = ['fields', 'mines', 'bobs', 'unseen'] as const;

type Lacking = { title: string; needs: string[]; may_share: boolean; groups: string[]; users: string[] };
type Audience = { public: boolean; members: boolean; people: number; groups: number; lacking: Lacking[] };

onCatalogue('the audience of an item', {}, (portal) => {
  const id: Record<string, number> = {};
  let picture = 0;
  const share = async (who: 'ada' | 'bob', item: number | string, spec: unknown): Promise<void> => {
    expect((await portal().as(who).put(`/api/v2/resources/${item}/set_perms/`, spec)).status).toBe(200);
  };
  const make = async (data: unknown, permissions: unknown, collection = 'geostories'): Promise<string> => {
    const reply = await portal()
      .as('ada')
      .post(`/api/v2/${collection}/`, { name: `n${Math.random()}`, title: 'Made', data, permissions });
    if (reply.status !== 201) throw new Error(textOf(reply.body));
    return Object.values(bodyOf<Record<string, { pk: string }>>(reply))[0]?.pk ?? '';
  };
  const audience = async (pk: string, who: PortalClient = portal().as('ada')): Promise<Audience> =>
    bodyOf<Audience>(await who.get(`/api/v2/resources/${pk}/audience/`));
  const short = ({ lacking }: Audience): unknown[] =>
    lacking.map(({ title, needs, may_share, groups, users }) => [title, needs.length, may_share, ...groups, ...users]);
  const media = (...all: object[]) => ({
    type: 'survest-story',
    sections: all.map((one, i) => ({ id: `s${i}`, title: 'S', text: '', media: one })),
  });
  const table = (layer: number | undefined) => ({ id: 'w', kind: 'table', title: 'T', width: 6, height: 4, layer });

  beforeAll(async () => {
    for (const name of LAYERS)
      await scriptAs(
        portal(),
        name === 'bobs' || name === 'unseen' ? 'bob' : 'ada',
        `insert into portal.resource (resource_type, title, name) values ('layer', '${name}', '${name}')`,
      );
    await scriptAs(
      portal(),
      'ada',
      `insert into portal.resource (resource_type, title, doc_url) values ('document', 'Picture', 'https://pictures.example/a.png')`,
    );
    for (const name of LAYERS) id[name] = await idOf(portal(), name);
    picture = await idOf(portal(), 'Picture');
    await share('ada', id['fields'] ?? 0, EVERYBODY);
    await share('ada', id['mines'] ?? 0, NOBODY);
    await share('ada', picture, NOBODY);
    await share('bob', id['bobs'] ?? 0, { users: { ada: VIEW }, groups: {} });
    await share('bob', id['unseen'] ?? 0, NOBODY);
  });

  test('is told of layers, pictures, tables and the layers of maps that it does not see, each with the level that it takes', async () => {
    const map = await portal().as('ada').post('/api/v2/maps/', {
      title: 'Map',
      zoom: 1,
      projection: 'EPSG:3857',
      center_x: 0,
      center_y: 0,
      permissions: EVERYBODY,
    });
    const mapId = Number(bodyOf<{ map: { pk: string } }>(map).map.pk);
    await scriptAs(
      portal(),
      'ada',
      `insert into portal.map_layer (map_id, layer_id, name) values (${mapId}, ${id['mines']}, 'portal:mines')`,
    );
    const story = await make(
      media(
        { kind: 'map', map: mapId },
        { kind: 'image', document: picture, alt: '' },
        { kind: 'widget', widget: table(id['fields']) },
        { kind: 'layer', layer: id['unseen'] },
        { kind: 'layer', layer: id['bobs'] },
        { kind: 'layer', layer: 1.5 },
        { kind: 'layer', layer: 'none' },
      ),
      EVERYBODY,
    );
    const found = await audience(story);
    expect(found).toMatchObject({ public: true, members: false, people: 0, groups: 0 });
    expect(short(found)).toEqual([
      ['bobs', 1, false, 'anonymous'],
      ['fields', 2, true, 'anonymous'],
      ['mines', 1, true, 'anonymous'],
      ['Picture', 1, true, 'anonymous'],
    ]);
    expect(short(await audience(String(mapId)))).toEqual([['mines', 1, true, 'anonymous']]);
  });

  test('is asked before anything is saved', async () => {
    const asked = async (body: object): Promise<Audience> =>
      bodyOf<Audience>(await portal().as('ada').post('/api/v2/audience/', body));
    expect(short(await asked({ permissions: EVERYBODY, data: { layers: [id['mines'], id['fields']] } }))).toEqual([
      ['mines', 1, true, 'anonymous'],
    ]);
    const toBob = { users: { bob: VIEW, ada: VIEW }, groups: {} };
    expect(await asked({ permissions: toBob, data: { layers: [id['mines'], id['bobs']] } })).toMatchObject({
      people: 1,
      lacking: [{ title: 'mines', users: ['bob'], groups: [] }],
    });
    expect((await asked({ permissions: NOBODY, data: { layers: [id['mines']] } })).lacking).toEqual([]);
    const board = await make(
      { type: 'survest-dashboard', version: 1, widgets: [table(id['mines'])] },
      NOBODY,
      'geoapps',
    );
    expect(short(await asked({ item: Number(board), permissions: toBob }))).toEqual([['mines', 2, true, 'bob']]);
    const wrong = await portal()
      .as('ada')
      .post('/api/v2/audience/', { permissions: { users: { nobody: VIEW } } });
    expect([wrong.status, textOf(wrong.body)]).toEqual([400, expect.stringContaining('unknown user')]);
    for (const body of [[], {}, { permissions: NOBODY, item: 'x' }])
      expect((await portal().as('ada').post('/api/v2/audience/', body)).status).toBe(400);
  });

  test('is given just that: to see, or to download where rows are listed, and nothing that others own', async () => {
    const board = await make(
      {
        type: 'survest-dashboard',
        version: 1,
        widgets: [table(id['mines']), { ...table(id['bobs']), id: 'v', kind: 'bar', column: 'kind' }],
      },
      { users: { mia: ['view_resourcebase', 'change_resourcebase'] }, groups: {} },
      'geoapps',
    );
    expect(short(await audience(board))).toEqual([
      ['bobs', 1, false, 'mia'],
      ['mines', 2, true, 'mia'],
    ]);
    const given = await portal().as('ada').post(`/api/v2/resources/${board}/audience/`);
    expect(given.status).toBe(200);
    expect(short(bodyOf<Audience>(given))).toEqual([['bobs', 1, false, 'mia']]);
    const perms = bodyOf<{ users: Record<string, string[]>; groups: object }>(
      await portal().as('ada').get(`/api/v2/resources/${id['mines']}/get_perms/`),
    );
    expect([perms.users['mia'], perms.groups]).toEqual([['view_resourcebase', 'download_resourcebase'], {}]);
    expect((await portal().as('bob').get(`/api/v2/layers/${id['mines']}/`)).status).toBe(404);
  });

  test('is for who shares the item: others are refused, or find nothing', async () => {
    const open = await make(media({ kind: 'layer', layer: id['mines'] }), EVERYBODY);
    const hidden = await make(media({ kind: 'layer', layer: id['mines'] }), NOBODY);
    for (const [pk, status] of [
      [open, 403],
      [hidden, 404],
    ] as const) {
      const path = `/api/v2/resources/${pk}/audience/`;
      expect((await portal().as('bob').get(path)).status).toBe(status);
      expect((await portal().as('bob').post(path)).status).toBe(status);
      const asked = await portal()
        .as('bob')
        .post('/api/v2/audience/', { item: Number(pk), permissions: EVERYBODY });
      expect(asked.status).toBe(status);
      expect((await portal().visitor.get(path)).status).toBe(401);
    }
    expect((await portal().visitor.get(`/api/v2/layers/${id['mines']}/`)).status).toBe(404);
  });

  test('is not told of a group that it cannot see', async () => {
    await portal().db.script(`
      insert into portal.user_group (slug, title, access) values ('cellar', 'Cellar', 'private');
      insert into portal.group_member (group_id, account_id) select g.id, a.id from portal.user_group g, portal.account a where g.slug = 'cellar' and a.username = 'mia'`);
    const layer = id['fields'] ?? 0;
    await scriptAs(
      portal(),
      'admin',
      `select portal.set_perms(${layer}, '{"groups": {"cellar": ["view_resourcebase"]}}')`,
    );
    const story = await make(media({ kind: 'layer', layer }), { users: { mia: VIEW }, groups: {} });
    expect(short(await audience(story))).toEqual([['fields', 1, true, 'mia']]);
    expect(short(await audience(story, portal().as('admin')))).toEqual([]);
  });
});
