import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpReply } from '../../http/http-message.ts';
import type { SqlError } from '../../pg/driver.ts';
import { errorReply } from './error-reply.ts';

const CONTEXT = { isAuthenticated: true, isHead: false, retryAfterSeconds: 2 };

const raise = (
  sqlstate: string,
  message: string,
  detail: string | null = null,
  hint: string | null = null,
): HttpReply => {
  const error: SqlError = { kind: 'sql', sqlstate, message, detail, hint, statement: 1 };
  return errorReply(error, CONTEXT);
};
const custom = (detail: unknown, words: unknown = { code: '123', message: 'ABC' }, sqlstate = 'SVRST'): HttpReply =>
  raise(sqlstate, JSON.stringify(words), typeof detail === 'string' ? detail : JSON.stringify(detail));
const header = (reply: HttpReply, name: string): string | undefined => reply.headers.find(([key]) => key === name)?.[1];
const body = (reply: HttpReply): unknown => JSON.parse(String(reply.body));

describe("RAISE SQLSTATE 'PTxyz'", () => {
  test('sets the status, and its message is the reason phrase', () => {
    const reply = raise('PT402', 'Payment Required', 'Quota exceeded', 'Upgrade your plan');
    expect(reply).toMatchObject({ status: 402, statusText: 'Payment Required' });
    expect(body(reply)).toEqual({
      code: 'PT402',
      details: 'Quota exceeded',
      hint: 'Upgrade your plan',
      message: 'Payment Required',
    });
    expect(header(reply, 'Proxy-Status')).toBe('Survest; error=PT402');
  });

  test.each(['PT099', 'PT000', 'PT100', 'PT101', 'PT199', 'PT600', 'PT999', 'PTABC', 'PT4O4', 'PT4.2', 'PT-01', 'PT'])(
    '%s is no status: 500',
    (sqlstate) => {
      const reply = raise(sqlstate, 'odd');
      expect(reply.status).toBe(500);
      expect(reply.statusText).toBeUndefined();
      expect(body(reply)).toMatchObject({ code: sqlstate, message: 'odd' });
    },
  );

  test.each([
    ['two lines', 'first\r\nSet-Cookie: x=1'],
    ['a NUL', 'a\0b'],
    ['letters a reason phrase cannot hold', 'accès refusé'],
    ['nothing', ''],
    ['too much', 'x'.repeat(201)],
  ])('a message of %s is not made the reason phrase', (_, message) => {
    const reply = raise('PT403', message);
    expect(reply.statusText).toBeUndefined();
    expect(body(reply)).toMatchObject({ message });
  });

  test.each([204, 205, 304])('%i has no body', (status) => {
    const reply = raise(`PT${status}`, 'nothing to see');
    expect(reply.status).toBe(status);
    expect(reply.body).toBeUndefined();
    expect(header(reply, 'Content-Length')).toBeUndefined();
    expect(header(reply, 'Content-Type')).toBeUndefined();
    expect(header(reply, 'Proxy-Status')).toBe(`Survest; error=PT${status}`);
  });
});

describe.each(['SVRST', 'PGRST'])("RAISE SQLSTATE '%s'", (sqlstate) => {
  test('controls the whole answer', () => {
    const reply = custom(
      { status: 332, status_text: 'My Custom Status', headers: { 'X-Header': 'str', 'X-Other': '' } },
      { code: '123', message: 'ABC', details: 'DEF', hint: 'XYZ' },
      sqlstate,
    );
    expect(reply).toMatchObject({ status: 332, statusText: 'My Custom Status' });
    expect(String(reply.body)).toBe('{"code":"123","details":"DEF","hint":"XYZ","message":"ABC"}');
    expect(header(reply, 'X-Header')).toBe('str');
    expect(header(reply, 'X-Other')).toBe('');
    expect(header(reply, 'Proxy-Status')).toBe('Survest; error=123');
  });

  test.each<[string, unknown]>([
    ['headers and reason phrase', { status: 419 }],
    ['headers and reason phrase, said as null', { status: 419, headers: null, status_text: null }],
    ['them, with a word too many', { status: 419, more: 1 }],
  ])('does without %s', (_, detail) => {
    const reply = custom(detail, undefined, sqlstate);
    expect(reply).toMatchObject({ status: 419 });
    expect(reply.statusText).toBeUndefined();
    expect(String(reply.body)).toBe('{"code":"123","details":null,"hint":null,"message":"ABC"}');
  });

  const MESSAGE_HINT =
    "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.";
  const DETAIL_HINT =
    "DETAIL must be a JSON object with obligatory key: 'status' and optional keys: 'headers', 'status_text'.";
  const MESSAGE = `Could not parse JSON in the "RAISE SQLSTATE '${sqlstate}'" error`;

  test.each([
    'INVALID',
    '',
    '[]',
    'null',
    '"x"',
    '{}',
    '{"code":"1"}',
    '{"message":"1"}',
    '{"code":1,"message":"x"}',
    '{"code":"1","message":null}',
    '{"code":"1","message":"x","details":{}}',
    '{"code":"1","message":"x","hint":1}',
  ])('with MESSAGE %s is SVRST121', (message) => {
    const reply = raise(sqlstate, message, '{"status":400}');
    expect(reply.status).toBe(500);
    expect(body(reply)).toEqual({
      code: 'SVRST121',
      message: MESSAGE,
      details: `Invalid JSON value for MESSAGE: '${message}'`,
      hint: MESSAGE_HINT,
    });
    expect(header(reply, 'Proxy-Status')).toBe('Survest; error=SVRST121');
  });

  test('without DETAIL is SVRST121', () => {
    const reply = raise(sqlstate, '{"code":"1","message":"x"}');
    expect(body(reply)).toEqual({
      code: 'SVRST121',
      message: MESSAGE,
      details: 'DETAIL is missing in the RAISE statement',
      hint: DETAIL_HINT,
    });
  });

  test.each<[string, unknown]>([
    ['no JSON', 'INVALID'],
    ['an array', []],
    ['no status', { headers: {} }],
    ['a status in quotes', { status: '400' }],
    ['half a status', { status: 400.5 }],
    ['a status below all', { status: 99 }],
    ['a status of a reply that goes on', { status: 101 }],
    ['a status above all', { status: 600 }],
    ['a status far above all', { status: 1e300 }],
    ['a negative status', { status: -200 }],
    ['a reason phrase that is a number', { status: 400, status_text: 1 }],
    ['headers in an array', { status: 400, headers: [{ a: 'b' }] }],
    ['a header that is a number', { status: 400, headers: { a: 1 } }],
    ['a header that is null', { status: 400, headers: { a: null } }],
    ['a header with a line break', { status: 400, headers: { a: 'b\r\nSet-Cookie: x=1' } }],
    ['a header with a lone line feed', { status: 400, headers: { a: 'b\nc' } }],
    ['a header with a NUL', { status: 400, headers: { a: 'b\0' } }],
    ['a header name with a blank', { status: 400, headers: { 'a b': 'c' } }],
    ['a header name with a line break', { status: 400, headers: { 'a: b\r\nc': 'd' } }],
    ['a header name with a colon', { status: 400, headers: { 'a:': 'd' } }],
    ['an empty header name', { status: 400, headers: { '': 'd' } }],
    ['a header name outside of ASCII', { status: 400, headers: { é: 'd' } }],
  ])('with %s in DETAIL is SVRST121', (_, detail) => {
    const reply = custom(detail, undefined, sqlstate);
    const text = typeof detail === 'string' ? detail : JSON.stringify(detail);
    expect(reply.status).toBe(500);
    expect(body(reply)).toEqual({
      code: 'SVRST121',
      message: MESSAGE,
      details: `Invalid JSON value for DETAIL: '${text}'`,
      hint: DETAIL_HINT,
    });
  });
});

describe('headers of a raise', () => {
  test('take the place of the usual ones', () => {
    const reply = custom({
      status: 401,
      headers: { 'content-type': 'application/problem+json', 'www-authenticate': 'Basic realm="x"' },
    });
    expect(reply.headers.filter(([name]) => /^(content-type|www-authenticate)$/i.test(name))).toEqual([
      ['content-type', 'application/problem+json'],
      ['www-authenticate', 'Basic realm="x"'],
    ]);
    expect(header(custom({ status: 503, headers: { 'Retry-After': '60' } }), 'Retry-After')).toBe('60');
    expect(header(custom({ status: 503 }), 'Retry-After')).toBe('2');
  });

  test('cannot touch where the message ends, nor what Proxy-Status says', () => {
    const reply = custom({
      status: 400,
      headers: {
        'Content-Length': '0',
        'transfer-encoding': 'chunked',
        Connection: 'close',
        Upgrade: 'h2c',
        'proxy-status': 'x',
        Date: 'y',
        'X-A': 'kept',
      },
    });
    expect(reply.headers).toEqual([
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Content-Length', '57'],
      ['X-A', 'kept'],
      ['Proxy-Status', 'Survest; error=123'],
    ]);
  });

  test('a code that a header cannot hold is shown there without what does not fit', () => {
    const reply = custom({ status: 400 }, { code: 'a b\r\nX: y;"é"', message: 'm' });
    expect(header(reply, 'Proxy-Status')).toBe('Survest; error=abX:y');
    expect(body(reply)).toMatchObject({ code: 'a b\r\nX: y;"é"' });
  });

  test('the reason phrase follows the same rule as elsewhere', () => {
    expect(custom({ status: 400, status_text: 'a\r\nb' }).statusText).toBeUndefined();
  });
});

describe('on the wire', () => {
  let server: Server;
  let reply: HttpReply;

  beforeAll(async () => {
    server = createServer((_, response) => {
      response.writeHead(
        reply.status,
        ...(reply.statusText === undefined ? [] : [reply.statusText]),
        reply.headers.flat(),
      );
      response.end(reply.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** The reply byte for byte as Node sends it. */
  const wire = (sent: HttpReply): Promise<string> => {
    reply = sent;
    return new Promise((resolve, reject) => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      socket.on('error', reject);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    });
  };

  test('a hostile raise is one whole reply and nothing more', async () => {
    const hostile = 'x\r\nSet-Cookie: a=b\r\n\r\nHTTP/1.1 200 OK';
    for (const sent of [
      raise('PT402', hostile),
      raise('PT999', hostile),
      raise('SVRST', hostile, hostile),
      custom({ status: 400, status_text: hostile, headers: { a: 'b' } }, { code: hostile, message: hostile }),
      custom({ status: 400, headers: { a: hostile } }),
      raise('22023', `role "${hostile}" does not exist`),
    ]) {
      const text = await wire(sent);
      const [head = '', rest] = text.split('\r\n\r\n');
      expect(head).not.toMatch(/^Set-Cookie/im);
      expect(rest).toBe(String(sent.body));
    }
  });

  test('header values and reason phrases arrive as they were raised', async () => {
    const text = await wire(
      custom({ status: 332, status_text: 'My Custom Status', headers: { 'X-City': 'Zürich 東京' } }),
    );
    expect(text).toMatch(/^HTTP\/1\.1 332 My Custom Status\r\n/);
    expect(text).toContain('X-City: Zürich 東京\r\n');
  });
});
