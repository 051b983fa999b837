import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quoteText } from '../../kernel/options/quote-text.ts';
import { type Directive, type FileValue, parseFileSyntax } from './file-syntax.ts';

/** Directives as short data: `[key, value]`, `[key, [...]]` for groups in braces, `import path`. */
function short(directives: readonly Directive[]): unknown {
  return directives.map(shortDirective);
}

function shortDirective(each: Directive): unknown {
  switch (each.kind) {
    case 'bind':
      return [each.key, shortValue(each.value)];
    case 'group':
      return { [each.key]: short(each.body) };
    case 'import':
      return `import ${each.path}`;
    case 'section':
      return `[${each.name}]`;
  }
}

function shortValue(value: FileValue): unknown {
  switch (value.kind) {
    case 'text':
      return value.text;
    case 'number':
    case 'truth':
      return value.value;
    case 'list':
      return value.items.map(shortValue);
  }
}

/** Mistakes as `line:column complaint`. */
function outcome(source: string): unknown {
  const parsed = parseFileSyntax(source);
  return parsed.ok
    ? short(parsed.value)
    : parsed.error.map(({ at, complaint }) => `${at.line}:${at.column} ${complaint}`);
}

describe('what a file may hold', () => {
  test.each([
    ['', []],
    ['\uFEFF# only a comment', []],
    ['a = 1', [['a', 1]]],
    ['[one]\n[ two_2-x ] # comment', ['[one]', '[two_2-x]']],
    ['a = [1]\n[b]', [['a', [1]], '[b]']],
    [
      'a=1\r\nb=2\rc=3\n',
      [
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ],
    ],
    ['a = "x" # comment', [['a', 'x']]],
    ['a = "# no comment"', [['a', '# no comment']]],
    ['a\n=\n# between\n1', [['a', 1]]],
    ['A_b-9.c = on', [['A_b-9.c', true]]],
    [
      'a = off\nb = true\nc = false',
      [
        ['a', false],
        ['b', true],
        ['c', false],
      ],
    ],
    ['a = -1.5e3', [['a', -1500]]],
    ['a = +7', [['a', 7]]],
    ['a = ""', [['a', '']]],
    ['a = "\\n\\r\\t\\"\\\\\\u00e9"', [['a', '\n\r\t"\\é']]],
    ['a = "\\uD83D\\uDE00"', [['a', '😀']]],
    ['a = "two\nlines"', [['a', 'two\nlines']]],
    ['a = "$(X) $$"', [['a', '$(X) $$']]],
    ['a = []', [['a', []]]],
    ['a = [1, "x", on, [2]]', [['a', [1, 'x', true, [2]]]]],
    ['a = [ # first\n 1\n , 2 ]', [['a', [1, 2]]]],
    ['g { a = 1 }', [{ g: [['a', 1]] }]],
    ['g {\n a = 1\n h.i { b = "}" }\n}\nc = 2', [{ g: [['a', 1], { 'h.i': [['b', '}']] }] }, ['c', 2]]],
    ['g {}', [{ g: [] }]],
    ['import "other.conf"', ['import other.conf']],
    ['import = 1\nimport-x = 2\nimport { a = 3 }', [['import', 1], ['import-x', 2], { import: [['a', 3]] }]],
    ['#; a = 1\nb = 2', [['b', 2]]],
    ['#;a = [1,\n2]\nb = 2', [['b', 2]]],
    ['#; g {\n a = 1\n}\nb = 2', [['b', 2]]],
    ['#; #; a = 1\nb = 2', [['b', 2]]],
    ['#;\na = 1\nb = 2', [['b', 2]]],
    ['#;\r\n\n# why\n  g {\n a = 1 }\nb = 2', [['b', 2]]],
    ['#; import "x"', []],
    ['g { #; a = 1\n b = 2 }', [{ g: [['b', 2]] }]],
    ['a = 1 #; only a comment here', [['a', 1]]],
  ])('%j', (source, expected) => {
    expect(outcome(source)).toEqual(expected);
  });
});

const VALUE = 'expected a value: "text" in double quotes, a number, true, false, on, off or a [list]';

describe('what it may not, with the place', () => {
  const SECTION = 'expected the name of a section: [name], a letter and then up to 62 letters, digits, _ or -';
  test.each([
    ['a = postgres://u:secret@h', [`1:5 ${VALUE}`]],
    ['a = \n', [`2:1 ${VALUE}`]],
    ['a = True', [`1:5 ${VALUE}`]],
    ['a = 10s', [`1:5 ${VALUE}`]],
    ['a = .5', [`1:5 ${VALUE}`]],
    ["a = 'x'", [`1:5 ${VALUE}`]],
    ['a = trueish', [`1:5 ${VALUE}`]],
    ['a 1', ['1:2 expected = after the name of the setting']],
    ['a', ['1:2 expected = after the name of the setting']],
    ['[1a]', [`1:1 ${SECTION}`]],
    ['[]', [`1:1 ${SECTION}`]],
    [`[${'a'.repeat(64)}]`, [`1:1 ${SECTION}`]],
    ['[a] b = 1', ['1:5 expected the end of the line after the value']],
    ['[rpc]', ['1:1 a section cannot be called rpc: addresses of every database begin so']],
    ['g {\n[a]\n}', ['2:1 a section cannot begin inside a group']],
    ['#; [a]', ['1:4 a section cannot be left out by its name alone: put a # before each of its lines']],
    ['= 1', ['1:1 expected the name of a setting']],
    ['1a = 1', ['1:1 expected the name of a setting']],
    ['a. = 1', ['1:2 expected = after the name of the setting']],
    ['ä = 1', ['1:1 expected the name of a setting']],
    ['a = 1 b = 2', ['1:7 expected the end of the line after the value']],
    ['a = 1; b = 2', [`1:5 ${VALUE}`]],
    ['a = "x', ['1:5 the text that begins here has no closing quote']],
    ['a = "x\nb = "y"\nc = 1', ['2:6 expected the end of the line after the value; the last text began on line 1']],
    ['a = "\\x"', ['1:6 expected one of \\n \\r \\t \\" \\\\ \\uXXXX']],
    ['a = "\\u12g4"', ['1:6 expected one of \\n \\r \\t \\" \\\\ \\uXXXX']],
    ['a = "\\uD83D"', ['1:6 half of a character: \\u surrogates come in pairs']],
    ['a = "\\uDE00\\uD83D"', ['1:6 half of a character: \\u surrogates come in pairs']],
    ['a = [1 2]', ['1:8 expected , or ] in the list']],
    ['a = [1,]', [`1:8 ${VALUE}`]],
    ['a = [1', ['1:5 expected , or ] in the list']],
    ['g {\n a = 1', ['1:1 the group that begins here has no closing }']],
    ['}', ['1:1 expected the name of a setting']],
    ['#; this is prose', ['1:8 expected = after the name of the setting']],
    // One mistake does not hide the next.
    ['a = x\nb = 1\nc = y\n= 3', [`1:5 ${VALUE}`, `3:5 ${VALUE}`, '4:1 expected the name of a setting']],
    ['g {\n a = x\n b = y\n}\nc = z', [`2:6 ${VALUE}`, `3:6 ${VALUE}`, `5:5 ${VALUE}`]],
  ])('%j', (source, expected) => {
    expect(outcome(source)).toEqual(expected);
  });

  test('no complaint repeats the text it is about', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (junk) => {
        const parsed = parseFileSyntax(`jwt-secret = hunter2${junk.replace(/[\r\n]/g, '')}`);
        return parsed.ok || !JSON.stringify(parsed.error).includes('hunter2');
      }),
    );
  });
});

describe('attacks', () => {
  test.each([
    ['lists in lists', `a = ${'['.repeat(100_000)}`],
    ['groups in groups', 'g {'.repeat(100_000)],
    ['groups in groups, closed', `${'g {\n'.repeat(10_000)}${'}\n'.repeat(10_000)}`],
    ['comments in comments', `${'#;'.repeat(100_000)}a = 1`],
    ['a key of many dots', `${'a.'.repeat(100_000)} = 1`],
    ['a long string without end', `a = "${'\\n'.repeat(200_000)}`],
    ['a long number', `a = ${'1'.repeat(500_000)}x`],
    ['many mistakes', '= 1\n'.repeat(100_000)],
    ['blanks', `a = 1${' '.repeat(500_000)}b`],
  ])('%s end in an answer', (_, source) => {
    const parsed = parseFileSyntax(source);
    if (!parsed.ok) expect(parsed.error.length).toBeLessThanOrEqual(20);
  });

  test('any text at all gives directives or mistakes with a place inside it', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'a',
        ' = ',
        '"',
        '\\',
        '\\u',
        '$(',
        '[',
        ']',
        '{',
        '}',
        ',',
        '#',
        '#;',
        '\n',
        '\r',
        'import ',
        '1',
        'on',
        '.',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const source = pieces.join('');
        const parsed = parseFileSyntax(source);
        if (parsed.ok) return true;
        const lines = source.split(/\r\n|\n|\r/);
        return parsed.error.every(({ at }) => at.column >= 1 && at.column <= (lines[at.line - 1] ?? '').length + 2);
      }),
      { numRuns: 2000 },
    );
  });
});

/** Text with what has a meaning in the file, and with anything else. */
const anyText = (minLength: number) =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom('"', '\\', '$', '$(', ')', '\n', '\r', '\t', '#', ',', '@', '\u0001', '\u2028', '\u{10ffff}'),
        fc.integer({ min: 1, max: 0xd7ff }).map((code) => String.fromCodePoint(code)),
      ),
      { minLength, maxLength: 40 },
    )
    .map((parts) => parts.join(''));

test('any text written by quoteText is read back, up to its dollar signs', () => {
  fc.assert(
    fc.property(anyText(0), (text) => {
      const parsed = parseFileSyntax(`a = ${quoteText(text)}\nb = 1`);
      expect(parsed.ok && short(parsed.value)).toEqual([
        ['a', text.replaceAll('$', '$$$$')],
        ['b', 1],
      ]);
    }),
  );
});
