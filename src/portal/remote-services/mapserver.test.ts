// MapServer as a service of somebody else: read, drawn, asked about a place.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeNeeding } from '../../../test/testkit/describe-needing.ts';
import { type MapServer, NO_MAPSERVER, startMapServer } from '../../../test/testkit/mapserver.ts';
import { makeRemoteFetch, type RemoteFetch, type RemoteReply } from '../../http/outbound/remote-fetch.ts';
import { describeService } from './describe/describe-service.ts';
import { gmlFeatures } from './gml-features.ts';
import { factsOf, pictureType } from './remote-content.ts';
import type { RemoteLayer } from './remote-layer.ts';
import { featuresAddress, infoAddress, legendAddress, srsOf, tileAddress } from './remote-request.ts';

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
    if (places?.layer === undefined) throw new Error('it offers nothing');
    layer = places.layer;
  });
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

  test('gives the features of a box as a WFS of 2.0 and 1.1, in GML', async () => {
    for (const version of ['2.0.0', '1.1.0']) {
      const described = await describeService(fetch, `${server.url}?service=WFS`);
      expect(described.ok && described.value).toMatchObject({ kind: 'wfs', title: 'Places of others' });
      const offer = described.ok ? described.value.offers.find(({ title }) => title === 'Places') : undefined;
      expect(offer).toMatchObject({ abstract: 'Two points.', bbox: [0, 0, 20, 20] });
      if (offer?.layer === undefined) throw new Error('it offers nothing');
      const places: RemoteLayer = { ...offer.layer, version: version === '1.1.0' ? '1.1.0' : '2.0.0' };
      const within = async (box: readonly [number, number, number, number]): Promise<unknown> =>
        gmlFeatures((await ask(featuresAddress(places, box))).body, srsOf(places));
      const feature = (name: string, at: number): object => ({
        geometry: { type: 'Point', coordinates: [at, at] },
        properties: { name },
      });
      expect(await within([-10, -20, 30, 40]), version).toMatchObject({
        features: [feature('first', 10), feature('second', 5)],
        truncated: false,
      });
      expect(await within([8, 0, 20, 20]), version).toMatchObject({ features: [feature('first', 10)] });
      expect(await within([12, 1, 18, 3]), version).toMatchObject({ features: [] });
    }
  });
});
