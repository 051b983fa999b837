// Computed columns: functions of one row that return a value. Their types are needed where an operator depends on them.

import type { Stage } from '../../kernel/in-slices.ts';
import type { RoutineRow } from './catalogue-rows.ts';
import type { KnownRelation } from './known-relations.ts';
import { inputsOf } from './routines.ts';
import type { ComputedColumn, Identifier } from './schema-cache.ts';
import type { Types } from './types.ts';

export function* makeComputedColumns(
  routines: readonly RoutineRow[],
  relations: Iterable<KnownRelation>,
  types: Types,
): Stage<ComputedColumn[]> {
  const byRowType = new Map<number, Identifier>();
  for (const { rowType, identifier } of relations) {
    byRowType.set(rowType, identifier);
    yield;
  }
  const computed: ComputedColumn[] = [];
  for (const routine of routines) {
    yield;
    if (routine.returnsSet || routine.resultKind !== 'scalar') continue;
    const [input, another] = inputsOf(routine);
    if (input === undefined || another !== undefined || input.mode === 'v') continue;
    const table = byRowType.get(input.type);
    if (table === undefined || table.schema !== routine.schema) continue;
    const type = types.get(routine.resultType, -1);
    if (type !== undefined) computed.push({ table, name: routine.name, baseType: type.baseName });
  }
  return computed;
}
