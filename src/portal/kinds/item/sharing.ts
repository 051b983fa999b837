// Whom an item is shared with: in one word where it is read, and as permissions in the request that makes it.

import { raw, sql } from '../../../sql/index.ts';
import type { BoundValue } from '../../fields/bound-value.ts';
import type { Field } from '../../fields/field.ts';
import { computed, writeOnly } from '../../fields/field-makers.ts';

/** Set when all else is done, in the transaction that makes the item: it is never seen by others than those who may. */
export const permissions: Field = writeOnly(
  'permissions',
  { kind: 'json' },
  'Who may do what, as `set_perms` takes it: `{"users": {}, "groups": {}}` is nobody but the owner. Not sent: as the settings have it.',
  {
    kind: 'setter',
    cast: 'jsonb',
    setter: {
      when: 'last',
      statements: (id, spec) => [sql<BoundValue>`select portal.set_new_perms(${id}, ${spec}::jsonb)`],
    },
  },
);

export const sharing: Field = computed(
  'sharing',
  { kind: 'choice', choices: ['public', 'shared', 'private'] },
  'Who sees it: everybody, others than its owner, or its owner alone. Only with `include[]=sharing`.',
  (row) => raw(`portal.sharing_of(${row}.id)`),
  { deferred: true },
);
