// What the catalogue tells the map services and their clients: versions, links, extents.

import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Caller, VISITOR } from '../../../src/auth/caller.ts';
import type { Layer } from '../../../src/layer-ports/layer.ts';
import type { LayerAccess, LayerPlace } from '../../../src/layer-ports/layer-access.ts';
import { makeLayerAccess } from '../../../src/portal/layers/layer-access.ts';
import { textOf } from '../../testkit/reply-matcher.ts';
import { makeLayer, onLayers, setPerms } from './layer-kit.ts';

const INFO = { method: 'GET', path: '/' };

onLayers('layers', {}, (kit) => {
  let id = 0;
  let access: LayerAccess;

  beforeAll(() => {
    access = makeLayerAccess(kit().portal.callerDb);
  });
  /** Each test has it as it was made. */
  beforeEach(async () => {
    id = await makeLayer(kit(), {
      name: 'places',
      columns: 'name text not null, note text',
      geometry: 'Point',
      srid: 25832,
      rows: `insert into $table (name, geom) values ('a', st_setsrid(st_makepoint(400000, 5600000), 25832)), ('b', st_setsrid(st_makepoint(401000, 5601000), 25832))`,
    });
  });
  afterEach(() => kit().db.script('delete from portal.resource'));

  const find = async (caller: Caller = VISITOR): Promise<Layer> => {
    const found = await access.find(caller, INFO, 'places');
    if (!found.ok) throw new Error(JSON.stringify(found.error));
    return found.value;
  };

  test('a layer is told with its table, columns, geometry and extent', async () => {
    expect(await find()).toMatchObject({
      kind: 'vector',
      id,
      name: 'places',
      alternate: 'portal:places',
      table: 'places',
      srid: 25832,
      crs: 'EPSG:25832',
      primaryKey: 'fid',
      keyType: 'integer',
      geometry: { column: 'geom', kind: 'point', type: 'Point', nullable: true },
      columns: [
        { name: 'fid', type: 'integer', hasDefault: true },
        { name: 'name', type: 'text', nullable: false },
        { name: 'note', type: 'text', nullable: true },
      ],
      cacheable: true,
      ownRowRules: false,
      gis: 'public',
      extent: { native: [400000, 5600000, 401000, 5601000].map((edge) => expect.closeTo(edge, 3)) },
    });
  });

  test('its version changes with what clients see of it, and that of its data with rows and columns alone', async () => {
    for (const [what, sql, isChanged, isDataChanged] of [
      ['a new row', `insert into layers.places (name) values ('c')`, true, true],
      ['a changed row', `update layers.places set note = 'x' where name = 'a'`, true, true],
      ['a deleted row', `delete from layers.places where name = 'c'`, true, true],
      ['a new column', `alter table layers.places add column more text`, true, true],
      ['a column renamed', `alter table layers.places rename column more to less`, true, true],
      ['a column dropped', `alter table layers.places drop column less`, true, true],
      [
        'a label',
        `insert into portal.attribute (resource_id, attribute, attribute_label) select id, 'name', 'Name' from portal.resource where name = 'places'`,
        true,
        false,
      ],
      [
        'a style',
        `insert into portal.style (name) values ('s'); insert into portal.layer_style select r.id, s.id from portal.resource r, portal.style s where r.name = 'places'`,
        true,
        false,
      ],
      ['a changed style', `update portal.style set sld_body = '<x/>'`, true, false],
      [
        'another default',
        `update portal.resource set default_style_id = (select id from portal.style) where name = 'places'`,
        true,
        false,
      ],
      ['a reader', `update portal.resource set popular_count = popular_count + 1 where name = 'places'`, false, false],
      ['nothing', 'select 1', false, false],
    ] as const) {
      const before = await find();
      await kit().db.script(sql);
      const after = await find();
      expect(after.version !== before.version, what).toBe(isChanged);
      expect(after.dataVersion !== before.dataVersion, what).toBe(isDataChanged);
    }
  });

  test('writers of one layer do not wait for each other, and both are seen', async () => {
    if (kit().db.uri === undefined) return; // The embedded engine has one session: there is nobody to wait for.
    const before = await find();
    const write = (n: number): Promise<void> =>
      kit().db.script(`begin; insert into layers.places (name) values ('w${n}'); select pg_sleep(0.05); commit`);
    await Promise.all([write(1), write(2), write(3)]);
    const after = await find();
    expect(after.dataVersion).not.toBe(before.dataVersion);
    await write(4);
    expect((await find()).dataVersion).not.toBe(after.dataVersion);
    const [left] = await kit().db.query<{ n: number }>(
      `select count(*)::int as n from portal_private.layer_change where resource_id = $1 and part = 'data'`,
      [id],
    );
    expect(left?.n).toBe(1);
  });

  test('the extent follows features that lie outside of it', async () => {
    await kit().db.script(
      `insert into layers.places (name, geom) values ('far', st_setsrid(st_makepoint(500000, 5700000), 25832))`,
    );
    const { extent } = await find();
    expect(extent?.native.map(Math.round)).toEqual([400000, 5600000, 500000, 5700000]);
    expect(extent?.wgs84[2]).toBeCloseTo(9.0, 1);
    expect(extent?.wgs84[3]).toBeCloseTo(51.45, 1);
  });

  test('the entry in the catalogue lists where the layer is served, under the address it was asked at', async () => {
    const reply = await kit().portal.visitor.get(`/api/v2/layers/${id}/`, { host: 'maps.example.org' });
    const { layer } = JSON.parse(textOf(reply.body)) as {
      layer: { links: { link_type: string; name: string; url: string }[] };
    };
    const at = (name: string): string | undefined => layer.links.find((link) => link.name === name)?.url;
    expect(at('Vector tiles')).toBe(`http://maps.example.org/tiles/${id}.json`);
    expect(at('OGC API Features')).toBe(`http://maps.example.org/ogc/collections/${id}`);
    expect(at('GeoPackage')).toBe(`http://maps.example.org/download/${id}.gpkg`);
    expect(at('WFS')).toMatch(/^http:\/\/maps\.example\.org\/wfs\?/);
    for (const { url } of layer.links.filter(({ name }) => !/^WM/.test(name)))
      expect([url, (await kit().portal.visitor.get(url.replace('http://maps.example.org', ''))).status]).toEqual([
        url,
        200,
      ]);
  });

  test('only layers that the caller sees are listed, with their number', async () => {
    await setPerms(kit(), id, { users: { mia: ['view_resourcebase'] } });
    const mia: Caller = {
      kind: 'account',
      id: kit().portal.ids.mia,
      username: 'mia',
      role: 'survest_user',
      via: 'basic',
    };
    expect(await access.list(VISITOR, INFO, { limit: 10, offset: 0 })).toEqual({
      ok: true,
      value: { layers: [], total: 0 },
    });
    expect(await access.list(mia, INFO, { limit: 10, offset: 0 })).toMatchObject({
      ok: true,
      value: { layers: [{ id }], total: 1 },
    });
    expect(await access.find(VISITOR, INFO, 'places')).toMatchObject({ ok: false, error: { kind: 'no-such-layer' } });
    expect(await access.may(mia, INFO, id, 'view_resourcebase')).toEqual({ ok: true, value: true });
    expect(await access.may(mia, INFO, id, 'change_layer_data')).toEqual({ ok: true, value: false });
  });

  test('all of them are read in turn, past one that cannot be served', async () => {
    await setPerms(kit(), id, { users: { mia: ['view_resourcebase'] } });
    // Tables without a key: there are four layers for this account, two of which the services have.
    await kit().db.script(`
      create table layers.aaa (name text);
      create table layers.bbb (name text, fid integer primary key, geom geometry(point, 4326));
      create table layers.mmm (name text)`);
    for (const name of ['aaa', 'bbb', 'mmm'])
      await kit().db.script(`
        with made as (
          insert into portal.resource (resource_type, title, name, alternate, owner_id)
          values ('layer', '${name}', '${name}', 'portal:${name}', ${kit().portal.ids.mia}) returning id)
        insert into portal_private.layer_table (resource_id, table_name) select id, '${name}' from made`);
    const mia: Caller = {
      kind: 'account',
      id: kit().portal.ids.mia,
      username: 'mia',
      role: 'survest_user',
      via: 'basic',
    };
    const names: (readonly string[])[] = [];
    let after: LayerPlace | undefined;
    do {
      const page = await access.listAfter(mia, INFO, { limit: 1, after });
      if (!page.ok) throw new Error(page.error.kind);
      names.push(page.value.layers.map(({ name }) => name));
      after = page.value.next;
    } while (after !== undefined);
    expect(names).toEqual([[], ['bbb'], [], ['places'], []]);
    // What is nobody's secret is a visitor's too, and nothing else.
    expect(await access.listAfter(VISITOR, INFO, { limit: 10, after: undefined })).toMatchObject({
      ok: true,
      value: { layers: [{ name: 'bbb' }], next: undefined },
    });
  });

  test('a layer without data behind it is none to the map services', async () => {
    await kit().db.script(
      `insert into portal.resource (resource_type, title, name, owner_id) values ('layer', 'empty', 'empty', ${kit().portal.ids.ada})`,
    );
    expect(await access.find(VISITOR, INFO, 'empty')).toMatchObject({ ok: false, error: { kind: 'no-such-layer' } });
  });

  test('a deleted layer leaves nothing behind', async () => {
    await kit().db.script(`delete from portal.resource where id = ${id}`);
    expect(await kit().db.query('select 1 from portal_private.layer_change where resource_id = $1', [id])).toEqual([]);
    expect(await kit().db.query(`select to_regclass('layers.places') as t`)).toEqual([{ t: null }]);
  });
});
