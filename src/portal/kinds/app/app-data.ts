// Viewer data of maps and apps: one JSON document per item, shown when it is asked for and replaced as a whole.

import { raw, sql } from '../../../sql/index.ts';
import type { BoundValue, Sql } from '../../fields/bound-value.ts';
import type { Field } from '../../fields/field.ts';
import { computed, writeOnly } from '../../fields/field-makers.ts';
import type { Write } from '../../fields/write.ts';

/** The whole document of an item, without what it says of items that the caller does not see. */
const dataOf = (row: string): Sql =>
  raw(`(select portal.seen_config(${row}.id, d.data) from portal.app_data d where d.resource_id = ${row}.id)`);

const writeData: Write = {
  kind: 'setter',
  cast: 'jsonb',
  setter: {
    when: 'middle',
    statements: (id, data) => [
      sql<BoundValue>`insert into portal.app_data (resource_id, data) values (${id}, ${data}::jsonb) on conflict (resource_id) do update set data = excluded.data`,
    ],
  },
};

export const data: Field = computed(
  'data',
  { kind: 'json' },
  'The content of the app, as JSON or JSON text. Only with `include[]=data`.',
  dataOf,
  {
    deferred: true,
    nullable: true,
    write: writeData,
  },
);

/** The same under its older name. */
export const blob: Field = writeOnly('blob', { kind: 'json' }, 'Another name for `data`.', writeData, {
  nullable: true,
});
