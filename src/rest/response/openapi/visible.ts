// The schema cache cut down to what a caller may know of it. The database's answer stays as the bytes that came until a document
// has to be made of it; its digest says whether one is at hand.

import { createHash } from 'node:crypto';
import type { Visible } from '../../run/ask-visible.ts';
import type { Routine, Table } from '../../schema-cache/schema-cache.ts';

/** Equal for callers to whom the same things are visible. */
export function visibleDigest({ comment, objects }: Visible): string {
  const digest = createHash('sha256');
  digest.update(JSON.stringify([comment, objects === undefined]));
  if (objects !== undefined) {
    // JSON texts: one ends where the next begins, nothing more is needed to keep them apart.
    digest.update(objects.tables ?? 'null').update(objects.routines ?? 'null');
  }
  return digest.digest('base64');
}

export function visibleTables({ objects }: Visible, tables: readonly Table[]): readonly Table[] {
  if (objects === undefined) return tables;
  const names = new Set(parsed<string>(objects.tables));
  return tables.filter(({ name }) => names.has(name));
}

export function visibleRoutines({ objects }: Visible, routines: readonly Routine[]): readonly Routine[] {
  if (objects === undefined) return routines;
  const signatures = new Set(parsed<RoutineRow>(objects.routines).map(signatureOfRow));
  return routines.filter((routine) => signatures.has(signatureOf(routine)));
}

function parsed<T>(list: Buffer | null): readonly T[] {
  return list === null ? [] : (JSON.parse(list.toString('utf8')) as T[]);
}

type RoutineRow = readonly [
  name: string,
  argumentNames: readonly string[] | null,
  argumentModes: readonly string[] | null,
  inputs: number,
];

// Name and argument names: overloads that have both in common cannot be told apart by a caller either.
// No identifier contains the separator.
function signature(name: string, inputs: readonly string[]): string {
  return [name, ...inputs].join('\0');
}

function signatureOf({ name, parameters }: Routine): string {
  return signature(
    name,
    parameters.map((parameter) => parameter.name),
  );
}

const INPUT_MODES: ReadonlySet<string | undefined> = new Set(['i', 'b', 'v']);

function signatureOfRow([name, names, modes, inputs]: RoutineRow): string {
  if (modes === null) return signature(name, names ?? Array.from({ length: inputs }, () => ''));
  return signature(
    name,
    modes.flatMap((mode, index) => (INPUT_MODES.has(mode) ? [names?.[index] ?? ''] : [])),
  );
}
