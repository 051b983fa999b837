// Names and literals as SQL text. Every legal name is escaped, none is rejected.

import { Fragment } from './fragment.ts';

export function quoteIdent(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A literal that is right whatever `standard_conforming_strings` says: a backslash turns it into an E'' string. */
export function quoteLiteral(text: string): string {
  const doubled = text.replaceAll("'", "''");
  return doubled.includes('\\') ? ` E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`;
}

/** @example ident('api', 'items', 'id') // "api"."items"."id" */
export function ident(...names: readonly string[]): Fragment<never> {
  return new Fragment<never>([names.map(quoteIdent).join('.')]);
}

export function literal(text: string): Fragment<never> {
  return new Fragment<never>([quoteLiteral(text)]);
}
