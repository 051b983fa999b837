import { expect, test } from 'vitest';
import { column, manyToOne, table } from '../../../../test/fixtures/rest/hand-made-cache.ts';
import type { Relationship } from '../../schema-cache/schema-cache.ts';
import { columnNotes, foreignColumns } from './column-notes.ts';

const clients = table('clients', [column('id', 'integer')], { primaryKey: ['id'] });
const projects = table('projects', [column('id', 'integer'), column('client_id', 'integer')], { primaryKey: ['id'] });
const view = { schema: 'test', name: 'clients_view' };
const always = () => true;

test.each<[what: string, name: string, description: string | null, expected: string | undefined]>([
  ['a plain column', 'name', null, undefined],
  ['a comment', 'name', 'Its name', 'Its name'],
  ['a key', 'id', null, 'Note:\nThis is a Primary Key.<pk/>'],
  ['a key with a comment', 'id', 'Number', 'Number\n\nNote:\nThis is a Primary Key.<pk/>'],
])('%s', (_, name, description, expected) => {
  expect(columnNotes(projects, { name, description }, undefined)).toBe(expected);
});

test('a column that is primary and foreign key has both notes', () => {
  expect(columnNotes(projects, { name: 'id', description: null }, { table: 'clients', column: 'id' })).toBe(
    "Note:\nThis is a Primary Key.<pk/>\nThis is a Foreign Key to `clients.id`.<fk table='clients' column='id'/>",
  );
});

test('a name cannot leave the mark it stands in', () => {
  const note = columnNotes(projects, { name: 'x', description: null }, { table: "a'/><b", column: 'c&d' });
  expect(note).toContain("<fk table='a&apos;/&gt;&lt;b' column='c&amp;d'/>");
});

test('a table is preferred over a view of it, whichever comes first', () => {
  const toView = manyToOne(projects, 'client_id', view, 'id', { foreignIsView: true });
  const toTable = manyToOne(projects, 'client_id', clients, 'id');
  for (const relationships of [
    [toView, toTable],
    [toTable, toView],
  ]) {
    expect(foreignColumns(relationships, always).get('client_id')).toMatchObject({ table: 'clients' });
  }
  expect(foreignColumns([toView], always).get('client_id')).toMatchObject({ table: 'clients_view' });
});

test('a relation that is not described is not named', () => {
  const toTable = manyToOne(projects, 'client_id', clients, 'id');
  expect(foreignColumns([toTable], (_, name) => name !== 'clients').size).toBe(0);
});

test('only the side that has the key of a one-to-one points, and only by a single column', () => {
  const base = manyToOne(projects, 'client_id', clients, 'id');
  const oneToOne = { ...base, kind: 'one-to-one' } as Relationship;
  const two = { ...base, columns: [['a', 'a'] as const, ['b', 'b'] as const] } as Relationship;
  const reversed = { ...base, kind: 'one-to-many' } as Relationship;
  expect(foreignColumns([oneToOne, two, reversed], always).size).toBe(0);
  expect(foreignColumns([{ ...oneToOne, holdsKey: true } as Relationship], always).get('client_id')).toMatchObject({
    table: 'clients',
    column: 'id',
  });
});
