// MapServer as a service of somebody else: read, drawn, asked about a place.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeNeeding } from '../../../test/testkit/describe-needing.ts';
import { type MapServer, NO_MAPSERVER, startMapServer } from '../../../test/testkit/mapserver.ts';
import { makeRemoteFetch, type RemoteFetch, type RemoteReply } from '../../http/remote/remote-fetch.ts';
import { describeService } from './describe/describe-service.ts';
import { factsOf, pictureType } from './remote-content.ts';
import type { RemoteLayer } from './remote-layer.ts';
import { infoAddress, legendAddress, tileAddress } from './remote-request.ts';

describeNeeding(NO_MAPSERVER, 'MapServer', () => {
  let server: MapServer;
  let fetch: RemoteFetch;
  let layer: RemoteLayer;
  beforeAll(async () => {
    server = await startMapServer();
    fetch = makeRemoteFetch({ hosts: { allowed: [], internal: [server.host] } });
    const described = await describeService(fetch, server.url);
    if (!described.ok) throw new Error(JSON.stringify(described.error));
    expect(described.value).toMatchObject({ kind: 'wms', title: 'Places of others' });
    const places = described.value.offers.find(({ title }) => title === 'Places');
    expect(places).toMatchObject({
      name: 'places',
      abstract: 'Two points.',
      attribution: 'Survey of places',
      bbox: [0, 0, 20, 20],
    });
    if (places === undefined) throw new Error('it offers nothing');
    layer = places.layer;
  }, 60_000);
  afterAll(async () => {
    fetch?.close();
    await server?.close();
  });

  const ask = async (address: string | undefined): Promise<RemoteReply> => {
    const reply = await fetch(address ?? '', { accept: '*/*', maxBytes: 1_000_000, timeoutMs: 20_000 });
    if (!reply.ok) throw new Error(JSON.stringify(reply.error));
    return reply.value;
  };

  test('draws a tile and a legend', async () => {
    expect(pictureType((await ask(tileAddress(layer, { z: 3, x: 4, y: 3 }))).body)).toBe('image/png');
    expect(pictureType((await ask(legendAddress(layer))).body)).toBe('image/png');
  });

  test('tells what lies at a place, and of a place with nothing that there is nothing', async () => {
    expect(factsOf(await ask(infoAddress(layer, [10, 10], 6)))).toEqual([{ name: 'first' }]);
    expect(factsOf(await ask(infoAddress(layer, [12, 2], 6)))).toEqual([]);
  });
});
