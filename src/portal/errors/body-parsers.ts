// Bodies of requests as values: JSON and HTML forms, nothing else unless a route says so. A body that cannot be read is the
// client's mistake, told without repeating any of it, for it may hold a password.

import type { FastifyInstance } from 'fastify';
import { addToForm, emptyForm, type FormValues } from '../../http/form-values.ts';
import { queryPairs } from '../../http/query-pairs.ts';
import { hasLongNumbers, parseExact, rememberDigits } from '../../kernel/exact-numbers.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from './portal-error.ts';
import { RequestFailure } from './request-failure.ts';

export function registerBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const parsed = parseJson(String(body));
    if (parsed.ok) done(null, parsed.value);
    else done(new RequestFailure(parsed.error), undefined);
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, formFields(String(body)));
  });
}

/** No text is no value: clients that always name the type name it with a DELETE too. */
export function parseJson(text: string): Result<unknown, PortalError> {
  if (text === '') return ok(undefined);
  try {
    // The one member that could change the object it is copied to; it can also be written with escapes.
    const isSuspect = text.includes('__proto__') || text.includes('\\u');
    const read = (parse: (json: string) => unknown): unknown => {
      const value = parse(text);
      if (isSuspect) removePrototypes(value);
      return value;
    };
    const value = read(JSON.parse);
    if (hasLongNumbers(text)) rememberDigits(value, read(parseExact));
    return ok(value);
  } catch (error) {
    return err({ kind: 'bad-request', detail: `JSON parse error - ${whereItEnds(String(error))}` });
  }
}

/** What a reviver of `JSON.parse` would do as well, in several times the time. */
function removePrototypes(value: unknown): void {
  const left: object[] = isObject(value) ? [value] : [];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (Object.hasOwn(one, '__proto__')) Reflect.deleteProperty(one, '__proto__');
    for (const inner of Object.values(one)) if (isObject(inner)) left.push(inner);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The engine's own words quote the body; only the place is kept of them. */
function whereItEnds(said: string): string {
  const at = /at position (\d+)/.exec(said)?.[1];
  if (/Unexpected end|Unterminated/.test(said)) return 'the text ends too soon';
  return at === undefined ? 'the text is not JSON' : `the text is not JSON from character ${at} on`;
}

export function formFields(body: string): FormValues {
  const fields = emptyForm();
  for (const [name, value] of queryPairs(body)) addToForm(fields, name, value);
  return fields;
}
