// A basemap whose archive is in a bucket: from a server that speaks S3's protocol to the tile that a viewer gets.

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archive } from '../../../test/testkit/pmtiles.ts';
import { openS3Store } from '../../blobs/s3.ts';
import { makeRemoteFetch } from '../../http/outbound/remote-fetch.ts';
import { NO_REMOTE_HOSTS } from '../../http/outbound/remote-hosts.ts';
import { registerBasemaps } from './basemap-routes.ts';
import { makeArchiveShelf } from './pmtiles-archive.ts';
import { tileNumber } from './pmtiles-format.ts';

type Bucket = { run(): Promise<{ port: number }>; close(): Promise<void> };
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: Record<string, unknown>) => Bucket;

const TILE = Buffer.from('a tile of vectors');
const LARGE = Buffer.alloc(4 * 1024 * 1024, 7);

let folder: string;
let bucket: Bucket;
let between: Server;
let app: FastifyInstance;
let bytes = 0;
const ranges: (string | undefined)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survest-bucket-'));
  bucket = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'files', configs: [] }],
  });
  const { port } = await bucket.run();
  // Passes everything on as it is, and counts what is read.
  between = createServer((asked, answer) => {
    const passed = request({ port, method: asked.method, path: asked.url, headers: asked.headers }, (got) => {
      if (asked.method === 'GET') {
        ranges.push(asked.headers.range);
        got.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
      }
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    asked.pipe(passed);
  });
  await new Promise<void>((listening) => between.listen(0, '127.0.0.1', listening));
  const store = openS3Store({
    endpoint: `http://127.0.0.1:${(between.address() as AddressInfo).port}`,
    bucket: 'files',
    region: 'us-east-1',
    accessKey: 'S3RVER',
    secretKey: 'S3RVER',
    prefix: 'portal/',
    pathStyle: true,
  });
  const put = await store.put(
    'basemaps/streets.pmtiles',
    (async function* () {
      const tiles = [[tileNumber(1, 0, 0), LARGE] as const, [tileNumber(2, 1, 3), gzipSync(TILE)] as const];
      yield archive(1, new Map(tiles), { vector_layers: [{ id: 'earth' }] });
    })(),
  );
  if (!put.ok) throw new Error('the archive could not be stored');
  app = Fastify();
  const setting = {
    id: 'streets',
    title: 'Streets',
    type: 'pmtiles',
    tileSize: 512,
    place: { kind: 'blob', key: 'basemaps/streets.pmtiles' },
    attribution: '© Somebody',
    attributionUrl: undefined,
    origins: [],
    isDefault: false,
  } as const;
  const shelf = makeArchiveShelf({ blobs: store, fetch: makeRemoteFetch({ hosts: NO_REMOTE_HOSTS }), now: () => 0 });
  registerBasemaps(app, { now: () => [setting], shelf, observe: () => {} }, () => 'https://maps.example.org');
});

afterAll(async () => {
  await app.close();
  await new Promise((closed) => between.close(closed));
  await bucket.close();
  await rm(folder, { recursive: true });
});

test('a tile from a bucket is read by ranges, and of the rest nothing', async () => {
  const reply = await app.inject({ url: '/basemaps/streets/2/1/3.mvt' });
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/vnd.mapbox-vector-tile']);
  expect(reply.rawPayload).toEqual(TILE);
  expect(ranges.length).toBeGreaterThan(0);
  expect(ranges.every((range) => range?.startsWith('bytes=') === true)).toBe(true);
  expect(bytes).toBeLessThan(64 * 1024);
});

test('what the archive does not have is not there', async () => {
  expect((await app.inject({ url: '/basemaps/streets/2/0/0.mvt' })).statusCode).toBe(204);
});
