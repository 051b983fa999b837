// Domains with a form of their own on the wire, as they are read: shown through one cast, compared through another.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { ids, useRest } from '../../testkit/use-rest.ts';

onEachEngine('representations', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  describe('shown', () => {
    test.each<[string, string, unknown]>([
      ['by name', '/datarep_todos?id=eq.2&select=label_color,due_at', [{ label_color: '#000100', due_at: 1514937600 }]],
      ['by a star', '/datarep_todos?id=eq.1', [{ id: 1, name: 'Report', label_color: '#000000', due_at: 1514851200 }]],
      ['aliased', '/datarep_todos?id=eq.2&select=color:label_color', [{ color: '#000100' }]],
      ['null', '/datarep_todos?id=eq.4&select=label_color,due_at', [{ label_color: null, due_at: null }]],
      ['by a view', '/datarep_todos_view?id=eq.2&select=label_color', [{ label_color: '#000100' }]],
      ['by a function', '/rpc/get_datarep_todos?id=eq.2&select=label_color', [{ label_color: '#000100' }]],
      [
        'by a function, by a star',
        '/rpc/get_datarep_todos?id=eq.2',
        [{ id: 2, name: 'Essay', label_color: '#000100', due_at: 1514937600 }],
      ],
      [
        'in an embed',
        '/datarep_next_todos?id=eq.1&select=id,first_item_id(label_color,due_at)',
        [{ id: 1, first_item_id: { label_color: '#000100', due_at: 1514937600 } }],
      ],
      [
        'in an embed, by a star',
        '/datarep_next_todos?id=eq.1&select=first_item_id(*)',
        [{ first_item_id: { id: 2, name: 'Essay', label_color: '#000100', due_at: 1514937600 } }],
      ],
      [
        'in a spread',
        '/datarep_next_todos?id=eq.1&select=id,...second_item_id(label_color)',
        [{ id: 1, label_color: '#01e240' }],
      ],
    ])('%s', async (_, target, json) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json });
    });
  });

  describe('compared', () => {
    test.each([
      ['eq', 'label_color=eq.%23000100', [2]],
      ['neq', 'label_color=neq.%23000100', [1, 3]],
      ['gt', 'label_color=gt.%23000100', [3]],
      ['lte', 'label_color=lte.%23000100', [1, 2]],
      ['in', 'label_color=in.(%23000100,%2301E240)', [2, 3]],
      ['an empty list', 'label_color=in.()', []],
      ['not', 'label_color=not.eq.%23000100', [1, 3]],
      ['is null', 'label_color=is.null', [4]],
      ['isdistinct', 'label_color=isdistinct.%23000000', [2, 3, 4]],
      ['in a group', 'or=(label_color.eq.%23000100,id.eq.4)', [2, 4]],
      // No cast from text: the type's own form.
      ['without a cast of its own', 'due_at=lt.2018-01-02', [3]],
    ])('%s', async (_, filter, expected) => {
      expect(await rest.get(`/datarep_todos?select=id&order=id&${filter}`)).toMatchReply({
        status: 200,
        json: ids(...expected),
      });
    });

    test('in an embed', async () => {
      const target = '/datarep_next_todos?select=id,first_item_id!inner(id)&first_item_id.label_color=eq.%23000100';
      expect(await rest.get(target)).toMatchReply({ json: [{ id: 1, first_item_id: { id: 2 } }] });
    });
  });

  test('order is that of the stored values', async () => {
    expect(await rest.get('/datarep_todos?select=id&order=label_color.desc.nullslast')).toMatchReply({
      json: ids(3, 2, 1, 4),
    });
  });

  test('in CSV', async () => {
    expect(await rest.get('/datarep_todos?id=eq.2&select=due_at', { accept: 'text/csv' })).toMatchReply({
      text: 'due_at\n1514937600',
    });
  });
});
