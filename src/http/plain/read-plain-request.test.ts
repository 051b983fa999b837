import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPlainRequest } from './read-plain-request.ts';

const read = (text: string) => readPlainRequest(Buffer.from(text, 'latin1'));

describe('a plain request', () => {
  test('is read with its path, query and headers', () => {
    expect(read('GET /a%20b?x=1&y=?2 HTTP/1.1\r\nHost: h\r\nX-Two:  b c \r\n\r\n')).toMatchObject({
      method: 'GET',
      path: '/a%20b',
      query: 'x=1&y=?2',
      headers: { host: 'h', 'x-two': 'b c' },
    });
  });

  test('has no query where a question mark stands only in a header', () => {
    expect(read('GET /a HTTP/1.1\r\nHost: h\r\nReferer: /b?c\r\n\r\n')).toMatchObject({ path: '/a', query: '' });
  });

  test('may bring its whole body along', () => {
    const request = read('POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}');
    expect(Buffer.from(request?.body ?? []).toString()).toBe('{}');
  });

  test('keeps bytes beyond ASCII in a header as Node does', () => {
    expect(read('GET / HTTP/1.1\r\nHost: h\r\nX: \xe4\r\n\r\n')?.headers['x']).toBe('\xe4');
  });

  test('cannot put anything on the prototype of its headers', () => {
    const headers = read('GET / HTTP/1.1\r\nHost: h\r\n__proto__: x\r\nconstructor: y\r\n\r\n')?.headers;
    const prototype: object = Object.getPrototypeOf(headers);
    expect([Reflect.ownKeys(prototype), Object.getPrototypeOf(prototype)]).toEqual([[], null]);
    expect(Object.keys(headers ?? {})).toEqual(['host', '__proto__', 'constructor']);
  });
});

describe('a request with a body', () => {
  test('has its own one, and none that is longer or shorter than it says', () => {
    const head = 'POST /again HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n';
    expect([`${head}{}`, `${head}[]`].map((text) => String(read(text)?.body))).toEqual(['{}', '[]']);
    expect([read(head), read(`${head}{`), read(`${head}{} `)]).toEqual([undefined, undefined, undefined]);
  });
});

describe('left to Node is a request', () => {
  test.each([
    ['that is not complete', 'GET / HTTP/1.1\r\nHost: h\r\n'],
    ['with another behind it', 'GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['of another version', 'GET / HTTP/1.0\r\nHost: h\r\n\r\n'],
    ['without a host', 'GET / HTTP/1.1\r\nX: h\r\n\r\n'],
    ['with two hosts', 'GET / HTTP/1.1\r\nHost: h\r\nhost: g\r\n\r\n'],
    ['whose body comes in chunks', 'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    [
      'with a length and chunks',
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['with a body that is not announced', 'POST / HTTP/1.1\r\nHost: h\r\n\r\n{}'],
    ['with a body longer than announced', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n{}'],
    ['with a body shorter than announced', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n{}'],
    ['with a signed length', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +2\r\n\r\n{}'],
    ['with a blank behind its length', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\t\r\n\r\n{}'],
    ['with a length in hex', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0x2\r\n\r\n{}'],
    ['with two lengths', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}'],
    ['that wants the connection closed', 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'],
    ['that wants another protocol', 'GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\n\r\n'],
    [
      'that waits to be told to go on',
      'POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}',
    ],
    ['with a blank before the colon', 'GET / HTTP/1.1\r\nHost : h\r\n\r\n'],
    ['with a folded header', 'GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n'],
    ['with a lone line feed', 'GET / HTTP/1.1\nHost: h\n\n\r\n\r\n'],
    ['with a lone carriage return', 'GET / HTTP/1.1\r\nHost: h\rX: y\r\n\r\n'],
    ['with a control character', 'GET / HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n'],
    ['with a header without a name', 'GET / HTTP/1.1\r\nHost: h\r\n: a\r\n\r\n'],
    ['with two blanks in its first line', 'GET  / HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['for a whole address', 'GET http://h/ HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['with bytes beyond ASCII in its target', 'GET /\xe4 HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['of a method nobody knows', 'BREW / HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['with an empty line first', '\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['with a long head', `GET / HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('%s', (_, text) => {
    // However often it comes.
    for (let i = 0; i < 3; i++) expect(read(text)).toBeUndefined();
  });
});

describe('what is read as plain', () => {
  let port = 0;
  const seen: { method: string; url: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((request, response) => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    request.resume().on('end', () => response.end());
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  const piece = fc.constantFrom(
    ...['GET', 'POST', ' ', '/', '/a?b', 'HTTP/1.1', '\r\n', '\n', '\r', ':', 'Host: h', 'X: y', 'Content-Length: 0'],
    ...['\r\n\r\n', 'Content-Length: 2', '{}', 'Connection: keep-alive', '\t', '\0', '\x80', 'Cookie: a=b', 'é', ';'],
  );

  test('is read the same by Node, however it is put together', async () => {
    const frame = fc
      .array(piece, { maxLength: 8 })
      .map((pieces) => `GET /t HTTP/1.1\r\nHost: h\r\n${pieces.join('')}\r\n\r\n`);
    const name = fc.constantFrom('X', 'Content-Length', 'Connection', 'Cookie', 'Accept', 'Te-', 'Prefer');
    const value = fc.array(fc.constantFrom(' ', '\t', '0', '2', 'a', ',', ';', '"', 'keep-alive', '\x80', '\x7f'), {
      maxLength: 4,
    });
    const line = fc.tuple(name, value).map(([key, parts]) => `${key}:${parts.join('')}\r\n`);
    const lined = fc
      .tuple(
        fc.constantFrom('GET', 'POST', 'PUT', 'OPTIONS'),
        fc.array(line, { maxLength: 4 }),
        fc.constantFrom('', '{}'),
      )
      .map(([method, lines, body]) => `${method} /t?a=b HTTP/1.1\r\nHost: h\r\n${lines.join('')}\r\n${body}`);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          frame,
          lined,
          fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
        ),
        async (text) => {
          const plain = read(text);
          if (plain === undefined) return;
          seen.length = 0;
          await new Promise<void>((resolve) => {
            const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
            socket.once('data', () => socket.destroy()).once('close', () => resolve());
          });
          expect(seen).toHaveLength(1);
          expect(seen[0]?.url).toBe(
            plain.query === '' && !text.includes('/t?') ? plain.path : `${plain.path}?${plain.query}`,
          );
          expect(seen[0]?.method).toBe(plain.method);
          expect({ ...seen[0]?.headers }).toEqual({ ...plain.headers });
        },
      ),
      { numRuns: 400 },
    );
  });
});
