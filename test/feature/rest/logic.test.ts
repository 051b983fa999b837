// Conditions joined by `and` and `or`, negated, nested, and about embeds.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { ids, problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('logic', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  describe('groups', () => {
    test.each([
      ['or', '/entities?or=(id.eq.1,id.eq.2)', [1, 2]],
      ['and', '/entities?and=(id.gt.1,id.lt.4)', [2, 3]],
      ['of one condition', '/entities?or=(id.eq.1)', [1]],
      ['or, negated', '/entities?not.or=(id.eq.1,id.eq.2)', [3, 4]],
      ['and, negated', '/entities?not.and=(id.gt.1,id.lt.4)', [1, 4]],
      ['a condition, negated', '/entities?or=(id.not.eq.1,id.eq.1)', [1, 2, 3, 4]],
      ['nested', '/entities?or=(and(name.eq.entity%202,id.eq.2),and(name.eq.entity%201,id.eq.1))', [1, 2]],
      ['nested and negated', '/entities?and=(id.lt.4,not.or(id.eq.1,not.and(id.gt.1,id.lt.3)))', [2]],
      ['deeply nested', '/entities?or=(and(or(and(id.eq.1,id.lt.9),id.eq.2),id.lt.2),id.eq.4)', [1, 4]],
      ['of several parameters, all of which count', '/entities?or=(id.eq.1,id.eq.2)&or=(id.eq.2,id.eq.3)', [2]],
      ['beside filters', '/entities?or=(id.eq.1,id.eq.2)&name=eq.entity%202', [2]],
      ['with blanks', '/entities?and=(%20id.eq.1%20,%09or%20(%20id.eq.1%20,%20id.eq.3%20)%20)', [1]],
      ['with parentheses too many at the end', '/entities?and=(id.eq.1,id.neq.2))', [1]],
    ])('%s', async (_, target, expected) => {
      expect(await rest.get(`${target}&select=id&order=id`)).toMatchReply({ status: 200, json: ids(...expected) });
    });
  });

  describe('values inside a group', () => {
    test.each([
      ['in lists', '/entities?or=(id.in.(1,2),id.in.(3,4))', [1, 2, 3, 4]],
      ['in lists with quotes', '/entities?or=(name.in.("entity 1","entity, 2"),id.eq.3)', [1, 3]],
      ['empty in lists', '/entities?or=(id.in.(),id.eq.3)', [3]],
      ['array literals, unquoted', '/entities?or=(arr.cs.{1,2,3},id.eq.1)', [1, 3]],
      ['array literals for any', '/entities?or=(id.eq(any).{1,2},id.eq.4)', [1, 2, 4]],
      ['ranges, quoted', '/ranges?or=(range.cs."[1,2]",range.cs."[10,11]")', [1, 4]],
      [
        'quoted, with commas and parentheses',
        '/grandchild_entities?or=(name.eq."(grandchild,entity,4)",name.eq."(grandchild,entity,5)")',
        [4, 5],
      ],
      ['quoted, with quotes', '/hostile_values?or=(value.eq."\\"; select 1",value.eq.",()\\".:*")', [2, 7]],
      ['quoted, with a backslash', '/hostile_values?or=(value.eq."%25_\\\\")', [8]],
      ['patterns', '/entities?or=(name.like.*1,name.ilike.ENTITY*2)', [1, 2]],
      ['quoted patterns', '/grandchild_entities?or=(name.like."(grand*,4)")', [4]],
      ['is', '/entities?or=(name.is.null,arr.not.is.null)', [1, 2, 3, 4]],
      ['isdistinct', '/chores?or=(done.isdistinct.true,id.eq.1)', [1, 2, 3]],
      ['full-text search', '/entities?or=(text_search_vector.fts.bar,text_search_vector.phfts(english).baz)', [1, 2]],
      [
        'full-text search in a language',
        '/tsearch?or=(text_search_vector.plfts(german).Art%20Spass,text_search_vector.fts(french).amusant)',
        [4, 5],
      ],
      ['JSON paths', '/grandchild_entities?or=(jsonb_col->a->>b.eq.foo,jsonb_col->>b.eq.bar)', [1, 2]],
      ['a JSON path to an index', '/json_arr?or=(data->>0.eq.1,data->>0.eq.4)', [1, 2]],
      [
        'columns that begin like operators',
        '/grandchild_entities?or=(or_starting_col.eq.o,and_starting_col.eq.x)',
        [1, 2],
      ],
      ['columns named like control parameters', '/odd_columns?and=(limit.eq.5,order.eq.first,and.eq.x,or.eq.y)', [1]],
      ['quoted columns', '/odd_columns?or=("information.cpe".eq.other,"(parens)".eq.pa)', [1, 2]],
      ['computed columns', '/villagers?or=(initials.eq.LB,initials.eq.PU)', [3, 4]],
    ])('%s', async (_, target, expected) => {
      expect(await rest.get(`${target}&select=id&order=id`)).toMatchReply({ status: 200, json: ids(...expected) });
    });
  });

  describe('on embeds', () => {
    test.each([
      ['child_entities.or=(id.eq.1,name.eq.child%20entity%202)', [1, 2]],
      ['child_entities.and=(id.gt.1,id.lt.5)', [2, 4]],
      ['child_entities.not.or=(id.eq.1,id.eq.2)', [4, 5]],
      ['child_entities.not.and=(id.gt.1,id.lt.5)', [1, 5]],
      ['not.child_entities.or=(id.eq.1,id.eq.2)', [4, 5]],
    ])('%s', async (logic, children) => {
      const target = `/entities?id=eq.1&select=id,child_entities(id)&child_entities.order=id&${logic}`;
      expect(await rest.get(target)).toMatchReply({
        status: 200,
        json: [{ id: 1, child_entities: ids(...children) }],
      });
    });

    test('two levels down', async () => {
      const target =
        '/entities?id=eq.1&select=id,child_entities(id,grandchild_entities(id))&child_entities.order=id&child_entities.grandchild_entities.order=id' +
        '&child_entities.grandchild_entities.or=(id.eq.1,id.eq.4)';
      expect(await rest.get(target)).toMatchReply({
        json: [
          {
            id: 1,
            child_entities: [
              { id: 1, grandchild_entities: ids(1) },
              { id: 2, grandchild_entities: ids(4) },
              { id: 4, grandchild_entities: [] },
              { id: 5, grandchild_entities: [] },
            ],
          },
        ],
      });
    });

    test('an embed that is not there', async () => {
      expect(await rest.get('/entities?child_entities.or=(id.eq.1)')).toMatchReply({
        status: 400,
        json: problem(
          'SVRST108',
          "'child_entities' is not an embedded resource in this request",
          null,
          "Verify that 'child_entities' is included in the 'select' query parameter.",
        ),
      });
    });
  });

  describe('what is no group', () => {
    const ANYTHING = 'field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)';
    test.each([
      ['or', '()', 4, `unexpected ")" expecting ${ANYTHING}`],
      ['or', ')(', 3, 'unexpected ")" expecting "("'],
      ['or', '', 3, 'unexpected end of input expecting "("'],
      ['or', '(id.in.1,2,id.eq.3)', 10, 'unexpected "1" expecting "("'],
      ['and', '(ord(id.eq.1,id.eq.1),id.eq.2)', 7, 'unexpected "d" expecting "("'],
      ['or', '(id.eq.1,not.xor(id.eq.2,id.eq.3))', 16, 'unexpected "x" expecting logic operator (and, or)'],
    ])('%s=%s', async (operator, tree, column, details) => {
      expect(await rest.get(`/entities?${operator}=${tree}`)).toMatchReply({
        status: 400,
        json: problem('SVRST100', `"failed to parse logic tree (${tree})" (line 1, column ${column})`, details),
      });
    });

    test.each([
      'or=(id.eq.1',
      'or=(id.eq.1,)',
      'or=(id.eq)',
      'or=(id)',
      'or=(1.eq.id',
      'or=id.eq.1',
      'and=(id.foo.1)',
      'and=(not.id.eq.1)',
    ])('%s', async (query) => {
      expect(await rest.get(`/entities?${query}`)).toMatchReply({
        status: 400,
        json: problem(
          'SVRST100',
          expect.stringMatching(/^"failed to parse logic tree \(.*\)" \(line 1, column \d+\)$/),
          expect.stringMatching(/^unexpected .+/),
        ),
      });
    });

    test('a name that is no path', async () => {
      expect(await rest.get('/entities?.or=(id.eq.1)')).toMatchReply({
        status: 400,
        json: problem(
          'SVRST100',
          '"failed to parse logic path (.or)" (line 1, column 1)',
          'unexpected "." expecting field name (* or [a..z0..9_$])',
        ),
      });
    });
  });
});
