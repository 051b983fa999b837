// The parameters of a query → the one way to write them: sorted by name, repeated ones in their order. A reply may want it
// several times, as its own address and as those of the pages beside it; the parameters are encoded once for all of them.

import type { Page, Window } from './api-request.ts';
import { encodeUrlComponent } from './form-decoding.ts';

type Parameter = { readonly key: { readonly name: string }; readonly value: string };

/** Without `?`, empty when there are no parameters; for another page where one is given. */
export type CanonicalQuery = (page?: Page) => string;

type Part = { readonly name: string; readonly text: string };

export function canonicalQuery(parameters: readonly Parameter[]): CanonicalQuery {
  let encoded: readonly Part[] | undefined;
  return (page) => {
    encoded ??= encodeAll(parameters);
    if (page === undefined) return joined(encoded);
    return 'after' in page ? behind(encoded, page.after) : atWindow(encoded, page);
  };
}

/** What the rows and their order are asked by: everything but what of them is shown, and which of them. */
export function questionText(parameters: readonly Parameter[]): string {
  return joined(encodeAll(parameters.filter(({ key }) => !OF_A_PAGE.has(key.name))));
}

const OF_A_PAGE: ReadonlySet<string> = new Set(['select', 'limit', 'offset', 'after']);

function behind(parts: readonly Part[], cursor: string): string {
  return joined(parts.map((part) => (part.name === 'after' ? { ...part, text: `after=${cursor}` } : part)));
}

function encodeAll(parameters: readonly Parameter[]): readonly Part[] {
  const parts = parameters.map(({ key, value }) => ({
    name: key.name,
    text: `${encodeUrlComponent(key.name)}=${encodeUrlComponent(value)}`,
  }));
  // Most queries are short, and many already in order: looking costs less than sorting.
  return isSorted(parts) ? parts : parts.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function isSorted(parts: readonly Part[]): boolean {
  let before = '';
  for (const { name } of parts) {
    if (name < before) return false;
    before = name;
  }
  return true;
}

function joined(parts: readonly Part[]): string {
  let text = '';
  for (const part of parts) text = joint(text, part.text);
  return text;
}

/** The others as they are, and the new limit and offset at their places among them. */
function atWindow(parts: readonly Part[], { limit, offset }: Window): string {
  let limitText = limit === undefined ? '' : `limit=${limit}`;
  let offsetText = offset === 0 ? '' : `offset=${offset}`;
  let text = '';
  for (const { name, text: part } of parts) {
    if (name === 'limit' || name === 'offset') continue;
    if (limitText !== '' && name > 'limit') {
      text = joint(text, limitText);
      limitText = '';
    }
    if (offsetText !== '' && name > 'offset') {
      text = joint(text, offsetText);
      offsetText = '';
    }
    text = joint(text, part);
  }
  if (limitText !== '') text = joint(text, limitText);
  return offsetText === '' ? text : joint(text, offsetText);
}

function joint(text: string, part: string): string {
  return text === '' ? part : `${text}&${part}`;
}
