// Where the data of a layer came from, and whether they are as new as was declared: in its record, in lists and facets, and for other catalogues.

import { beforeAll, expect, test } from 'vitest';
import { mountMapServices } from '../../../src/server/portal/mount-map-services.ts';
import type { AccountName, PortalClient } from '../../testkit/portal-client.ts';
import { at, collection, onUploads } from './upload-kit.ts';

type Json = Readonly<Record<string, unknown>>;
const STOPS = collection([{ properties: { name: 'a' }, geometry: at(8, 47) }]);

onUploads('the freshness of data', { services: mountMapServices }, (kit) => {
  const ids: Record<'weekly' | 'plain' | 'hidden', number> = { weekly: 0, plain: 0, hidden: 0 };
  const as = (name: AccountName): PortalClient => kit().portal.as(name);
  const read = async (client: PortalClient, path: string): Promise<Json> => {
    const reply = await client.get(path);
    expect(reply.status, `${path}: ${String(reply.body)}`).toBe(200);
    return JSON.parse(String(reply.body)) as Json;
  };
  const provenance = async (client: PortalClient, id: number): Promise<Json> =>
    (await read(client, `/api/v2/layers/${id}/provenance/`))['provenance'] as Json;
  /** As if the upload of the layer had been that long ago. */
  const age = async (id: number, days: number): Promise<void> => {
    await kit().db.query(
      `update portal.upload set finished = now() - make_interval(days => ${days})
        where id in (select upload_id from portal.upload_layer where resource_id = ${id})`,
    );
    await kit().db.query(`delete from portal_private.layer_edit where resource_id = ${id}`);
  };

  beforeAll(async () => {
    const everybody = JSON.stringify({ users: {}, groups: { anonymous: ['view_resourcebase'] } });
    for (const name of ['weekly', 'plain', 'hidden'] as const) {
      const permissions = name === 'hidden' ? JSON.stringify({ users: {}, groups: {} }) : everybody;
      const { state, resource_id, session } = await kit().import('ada', [{ name: `${name}.geojson`, content: STOPS }], {
        permissions,
      });
      if (state !== 'PROCESSED' || resource_id === null) throw new Error(JSON.stringify(session));
      ids[name] = resource_id;
    }
    for (const id of [ids.weekly, ids.hidden])
      expect(await as('ada').patch(`/api/v2/layers/${id}/`, { maintenance_frequency: 'weekly' })).toMatchReply({
        status: 200,
      });
  });

  test.each([
    [1, 'fresh'],
    [8, 'due'],
    [11, 'overdue'],
  ])('of weekly data after %d days is %s', async (days, freshness) => {
    await age(ids.weekly, days);
    const { layer } = await read(as('ada'), `/api/v2/layers/${ids.weekly}/?include[]=freshness&include[]=data_updated`);
    expect(layer).toMatchObject({ freshness, data_updated: expect.stringMatching(/^\d{4}-/) });
    expect(await provenance(as('ada'), ids.weekly)).toMatchObject({
      source: 'upload',
      how: 'upload',
      by: 'ada',
      of: 'weekly.geojson',
      frequency: 'weekly',
      freshness,
      made: [],
    });
  });

  test('is renewed by an edit, and says so', async () => {
    await age(ids.weekly, 30);
    const { type, features } = JSON.parse(STOPS) as { type: string; features: readonly [Json] };
    expect(type).toBe('FeatureCollection');
    const added = await as('ada').post(`/ogc/collections/${ids.weekly}/items`, features[0], {
      'content-type': 'application/geo+json',
    });
    expect(added.status, String(added.body)).toBe(201);
    expect(await provenance(as('ada'), ids.weekly)).toMatchObject({ how: 'edit', by: 'ada', freshness: 'fresh' });
  });

  test('is nothing where nothing was declared, and is shown only when it is asked for', async () => {
    expect(await provenance(as('ada'), ids.plain)).toMatchObject({ frequency: null, freshness: null, due: null });
    const { layer } = await read(as('ada'), `/api/v2/layers/${ids.weekly}/`);
    expect(layer).not.toHaveProperty('freshness');
  });

  test('filters lists, and is a facet that counts what the caller sees', async () => {
    for (const id of [ids.weekly, ids.hidden]) await age(id, 30);
    const titles = async (client: PortalClient): Promise<unknown> =>
      ((await read(client, '/api/v2/resources/?filter{freshness}=overdue'))['resources'] as readonly Json[])
        .map(({ title }) => title)
        .sort();
    expect(await titles(as('ada'))).toEqual(['hidden', 'weekly']);
    expect(await titles(kit().portal.visitor)).toEqual(['weekly']);
    const counted = async (client: PortalClient, query = ''): Promise<unknown> => {
      const { topics } = await read(client, `/api/v2/facets/freshness?${query}`);
      return (topics as { items: readonly Json[] }).items.map(({ key, count }) => [key, count]);
    };
    expect(await counted(as('ada'))).toEqual([['overdue', 2]]);
    expect(await counted(kit().portal.visitor)).toEqual([['overdue', 1]]);
    expect(await counted(kit().portal.visitor, 'key=fresh')).toEqual([['fresh', 0]]);
  });

  test('does not exist for whoever does not see the layer, and names nobody to whoever may only look', async () => {
    expect(await kit().portal.visitor.get(`/api/v2/layers/${ids.hidden}/provenance/`)).toMatchReply({ status: 404 });
    expect(await as('bob').get(`/api/v2/layers/${ids.hidden}/provenance/`)).toMatchReply({ status: 404 });
    expect(await kit().portal.visitor.get('/api/v2/layers/999999/provenance/')).toMatchReply({ status: 404 });
    expect(await provenance(kit().portal.visitor, ids.weekly)).toMatchObject({ how: 'upload', by: null, of: null });
  });

  test('names what a process has made of the data, as far as the caller sees it', async () => {
    const begun = await as('ada').post('/ogc/processes/buffer/execution', {
      inputs: { layer: ids.weekly, distance: 100 },
    });
    expect(begun.status, String(begun.body)).toBe(201);
    const { resource_id: made } = await kit().until(Number(JSON.parse(String(begun.body)).upload));
    expect((await provenance(as('ada'), ids.weekly))['made']).toEqual([expect.objectContaining({ id: made })]);
    expect((await provenance(kit().portal.visitor, ids.weekly))['made']).toEqual([]);
    expect(await provenance(as('ada'), Number(made))).toMatchObject({
      source: 'process',
      how: 'process',
      of: 'buffer',
    });
  });

  test('is told to other catalogues', async () => {
    await age(ids.weekly, 30);
    const dcat = await read(kit().portal.visitor, `/metadata/${ids.weekly}.dcat.jsonld`);
    expect(dcat).toMatchObject({
      'dct:accrualPeriodicity': { '@id': 'http://publications.europa.eu/resource/authority/frequency/WEEKLY' },
      'dct:provenance': { 'rdfs:label': expect.stringMatching(/^Data renewed last at .*\(overdue\)$/) },
    });
    const { features } = await read(kit().portal.visitor, '/records/collections/catalogue/items?q=weekly');
    expect((features as readonly { properties: Json }[])[0]?.properties).toMatchObject({
      'survest:frequency': 'weekly',
      'survest:freshness': 'overdue',
    });
  });
});
