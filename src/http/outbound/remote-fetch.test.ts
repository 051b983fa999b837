import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';
import { makeRemoteFetch, type RemoteAsk, type RemoteFetch, type Resolve } from './remote-fetch.ts';
import { judgeHost } from './remote-hosts.ts';

const ASK: RemoteAsk = { accept: 'text/plain', maxBytes: 1000, timeoutMs: 5000 };

test('addresses of this machine, its networks and special ranges are not public, however they are written', () => {
  const refused = [
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    'localhost',
    '',
  ];
  expect(refused.filter(isPublicAddress)).toEqual([]);
  expect(['8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'].filter((one) => !isPublicAddress(one))).toEqual(
    [],
  );
});

test('a host is allowed by its whole name and port, or as one below a named domain', () => {
  const hosts = {
    allowed: ['maps.example.org', '*.example.net', 'other.example.org:8443'],
    internal: ['gis.intern:8080'],
  };
  const verdict = (address: string): string => {
    const judged = judgeHost(new URL(address), hosts);
    return judged.kind === 'allowed' ? (judged.isInternal ? 'internal' : 'allowed') : judged.why;
  };
  expect(verdict('https://maps.example.org/wms')).toBe('allowed');
  expect(verdict('https://MAPS.example.org./wms')).toBe('allowed');
  expect(verdict('https://maps.example.org:8443/wms')).toBe('host');
  expect(verdict('https://other.example.org:8443/')).toBe('allowed');
  expect(verdict('https://evil-maps.example.org/')).toBe('host');
  expect(verdict('https://a.b.example.net/')).toBe('allowed');
  expect(verdict('https://example.net/')).toBe('host');
  expect(verdict('https://badexample.net/')).toBe('host');
  expect(verdict('http://gis.intern:8080/')).toBe('internal');
  expect(verdict('http://maps.example.org@evil.example/')).toBe('credentials');
  expect(verdict('file:///etc/passwd')).toBe('scheme');
  expect(verdict('gopher://maps.example.org/')).toBe('scheme');
});

describe('against a server on this machine', () => {
  let server: Server;
  let port = 0;
  const heard: { readonly url: string | undefined; readonly headers: NodeJS.Dict<string | string[]> }[] = [];
  const opened: RemoteFetch[] = [];
  const fetchWith = (internal: readonly string[], resolve?: Resolve, allowed: readonly string[] = []): RemoteFetch => {
    const made = makeRemoteFetch({ hosts: { allowed, internal }, ...(resolve === undefined ? {} : { resolve }) });
    opened.push(made);
    return made;
  };
  beforeAll(async () => {
    server = createServer((request, reply) => {
      heard.push({ url: request.url, headers: request.headers });
      const { pathname } = new URL(request.url ?? '/', 'http://x');
      if (pathname === '/large') reply.end('x'.repeat(5000));
      else if (pathname === '/endless') reply.write('x');
      else if (pathname === '/loop') reply.writeHead(302, { Location: '/loop' }).end();
      else if (pathname === '/away') reply.writeHead(302, { Location: `http://localhost:${port}/secret` }).end();
      else if (pathname === '/file') reply.writeHead(302, { Location: 'file:///etc/passwd' }).end();
      else reply.writeHead(200, { 'Content-Type': 'Text/Plain; charset=utf-8' }).end('fine');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    for (const one of opened) one.close();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });

  test('an internal host is asked with nothing but what the question needs', async () => {
    const fetch = fetchWith([`127.0.0.1:${port}`]);
    const reply = await fetch(`http://127.0.0.1:${port}/a#b`, ASK);
    expect(reply.ok && [reply.value.status, reply.value.type, reply.value.body.toString()]).toEqual([
      200,
      'text/plain',
      'fine',
    ]);
    const last = heard.at(-1);
    expect(last?.url).toBe('/a');
    expect(Object.keys(last?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  test('a name that means this machine is not connected to, though it is allowed; one good address beside it changes nothing', async () => {
    const before = heard.length;
    const resolve: Resolve = (_host, done) =>
      done(null, [
        { address: '8.8.8.8', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    for (const host of ['rebound.example', 'localhost', '127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1']) {
      const { host: named } = new URL(`http://${host}:${port}`);
      const reply = await fetchWith([], resolve, [named])(`http://${host}:${port}/`, ASK);
      expect(reply, host).toEqual({ ok: false, error: { kind: 'refused', why: 'private-address' } });
    }
    expect(heard.length).toBe(before);
  });

  test('a name is connected to at the address that was checked, and asked for once', async () => {
    let asked = 0;
    const resolve: Resolve = (_host, done) => {
      asked += 1;
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    };
    const reply = await fetchWith([`gis.intern:${port}`], resolve)(`http://gis.intern:${port}/`, ASK);
    expect([reply.ok, asked]).toEqual([true, 1]);
  });

  test('redirects are judged like the first address, and are not endless', async () => {
    const fetch = fetchWith([`127.0.0.1:${port}`]);
    const why = async (path: string): Promise<unknown> => {
      const reply = await fetch(`http://127.0.0.1:${port}${path}`, ASK);
      return reply.ok ? 'answered' : reply.error;
    };
    const before = heard.length;
    expect(await why('/away')).toEqual({ kind: 'refused', why: 'host' });
    expect(await why('/file')).toEqual({ kind: 'refused', why: 'scheme' });
    expect(heard.slice(before).map(({ url }) => url)).toEqual(['/away', '/file']);
    expect(await why('/loop')).toEqual({ kind: 'redirects' });
  });

  test('an answer that is too large or never ends is left', async () => {
    const fetch = fetchWith([`127.0.0.1:${port}`]);
    expect(await fetch(`http://127.0.0.1:${port}/large`, ASK)).toEqual({
      ok: false,
      error: { kind: 'too-large', maxBytes: 1000 },
    });
    expect(await fetch(`http://127.0.0.1:${port}/endless`, { ...ASK, timeoutMs: 50 })).toEqual({
      ok: false,
      error: { kind: 'timeout', timeoutMs: 50 },
    });
    expect(await fetch('http://127.0.0.1:1/', ASK)).toEqual({ ok: false, error: { kind: 'refused', why: 'host' } });
  });
});
