// Which columns, under which names, in which types.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { headerOf } from '../../testkit/reply-matcher.ts';
import { ids, problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('select', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  describe('columns', () => {
    test.each([
      ['all by default', '/clients?id=eq.1', { id: 1, name: 'Harbour Office' }],
      ['all by a star', '/clients?id=eq.1&select=*', { id: 1, name: 'Harbour Office' }],
      ['all by nothing', '/clients?id=eq.1&select=', { id: 1, name: 'Harbour Office' }],
      ['some', '/clients?id=eq.1&select=name', { name: 'Harbour Office' }],
      ['with blanks', '/clients?id=eq.1&select=%20id%20,%20name%20', { id: 1, name: 'Harbour Office' }],
      ['aliased', '/clients?id=eq.1&select=key:id,title:name', { key: 1, title: 'Harbour Office' }],
      ['aliased with a quoted name', '/clients?id=eq.1&select=%22a%20%5C%22b%5C%22%22:id', { 'a "b"': 1 }],
      ['the same one twice under two names', '/clients?id=eq.1&select=id,key:id', { id: 1, key: 1 }],
      ['cast', '/clients?id=eq.1&select=id::text', { id: '1' }],
      ['cast and aliased', '/clients?id=eq.1&select=key:id::text', { key: '1' }],
      ['cast to a type of two words', '/clients?id=eq.1&select=id::double%20precision', { id: 1 }],
      ['cast to an array type by its own name', '/places?id=eq.1&select=languages::_text', { languages: ['en', 'ar'] }],
      ['cast to a type of the schema', '/chores?id=eq.1&select=id::positive', { id: 1 }],
      ['a star beside others', '/items?id=eq.1&select=*,key:id', { id: 1, key: 1 }],
      [
        'quoted',
        '/odd_columns?id=eq.1&select="information.cpe","limit","a,b"',
        { 'information.cpe': 'cpe:/o:ms', limit: 5, 'a,b': 'cm' },
      ],
      [
        'quoted, with signs of the syntax',
        '/odd_columns?id=eq.1&select="(parens)","arrow->here","::cast","!bang"',
        { '(parens)': 'pa', 'arrow->here': 'ar', '::cast': 'ca', '!bang': 'ba' },
      ],
      [
        'named like parameters, unquoted',
        '/odd_columns?id=eq.1&select=limit,order,and,or,select,columns',
        { limit: 5, order: 'first', and: 'x', or: 'y', select: 's', columns: 'c' },
      ],
      ['with a dash', '/complex_items?id=eq.1&select=field-with_sep', { 'field-with_sep': 1 }],
      ['with dollars', '/do$llar$s?a$num$=eq.100&select=a$num$', { a$num$: 100 }],
      [
        'in another script',
        '/%D9%85%D9%88%D8%A7%D8%B1%D8%AF?%D9%87%D9%88%DB%8C%D8%AA=eq.1&select=%D9%86%D8%A7%D9%85',
        { نام: 'یک' },
      ],
      [
        'named as JavaScript would not like it',
        '/%3Cscript%3E?select=$ref,__proto__,constructor,toJSON',
        JSON.parse('{"$ref":"r","__proto__":"p","constructor":"c","toJSON":"j"}'),
      ],
      ['the first select counts', '/clients?id=eq.1&select=id&select=name', { id: 1 }],
      [
        'what stands behind a complete list does not',
        "/projects?id=eq.1&select=id,clients(id)'",
        { id: 1, clients: { id: 1 } },
      ],
    ])('%s', async (_, target, row) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json: [row] });
    });

    test('come in the order asked for, embeds last', async () => {
      expect(await rest.get('/projects?id=eq.1&select=clients(id),name,id')).toMatchReply({
        text: '[{"name":"Quay Wall","id":1,"clients":{"id":1}}]',
      });
    });

    test('of one name are all shown', async () => {
      expect(await rest.get('/clients?id=eq.1&select=id,id')).toMatchReply({ text: '[{"id":1,"id":1}]' });
    });

    test('may have the names that the statement uses for itself', async () => {
      const row = { t: 1, count: 2, body: 'b', source: 3, row_to_json: 4 };
      expect(await rest.get('/internal_names')).toMatchReply({ json: [row] });
      expect(await rest.get('/internal_names?select=t,count,body&order=count&count=eq.2')).toMatchReply({
        json: [{ t: 1, count: 2, body: 'b' }],
      });
    });
  });

  describe('names that hide others in SQL', () => {
    const shadow = {
      id: 1,
      kind: 1,
      r: 'r',
      v: 'v',
      h: 'h',
      k: 'k',
      total: 3,
      page: 4,
      headers: 'he',
      status: 'st',
      location: 'lo',
      shadows: 'self',
    };

    test('rows', async () => {
      expect(await rest.get('/shadows?id=eq.1')).toMatchReply({ status: 200, json: [shadow] });
    });

    test('embeds, both ways', async () => {
      expect(await rest.get('/shadows?id=eq.1&select=id,shadow_kinds(r,v)')).toMatchReply({
        json: [{ id: 1, shadow_kinds: { r: 'kind r', v: 'kind v' } }],
      });
      expect(await rest.get('/shadow_kinds?select=id,shadows(*)')).toMatchReply({
        json: [{ id: 1, shadows: [shadow] }],
      });
      expect(await rest.get('/shadow_kinds?select=r,shadows(id)')).toMatchReply({
        json: [{ r: 'kind r', shadows: [{ id: 1 }] }],
      });
    });

    test('spreads', async () => {
      expect(await rest.get('/shadow_kinds?select=id,...shadows(r,v)')).toMatchReply({
        json: [{ id: 1, r: ['r'], v: ['v'] }],
      });
      expect(await rest.get('/shadows?id=eq.1&select=...shadow_kinds(r,s1:shadows(id))')).toMatchReply({
        json: [{ r: 'kind r', s1: [{ id: 1 }] }],
      });
    });

    test('functions of the row', async () => {
      expect(await rest.get('/shadows?select=id,darker(r)&order=id')).toMatchReply({
        json: [
          { id: 1, darker: { r: 'kind r' } },
          { id: 2, darker: null },
        ],
      });
      expect(await rest.get('/shadow_kinds?select=id,brighter(id,darker(id))')).toMatchReply({
        json: [{ id: 1, brighter: [{ id: 1, darker: { id: 1 } }] }],
      });
    });

    test('of tables', async () => {
      expect(await rest.get('/clients_1?select=id,clients(id,clients_1(id))')).toMatchReply({
        json: [{ id: 1, clients: { id: 1, clients_1: [{ id: 1 }] } }],
      });
      expect(await rest.get('/clients_1_1?select=id,clients(id,clients_1_1(id))')).toMatchReply({
        json: [{ id: 1, clients: { id: 2, clients_1_1: [{ id: 1 }] } }],
      });
      expect(await rest.get('/clients_1_1?select=id,...clients(name)')).toMatchReply({
        json: [{ id: 1, name: 'City Museum' }],
      });
    });

    test('of tables, as long as they can be', async () => {
      const long = 'a_name_that_is_as_long_as_the_name_of_any_table_can_ever_be_now';
      const target = `/${long}?id=eq.2&select=id,parent(id,parent(id)),kids:${long}(id,${long}(id)),...parent(up:id)`;
      expect(await rest.get(target)).toMatchReply({
        status: 200,
        json: [{ id: 2, parent: { id: 1, parent: null }, kids: [{ id: 3, [long]: [] }], up: 1 }],
      });
    });

    test('CSV', async () => {
      expect(await rest.get('/shadows?select=id,h,k&order=id', { accept: 'text/csv' })).toMatchReply({
        text: 'id,h,k\n1,h,k\n2,,',
      });
    });
  });

  describe('values', () => {
    test('of every type, as PostgreSQL makes JSON of them', async () => {
      const row = await rest.get('/all_types?id=eq.1');
      expect(row).toMatchReply({
        status: 200,
        json: [
          {
            id: 1,
            a_boolean: true,
            a_smallint: 1,
            a_bigint: expect.any(Number),
            a_numeric: 12.34,
            a_real: 1.5,
            a_double: 2.25,
            a_money: '$3.99',
            a_text: 'text',
            a_varchar: 'varchar',
            a_char: 'char ',
            a_bytea: '\\x48690a',
            a_uuid: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
            a_date: '2024-01-31',
            a_time: '10:20:30',
            a_timetz: '10:20:30+02',
            a_timestamp: '2024-01-31T10:20:30',
            a_timestamptz: '2024-01-31T10:20:30+00:00',
            an_interval: '1 day 02:03:00',
            a_json: { b: 1, a: [true, null] },
            a_jsonb: { a: [true, null], b: 1 },
            an_xml: '<p>x</p>',
            an_inet: '192.168.0.1/24',
            a_cidr: '192.168.0.0/24',
            a_macaddr: '08:00:2b:01:02:03',
            a_bit: '10101',
            a_varbit: '101',
            a_tsvector: "'a':1 'cat':3 'fat':2",
            a_point: '(1,2)',
            an_int4range: '[10,20)',
            a_numrange: '[1.5,2.5]',
            a_daterange: '[2024-01-01,2024-02-01)',
            a_multirange: '{[1,3),[5,8)}',
            some_integers: [1, 2, 3],
            some_texts: ['plain', 'with,comma', 'with "quotes"', null],
            a_matrix: [
              [1, 2],
              [3, 4],
            ],
            a_mood: 'happy',
            some_moods: ['sad', 'ok'],
            an_email: 'a@example.com',
            an_address: { street: '1 Quay Street', city: 'Harbour', 'zip code': '12-345' },
          },
        ],
      });
    });

    test('pass through byte for byte: no number is rounded, no JSON rewritten', async () => {
      expect(await rest.get('/all_types?id=eq.1&select=a_bigint,a_numeric,a_json')).toMatchReply({
        text: '[{"a_bigint":9007199254740993,"a_numeric":12.3400,"a_json":{"b": 1,  "a": [true, null]}}]',
      });
    });

    test('that are null', async () => {
      const reply = await rest.get('/all_types?id=eq.2&select=id,a_text,a_json,some_texts,an_address');
      expect(reply).toMatchReply({
        json: [{ id: 2, a_text: null, a_json: null, some_texts: null, an_address: null }],
      });
    });
  });

  describe('the canonical address', () => {
    test.each([
      ['/items', '/items'],
      ['/items?', '/items'],
      ['/no_pk?b=eq.1&a=eq.1', '/no_pk?a=eq.1&b=eq.1'],
      ['/items?order=id&limit=1&id=gt.3&id=lt.6', '/items?id=gt.3&id=lt.6&limit=1&order=id'],
      ['/villagers?first_name=like.O*&select=id', '/villagers?first_name=like.O%2A&select=id'],
      ['/w_or_wo_comma_names?name=eq.David+White', '/w_or_wo_comma_names?name=eq.David%20White'],
      ['/items?id=eq.1&flag', '/items?id=eq.1'],
      ['/Server%20Today?limit=1', '/Server%20Today?limit=1'],
      [
        '/%D9%85%D9%88%D8%A7%D8%B1%D8%AF?%D9%87%D9%88%DB%8C%D8%AA=eq.1',
        '/%D9%85%D9%88%D8%A7%D8%B1%D8%AF?%D9%87%D9%88%DB%8C%D8%AA=eq.1',
      ],
    ])('%s', async (target, location) => {
      const reply = await rest.get(target);
      expect([reply.status, headerOf(reply, 'content-location')]).toEqual([200, location]);
      expect((await rest.get(location)).body).toEqual(reply.body);
    });
  });

  describe('what is no select', () => {
    test.each([
      ['name::', 7, 'unexpected end of input expecting letter or digit'],
      [
        'id,clients(name[])',
        16,
        `unexpected '[' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input`,
      ],
      ['id.foo()', 4, 'unexpected "f" expecting "sum", "avg", "count", "max" or "min"'],
      ['id::text[]', expect.any(Number), expect.stringMatching(/^unexpected/)],
      ['id::varchar(3)', expect.any(Number), expect.stringMatching(/^unexpected/)],
      ['id,', expect.any(Number), expect.stringMatching(/^unexpected end of input/)],
      [',id', expect.any(Number), expect.stringMatching(/^unexpected/)],
      ['clients(', expect.any(Number), expect.stringMatching(/^unexpected end of input/)],
      ['clients(id', expect.any(Number), expect.stringMatching(/^unexpected end of input/)],
      ['a:b:c', expect.any(Number), expect.stringMatching(/^unexpected/)],
      ['"id', expect.any(Number), expect.stringMatching(/^unexpected end of input/)],
      ['data->a(id)', expect.any(Number), expect.stringMatching(/^unexpected/)],
      ['x:...clients(id)', expect.any(Number), expect.stringMatching(/^unexpected/)],
      ['clients!(id)', expect.any(Number), expect.stringMatching(/^unexpected/)],
    ])('%s', async (select, column, details) => {
      const at = typeof column === 'number' ? String(column) : '\\d+';
      const shown = select.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      expect(await rest.get(`/projects?select=${select}`)).toMatchReply({
        status: 400,
        json: problem(
          'SVRST100',
          expect.stringMatching(`^"failed to parse select parameter \\(${shown}\\)" \\(line 1, column ${at}\\)$`),
          details,
        ),
      });
    });

    test.each([
      ['/clients?select=missing', '42703', 'column clients.missing does not exist'],
      ['/clients?select=id::nope', '42704', 'type "nope" does not exist'],
      // A dollar that could open a quoted text is part of a name.
      ['/clients?select=id::$$', '42704', 'type "$$" does not exist'],
      ['/clients?select=id::text%20$a$,"$a$)%20--":name', '42704', 'type "text $a$" does not exist'],
      ['/clients?select=id::1', '42704', 'type "1" does not exist'],
      ['/clients?select=name::integer', '22P02', 'invalid input syntax for type integer: "Harbour Office"'],
      ['/projects?select=id,clients(missing)', '42703', 'column clients_1.missing does not exist'],
    ])('%s is for the database to refuse', async (target, code, message) => {
      expect(await rest.get(target)).toMatchReply({ status: 400, json: problem(code, message) });
    });

    test('embeds in embeds in embeds have an end', async () => {
      const deep = `${'web_content('.repeat(200)}id${')'.repeat(200)}`;
      expect(await rest.get(`/web_content?select=${deep}`)).toMatchReply({
        status: 400,
        json: problem('SVRST100', expect.any(String), 'unexpected more than 100 levels of nesting'),
      });
    });
  });

  test('columns of a write are not looked at by a read, but must be names', async () => {
    expect(await rest.get('/items?id=eq.1&columns=whatever')).toMatchReply({ status: 200, json: ids(1) });
    expect(await rest.get('/items?columns=')).toMatchReply({
      status: 400,
      json: problem(
        'SVRST100',
        '"failed to parse columns parameter ()" (line 1, column 1)',
        'unexpected end of input expecting field name (* or [a..z0..9_$])',
      ),
    });
  });
});
