// The face of an account, as items show their owner, contact and author, and as groups show their members.

import { raw, sql } from '../../../sql/index.ts';
import { BASE, type BoundValue, type Sql } from '../../fields/bound-value.ts';
import { type Field, makeRecordType, type RecordType, type Relation } from '../../fields/field.ts';
import { computed, shownColumn } from '../../fields/field-makers.ts';

export const accountFields: readonly Field[] = [
  shownColumn('pk', { kind: 'integer' }, 'Id of the account.', { column: 'id' }),
  shownColumn('username', { kind: 'text', max: 150 }, 'Name to sign in with.'),
  shownColumn('first_name', { kind: 'text', max: 30, blank: true }, 'First name.'),
  shownColumn('last_name', { kind: 'text', max: 150, blank: true }, 'Last name.'),
  computed(
    'avatar',
    { kind: 'text', format: 'uri' },
    'Address of a picture.',
    (row) => sql<BoundValue>`coalesce(${raw(`${row}.avatar`)}, ${BASE} || '/avatar/' || ${raw(`${row}.id`)} || '.svg')`,
  ),
  computed(
    'perms',
    { kind: 'words', of: ['add_resource'] },
    '`add_resource` when the account may create content.',
    mayAdd,
  ),
];

/** Asked once per statement: nobody adds anything while the portal is read-only. */
function mayAdd(row: string): Sql {
  return raw(
    `case when ${row}.can_add and (select not portal.setting_on('READ_ONLY')) then '["add_resource"]'::json else '[]'::json end`,
  );
}

export const accountFace: RecordType = makeRecordType('user', 'users', accountFields);

/** The account whose id is in that column. */
export function accountIn(column: string, part: string): Relation {
  return {
    part,
    recordType: () => accountFace,
    rows: (outer, inner) => ({ from: raw(`portal.account ${inner}`), on: raw(`${inner}.id = ${outer}.${column}`) }),
    key: (outer) => raw(`${outer}.${column}`),
  };
}
