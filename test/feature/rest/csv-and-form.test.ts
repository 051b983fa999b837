// Bodies that are not JSON: CSV with a header line, and the fields of a form.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { badBody, failure, unknownColumn } from './expected.ts';

onEachEngine('CSV and forms', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  const csv = (target: string, body: string, prefer = 'return=representation', method = 'POST'): Promise<Reply> =>
    rest.request(method, target, { body, headers: { 'content-type': 'text/csv', prefer } });
  const form = (target: string, body: string, prefer = 'return=representation', method = 'POST'): Promise<Reply> =>
    rest.request(method, target, {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', prefer },
    });

  describe('CSV', () => {
    test('a row for each line after the header', async () => {
      expect(await csv('/no_pk', 'a,b\nbar,baz\nNULL,foo')).toMatchReply({
        status: 201,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-range': '*/*',
          'preference-applied': 'return=representation',
        },
        json: [
          { a: 'bar', b: 'baz' },
          { a: null, b: 'foo' },
        ],
      });
    });

    test('CSV in, CSV out', async () => {
      const headers = { 'content-type': 'text/csv', accept: 'text/csv', prefer: 'return=representation' };
      expect(await rest.request('POST', '/no_pk', { body: 'a,b\n"x, y",z', headers })).toMatchReply({
        status: 201,
        headers: { 'content-type': 'text/csv; charset=utf-8', 'content-length': '12' },
        text: 'a,b\n"x, y",z',
      });
    });

    test.each([
      ['an empty cell is an empty text', 'a,b\n,x\n', { a: '', b: 'x' }],
      ['a quoted NULL is null too', 'a,b\n"NULL",NULL', { a: null, b: null }],
      ['null in small letters is a text', 'a,b\nnull,Null', { a: 'null', b: 'Null' }],
      ['blanks belong to the cell', 'a,b\n x , y', { a: ' x ', b: ' y' }],
      [
        'quotes hold commas, quotes and line ends',
        'a,b\r\n"1,\r\n2","say ""hi"""\r\n',
        { a: '1,\r\n2', b: 'say "hi"' },
      ],
      ['the header may be quoted', '"a","b"\n1,2', { a: '1', b: '2' }],
      ['columns in any order', 'b,a\n1,2', { a: '2', b: '1' }],
      ['some of the columns', 'b\n1', { a: null, b: '1' }],
      ['lines that end with a carriage return', 'a,b\r1,2\r', { a: '1', b: '2' }],
      ['a byte order mark', '\ufeffa,b\n1,2', { a: '1', b: '2' }],
      ['backslashes and control characters', 'a,b\n\\n\\,\t\u0001', { a: '\\n\\', b: '\t\u0001' }],
      ['other scripts', 'a,b\nموارد,😀', { a: 'موارد', b: '😀' }],
    ])('%s', async (_, body, row) => {
      expect(await csv('/no_pk', body)).toMatchReply({ status: 201, json: [row] });
    });

    test('cells are read as the column has them', async () => {
      expect(
        await csv(
          '/all_types?select=id,a_boolean,a_numeric,some_integers,a_jsonb,a_date',
          'id,a_boolean,a_numeric,some_integers,a_jsonb,a_date\n60,t,1.5,"{1,2}","{""a"":1}",2024-01-31',
        ),
      ).toMatchReply({
        status: 201,
        json: [
          { id: 60, a_boolean: true, a_numeric: 1.5, some_integers: [1, 2], a_jsonb: '{"a":1}', a_date: '2024-01-31' },
        ],
      });
    });

    test('a header alone is no row', async () => {
      expect(await csv('/no_pk', 'a,b\n')).toMatchReply({ status: 201, text: '[]' });
      expect(await csv('/no_pk', 'a,b')).toMatchReply({ status: 201, text: '[]' });
    });

    test.each([
      ['too few fields', 'k,extra\nkept,x\nshort'],
      ['too many fields', 'k,extra\nkept,x\na,b,c'],
      ['a line of one empty quoted field', 'k,extra\nkept,x\n""'],
    ])('lines of different length are refused, and none is written: %s', async (_, body) => {
      expect(await csv('/simple_pk', body)).toMatchReply(badBody('All lines must have same number of fields'));
      expect(await rest.get('/simple_pk?k=eq.kept')).toMatchReply({ json: [] });
    });

    test.each([
      ['', 'The csv has no header line'],
      ['\n\n', 'The csv has no header line'],
      ['k,extra\na,"b', 'The csv has an unclosed quote, opened in line 2'],
      ['k,extra\na,"b"c', 'The csv has text after a closing quote in line 2'],
    ])('%j is no CSV', async (body, message) => {
      expect(await csv('/simple_pk', body)).toMatchReply(badBody(message));
    });

    test('an unknown column', async () => {
      expect(await csv('/simple_pk', 'k,nope\na,b')).toMatchReply(unknownColumn('simple_pk', 'nope'));
    });

    test('columns says which of them are written', async () => {
      expect(await csv('/simple_pk?columns=k,extra', 'k,extra,more\ncsv1,b,c')).toMatchReply({
        status: 201,
        json: [{ k: 'csv1', extra: 'b' }],
      });
    });

    test('a refused row takes the others with it', async () => {
      expect(await csv('/simple_pk', 'k,extra\ncsv2,x\ncsv3,NULL')).toMatchReply(
        failure(400, '23502', 'null value in column "extra" of relation "simple_pk" violates not-null constraint', {
          details: 'Failing row contains (csv3, null).',
        }),
      );
      expect(await rest.get('/simple_pk?k=eq.csv2')).toMatchReply({ json: [] });
    });

    test('upserts, updates and puts', async () => {
      await db().query("insert into test.shelves (id, label) values (100, 'old')");
      expect(
        await csv(
          '/shelves?select=id,label',
          'id,label\n100,new\n101,added',
          'return=representation, resolution=merge-duplicates',
        ),
      ).toMatchReply({
        status: 201,
        json: [
          { id: 100, label: 'new' },
          { id: 101, label: 'added' },
        ],
      });
      expect(
        await csv('/shelves?id=eq.100&select=id,label', 'label\nnewer', 'return=representation', 'PATCH'),
      ).toMatchReply({
        status: 200,
        json: [{ id: 100, label: 'newer' }],
      });
      expect(
        await csv('/shelves?id=eq.102&select=id,label', 'id,label\n102,put', 'return=representation', 'PUT'),
      ).toMatchReply({
        status: 201,
        json: [{ id: 102, label: 'put' }],
      });
    });
  });

  describe('a form', () => {
    test('is one row of texts', async () => {
      expect(await form('/no_pk', 'a=b+c%20d&b=%2B%26%3D')).toMatchReply({
        status: 201,
        headers: { 'preference-applied': 'return=representation' },
        json: [{ a: 'b c d', b: '+&=' }],
      });
    });

    test('has no null: the word is a text', async () => {
      expect(await form('/no_pk', 'a=NULL&b=null')).toMatchReply({ json: [{ a: 'NULL', b: 'null' }] });
    });

    test('of a repeated field the last value counts', async () => {
      expect(await form('/no_pk', 'a=1&b=2&a=3')).toMatchReply({ json: [{ a: '3', b: '2' }] });
    });

    test('a field without a value is an empty text', async () => {
      expect(await form('/no_pk', 'a&b=')).toMatchReply({ json: [{ a: '', b: '' }] });
    });

    test('no field at all is a row of defaults', async () => {
      expect(await form('/receipts?select=label', '')).toMatchReply({ status: 201, json: [{ label: null }] });
    });

    test('is read as the columns have it', async () => {
      expect(
        await form('/all_types?select=id,a_boolean,some_integers', 'id=61&a_boolean=yes&some_integers=%7B1,2%7D'),
      ).toMatchReply({
        status: 201,
        json: [{ id: 61, a_boolean: true, some_integers: [1, 2] }],
      });
      expect(await form('/items', 'id=abc')).toMatchReply(
        failure(400, '22P02', 'invalid input syntax for type bigint: "abc"'),
      );
    });

    test('an unknown field', async () => {
      expect(await form('/no_pk', 'a=1&nope=2')).toMatchReply(unknownColumn('no_pk', 'nope'));
    });

    test('inserts say where the row is', async () => {
      expect(await form('/simple_pk', 'k=form1&extra=x', 'return=headers-only')).toMatchReply({
        status: 201,
        headers: { location: '/simple_pk?k=eq.form1' },
        text: '',
      });
    });

    test('upserts, updates and puts', async () => {
      await db().query("insert into test.shelves (id, label) values (110, 'old')");
      expect(
        await form(
          '/shelves?select=id,label',
          'id=110&label=new',
          'return=representation, resolution=merge-duplicates',
        ),
      ).toMatchReply({ status: 200, json: [{ id: 110, label: 'new' }] });
      expect(
        await form('/shelves?id=eq.110&select=id,label', 'label=newer', 'return=representation', 'PATCH'),
      ).toMatchReply({
        status: 200,
        json: [{ id: 110, label: 'newer' }],
      });
      expect(
        await form('/shelves?id=eq.111&select=id,label', 'id=111&label=put', 'return=representation', 'PUT'),
      ).toMatchReply({
        status: 201,
        json: [{ id: 111, label: 'put' }],
      });
    });
  });
});
