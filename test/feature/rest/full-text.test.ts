// Full-text search: fts, plfts, phfts and wfts, with and without a language.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { ids, problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('full-text search', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  describe('in a tsvector', () => {
    test.each([
      ['fts.impossible', [1]],
      ['fts.fun%26possible', [2]],
      ['fts.impossible%7Cpossible', [1, 2]],
      ["fts.'fun':*", [1, 2]],
      ['fts(english).impossible', [1]],
      ['fts(french).amusant', [4]],
      ['plfts.fat%20rats', [3]],
      ['plfts(german).Art%20Spass', [5]],
      ['phfts.fat%20cats', [3]],
      ['phfts.cats%20fat', []],
      ['phfts(english).fun%20to%20do', [1, 2]],
      ['wfts.fun%20-possible', [1]],
      ['wfts."fat%20cats"%20or%20impossible', [1, 3]],
      ['wfts(german).unmögliche', [5]],
      ['not.fts.impossible', [2, 3, 4, 5]],
      ['not.wfts(english).fun', [3, 4, 5]],
    ])('%s', async (filter, expected) => {
      const target = `/tsearch?text_search_vector=${filter}&select=id&order=id`;
      expect(await rest.get(target)).toMatchReply({ status: 200, json: ids(...expected) });
    });

    test('the type is seen through domains of domains', async () => {
      expect(await rest.get('/tsearch?deep=fts(simple).fun&select=id')).toMatchReply({ json: ids(1) });
      expect(await rest.get('/tsearch?deep=plfts(simple).possible&select=id')).toMatchReply({ json: ids(2) });
    });
  });

  describe('in what is no tsvector, which is made one in the same language', () => {
    test.each([
      ['text', 'text_search=fts.impossible', [1]],
      ['text, in a language', 'text_search=plfts(german).Art%20Spass', [5]],
      ['text, where the language makes the match', 'text_search=fts(english).cats', [3]],
      ['text, where the language does not', 'text_search=fts(simple).cats', []],
      ['text, by phrase', 'text_search=phfts(english).fat%20cat', [3]],
      ['text, as on the web', 'text_search=wfts(english).fun%20-impossible', [2]],
      ['json', 'json_search=fts(simple).fun', [1]],
      ['jsonb', 'jsonb_search=wfts(english).cats', [3]],
      ['a value inside jsonb', 'jsonb_search->>t=fts(english).cats', [3]],
      ['negated', 'text_search=not.fts(english).fun', [3, 4, 5]],
      ['in a group', 'or=(text_search.plfts(english).kind%20fun,json_search.fts(simple).amusant)', [1, 4]],
    ])('%s', async (_, filter, expected) => {
      const target = `/tsearch_to_tsvector?${filter}&select=id&order=id`;
      expect(await rest.get(target)).toMatchReply({ status: 200, json: ids(...expected) });
    });
  });

  test('an empty language is no filter', async () => {
    expect(await rest.get('/tsearch?text_search_vector=fts().x')).toMatchReply({
      status: 400,
      json: problem(
        'SVRST100',
        '"failed to parse filter (fts().x)" (line 1, column 5)',
        'unexpected ")" expecting operator (eq, gt, ...)',
      ),
    });
  });

  test.each(['klingon', '0', '12345'])('a language that the database does not have: %s', async (language) => {
    expect(await rest.get(`/tsearch?text_search_vector=fts(${language}).x`)).toMatchReply({
      status: 400,
      json: problem('42704', `text search configuration "${language}" does not exist`),
    });
  });

  test('a query that is none', async () => {
    expect(await rest.get('/tsearch?text_search_vector=fts.a%20b')).toMatchReply({
      status: 400,
      json: problem('42601', 'syntax error in tsquery: "a b"'),
    });
  });

  describe('the text of a search is read once for the statement, not for every row', () => {
    const planned = useRest(db, { 'db-plan-enabled': 'true', 'db-aggregates-enabled': 'true' });
    test.each([
      ['a filter', '/tsearch?text_search_vector=wfts.fun'],
      ['one in a language', '/tsearch?text_search_vector=fts(english).fun'],
      ['of text', '/tsearch_to_tsvector?text_search=plfts(english).fun'],
      ['of a value inside JSON', '/tsearch_to_tsvector?jsonb_search->>t=phfts.fun'],
      ['in a group', '/tsearch_to_tsvector?or=(id.eq.1,not.and(text_search.wfts.fun,id.gt.2))'],
      ['of an embed', '/projects?select=*,tasks(*)&tasks.name=wfts.code'],
      ['of a group of rows', '/tsearch_to_tsvector?select=id.count()&having=(text_search.max().fts.fun)'],
      ['of an aggregate', '/tsearch_to_tsvector?select=count().filter(text_search.plfts.fun)'],
      ['to rank by', '/tsearch?order=text_search_vector.ts_rank(fun)'],
      ['to highlight', '/tsearch_to_tsvector?select=text_search.ts_headline(fun)'],
      ["of a function's rows", '/rpc/getallprojects?name=wfts.windows'],
    ])('%s', async (_, address) => {
      const reply = await planned.get(address, { accept: 'application/vnd.pgrst.plan+json; options=verbose' });
      expect(reply).toMatchReply({ status: 200 });
      const callers = nodesOf(JSON.parse(String(reply.body))[0].Plan).filter(({ Plans: _below, ...own }) =>
        JSON.stringify(own).includes('to_tsquery('),
      );
      expect(callers.filter((node) => node['Parent Relationship'] !== 'InitPlan')).toEqual([]);
    });

    /** The words as the planner knows them: how many rows have them decides which index is taken. */
    const isKnown = async (address: string, rest = planned): Promise<boolean> => {
      const reply = await rest.get(address, { accept: 'application/vnd.pgrst.plan+json; options=verbose' });
      return String(reply.body).includes("'''fun'''::tsquery");
    };

    test('by the planner, in the configuration that every role has', async () => {
      expect(await isKnown('/tsearch?text_search_vector=fts(english).fun')).toBe(true);
      expect(await isKnown('/tsearch?text_search_vector=fts.fun')).toBe(true);
    });

    const withPreRequest = useRest(db, { 'db-plan-enabled': 'true', 'db-pre-request': 'test.pre_request' });
    test('by the statement, where the configuration may be set for one request', async () => {
      expect(await isKnown('/tsearch?text_search_vector=fts(english).fun', withPreRequest)).toBe(true);
      expect(await isKnown('/tsearch?text_search_vector=fts.fun', withPreRequest)).toBe(false);
    });
  });
});

type PlanNode = { readonly 'Parent Relationship'?: string; readonly Plans?: readonly PlanNode[] };

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
