// Addresses of a table → a layer of points: by a geocoder, which is a server of this test's own, by names of places, and by a key; who may, and
// what becomes of a job whose geocoder does not want to answer.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { mountMapServices } from '../../../src/server/portal/mount-map-services.ts';
import type { AccountName } from '../../testkit/portal-client.ts';
import { collection, onUploads, type UploadKit } from './upload-kit.ts';

type Json = Readonly<Record<string, unknown>>;
type Feature = {
  readonly geometry: { readonly coordinates: readonly number[] } | null;
  readonly properties: Json;
};

/** What the geocoder knows, by what it is asked. */
const KNOWN: Readonly<Record<string, readonly (readonly [string, number, number])[]>> = {
  'Hauptstr. 5, 8000 Zürich, CH': [['5, Hauptstrasse, Altstadt, Zürich, 8000, Schweiz', 8.54, 47.37]],
  'Dorfweg 1, 3000 Bern, CH': [
    ['1, Dorfweg, Bern, 3000, Schweiz', 7.44, 46.95],
    ['1, Dorfweg, Bern, 3000, Schweiz', 7.5, 46.9],
  ],
  'Seeweg 7, 6000 Luzern, CH': [['Seeweg, Luzern, 6000, Schweiz', 8.3, 47.05]],
};
/** A tab, a quotation mark and a backslash are characters like others. */
const ADDRESSES = `note,street,number,postcode,city,country
"tab	and ""quote"" and back\\slash",Hauptstr.,5,8000,Zürich,CH
second,Dorfweg,1,3000,Bern,CH
third,Seeweg,7,6000,Luzern,CH
fourth,Nirgends,9,9999,Nowhere,CH
fifth,,,,,
first again,Hauptstr.,5,8000,Zürich,CH
`;
const PARTS = { street: 'street', number: 'number', postcode: 'postcode', city: 'city', country: 'country' };

const asked: { readonly query: string; readonly agent: string }[] = [];
/** What it answers to everything, instead of what it knows; some only for the next so many requests. */
let refusal: { status: number; times: number } | undefined;
const geocoder = createServer((request, reply) => {
  const query = new URL(request.url ?? '', 'http://x').searchParams.get('q') ?? '';
  asked.push({ query, agent: request.headers['user-agent'] ?? '' });
  if (refusal !== undefined && refusal.times > 0) {
    refusal.times -= 1;
    return reply.writeHead(refusal.status).end('busy');
  }
  const found = (KNOWN[query] ?? []).map(([name, lon, lat]) => ({
    display_name: name,
    lat: String(lat),
    lon: String(lon),
  }));
  return reply.end(JSON.stringify(found));
});
await new Promise<void>((listening) => geocoder.listen(0, '127.0.0.1', listening));
const url = `http://127.0.0.1:${(geocoder.address() as AddressInfo).port}`;
afterAll(() => new Promise((closed) => geocoder.close(closed)));
beforeEach(() => {
  asked.length = 0;
  refusal = undefined;
});

const QUICK = { url, perSecond: 100, maxRows: 1000, retryMs: 1 };

async function table(kit: UploadKit, name: string, content: string, permissions: Json = {}): Promise<number> {
  const { state, resource_id, session } = await kit.import('ada', [{ name: `${name}.csv`, content }], {
    permissions: JSON.stringify({ users: permissions, groups: {} }),
    places: 'none',
  });
  if (state !== 'PROCESSED' || resource_id === null) throw new Error(JSON.stringify(session));
  return resource_id;
}

async function begin(kit: UploadKit, as: AccountName, process: string, inputs: Json): Promise<number> {
  const reply = await kit.portal.as(as).post(`/ogc/processes/${process}/execution`, { inputs });
  if (reply.status !== 201) throw new Error(`${reply.status} ${String(reply.body)}`);
  return Number(JSON.parse(String(reply.body)).upload);
}

async function make(kit: UploadKit, as: AccountName, process: string, inputs: Json): Promise<number> {
  const { state, session, resource_id } = await kit.until(await begin(kit, as, process, inputs));
  if (state !== 'PROCESSED' || resource_id === null) throw new Error(JSON.stringify(session));
  return resource_id;
}

async function features(kit: UploadKit, as: AccountName, id: number): Promise<readonly Feature[]> {
  const reply = await kit.portal.as(as).get(`/ogc/collections/${id}/items?limit=1000`);
  if (reply.status !== 200) throw new Error(`${reply.status} ${String(reply.body)}`);
  return (JSON.parse(String(reply.body)) as { readonly features: readonly Feature[] }).features;
}

onUploads('places of addresses', { services: mountMapServices, geocoder: QUICK }, (kit) => {
  test('come from the geocoder, with how sure they are and what else was found', async () => {
    const people = await table(kit(), 'people', ADDRESSES);
    const made = await make(kit(), 'ada', 'geocode', { layer: people, ...PARTS });
    const found = await features(kit(), 'ada', made);
    const [first, second, third, fourth, fifth, again] = found;
    expect(found).toHaveLength(6);
    expect(first).toMatchObject({
      geometry: { coordinates: [8.54, 47.37] },
      properties: {
        note: 'tab\tand "quote" and back\\slash',
        street: 'Hauptstr.',
        geocode_address: 'Hauptstr. 5, 8000 Zürich, CH',
        geocode_state: 'sure',
        geocode_score: 1,
        geocode_match: '5, Hauptstrasse, Altstadt, Zürich, 8000, Schweiz',
        geocode_source: 'geocoder',
      },
    });
    // Two places that fit alike, far apart.
    expect(second?.properties).toMatchObject({ geocode_state: 'unsure', geocode_score: 1 });
    expect(second?.properties['geocode_candidates']).toEqual([
      { name: '1, Dorfweg, Bern, 3000, Schweiz', lon: 7.44, lat: 46.95, score: 1 },
      { name: '1, Dorfweg, Bern, 3000, Schweiz', lon: 7.5, lat: 46.9, score: 1 },
    ]);
    // The house is not there.
    expect(third?.properties).toMatchObject({ geocode_state: 'unsure', geocode_score: 0.75 });
    for (const nowhere of [fourth, fifth])
      expect(nowhere).toMatchObject({
        geometry: null,
        properties: { geocode_state: 'none', geocode_score: null, geocode_match: null, geocode_candidates: [] },
      });
    expect(again).toMatchObject({ geometry: { coordinates: [8.54, 47.37] } });
    // Each address once, and the empty one not at all.
    expect(asked.map(({ query }) => query).sort()).toEqual(
      [...Object.keys(KNOWN), 'Nirgends 9, 9999 Nowhere, CH'].sort(),
    );
    expect(asked.every(({ agent }) => agent === 'Survest')).toBe(true);
    // What was answered is kept.
    asked.length = 0;
    await make(kit(), 'ada', 'geocode', { layer: made, ...PARTS, filter: "geocode_state <> 'none'" });
    expect(asked).toEqual([]);
  });

  test('are tried on a few rows first', async () => {
    const people = await table(kit(), 'tried', ADDRESSES);
    const reply = await kit()
      .portal.as('ada')
      .post('/ogc/processes/geocode/preview', { inputs: { layer: people, ...PARTS } });
    expect(reply.status).toBe(200);
    const { features: shown } = JSON.parse(String(reply.body)) as { readonly features: readonly Feature[] };
    expect(shown.map(({ properties }) => properties['geocode_state'])).toEqual(['sure', 'unsure', 'unsure']);
    expect(shown[0]?.geometry).toEqual({ type: 'Point', coordinates: [8.54, 47.37] });
  });

  test('come from names of towns and countries where nobody is to be asked', async () => {
    const towns = await table(
      kit(),
      'towns',
      'town,land\nZürich,CH\nLisbonne,Portugal\nParis,US\nSpringfield,\nSpringfield,Atlantis\n,Österreich\nNixheim,\n',
    );
    const made = await make(kit(), 'ada', 'geocode', { layer: towns, way: 'places', city: 'town', country: 'land' });
    const found = await features(kit(), 'ada', made);
    expect(found.map(({ properties }) => [properties['geocode_match'], properties['geocode_state']])).toEqual([
      ['Zurich, CH', 'sure'],
      ['Lisbon, PT', 'sure'],
      ['Paris, US', 'unsure'],
      ['Springfield, US', 'unsure'],
      ['Springfield, US', 'unsure'],
      ['Austria', 'sure'],
      [null, 'none'],
    ]);
    expect(asked).toEqual([]);
  });

  test('come from a layer that has the same key', async () => {
    const square = (x: number): unknown => ({
      type: 'Polygon',
      coordinates: [
        [
          [x, 47],
          [x + 1, 47],
          [x + 1, 48],
          [x, 48],
          [x, 47],
        ],
      ],
    });
    const { resource_id: zones } = await kit().import('ada', [
      {
        name: 'zones.geojson',
        content: collection([
          { properties: { code: '01234' }, geometry: square(8) },
          { properties: { code: '5678' }, geometry: square(10) },
          { properties: { code: '5678' }, geometry: square(12) },
        ]),
      },
    ]);
    const shops = await table(kit(), 'shops', 'shop,code\na,1234\nb,5678\nc,9\nd,\n');
    const inputs = { layer: shops, column: 'code', other: zones, key: 'code' };
    const found = await features(kit(), 'ada', await make(kit(), 'ada', 'places-by-key', inputs));
    expect(found.map(({ properties }) => [properties['shop'], properties['geocode_state']])).toEqual([
      ['a', 'sure'],
      ['b', 'unsure'],
      ['c', 'none'],
      ['d', 'none'],
    ]);
    expect(found[0]).toMatchObject({
      geometry: { coordinates: [8.5, 47.5] },
      properties: { geocode_match: '01234', geocode_source: 'zones', geocode_score: 1 },
    });
    expect(found[1]?.properties['geocode_candidates']).toHaveLength(2);
    expect(found[2]?.geometry).toBeNull();
  });

  test('are found for who may download the table, and are theirs alone', async () => {
    const seen = await table(kit(), 'seen_people', ADDRESSES, { bob: ['view_resourcebase'] });
    const bob = kit().portal.as('bob');
    for (const path of ['execution', 'preview'])
      expect(await bob.post(`/ogc/processes/geocode/${path}`, { inputs: { layer: seen, ...PARTS } })).toMatchReply({
        status: 400,
        json: expect.objectContaining({ inputs: { layer: 'The permission to download "seen_people" is needed.' } }),
      });
    expect(asked).toEqual([]);
    const lent = await table(kit(), 'lent_people', ADDRESSES, { bob: ['view_resourcebase', 'download_resourcebase'] });
    const made = await make(kit(), 'bob', 'geocode', { layer: lent, ...PARTS });
    expect((await kit().portal.as('ada').get(`/ogc/collections/${made}/items`)).status).toBe(404);
    expect((await kit().portal.visitor.get(`/ogc/collections/${made}/items`)).status).toBe(404);
    // A table is no input of what needs places.
    expect(await bob.post('/ogc/processes/buffer/execution', { inputs: { layer: lent, distance: 1 } })).toMatchReply({
      status: 400,
      json: expect.anything(),
    });
  });

  test('need a column, and one of them that is found', async () => {
    const people = await table(kit(), 'columns', 'a,b\nx,1\n');
    const ada = kit().portal.as('ada');
    expect(await ada.post('/ogc/processes/geocode/execution', { inputs: { layer: people } })).toMatchReply({
      status: 400,
      json: expect.objectContaining({
        inputs: { address: 'A column with the address, or columns with its parts, are expected.' },
      }),
    });
    const job = await begin(kit(), 'ada', 'geocode', { layer: people, address: 'b' });
    expect(await kit().until(job)).toMatchObject({
      state: 'INVALID',
      session: { error_msg: 'None of the addresses was found: are these the right columns?' },
    });
    expect((await kit().left()).staged).toEqual([]);
  });

  test('wait while the geocoder is busy; if it stays so, the job says it, and goes on where it was', async () => {
    refusal = { status: 503, times: 2 };
    const busy = await table(kit(), 'busy', 'address\n"Hauptstr. 5, 8000 Zürich, CH "\n"Busy 1"\n');
    await kit().db.query('delete from portal_private.geocoder_answer');
    await make(kit(), 'ada', 'geocode', { layer: busy, address: 'address' });
    expect(asked.length).toBe(4);
    asked.length = 0;
    const more = await table(kit(), 'busier', 'address\n"Hauptstr. 5, 8000 Zürich, CH"\n"Busy 2"\n');
    refusal = { status: 429, times: 1000 };
    const job = await begin(kit(), 'ada', 'geocode', { layer: more, address: 'address' });
    expect(await kit().until(job)).toMatchObject({
      state: 'INVALID',
      session: {
        error_msg: 'The geocoder answers 429: it is asked too often. What it has answered is kept: try again later.',
        can_retry: true,
      },
    });
    expect(asked).toHaveLength(3);
    asked.length = 0;
    refusal = undefined;
    const again = await kit().portal.as('ada').post(`/api/v2/uploads/${job}/retry/`);
    expect(again.status).toBeLessThan(300);
    expect(await kit().until(job, ['PROCESSED'])).toMatchObject({ state: 'PROCESSED' });
    expect(asked.map(({ query }) => query)).toEqual(['Busy 2']);
  });
});

onUploads(
  'a geocoder',
  { services: mountMapServices, geocoder: { ...QUICK, perSecond: 20, maxRows: 8, turnMs: 0 } },
  (kit) => {
    test('is asked no more often than is allowed, and no job keeps others waiting', async () => {
      const rows = Array.from({ length: 8 }, (_, n) => `"Weg ${n}"`);
      const people = await table(kit(), 'slow', `address\n${rows.join('\n')}\n`);
      const [before] = await kit().db.query<{ at: number }>(
        'select extract(epoch from clock_timestamp())::float8 * 1000 as at',
      );
      const job = await begin(kit(), 'ada', 'geocode', { layer: people, address: 'address' });
      // It gives its place to others again and again: another one is done long before it.
      await kit().until(job, ['INVALID']);
      // Each address once, though the job was begun anew after some of them.
      expect(asked.map(({ query }) => query).sort()).toEqual(rows.map((row) => row.replaceAll('"', '')));
      // Turns are the database's to give, one in 50 ms. When a request arrives here depends on how busy the machine is.
      const [after] = await kit().db.query<{ at: number }>(
        'select extract(epoch from next_at)::float8 * 1000 as at from portal_private.geocoder_turn',
      );
      expect((after?.at ?? 0) - (before?.at ?? 0)).toBeGreaterThanOrEqual(8 * 50);
    });

    test('is not asked any more when the job is dismissed', async () => {
      const rows = Array.from({ length: 8 }, (_, n) => `"Gasse ${n}"`);
      const people = await table(kit(), 'dismissed', `address\n${rows.join('\n')}\n`);
      const job = await begin(kit(), 'ada', 'geocode', { layer: people, address: 'address' });
      await expect.poll(() => asked.length, { interval: 5, timeout: 20_000 }).toBeGreaterThan(0);
      expect((await kit().portal.as('ada').delete(`/api/v2/uploads/${job}/`)).status).toBeLessThan(300);
      const busy = `select 1 from jobs.job where name = 'import' and state in ('created', 'retry', 'active')`;
      await expect.poll(() => kit().db.query(busy), { interval: 20, timeout: 20_000 }).toEqual([]);
      expect(asked.length).toBeLessThan(8);
      expect(await kit().left()).toMatchObject({ staged: [], runs: 0 });
    });

    test('is asked about so many rows and no more', async () => {
      const rows = Array.from({ length: 9 }, (_, n) => `"Platz ${n}"`);
      const people = await table(kit(), 'many', `address\n${rows.join('\n')}\n`);
      const job = await begin(kit(), 'ada', 'geocode', { layer: people, address: 'address' });
      expect(await kit().until(job)).toMatchObject({
        state: 'INVALID',
        session: {
          error_msg: 'There are 9 rows, and at most 8 can be looked up at once: ask for fewer rows with a filter.',
        },
      });
      expect(asked).toEqual([]);
    });
  },
);

onUploads('a portal without a geocoder', { services: mountMapServices }, (kit) => {
  test('offers names of places alone', async () => {
    const { body } = await kit().portal.visitor.get('/ogc/processes/geocode');
    expect(JSON.parse(String(body)).inputs.way.schema).toMatchObject({ enum: ['places'], default: 'places' });
  });
});
