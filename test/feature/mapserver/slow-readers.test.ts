// Clients that ask for much and do not read it: nobody else waits for them, and what they get in the end is whole.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeLayer, onLayers } from './layer-kit.ts';

const ROWS = 20_000;

onLayers('clients that do not read', {}, (kit) => {
  const sockets: Socket[] = [];
  beforeAll(async () => {
    // Some 20 MB, more than the buffers on the way hold.
    await makeLayer(kit(), {
      name: 'large',
      columns: 'n integer, text text',
      geometry: 'Point',
      rows: `insert into $table (n, text, geom) select n, repeat('x', 1000), st_setsrid(st_makepoint(n % 360 - 180, n % 170 - 85), 4326) from generate_series(1, ${ROWS}) n`,
    });
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
  });

  /** Asks, waits for the first bytes of the answer and takes no more of it. */
  async function ask(path: string): Promise<Socket> {
    const { port } = new URL(await kit().address());
    const socket = connect(Number(port), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    await once(socket, 'readable');
    return socket;
  }

  test.each([
    ['OGC API Features', `/ogc/collections/large/items?limit=${ROWS}`],
    ['WFS', '/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=large&outputFormat=application/json'],
    ['downloads', '/download/large.geojson'],
  ])('%s: more of them than there are connections keep nobody from an answer', async (_, path) => {
    await Promise.all(Array.from({ length: 6 }, () => ask(path)));
    const quick = await kit().portal.visitor.get('/ogc/collections/large/items?limit=1');
    expect(quick.status).toBe(200);
  });

  test('one that reads in the end gets everything', async () => {
    const slow = await ask(`/ogc/collections/large/items?limit=${ROWS}`);
    expect((await kit().portal.visitor.get('/ogc/collections/large/items?limit=1')).status).toBe(200);
    let text = '';
    for await (const chunk of slow) text += String(chunk);
    expect(text).toContain(`"numberReturned":${ROWS}`);
    expect(text.length).toBeGreaterThan(ROWS * 1000);
  });
});
