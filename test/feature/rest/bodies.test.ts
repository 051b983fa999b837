// Bodies that are wrong, odd or hostile: the specified 4xx, never a 500, and never half a write.

import { beforeEach, describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { ExpectedReply, Reply } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { badBody, badContentType, failure } from './expected.ts';

const INVALID = badBody('Empty or invalid json');
const DIFFER = badBody('All object keys must match');
const NUL_ESCAPE: ExpectedReply = { status: 400, headers: { 'proxy-status': 'Survest; error=22P05' } };
const BAD_BYTE = (byte: string): ExpectedReply =>
  failure(400, '22021', `invalid byte sequence for encoding "UTF8": ${byte}`);

onEachEngine('bodies', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  beforeEach(() => db().script('truncate test.shelves cascade; insert into test.shelves (id) values (1)'));

  const send = (
    method: string,
    target: string,
    body: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<Reply> => rest.request(method, target, { body, headers });
  const written = async (): Promise<unknown[]> =>
    (await db().query<{ id: number }>('select id from test.shelves order by id')).map(({ id }) => id);

  const TARGETS = [
    ['POST', '/shelves'],
    ['PATCH', '/shelves'],
    ['PUT', '/shelves?id=eq.5'],
    ['POST', '/rpc/stock_up'],
  ] as const;

  describe('not JSON', () => {
    test.each([
      ['a broken object', '{"id":'],
      ['a broken array', '[{"id":5}'],
      ['a comma too many', '{"id":5,}'],
      ['a comma too many in an array', '[{"id":5},]'],
      ['a comma alone', '[,]'],
      ['two values', '{"id":5}{"id":6}'],
      ['text behind it', '{"id":5} x'],
      ['single quotes', "{'id':5}"],
      ['a bare key', '{id:5}'],
      ['no key', '{:5}'],
      ['no value', '{"id":}'],
      ['no colon', '{"id" 5}'],
      ['a number as key', '{5:5}'],
      ['NaN', '{"id":NaN}'],
      ['Infinity', '{"id":-Infinity}'],
      ['undefined', '{"id":undefined}'],
      ['a leading zero', '{"id":05}'],
      ['a plus sign', '{"id":+5}'],
      ['a dot without digits', '{"id":5.}'],
      ['an exponent without digits', '{"id":5e}'],
      ['hexadecimal', '{"id":0x5}'],
      ['a word cut off', '{"id":tru}'],
      ['a word in capitals', '{"id":TRUE}'],
      ['a text without end', '{"id":"5}'],
      ['an unknown escape', '{"id":"\\x"}'],
      ['an escape cut off', '{"id":"\\u12"}'],
      ['a line end in a text', '{"id":"a\nb"}'],
      ['a tab in a text', '{"id":"a\tb"}'],
      ['a comment', '{"id":5 /* five */}'],
      ['a byte order mark', '\ufeff{"id":5}'],
      ['a form', 'id=5'],
      ['CSV', 'id\n5'],
      ['nothing but blanks', ' \n\t'],
    ])('%s', async (_, body) => {
      for (const [method, target] of TARGETS) expect(await send(method, target, body)).toMatchReply(INVALID);
      expect(await written()).toEqual([1]);
    });

    test('nothing is wrong on a table, and no arguments to a function', async () => {
      for (const [method, target] of TARGETS.slice(0, 3)) expect(await send(method, target, '')).toMatchReply(INVALID);
      expect(await send('POST', '/rpc/three_defaults', '')).toMatchReply({ status: 200, text: '6' });
    });
  });

  describe('not UTF-8', () => {
    const BYTES = Buffer.from('7b226c6162656c223a22ff227d', 'hex'); // {"label":"\xff"}

    test('JSON', async () => {
      for (const [method, target] of TARGETS) expect(await send(method, target, BYTES)).toMatchReply(INVALID);
      expect(await send('POST', '/shelves?columns=label', BYTES)).toMatchReply(BAD_BYTE('0xff'));
    });

    test.each([
      ['a continuation alone', '80'],
      ['an overlong slash', 'c0af'],
      ['half a surrogate pair', 'eda080'],
      ['beyond Unicode', 'f4908080'],
      ['cut off', 'e282'],
    ])('JSON with %s', async (_, hex) => {
      const body = Buffer.concat([Buffer.from('{"label":"'), Buffer.from(hex, 'hex'), Buffer.from('"}')]);
      expect(await send('POST', '/shelves', body)).toMatchReply(INVALID);
    });

    test('CSV', async () => {
      expect(
        await send('POST', '/shelves', Buffer.from('69640aff', 'hex'), { 'content-type': 'text/csv' }),
      ).toMatchReply(badBody('The csv is not valid UTF-8'));
    });

    test('text and XML for a function', async () => {
      const body = Buffer.from('61ff', 'hex');
      expect(await send('POST', '/rpc/unnamed_text_param', body, { 'content-type': 'text/plain' })).toMatchReply(
        BAD_BYTE('0xff'),
      );
      expect(await send('POST', '/rpc/unnamed_xml_param', body, { 'content-type': 'text/xml' })).toMatchReply(
        BAD_BYTE('0xff'),
      );
    });

    test('a form: bytes that are none become the sign for that', async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', prefer: 'return=representation' };
      expect(await send('POST', '/shelves?select=label', 'id=5&label=%ff', headers)).toMatchReply({
        status: 201,
        json: [{ label: '\ufffd' }],
      });
    });
  });

  describe('NUL, which no text of the database can hold', () => {
    test('escaped in JSON', async () => {
      expect(await send('POST', '/shelves', '{"id":5,"label":"\\u0000"}')).toMatchReply(NUL_ESCAPE);
      expect(await send('POST', '/shelves', '[{"id":5,"label":"x"},{"id":6,"label":"a\\u0000b"}]')).toMatchReply(
        NUL_ESCAPE,
      );
      expect(await send('PATCH', '/shelves', '{"label":"\\u0000"}')).toMatchReply(NUL_ESCAPE);
      expect(await send('PUT', '/shelves?id=eq.5', '{"id":5,"label":"\\u0000"}')).toMatchReply(NUL_ESCAPE);
      expect(await send('POST', '/rpc/sayhello', '{"name":"\\u0000"}')).toMatchReply(NUL_ESCAPE);
      expect(await send('POST', '/shelves?columns=id,label', '{"id":5,"label":"\\u0000"}')).toMatchReply(NUL_ESCAPE);
      expect(await written()).toEqual([1]);
    });

    test('escaped in a jsonb column', async () => {
      expect(await send('POST', '/json_table', '{"binary_data":{"a":"\\u0000"}}')).toMatchReply(NUL_ESCAPE);
    });

    test('escaped in a key', async () => {
      expect(await send('POST', '/shelves', '{"id\\u0000":5}')).toMatchReply(
        failure(400, 'SVRST204', "Could not find the 'id\u0000' column of 'shelves' in the schema cache"),
      );
      expect(await send('POST', '/rpc/sayhello', '{"name\\u0000":"x"}')).toMatchReply({ status: 404 });
    });

    test('as it is', async () => {
      expect(await send('POST', '/shelves', '{"id":5,"label":"\u0000"}')).toMatchReply(INVALID);
      expect(await send('POST', '/shelves?columns=id,label', '{"id":5,"label":"\u0000"}')).toMatchReply(
        BAD_BYTE('0x00'),
      );
      expect(await send('POST', '/rpc/unnamed_text_param', 'a\u0000b', { 'content-type': 'text/plain' })).toMatchReply(
        BAD_BYTE('0x00'),
      );
      expect(
        await send('POST', '/rpc/unnamed_bytea_param', Buffer.from([0, 0]), {
          'content-type': 'application/octet-stream',
        }),
      ).toMatchReply({ status: 200, json: '0000' });
    });

    test('in CSV and forms', async () => {
      expect(await send('POST', '/shelves', 'id,label\n5,\u0000', { 'content-type': 'text/csv' })).toMatchReply(
        NUL_ESCAPE,
      );
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      expect(await send('POST', '/shelves', 'id=5&label=%00', form)).toMatchReply(NUL_ESCAPE);
      expect(await send('POST', '/rpc/sayhello', 'name=%00', form)).toMatchReply(BAD_BYTE('0x00'));
      expect(await written()).toEqual([1]);
    });

    test('in an address', async () => {
      expect(await rest.get('/shelves?label=eq.%00')).toMatchReply(BAD_BYTE('0x00'));
      expect(await rest.get('/shelves?label=in.(a,%00)')).toMatchReply(BAD_BYTE('0x00'));
      expect(await rest.request('DELETE', '/shelves?label=neq.%00')).toMatchReply(BAD_BYTE('0x00'));
      expect(await send('PATCH', '/shelves?label=neq.%00', '{"label":"x"}')).toMatchReply(BAD_BYTE('0x00'));
      expect(await rest.get('/rpc/sayhello?name=%00')).toMatchReply(BAD_BYTE('0x00'));
      expect(await rest.get('/shelves%00')).toMatchReply({ status: 404 });
      expect(await rest.get('/shelves?select=label%00')).toMatchReply({ status: 400 });
      expect(await rest.get('/shelves?order=label%00')).toMatchReply({ status: 400 });
      expect(await written()).toEqual([1]);
    });
  });

  describe('surrogates', () => {
    test('a pair is one character', async () => {
      const headers = { prefer: 'return=representation' };
      expect(await send('POST', '/shelves?select=label', '{"id":5,"label":"\\ud83d\\ude00"}', headers)).toMatchReply({
        status: 201,
        json: [{ label: '😀' }],
      });
    });

    test.each(['\\ud83d', '\\ude00', '\\ud83dx', '\\ude00\\ud83d'])('%s alone is refused', async (half) => {
      expect(await send('POST', '/shelves', `{"id":5,"label":"${half}"}`)).toMatchReply({
        status: 400,
        headers: { 'proxy-status': 'Survest; error=22P02' },
      });
      expect(await written()).toEqual([1]);
    });
  });

  describe('numbers', () => {
    test.each([
      ['1e400', failure(400, '22P02', 'invalid input syntax for type integer: "1e400"')],
      ['99999999999', failure(400, '22003', 'value "99999999999" is out of range for type integer')],
      ['1.5', failure(400, '22P02', 'invalid input syntax for type integer: "1.5"')],
      ['"5x"', failure(400, '22P02', 'invalid input syntax for type integer: "5x"')],
      ['true', failure(400, '22P02', 'invalid input syntax for type integer: "true"')],
      ['{"a":1}', failure(400, '22P02', 'invalid input syntax for type integer: "{"a":1}"')],
      ['[1]', failure(400, '22P02', 'invalid input syntax for type integer: "[1]"')],
      ['""', failure(400, '22P02', 'invalid input syntax for type integer: ""')],
    ])('%s is no integer', async (value, expected) => {
      expect(await send('POST', '/shelves', `{"id":${value}}`)).toMatchReply(expected);
    });

    test('of many digits', async () => {
      const digits = '9'.repeat(10_000);
      expect(await send('POST', '/shelves', `{"id":${digits}}`)).toMatchReply({
        status: 400,
        headers: { 'proxy-status': 'Survest; error=22003' },
      });
      expect(
        await send('POST', '/json_table?select=data', `{"data":${digits}}`, { prefer: 'return=representation' }),
      ).toMatchReply({ status: 201, text: `[{"data":${digits}}]` });
      expect(await send('POST', '/json_table', '{"binary_data":1e999999}')).toMatchReply(
        failure(400, '22003', 'value overflows numeric format'),
      );
    });
  });

  describe('depth', () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const TOO_DEEP = badBody('The json is nested deeper than 1000 levels');

    test('as deep as anyone needs', async () => {
      const value = nested(900);
      expect(
        await send('POST', '/json_table?select=data,binary_data', `{"data":${value},"binary_data":${value}}`, {
          prefer: 'return=representation',
        }),
      ).toMatchReply({ status: 201, text: `[{"data":${value},"binary_data":${value}}]` });
    });

    test.each([1001, 100_000, 1_000_000])('%i levels are refused, whoever would have to read them', async (levels) => {
      const value = nested(levels);
      for (const [method, target] of TARGETS) {
        expect(await send(method, target, value)).toMatchReply(TOO_DEEP);
        expect(await send(method, target, `{"label":${value}}`)).toMatchReply(TOO_DEEP);
      }
      expect(await send('POST', '/shelves?columns=id,label', `{"id":5,"label":${value}}`)).toMatchReply(TOO_DEEP);
      expect(await send('POST', '/rpc/sayhello?columns=name', `{"name":${value}}`)).toMatchReply(TOO_DEEP);
      expect(await send('POST', '/rpc/unnamed_json_param', value)).toMatchReply(TOO_DEEP);
      expect(
        await send('POST', '/json_table?columns=data', `{"data":${value}}`, { prefer: 'missing=default' }),
      ).toMatchReply(TOO_DEEP);
    });

    test('only opened', async () => {
      expect(await send('POST', '/shelves', '['.repeat(100_000))).toMatchReply(TOO_DEEP);
      expect(await send('POST', '/shelves', '{"a":'.repeat(100_000))).toMatchReply(TOO_DEEP);
    });

    test('XML', async () => {
      const body = `${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`;
      const reply = await send('POST', '/rpc/unnamed_xml_param', body, { 'content-type': 'text/xml' });
      expect(reply.status).toBeLessThan(500);
    });
  });

  describe('keys', () => {
    test('of which one stands twice: the last value counts', async () => {
      expect(
        await send('POST', '/shelves?select=id,label', '{"id":5,"label":"a","label":"b"}', {
          prefer: 'return=representation',
        }),
      ).toMatchReply({ status: 201, json: [{ id: 5, label: 'b' }] });
    });

    test('that stand twice in some rows are still the same keys', async () => {
      expect(await send('POST', '/shelves', '[{"id":5,"label":"a"},{"id":6,"label":"a","label":"b"}]')).toMatchReply({
        status: 201,
      });
      expect(await send('POST', '/shelves', '[{"id":7,"id":7},{"id":8,"label":"x"}]')).toMatchReply(DIFFER);
      expect(await written()).toEqual([1, 5, 6]);
    });

    test('escaped in one row and plain in another are the same', async () => {
      expect(await send('POST', '/shelves', '[{"id":5,"label":"a"},{"\\u0069d":6,"l\\u0061bel":"b"}]')).toMatchReply({
        status: 201,
      });
      expect(await written()).toEqual([1, 5, 6]);
    });

    test('an empty one, one of other letters, a very long one', async () => {
      expect(await send('POST', '/shelves', '{"":5}')).toMatchReply(
        failure(400, 'SVRST204', "Could not find the '' column of 'shelves' in the schema cache"),
      );
      expect(await send('POST', '/shelves', '{"ID":5}')).toMatchReply(
        failure(400, 'SVRST204', "Could not find the 'ID' column of 'shelves' in the schema cache"),
      );
      const long = 'x'.repeat(100_000);
      expect(await send('POST', '/shelves', `{"${long}":5}`)).toMatchReply({ status: 400 });
    });

    test('that are the names of members every JavaScript object has', async () => {
      for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        expect(await send('POST', '/shelves', `{"${key}":5}`)).toMatchReply(
          failure(400, 'SVRST204', `Could not find the '${key}' column of 'shelves' in the schema cache`),
        );
        expect(await send('POST', '/rpc/sayhello', `{"${key}":5}`)).toMatchReply({ status: 404 });
      }
    });

    test('ten thousand of them', async () => {
      const body = `{${Array.from({ length: 10_000 }, (_, i) => `"k${i}":${i}`).join()}}`;
      expect(await send('POST', '/shelves', body)).toMatchReply(
        failure(400, 'SVRST102', 'An object of the body has more than 1600 keys; no table has as many columns'),
      );
      expect(await send('POST', '/rpc/sayhello', body)).toMatchReply({ status: 404 });
    });
  });

  describe('Content-Type', () => {
    test.each([
      'text/plain',
      'text/xml',
      'text/html',
      'application/octet-stream',
      'application/xml',
      'application/geo+json',
      'application/ld+json',
      'application/vnd.pgrst.object+json',
      'application/openapi+json',
      'multipart/form-data',
      'image/png',
      '*/*',
      'junk',
    ])('%s is refused on tables, before the body is read', async (type) => {
      for (const [method, target] of TARGETS.slice(0, 3)) {
        expect(await send(method, target, '{"id":5}', { 'content-type': type })).toMatchReply(badContentType(type));
        expect(await send(method, target, '', { 'content-type': type })).toMatchReply(badContentType(type));
      }
      expect(await written()).toEqual([1]);
    });

    test.each(['text/html', 'application/xml', 'multipart/form-data', 'junk'])(
      '%s is refused by functions',
      async (type) => {
        expect(await send('POST', '/rpc/three_defaults', '', { 'content-type': type })).toMatchReply(
          badContentType(type),
        );
      },
    );

    test('parameters are of no account, nor are letters', async () => {
      const types = [
        'application/json; charset=utf-8',
        'application/json;junk',
        'APPLICATION/Json',
        ' application/json ',
        '',
      ];
      for (const [i, type] of types.entries()) {
        expect(await send('POST', '/shelves', `{"id":${10 + i}}`, { 'content-type': type })).toMatchReply({
          status: 201,
        });
      }
      expect(await send('POST', '/shelves', 'id\n20', { 'content-type': 'Text/CSV; header=present' })).toMatchReply({
        status: 201,
      });
      expect(
        await send('POST', '/shelves', 'id=21', { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }),
      ).toMatchReply({ status: 201 });
    });

    test('no header is JSON', async () => {
      expect(await send('POST', '/shelves', '{"id":30}')).toMatchReply({ status: 201 });
      expect(await send('POST', '/shelves', 'id\n31')).toMatchReply(INVALID);
    });

    test('is of no account where there is no body to read', async () => {
      const headers = { 'content-type': 'image/png' };
      expect(await rest.get('/shelves?id=eq.1', headers)).toMatchReply({ status: 200 });
      expect(await rest.get('/rpc/add_them?a=1&b=2', headers)).toMatchReply({ status: 200 });
      expect(await rest.request('DELETE', '/shelves?id=eq.1', { headers })).toMatchReply({ status: 204 });
    });
  });

  describe('what comes first', () => {
    test.each([
      ['the path', 'POST', '/a/b', '{', 'SVRST125'],
      ['the method', 'TRACE', '/shelves', '{', 'SVRST117'],
      ['the query', 'POST', '/shelves?columns=', '{', 'SVRST100'],
      ['the window', 'PATCH', '/shelves?limit=-1', '{', 'SVRST103'],
      ['the body', 'POST', '/nowhere_at_all', '{', 'SVRST102'],
      ['the table', 'POST', '/nowhere_at_all', '{"nope":1}', 'SVRST205'],
      ['the embeds', 'POST', '/shelves?select=zzz(id)', '{"nope":1}', 'SVRST200'],
      ['the columns', 'POST', '/shelves', '{"nope":1}', 'SVRST204'],
    ])('%s', async (_, method, target, body, code) => {
      expect(
        await send(method, target, body, { accept: 'image/png', prefer: 'handling=strict, foo=bar' }),
      ).toMatchReply({
        headers: { 'proxy-status': `Survest; error=${code}` },
      });
    });
  });
});
