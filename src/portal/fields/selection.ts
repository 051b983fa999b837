// Which fields of a record are shown: `include[]` and `exclude[]`, level by level.

import type { Sql } from './bound-value.ts';
import type { Field } from './field.ts';
import { isShown } from './field-makers.ts';

export type Selection = {
  shows(field: Field): boolean;
  /** What an embedded record has to fulfil to be shown; undefined: nothing. */
  readonly narrow?: (row: string) => readonly Sql[];
  /** For the records embedded in this field. */
  below(field: Field): Selection;
};

/** What is shown when nobody asks for anything: all that is not deferred. */
export const EVERYTHING: Selection = {
  shows: (field) => !field.deferred && isShown(field),
  below: () => EVERYTHING,
};

/** One level of what was asked for. */
export type SelectionNode = {
  readonly included: Set<string>;
  readonly excluded: Set<string>;
  readonly narrow: ((row: string) => Sql)[];
  readonly children: Map<string, SelectionNode>;
};

export function makeSelectionNode(): SelectionNode {
  return { included: new Set(), excluded: new Set(), narrow: [], children: new Map() };
}

export function toSelection(node: SelectionNode): Selection {
  const { included, excluded, narrow, children } = node;
  if (included.size === 0 && excluded.size === 0 && narrow.length === 0 && children.size === 0) return EVERYTHING;
  const isListed = ({ name }: Field): boolean =>
    included.has(name) || included.has('*') || hasIncluded(children.get(name));
  return {
    ...(narrow.length === 0 ? {} : { narrow: (row: string) => narrow.map((condition) => condition(row)) }),
    shows: (field) =>
      isShown(field) && !excluded.has(field.name) && (isListed(field) || (!field.deferred && !excluded.has('*'))),
    below: (field) => {
      const child = children.get(field.name);
      return child === undefined ? EVERYTHING : toSelection(child);
    },
  };
}

/** `include[]=owner.username` asks for the owner, too. */
function hasIncluded(node: SelectionNode | undefined): boolean {
  if (node === undefined) return false;
  return node.included.size > 0 || [...node.children.values()].some(hasIncluded);
}
