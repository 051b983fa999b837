// Groups of accounts.

import { raw, sql } from '../../../sql/index.ts';
import type { BoundValue, Sql } from '../../fields/bound-value.ts';
import { EMAIL } from '../../fields/email.ts';
import { makeRecordType, type RecordType } from '../../fields/field.ts';
import { computed, one, shownColumn, writtenColumn } from '../../fields/field-makers.ts';
import { GROUP_CATEGORY, KEYWORD } from '../../fields/lookup.ts';
import { groupName } from '../item/code-lists.ts';

const SLUG = {
  regex: /^[-a-zA-Z0-9_]+$/,
  complaint: 'Enter a valid "slug" consisting of letters, numbers, underscores or hyphens.',
};

const roleIn = (row: string): Sql =>
  raw(
    `(select case when m.is_manager then 'manager' else 'member' end from portal.group_member m where m.group_id = ${row}.id and m.account_id = (select portal.me()))`,
  );

export const group: RecordType = makeRecordType('group_profile', 'group_profiles', [
  shownColumn('pk', { kind: 'integer' }, 'Id of the group.', { column: 'id' }),
  writtenColumn('title', { kind: 'text', max: 1000 }, 'Title.', { required: true }),
  one(
    'group',
    'The group as items and permissions name it.',
    {
      recordType: () => groupName,
      rows: (outer, inner) => ({ from: raw(`portal.user_group ${inner}`), on: raw(`${inner}.id = ${outer}.id`) }),
      key: (outer) => raw(`${outer}.id`),
    },
    { nullable: false },
  ),
  writtenColumn(
    'slug',
    { kind: 'text', max: 50, pattern: SLUG },
    'Name in addresses and permissions; changed by administrators. Made of the title where none is sent.',
  ),
  writtenColumn('logo', { kind: 'text', max: 2048, format: 'uri' }, 'Address of a picture.', { nullable: true }),
  writtenColumn('description', { kind: 'text', max: 100_000, blank: true }, 'What the group is about.', {
    initial: '',
  }),
  writtenColumn('email', EMAIL, 'Address of the group.', {
    nullAs: '',
    initial: '',
  }),
  computed(
    'keywords',
    { kind: 'words' },
    'Keywords, as slugs.',
    (row) =>
      raw(
        `(select coalesce(json_agg(k.slug order by k.slug), '[]') from portal.group_keyword gk join portal.keyword k on k.id = gk.keyword_id where gk.group_id = ${row}.id)`,
      ),
    {
      write: {
        kind: 'names',
        to: KEYWORD,
        setter: {
          when: 'middle',
          statements: (id, names) => [sql<BoundValue>`select portal.set_group_keywords(${id}, ${names}::text[])`],
        },
      },
    },
  ),
  writtenColumn(
    'access',
    { kind: 'choice', choices: ['public', 'public-invite', 'private'] },
    '`private` groups are known to their members only.',
    { initial: 'public' },
  ),
  computed(
    'role',
    { kind: 'choice', choices: ['manager', 'member'] },
    'What the caller is in it; null: nothing. Only with `include[]=role`.',
    roleIn,
    { value: roleIn, deferred: true, nullable: true },
  ),
  computed(
    'categories',
    { kind: 'words' },
    'Categories of groups, as slugs.',
    (row) =>
      raw(
        `(select coalesce(json_agg(c.slug order by c.slug), '[]') from portal.group_in_category gc join portal.group_category c on c.id = gc.category_id where gc.group_id = ${row}.id)`,
      ),
    {
      write: {
        kind: 'references',
        to: GROUP_CATEGORY,
        setter: {
          when: 'middle',
          statements: (id, ids) => [
            sql<BoundValue>`delete from portal.group_in_category c where c.group_id = ${id} and c.category_id <> all (${ids}::integer[])`,
            sql<BoundValue>`insert into portal.group_in_category (group_id, category_id) select ${id}, n.id from unnest(${ids}::integer[]) n(id) on conflict do nothing`,
          ],
        },
      },
    },
  ),
]);
