// Which function a call means, and how its arguments get there.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { badBody, failure } from './expected.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

onEachEngine('function arguments', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  const notFound = (asked: string, searched: string, hint: string | null = null) =>
    failure(404, 'SVRST202', `Could not find the function test.${asked} in the schema cache`, {
      details: `Searched for the function test.${searched}, but no matches were found in the schema cache.`,
      hint: hint === null ? null : `Perhaps you meant to call the function test.${hint}`,
    });
  const ambiguous = (candidates: string) =>
    failure(300, 'SVRST203', `Could not choose the best candidate function between: ${candidates}`, {
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    });

  describe('types', () => {
    const QUERY =
      'double=3.1&varchar=hello&boolean=true&date=20190101&money=%2475.95&enum=ok&arr=%7Ba,b,%22c%5C%22d%22%7D&integer=43&json=%7B%22a%22:1%7D&jsonb=[1]';
    const result = {
      double: 3.1,
      varchar: 'hello',
      boolean: true,
      date: '2019-01-01',
      money: '$75.95',
      enum: 'ok',
      arr: ['a', 'b', 'c"d'],
      integer: 43,
      json: { a: 1 },
      jsonb: [1],
    };

    test('as texts of a query', async () => {
      expect(await rest.get(`/rpc/varied_arguments?${QUERY}`)).toMatchReply({ status: 200, json: result });
    });

    test('as texts of a form', async () => {
      expect(await rest.post('/rpc/varied_arguments', QUERY, FORM)).toMatchReply({ status: 200, json: result });
    });

    test('as JSON', async () => {
      expect(await rest.post('/rpc/varied_arguments', { ...result, date: '20190101', money: '$75.95' })).toMatchReply({
        status: 200,
        json: result,
      });
      expect(
        await rest.post('/rpc/varied_arguments', { ...result, double: '3.1', arr: '{a,b,"c\\"d"}', integer: '43' }),
      ).toMatchReply({ status: 200, json: result });
    });

    test('as CSV, whose header names no parameter, they are not found, and no function gets the rows whole', async () => {
      const csv = { 'content-type': 'text/csv' };
      expect(await rest.post('/rpc/unnamed_json_param', 'a,b\n1,2', csv)).toMatchReply(
        notFound('unnamed_json_param(a, b)', 'unnamed_json_param with parameters a, b'),
      );
      // JSON with the same keys is another matter.
      expect(await rest.post('/rpc/unnamed_json_param', [{ a: 1, b: 2 }])).toMatchReply({ json: [{ a: 1, b: 2 }] });
      expect(await rest.post('/rpc/unnamed_json_param', 'a,b\n1,2', csv)).toMatchReply({ status: 404 });
    });

    test('as CSV', async () => {
      expect(
        await rest.post(
          '/rpc/varied_arguments',
          'double,varchar,boolean,date,money,enum,arr\n3.1,hello,t,2019-01-01,1.50,ok,"{a,b}"',
          {
            'content-type': 'text/csv',
          },
        ),
      ).toMatchReply({
        json: { ...result, money: '$1.50', arr: ['a', 'b'], integer: 42, json: {}, jsonb: {} },
      });
    });

    test('null comes from JSON alone', async () => {
      expect(await rest.post('/rpc/sayhello', { name: null })).toMatchReply({ status: 200, text: 'null' });
      expect(await rest.get('/rpc/sayhello?name=null')).toMatchReply({ json: 'Hello, null' });
    });

    test('JSON arguments keep what they are', async () => {
      expect(await rest.post('/rpc/json_argument', { arg: { a: 1 } })).toMatchReply({ json: 'object' });
      expect(await rest.post('/rpc/json_argument', { arg: '{"a":1}' })).toMatchReply({ json: 'string' });
      expect(await rest.post('/rpc/json_argument', { arg: [1] })).toMatchReply({ json: 'array' });
      expect(await rest.get('/rpc/json_argument?arg=%7B%22a%22:1%7D')).toMatchReply({ json: 'object' });
      expect(await rest.get('/rpc/json_argument?arg=%22x%22')).toMatchReply({ json: 'string' });
    });

    test('composites', async () => {
      expect(await rest.post('/rpc/composite_argument', { point: { x: 1, y: 2 } })).toMatchReply({ text: '3' });
      expect(await rest.post('/rpc/composite_argument', { point: '(1,2)' })).toMatchReply({ text: '3' });
      expect(await rest.get('/rpc/composite_argument?point=(1,2)')).toMatchReply({ text: '3' });
    });

    test('a length in the type of a parameter cuts nothing off', async () => {
      for (const reply of [
        await rest.get('/rpc/char_param?code=abcdefgh'),
        await rest.post('/rpc/char_param', { code: 'abcdefgh' }),
        await rest.post('/rpc/char_param', 'code=abcdefgh', FORM),
      ]) {
        expect(reply).toMatchReply({ status: 200, json: 'abcdefgh' });
      }
      for (const reply of [
        await rest.get('/rpc/bit_param?bits=10101010'),
        await rest.post('/rpc/bit_param', { bits: '10101010' }),
      ]) {
        expect(reply).toMatchReply({ status: 200, json: '10101010' });
      }
    });

    test('what does not fit is the database error it is', async () => {
      expect(await rest.get('/rpc/add_them?a=x&b=2')).toMatchReply(
        failure(400, '22P02', 'invalid input syntax for type integer: "x"'),
      );
      expect(await rest.post('/rpc/add_them', { a: 'x', b: 2 })).toMatchReply(
        failure(400, '22P02', 'invalid input syntax for type integer: "x"'),
      );
      expect(await rest.get('/rpc/ret_enum?val=dizzy')).toMatchReply(
        failure(400, '22P02', 'invalid input value for enum mood: "dizzy"'),
      );
    });
  });

  describe('defaults', () => {
    test.each([
      ['', 6],
      ['a=10', 15],
      ['b=20', 24],
      ['c=30&a=10', 42],
      ['c=30&b=20&a=10', 60],
    ])('?%s', async (query, sum) => {
      expect(await rest.get(`/rpc/three_defaults?${query}`)).toMatchReply({ status: 200, text: String(sum) });
      expect(await rest.post('/rpc/three_defaults', Object.fromEntries(new URLSearchParams(query)))).toMatchReply({
        text: String(sum),
      });
    });

    test('a null that was sent is no default', async () => {
      expect(await rest.post('/rpc/three_defaults', { a: null })).toMatchReply({ text: 'null' });
    });
  });

  describe('repeated names', () => {
    test('collect for a variadic parameter, in order', async () => {
      expect(await rest.get('/rpc/variadic_param?v=hi&v=there,you&v=%22q%22&v=&v=%7Bx%7D')).toMatchReply({
        json: ['hi', 'there,you', '"q"', '', '{x}'],
      });
      expect(await rest.post('/rpc/variadic_param', 'v=hi&v=there', FORM)).toMatchReply({ json: ['hi', 'there'] });
      expect(await rest.get('/rpc/variadic_param?v=NULL&v=a%5Cb')).toMatchReply({ json: ['NULL', 'a\\b'] });
      expect(await rest.get('/rpc/variadic_param')).toMatchReply({ json: [] });
    });

    test('beside other parameters', async () => {
      expect(await rest.get('/rpc/sayhello_variadic?v=x&name=J&v=y')).toMatchReply({ json: 'Hello, Jxy' });
    });

    test('in JSON a variadic parameter is an array', async () => {
      expect(await rest.post('/rpc/variadic_param', { v: ['hi', 'there'] })).toMatchReply({ json: ['hi', 'there'] });
      expect(await rest.post('/rpc/variadic_param', { v: '{hi,there}' })).toMatchReply({ json: ['hi', 'there'] });
      expect(await rest.post('/rpc/variadic_param', {})).toMatchReply({ json: [] });
    });

    test('for any other the last one counts', async () => {
      expect(await rest.get('/rpc/sayhello?name=A&name=B')).toMatchReply({ json: 'Hello, B' });
    });
  });

  describe('a value that looks like a filter is one', () => {
    test('and then the argument is missing', async () => {
      expect(await rest.get('/rpc/sayhello?name=eq.x')).toMatchReply(
        notFound('sayhello without parameters', 'sayhello without parameters'),
      );
    });

    test.each([
      ['in.x', 'failed to parse filter (in.x)" (line 1, column 4)', 'unexpected "x" expecting "("'],
      [
        'not.x',
        'failed to parse filter (not.x)" (line 1, column 5)',
        'unexpected "x" expecting operator (eq, gt, ...)',
      ],
    ])('%s begins as one and is none', async (value, message, details) => {
      expect(await rest.get(`/rpc/sayhello?name=${value}`)).toMatchReply(
        failure(400, 'SVRST100', `"${message}`, { details }),
      );
    });

    test('dots alone make none', async () => {
      for (const value of ['a.b.c', 'e.q', 'eqx.y', 'is', '.', 'lt']) {
        expect(await rest.get(`/rpc/sayhello?name=${value}`)).toMatchReply({ status: 200, json: `Hello, ${value}` });
      }
    });
  });

  test('names that control a query must be quoted there, and are names like any other in a body', async () => {
    expect(await rest.get('/rpc/reserved_words?%22limit%22=5&%22order%22=x')).toMatchReply({ json: '5xs' });
    expect(await rest.get('/rpc/reserved_words?limit=5')).toMatchReply({ status: 404 });
    expect(await rest.post('/rpc/reserved_words', { limit: 5, select: 'y' })).toMatchReply({ json: '5oy' });
    expect(await rest.post('/rpc/reserved_words', 'limit=5&order=x', FORM)).toMatchReply({ json: '5xs' });
  });

  describe('the body as the one unnamed argument', () => {
    const send = (name: string, type: string | undefined, body: unknown): Promise<Reply> =>
      rest.post(`/rpc/${name}`, body, type === undefined ? {} : { 'content-type': type });

    test('json', async () => {
      expect(await send('unnamed_json_param', undefined, '{"A": 1,  "B": [2]}')).toMatchReply({
        status: 200,
        text: '{"A": 1,  "B": [2]}',
      });
      expect(await send('unnamed_json_param', 'application/json', '[{"a":1},{"a":2}]')).toMatchReply({
        text: '[{"a":1},{"a":2}]',
      });
      expect(await send('unnamed_json_param', undefined, '')).toMatchReply({ text: '{}' });
      expect(await send('unnamed_json_param', undefined, '{"A"')).toMatchReply(badBody('Empty or invalid json'));
      expect(await send('unnamed_json_param', undefined, '[1,2]')).toMatchReply(badBody('All object keys must match'));
    });

    test('text', async () => {
      expect(await send('unnamed_text_param', 'text/plain', 'some "text"\n\u00e9')).toMatchReply({
        json: 'some "text"\n\u00e9',
      });
      expect(await send('unnamed_text_param', 'text/plain; charset=utf-8', '')).toMatchReply({ json: '' });
    });

    test('xml', async () => {
      expect(await send('unnamed_xml_param', 'text/xml', '<a>1</a>')).toMatchReply({ json: '<a>1</a>' });
      expect(await send('unnamed_xml_param', 'text/xml', '<a')).toMatchReply({
        status: 400,
        headers: { 'proxy-status': 'Survest; error=2200N' },
      });
    });

    test('bytea', async () => {
      expect(
        await send('unnamed_bytea_param', 'application/octet-stream', Buffer.from('00ff5c7827', 'hex')),
      ).toMatchReply({
        json: '00ff5c7827',
      });
    });

    test('only by the type that fits', async () => {
      expect(await send('unnamed_text_param', 'application/octet-stream', 'x')).toMatchReply(
        notFound('unnamed_text_param', 'unnamed_text_param with a single unnamed bytea parameter'),
      );
      expect(await send('unnamed_bytea_param', 'text/plain', 'x')).toMatchReply(
        notFound('unnamed_bytea_param', 'unnamed_bytea_param with a single unnamed text parameter'),
      );
      expect(await send('unnamed_text_param', 'text/xml', 'x')).toMatchReply(
        notFound('unnamed_text_param', 'unnamed_text_param with a single unnamed xml parameter'),
      );
      expect(await send('unnamed_text_param', undefined, { a: 1, b: 2 })).toMatchReply(
        notFound(
          'unnamed_text_param(a, b)',
          'unnamed_text_param with parameters a, b or with a single unnamed json/jsonb parameter',
        ),
      );
      expect(await send('add_them', 'text/plain', 'x')).toMatchReply(
        notFound('add_them', 'add_them with a single unnamed text parameter'),
      );
      expect(await send('ret_setof_integers', 'text/plain', '')).toMatchReply(
        notFound('ret_setof_integers', 'ret_setof_integers with a single unnamed text parameter'),
      );
    });

    test('never by GET, whatever its Content-Type says', async () => {
      for (const name of ['unnamed_text_param', 'unnamed_json_param']) {
        expect(await rest.get(`/rpc/${name}`, { 'content-type': 'text/plain' })).toMatchReply({ status: 404 });
      }
      expect(await rest.get('/rpc/unnamed_json_param?a=1')).toMatchReply(
        notFound('unnamed_json_param(a)', 'unnamed_json_param with parameter a'),
      );
    });

    test('never for a parameter that has a name', async () => {
      expect(await send('named_json_param', undefined, { other: 5 })).toMatchReply(
        notFound(
          'named_json_param(other)',
          'named_json_param with parameter other or with a single unnamed json/jsonb parameter',
        ),
      );
      expect(await send('named_json_param', undefined, { data: { a: 5 } })).toMatchReply({ text: '{"a":5}' });
    });
  });

  describe('overloads', () => {
    test('are told apart by the names of the arguments', async () => {
      expect(await rest.get('/rpc/overloaded')).toMatchReply({ text: '[1, 2, 3]' });
      expect(await rest.get('/rpc/overloaded?a=1&b=2')).toMatchReply({ text: '3' });
      expect(await rest.get('/rpc/overloaded?a=1&b=2&c=3')).toMatchReply({ text: '"123"' });
      expect(await rest.post('/rpc/overloaded', {})).toMatchReply({ text: '[1, 2, 3]' });
      expect(await rest.post('/rpc/overloaded', { a: 1, b: 2 })).toMatchReply({ text: '3' });
      expect(await rest.post('/rpc/overloaded', 'a=1&b=2&c=3', FORM)).toMatchReply({ text: '"123"' });
    });

    test('what fits no names goes to the one that takes the body', async () => {
      expect(await rest.post('/rpc/overloaded', { x: 1, y: '1' })).toMatchReply({ text: '{"x":1,"y":"1"}' });
      expect(await rest.post('/rpc/overloaded_unnamed_and_named', { x: 1, y: 2 })).toMatchReply({ json: 'named' });
      expect(await rest.post('/rpc/overloaded_unnamed_and_named', { x: 1 })).toMatchReply({ json: 'unnamed' });
    });

    test('with defaults', async () => {
      expect(await rest.get('/rpc/overloaded_default')).toMatchReply({ json: 'Code w7' });
      expect(await rest.get('/rpc/overloaded_default?opt_param=x')).toMatchReply({ json: 'x' });
      expect(await rest.get('/rpc/overloaded_default?must_param=5')).toMatchReply({ json: 5 });
      expect(await rest.get('/rpc/overloaded_default?a=5')).toMatchReply({ json: 'Design IOS5' });
      expect(await rest.get('/rpc/overloaded_default?a=5&opt_param=x')).toMatchReply({ json: 'x5' });
    });

    test('that differ in types alone cannot be told apart', async () => {
      const both = ambiguous('test.overloaded_same_args(arg => integer), test.overloaded_same_args(arg => text)');
      expect(await rest.get('/rpc/overloaded_same_args?arg=1')).toMatchReply(both);
      expect(await rest.post('/rpc/overloaded_same_args', { arg: 1 })).toMatchReply(both);
      expect(await rest.get('/rpc/overloaded_same_args?num=1')).toMatchReply({ json: '1' });
      // In the order of their types' names, whichever was created first.
      expect(await rest.get('/rpc/overloaded_by_type?a=1')).toMatchReply(
        ambiguous(
          'test.overloaded_by_type(a => bigint), test.overloaded_by_type(a => integer), test.overloaded_by_type(a => text)',
        ),
      );
      expect(await rest.post('/rpc/overloaded_unnamed', { a: 1 })).toMatchReply(
        ambiguous('test.overloaded_unnamed( => json), test.overloaded_unnamed( => jsonb)'),
      );
    });
  });

  describe('the argument named ""', () => {
    test.each([
      ['unnamed_text_param', 'foo', 'foo'],
      ['unnamed_text_param', 5, '5'],
      ['unnamed_json_param', { a: [1] }, { a: [1] }],
      ['unnamed_xml_param', '<a/>', '<a/>'],
      ['unnamed_bytea_param', '\\x0aff', '0aff'],
      ['unnamed_integer_param', 7, 7],
      ['unnamed_row_param', { id: 3, name: 'row' }, '3 row'],
      ['unnamed_array_param', [1, 2, 3], 6],
      ['unnamed_variadic_param', [1, 2, 3], 6],
      ['unnamed_text_param', null, null],
    ])('is the one unnamed parameter of %s', async (name, argument, json) => {
      expect(await rest.post(`/rpc/${name}`, { '': argument })).toMatchReply({ status: 200, json });
      expect(await rest.post(`/rpc/${name}`, [{ '': argument }])).toMatchReply({ status: 200, json });
    });

    test.each([
      ['unnamed_text_param?=foo', 'foo'],
      ['unnamed_text_param?=eq.foo', 'eq.foo'],
      ['unnamed_integer_param?=7', 7],
      ['unnamed_array_param?=%7B1,2%7D', 3],
      ['unnamed_variadic_param?=1&=2', 3],
    ])('may stand in a query: GET /rpc/%s', async (target, json) => {
      expect(await rest.get(`/rpc/${target}`)).toMatchReply({ status: 200, json });
    });

    test('may come as a form or as CSV', async () => {
      expect(await rest.post('/rpc/unnamed_integer_param', '=7', FORM)).toMatchReply({ status: 200, json: 7 });
      expect(await rest.post('/rpc/unnamed_integer_param', '""\n7', { 'content-type': 'text/csv' })).toMatchReply({
        status: 200,
        json: 7,
      });
    });

    test('chooses among overloads', async () => {
      expect(await rest.post('/rpc/unnamed_or_none', { '': 'foo' })).toMatchReply({ json: 'text foo' });
      expect(await rest.post('/rpc/unnamed_or_none', { '': true })).toMatchReply({ json: 'text true' });
      expect(await rest.post('/rpc/unnamed_or_none', {})).toMatchReply({ json: 'none' });
      expect(await rest.post('/rpc/unnamed_or_none', { a: 1 })).toMatchReply({ json: 'named 1' });
      expect(await rest.post('/rpc/overloaded_unnamed', { '': 1 })).toMatchReply(
        ambiguous('test.overloaded_unnamed( => json), test.overloaded_unnamed( => jsonb)'),
      );
    });

    test('may be left out where it has a default', async () => {
      expect(await rest.get('/rpc/unnamed_default_param')).toMatchReply({ json: 42 });
      expect(await rest.post('/rpc/unnamed_default_param', { '': 1 })).toMatchReply({ json: 1 });
    });

    test('is none of a function whose parameters have names', async () => {
      expect(await rest.post('/rpc/sayhello', { '': 'x' })).toMatchReply({ status: 404 });
      expect(await rest.post('/rpc/mixed_unnamed_param', { '': 'x', b: 1 })).toMatchReply({ status: 404 });
    });

    test('is needed where no whole body could be meant', async () => {
      expect(await rest.post('/rpc/unnamed_integer_param', 7)).toMatchReply({ status: 404 });
    });
  });

  describe('not found', () => {
    test.each([
      [
        '/rpc/add_them?a=1&b=2&smthelse=x',
        notFoundOf('add_them(a, b, smthelse)', 'add_them with parameters a, b, smthelse', 'add_them(a, b)'),
      ],
      ['/rpc/add_them?a=1', notFoundOf('add_them(a)', 'add_them with parameter a', 'add_them(a, b)')],
      ['/rpc/add_them', notFoundOf('add_them without parameters', 'add_them without parameters')],
      [
        '/rpc/add_them?b=1&z=2&a=1',
        notFoundOf('add_them(a, b, z)', 'add_them with parameters a, b, z', 'add_them(a, b)'),
      ],
      ['/rpc/sayhell?name=x', notFoundOf('sayhell(name)', 'sayhell with parameter name', 'sayhello')],
      ['/rpc/sayhello?nam=x', notFoundOf('sayhello(nam)', 'sayhello with parameter nam', 'sayhello(name)')],
      ['/rpc/xyzzy', notFoundOf('xyzzy without parameters', 'xyzzy without parameters')],
      ['/rpc/overloaded?a=1', notFoundOf('overloaded(a)', 'overloaded with parameter a', 'overloaded(a, b)')],
      ['/rpc/', notFoundOf(' without parameters', ' without parameters')],
    ])('GET %s', async (target, [asked, searched, hint]) => {
      expect(await rest.get(target)).toMatchReply(notFound(asked, searched, hint));
    });

    test.each([
      [
        '/rpc/add_them',
        { a: 1, b: 2, c: 3 },
        notFoundOf(
          'add_them(a, b, c)',
          'add_them with parameters a, b, c or with a single unnamed json/jsonb parameter',
          'add_them(a, b)',
        ),
      ],
      [
        '/rpc/add_them',
        {},
        notFoundOf(
          'add_them without parameters',
          'add_them without parameters or with a single unnamed json/jsonb parameter',
        ),
      ],
      [
        '/rpc/add_them',
        [],
        notFoundOf(
          'add_them without parameters',
          'add_them without parameters or with a single unnamed json/jsonb parameter',
        ),
      ],
      [
        '/rpc/sayhell',
        { name: 'x' },
        notFoundOf(
          'sayhell(name)',
          'sayhell with parameter name or with a single unnamed json/jsonb parameter',
          'sayhello',
        ),
      ],
    ])('POST %s %j', async (target, body, [asked, searched, hint]) => {
      expect(await rest.post(target, body)).toMatchReply(notFound(asked, searched, hint));
    });

    test('a form and a CSV body say what they can', async () => {
      expect(await rest.post('/rpc/add_them', 'a=1', FORM)).toMatchReply({
        status: 404,
        headers: { 'proxy-status': 'Survest; error=SVRST202' },
      });
      expect(await rest.post('/rpc/add_them', 'a\n1', { 'content-type': 'text/csv' })).toMatchReply({ status: 404 });
    });

    test('a table is no function', async () => {
      expect(await rest.get('/rpc/items')).toMatchReply({ status: 404 });
    });
  });
});

function notFoundOf(
  asked: string,
  searched: string,
  hint: string | null = null,
): readonly [string, string, string | null] {
  return [asked, searched, hint];
}
