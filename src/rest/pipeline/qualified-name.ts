// The name of a function in the settings, quoted for SQL.

import { quoteIdent } from '../../sql/index.ts';

/** `schema.name`, or a name for the search path to find. */
export function qualified(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? quoteIdent(name) : `${quoteIdent(name.slice(0, dot))}.${quoteIdent(name.slice(dot + 1))}`;
}
