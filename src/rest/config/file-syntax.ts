// Text of a configuration file → its directives, or every place where it is not one. Pure: imports are not followed and
// `$(NAME)` is not replaced here. After a mistake reading goes on at the next line, so that all are told at once; the
// text around a mistake is never quoted, since it may be a secret.
//
//   file      := directive* ("[" name "]" directive*)*
//   directive := key "=" value | key "{" directive* "}" | "import" string | "#;" directive (left out)
//   key       := name ("." name)*          name := [A-Za-z][A-Za-z0-9_-]*
//   value     := string | number | true | false | on | off | "[" value, … "]"

import { err, ok, type Result } from '../../kernel/result.ts';

/** Counted from 1. */
export type Position = { readonly line: number; readonly column: number };

export type FileValue =
  /** Escapes undone, `$` not yet looked at. */
  | { readonly kind: 'text'; readonly text: string; readonly at: Position }
  | { readonly kind: 'number'; readonly text: string; readonly value: number }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'list'; readonly items: readonly FileValue[] };

export type Directive =
  | { readonly kind: 'bind'; readonly key: string; readonly value: FileValue; readonly at: Position }
  | { readonly kind: 'group'; readonly key: string; readonly body: readonly Directive[] }
  | { readonly kind: 'import'; readonly path: string; readonly at: Position }
  /** `[name]`: what follows, up to the next one, is about this database alone. */
  | { readonly kind: 'section'; readonly name: string; readonly at: Position };

export type SyntaxMistake = { readonly at: Position; readonly complaint: string };

const DEEPEST = 32; // groups in groups and lists in lists: nobody needs more, and recursion has to end
const MAX_MISTAKES = 20;

const KEY = /[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z][A-Za-z0-9_-]*)*/y;
const SECTION = /\[[^\S\r\n]*([A-Za-z][A-Za-z0-9_-]{0,62})[^\S\r\n]*\]/y;
/** First segments of addresses below a database, which could not be told from its name. */
const RESERVED: ReadonlySet<string> = new Set(['rpc', 'rest']);
const NUMBER = /[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z]+/y;
const AFTER_VALUE = /[\s#,\]}]|$/y;
const STRING_RUN = /[^"\\]+/y;
const BLANKS = /[^\S\r\n]*/y;

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['false', false],
  ['off', false],
]);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
]);

/** A mistake on its way up to the directive that contains it. */
type Stop = { readonly offset: number; readonly complaint: string };

export function parseFileSyntax(source: string): Result<readonly Directive[], readonly SyntaxMistake[]> {
  const scanner = makeScanner(source.startsWith('\uFEFF') ? source.slice(1) : source);
  const directives = scanner.directives(0, undefined);
  return scanner.mistakes.length === 0 ? ok(directives) : err(scanner.mistakes);
}

type Scanner = {
  readonly mistakes: readonly SyntaxMistake[];
  directives(depth: number, opened: number | undefined): readonly Directive[];
};

function makeScanner(source: string): Scanner {
  let offset = 0;
  let lastString = 0;
  const mistakes: SyntaxMistake[] = [];
  const positionOf = makePositions(source);

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset;
    const found = pattern.exec(source)?.[0];
    if (found !== undefined) offset += found.length;
    return found;
  };
  const looksAt = (text: string): boolean => source.startsWith(text, offset);
  const stop = (complaint: string, at = offset): Stop => ({ offset: at, complaint });
  const note = (mistake: Stop): void => {
    if (mistakes.length < MAX_MISTAKES) {
      mistakes.push({ at: positionOf(mistake.offset), complaint: mistake.complaint });
    }
  };
  const skipToLineEnd = (): void => {
    while (offset < source.length && source[offset] !== '\n' && source[offset] !== '\r') offset++;
  };

  /** Blanks, line ends and comments; `#;` is no comment where a directive may begin. */
  const skipGap = (directiveMayBegin: boolean): void => {
    for (;;) {
      while (offset < source.length && /\s/.test(source[offset] ?? '')) offset++;
      if (!looksAt('#') || (directiveMayBegin && looksAt('#;'))) return;
      skipToLineEnd();
    }
  };

  function directives(depth: number, opened: number | undefined): readonly Directive[] {
    const found: Directive[] = [];
    for (;;) {
      skipGap(true);
      if (offset >= source.length) {
        if (opened !== undefined) note(stop('the group that begins here has no closing }', opened));
        return found;
      }
      if (looksAt('}') && opened !== undefined) {
        offset++;
        return found;
      }
      const leftOut = takeLeftOut();
      const next = looksAt('[') ? section(opened, leftOut) : directive(depth);
      const ended = next.ok ? lineEnd(opened !== undefined) : next;
      if (!ended.ok) {
        note(ended.error);
        offset = Math.max(offset, ended.error.offset);
        skipToLineEnd();
      } else if (next.ok && !leftOut) found.push(next.value);
    }
  }

  function takeLeftOut(): boolean {
    let leftOut = false;
    while (looksAt('#;')) {
      offset += 2;
      // What it leaves out may stand on a later line.
      skipGap(true);
      leftOut = true;
    }
    return leftOut;
  }

  /** A directive ends its line; the last one of a group may be followed by the closing brace. */
  function lineEnd(inGroup: boolean): Result<undefined, Stop> {
    match(BLANKS);
    if (looksAt('#')) skipToLineEnd();
    const next = source[offset];
    const fine = next === undefined || next === '\n' || next === '\r' || (inGroup && next === '}');
    if (fine) return ok(undefined);
    // A quote forgotten lines above shows itself only here.
    const begun = positionOf(lastString).line;
    const hint = begun < positionOf(offset).line ? `; the last text began on line ${begun}` : '';
    return err(stop(`expected the end of the line after the value${hint}`));
  }

  /** Stands on the opening bracket. */
  function section(opened: number | undefined, leftOut: boolean): Result<Directive, Stop> {
    const start = offset;
    if (opened !== undefined) return err(stop('a section cannot begin inside a group'));
    // Its settings would be taken for those of the section before.
    if (leftOut) return err(stop('a section cannot be left out by its name alone: put a # before each of its lines'));
    SECTION.lastIndex = offset;
    const name = SECTION.exec(source)?.[1];
    if (name === undefined)
      return err(stop('expected the name of a section: [name], a letter and then up to 62 letters, digits, _ or -'));
    if (RESERVED.has(name))
      return err(stop(`a section cannot be called ${name}: addresses of every database begin so`));
    offset = SECTION.lastIndex;
    return ok({ kind: 'section', name, at: positionOf(start) });
  }

  function directive(depth: number): Result<Directive, Stop> {
    const start = offset;
    const key = match(KEY);
    if (key === undefined) return err(stop('expected the name of a setting'));
    const afterKey = offset;
    skipGap(false);
    if (key === 'import' && looksAt('"')) {
      const path = string();
      return path.ok ? ok({ kind: 'import', path: path.value, at: positionOf(start) }) : path;
    }
    if (looksAt('{')) {
      if (depth >= DEEPEST) return err(stop('too many groups inside each other'));
      offset++;
      return ok({ kind: 'group', key, body: directives(depth + 1, start) });
    }
    if (!looksAt('=')) return err(stop('expected = after the name of the setting', afterKey));
    offset++;
    skipGap(false);
    const found = value(0);
    return found.ok ? ok({ kind: 'bind', key, value: found.value, at: positionOf(start) }) : found;
  }

  function value(depth: number): Result<FileValue, Stop> {
    const start = offset;
    if (looksAt('"')) {
      const text = string();
      return text.ok ? ok({ kind: 'text', text: text.value, at: positionOf(start) }) : text;
    }
    if (looksAt('[')) return list(depth);
    const number = match(NUMBER);
    if (number !== undefined && match(AFTER_VALUE) !== undefined) {
      offset = start + number.length;
      return ok({ kind: 'number', text: number, value: Number(number) });
    }
    offset = start;
    const truth = TRUTHS.get(match(WORD) ?? '');
    const wordEnd = offset;
    if (truth !== undefined && match(AFTER_VALUE) !== undefined) {
      offset = wordEnd;
      return ok({ kind: 'truth', value: truth });
    }
    return err(stop('expected a value: "text" in double quotes, a number, true, false, on, off or a [list]', start));
  }

  function list(depth: number): Result<FileValue, Stop> {
    const start = offset;
    if (depth >= DEEPEST) return err(stop('too many lists inside each other'));
    offset++;
    const items: FileValue[] = [];
    for (;;) {
      skipGap(false);
      if (looksAt(']')) {
        offset++;
        return ok({ kind: 'list', items });
      }
      if (items.length > 0) {
        if (!looksAt(',')) return err(stop('expected , or ] in the list', offset < source.length ? offset : start));
        offset++;
        skipGap(false);
      }
      const item = value(depth + 1);
      if (!item.ok) return item;
      items.push(item.value);
    }
  }

  /** Stands on the opening quote. A string may go over several lines. */
  function string(): Result<string, Stop> {
    const start = offset;
    lastString = start;
    offset++;
    let text = '';
    for (;;) {
      text += match(STRING_RUN) ?? '';
      if (offset >= source.length) return err(stop('the text that begins here has no closing quote', start));
      if (looksAt('"')) {
        offset++;
        return ok(text);
      }
      const escaped = escapeSequence();
      if (!escaped.ok) return escaped;
      text += escaped.value;
    }
  }

  /** Stands on the backslash. */
  function escapeSequence(): Result<string, Stop> {
    const start = offset;
    const sign = source[offset + 1] ?? '';
    const plain = ESCAPES.get(sign);
    if (plain !== undefined) {
      offset += 2;
      return ok(plain);
    }
    const unit = unicodeUnit(offset);
    if (unit === undefined) return err(stop('expected one of \\n \\r \\t \\" \\\\ \\uXXXX', start));
    offset += 6;
    if (unit < 0xd800 || unit > 0xdfff) return ok(String.fromCharCode(unit));
    const low = unit < 0xdc00 ? unicodeUnit(offset) : undefined;
    if (low === undefined || low < 0xdc00 || low > 0xdfff)
      return err(stop('half of a character: \\u surrogates come in pairs', start));
    offset += 6;
    return ok(String.fromCharCode(unit, low));
  }

  function unicodeUnit(at: number): number | undefined {
    const digits = /^\\u([0-9A-Fa-f]{4})$/.exec(source.slice(at, at + 6))?.[1];
    return digits === undefined ? undefined : Number.parseInt(digits, 16);
  }

  return { mistakes, directives };
}

/** Offset → line and column, by search among the line starts. */
function makePositions(source: string): (offset: number) => Position {
  const starts = [0];
  for (const end of source.matchAll(/\r\n|\n|\r/g)) starts.push(end.index + end[0].length);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
