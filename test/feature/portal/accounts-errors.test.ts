// What every part of the portal answers to requests that no route takes.

import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { onPortal } from '../../testkit/portal-client.ts';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

onPortal('requests that no route takes', {}, (portal) => {
  test.each([
    '/api/v2/nothing',
    '/nothing',
    '/account/nothing',
    '/api/v2/users/1/nothing',
    '/api/v3/',
    '/%20',
    '/a/../../etc/passwd',
  ])('%s is not there', async (path) => {
    expect(await portal().visitor.get(path)).toMatchReply({
      status: 404,
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' },
      json: { detail: 'Not found.' },
    });
  });

  test.each([
    ['PUT', '/api/v2/', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/account/login/', 'GET, HEAD, OPTIONS, POST'],
    ['GET', '/account/logout', 'OPTIONS, POST'],
    ['PATCH', '/account/session/', 'GET, HEAD, OPTIONS'],
    ['POST', '/health', 'GET, HEAD, OPTIONS'],
  ])('%s on %s is not allowed, and what is, is told', async (method, path, allow) => {
    expect(await portal().visitor.request(method, path)).toMatchReply({
      status: 405,
      headers: { allow },
      json: { detail: `Method "${method}" not allowed.` },
    });
  });

  test.each([
    ['text/html', 406],
    ['image/png, text/*', 406],
    ['application/json;q=0', 406],
    ['text/html, */*;q=0.1', 200],
    ['application/json', 200],
    ['application/*', 200],
    ['', 200],
  ])('Accept: %s on the API is answered with %d', async (accept, status) => {
    const reply = await portal().visitor.get('/api/v2/', { accept });
    expect(reply.status).toBe(status);
    if (status === 406)
      expect(JSON.parse(textOf(reply.body))).toEqual({ detail: 'Could not satisfy the request Accept header.' });
  });

  test.each([
    ['/api/v2/?format=json', 200],
    ['/api/v2?format=xml', 404],
    ['/api/v2/?format=api', 404],
    ['/api/v2.json', 404],
  ])('%s is answered with %d', async (path, status) => {
    expect((await portal().visitor.get(path)).status).toBe(status);
  });

  test.each([
    ['text/plain', 'Unsupported media type "text/plain" in request.'],
    ['application/xml; charset=utf-8', 'Unsupported media type "application/xml" in request.'],
    ['nonsense', 'Unsupported media type "nonsense" in request.'],
  ])('a body of the type %s is not taken', async (type, detail) => {
    expect(await portal().visitor.put('/api/v2/users/1/password', 'x', { 'content-type': type })).toMatchReply({
      status: 415,
      json: { detail },
    });
  });

  test.each([
    ['{"username": "ada", "password": "hunter2', 'JSON parse error - the text ends too soon'],
    ['{"password": hunter2}', 'JSON parse error - the text is not JSON'],
    ['hunter2', 'JSON parse error - the text is not JSON'],
    ['{"a":1}hunter2', 'JSON parse error - the text is not JSON'],
    ['{"a":1,}', 'JSON parse error - the text is not JSON'],
  ])('the body %s is no JSON, and is not repeated', async (body, detail) => {
    const reply = await portal().visitor.post('/account/login', body, JSON_TYPE);
    expect(reply).toMatchReply({ status: 400, json: { detail: expect.stringContaining(detail) } });
    expect(textOf(reply.body)).not.toContain('hunter2');
  });

  test('members that would change every object are dropped', async () => {
    for (const name of ['__proto__', '\\u005f_proto__', 'constructor']) {
      const body = `{"${name}": {"username": "ada", "password": "x", "prototype": {"username": "ada"}}}`;
      expect(await portal().visitor.post('/account/login', body, JSON_TYPE)).toMatchReply({
        status: 400,
        json: { username: ['This field is required.'], password: ['This field is required.'] },
      });
    }
    expect(({} as Record<string, unknown>)['username']).toBeUndefined();
  });

  test('a body that is too large is not read to its end', async () => {
    expect(await portal().visitor.post('/account/login', 'x'.repeat(1_100_000), JSON_TYPE)).toMatchReply({
      status: 413,
      json: { detail: 'The request is larger than the 1048576 bytes that are accepted here.' },
    });
  });

  test('a DELETE that names a type and has no body is answered like one without', async () => {
    expect((await portal().as('admin').delete('/account/clients/none', '', JSON_TYPE)).status).toBe(404);
  });

  test.each(['/api/v2/users/%E0%A4%A/password', `/api/v2/users/${'9'.repeat(2000)}/password`])(
    'the address %s is not there',
    async (path) => {
      expect((await portal().as('admin').put(path, {})).status).toBe(404);
    },
  );
});

onPortal('over a socket', { engines: ['postgres'] }, (portal) => {
  test.each(['evil.example.org/x', 'a b', '', '[::', 'localhost:99999999', '"><script>'])(
    'the Host %j breaks nothing',
    async (host) => {
      await portal()
        .app.listen({ port: 0, host: '127.0.0.1' })
        .catch(() => undefined);
      const { port } = portal().app.server.address() as AddressInfo;
      const reply = await get(port, '/o/.well-known/openid-configuration', host);
      expect([200, 400]).toContain(reply.status);
      if (reply.status === 200) expect(JSON.parse(textOf(reply.body)).issuer).toBe('http://localhost/o');
    },
  );

  test('the provider’s replies carry the portal’s own headers', async () => {
    const reply = await portal().visitor.get('/o/jwks');
    expect(headerOf(reply, 'x-content-type-options')).toBe('nosniff');
    expect(headerOf(reply, 'server')).toBe('survest/test');
  });
});

function get(port: number, path: string, host: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ port, path, host: '127.0.0.1', setHost: false, headers: { host } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          statusText: response.statusMessage ?? '',
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}
