import { describe, expect, test } from 'vitest';
import type { SqlError } from '../../pg/driver.ts';
import { dbFailure } from './db-failure.ts';

const said = (sqlstate: string, message: string, about?: SqlError['about']): SqlError => ({
  kind: 'sql',
  sqlstate,
  message,
  detail: 'Key (x)=(secret) already exists.',
  hint: null,
  ...(about === undefined ? {} : { about }),
  statement: 0,
});

const fields = (messages: Record<string, string[]>): object => ({ kind: 'invalid-fields', fields: messages });
const request = (...messages: string[]): object => ({ kind: 'invalid-request', messages });

describe('what the database said', () => {
  test.each([
    ['P0002', 'Not found.', { kind: 'not-found' }],
    ['42501', 'You do not have permission to perform this action.', { kind: 'forbidden' }],
    ['22023', 'unknown user "eve"', request('unknown user "eve"')],
    ['23001', 'The last administrator cannot be removed.', request('The last administrator cannot be removed.')],
    [
      '23505',
      "A GeoApp with the same 'name' already exists!",
      request("A GeoApp with the same 'name' already exists!"),
    ],
    ['22P02', 'invalid input syntax for type integer: "x"', request('A value has the wrong type, or is out of range.')],
    [
      '22001',
      'value too long for type character varying(5)',
      request('A value has the wrong type, or is out of range.'),
    ],
    ['2201B', 'invalid regular expression: brackets [] not balanced', request('Invalid regular expression.')],
    ['57014', 'canceling statement due to statement timeout', { kind: 'unavailable' }],
    ['40001', 'could not serialize access', { kind: 'unavailable' }],
    ['40P01', 'deadlock detected', { kind: 'unavailable' }],
    ['53300', 'too many connections', { kind: 'unavailable' }],
    [
      '42P01',
      'relation "portal.x" does not exist',
      { kind: 'bug', message: '42P01: relation "portal.x" does not exist' },
    ],
    ['XX000', 'internal', { kind: 'bug', message: 'XX000: internal' }],
  ])('%s: %s', (sqlstate, message, failure) => {
    expect(dbFailure(said(sqlstate, message))).toEqual(failure);
  });

  test.each([
    ['account_username', { username: ['A user with that username already exists.'] }],
    ['region_name_key', { name: ['region with this name already exists.'] }],
  ])('a value that is taken: %s', (constraint, expected) => {
    const message = 'la valeur d’une clé dupliquée rompt la contrainte unique';
    expect(dbFailure(said('23505', message, { constraint }))).toEqual(fields(expected));
  });

  test.each([
    ['account_first_name_check', { first_name: ['Ensure this field has no more than 30 characters.'] }],
    ['resource_doi_check', { doi: ['This value is not allowed here, or too long.'] }],
    ['resource_check1', { non_field_errors: ['A map needs zoom, projection, center_x and center_y.'] }],
    ['account_detail_x_y_check', { x_y: ['This value is not allowed here, or too long.'] }],
  ])('a value that is not allowed: %s', (constraint, expected) => {
    const message = 'new row for relation "resource" violates check constraint';
    expect(dbFailure(said('23514', message, { constraint }))).toEqual(fields(expected));
  });

  test('a constraint nobody knows is told without its name', () => {
    const message = 'new row for relation "secrets" violates check constraint "inner_working"';
    expect(dbFailure(said('23514', message, { table: 'secrets', constraint: 'inner_working' }))).toEqual(
      request('The value is not allowed.'),
    );
  });

  test.each([
    [
      'insert or update on table "resource" violates foreign key constraint "resource_category_id_fkey"',
      'update or delete on table "category" violates foreign key constraint "resource_category_id_fkey" on table "resource"',
    ],
    [
      'Einfügen oder Aktualisieren in Tabelle »resource« verletzt Fremdschlüssel-Constraint »resource_category_id_fkey«',
      'Aktualisieren oder Löschen in Tabelle »category« verletzt Fremdschlüssel-Constraint »resource_category_id_fkey« von Tabelle »resource«',
    ],
  ])('a key to something that is not there, and one to something that goes away: %s', (inserted, deleted) => {
    const about = { table: 'resource', constraint: 'resource_category_id_fkey' };
    expect(dbFailure(said('23503', inserted, about))).toEqual(fields({ category: ['Object does not exist.'] }));
    expect(dbFailure(said('23503', deleted, about))).toEqual(request('Something else still needs it.'));
  });

  test('a null where there must be a value', () => {
    const message = 'ein NULL-Wert in einer Spalte verletzt Not-Null-Constraint';
    expect(dbFailure(said('23502', message, { table: 'resource', column: 'title' }))).toEqual(
      fields({ title: ['This field may not be null.'] }),
    );
  });

  test.each([
    { kind: 'unreachable', message: 'no route to 10.0.0.1', fatal: false },
    { kind: 'lost', message: 'x' },
    { kind: 'pool-timeout', afterMs: 5 },
    { kind: 'cancelled' },
    { kind: 'closed' },
  ] as const)('no answer at all: $kind', (error) => {
    expect(dbFailure(error)).toEqual({ kind: 'unavailable' });
  });
});
