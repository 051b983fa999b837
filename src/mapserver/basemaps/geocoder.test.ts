import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeGeocoder, parsePlaces } from './geocoder.ts';

let server: Server;
let address = '';
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, reply) => {
    asked.push(request.url ?? '');
    if (request.url?.includes('q=broken') === true) return reply.end('<html>');
    if (request.url?.includes('q=away') === true)
      return reply.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
    if (request.url?.includes('q=long') === true) return reply.end(`["${'x'.repeat(1_100_000)}"]`);
    return reply.end(JSON.stringify([{ display_name: 'Rue 1, Paris', lat: '48.85', lon: '2.35' }, { lat: 'x' }, null]));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((closed) => server.close(closed)));

const geocoder = (now: () => number = Date.now): ReturnType<typeof makeGeocoder> => makeGeocoder(address, 2, now);

test('an address is asked for in the form of Nominatim, and answers with places', async () => {
  expect(await geocoder()('rue 1 & co', 'de')).toEqual([
    { name: 'Rue 1, Paris', country: 'address', lon: 2.35, lat: 48.85, people: null },
  ]);
  expect(asked.at(-1)).toBe('/search?format=jsonv2&limit=10&q=rue+1+%26+co&accept-language=de');
});

test.each(['broken', 'away', 'long'])('a service whose answer is %s has found nothing', async (query) => {
  expect(await geocoder()(query, 'en')).toBeUndefined();
});

test('a second has so many questions, and what was answered lately is none', async () => {
  let now = 1_000_000;
  const geocode = geocoder(() => now);
  const before = asked.length;
  const all = await Promise.all(['one', 'One ', 'two', 'three'].map((query) => geocode(query, 'en')));
  expect(all.filter((found) => found !== undefined)).toHaveLength(2);
  expect(asked.length - before).toBe(2);
  now += 1000;
  expect(await geocode('three', 'en')).toHaveLength(1);
  expect(await geocode('three', 'en')).toHaveLength(1);
  expect(asked.length - before).toBe(3);
  now += 25 * 60 * 60 * 1000;
  await geocode('three', 'en');
  expect(asked.length - before).toBe(4);
});

test('a service that is not there has found nothing, and what is no list has nothing in it', async () => {
  expect(await makeGeocoder('http://127.0.0.1:1', 1, Date.now)('x', 'en')).toBeUndefined();
  expect(parsePlaces({ error: 'busy' })).toEqual([]);
});
