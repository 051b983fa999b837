// A CHECK constraint as PostgreSQL prints it → what a form can say of its column before anything is sent: a list of values, the ends of a
// range, a greatest length. A scanner and a grammar of a few rules; what is not one of these is left to the database. Pure.

export type CheckRule =
  | { readonly kind: 'choices'; readonly column: string; readonly values: readonly string[] }
  | { readonly kind: 'minimum' | 'maximum'; readonly column: string; readonly value: number; readonly isOpen: boolean }
  | { readonly kind: 'min-length' | 'max-length'; readonly column: string; readonly value: number };

/** `(((height >= 0) AND (height <= 100)))` → both ends. Undefined: it says something else. */
export function parseCheck(text: string): readonly CheckRule[] | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const tokens = scan(text);
  if (tokens === undefined) return undefined;
  const reader: Reader = { tokens, at: 0, depth: 0 };
  const rules = conjunction(reader);
  return rules !== undefined && reader.at === tokens.length ? rules : undefined;
}

const MAX_TEXT = 20_000;
const MAX_DEPTH = 50;
const MAX_CHOICES = 500;

type Token =
  | { readonly kind: 'name' | 'text' | 'number'; readonly text: string }
  | { readonly kind: 'sign'; readonly text: string };

const TOKEN =
  /\s+|('(?:[^']|'')*')|("(?:[^"]|"")*")|([A-Za-z_][A-Za-z0-9_$]*)|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(::|>=|<=|<>|!=|[()[\],=<>])/gy;

function scan(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  let end = 0;
  for (const found of text.matchAll(TOKEN)) {
    end = found.index + found[0].length;
    const [, quoted, name, word, number, sign] = found;
    if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.slice(1, -1).replaceAll("''", "'") });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.slice(1, -1).replaceAll('""', '"') });
    else if (word !== undefined) tokens.push({ kind: 'name', text: word });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
  }
  return end === text.length ? tokens : undefined;
}

type Reader = { readonly tokens: readonly Token[]; at: number; depth: number };

const peek = (reader: Reader, text: string): boolean => {
  const token = reader.tokens[reader.at];
  return token !== undefined && (token.kind === 'sign' || token.kind === 'name') && token.text === text;
};

function take(reader: Reader, text: string): boolean {
  if (!peek(reader, text)) return false;
  reader.at += 1;
  return true;
}

/** Terms between AND, each of them maybe in brackets. */
function conjunction(reader: Reader): readonly CheckRule[] | undefined {
  const rules: CheckRule[] = [];
  do {
    const term = termOf(reader);
    if (term === undefined) return undefined;
    rules.push(...term);
  } while (take(reader, 'AND'));
  return rules;
}

function termOf(reader: Reader): readonly CheckRule[] | undefined {
  const start = reader.at;
  if (reader.depth < MAX_DEPTH && take(reader, '(')) {
    reader.depth += 1;
    const inner = conjunction(reader);
    reader.depth -= 1;
    if (inner !== undefined && take(reader, ')') && !isOperator(reader)) return inner;
    // The bracket was around an operand: `(kind)::text = …`.
    reader.at = start;
  }
  return comparison(reader);
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<', '>', '<=', '>=']);

function isOperator({ tokens, at }: Reader): boolean {
  const token = tokens[at];
  return token?.kind === 'sign' && (COMPARISONS.has(token.text) || token.text === '::');
}

type Operand =
  | { readonly kind: 'column' | 'length'; readonly name: string }
  | { readonly kind: 'value'; readonly text: string };

function comparison(reader: Reader): readonly CheckRule[] | undefined {
  const left = operand(reader);
  const sign = reader.tokens[reader.at];
  if (left === undefined || sign?.kind !== 'sign' || !COMPARISONS.has(sign.text)) return undefined;
  reader.at += 1;
  if (sign.text === '=' && take(reader, 'ANY')) {
    const values = listOf(reader);
    return left.kind === 'column' && values !== undefined
      ? [{ kind: 'choices', column: left.name, values }]
      : undefined;
  }
  const right = operand(reader);
  if (right === undefined) return undefined;
  if (left.kind === 'value' && right.kind !== 'value') return ruleOf(right, MIRRORED[sign.text] ?? '', left.text);
  return left.kind !== 'value' && right.kind === 'value' ? ruleOf(left, sign.text, right.text) : undefined;
}

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=', '=': '=' };

function ruleOf(
  { kind, name }: Extract<Operand, { name: string }>,
  sign: string,
  text: string,
): readonly CheckRule[] | undefined {
  if (kind === 'column' && sign === '=') return [{ kind: 'choices', column: name, values: [text] }];
  const value = Number(text);
  if (text === '' || !Number.isFinite(value) || sign === '=') return undefined;
  const isOpen = sign === '<' || sign === '>';
  const isLeast = sign.startsWith('>');
  if (kind === 'column') return [{ kind: isLeast ? 'minimum' : 'maximum', column: name, value, isOpen }];
  const length = isOpen ? value + (isLeast ? 1 : -1) : value;
  return [{ kind: isLeast ? 'min-length' : 'max-length', column: name, value: length }];
}

/** A column, its length, or a constant; casts of them say nothing here. */
function operand(reader: Reader): Operand | undefined {
  const inner = bare(reader);
  if (inner === undefined) return undefined;
  while (take(reader, '::')) if (!skipType(reader)) return undefined;
  return inner;
}

const LENGTHS: ReadonlySet<string> = new Set(['length', 'char_length', 'character_length']);

function bare(reader: Reader): Operand | undefined {
  const token = reader.tokens[reader.at];
  if (token === undefined) return undefined;
  if (token.kind === 'sign') {
    if (reader.depth >= MAX_DEPTH || !take(reader, '(')) return undefined;
    reader.depth += 1;
    const inner = operand(reader);
    reader.depth -= 1;
    return take(reader, ')') ? inner : undefined;
  }
  reader.at += 1;
  if (token.kind !== 'name') return { kind: 'value', text: token.text };
  if (!peek(reader, '(')) return { kind: 'column', name: token.text };
  if (!LENGTHS.has(token.text)) return undefined;
  take(reader, '(');
  const inner = operand(reader);
  return inner?.kind === 'column' && take(reader, ')') ? { kind: 'length', name: inner.name } : undefined;
}

/** `character varying(20)[]`, `"char"`, `layers.kind`: words, brackets. */
function skipType(reader: Reader): boolean {
  const start = reader.at;
  for (;;) {
    const token = reader.tokens[reader.at];
    if (token?.kind !== 'name' || token.text === 'AND') break;
    reader.at += 1;
  }
  if (reader.at === start) return false;
  if (take(reader, '(')) {
    while (reader.tokens[reader.at]?.kind === 'number' || peek(reader, ',')) reader.at += 1;
    if (!take(reader, ')')) return false;
  }
  if (take(reader, '[')) return take(reader, ']');
  return true;
}

/** `(ARRAY['a'::text, 'b'::text])`, maybe cast as a whole. */
function listOf(reader: Reader): readonly string[] | undefined {
  let open = 0;
  while (open < MAX_DEPTH && take(reader, '(')) open += 1;
  if (!take(reader, 'ARRAY') || !take(reader, '[')) return undefined;
  const values: string[] = [];
  do {
    const value = operand(reader);
    if (value?.kind !== 'value' || values.length >= MAX_CHOICES) return undefined;
    values.push(value.text);
  } while (take(reader, ','));
  if (!take(reader, ']')) return undefined;
  for (; open > 0; open -= 1) {
    while (take(reader, '::')) if (!skipType(reader)) return undefined;
    if (!take(reader, ')')) return undefined;
  }
  return values;
}
