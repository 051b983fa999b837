// Functions of one row that return rows: each is a relationship of the relation whose row it takes.

import type { Stage } from '../../kernel/in-slices.ts';
import type { RoutineRow } from './catalogue-rows.ts';
import type { KnownRelation } from './known-relations.ts';
import type { ComputedRelationship } from './relationships.ts';
import { inputsOf } from './routines.ts';
import { isView } from './tables.ts';

export function* makeComputedRelationships(
  routines: readonly RoutineRow[],
  relations: Iterable<KnownRelation>,
): Stage<ComputedRelationship[]> {
  const computed: ComputedRelationship[] = [];
  const byRowType = new Map<number, KnownRelation>();
  for (const relation of relations) {
    byRowType.set(relation.rowType, relation);
    yield;
  }
  for (const routine of routines) {
    yield;
    const { resultRelation: result } = routine;
    // A composite type is no relation, and a domain over a row type is not that row type.
    if (result === null || result.kind === 'c' || routine.resultDomain !== null) continue;
    const [input, another] = inputsOf(routine);
    if (input === undefined || another !== undefined || input.mode === 'v') continue;
    const table = byRowType.get(input.type);
    // The function is found in the request's schema, and so is the relation that is embedded into.
    if (table === undefined || table.identifier.schema !== routine.schema) continue;
    computed.push({
      kind: 'computed',
      table: table.identifier,
      tableIsView: table.isView,
      foreign: { schema: result.schema, name: result.name },
      foreignIsView: isView(result.kind),
      isSelf: table.oid === result.oid,
      routine: { schema: routine.schema, name: routine.name },
      toOne: !routine.returnsSet || routine.expectedRows === 1,
    });
  }
  return computed;
}
