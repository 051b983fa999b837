// The setting that says where in a token's claims the role stands: text in, a path out, and the path walked over claims.
// The language is the small one of the specification (keys, indexes, one string filter at the end), not RFC 9535.

import { assertNever } from '../kernel/assert-never.ts';
import { err, ok, type Result } from '../kernel/result.ts';

type ClaimFilterOperator = '==' | '!=' | '^==' | '==^' | '*==';

export type ClaimStep =
  | { readonly kind: 'key'; readonly key: string }
  /** Zero-based element of an array. */
  | { readonly kind: 'index'; readonly index: number }
  /** First string of an array that compares so; only as the last step. */
  | { readonly kind: 'filter'; readonly operator: ClaimFilterOperator; readonly operand: string };

export type ClaimPath = readonly [ClaimStep, ...ClaimStep[]];

export type ClaimPathError = { readonly message: string };

const BARE_KEY = /\.([\p{L}\p{N}_$@]+)/uy;
const QUOTED_KEY = /\."([^"]*)"/uy;
const INDEX = /\[([0-9]+)\]/uy;
const FILTER = /\[\?\(@[ \t]*(==\^|\^==|\*==|==|!=)[ \t]*"([^"]*)"\)\]/uy;

/** `.role`, `."app data".roles[0]`, `.roles[?(@ ^== "db_")]` */
export function parseClaimPath(text: string): Result<ClaimPath, ClaimPathError> {
  const steps: ClaimStep[] = [];
  let at = 0;
  while (at < text.length) {
    if (steps.at(-1)?.kind === 'filter') return unexpected(text, at, 'a filter must be the last step');
    const found = stepAt(text, at);
    if (found === undefined) return unexpected(text, at, 'expected .key, ."key", [index] or [?(@ == "text")]');
    steps.push(found.step);
    at = found.end;
  }
  const [first, ...rest] = steps;
  return first === undefined ? unexpected(text, 0, 'the path is empty') : ok([first, ...rest]);
}

/** Normal form: every key quoted, one blank around operators. Parsing it gives the same path again. */
export function printClaimPath(path: ClaimPath): string {
  return path.map(printStep).join('');
}

/** What stands at the path, or undefined where there is nothing. Only own members count, so `.constructor` finds nothing. */
export function walkClaimPath(path: ClaimPath, claims: unknown): unknown | undefined {
  let here: unknown = claims;
  for (const step of path) {
    here = takeStep(step, here);
    if (here === undefined) return undefined;
  }
  return here;
}

function stepAt(text: string, at: number): { step: ClaimStep; end: number } | undefined {
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const key = match(BARE_KEY) ?? match(QUOTED_KEY);
  if (key !== null) return { step: { kind: 'key', key: key[1] ?? '' }, end: at + key[0].length };
  const index = match(INDEX);
  if (index !== null) return { step: { kind: 'index', index: Number(index[1]) }, end: at + index[0].length };
  const filter = match(FILTER);
  if (filter === null) return undefined;
  const step: ClaimStep = { kind: 'filter', operator: filter[1] as ClaimFilterOperator, operand: filter[2] ?? '' };
  return { step, end: at + filter[0].length };
}

function unexpected(text: string, at: number, why: string): Result<never, ClaimPathError> {
  return err({ message: `Invalid role claim key '${text}' at character ${at + 1}: ${why}.` });
}

function printStep(step: ClaimStep): string {
  switch (step.kind) {
    case 'key':
      return `."${step.key}"`;
    case 'index':
      // Digits too many for a number would print as 1e+21 and not parse again; no array reaches either.
      return `[${BigInt(step.index)}]`;
    case 'filter':
      return `[?(@ ${step.operator} "${step.operand}")]`;
    default:
      return assertNever(step);
  }
}

function takeStep(step: ClaimStep, here: unknown): unknown {
  if (step.kind === 'key') {
    if (typeof here !== 'object' || here === null || Array.isArray(here)) return undefined;
    return Object.hasOwn(here, step.key) ? (here as Record<string, unknown>)[step.key] : undefined;
  }
  if (!Array.isArray(here)) return undefined;
  if (step.kind === 'index') return here[step.index];
  return here.find((element) => typeof element === 'string' && compares(element, step.operator, step.operand));
}

function compares(element: string, operator: ClaimFilterOperator, operand: string): boolean {
  switch (operator) {
    case '==':
      return element === operand;
    case '!=':
      return element !== operand;
    case '^==':
      return element.startsWith(operand);
    case '==^':
      return element.endsWith(operand);
    case '*==':
      return element.includes(operand);
    default:
      return assertNever(operator);
  }
}
