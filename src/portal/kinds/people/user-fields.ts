// Accounts as `/api/v2/users/` shows them: to the account itself, and all of them to staff. The row's second name, with
// `_detail` behind it, is the part that nobody else sees.

import { raw, sql } from '../../../sql/index.ts';
import type { BoundValue, Sql } from '../../fields/bound-value.ts';
import { EMAIL } from '../../fields/email.ts';
import { type Field, makeRecordType, type RecordType } from '../../fields/field.ts';
import { computed, timeText, writeOnly } from '../../fields/field-makers.ts';
import type { Write } from '../../fields/write.ts';
import { accountFields } from '../account/fields.ts';

const USERNAME = {
  regex: /^[\p{L}\p{N}_.@+-]+$/u,
  complaint: 'Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.',
};

const inDetail = (column: string, type: string): Write => ({
  kind: 'setter',
  cast: type,
  setter: {
    when: 'middle',
    statements: (id, value) => [
      sql<BoundValue>`update portal.account_detail set ${raw(column)} = ${value}::${raw(type)} where account_id = ${id}`,
    ],
  },
});

const detail =
  (column: string) =>
  (row: string): Sql =>
    raw(`${row}_detail.${column}`);

/** Null to a token that may only read, as the database says; neither filtered nor sorted by then. */
const seenEmail = (row: string): Sql => raw(`(case when (select portal.sees_email()) then ${row}_detail.email end)`);

const EMAIL_ABOUT =
  'Mail address. Only with `include[]=email`. Administrators set it here, everybody their own by `POST /account/email/`.';

/** Names are written to the account itself, and checked here as well as there. */
const written = (name: string): Write => ({ kind: 'column', column: name, cast: 'text', nullAs: '' });

const face: readonly Field[] = accountFields.map((field): Field => {
  switch (field.name) {
    case 'username':
      return {
        ...field,
        type: { kind: 'text', max: 150, pattern: USERNAME },
        write: { kind: 'column', column: 'username', cast: 'text' },
        required: true,
      };
    case 'first_name':
    case 'last_name':
      return { ...field, write: written(field.name), initial: '' };
    default:
      return field;
  }
});

const flag = (name: string, about: string, deferred: boolean): Field =>
  computed(name, { kind: 'boolean' }, about, detail(name), {
    value: detail(name),
    deferred,
    write: inDetail(name, 'boolean'),
  });

const moment = (name: string, about: string, nullable: boolean): Field =>
  computed(name, { kind: 'datetime' }, about, (row) => timeText(detail(name)(row)), {
    value: detail(name),
    deferred: true,
    nullable,
  });

export const user: RecordType = makeRecordType('user', 'users', [
  ...face,
  flag('is_superuser', 'Administrator. Set by administrators.', false),
  flag('is_staff', 'May change whatever it sees. Set by administrators.', false),
  flag('is_active', 'May sign in. Set by administrators.', true),
  computed('email', EMAIL, EMAIL_ABOUT, seenEmail, {
    value: seenEmail,
    deferred: true,
    initial: '',
    write: inDetail('email', 'text'),
  }),
  moment('date_joined', 'When the account was made.', false),
  moment('last_login', 'When somebody last signed in with it.', true),
  writeOnly(
    'password',
    { kind: 'text', max: 128 },
    'Password of a new account, or a new one; only administrators give it here.',
    {
      kind: 'setter',
      cast: 'text',
      setter: {
        when: 'middle',
        statements: (id, hash) => [sql<BoundValue>`select portal.set_password(${id}, ${hash}::text)`],
      },
    },
  ),
]);
