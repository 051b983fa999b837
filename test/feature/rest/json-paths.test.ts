// `->` and `->>` into JSON, arrays and composite values, in every place that takes a field.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { ids, problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('JSON paths', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  const planned = useRest(db, { 'db-plan-enabled': 'true' });

  describe('selected', () => {
    test.each([
      ['an index, named by the column', '/json_arr?select=data->0&id=eq.1', { data: 1 }],
      ['as text', '/json_arr?select=data->>0&id=eq.1', { data: '1' }],
      ['from the end', '/json_arr?select=data->>-1&id=eq.1', { data: '3' }],
      ['an index of an index', '/json_arr?select=data->1->>2&id=eq.3', { data: '13' }],
      ['a key, which names it', '/json_arr?select=data->0->>b&id=eq.5', { b: 'x' }],
      ['the last key names it', '/json_arr?select=data->c->2->d->>1&id=eq.6', { d: '5' }],
      ['aliased', '/json_arr?select=last:data->c->2->d->>1&id=eq.6', { last: '5' }],
      ['past the end', '/json_arr?select=data->99&id=eq.1', { data: null }],
      ['keys that begin like an index', '/json_arr?select=data->0xy1->1->23-xy-45->1->xy-6->0&id=eq.7', { 'xy-6': 3 }],
      [
        'keys of odd characters',
        `/json_arr?select=${encodeURIComponent('data->!@#$%^&*_a->0->>!@#$%^&*_b')}&id=eq.8`,
        { '!@#$%^&*_b': '1' },
      ],
      ['quoted keys', '/jsonb_test?select=data->"a"->>"b"&id=eq.1', { b: '2' }],
      ['with a cast', '/jsonb_test?select=data->a->>b::integer&id=eq.1', { b: 2 }],
      ['a JSON null is null', '/jsonb_test?select=data->>id&id=eq.4', { id: null }],
      ['a JSON null by ->', '/jsonb_test?select=data->id&id=eq.4', { id: null }],
      ['of a composite', '/places?select=address->>city&id=eq.1', { city: 'Harbour' }],
      [
        'of a composite, with a blank in the name',
        '/places?select=address->>zip%20code&id=eq.1',
        { 'zip code': '12-345' },
      ],
      ['of an array', '/places?select=languages->0&id=eq.1', { languages: 'en' }],
      ['of an array of composites', '/places?select=spots->1->x&id=eq.1', { x: 3 }],
      ['of a range, which has no inside', '/places?select=opening->lower&id=eq.1', { lower: null }],
      ['of a computed column', '/villagers?select=words->>last&id=eq.1', { last: 'Oman' }],
      [
        'inside an embed',
        '/projects?select=id,invoices(details->tax)&id=eq.2&invoices.order=id',
        { id: 2, invoices: [{ tax: null }, { tax: 70 }] },
      ],
      [
        'an index just before a parenthesis',
        '/trash?select=id,trash_details(jsonb_col->0)&id=eq.1',
        { id: 1, trash_details: { jsonb_col: null } },
      ],
    ])('%s', async (_, target, row) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json: [row] });
    });
  });

  describe('filtered by', () => {
    test.each([
      ['text', '/jsonb_test?data->a->>b=eq.2', [1]],
      ['jsonb', '/jsonb_test?data->id=eq.20', [2]],
      ['a jsonb string, which has quotes', '/jsonb_test?data->0->d=eq."test"', [3]],
      ['in', '/jsonb_test?data->>id=in.(1,20)', [1, 2]],
      ['is null', '/jsonb_test?data->>id=is.null', [3, 4, 5, 6]],
      ['cs', '/jsonb_test?data->c=cs.[2]', [2]],
      ['like', '/json_arr?data->0->>b=like.*x*', [5]],
      ['an index', '/json_arr?data->>0=eq.4', [2]],
      ['a negative index', '/json_arr?data->>-1=eq.6', [2]],
      ['a composite', '/places?address->>city=eq.Upton', [2]],
      ['an array', '/places?languages->>0=eq.fr', [2]],
      ['a computed column', '/villagers?words->>first=eq.Olga', [1]],
      ['a quoted key', '/jsonb_test?data->"a"->>b=eq.2', [1]],
    ])('%s', async (_, target, expected) => {
      expect(await rest.get(`${target}&select=id&order=id`)).toMatchReply({ status: 200, json: ids(...expected) });
    });

    test('plain json has no equality', async () => {
      expect(await rest.get('/json_arr?data->0=eq.1')).toMatchReply({
        status: 404,
        json: problem('42883', 'operator does not exist: json = unknown', null, expect.any(String)),
      });
    });

    test('json and jsonb columns are walked as they are, so that their expression indexes apply', async () => {
      const accept = { accept: 'application/vnd.pgrst.plan' };
      expect(await planned.get('/jsonb_test?data->>id=eq.1', accept)).toMatchReply({
        text: /\(\(data ->> 'id'::text\) = /,
      });
      expect(await planned.get('/json_arr?data->>0=eq.1', accept)).toMatchReply({ text: /\(\(data ->> 0\) = / });
      expect(await planned.get('/places?languages->>0=eq.fr', accept)).toMatchReply({
        text: /\(\(to_jsonb\(languages\) ->> 0\) = /,
      });
    });
  });

  test('order by', async () => {
    const target = '/jsonb_test?select=id&order=data->>id.desc.nullslast,id';
    expect(await rest.get(target)).toMatchReply({ json: ids(2, 1, 3, 4, 5, 6) });
    expect(await rest.get('/places?select=id&order=address->>city.nullsfirst')).toMatchReply({ json: ids(3, 1, 2) });
  });

  test('order by a related value', async () => {
    const target = '/trash?select=id,trash_details(jsonb_col)&order=trash_details(jsonb_col->key).desc';
    expect(await rest.get(target)).toMatchReply({
      json: [
        { id: 1, trash_details: { jsonb_col: { key: 10 } } },
        { id: 3, trash_details: { jsonb_col: { key: 8 } } },
        { id: 2, trash_details: { jsonb_col: { key: 6 } } },
      ],
    });
  });

  test.each([
    ['data->>--34', 9, 'unexpected "-" expecting digit'],
    ['data->>-78xy', 11, `unexpected 'x' expecting digit, "->", "::", ".", "," or end of input`],
    ['data->(k->>e', 7, 'unexpected "(" expecting "-", digit or any non reserved character different from: .,>()'],
    ['data->>', 8, 'unexpected end of input expecting "-", digit or any non reserved character different from: .,>()'],
  ])('%s is no path', async (path, column, details) => {
    expect(await rest.get(`/json_arr?select=${path}`)).toMatchReply({
      status: 400,
      json: problem('SVRST100', `"failed to parse select parameter (${path})" (line 1, column ${column})`, details),
    });
  });

  test('a hostile key stays a key', async () => {
    const key = `a'||(select secret from test.authors_only)||'`;
    expect(await rest.get(`/jsonb_test?select=data->>"${encodeURIComponent(key)}"&id=eq.1`)).toMatchReply({
      status: 200,
      json: [{ [key]: null }],
    });
    const backslash = encodeURIComponent(`a\\\\'b`);
    expect(await rest.get(`/jsonb_test?data->>"${backslash}"=is.null&select=id&id=eq.1`)).toMatchReply({
      status: 200,
      json: ids(1),
    });
  });
});
