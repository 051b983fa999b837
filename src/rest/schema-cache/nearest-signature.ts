// Which overload of a function was probably meant, by the names of its parameters.

import { makeNameIndex } from './nearest-name.ts';
import type { Routine } from './schema-cache.ts';

/** The nearest parameter list, as `(a, b)`: sorted, because the order of arguments by name says nothing. */
export function nearestSignature(overloads: readonly Routine[], asked: readonly string[]): string | undefined {
  const signatures = overloads.map(({ parameters }) => signatureOf(parameters.map(({ name }) => name)));
  return makeNameIndex(signatures)(signatureOf(asked))?.name;
}

function signatureOf(names: readonly string[]): string {
  return `(${names.toSorted().join(', ')})`;
}
