// What a plan asks of the database, in the words that traces have for it.

import { assertNever } from '../../kernel/assert-never.ts';
import type { MutatePlan, QueryPlan } from '../plan/plan.ts';

export function operationOf(plan: QueryPlan): { readonly name: string; readonly on: string } {
  switch (plan.kind) {
    case 'read':
      return { name: 'SELECT', on: plan.tree.from.kind === 'relation' ? plan.tree.from.relation.name : '' };
    case 'call':
      return { name: 'CALL', on: plan.routine.name };
    case 'mutate':
      return { name: wordOf(plan.change), on: plan.change.table.name };
    default:
      return assertNever(plan);
  }
}

function wordOf({ kind }: MutatePlan['change']): string {
  switch (kind) {
    case 'insert':
    case 'nested':
      return 'INSERT';
    case 'delete':
      return 'DELETE';
    case 'update':
    case 'update-each':
    case 'merge':
    case 'json-patch':
      return 'UPDATE';
    default:
      return assertNever(kind);
  }
}
