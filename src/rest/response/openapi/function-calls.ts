// Overloads share one path of the API: routines → for each name, the ways a client can call it.

import type { Parameter, Routine } from '../../schema-cache/schema-cache.ts';
import { isReservedParameter } from './filter-key.ts';

export type FunctionCalls = {
  readonly name: string;
  readonly comment: string | null;
  /** Called with named arguments, by POST. */
  readonly named: readonly Routine[];
  /** Those of `named` that GET can call: they write nothing, and no argument they need has the name of a control parameter. */
  readonly byGet: readonly Routine[];
  /** Take the whole request body as their single, unnamed argument. */
  readonly withBody: readonly Routine[];
};

export function functionCalls(routines: readonly Routine[]): readonly FunctionCalls[] {
  const byName = new Map<string, Routine[]>();
  for (const routine of routines) {
    const overloads = byName.get(routine.name);
    if (overloads === undefined) byName.set(routine.name, [routine]);
    else overloads.push(routine);
  }
  const calls: FunctionCalls[] = [];
  for (const [name, overloads] of byName) {
    const named = overloads.filter(({ parameters }) => parameters.every((parameter) => parameter.name !== ''));
    const withBody = overloads.filter(({ parameters }) => parameters.length === 1 && parameters[0]?.name === '');
    // An unnamed parameter among named ones cannot be passed at all.
    if (named.length + withBody.length === 0) continue;
    const comment = overloads.find(({ description }) => description !== null)?.description ?? null;
    calls.push({ name, comment, named, byGet: named.filter(isCallableByGet), withBody });
  }
  return calls;
}

function isCallableByGet({ volatility, parameters }: Routine): boolean {
  return volatility !== 'volatile' && !parameters.some(({ name, required }) => required && isReservedParameter(name));
}

/** Parameters of all overloads by name, the first type given winning; required are those no overload does without. */
export function mergedParameters(overloads: readonly Routine[]): readonly Parameter[] {
  const [only] = overloads;
  if (overloads.length === 1 && only !== undefined) return only.parameters;
  const merged = new Map<string, Parameter>();
  const needed = new Map<string, number>();
  for (const { parameters } of overloads) {
    for (const parameter of parameters) {
      if (!merged.has(parameter.name)) merged.set(parameter.name, parameter);
      if (parameter.required) needed.set(parameter.name, (needed.get(parameter.name) ?? 0) + 1);
    }
  }
  return [...merged.values()].map((parameter) => ({
    ...parameter,
    required: needed.get(parameter.name) === overloads.length,
  }));
}

/** Media type of the request body that becomes a single unnamed argument of this type. */
export function bodyMediaType(type: string): string {
  switch (type) {
    case 'text':
      return 'text/plain';
    case 'xml':
      return 'text/xml';
    case 'bytea':
      return 'application/octet-stream';
    default:
      return 'application/json';
  }
}
