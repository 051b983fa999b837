// Which function a call means: by the names of the arguments given, and where none fits, one with a single unnamed
// parameter that takes the body whole.

import { err, ok, type Result } from '../../kernel/result.ts';
import { nearestSignature } from '../schema-cache/nearest-signature.ts';
import type { Routine, SchemaCache } from '../schema-cache/schema-cache.ts';
import type { PlanError } from './plan-error.ts';

export type CallSignature = {
  readonly schema: string;
  readonly name: string;
  readonly args: readonly string[];
  /** What a POST's body could be for an unnamed parameter; a GET has none. */
  readonly body: 'json' | 'text' | 'xml' | 'bytea' | 'none';
};

export type FoundRoutine = { readonly routine: Routine; readonly takesBody: boolean };

export function findRoutine(cache: SchemaCache, asked: CallSignature): Result<FoundRoutine, PlanError> {
  const overloads = cache.routines(asked.schema, asked.name);
  const named = overloads.filter((routine) => takesNames(routine, asked));
  const candidates = named.length > 0 ? named : overloads.filter((routine) => takesBody(routine, asked.body));
  const [only, another] = candidates;
  if (only !== undefined && another === undefined) return ok({ routine: only, takesBody: named.length === 0 });
  if (only !== undefined) {
    return err({
      kind: 'ambiguous-routine',
      candidates: candidates.toSorted((a, b) => a.parameters.length - b.parameters.length),
    });
  }
  return err({ kind: 'routine-not-found', ...asked, near: nearest(cache, overloads, asked) });
}

function takesNames({ parameters }: Routine, { args, body }: CallSignature): boolean {
  if (parameters.length === 0) return args.length === 0 && (body === 'json' || body === 'none');
  if (parameters.some(({ name }) => name === '')) return false;
  if (body !== 'json' && body !== 'none') return false;
  const given = new Set(args);
  return (
    parameters.every(({ name, required }) => !required || given.has(name)) &&
    args.every((arg) => parameters.some(({ name }) => name === arg))
  );
}

const UNNAMED = {
  json: ['json', 'jsonb'],
  text: ['text'],
  xml: ['xml'],
  bytea: ['bytea'],
  none: [],
} as const satisfies Record<CallSignature['body'], readonly string[]>;

function takesBody({ parameters }: Routine, body: CallSignature['body']): boolean {
  const [only, another] = parameters;
  const types: readonly string[] = UNNAMED[body];
  return only !== undefined && another === undefined && only.name === '' && types.includes(only.type);
}

function nearest(
  cache: SchemaCache,
  overloads: readonly Routine[],
  { schema, name, args, body }: CallSignature,
): Extract<PlanError, { kind: 'routine-not-found' }>['near'] {
  if (body !== 'json' && body !== 'none') return undefined;
  if (overloads.length === 0) {
    const near = cache.nearestRoutine(schema, name);
    return near === undefined ? undefined : { kind: 'name', name: near };
  }
  const signature = nearestSignature(overloads, args);
  return signature === undefined ? undefined : { kind: 'signature', signature };
}
