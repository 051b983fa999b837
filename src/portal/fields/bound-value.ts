// Bound values: the parameters of the portal's statements. Each is an object, so that two places never become one parameter even
// where their values are the same text of different types.

import type { Param, Statement } from '../../pg/driver.ts';
import { type Fragment, render } from '../../sql/index.ts';

export type BoundValue = { readonly value: Param };

export type Sql = Fragment<BoundValue>;

/** The portal's own address: the one value of a representation, filled in when the statement is made. */
export const BASE: BoundValue = { value: null };

export function bound(value: Param): BoundValue {
  return { value };
}

/** An array of texts as PostgreSQL reads one; the cast beside the parameter says of what type. */
export function arrayText(values: readonly (string | number)[]): string {
  return `{${values.map((value) => (typeof value === 'number' ? String(value) : quoted(value))).join(',')}}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

const MAX_NAMES = 1000;
const names = new Map<string, string>();
let made = 0;

export type StatementContext = {
  /** Part of the name: under row security a plan is only good for the role it was made for. */
  readonly role: string;
  readonly base: string;
};

/** Fragment → statement. Each text is prepared once per connection and role, as long as the texts are not endless. */
export function toStatement(fragment: Sql, { role, base }: StatementContext): Statement {
  const { text, params } = render(fragment);
  const values = params.map((param) => (param === BASE ? base : param.value));
  const key = `${role} ${text}`;
  let name = names.get(key);
  if (name === undefined) {
    // Texts vary with the filters that are used together; a flood of combinations starts the book anew.
    if (names.size >= MAX_NAMES) names.clear();
    made += 1;
    name = `portal_${made}`;
    names.set(key, name);
  }
  return { text, params: values, name };
}
