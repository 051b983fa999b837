// Rows of layers can be followed: edits by any service are told, and a permission that is taken away ends the stream at once.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Driver } from '../../../src/pg/driver.ts';
import { makePostgresDriver } from '../../../src/pg/postgres/postgres-driver.ts';
import { listenTo } from '../../testkit/live-client.ts';
import { openRest, type RestClient } from '../../testkit/rest-client.ts';
import { asAuthenticator, makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';

onLayers('a layer that is followed', {}, (kit) => {
  let places = 0;
  let rest: RestClient;
  let driver: Driver;
  beforeAll(async () => {
    places = await makeLayer(kit(), {
      name: 'places',
      columns: 'name text',
      geometry: 'Point',
      rows: `insert into $table (name, geom) values ('Mill', public.st_setsrid(public.st_point(1, 2), 4326))`,
    });
    await setPerms(kit(), places, OPEN);
    const { uri, driver: embedded } = kit().db;
    driver = uri === undefined ? embedded : makePostgresDriver({ uri: asAuthenticator(uri), poolSize: 4 });
    rest = await openRest(
      kit().db,
      {
        'db-schemas': 'layers',
        'db-extra-search-path': 'public',
        'db-anon-role': 'survest_anon',
        'db-relation-guard': 'portal.visible_relations',
        // Nothing here waits for the next look.
        'live-recheck': '86400',
      },
      () => driver,
    );
  });
  afterAll(async () => {
    await rest.close();
    if (driver !== kit().db.driver) await driver.close();
  });

  test('tells edits, and ends for whoever may not read it any more, as if it were not there', async () => {
    const client = await listenTo(rest.service, '/places?select=fid,name');
    expect(client.values()).toEqual([{ fid: 1, name: 'Mill' }]);
    const edited = await kit()
      .portal.as('ada')
      .patch(
        '/ogc/collections/places/items/1',
        { type: 'Feature', properties: { name: 'Inn' } },
        {
          'content-type': 'application/merge-patch+json',
        },
      );
    expect(edited.status).toBeLessThan(300);
    await client.until(({ rows }) => JSON.stringify([...rows.values()]).includes('Inn'));
    await setPerms(kit(), places, {});
    await client.ended();
    expect(client.events.at(-1)).toMatchObject({
      name: 'end',
      data: { code: 'SVRST205', message: "Could not find the table 'layers.places' in the schema cache" },
    });
    await setPerms(kit(), places, OPEN);
  });
});
