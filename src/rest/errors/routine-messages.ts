// Words for calls that name no function (SVRST202) or too many (SVRST203).

import type { PlanError } from '../plan/plan-error.ts';
import type { Routine } from '../schema-cache/schema-cache.ts';
import type { ErrorMessage } from './error-message.ts';

type RoutineNotFound = Extract<PlanError, { readonly kind: 'routine-not-found' }>;
type ProcedureInTransaction = Extract<PlanError, { readonly kind: 'procedure-needs-transaction' }>;
type AmbiguousRoutine = Extract<PlanError, { readonly kind: 'ambiguous-routine' }>;

export function routineNotFoundMessage(error: RoutineNotFound): ErrorMessage {
  const name = `${error.schema}.${error.name}`;
  const args = error.args.toSorted();
  return {
    status: 404,
    code: 'SVRST202',
    message: `Could not find the function ${name}${asked(error.body, args)} in the schema cache`,
    details: `Searched for the function ${name}${searched(error.body, args)}, but no matches were found in the schema cache.`,
    hint: suggestion(error),
  };
}

const NO_TRANSACTION = {
  rollback: 'What it does cannot be rolled back, as the preference tx=rollback or the setting db-tx-end asks.',
  pooler: 'It needs a connection to itself, and db-prepared-statements = false says that a pooler shares them.',
} as const;

export function procedureInTransactionMessage({ name, why }: ProcedureInTransaction): ErrorMessage {
  return outsideTransactionMessage(name, NO_TRANSACTION[why]);
}

export function outsideTransactionMessage(name: string, details: string): ErrorMessage {
  return {
    status: 400,
    code: 'SVRST185',
    message: `The procedure '${name}' runs outside the request's transaction, which is not possible here`,
    details,
  };
}

export function ambiguousRoutineMessage({ candidates }: AmbiguousRoutine): ErrorMessage {
  const signatures = candidates.toSorted(byParameters).map(signature);
  return {
    status: 300,
    code: 'SVRST203',
    message: `Could not choose the best candidate function between: ${signatures.join(', ')}`,
    hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
  };
}

/** Fewest parameters first, then by their names and types: the order does not depend on which was created first. */
function byParameters(a: Routine, b: Routine): number {
  if (a.parameters.length !== b.parameters.length) return a.parameters.length - b.parameters.length;
  const [one, other] = [signature(a), signature(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Whether the body can only go, as it is, to a single parameter without a name. */
function isWhole(body: RoutineNotFound['body']): body is 'text' | 'xml' | 'bytea' {
  return body === 'text' || body === 'xml' || body === 'bytea';
}

function asked(body: RoutineNotFound['body'], args: readonly string[]): string {
  if (isWhole(body)) return '';
  return args.length === 0 ? ' without parameters' : `(${args.join(', ')})`;
}

function searched(body: RoutineNotFound['body'], args: readonly string[]): string {
  if (isWhole(body)) return ` with a single unnamed ${body} parameter`;
  const named =
    args.length === 0 ? ' without parameters' : ` with parameter${args.length === 1 ? '' : 's'} ${args.join(', ')}`;
  return body === 'json' ? `${named} or with a single unnamed json/jsonb parameter` : named;
}

function suggestion({ schema, name, body, near }: RoutineNotFound): string | null {
  if (near === undefined || isWhole(body)) return null;
  const meant = near.kind === 'name' ? near.name : `${name}${near.signature}`;
  return `Perhaps you meant to call the function ${schema}.${meant}`;
}

function signature({ schema, name, parameters }: Routine): string {
  return `${schema}.${name}(${parameters.map((parameter) => `${parameter.name} => ${parameter.type}`).join(', ')})`;
}
