// Services that mean harm, or are broken: each is left within its bounds, and what is said of it names what was wrong.

import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeRemoteFetch, type RemoteFetch } from '../../../http/outbound/remote-fetch.ts';
import { gmlFeatures } from '../gml-features.ts';
import { remoteError } from '../remote-words.ts';
import { makeAsk } from './ask-service.ts';
import { describeService } from './describe-service.ts';

const ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>';
const many = (n: number): string =>
  `<wfs:WFS_Capabilities version="2.0.0"><FeatureTypeList>${Array.from({ length: n }, (_, i) => `<FeatureType><Name>t${i}</Name></FeatureType>`).join('')}</FeatureTypeList></wfs:WFS_Capabilities>`;

const ANSWERS: Readonly<Record<string, (reply: ServerResponse) => void>> = {
  '/bomb': (reply) => reply.end(`${ENTITIES}<WFS_Capabilities>&b;</WFS_Capabilities>`),
  '/deep': (reply) => reply.end('<a>'.repeat(100_000)),
  '/nested-json': (reply) => reply.end('['.repeat(1_000_000)),
  '/picture': (reply) => reply.writeHead(200, { 'Content-Type': 'text/xml' }).end(Buffer.alloc(100_000, 0x89)),
  '/large': (reply) => {
    const part = Buffer.alloc(1_000_000, 'x');
    const write = (): void => {
      while (!reply.destroyed && reply.write(part));
      if (!reply.destroyed) reply.once('drain', write);
    };
    write();
  },
  '/loop': (reply) => reply.writeHead(302, { Location: '/loop?again' }).end(),
  '/inside': (reply) => reply.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data' }).end(),
  '/many': (reply) => reply.end(many(5000)),
  '/broken': (reply) => reply.destroy(),
};

let server: Server;
let fetch: RemoteFetch;
let base = '';
beforeAll(async () => {
  server = createServer(({ url = '/' }, reply) => {
    const answer = ANSWERS[url.split('?')[0] ?? ''];
    if (answer === undefined) reply.writeHead(404).end();
    else answer(reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  fetch = makeRemoteFetch({ hosts: { allowed: [], internal: [`127.0.0.1:${port}`] } });
});
afterAll(() => {
  fetch.close();
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

test.each([
  ['/bomb?service=WFS', { kind: 'unknown-service' }, 'not as a WMS'],
  ['/deep?service=WFS', { kind: 'unknown-service' }, 'not as a WMS'],
  ['/nested-json?service=WFS', { kind: 'unknown-service' }, 'not as a WMS'],
  ['/picture?service=CSW', { kind: 'unknown-service' }, 'not as a WMS'],
  ['/large', { kind: 'too-large' }, 'more than 5000000 bytes'],
  ['/loop', { kind: 'redirects' }, 'from one address to the next'],
  ['/inside', { kind: 'refused', why: 'host' }, 'remote-hosts'],
  ['/broken', { kind: 'unreachable' }, 'cannot be reached'],
])('%s is refused and said to be so', async (path, fault, words) => {
  const described = await describeService(fetch, base + path);
  expect(described).toMatchObject({ ok: false, error: fault });
  if (!described.ok) expect(remoteError(described.error)).toMatchObject({ detail: expect.stringContaining(words) });
});

test('of very many layers the first 2000 are listed, and that there are more is said', async () => {
  const described = await describeService(fetch, `${base}/many?service=WFS`);
  expect(described.ok && [described.value.offers.length, described.value.truncated]).toEqual([2000, true]);
});

test('all requests of a description share one time: what is slow is left', async () => {
  let now = 0;
  const ask = makeAsk(fetch, () => now);
  expect((await ask(`${base}/many`)).ok).toBe(true);
  now = 60_001;
  expect(await ask(`${base}/many`)).toEqual({ ok: false, error: { kind: 'timeout', timeoutMs: 60_000 } });
});

test('features with entities, or nested without end, are none; members that are no features harm nobody', () => {
  const read = (text: string): unknown => gmlFeatures(Buffer.from(text), 'EPSG:4326');
  expect(read(`${ENTITIES}<FeatureCollection><member>&b;</member></FeatureCollection>`)).toBeUndefined();
  expect(read(`<FeatureCollection>${'<member>'.repeat(1000)}`)).toBeUndefined();
  expect(read('<ExceptionReport><Exception/></ExceptionReport>')).toBeUndefined();
  expect(read('<FeatureCollection><member>text</member><member/></FeatureCollection>')).toMatchObject({ features: [] });
  expect(
    read(
      '<FeatureCollection><member><a><__proto__>x</__proto__><constructor>y</constructor></a></member></FeatureCollection>',
    ),
  ).toMatchObject({ features: [{ geometry: null }] });
});
