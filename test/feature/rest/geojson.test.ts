// Rows with a geometry as GeoJSON.

import { expect, test } from 'vitest';
import { REST_FIXTURE, REST_FIXTURE_WITHOUT_POSTGIS } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('GeoJSON', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  const accept = 'application/geo+json';

  const shop = {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [-71.10044, 42.373695] },
    properties: { id: 1, address: '1369 Quay Street' },
  };

  test('a collection of features', async () => {
    expect(await rest.get('/shops?id=eq.1', { accept })).toMatchReply({
      status: 200,
      headers: { 'content-type': 'application/geo+json; charset=utf-8', 'content-range': '0-0/*' },
      json: { type: 'FeatureCollection', features: [shop] },
    });
  });

  test('filtered, ordered, paged and counted', async () => {
    const reply = await rest.get('/shops?select=id,shop_geom&order=id.desc&limit=1&id=lt.3', {
      accept,
      prefer: 'count=exact',
    });
    expect(reply).toMatchReply({
      status: 206,
      headers: { 'content-range': '0-0/2' },
      json: {
        type: 'FeatureCollection',
        features: [
          { type: 'Feature', geometry: { type: 'Point', coordinates: [-71.10543, 42.366432] }, properties: { id: 2 } },
        ],
      },
    });
  });

  test('of no rows', async () => {
    expect(await rest.get('/shops?id=eq.99', { accept })).toMatchReply({
      status: 200,
      headers: { 'content-range': '*/*' },
      json: { type: 'FeatureCollection', features: [] },
    });
  });

  test('a geometry that is null', async () => {
    expect(await rest.get('/shop_bles?id=eq.2&select=id,range_area', { accept })).toMatchReply({
      status: 200,
      json: {
        type: 'FeatureCollection',
        // PostGIS before 3.4 says it another way.
        features: [{ type: 'Feature', geometry: expect.toBeOneOf([null, { type: null }]), properties: { id: 2 } }],
      },
    });
  });

  test('embeds are properties', async () => {
    expect(
      await rest.get('/shops?id=eq.1&select=id,shop_geom,shop_bles(name)&shop_bles.order=id', { accept }),
    ).toMatchReply({
      json: {
        type: 'FeatureCollection',
        features: [{ ...shop, properties: { id: 1, shop_bles: [{ name: 'Beacon-1' }, { name: 'Beacon-2' }] } }],
      },
    });
  });

  test('rows of a function', async () => {
    expect(await rest.get('/rpc/get_shops?near=quay', { accept })).toMatchReply({
      status: 200,
      json: { type: 'FeatureCollection', features: [shop] },
    });
  });

  test('a geometry in plain JSON is what PostGIS makes of it', async () => {
    expect(await rest.get('/shops?id=eq.1&select=shop_geom')).toMatchReply({
      json: [{ shop_geom: expect.objectContaining({ type: 'Point', coordinates: [-71.10044, 42.373695] }) }],
    });
  });

  test.each(['/shop_addresses', '/clients', '/shops?select=id'])('%s has no geometry', async (target) => {
    expect(await rest.get(target, { accept })).toMatchReply({
      status: 400,
      headers: { 'proxy-status': 'Survest; error=22023' },
      json: problem('22023', 'geometry column is missing'),
    });
  });

  test('HEAD', async () => {
    expect(await rest.head('/shops', { accept })).toMatchReply({
      status: 200,
      headers: { 'content-type': 'application/geo+json; charset=utf-8', 'content-range': '0-2/*' },
      text: '',
    });
  });
});

onEachEngine('GeoJSON without PostGIS', { fixtures: REST_FIXTURE_WITHOUT_POSTGIS }, (db) => {
  const rest = useRest(db, { 'db-extra-search-path': 'extra' });

  test('is for the database to miss', async () => {
    expect(await rest.get('/clients', { accept: 'application/geo+json' })).toMatchReply({
      status: 404,
      json: problem('42883', 'function st_asgeojson(record) does not exist', null, expect.any(String)),
    });
  });

  test('all else is served', async () => {
    expect(await rest.get('/clients?id=eq.1')).toMatchReply({ status: 200, json: [{ id: 1, name: 'Harbour Office' }] });
  });
});
