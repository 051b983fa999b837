// Calls of the pages and clients of newer GeoNodes about layers: their extent, their time, their group.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PortalClient } from '../../testkit/portal-client.ts';
import { bodyOf } from '../portal/on-catalogue.ts';
import { makeLayer, onLayers, setPerms } from './layer-kit.ts';
import { grid, makeRaster } from './raster-kit.ts';

onLayers('calls of newer clients', {}, (kit) => {
  let layer: number;
  let secret: number;
  const client = (who: 'ada' | 'bob' | 'visitor'): PortalClient =>
    who === 'visitor' ? kit().portal.visitor : kit().portal.as(who);
  beforeAll(async () => {
    layer = await makeLayer(kit(), {
      name: 'sights',
      geometry: 'Point',
      columns: 'seen date',
      rows: `insert into layers.sights (geom, seen) values (st_setsrid(st_point(1, 2), 4326), '2024-05-01'), (st_setsrid(st_point(100, 50), 4326), '2024-06-01')`,
    });
    await kit().db.script(
      `insert into portal.attribute (resource_id, attribute, attribute_type) values (${layer}, 'seen', 'xsd:date')`,
    );
    secret = await makeLayer(kit(), { name: 'hidden', geometry: 'Point', rows: '' });
    await setPerms(kit(), layer, { groups: { anonymous: ['view_resourcebase'] } });
    await setPerms(kit(), secret, {});
  });

  describe('recalc-bbox', () => {
    const put = (id: number, who: 'ada' | 'bob' | 'visitor' = 'ada', body?: unknown) =>
      client(who).put(`/api/v2/datasets/${id}/recalc-bbox`, body);
    const box = async (): Promise<unknown> => {
      const [row] = await kit().db.query<{ box: string }>(
        `select array[st_xmin(ll_bbox_polygon), st_ymin(ll_bbox_polygon), st_xmax(ll_bbox_polygon), st_ymax(ll_bbox_polygon)]::integer[]::text as box from portal.resource where id = ${layer}`,
      );
      return row?.box;
    };

    test('makes the extent that of the rows, also a smaller one', async () => {
      expect(await put(layer)).toMatchReply({ status: 200, json: { success: true } });
      expect(await box()).toBe('{1,2,100,50}');
      await kit().db.script('delete from layers.sights where st_x(geom) > 50');
      expect(await put(layer)).toMatchReply({ status: 200 });
      expect(await box()).toBe('{1,2,1,2}');
    });

    test('is for who may change the rows, and takes no box', async () => {
      expect((await put(layer, 'visitor')).status).toBe(401);
      expect((await put(layer, 'bob')).status).toBe(403);
      expect((await put(secret, 'bob')).status).toBe(404);
      expect(await put(layer, 'ada', { bbox: [0, 0, 10, 10] })).toMatchReply({ status: 400 });
      expect((await put(secret)).status).toBe(200);
    });

    test('of a raster is that of its file', async () => {
      const { folder, gdal } = kit();
      writeFileSync(
        join(folder, 'h.asc'),
        grid(8, 8, 0, 0, 1, (c) => c),
      );
      await gdal('gdal_translate', ['-q', '-of', 'COG', '-a_srs', 'EPSG:4326', '-ot', 'Int16', 'h.asc', 'h.tif']);
      const raster = await makeRaster(kit(), 'h.tif', {
        name: 'heights',
        srid: 4326,
        box: [0, 0, 8, 8],
        wgs84: [0, 0, 8, 8],
      });
      expect(await put(raster)).toMatchReply({ status: 200, json: { success: true } });
      expect((await put(raster, 'bob')).status).not.toBe(200);
    });
  });

  describe('timeseries', () => {
    const path = (id: number): string => `/api/v2/datasets/${id}/timeseries`;

    test('switches the time of a layer on and off', async () => {
      expect((await client('ada').get(path(layer))).status).toBe(404);
      const { resource } = bodyOf<{ resource: { has_time: boolean } }>(
        await client('ada').get(`/api/v2/datasets/${layer}`),
      ) as unknown as { resource: { has_time: boolean } };
      expect(resource?.has_time ?? false).toBe(false);
      const [column] = await kit().db.query<{ id: number }>(
        `select id from portal.attribute where resource_id = ${layer} and attribute = 'seen'`,
      );
      const asked = { has_time: true, attribute: column?.id, end_attribute: null, presentation: 'LIST' };
      expect(await client('ada').put(path(layer), asked)).toMatchReply({ status: 200 });
      expect(await client('bob').get(path(layer))).toMatchReply({
        status: 200,
        json: { ...asked, precision_value: null, precision_step: null },
      });
      expect(await client('ada').put(path(layer), { has_time: false })).toMatchReply({ status: 200 });
      expect((await client('ada').get(path(layer))).status).toBe(404);
    });

    test('refuses what it cannot do, and who may not', async () => {
      for (const body of [
        {},
        { has_time: 'yes' },
        { has_time: true, attribute: 987654 },
        { has_time: true, end_attribute: 1 },
        { has_time: true, presentation: 'DISCRETE_INTERVAL' },
      ])
        expect((await client('ada').put(path(layer), body)).status).toBe(400);
      expect((await client('visitor').put(path(layer), { has_time: true })).status).toBe(401);
      expect((await client('bob').put(path(layer), { has_time: false })).status).toBe(403);
      expect((await client('bob').put(path(secret), { has_time: false })).status).toBe(404);
      expect((await client('bob').get(path(secret))).status).toBe(404);
    });
  });

  test('a token that may only read asks the services by POST, and changes nothing by them', async () => {
    const made = await client('ada').post('/api/v2/access-tokens/', { name: 'Reader', scope: 'read', days: 1 });
    const { token } = bodyOf<{ token: string }>(made);
    const reader = kit().portal.bearer(token);
    const xml = { 'content-type': 'text/xml' };
    const ask = (path: string, body: string) => reader.request('POST', path, { body, headers: xml });
    const query = (inside: string): string =>
      `<wfs:GetFeature service="WFS" version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0">${inside}</wfs:GetFeature>`;
    for (const path of ['/wfs', '/ows', '/geoserver/wfs', '/geoserver/ows']) {
      const found = await ask(path, query('<wfs:Query typeNames="sights"/>'));
      expect([path, found.status, String(found.body).includes('wfs:FeatureCollection')]).toEqual([path, 200, true]);
    }
    const records = await ask(
      '/csw',
      '<csw:GetRecords service="CSW" version="2.0.2" resultType="results" xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"><csw:Query typeNames="csw:Record"><csw:ElementSetName>brief</csw:ElementSetName></csw:Query></csw:GetRecords>',
    );
    expect([records.status, String(records.body).includes('GetRecordsResponse')]).toEqual([200, true]);
    expect((await reader.post('/stac/search', { limit: 1 })).status).toBe(200);

    const count = async (): Promise<unknown> => kit().db.query('select count(*)::text as n from layers.sights');
    const before = await count();
    const transaction = (inside: string): string =>
      `<wfs:Transaction service="WFS" version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:portal="https://survest.dev/portal" xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2">${inside}</wfs:Transaction>`;
    for (const path of ['/wfs', '/ows', '/geoserver/wfs']) {
      const refused = await ask(
        path,
        transaction(
          '<wfs:Delete typeName="sights"><fes:Filter><fes:ResourceId rid="sights.1"/></fes:Filter></wfs:Delete>',
        ),
      );
      expect([path, refused.status]).toEqual([path, 403]);
    }
    expect((await reader.put(`/api/v2/datasets/${layer}/recalc-bbox`, undefined)).status).toBe(403);
    expect(await count()).toEqual(before);
    // With a token that may write, the same is done.
    const writer = kit().portal.bearer(await kit().portal.tokenOf('ada'));
    const done = await writer.request('POST', '/wfs', {
      headers: xml,
      body: transaction(
        '<wfs:Delete typeName="sights"><fes:Filter><fes:ResourceId rid="sights.1"/></fes:Filter></wfs:Delete>',
      ),
    });
    expect([done.status, String(done.body).includes('TransactionResponse')]).toEqual([200, true]);
    expect(await count()).not.toEqual(before);
  });

  test('iso_metadata_xml is the metadata record', async () => {
    const ours = await client('visitor').get(`/metadata/${layer}.iso19139.xml`);
    const theirs = await client('visitor').get(`/api/v2/resources/${layer}/iso_metadata_xml`);
    expect([theirs.status, String(theirs.body)]).toEqual([200, String(ours.body)]);
    expect((await client('visitor').get(`/api/v2/resources/${secret}/iso_metadata_xml`)).status).toBe(404);
  });

  test('facets/group counts the items of groups that the caller sees', async () => {
    const topics = async (who: 'ada' | 'bob' | 'visitor', query = ''): Promise<unknown> =>
      bodyOf<{ topics: { items: unknown } }>(await client(who).get(`/api/v2/facets/group${query}`)).topics.items;
    await kit().db.script(`
      insert into portal.user_group (slug, title, access) values ('walkers', 'Walkers', 'public'), ('guards', 'Guards', 'private');
      update portal.resource set group_id = (select id from portal.user_group where slug = 'walkers') where id = ${layer};
      update portal.resource set group_id = (select id from portal.user_group where slug = 'guards') where id = ${secret};`);
    const [group] = await kit().db.query<{ id: number }>(`select id from portal.user_group where slug = 'walkers'`);
    const walkers = { key: String(group?.id), label: 'walkers', count: 1, is_localized: false };
    expect(await topics('bob')).toEqual([walkers]);
    expect(await topics('bob', '?filter{group.in}=1')).toEqual([walkers]);
    expect(await topics('bob', '?search=nothing')).toEqual([]);
    expect(await topics('bob', `?key=${group?.id}&search=nothing`)).toEqual([{ ...walkers, count: 0 }]);
    const found = await client('bob').get(`/api/v2/resources?filter{group.in}=${group?.id}`);
    expect(bodyOf<{ total: number }>(found).total).toBe(1);
  });
});
