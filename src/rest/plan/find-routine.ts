// Overload resolution of a call: by the names of the arguments given, and where none fits, the function with a single
// unnamed parameter that takes the body whole. An argument named `""` is for the one unnamed parameter.

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
  const named = preferListed(overloads.filter((routine) => takesNames(routine, asked)));
  const candidates = named.length > 0 ? named : overloads.filter((routine) => takesBody(routine, asked.body));
  const [only, another] = candidates;
  if (only !== undefined && another === undefined) return ok({ routine: only, takesBody: named.length === 0 });
  if (only !== undefined) {
    return err({ kind: 'ambiguous-routine', candidates });
  }
  return err({ kind: 'routine-not-found', ...asked, near: nearest(cache, overloads, asked) });
}

/** Where one of the overloads takes text or JSON, the others do not make its call ambiguous. */
function preferListed(routines: readonly Routine[]): readonly Routine[] {
  const listed = routines.filter((routine) => !routine.unlisted);
  return listed.length > 0 ? listed : routines;
}

function takesNames({ parameters }: Routine, { args, body }: CallSignature): boolean {
  if (body !== 'json' && body !== 'none') return false;
  // Beside named ones it could not be given: positional arguments stand before those.
  if (args.includes('') && parameters.length > 1) return false;
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
  const listed = overloads.filter((routine) => !routine.unlisted);
  if (listed.length === 0) {
    const near = cache.nearestRoutine(schema, name);
    return near === undefined ? undefined : { kind: 'name', name: near };
  }
  const signature = nearestSignature(listed, args);
  return signature === undefined ? undefined : { kind: 'signature', signature };
}
