// A list below an item: whole records of another collection, chosen by the item's id.

import type { Sql } from '../fields/bound-value.ts';
import type { RecordType } from '../fields/field.ts';
import type { QueryRules } from '../query/catalogue-query.ts';
import type { Source } from '../query/source.ts';

export type RelatedList = {
  readonly recordType: RecordType;
  readonly source: Source;
  readonly rules: QueryRules;
  /** The ids of its records, given the item's own. */
  readonly ids: (id: Sql) => Sql;
};
