// Fragments put together.

import { Fragment } from './fragment.ts';

/** Parts with a separator between them; empty parts are left out. */
export function join<P>(parts: readonly Fragment<P>[], separator = ', '): Fragment<P> {
  const chunks: Fragment<P>['chunks'][number][] = [];
  let first = true;
  for (const part of parts) {
    if (isEmpty(part)) continue;
    if (!first) chunks.push(separator);
    for (const chunk of part.chunks) chunks.push(chunk);
    first = false;
  }
  return new Fragment(chunks);
}

/** ` where a and b`, or nothing. */
export function where<P>(conditions: readonly Fragment<P>[]): Fragment<P> {
  const all = conditions.filter((condition) => !isEmpty(condition));
  return all.length === 0 ? new Fragment<P>([]) : new Fragment([' where ', ...join(all, ' and ').chunks]);
}

export function isEmpty<P>(fragment: Fragment<P>): boolean {
  return fragment.chunks.every((chunk) => chunk === '');
}
