// A text of the configuration file → the text with each `$(NAME)` replaced; `$$` is a dollar sign, and so is a `$` with
// neither after it. What is put in is not looked at again.

import type { RawValue } from '../../kernel/options/raw-value.ts';
import { err, ok, type Result } from '../../kernel/result.ts';

const LONGEST = 1_000_000; // settings built from settings built from settings grow without bound otherwise

const DOLLAR = /\$(?:\$|\(([^()]*)\)|(\()|)/g;

export function interpolate(text: string, lookUp: (name: string) => RawValue | undefined): Result<string, string> {
  if (!text.includes('$')) return ok(text);
  let result = '';
  let end = 0;
  for (const found of text.matchAll(DOLLAR)) {
    const [whole, name, unclosed] = found;
    result += text.slice(end, found.index);
    end = found.index + whole.length;
    if (unclosed !== undefined)
      return err('$( has no closing parenthesis; a dollar sign before a parenthesis is written $$');
    if (name === undefined) result += '$';
    else {
      const value = lookUp(name);
      if (value === undefined)
        return err(`${nameForComplaint(name)} is neither a setting above nor an environment variable`);
      if (value.kind !== 'text' && value.kind !== 'number')
        return err(`${nameForComplaint(name)} is neither text nor a number`);
      result += value.text;
    }
    if (result.length > LONGEST) return err('the text becomes too long');
  }
  return ok(result + text.slice(end));
}

/** Only what is surely the name of a variable is repeated: other text after `$(` may be part of a secret. */
function nameForComplaint(name: string): string {
  return /^[A-Z][A-Z0-9_]+$/.test(name) ? `$(${name})` : 'the name in $(…)';
}
