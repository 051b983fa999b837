// Where a setting was given. Every mistake and every notice names it, so that nobody searches four places.

import type { RawValue } from './raw-value.ts';

/** A place in a configuration file; line and column count from 1. */
export type Place = { readonly path: string; readonly line: number; readonly column: number };

export type Origin =
  | { readonly kind: 'argument'; readonly flag: string }
  | { readonly kind: 'environment'; readonly variable: string }
  | { readonly kind: 'file'; readonly place: Place }
  /** `by` says who set it: the connecting role, that role in this database only, or the pre-config function. */
  | { readonly kind: 'database'; readonly setting: string; readonly by: 'role-in-database' | 'role' | 'pre-config' };

/** One setting as one source gave it, under whichever of its names. */
export type Given = { readonly name: string; readonly value: RawValue; readonly origin: Origin };

export function describePlace(place: Place): string {
  return `${place.path}, line ${place.line}, column ${place.column}`;
}

const BY = {
  'role-in-database': 'of the connecting role in this database',
  role: 'of the connecting role',
  'pre-config': 'set by the db-pre-config function',
};

export function describeOrigin(origin: Origin): string {
  switch (origin.kind) {
    case 'argument':
      return `command line, ${origin.flag}`;
    case 'environment':
      return `environment variable ${origin.variable}`;
    case 'file':
      return describePlace(origin.place);
    case 'database':
      return `database setting ${origin.setting} ${BY[origin.by]}`;
  }
}
