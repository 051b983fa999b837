// Which rows: one filter a parameter, `field=[not.]operator.value`.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { ids, problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('filters', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  test('one row by its key, the whole reply', async () => {
    expect(await rest.get('/items?id=eq.5')).toMatchReply({
      status: 200,
      headers: {
        'content-range': '0-0/*',
        'range-unit': 'items',
        'content-length': '10',
        'content-type': 'application/json; charset=utf-8',
        'content-location': '/items?id=eq.5',
        'preference-applied': null,
        location: null,
      },
      text: '[{"id":5}]',
    });
  });

  test('rows are set apart as json_agg sets them apart', async () => {
    expect(await rest.get('/items?id=lt.3&order=id')).toMatchReply({
      headers: { 'content-length': '22' },
      text: '[{"id":1}, \n {"id":2}]',
    });
  });

  describe('operators', () => {
    test.each([
      ['eq', '/items?id=eq.3', [3]],
      ['eq with nothing is the empty text', '/w_or_wo_comma_names?name=eq.&select=id:name', ['']],
      ['neq', '/chores?id=neq.2&select=id&order=id', [1, 3]],
      ['neq leaves nulls out', '/chores?done=neq.true&select=id', [2]],
      ['gt', '/items?id=gt.13&order=id', [14, 15]],
      ['gte', '/items?id=gte.14&order=id', [14, 15]],
      ['lt', '/items?id=lt.3&order=id', [1, 2]],
      ['lte', '/items?id=lte.2&order=id', [1, 2]],
      ['like, with stars', '/villagers?first_name=like.O*&select=id&order=id', [1, 2]],
      ['like, with percent signs', '/villagers?first_name=like.O%25&select=id&order=id', [1, 2]],
      ['like is case-sensitive', '/villagers?first_name=like.o*&select=id', []],
      ['like can escape a percent sign', '/villagers?first_name=like.*%5C%25*&select=id', [4]],
      ['ilike', '/villagers?first_name=ilike.o*&select=id&order=id', [1, 2]],
      ['match', '/villagers?last_name=match.%5EO.*n$&select=id&order=id', [1, 2]],
      ['imatch', '/villagers?last_name=imatch.%5EBROWN$&select=id', [3]],
      ['in', '/items?id=in.(1,3,5)&order=id', [1, 3, 5]],
      ['is null', '/chores?done=is.null&select=id', [3]],
      ['is not_null', '/chores?done=is.not_null&select=id&order=id', [1, 2]],
      ['is true', '/chores?done=is.true&select=id', [1]],
      ['is false', '/chores?done=is.false&select=id', [2]],
      ['is unknown', '/chores?done=is.unknown&select=id', [3]],
      ['is takes its word in any letter case', '/chores?done=is.NuLL&select=id', [3]],
      ['is ignores what stands behind its word', '/chores?done=is.nullx&select=id', [3]],
      ['isdistinct', '/chores?done=isdistinct.true&select=id&order=id', [2, 3]],
      ['isdistinct knows no null word', '/chores?name=isdistinct.null&select=id&order=id', [1, 2, 3]],
      ['cs on arrays', '/complex_items?arr_data=cs.{2}&select=id&order=id', [2, 3]],
      ['cs on ranges', '/ranges?range=cs.[1,2]&select=id', [1]],
      ['cs on jsonb', '/jsonb_test?data=cs.{"id":20}&select=id', [2]],
      ['cd on arrays', '/complex_items?arr_data=cd.{1,2,4}&select=id&order=id', [1, 2]],
      ['cd on ranges', '/ranges?range=cd.[1,6]&select=id&order=id', [1, 2]],
      ['ov on arrays', '/complex_items?arr_data=ov.{3}&select=id', [3]],
      ['ov on ranges', '/ranges?range=ov.[1,2]&select=id', [1]],
      ['sl', '/ranges?range=sl.[9,10]&select=id&order=id', [1, 2]],
      ['sr', '/ranges?range=sr.[3,4]&select=id&order=id', [3, 4]],
      ['nxr', '/ranges?range=nxr.[4,7]&select=id&order=id', [1, 2]],
      ['nxl', '/ranges?range=nxl.[4,7]&select=id&order=id', [3, 4]],
      ['adj', '/ranges?range=adj.(3,10]&select=id', [1]],
      ['not', '/chores?id=not.eq.2&select=id&order=id', [1, 3]],
      ['not is null', '/chores?done=not.is.null&select=id&order=id', [1, 2]],
      ['not is true holds for null', '/chores?done=not.is.true&select=id&order=id', [2, 3]],
      ['not in', '/items?id=not.in.(1,2,3,4,5,6,7,8,9,10,11,12)&order=id', [13, 14, 15]],
      ['not like', '/villagers?first_name=not.like.O*&select=id&order=id', [3, 4, 5]],
      ['not cs', '/complex_items?arr_data=not.cs.{2}&select=id', [1]],
    ])('%s', async (_, target, expected) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json: expected.map((id) => ({ id })) });
    });
  });

  describe('any and all', () => {
    test.each([
      ['/items?id=eq(any).{3,4,5}&order=id', [3, 4, 5]],
      ['/items?id=gt(any).{3,13}&id=lt.6&order=id', [4, 5]],
      ['/items?id=gt(all).{3,13}&order=id', [14, 15]],
      ['/items?id=gte(all).{3,14}&order=id', [14, 15]],
      ['/items?id=lt(all).{3,13}&order=id', [1, 2]],
      ['/items?id=lte(all).{2,13}&order=id', [1, 2]],
      ['/items?id=not.eq(any).{1,2,3,4,5,6,7,8,9,10,11,12,13}&order=id', [14, 15]],
      ['/villagers?last_name=like(any).{O*,*n}&select=id&order=id', [1, 2, 3]],
      ['/villagers?last_name=like(all).{O*,*n}&select=id&order=id', [1, 2]],
      ['/villagers?last_name=ilike(any).{o*,b*n}&select=id&order=id', [1, 2, 3]],
      ['/villagers?last_name=ilike(all).{o*,*M*}&select=id', [1]],
      ['/villagers?last_name=match(any).{%5EO,%5EB}&select=id&order=id', [1, 2, 3, 5]],
      ['/villagers?last_name=match(all).{%5EO,m}&select=id', [1]],
      ['/villagers?last_name=imatch(any).{%5Eo}&select=id&order=id', [1, 2]],
      ['/villagers?last_name=imatch(all).{%5Eo,N$}&select=id&order=id', [1, 2]],
    ])('%s', async (target, expected) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json: ids(...expected) });
    });

    test.each([
      ['neq(any).{3,4}', 'unexpected "(" expecting operator (eq, gt, ...)', 4],
      ['eq().3', 'unexpected ")" expecting operator (eq, gt, ...)', 4],
      ['is().null', 'unexpected "(" expecting operator (eq, gt, ...)', 3],
      ['in(any).(1)', 'unexpected "(" expecting operator (eq, gt, ...)', 3],
      ['cs(any).{1}', 'unexpected "(" expecting operator (eq, gt, ...)', 3],
    ])('%s is no filter', async (filter, details, column) => {
      expect(await rest.get(`/items?id=${filter}`)).toMatchReply({
        status: 400,
        json: problem('SVRST100', `"failed to parse filter (${filter})" (line 1, column ${column})`, details),
      });
    });
  });

  describe('in lists', () => {
    const names = (...values: string[]): unknown => values.map((name) => ({ name }));

    test.each([
      ['("Hebdon, John","Williams, Mary")', ['Hebdon, John', 'Williams, Mary']],
      ['(David White,Larry Thompson)', ['David White', 'Larry Thompson']],
      ['("Double O Seven(007)")', ['Double O Seven(007)']],
      ['("\\"")', ['"']],
      ['("Double\\"Quote\\"McGraw\\"")', ['Double"Quote"McGraw"']],
      // Quotes that do not enclose the whole element are text, and so are backslashes outside quotes.
      ['(Double"Quote"McGraw")', ['Double"Quote"McGraw"']],
      ['("\\\\")', ['\\']],
      ['(\\)', ['\\']],
      ['(/\\Slash/\\Beast/\\)', ['/\\Slash/\\Beast/\\']],
      ['("/\\\\Slash/\\\\Beast/\\\\")', ['/\\Slash/\\Beast/\\']],
      ['("")', ['']],
      ['(David White, leading)', ['David White', ' leading']],
      ['(" leading")', [' leading']],
    ])('%s', async (list, expected) => {
      const reply = await rest.get(`/w_or_wo_comma_names?name=in.${encodeURIComponent(list)}&order=name.desc`);
      expect(reply).toMatchReply({ status: 200, json: names(...expected.toSorted().reverse()) });
    });

    test.each(['/items?id=in.()', '/items?id=in.(%20%20)', '/complex_items?settings=in.()', '/ranges?range=in.()'])(
      'nothing is in an empty list: %s',
      async (target) => {
        expect(await rest.get(target)).toMatchReply({ status: 200, headers: { 'content-range': '*/*' }, json: [] });
      },
    );

    test('everything is not in an empty list', async () => {
      expect(await rest.get('/complex_items?settings=not.in.()&select=id&order=id')).toMatchReply({
        json: ids(1, 2, 3),
      });
    });

    test('blanks around the list do not count', async () => {
      expect(await rest.get('/items?id=in.(%201,%202%20)&order=id')).toMatchReply({ json: ids(1, 2) });
      expect(await rest.get('/items?id=in.%20(1)')).toMatchReply({ json: ids(1) });
    });

    test('text behind the list does not count', async () => {
      expect(await rest.get('/items?id=in.(1,2)whatever&order=id')).toMatchReply({ json: ids(1, 2) });
    });

    test('an empty element is an empty text, which is no number', async () => {
      expect(await rest.get('/items?id=in.(%20,3)')).toMatchReply({
        status: 400,
        json: problem('22P02', 'invalid input syntax for type bigint: ""'),
      });
    });

    test('a list without its parenthesis is no filter', async () => {
      expect(await rest.get('/items?id=in.1,2')).toMatchReply({
        status: 400,
        json: problem(
          'SVRST100',
          '"failed to parse filter (in.1,2)" (line 1, column 4)',
          'unexpected "1" expecting "("',
        ),
      });
    });
  });

  describe('values are taken as they are', () => {
    test('quotes are part of the value outside lists and logic', async () => {
      expect(await rest.get('/w_or_wo_comma_names?name=eq.%22')).toMatchReply({ json: [{ name: '"' }] });
      expect(await rest.get('/w_or_wo_comma_names?name=eq.%22David%20White%22')).toMatchReply({ json: [] });
    });

    test.each([
      [1, "';drop table test.items;--"],
      [2, '"; select 1'],
      [3, 'line\nbreak\ttab'],
      [4, '<b>&amp;'],
      [5, '\u{1F600} \u200F'],
      [6, '{"json": [1]}'],
      [7, ',()".:*'],
      [8, '%_\\'],
    ])('row %i is found by its own value', async (id, value) => {
      expect(await rest.get(`/hostile_values?value=eq.${encodeURIComponent(value)}`)).toMatchReply({
        status: 200,
        json: [{ id, value }],
      });
    });

    test('a plus is a blank, an escaped plus is a plus', async () => {
      expect(await rest.get('/w_or_wo_comma_names?name=eq.David+White')).toMatchReply({
        json: [{ name: 'David White' }],
      });
      expect(await rest.get('/w_or_wo_comma_names?name=eq.David%2BWhite')).toMatchReply({ json: [] });
    });

    test('a value with dots and operators in it', async () => {
      expect(await rest.get('/odd_columns?"information.cpe"=neq.not.eq.a.b&select=id&order=id')).toMatchReply({
        json: ids(1, 2),
      });
    });

    test.each([
      ['/items?id=eq.', '22P02', 'invalid input syntax for type bigint: ""'],
      ['/items?id=eq.abc', '22P02', 'invalid input syntax for type bigint: "abc"'],
      ['/items?id=eq.99999999999999999999', '22003', 'value "99999999999999999999" is out of range for type bigint'],
      ['/all_types?a_mood=eq.cross', '22P02', 'invalid input value for enum mood: "cross"'],
      ['/items?id=eq(any).{a}', '22P02', 'invalid input syntax for type bigint: "a"'],
      ['/chores?name=is.true', '42804', 'argument of IS TRUE must be type boolean, not type text'],
      ['/villagers?last_name=match.[', '2201B', /^invalid regular expression/],
    ])('%s does not fit the column', async (target, code, message) => {
      expect(await rest.get(target)).toMatchReply({
        status: 400,
        headers: { 'proxy-status': `Survest; error=${code}` },
        json: problem(code, typeof message === 'string' ? message : expect.stringMatching(message)),
      });
    });

    test('an operator that the type does not have', async () => {
      expect(await rest.get('/all_types?a_json=eq.1')).toMatchReply({
        status: 404,
        json: problem('42883', 'operator does not exist: json = unknown', null, expect.any(String)),
      });
    });
  });

  describe('fields', () => {
    test.each([
      ['repeated, both count', '/items?id=gt.3&id=lt.6&order=id', [4, 5]],
      ['with blanks around the name', '/items?%20id%20=eq.1', [1]],
      ['with a dash', '/complex_items?field-with_sep=eq.1&select=id&order=id', [1, 2, 3]],
      ['quoted, with a dot', '/odd_columns?"information.cpe"=like.*ms*&select=id', [1]],
      ['quoted, named like a control parameter', '/odd_columns?"limit"=eq.7&select=id', [2]],
      ['quoted, named like another', '/odd_columns?"order"=eq.first&select=id', [1]],
      ['quoted, named like a group', '/odd_columns?"and"=eq.x2&select=id', [2]],
      ['quoted, with parentheses', '/odd_columns?"(parens)"=eq.pa&select=id', [1]],
      ['quoted, with an arrow', '/odd_columns?"arrow->here"=eq.ar&select=id', [1]],
      ['quoted, with a colon', '/odd_columns?"with:colon"=eq.co2&select=id', [2]],
      ['quoted, with a comma', '/odd_columns?"a,b"=eq.cm&select=id', [1]],
      ['quoted, with outer blanks', '/odd_columns?"%20spaced%20"=eq.sp&select=id', [1]],
      ['with a star, quoted', '/odd_columns?"star*"=eq.st2&select=id', [2]],
    ])('%s', async (_, target, expected) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json: ids(...expected) });
    });

    test.each([
      ['/do$llar$s?a$num$=eq.200', [{ a$num$: 200 }]],
      ['/%D9%85%D9%88%D8%A7%D8%B1%D8%AF?%D9%87%D9%88%DB%8C%D8%AA=eq.2', [{ هویت: 2, نام: 'دو' }]],
      ['/Server%20Today?cHostname=eq.argnim1&select=cHostname', [{ cHostname: 'argnim1' }]],
      ['/Server%20Today?Just%20A%20Server%20Model=like.*5-550*&limit=1&select=cHostname', [{ cHostname: 'argnim1' }]],
      [`/with%20%22quotes%22%20and%20'more'?%22say%20%5C%22hi%5C%22%22=eq.b&select=id`, ids(1)],
      [`/with%20%22quotes%22%20and%20'more'?%22back%5C%5Cslash%22=eq.c&select=id`, ids(1)],
      [`/with%20%22quotes%22%20and%20'more'?%22it's%22=eq.a&select=id`, ids(1)],
      ['/%3B%20drop%20table%20test.items%3B%20--?%221%3B%20select%201%20--%22=eq.still%20here&select=id', ids(1)],
    ])('any legal name is served: %s', async (target, json) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json });
    });

    test('a parameter without = means nothing', async () => {
      expect(await rest.get('/items?whatever&id=eq.1&and&select')).toMatchReply({ status: 200, json: ids(1) });
    });

    test('what stands behind a complete name does not count', async () => {
      expect(await rest.get('/items?id)whatever=eq.1')).toMatchReply({ status: 200, json: ids(1) });
    });

    test('a column that is not there is for the database to miss', async () => {
      expect(await rest.get('/items?nope=eq.1')).toMatchReply({
        status: 400,
        json: problem('42703', 'column items.nope does not exist'),
      });
    });
  });

  describe('what is no filter', () => {
    const OPERATOR = '"not" or operator (eq, gt, ...)';
    test.each([
      ['id=0', 'filter (0)', 1, `unexpected "0" expecting ${OPERATOR}`],
      ['id=val', 'filter (val)', 1, `unexpected "v" expecting ${OPERATOR}`],
      ['id=noop.0', 'filter (noop.0)', 1, `unexpected "o" expecting ${OPERATOR}`],
      ['id=', 'filter ()', 1, `unexpected end of input expecting ${OPERATOR}`],
      ['id=EQ.1', 'filter (EQ.1)', 1, `unexpected "E" expecting ${OPERATOR}`],
      ['id=not.not.eq.1', 'filter (not.not.eq.1)', 5, 'unexpected "n" expecting operator (eq, gt, ...)'],
      ['id=not.5', 'filter (not.5)', 5, 'unexpected "5" expecting operator (eq, gt, ...)'],
      ['id=is.nil', 'filter (is.nil)', 5, 'unexpected "i" expecting isVal: (null, not_null, true, false, unknown)'],
      ['=eq.1', 'tree path ()', 1, 'unexpected end of input expecting field name (* or [a..z0..9_$])'],
      ['.id=eq.1', 'tree path (.id)', 1, 'unexpected "." expecting field name (* or [a..z0..9_$])'],
    ])('%s', async (query, what, column, details) => {
      expect(await rest.get(`/items?${query}`)).toMatchReply({
        status: 400,
        headers: { 'content-type': 'application/json; charset=utf-8', 'proxy-status': 'Survest; error=SVRST100' },
        json: problem('SVRST100', `"failed to parse ${what}" (line 1, column ${column})`, details),
      });
    });

    test('the body is compact and its four members are in order', async () => {
      const text = `{"code":"SVRST100","details":"unexpected \\"0\\" expecting \\"not\\" or operator (eq, gt, ...)","hint":null,"message":"\\"failed to parse filter (0)\\" (line 1, column 1)"}`;
      expect(await rest.get('/items?id=0')).toMatchReply({
        status: 400,
        headers: { 'content-length': String(text.length) },
        text,
      });
    });
  });
});
