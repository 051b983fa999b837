// The bin: what is deleted rests in it out of everybody's sight, its owner and administrators restore it as it was, and it is emptied by
// hand and when its days are over, with tables and files.

import { beforeAll, beforeEach, expect, test } from 'vitest';
import { boundBin, emptyBin } from '../../../src/portal/trash/empty-trash.ts';
import type { PortalClient } from '../../testkit/portal-client.ts';
import { textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf, idOf, membersOf, onCatalogue, scriptAs, sweepEach } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

type Binned = {
  readonly id: number;
  readonly title: string;
  readonly deleted_by: string;
  readonly may_purge: boolean;
  readonly is_table: boolean;
};

onCatalogue('the bin', {}, (portal, blobs) => {
  let ada: PortalClient;
  let bob: PortalClient;
  let admin: PortalClient;

  beforeAll(async () => {
    await fillCatalogue(portal());
    const by = async (name: 'ada' | 'bob' | 'admin'): Promise<PortalClient> =>
      portal().bearer(await portal().tokenOf(name));
    [ada, bob, admin] = [await by('ada'), await by('bob'), await by('admin')];
  });
  beforeEach(() => boundBin(portal().callerDb, 30));
  sweepEach(portal);

  const binOf = async (who: PortalClient): Promise<readonly Binned[]> =>
    bodyOf<{ items: readonly Binned[] }>(await who.get('/api/v2/bin/')).items;
  const titlesIn = async (who: PortalClient): Promise<readonly string[]> =>
    (await binOf(who)).map(({ title }) => title);
  const layerWithTable = async (title: string, table: string): Promise<number> => {
    await scriptAs(portal(), 'ada', `insert into portal.resource (resource_type, title) values ('layer', '${title}')`);
    const id = await idOf(portal(), title);
    await portal().db.script(`create table layers.${table} (fid integer primary key, name text);
      insert into layers.${table} values (1, 'one');
      select portal.protect_layer_table('layers.${table}', ${id})`);
    return id;
  };
  const mapOf = async (title: string, layer: number, name: string): Promise<number> => {
    await scriptAs(
      portal(),
      'ada',
      `insert into portal.resource (resource_type, title, zoom, projection, center_x, center_y)
         values ('map', '${title}', 1, 'EPSG:3857', 0, 0)`,
    );
    const map = await idOf(portal(), title);
    await portal().db.script(
      `insert into portal.map_layer (map_id, layer_id, name, stack_order) values (${map}, ${layer}, 'portal:${name}', 0)`,
    );
    return map;
  };
  const wrongTotals = () => portal().db.query('select * from portal.wrong_totals()');

  test('a document that never got content comes back as it was: out of sight, until it gets some', async () => {
    const made = await ada.post('/api/v2/resources/', { title: 'To come', resource_type: 'document' });
    const { pk } = bodyOf<{ resource: { pk: string } }>(made).resource;
    expect(await ada.delete(`/api/v2/documents/${pk}/`)).toMatchReply({ status: 204 });
    expect(await ada.post(`/api/v2/bin/${pk}/restore/`)).toMatchReply({ status: 200 });
    expect(await ada.get(`/api/v2/documents/${pk}/`)).toMatchReply({ status: 404 });
    const given = { doc_url: 'https://example.org/later.pdf' };
    expect(await ada.patch(`/api/v2/documents/${pk}/`, given)).toMatchReply({ status: 200 });
    expect(await ada.get(`/api/v2/documents/${pk}/`)).toMatchReply({ status: 200 });
    expect(await ada.delete(`/api/v2/documents/${pk}/`)).toMatchReply({ status: 204 });
    expect(await ada.delete(`/api/v2/bin/${pk}/`)).toMatchReply({ status: 204 });
  });

  test('holds what was deleted, out of sight of everybody, and gives it back as it was', async () => {
    const id = await idOf(portal(), 'Lakes');
    await scriptAs(
      portal(),
      'ada',
      `select portal.add_style(${id}, 'deep', '<sld/>', as_default => true), portal.set_keywords(${id}, '{wet}');
       select portal.set_perms(${id}, '{"users": {"bob": ["view_resourcebase"]}}')`,
    );
    const everything = `/api/v2/layers/${id}?include[]=*`;
    const before = [textOf((await ada.get(everything)).body), textOf((await bob.get(everything)).body)];
    const total = bodyOf<{ total: number }>(await admin.get('/api/v2/resources/')).total;
    expect(await ada.delete(`/api/v2/layers/${id}/`)).toMatchReply({ status: 204 });
    for (const who of [ada, bob, admin, portal().visitor]) {
      expect(await who.get(`/api/v2/layers/${id}`)).toMatchReply({ status: 404 });
      expect(membersOf(await who.get('/api/v2/resources/?page_size=100'), 'resources')).not.toContain('Lakes');
      expect(textOf((await who.get('/api/v2/resources/facets/?include_topics=true')).body)).not.toContain('"wet"');
      expect(await who.delete(`/api/v2/layers/${id}/`)).toMatchReply({ status: who === portal().visitor ? 401 : 404 });
    }
    expect(bodyOf<{ total: number }>(await admin.get('/api/v2/resources/')).total).toBe(total - 1);
    expect(await wrongTotals()).toEqual([]);
    expect(await ada.patch(`/api/v2/layers/${id}`, { metadata_only: false })).toMatchReply({ status: 404 });
    await expect(scriptAs(portal(), 'ada', `select portal.set_metadata_only(${id}, false)`)).rejects.toThrow(
      'Not found',
    );
    await portal()
      .db.script('rollback')
      .catch(() => {});

    const lakes = { id, title: 'Lakes', owner: 'ada', deleted_by: 'ada', may_purge: true };
    expect(await binOf(ada)).toMatchObject([{ ...lakes, is_table: false }]);
    await portal().db.query('update portal.resource set is_tabular = true where id = $1', [id]);
    expect(await binOf(ada)).toMatchObject([{ ...lakes, is_table: true }]);
    await portal().db.query('update portal.resource set is_tabular = false where id = $1', [id]);
    expect(await titlesIn(admin)).toEqual(['Lakes']);
    expect(await titlesIn(bob)).toEqual([]);
    expect(await portal().visitor.get('/api/v2/bin/')).toMatchReply({ status: 401 });
    expect(await bob.post(`/api/v2/bin/${id}/restore/`)).toMatchReply({ status: 404 });
    expect(await bob.delete(`/api/v2/bin/${id}/`)).toMatchReply({ status: 404 });

    expect(await ada.post(`/api/v2/bin/${id}/restore/`)).toMatchReply({ status: 200 });
    expect([textOf((await ada.get(everything)).body), textOf((await bob.get(everything)).body)]).toEqual(before);
    expect(await titlesIn(ada)).toEqual([]);
    expect(await wrongTotals()).toEqual([]);
    expect(await ada.post(`/api/v2/bin/${id}/restore/`)).toMatchReply({ status: 404 });
  });

  test('gives back to whoever deleted it, as long as they may delete it, but only owners and administrators end it', async () => {
    const id = await idOf(portal(), 'Lakes');
    const perms = (list: string) =>
      scriptAs(portal(), 'ada', `select portal.set_perms(${id}, '{"users": {"bob": [${list}]}}')`);
    await perms('"view_resourcebase", "delete_resourcebase"');
    expect(await bob.delete(`/api/v2/resources/${id}/`)).toMatchReply({ status: 204 });
    expect(await binOf(bob)).toMatchObject([{ id, deleted_by: 'bob', may_purge: false }]);
    expect(await titlesIn(ada)).toEqual(['Lakes']);
    expect(await bob.delete(`/api/v2/bin/${id}/`)).toMatchReply({ status: 403 });
    expect(await bob.post(`/api/v2/bin/${id}/restore/`)).toMatchReply({ status: 200 });
    await perms('"view_resourcebase"');
    expect(await bob.delete(`/api/v2/resources/${id}/`)).toMatchReply({ status: 403 });
  });

  test('keeps rows and names of a layer: what is imported meanwhile under the same name gets another', async () => {
    const first = await layerWithTable('Roads', 'roads');
    expect(await ada.delete(`/api/v2/layers/${first}/`)).toMatchReply({ status: 204 });
    await expect(scriptAs(portal(), 'ada', `insert into layers.roads values (2, 'two')`)).rejects.toThrow();
    await portal()
      .db.script('rollback')
      .catch(() => {});
    await scriptAs(portal(), 'ada', `insert into portal.resource (resource_type, title) values ('layer', 'Roads')`);
    const names = await portal().db.query<{ id: number; alternate: string }>(
      `select id, alternate from portal.resource where title = 'Roads' order by id`,
    );
    expect(names).toEqual([
      { id: first, alternate: 'portal:Roads' },
      { id: expect.any(Number), alternate: expect.stringMatching(/^portal:Roads_\w{4}$/) },
    ]);
    expect(await ada.post(`/api/v2/bin/${first}/restore/`)).toMatchReply({ status: 200 });
    expect(bodyOf<{ layer: { alternate: string } }>(await ada.get(`/api/v2/layers/${first}`)).layer.alternate).toBe(
      'portal:Roads',
    );
    expect(await portal().db.query('select count(*)::integer as rows from layers.roads')).toEqual([{ rows: 1 }]);
  });

  test('is not counted among the layers of a map that are not shared, and comes back to the map', async () => {
    const layer = await layerWithTable('Bridges', 'bridges');
    const map = await mapOf('Crossings', layer, 'Bridges');
    const hidden = async () =>
      bodyOf<{ map: { hidden_layers: number } }>(await ada.get(`/api/v2/maps/${map}?include[]=hidden_layers`)).map
        .hidden_layers;
    expect(textOf((await ada.get(`/api/v2/maps/${map}/local_layers`)).body)).toContain('Bridges');
    await ada.delete(`/api/v2/layers/${layer}/`);
    expect(await hidden()).toBe(0);
    expect(textOf((await ada.get(`/api/v2/maps/${map}/local_layers`)).body)).not.toContain('Bridges');
    await ada.post(`/api/v2/bin/${layer}/restore/`);
    expect(textOf((await ada.get(`/api/v2/maps/${map}/local_layers`)).body)).toContain('Bridges');
  });

  test('is asked about with what uses the item: names of what the caller sees, and the number of the others', async () => {
    const layer = await layerWithTable('Bridges', 'bridges');
    await mapOf('Crossings', layer, 'Bridges');
    const written = (owner: 'ada' | 'bob', title: string, data: object, type = 'geostory') =>
      scriptAs(
        portal(),
        owner,
        `insert into portal.resource (resource_type, title, name) values ('${type}', '${title}', '${title}');
         insert into portal.app_data (resource_id, data) select r.id, '${JSON.stringify(data)}'
           from portal.resource r where r.title = '${title}';
         ${owner === 'bob' ? `select portal.set_perms(r.id, '{}') from portal.resource r where r.title = '${title}'` : 'select 1'}`,
      );
    const story = (owner: 'ada' | 'bob', title: string, media: object) =>
      written(owner, title, { sections: [{ media: { kind: 'none' } }, { media }] });
    await story('ada', 'Over water', { kind: 'layer', layer, view: { center: [0, 0], zoom: 1 } });
    await story('bob', 'Secret crossing', { kind: 'layer', layer });
    await story('bob', 'Another layer', { kind: 'layer', layer: layer + 1000 });
    const asked = await ada.get(`/api/v2/resources/${layer}/used_by/`);
    expect(asked).toMatchReply({
      status: 200,
      json: {
        items: [
          { id: await idOf(portal(), 'Crossings'), resource_type: 'map', title: 'Crossings' },
          { id: await idOf(portal(), 'Over water'), resource_type: 'geostory', title: 'Over water' },
        ],
        total: 2,
        others: 1,
      },
    });
    const map = await idOf(portal(), 'Crossings');
    await story('ada', 'On a map', { kind: 'map', map });
    expect(bodyOf(await ada.get(`/api/v2/resources/${map}/used_by/`))).toMatchObject({ total: 1, others: 0 });
    expect(await portal().visitor.get(`/api/v2/resources/${layer}/used_by/`)).toMatchReply({ status: 401 });
    expect((await bob.get(`/api/v2/resources/${layer}/used_by/`)).status).toBeOneOf([403, 404]);
    // What rests in the bin uses nothing.
    await ada.delete(`/api/v2/resources/${map}/`);
    expect(bodyOf(await ada.get(`/api/v2/resources/${layer}/used_by/`))).toMatchObject({ total: 1, others: 1 });
    // Dashboards use the layers of their widgets, and stories those of their charts.
    await written(
      'ada',
      'Board',
      { type: 'survest-dashboard', widgets: [{ kind: 'text' }, { kind: 'map', layer }] },
      'geoapp',
    );
    await story('bob', 'Chart of a secret', { kind: 'widget', widget: { kind: 'bar', layer } });
    const items = bodyOf<{ items: { title: string }[] }>(await ada.get(`/api/v2/resources/${layer}/used_by/`));
    expect(items).toMatchObject({ total: 2, others: 2 });
    expect(items.items.map(({ title }) => title)).toEqual(['Board', 'Over water']);
  });

  test('is emptied by hand and when the days are over, with tables and files, and all of it is in the audit log', async () => {
    const layer = await layerWithTable('Paths', 'paths');
    const form = new FormData();
    form.set('title', 'Old letter');
    form.set('doc_file', new Blob(['a letter']), 'letter.txt');
    const sent = new Response(form);
    const made = await ada.request('POST', '/api/v2/documents/', {
      headers: { 'content-type': sent.headers.get('content-type') ?? '' },
      body: Buffer.from(await sent.arrayBuffer()),
    });
    expect(made).toMatchReply({ status: 201 });
    const letter = await idOf(portal(), 'Old letter');
    const forgiven = await layerWithTable('Forgiven', 'forgiven');
    await ada.delete(`/api/v2/layers/${forgiven}/`);
    await ada.post(`/api/v2/bin/${forgiven}/restore/`);
    const files = async (): Promise<number> => {
      let found = 0;
      for await (const _ of blobs.list('')) found += 1;
      return found;
    };
    expect(await files()).toBe(1);
    await ada.delete('/api/v2/resources/', [{ id: layer }, { id: letter }]);
    expect(await files()).toBe(1);
    expect(await emptyBin(portal().callerDb, blobs)).toEqual({ ok: true, value: 0 });
    expect(await ada.delete(`/api/v2/bin/${letter}/`)).toMatchReply({ status: 204 });
    expect(await files()).toBe(0);
    expect(await ada.delete(`/api/v2/bin/${letter}/`)).toMatchReply({ status: 404 });
    await portal().db.script(`update portal_private.bin set kept_until = now() - interval '1 day'`);
    expect(await emptyBin(portal().callerDb, blobs)).toEqual({ ok: true, value: 1 });
    expect(await portal().db.query(`select to_regclass('layers.paths') as gone`)).toEqual([{ gone: null }]);
    expect(await wrongTotals()).toEqual([]);
    const { entries } = bodyOf<{ entries: readonly { act: string; name: string; actor_name: string | null }[] }>(
      await admin.get('/api/v2/audit/?limit=1000'),
    );
    const acts = (name: string): readonly string[] =>
      entries.filter((entry) => entry.name === name).map(({ act, actor_name }) => `${act} by ${actor_name}`);
    expect(acts('Old letter')).toEqual(['purged by ada', 'deleted by ada']);
    expect(acts('Paths')).toEqual(['purged by null', 'deleted by ada']);
    expect(acts('Forgiven')).toEqual(['restored by ada', 'deleted by ada']);
  });

  test('takes nothing in while the portal is read-only, and nothing at all where nothing is kept', async () => {
    const id = await layerWithTable('Fords', 'fords');
    await ada.delete(`/api/v2/layers/${id}/`);
    await portal().db.script(`update portal.setting set value = true where name = 'READ_ONLY'`);
    expect(await ada.post(`/api/v2/bin/${id}/restore/`)).toMatchReply({ status: 403 });
    await portal().db.script(`update portal.setting set value = false where name = 'READ_ONLY'`);
    await boundBin(portal().callerDb, 0);
    const other = await layerWithTable('Ferries', 'ferries');
    expect(await ada.delete(`/api/v2/layers/${other}/`)).toMatchReply({ status: 204 });
    expect(await portal().db.query(`select to_regclass('layers.ferries') as gone`)).toEqual([{ gone: null }]);
    // What is in it already stays for as long as it was said then.
    expect(await emptyBin(portal().callerDb, blobs)).toEqual({ ok: true, value: 0 });
    expect(await titlesIn(ada)).toEqual(['Fords']);
  });
});
