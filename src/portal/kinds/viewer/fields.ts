// The viewer store: maps as the map viewer keeps them, and the accounts it knows.

import { raw, sql } from '../../../sql/index.ts';
import { BASE, type BoundValue } from '../../fields/bound-value.ts';
import { EMAIL } from '../../fields/email.ts';
import { makeRecordType, type RecordType } from '../../fields/field.ts';
import { computed, many, shownColumn, writtenColumn } from '../../fields/field-makers.ts';
import { readOnly, type Write } from '../../fields/write.ts';
import { permissions } from '../item/sharing.ts';
import { layersOfMap } from '../map/fields.ts';
import { user } from '../people/user-fields.ts';

/** Whole documents are written to the item's row of viewer data. */
const intoData = (column: 'data' | 'attributes'): Write => ({
  kind: 'setter',
  cast: 'jsonb',
  setter: {
    when: 'middle',
    statements: (id, document) => [
      sql<BoundValue>`insert into portal.app_data (resource_id, ${raw(column)}) values (${id}, ${document}::jsonb) on conflict (resource_id) do update set ${raw(column)} = excluded.${raw(column)}`,
    ],
  },
});

export const viewerResource: RecordType = makeRecordType('resource', 'resources', [
  shownColumn('id', { kind: 'integer' }, 'Id of the map.'),
  shownColumn('user', { kind: 'text' }, 'Name of its owner.', { column: '"user"' }),
  many('layers', 'Layers of the map.', layersOfMap),
  writtenColumn('name', { kind: 'text', max: 255 }, 'Name.', { required: true }),
  shownColumn('creation_date', { kind: 'datetime' }, 'When it was made.'),
  shownColumn('last_update', { kind: 'datetime' }, 'When it was last changed.'),
  computed(
    'data',
    { kind: 'json' },
    'The whole configuration of the viewer; shown with `full=true`.',
    (row) => raw(`${row}.data`),
    {
      deferred: true,
      nullable: true,
      write: intoData('data'),
    },
  ),
  computed(
    'attributes',
    { kind: 'json', isList: true },
    '`[{name, type, label, value}]`; shown with `full=true`.',
    (row) => raw(`coalesce(${row}.attributes, '[]')`),
    {
      deferred: true,
      nullable: true,
      write: intoData('attributes'),
    },
  ),
  permissions,
]);

/** The fields of accounts that the viewer asks for, written as elsewhere. */
const fieldOf = (name: string) => {
  const field = user.byName.get(name);
  if (field === undefined) throw new Error(`accounts have no ${name}`);
  return { ...field, deferred: false };
};

export const viewerUser: RecordType = makeRecordType('user', 'users', [
  { ...shownColumn('id', { kind: 'integer' }, 'Id of the account.'), write: readOnly },
  computed(
    'url',
    { kind: 'text', format: 'uri' },
    'Address of this record.',
    (row) => sql<BoundValue>`${BASE} || '/mapviewer/rest/users/' || ${raw(`${row}.id`)} || '/'`,
  ),
  fieldOf('username'),
  { ...fieldOf('email'), type: EMAIL },
  fieldOf('is_staff'),
  fieldOf('is_active'),
  fieldOf('is_superuser'),
  fieldOf('first_name'),
  fieldOf('last_name'),
  fieldOf('password'),
]);
