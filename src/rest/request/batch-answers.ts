// Looks references up in the answers of a batch's requests. All that a batch wants of one answer is known before it comes, as a tree of
// keys, so that the answer is gone through once, whatever the number of references.

import type { Reference } from './batch-reference.ts';
import { elementsOf, kindOf, membersOf, type Slice } from './json-slices.ts';

export type Wanted = {
  readonly inside: Map<string, Wanted>;
  /** As it stands in the answer. */
  found: Uint8Array | undefined;
  /** A key was asked of a list of so many. */
  rows: number | undefined;
};

export function nothingWanted(): Wanted {
  return { inside: new Map(), found: undefined, rows: undefined };
}

export function want(root: Wanted, { path }: Reference): void {
  let node = root;
  for (const step of path) {
    let next = node.inside.get(step);
    if (next === undefined) {
      next = nothingWanted();
      node.inside.set(step, next);
    }
    node = next;
  }
}

/** `answer`: well-formed JSON. */
export function lookUp(root: Wanted, answer: Uint8Array): void {
  let start = 0;
  while ((answer[start] as number) <= 0x20) start++;
  let end = answer.length;
  while ((answer[end - 1] as number) <= 0x20) end--;
  take(root, answer, { start, end });
}

const INDEX = /^(?:0|[1-9]\d*)$/;

function take(wanted: Wanted, bytes: Uint8Array, slice: Slice): void {
  wanted.found = bytes.subarray(slice.start, slice.end);
  if (wanted.inside.size === 0) return;
  switch (kindOf(bytes, slice)) {
    case 'object':
      for (const member of membersOf(bytes, slice.start)) {
        const next = wanted.inside.get(member.key);
        if (next !== undefined) take(next, bytes, member);
      }
      return;
    case 'array':
      takeElements(wanted, bytes, slice);
      return;
    default:
  }
}

/** A list of one row is that row to whoever asks it for a column. */
function takeElements(wanted: Wanted, bytes: Uint8Array, slice: Slice): void {
  let count = 0;
  let first: Slice | undefined;
  for (const element of elementsOf(bytes, slice.start)) {
    first ??= element;
    const next = wanted.inside.get(String(count));
    if (next !== undefined) take(next, bytes, element);
    count++;
  }
  const named = [...wanted.inside].filter(([key]) => !INDEX.test(key));
  if (named.length === 0) return;
  if (count === 1 && first !== undefined)
    take({ inside: new Map(named), found: undefined, rows: undefined }, bytes, first);
  else for (const [, one] of named) one.rows = count;
}

export type LookedUp = { readonly bytes: Uint8Array } | { readonly missing: true; readonly rows: number | undefined };

export function lookedUp(root: Wanted, { path }: Reference): LookedUp {
  let node: Wanted | undefined = root;
  let rows: number | undefined;
  for (const step of path) {
    node = node?.inside.get(step);
    rows ??= node?.rows;
  }
  return node?.found === undefined ? { missing: true, rows } : { bytes: node.found };
}
