// Writes as they stand on the wire: status lines, lengths, chunks, and bodies that are too large.

import { request } from 'node:http';
import { connect } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { readPlainRequest } from '../../../src/http/plain/read-plain-request.ts';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { useHttp } from './over-http.ts';

const LIMIT = 100_000;

onEachEngine('writes over HTTP', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db, { 'server-max-body-size': String(LIMIT) });
  const address = useHttp(rest);
  beforeEach(() => db().script('truncate test.shelves cascade; insert into test.shelves (id) values (1)'));

  /** One request, byte for byte, and everything that comes back until the server closes. */
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(address()).port), '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.setEncoding('latin1').on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('end', () => resolve(answer)).on('error', reject);
    });
  const ask = (method: string, path: string, body = '', headers: readonly string[] = []): Promise<string> =>
    raw(
      [
        `${method} ${path} HTTP/1.1`,
        'Host: test',
        'Connection: close',
        ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
        ...headers,
        '',
        body,
      ].join('\r\n'),
    );
  const headOf = (answer: string): string => answer.slice(0, answer.indexOf('\r\n\r\n')).toLowerCase();
  const bodyOf = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n') + 4);

  test('the whole address stands for its path', async () => {
    expect(bodyOf(await ask('GET', 'http://elsewhere.test/shelves?select=id'))).toBe('[{"id":1}]');
    expect(await ask('GET', 'http://elsewhere.test')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(await ask('GET', 'http://elsewhere.test?select=id')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  test('201 without a body has a length of nought and no type', async () => {
    const answer = await ask('POST', '/shelves', '{"id":5}');
    expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(headOf(answer)).toContain('\r\ncontent-length: 0');
    expect(headOf(answer)).not.toContain('content-type');
    expect(headOf(answer)).not.toContain('transfer-encoding');
    expect(bodyOf(answer)).toBe('');
  });

  test.each([
    ['PATCH', '/shelves?id=eq.1', '{"label":"x"}'],
    ['PUT', '/shelves?id=eq.1', '{"id":1}'],
    ['DELETE', '/shelves?id=eq.1', ''],
    ['POST', '/rpc/ret_void', '{}'],
  ])('204 has neither length nor type: %s %s', async (method, path, body) => {
    const answer = await ask(method, path, body);
    expect(answer).toMatch(/^HTTP\/1\.1 204 No Content\r\n/);
    expect(headOf(answer)).not.toMatch(/content-length|content-type|transfer-encoding/);
    expect(bodyOf(answer)).toBe('');
  });

  test('rows have their exact length', async () => {
    const answer = await ask('POST', '/shelves?select=label', '{"id":5,"label":"é😀"}', [
      'Prefer: return=representation',
    ]);
    const body = Buffer.from(bodyOf(answer), 'latin1');
    expect(body.toString('utf8')).toBe('[{"label":"é😀"}]');
    expect(headOf(answer)).toContain(`\r\ncontent-length: ${body.length}`);
  });

  test('a reason phrase, repeated headers, and headers beyond ASCII', async () => {
    expect(await ask('POST', '/rpc/raise_pt402')).toMatch(/^HTTP\/1\.1 402 Payment Required\r\n/);
    expect(await ask('GET', '/rpc/raise_custom_status')).toMatch(/^HTTP\/1\.1 332 My Custom Status\r\n/);
    const cookies = headOf(await ask('POST', '/rpc/set_cookies'));
    expect(cookies.match(/\r\nset-cookie: [^\r]*/g)).toEqual([
      '\r\nset-cookie: one=1; httponly',
      '\r\nset-cookie: two=2; secure',
    ]);
    const body = JSON.stringify({ headers: JSON.stringify([{ 'X-Note': 'schön 😀' }]) });
    const note = /\r\nX-Note: ([^\r]*)/.exec(await ask('POST', '/rpc/set_headers', body))?.[1] ?? '';
    expect(Buffer.from(note, 'latin1').toString('utf8')).toBe('schön 😀');
  });

  test('headers of the request reach the database whole, repeated ones joined, read by Node or not', async () => {
    const sent = [
      'Set-Cookie: a=1; Secure',
      'Set-Cookie: b=2',
      'X-Two: 1',
      'x-two: 2',
      '__Proto__: p',
      'Constructor: c',
    ];
    const told = async (name: string): Promise<string> =>
      JSON.parse(bodyOf(await ask('GET', `/rpc/get_header?name=${name}`, '', sent)));
    expect(await told('set-cookie')).toBe('a=1; Secure, b=2');
    expect(await told('x-two')).toBe('1, 2');
    expect(await told('__proto__')).toBe('p');
    expect(await told('constructor')).toBe('c');
    const head = 'Host: test\r\nSet-Cookie: a=1; Secure\r\n__proto__: p\r\n';
    for (const [name, value] of [
      ['set-cookie', 'a=1; Secure'],
      ['__proto__', 'p'],
    ]) {
      const plain = readPlainRequest(Buffer.from(`GET /rpc/get_header?name=${name} HTTP/1.1\r\n${head}\r\n`));
      if (plain === undefined) throw new Error('not plain');
      const client = { signal: undefined, remoteAddress: undefined, httpVersion: '1.1' };
      expect(JSON.parse(String((await rest.client().service.answer(plain, client)).body))).toBe(value);
    }
  });

  test('HEAD has the head of GET and ends there', async () => {
    const answer = await ask('HEAD', '/rpc/add_them?a=1&b=2');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(headOf(answer)).toContain('content-type: application/json; charset=utf-8');
    expect(bodyOf(answer)).toBe('');
  });

  test('a body in chunks is one body', async () => {
    const chunks = ['{"id":5,', '"label":"ab', 'c"}'];
    const text = `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`;
    const answer = await raw(
      `POST /shelves?select=label HTTP/1.1\r\nHost: test\r\nConnection: close\r\nPrefer: return=representation\r\nTransfer-Encoding: chunked\r\n\r\n${text}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(bodyOf(answer)).toBe('[{"label":"abc"}]');
  });

  test('a long body that comes in many pieces', async () => {
    const label = 'x'.repeat(LIMIT - 100);
    const body = JSON.stringify({ id: 5, label });
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        `${address()}/shelves`,
        { method: 'POST', headers: { 'content-length': Buffer.byteLength(body) } },
        (reply) => {
          reply.resume();
          reply.on('end', () => resolve(reply.statusCode));
        },
      ).on('error', reject);
      for (let at = 0; at < body.length; at += 10_000) sent.write(body.slice(at, at + 10_000));
      sent.end();
    });
    expect(status).toBe(201);
    expect(await db().query('select length(label) from test.shelves where id = 5')).toEqual([{ length: label.length }]);
  });

  describe('too large', () => {
    const refused = {
      code: 'SVRST190',
      details: `The body is larger than the ${LIMIT} bytes allowed by server-max-body-size.`,
      hint: null,
      message: 'The request body is too large',
    };

    test('announced: refused before it is sent', async () => {
      const answer = await raw(`POST /shelves HTTP/1.1\r\nHost: test\r\nContent-Length: ${LIMIT + 1}\r\n\r\n{"id":5`);
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(headOf(answer)).toContain('connection: close');
      expect(headOf(answer)).toContain('proxy-status: survest; error=svrst190');
      expect(JSON.parse(bodyOf(answer))).toEqual(refused);
    });

    test('in chunks: refused when it has become so', async () => {
      const chunk = `${(LIMIT / 2 + 1).toString(16)}\r\n${' '.repeat(LIMIT / 2 + 1)}\r\n`;
      const answer = await raw(
        `POST /shelves HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(JSON.parse(bodyOf(answer))).toEqual(refused);
    });

    test('just not', async () => {
      const body = `{"id":5}${' '.repeat(LIMIT - 8)}`;
      expect(await ask('POST', '/shelves', body)).toMatch(/^HTTP\/1\.1 201 /);
    });
  });

  test('a client that goes away in the middle of its body writes nothing', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(address()).port), '127.0.0.1', () => {
        socket.write('POST /shelves HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\n{"id":5}');
        socket.end();
      });
      socket.on('close', () => resolve());
      socket.resume();
    });
    expect(await ask('GET', '/shelves?id=eq.5')).toMatch(/\r\n\r\n\[\]$/);
  });

  test('a body where none belongs is of no account', async () => {
    expect(await ask('GET', '/shelves?select=id', '{"broken')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask('DELETE', '/shelves?id=eq.1', '{"broken')).toMatch(/^HTTP\/1\.1 204 /);
  });
});
