// Errors that database code raises, and how they reach the client.

import { describe, expect, test } from 'vitest';
import { AUTHOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { failure } from './expected.ts';

const MESSAGE_HINT =
  "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.";
const DETAIL_HINT =
  "DETAIL must be a JSON object with obligatory key: 'status' and optional keys: 'headers', 'status_text'.";

onEachEngine('custom errors', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  const raise = (code: string, message?: string, detail?: string): Promise<Reply> =>
    rest.post('/rpc/raise_sqlstate', {
      code,
      ...(message === undefined ? {} : { message }),
      ...(detail === undefined ? {} : { detail }),
    });
  const custom = (message: unknown, detail?: unknown): Promise<Reply> => {
    const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
    return rest.post('/rpc/raise_custom', {
      message: text(message),
      ...(detail === undefined ? {} : { detail: text(detail) }),
    });
  };

  test('RAISE without more is the client mistake, with all its words', async () => {
    expect(await rest.get('/rpc/raise_plain')).toMatchReply(
      failure(400, 'P0001', 'My error', { details: 'Some detail', hint: 'A hint' }),
    );
    expect(await rest.request('HEAD', '/rpc/raise_plain')).toMatchReply({
      status: 400,
      headers: { 'proxy-status': 'Survest; error=P0001', 'content-length': null },
      text: '',
    });
  });

  describe('SQLSTATE to status', () => {
    test.each([
      ['08006', 503],
      ['09000', 500],
      ['0L000', 403],
      ['0P000', 403],
      ['23503', 409],
      ['23505', 409],
      ['23502', 400],
      ['23514', 400],
      ['25006', 405],
      ['25001', 500],
      ['28000', 403],
      ['2D000', 500],
      ['38000', 500],
      ['39000', 500],
      ['3B000', 500],
      ['40001', 500],
      ['40P01', 500],
      ['53400', 500],
      ['53300', 503],
      ['54001', 500],
      ['55000', 500],
      ['55P03', 500],
      ['57014', 500],
      ['57P01', 500],
      ['58000', 500],
      ['F0000', 500],
      ['HV000', 500],
      ['P0001', 400],
      ['P0002', 500],
      ['P0004', 500],
      ['XX000', 500],
      ['42883', 404],
      ['42P01', 404],
      ['42P17', 500],
      ['42501', 401],
      ['42601', 400],
      ['42703', 400],
      ['21000', 400],
      ['22023', 400],
      ['22P02', 400],
      ['0A000', 400],
      ['AB123', 400],
    ])('%s → %i', async (code, status) => {
      expect(await raise(code)).toMatchReply(
        failure(status, code, 'raised', {
          headers: {
            'www-authenticate': status === 401 ? 'Bearer' : null,
            'retry-after': status === 503 ? /^\d+$/ : null,
          },
        }),
      );
    });

    test('42501 is 403 for a caller who is known', async () => {
      expect(await rest.request('POST', '/rpc/raise_sqlstate', { body: { code: '42501' }, as: AUTHOR })).toMatchReply(
        failure(403, '42501', 'raised', { headers: { 'www-authenticate': null } }),
      );
    });

    test('but 401 for a token of the anonymous role itself', async () => {
      expect(
        await rest.request('POST', '/rpc/raise_sqlstate', { body: { code: '42501' }, as: 'rest_anon' }),
      ).toMatchReply(failure(401, '42501', 'raised', { headers: { 'www-authenticate': 'Bearer' } }));
    });

    test('what PostgreSQL itself raises', async () => {
      expect(await rest.get('/rpc/assert_fails')).toMatchReply(failure(500, 'P0004', 'bad thing'));
      expect(await rest.get('/rpc/divide?a=1&b=0')).toMatchReply(failure(400, '22012', 'division by zero'));
      expect(await rest.get('/rpc/no_such_function_inside')).toMatchReply({
        status: 404,
        headers: { 'proxy-status': 'Survest; error=42883' },
      });
      expect(await rest.get('/failing_view')).toMatchReply(failure(400, '22012', 'division by zero'));
    });
  });

  describe('PTxyz', () => {
    test('is the status xyz, its message the reason', async () => {
      expect(await rest.get('/rpc/raise_pt402')).toMatchReply({
        ...failure(402, 'PT402', 'Payment Required', { details: 'Quota exceeded', hint: 'Upgrade your plan' }),
        statusText: 'Payment Required',
      });
    });

    test.each([
      ['PT200', 200],
      ['PT299', 299],
      ['PT301', 301],
      ['PT404', 404],
      ['PT418', 418],
      ['PT429', 429],
      ['PT503', 503],
      ['PT599', 599],
    ])('%s', async (code, status) => {
      expect(await raise(code, 'Said so')).toMatchReply({ ...failure(status, code, 'Said so'), statusText: 'Said so' });
    });

    test('401 asks for credentials as any other', async () => {
      expect(await raise('PT401', 'Who are you')).toMatchReply(
        failure(401, 'PT401', 'Who are you', { headers: { 'www-authenticate': 'Bearer' } }),
      );
    });

    test.each(['PT40A', 'PTABC', 'PT000', 'PT099', 'PT101', 'PT600', 'PT999'])('%s is no status: 500', async (code) => {
      expect(await raise(code, 'Not a status')).toMatchReply({ ...failure(500, code, 'Not a status'), statusText: '' });
    });

    test('a message that cannot be a reason is only in the body', async () => {
      expect(await raise('PT402', 'Zahlung nötig')).toMatchReply({
        ...failure(402, 'PT402', 'Zahlung nötig'),
        statusText: '',
      });
      expect(await raise('PT402', 'a\r\nX-B: b')).toMatchReply({
        ...failure(402, 'PT402', 'a\r\nX-B: b', { headers: { 'x-b': null } }),
        statusText: '',
      });
    });

    test('a status without a body has none', async () => {
      expect(await raise('PT204', 'Nothing')).toMatchReply({
        status: 204,
        statusText: 'Nothing',
        headers: { 'content-type': null, 'content-length': null, 'proxy-status': 'Survest; error=PT204' },
        text: '',
      });
    });

    test('undoes what was written', async () => {
      expect(await rest.post('/rpc/store_then_fail', { shelf: 700 })).toMatchReply({ status: 409 });
      expect(await rest.get('/shelves?id=eq.700')).toMatchReply({ json: [] });
    });
  });

  describe('SVRST', () => {
    test('says everything: status, reason, headers and body', async () => {
      expect(await rest.get('/rpc/raise_custom_status')).toMatchReply({
        ...failure(332, '123', 'ABC', { details: 'DEF', hint: 'XYZ', headers: { 'x-header': 'str' } }),
        statusText: 'My Custom Status',
      });
      expect(await rest.request('HEAD', '/rpc/raise_custom_status')).toMatchReply({
        status: 332,
        statusText: 'My Custom Status',
        headers: { 'x-header': 'str', 'proxy-status': 'Survest; error=123', 'content-length': null },
        text: '',
      });
    });

    test('details, hint, headers and reason may be left out, or null', async () => {
      const plain = { ...failure(400, 'X1', 'm'), statusText: '' };
      expect(await custom({ code: 'X1', message: 'm' }, { status: 400 })).toMatchReply(plain);
      expect(
        await custom(
          { code: 'X1', message: 'm', details: null, hint: null },
          { status: 400, headers: null, status_text: null },
        ),
      ).toMatchReply(plain);
      expect(await custom({ code: 'X1', message: 'm', more: 1 }, { status: 400, headers: {}, more: 1 })).toMatchReply(
        plain,
      );
    });

    test('its headers take the place of the usual ones', async () => {
      expect(
        await custom(
          { code: 'X1', message: 'm' },
          { status: 401, headers: { 'www-authenticate': 'Basic', 'X-A': '1', 'X-B': '2' } },
        ),
      ).toMatchReply({ status: 401, headers: { 'www-authenticate': 'Basic', 'x-a': '1', 'x-b': '2' } });
    });

    test('PGRST means the same', async () => {
      expect(await raise('PGRST', '{"code":"X1","message":"m"}', '{"status":404,"headers":{"X-A":"1"}}')).toMatchReply(
        failure(404, 'X1', 'm', { headers: { 'x-a': '1' } }),
      );
    });

    const unreadable = (details: string, hint: string, sqlstate = 'SVRST') =>
      failure(500, 'SVRST121', `Could not parse JSON in the "RAISE SQLSTATE '${sqlstate}'" error`, { details, hint });

    test.each([
      ['INVALID'],
      [''],
      ['"text"'],
      ['[]'],
      ['null'],
      ['{"code":"X1"}'],
      ['{"message":"m"}'],
      ['{"code":1,"message":"m"}'],
      ['{"code":"X1","message":null}'],
      ['{"code":"X1","message":"m","details":{}}'],
      ['{"code":"X1","message":"m","hint":1}'],
    ])('MESSAGE %j', async (message) => {
      expect(await custom(message, { status: 400 })).toMatchReply(
        unreadable(`Invalid JSON value for MESSAGE: '${message}'`, MESSAGE_HINT),
      );
    });

    test.each([
      ['INVALID'],
      ['[]'],
      ['{}'],
      ['{"status":"400"}'],
      ['{"status":400.5}'],
      ['{"status":99}'],
      ['{"status":1000}'],
      ['{"status":400,"headers":"x"}'],
      ['{"status":400,"headers":[]}'],
      ['{"status":400,"headers":{"X-A":1}}'],
      ['{"status":400,"headers":{"X A":"1"}}'],
      ['{"status":400,"headers":{"X-A":"1\\r\\n2"}}'],
      ['{"status":400,"status_text":1}'],
    ])('DETAIL %j', async (detail) => {
      expect(await custom({ code: 'X1', message: 'm' }, detail)).toMatchReply(
        unreadable(`Invalid JSON value for DETAIL: '${detail}'`, DETAIL_HINT),
      );
    });

    test('DETAIL missing', async () => {
      expect(await custom({ code: 'X1', message: 'm' })).toMatchReply(
        unreadable('DETAIL is missing in the RAISE statement', DETAIL_HINT),
      );
    });

    test('both wrong: MESSAGE is told', async () => {
      expect(await custom('x', 'y')).toMatchReply(unreadable("Invalid JSON value for MESSAGE: 'x'", MESSAGE_HINT));
    });

    test('the words name the state that was raised', async () => {
      expect(await raise('PGRST', 'x')).toMatchReply(
        unreadable("Invalid JSON value for MESSAGE: 'x'", MESSAGE_HINT, 'PGRST'),
      );
    });

    test('a code that no header can hold is left out of it, not of the body', async () => {
      expect(await custom({ code: 'a b\n"é"', message: 'm' }, { status: 400 })).toMatchReply({
        status: 400,
        headers: { 'proxy-status': 'Survest; error=ab' },
        json: { code: 'a b\n"é"', message: 'm', details: null, hint: null },
      });
    });
  });

  test('a trigger can raise them too', async () => {
    expect(await rest.post('/triggered', { id: 90, name: 'refuse me' })).toMatchReply(
      failure(400, 'P0001', 'Refused by a trigger', { details: 'The name says so', hint: 'Take another name' }),
    );
  });
});
