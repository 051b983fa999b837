// A statement of a shape with the values of one request, and how long it may run.

import type { Row, Statement } from '../../pg/driver.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { fillParams } from '../run/fill-params.ts';
import type { ShapeStatement } from './shape-cache.ts';
import type { RestState } from './state.ts';

/** On a server the scope says so already. */
export function limits({ config: { dbStatementTimeout } }: RestState): { readonly timeLimitMs?: number } {
  return dbStatementTimeout === undefined || dbStatementTimeout === 0
    ? NO_LIMITS
    : { timeLimitMs: dbStatementTimeout * 1000 };
}

const NO_LIMITS = {};

export function filled(
  statement: ShapeStatement,
  request: ApiRequest,
  role: string,
  { cache }: RestState,
  outputs?: Row,
): Statement {
  const { text, params, name, describe } = statement;
  const filledParams = fillParams(params, request, outputs);
  if (name === undefined) return { text, params: filledParams, describe };
  // Under row security PostgreSQL plans a prepared statement anew whenever the role changes: one for each role instead.
  return {
    text,
    params: filledParams,
    name: cache?.hasRowSecurity === true ? `${name}_${roleNumber(role)}` : name,
    describe,
  };
}

const roleNumbers = new Map<string, number>();

/** A role as a short name; its own could be any text of any length. */
function roleNumber(role: string): number {
  let number = roleNumbers.get(role);
  if (number === undefined) {
    number = roleNumbers.size + 1;
    roleNumbers.set(role, number);
  }
  return number;
}
