// Users and groups.

import { hashPassword } from '../../../auth/password.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { Session } from '../../../pg/driver.ts';
import { empty, raw, sql } from '../../../sql/index.ts';
import { passwordComplaint } from '../../accounts/password-rules.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import { type BoundValue, bound, type Sql } from '../../fields/bound-value.ts';
import type { Field } from '../../fields/field.ts';
import type { Collection } from '../../operations/collection.ts';
import { type Draft, type Given, givenField, givenText, withValues } from '../../operations/write/draft.ts';
import { naturalCollation } from '../../query/source.ts';
import { group } from './group-fields.ts';
import { user } from './user-fields.ts';

/** What an account is looked for by, as everybody sees it. */
export const USER_NAMES: readonly string[] = ['username', 'first_name', 'last_name'];

export const users: Collection = {
  path: '/api/v2/users',
  list: user.plural,
  item: user.name,
  about: 'Accounts: all of them to administrators and staff, to others their own.',
  recordType: user,
  source: {
    row: 'u',
    table: raw('portal.account u'),
    joins: raw(' join portal.account_detail u_detail on u_detail.account_id = u.id'),
    key: raw('u.id'),
    where: [],
    order: { value: naturalCollation(raw('u.username')), isDescending: false },
    isCatalogue: false,
  },
  rules: { recordType: user, searched: USER_NAMES, hasExtent: false, hasFavourites: false, full: [] },
  visitors: 'see-nothing',
  listed: [],
  valuePaths: {},
  writer: {
    table: 'portal.account',
    fixed: {},
    touched: 'first_name',
    prepare: hashGivenPassword,
    compare: withoutEqualValues,
    insert: newAccount,
  },
};

async function hashGivenPassword(draft: Draft): Promise<Result<Draft, PortalError>> {
  const field = givenField(draft, 'password');
  const password = givenText(draft, 'password');
  if (field === undefined || password === undefined || password === null) return ok(draft);
  const complaint = passwordComplaint(password, givenText(draft, 'username') ?? '');
  if (complaint !== undefined) return err({ kind: 'invalid-fields', fields: { password: [complaint] } });
  return ok(withValues(draft, new Map<Field, Given>([[field, { kind: 'value', text: await hashPassword(password) }]])));
}

const GUARDED = ['is_superuser', 'is_staff', 'is_active', 'email'] as const;

/**
 * A record sent back as it was read must not be refused for what only administrators write in it: values that are as they
 * were are left alone. One that differs goes to the database, and it says who may.
 */
async function withoutEqualValues(id: number, draft: Draft, session: Session): Promise<Result<Draft, PortalError>> {
  const given = GUARDED.flatMap((name) => {
    const field = givenField(draft, name);
    return field === undefined ? [] : [{ name, field }];
  });
  if (given.length === 0) return ok(draft);
  const executed = await session.execute([
    {
      text: `select ${GUARDED.map((name) => `${name}::text`).join(', ')} from portal.account_detail where account_id = $1::integer`,
      params: [String(id)],
    },
  ]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  const [row] = executed.value[0]?.rows ?? [];
  const changes = new Map<Field, undefined>();
  for (const { name, field } of given) {
    if (givenText(draft, name) === row?.[GUARDED.indexOf(name)]?.toString()) changes.set(field, undefined);
  }
  return ok(withValues(draft, changes));
}

/** What the database's function for new accounts takes; the rest is set afterwards. */
function newAccount(draft: Draft): { readonly statement: Sql; readonly done: ReadonlySet<string> } {
  const text = (name: string, usual: string | null): Sql => sql<BoundValue>`${bound(givenText(draft, name) ?? usual)}`;
  return {
    statement: sql<BoundValue>`select portal.create_account(username => ${text('username', '')}::text, password_hash => ${text('password', null)}::text, first_name => ${text('first_name', '')}::text, last_name => ${text('last_name', '')}::text, email => ${text('email', '')}::text, is_staff => ${text('is_staff', 'false')}::boolean, is_superuser => ${text('is_superuser', 'false')}::boolean)`,
    done: new Set(['password', 'email', 'is_staff', 'is_superuser']),
  };
}

export const groups: Collection = {
  path: '/api/v2/groups',
  list: group.plural,
  item: group.name,
  about: 'Groups of accounts.',
  recordType: group,
  source: {
    row: 'g',
    table: raw('portal.user_group g'),
    joins: empty,
    key: raw('g.id'),
    where: [],
    order: { value: naturalCollation(raw('g.title')), isDescending: false },
    isCatalogue: false,
  },
  rules: {
    recordType: group,
    searched: ['title', 'slug', 'description'],
    hasExtent: false,
    hasFavourites: false,
    full: [],
  },
  visitors: 'refused',
  // Principals for permissions, no teams of people; clients look for the one of every account.
  listed: [raw("(not g.builtin or g.slug = 'registered-members')")],
  valuePaths: {},
  writer: { table: 'portal.user_group', fixed: {}, touched: 'title', insert: newGroup },
};

/** What the database's function for new groups takes. Whoever makes one for themselves leads it, and so sees it from then on. */
function newGroup(draft: Draft): { readonly statement: Sql; readonly done: ReadonlySet<string> } {
  const text = (name: string, usual: string | null): Sql =>
    sql<BoundValue>`${bound(givenText(draft, name) ?? usual)}::text`;
  return {
    statement: sql<BoundValue>`select portal.make_group(${text('title', '')}, ${text('slug', '')}, ${text('description', '')}, ${text('email', '')}, ${text('logo', null)}, ${text('access', 'public')})`,
    done: new Set(['title', 'slug', 'description', 'email', 'logo', 'access']),
  };
}
