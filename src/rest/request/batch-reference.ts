// References of a batch: `$1.id` and `$name.id` say "what that request answered". In: a text of a request. Out: the text with its
// references taken out, so that what they stand for can join later, as a value.

import { jsonText, skipBlanks, stringEnd } from './json-text.ts';

export type Reference = {
  /** The request that is meant: its place from 1, or its id. */
  readonly of: string;
  /** Keys and indexes into its answer. */
  readonly path: readonly string[];
  /** As written, with the `$`. */
  readonly text: string;
};

/** A part of a body that gives way: to what a reference stands for, or to text that was escaped. */
export type Span = {
  readonly start: number;
  readonly end: number;
  readonly by: { readonly reference: Reference } | { readonly bytes: Uint8Array };
};

export type Misread = { readonly misread: string };

const DOLLAR = 0x24;
const QUOTE = 0x22;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const STEPS = 32;
const IN_ADDRESS = /\$(?:\$|[A-Za-z0-9_-]+(?:\.[\p{L}\p{N}_-]+)*)?/gu;
const WHOLE = /^[A-Za-z0-9_-]+(?:\.[\p{L}\p{N}_-]+)*$/u;
const LONGEST = 500;

/** Without its `$`. */
function parseReference(text: string): Reference | undefined {
  if (text.length > LONGEST || !WHOLE.test(text)) return undefined;
  const [of = '', ...path] = text.split('.');
  return path.length > STEPS ? undefined : { of, path, text: `$${text}` };
}

/** An address with a stand-in for each reference; `$$` is a plain `$`. */
export function takeFromAddress(
  address: string,
  standIn: (index: number) => string,
): { readonly address: string; readonly references: readonly Reference[] } | Misread {
  if (!address.includes('$')) return { address, references: [] };
  const references: Reference[] = [];
  let misread: string | undefined;
  const taken = address.replace(IN_ADDRESS, (found) => {
    if (found === '$$') return '$';
    const reference = parseReference(found.slice(1));
    if (reference === undefined) {
      misread ??= found;
      return found;
    }
    references.push(reference);
    return standIn(references.length - 1);
  });
  return misread === undefined ? { address: taken, references } : { misread };
}

/** The references of a JSON body, in order: string values that begin with `$`, and objects `{"$ref": "…"}`. */
export function spansOfBody(bytes: Uint8Array): readonly Span[] | Misread {
  if (!bytes.includes(DOLLAR)) return [];
  const text = jsonText(bytes);
  const spans: Span[] = [];
  /** The last byte outside of strings that is no blank, and its place. */
  let before = 0;
  let beforeAt = 0;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte !== QUOTE) {
      if (byte > 0x20) {
        before = byte;
        beforeAt = at;
      }
      at++;
      continue;
    }
    const end = stringEnd(text, at + 1);
    const next = skipBlanks(bytes, end);
    const isKey = bytes[next] === COLON;
    const raw = bytes[at + 1] === DOLLAR ? Buffer.from(bytes.subarray(at + 1, end - 1)).toString() : undefined;
    if (isKey && before === OPEN_OBJECT && (raw === '$ref' || raw === '$$ref')) {
      const found = referenceObject(bytes, {
        open: beforeAt,
        key: at,
        keyEnd: end,
        value: skipBlanks(bytes, next + 1),
      });
      if (found !== undefined && 'misread' in found) return found;
      if (found !== undefined) {
        spans.push(found);
        at = found.end;
        before = CLOSE_OBJECT;
        continue;
      }
    } else if (!isKey && raw !== undefined) {
      const span = stringSpan(raw, at, end);
      if ('misread' in span) return span;
      spans.push(span);
    }
    at = end;
    before = QUOTE;
  }
  return spans;
}

/** `{"$ref": "1.id"}` and nothing else in it; `{"$$ref": "…"}` is the plain object `{"$ref": "…"}`. */
function referenceObject(
  bytes: Uint8Array,
  at: { readonly open: number; readonly key: number; readonly keyEnd: number; readonly value: number },
): Span | Misread | undefined {
  if (bytes[at.value] !== QUOTE) return undefined;
  const end = stringEnd(jsonText(bytes), at.value + 1);
  const close = skipBlanks(bytes, end);
  if (bytes[close] !== CLOSE_OBJECT) return undefined;
  const isEscaped = bytes[at.key + 2] === DOLLAR;
  if (isEscaped) return { start: at.key, end: at.keyEnd, by: { bytes: Buffer.from('"$ref"') } };
  const text = Buffer.from(bytes.subarray(at.value + 1, end - 1)).toString();
  // Written as a string has it, it means the same.
  const reference = parseReference(text.startsWith('$') ? text.slice(1) : text);
  return reference === undefined
    ? { misread: `{"$ref":"${text}"}` }
    : { start: at.open, end: close + 1, by: { reference } };
}

function stringSpan(raw: string, start: number, end: number): Span | Misread {
  if (raw.startsWith('$$')) return { start: start + 1, end: start + 2, by: { bytes: new Uint8Array() } };
  const reference = parseReference(raw.slice(1));
  return reference === undefined ? { misread: raw } : { start, end, by: { reference } };
}

/** The body with its parts in place. */
export function fillSpans(
  bytes: Uint8Array,
  spans: readonly Span[],
  valueFor: (reference: Reference) => Uint8Array,
): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, by } of spans) {
    parts.push(bytes.subarray(at, start), 'bytes' in by ? by.bytes : valueFor(by.reference));
    at = end;
  }
  parts.push(bytes.subarray(at));
  return Buffer.concat(parts);
}
