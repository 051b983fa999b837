// A list below an item: whole records of another collection, chosen by the item's id.

import type { QueryRules } from '../catalogue/catalogue-query.ts';
import type { Source } from '../catalogue/source.ts';
import type { Shape } from '../represent/field.ts';
import type { Sql } from '../represent/slot.ts';

export type RelatedList = {
  readonly shape: Shape;
  readonly source: Source;
  readonly rules: QueryRules;
  /** The ids of its records, given the item's own. */
  readonly ids: (id: Sql) => Sql;
};
