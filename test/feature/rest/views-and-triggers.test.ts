// Writes that go through a view, and rows that a trigger changes, drops or answers for.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { failure } from './expected.ts';

const SHOWN = { prefer: 'return=representation' };

onEachEngine('views and triggers', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  const send = (
    method: string,
    target: string,
    body?: unknown,
    headers: Record<string, string> = SHOWN,
  ): Promise<Reply> => rest.request(method, target, { headers, ...(body === undefined ? {} : { body }) });

  describe('views', () => {
    test('that PostgreSQL can update are tables to a client', async () => {
      expect(await send('POST', '/projects_view', { id: 500, name: 'v' })).toMatchReply({
        status: 201,
        json: [{ id: 500, name: 'v', client_id: null }],
      });
      expect(await send('PATCH', '/projects_view?id=eq.500&select=id,name', { name: 'w' })).toMatchReply({
        status: 200,
        headers: { 'content-range': '0-0/*' },
        json: [{ id: 500, name: 'w' }],
      });
      expect(await send('PUT', '/projects_view?id=eq.500&select=name', { id: 500, name: 'x' })).toMatchReply({
        status: 200,
        json: [{ name: 'x' }],
      });
      expect(await send('DELETE', '/projects_view?id=eq.500&select=name')).toMatchReply({
        status: 200,
        json: [{ name: 'x' }],
      });
    });

    test('with other names', async () => {
      expect(
        await send('POST', '/projects_view_alt?select=t_id,clients(name)', { t_id: 501, name: 'v', t_client_id: 2 }),
      ).toMatchReply({
        status: 201,
        json: [{ t_id: 501, clients: { name: 'City Museum' } }],
      });
      expect(
        await send('POST', '/projects_view_alt', { t_id: 502, name: 'v' }, { prefer: 'return=headers-only' }),
      ).toMatchReply({ status: 201, headers: { location: '/projects_view_alt?t_id=eq.502' } });
    });

    test('of views', async () => {
      expect(
        await send('POST', '/projects_view_of_view?select=id,clients(id)', { id: 503, name: 'v', client_id: 1 }),
      ).toMatchReply({
        status: 201,
        json: [{ id: 503, clients: { id: 1 } }],
      });
    });

    test('without the key of their table have no Location and no PUT', async () => {
      expect(
        await send('POST', '/projects_without_key', { name: 'x' }, { prefer: 'return=headers-only' }),
      ).toMatchReply({ status: 400, headers: { 'proxy-status': 'Survest; error=23502' } });
      expect(await send('PUT', '/projects_without_key?name=eq.x', { name: 'x' })).toMatchReply({ status: 405 });
    });

    test('of private tables', async () => {
      expect(await send('POST', '/authors', { id: 9, name: 'New' })).toMatchReply({
        status: 201,
        json: [{ id: 9, name: 'New' }],
      });
      expect(await send('POST', '/books?select=title,authors(name)', { id: 9, title: 't', author_id: 1 })).toMatchReply(
        { status: 201, json: [{ title: 't', authors: { name: 'George Orwell' } }] },
      );
    });

    test('with a check option refuse what they would not show', async () => {
      expect(await send('POST', '/open_chores', { id: 9, name: 'c', done: true })).toMatchReply(
        failure(400, '44000', 'new row violates check option for view "open_chores"', {
          details: 'Failing row contains (9, c, t).',
        }),
      );
      expect(await send('POST', '/open_chores', { id: 9, name: 'c', done: false })).toMatchReply({
        status: 201,
        json: [{ id: 9, name: 'c', done: false }],
      });
    });

    test('with computed columns: the others can be written', async () => {
      expect(await send('POST', '/chore_names', { id: 10, name: 'dust' })).toMatchReply({
        status: 201,
        json: [{ id: 10, loud_name: 'DUST', name: 'dust' }],
      });
      expect(await send('POST', '/chore_names', { id: 11, loud_name: 'X' })).toMatchReply(
        failure(400, '0A000', 'cannot insert into column "loud_name" of view "chore_names"', {
          details: 'View columns that are not columns of their base relation are not updatable.',
        }),
      );
    });

    test.each([
      [
        'POST',
        '/all_names',
        'insert into',
        'inserting into',
        'INSERT',
        'Views containing UNION, INTERSECT, or EXCEPT are not automatically updatable.',
      ],
      [
        'PATCH',
        '/all_names',
        'update',
        'updating',
        'UPDATE',
        'Views containing UNION, INTERSECT, or EXCEPT are not automatically updatable.',
      ],
      [
        'DELETE',
        '/all_names',
        'delete from',
        'deleting from',
        'DELETE',
        'Views containing UNION, INTERSECT, or EXCEPT are not automatically updatable.',
      ],
    ])('that cannot be written say so: %s %s', async (method, target, does, doing, verb, details) => {
      expect(await send(method, target, method === 'DELETE' ? undefined : { id: 1, name: 'x' })).toMatchReply(
        failure(500, '55000', `cannot ${does} view "all_names"`, {
          details,
          hint: `To enable ${doing} the view, provide an INSTEAD OF ${verb} trigger or an unconditional ON ${verb} DO INSTEAD rule.`,
        }),
      );
    });

    test('materialized ones are only read', async () => {
      const readOnly = failure(400, '42809', 'cannot change materialized view "materialized_projects"');
      expect(await send('POST', '/materialized_projects', { id: 1 })).toMatchReply(readOnly);
      expect(await send('PATCH', '/materialized_projects', { name: 'x' })).toMatchReply(readOnly);
      expect(await send('DELETE', '/materialized_projects')).toMatchReply(readOnly);
    });
  });

  describe('views with triggers in their place', () => {
    test('insert, update and delete', async () => {
      expect(await send('POST', '/tiobe_by_trigger', { name: 'Go', rank: 9 })).toMatchReply({
        status: 201,
        json: [{ name: 'Go', rank: 9 }],
      });
      expect(await send('PATCH', '/tiobe_by_trigger?name=eq.Go', { rank: 10 })).toMatchReply({
        status: 200,
        json: [{ name: 'Go', rank: 10 }],
      });
      expect(await send('DELETE', '/tiobe_by_trigger?name=eq.Go', undefined, {})).toMatchReply({ status: 204 });
      expect(await rest.get('/tiobe_pls?name=eq.Go')).toMatchReply({ json: [] });
    });

    test('a resolution has nothing to act on: a plain insert', async () => {
      expect(
        await send('POST', '/tiobe_by_trigger', { name: 'Zig', rank: 40 }, { prefer: 'resolution=merge-duplicates' }),
      ).toMatchReply({ status: 201, headers: { 'preference-applied': null } });
      expect(
        await send('POST', '/tiobe_by_trigger', { name: 'Zig', rank: 40 }, { prefer: 'resolution=merge-duplicates' }),
      ).toMatchReply({ status: 409 });
    });

    test('that can only be inserted into', async () => {
      expect(await send('POST', '/insert_by_trigger', { k: 't', extra: 'e' })).toMatchReply({
        status: 201,
        json: [{ k: 't', extra: 'e' }],
      });
      expect(await send('PATCH', '/insert_by_trigger?k=eq.xyyx', { extra: 'x' })).toMatchReply({
        status: 500,
        headers: { 'proxy-status': 'Survest; error=55000' },
      });
    });
  });

  describe('triggers', () => {
    test('what they change is shown', async () => {
      expect(await send('POST', '/triggered', { id: 20, name: 'n', changed_by: 'me' })).toMatchReply({
        status: 201,
        json: [{ id: 20, name: 'n', changed_by: 'rest_anon' }],
      });
    });

    test('what they refuse is not written, nor anything beside it', async () => {
      expect(
        await send('POST', '/triggered', [
          { id: 21, name: 'n' },
          { id: 22, name: 'refuse me' },
        ]),
      ).toMatchReply(
        failure(400, 'P0001', 'Refused by a trigger', { details: 'The name says so', hint: 'Take another name' }),
      );
      expect(await rest.get('/triggered?id=eq.21')).toMatchReply({ json: [] });
    });

    test('what they drop is left out without a word', async () => {
      expect(
        await send(
          'POST',
          '/triggered?select=id',
          [
            { id: 23, name: 'skip me' },
            { id: 24, name: 'n' },
          ],
          { prefer: 'return=representation, count=exact' },
        ),
      ).toMatchReply({ status: 201, headers: { 'content-range': '*/1' }, json: [{ id: 24 }] });
      expect(
        await send('POST', '/triggered', { id: 25, name: 'skip me' }, { prefer: 'return=headers-only' }),
      ).toMatchReply({
        status: 201,
        headers: { location: null },
      });
      expect(await send('PATCH', '/triggered?id=eq.24', { name: 'skip me' })).toMatchReply({
        status: 200,
        headers: { 'content-range': '*/*' },
        text: '[]',
      });
    });

    test('they can set headers and status of the reply', async () => {
      expect(await send('POST', '/answering', { id: 30, note: 'hi' }, {})).toMatchReply({
        status: 202,
        headers: { 'x-note': 'hi', 'content-length': '0', 'content-type': null },
        text: '',
      });
      expect(await send('POST', '/answering', { id: 31, note: 'hi' })).toMatchReply({
        status: 202,
        headers: { 'x-note': 'hi' },
        json: [{ id: 31, note: 'hi' }],
      });
      expect(await send('PATCH', '/answering?id=eq.30', { note: 'ho' }, {})).toMatchReply({
        status: 202,
        headers: { 'x-note': 'ho', 'content-length': '0', 'content-range': '0-0/*' },
        text: '',
      });
      expect(await send('DELETE', '/answering?id=eq.30', undefined, {})).toMatchReply({
        status: 204,
        headers: { 'x-gone': 'yes' },
      });
      expect(await send('DELETE', '/answering?id=eq.30', undefined, {})).toMatchReply({
        status: 204,
        headers: { 'x-gone': null },
      });
    });
  });
});
