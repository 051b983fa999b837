// The history of a layer: every way of writing is in it, for those who may read the rows; and one edit is undone as a new one.

import { beforeEach, expect, test } from 'vitest';
import { bodyOf } from '../portal/on-catalogue.ts';
import { makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';

type Edit = {
  readonly id: number;
  readonly by: string | null;
  readonly kind: string;
  readonly feature: string | null;
  readonly old: Record<string, unknown> | null;
  readonly new: Record<string, unknown> | null;
  readonly geometry: boolean;
  readonly bulk: string | null;
  readonly rows: number | null;
};

onLayers('history of a layer', {}, (kit) => {
  let layers = 0;
  let id = 0;
  let table = '';
  let layer = '';
  /** Each test has a layer of its own, that nobody has edited. */
  beforeEach(async () => {
    const name = `posts_${++layers}`;
    table = `layers.${name}`;
    layer = `/ogc/collections/${name}`;
    id = await makeLayer(kit(), {
      name,
      columns: 'name text, size integer generated always as (length(name)) stored',
      geometry: 'PointZ',
      rows: `insert into $table (name, geom) values ('old', st_setsrid(st_makepoint(7.123456789012345, 50.1, 3), 4326))`,
    });
    await setPerms(kit(), id, OPEN);
  });

  const edits = async (query = ''): Promise<readonly Edit[]> =>
    bodyOf<{ edits: Edit[] }>(await kit().portal.as('ada').get(`${layer}/history${query}`)).edits;
  const undo = (edit: number | undefined) => kit().portal.as('ada').post(`${layer}/history/${edit}/undo`, {});

  test('what was there when the layer was made is no edit', async () => {
    expect(await edits()).toEqual([]);
  });

  test('an edit says who, what and when; undone, the feature is as it was, to the last digit', async () => {
    const ada = kit().portal.as('ada');
    const before = bodyOf(await ada.get(`${layer}/items/1?exact=true`));
    const point = { type: 'Point', coordinates: [8, 51, 4] };
    expect((await ada.patch(`${layer}/items/1`, { properties: { name: 'newer' }, geometry: point })).status).toBe(204);
    const [edit, ...others] = await edits('?feature=1');
    expect(others).toEqual([]);
    expect(edit).toMatchObject({
      by: 'ada',
      kind: 'update',
      feature: '1',
      old: { name: 'old', size: 3 },
      new: { name: 'newer', size: 5 },
      geometry: true,
    });
    expect((await undo(edit?.id)).status).toBe(204);
    expect(bodyOf(await ada.get(`${layer}/items/1?exact=true`))).toEqual(before);
    expect((await edits()).map(({ kind }) => kind)).toEqual(['update', 'update']);
    // It is not the last edit of the feature any more.
    expect((await undo(edit?.id)).status).toBe(412);
  });

  test('a new feature, a deleted one and their undoing', async () => {
    const ada = kit().portal.as('ada');
    const made = await ada.post(`${layer}/items`, {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [1, 2, 3] },
      properties: { name: 'made' },
    });
    const { id: feature } = bodyOf<{ id: number }>(made);
    const [inserted] = await edits();
    expect(inserted).toMatchObject({ kind: 'insert', feature: String(feature), new: { name: 'made' } });
    expect((await ada.delete(`${layer}/items/${feature}`)).status).toBe(204);
    const [deleted] = await edits();
    expect(deleted).toMatchObject({ kind: 'delete', old: { name: 'made' } });
    expect((await undo(deleted?.id)).status).toBe(204);
    expect(bodyOf(await ada.get(`${layer}/items/${feature}`))).toMatchObject({
      geometry: { coordinates: [1, 2, 3] },
      properties: { name: 'made' },
    });
    const [again] = await edits();
    expect((await undo(again?.id)).status).toBe(204);
    expect((await ada.get(`${layer}/items/${feature}`)).status).toBe(404);
  });

  test('rows that are written past the services are in it, many at once as one entry that cannot be undone', async () => {
    await kit().db.script(`insert into ${table} (name) values ('by hand')`);
    expect((await edits('?limit=1'))[0]).toMatchObject({ kind: 'insert', by: null, new: { name: 'by hand' } });
    await kit().db.script(`insert into ${table} (name) select 'many' from generate_series(1, 600)`);
    const [bulk] = await edits('?limit=1');
    expect(bulk).toMatchObject({ kind: 'bulk', bulk: 'insert', rows: 600, feature: null });
    expect((await undo(bulk?.id)).status).toBe(400);
    await kit().db.script(`select set_config('survest.bulk', 'append', false), set_config('survest.bulk_by', '${kit().portal.ids.ada}', false);
      insert into ${table} (name) values ('imported');
      select set_config('survest.bulk', '', false), set_config('survest.bulk_by', '', false)`);
    expect((await edits('?limit=1'))[0]).toMatchObject({ kind: 'bulk', bulk: 'append', rows: 1, by: 'ada' });
  });

  test('who may not read the rows reads no history, and who may not change them undoes nothing', async () => {
    const { portal } = kit();
    await kit().db.script(`insert into ${table} (name) values ('new')`);
    expect((await portal.visitor.get(`${layer}/history`)).status).toBe(200);
    const [edit] = await edits();
    expect(edit).toMatchObject({ kind: 'insert' });
    expect((await portal.as('mia').post(`${layer}/history/${edit?.id}/undo`, {})).status).toBe(403);
    expect((await portal.visitor.post(`${layer}/history/${edit?.id}/undo`, {})).status).toBe(401);
    await setPerms(kit(), id, { groups: { anonymous: ['view_resourcebase'] } });
    expect((await portal.as('mia').get(`${layer}/history`)).status).toBe(403);
    await setPerms(kit(), id, {});
    expect((await portal.as('mia').get(`${layer}/history`)).status).toBe(404);
    await setPerms(kit(), id, OPEN);
    // Row rules of the table's own: callers see different rows, and the log is for administrators.
    await kit().db.script(`create policy own on ${table} as restrictive for select using (name <> 'secret')`);
    expect((await portal.as('ada').get(`${layer}/history`)).status).toBe(403);
    expect((await portal.as('admin').get(`${layer}/history`)).status).toBe(200);
    await kit().db.script(`drop policy own on ${table}`);
  });

  test('what is older than is kept goes, and nothing is noted where nothing is kept', async () => {
    const { db } = kit();
    await db.script(`update ${table} set name = 'newer' where name = 'old'`);
    expect((await edits()).map(({ kind }) => kind)).toEqual(['update']);
    await db.script(`update portal_private.layer_edit set made_at = now() - interval '400 days' where kind = 'update';
      insert into ${table} (name) values ('prunes')`);
    expect((await edits()).filter(({ kind }) => kind === 'update')).toEqual([]);
    await db.script(`select portal.set_history_limits(2, 365);
      insert into ${table} (name) values ('one'); insert into ${table} (name) values ('two'); insert into ${table} (name) values ('prunes')`);
    expect((await edits()).map((edit) => edit.new?.['name'])).toEqual(['prunes', 'two']);
    await db.script(`select portal.set_history_limits(0, 365); insert into ${table} (name) values ('unnoted')`);
    expect((await edits('?limit=1'))[0]?.new).toMatchObject({ name: 'prunes' });
    await db.script('select portal.set_history_limits(10000, 365)');
  });

  test('addresses that are none', async () => {
    const ada = kit().portal.as('ada');
    expect((await ada.get(`${layer}/history?limit=x`)).status).toBe(400);
    expect((await ada.post(`${layer}/history/999999/undo`, {})).status).toBe(404);
    expect((await ada.post(`${layer}/history/x/undo`, {})).status).toBe(404);
  });
});
