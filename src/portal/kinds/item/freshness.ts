// Whether the data of a layer are as new as was declared. Follows from the time that it is asked at, so no record is kept with it.

import { raw } from '../../../sql/index.ts';
import type { Field } from '../../fields/field.ts';
import { computed, timeText } from '../../fields/field-makers.ts';

export const FRESHNESS = ['fresh', 'due', 'overdue'] as const;

/** Those that can be late: the others are told so without a look at what has become of them. */
const DECLARED = `('continual','daily','weekly','fortnightly','monthly','quarterly','biannually','annually')`;

export const freshnessOf = (row: string): string =>
  `case when ${row}.maintenance_frequency in ${DECLARED} then portal.freshness(${row}.id) end`;

export const freshnessFields: readonly Field[] = [
  computed(
    'data_updated',
    { kind: 'datetime' },
    'When the data of a layer were renewed last, whatever else of it has changed. Only with `include[]=data_updated`.',
    (row) => timeText(raw(`portal.data_updated(${row}.id)`)),
    { deferred: true, nullable: true },
  ),
  computed(
    'freshness',
    { kind: 'choice', choices: FRESHNESS },
    'Whether the data are as new as `maintenance_frequency` says; `due` until half as long again has passed. Only with `include[]=freshness`.',
    (row) => raw(freshnessOf(row)),
    { deferred: true, nullable: true, value: (row) => raw(`(${freshnessOf(row)})`) },
  ),
];
