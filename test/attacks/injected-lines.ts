// Header and log injection: line ends, control characters and other sites' names in every part of a request and in stored names. None
// becomes a line of an answer's head, a line of the log, or an address that somebody is sent to.

import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { at, collection } from '../feature/uploads/upload-kit.ts';
import type { BuiltPortal } from './built-portal.ts';

const LINE = 'x\r\nX-Injected: yes\r\nSet-Cookie: injected=yes';
/** Once encoded and twice: what is decoded twice would bring it back. */
const ENCODED = [encodeURIComponent(LINE), encodeURIComponent(encodeURIComponent(LINE)), 'x%C2%85%E2%80%A8X-Injected:'];
const QUERY = [
  'next',
  'url',
  'redirect_uri',
  'f',
  'format',
  'filename',
  'lang',
  'language',
  'title',
  'style',
  'callback',
];
const ELSEWHERE = [
  '//evil.example',
  '/\\evil.example',
  '/%2f%2fevil.example',
  '/.//evil.example',
  '//evil.example/%2e%2e',
];
const LONG = /\/events$/;
/** What every line of the log of a terminal would show as something else. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/;

export function injectedLines(portal: () => BuiltPortal): void {
  const faultOf = async (method: string, target: string, headers: Record<string, string> = {}): Promise<string[]> => {
    const reply = await portal().visitor.request(method, target, { headers });
    const found = reply.headers as Readonly<Record<string, string | readonly string[] | undefined>>;
    const cookies = String(found['set-cookie'] ?? '');
    const location = String(found['location'] ?? '');
    const isOurs = location === '' || /^\/(?![/\\])/.test(location) || location.startsWith(`${portal().url}/`);
    const isWhole = found['x-injected'] === undefined && !cookies.includes('injected');
    return isWhole && isOurs && reply.status < 500
      ? []
      : [`${method} ${target}: ${reply.status} location ${location} cookies ${cookies}`];
  };

  test('no part of an address becomes a header or leads elsewhere', async () => {
    const faults: string[] = [];
    for (const { method, path } of portal().routes) {
      if (LONG.test(path) || method === 'HEAD' || method === 'OPTIONS') continue;
      for (const line of ENCODED) {
        const target = path.replace(/:\w+(?:\([^)]*\))?(?:\|:\w+)?/g, line).replace('*', line);
        const query = QUERY.map((name) => `${name}=${line}`).join('&');
        faults.push(...(await faultOf(method, `${target}?${query}`)));
        if (!path.includes(':')) faults.push(...(await faultOf(method, `${path}/${line}/`)));
      }
    }
    expect(faults).toEqual([]);
  }, 180_000);

  test('no path and no parameter sends people to another site', async () => {
    const faults: string[] = [];
    for (const { method, path } of portal().routes) {
      if (method !== 'GET' || LONG.test(path)) continue;
      const usual = path.replace(/:\w+(?:\([^)]*\))?(?:\|:\w+)?/g, '1').replace('*', 'x');
      for (const site of ELSEWHERE) faults.push(...(await faultOf('GET', `${site}${usual}/`)));
      const query = QUERY.map((name) => `${name}=${encodeURIComponent('https://evil.example/')}`).join('&');
      faults.push(...(await faultOf('GET', `${usual}?${query}`)));
      faults.push(
        ...(await faultOf('GET', usual, {
          'x-forwarded-host': 'evil.example',
          'x-forwarded-proto': 'javascript',
          forwarded: 'host=evil.example;proto=javascript',
          'x-original-url': '//evil.example',
          'x-rewrite-url': '//evil.example',
        })),
      );
    }
    expect(faults).toEqual([]);
  }, 180_000);

  test('no stored name becomes a header', async () => {
    const admin = portal().bearer(await portal().tokenOf('admin'));
    const upload = await portal().import('admin', [
      { name: 'lines.geojson', content: collection([{ geometry: at(10, 50), properties: { name: LINE } }]) },
    ]);
    const id = upload.resource_id;
    for (const field of ['title', 'abstract', 'name', 'alternate', 'attribution'])
      expect((await admin.patch(`/api/v2/layers/${id}/`, { [field]: `${LINE}"; filename=evil` })).status).toBeLessThan(
        500,
      );
    const made = await admin.post('/api/v2/documents/', { title: LINE, doc_url: 'https://example.org/x' });
    const document = JSON.parse(String(made.body)).document?.pk;
    const [layer] = await portal().db.query<{ name: string }>('select name from portal.resource where id = $1', [id]);
    for (const target of [
      `/api/v2/layers/${id}/`,
      `/datasets/${encodeURIComponent(layer?.name ?? '')}`,
      `/download/${encodeURIComponent(layer?.name ?? '')}.csv`,
      `/download/${encodeURIComponent(layer?.name ?? '')}.geojson`,
      `/documents/${document}/download`,
      `/api/v2/documents/${document}/download/`,
      `/metadata/${id}.xml`,
    ]) {
      const { status, headers } = await admin.get(target);
      expect({ target, injected: (headers as Record<string, unknown>)['x-injected'] }).toEqual({
        target,
        injected: undefined,
      });
      expect(status, target).toBeLessThan(500);
    }
  });

  test('no request writes a line of the log, or a control character into it', async () => {
    const before = portal().program.out().length;
    const beforeErrors = portal().program.err().length;
    const forged = '\n[01/Jan/2030] FORGED "GET /admin" 200 \u001b[31m\u0007\u2028';
    const wrong = portal().basic(`ada${forged}`, 'x');
    await wrong.get('/api/v2/users/');
    await portal().visitor.post('/account/login/', { username: `ada${forged}`, password: 'x' });
    await portal().visitor.get(`/catalogue?x=${encodeURIComponent(forged)}`);
    await portal().visitor.get(`/${encodeURIComponent(forged)}`, {
      referer: 'http://x/%0aFORGED',
      'user-agent': 'a\u009bb\u0085FORGED',
    });
    for (const head of [
      'GET /\u001b[31m HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nUser-Agent: a\u001b[31mFORGED\u0007\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nUser-Agent: a\rFORGED\r\n\r\n',
      'FORGED\u001b[2J / HTTP/1.1\r\nHost: x\r\n\r\n',
    ])
      await rawly(head);
    await portal().visitor.get('/catalogue?last');
    for (;;) {
      if (portal().program.out().slice(before).includes('/catalogue?last')) break;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    const written = [portal().program.out().slice(before), portal().program.err().slice(beforeErrors)]
      .join('\n')
      .split('\n');
    expect(written.length).toBeGreaterThan(5);
    expect(written.filter((line) => CONTROL.test(line))).toEqual([]);
    expect(written.filter((line) => /^\W*(?:\[01\/Jan|FORGED)/.test(line))).toEqual([]);
  });

  /** Bytes that no client would send, until the other side ends or a head has come. */
  function rawly(head: string): Promise<void> {
    const { hostname, port } = new URL(portal().url);
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(head, 'latin1'));
      socket.on('data', () => socket.destroy());
      socket.on('error', () => {});
      socket.on('close', () => resolve());
    });
  }
}
