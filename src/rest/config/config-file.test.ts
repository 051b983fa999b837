import { describe, expect, test } from 'vitest';
import { describeError } from '../../kernel/options/config-error.ts';
import type { Given } from '../../kernel/options/origin.ts';
import type { RawValue } from '../../kernel/options/raw-value.ts';
import { err, ok } from '../../kernel/result.ts';
import { readConfigFile } from './config-file.ts';

type Files = Readonly<Record<string, string>>;

async function read(files: Files, env: Readonly<Record<string, string>> = {}, path = 'main.conf') {
  let reads = 0;
  const result = await readConfigFile({
    path,
    env,
    readText: async (wanted) => {
      reads++;
      const text = Object.hasOwn(files, wanted) ? files[wanted] : undefined;
      return text === undefined ? err('missing') : ok(text);
    },
  });
  return { result, reads };
}

async function outcome(
  files: Files,
  env: Readonly<Record<string, string>> = {},
  path?: string,
): Promise<readonly unknown[]> {
  const { result } = await read(files, env, path);
  if (!result.ok) return result.error.map(describeError);
  return result.value.given.map((given) => [given.name, plain(given.value)]);
}

function plain(value: RawValue): unknown {
  switch (value.kind) {
    case 'list':
      return value.items.map(plain);
    case 'truth':
      return value.value;
    case 'text':
    case 'number':
      return value.text;
  }
}

describe('names and groups', () => {
  test('a group is a prefix with a dot, and a setting keeps its place', async () => {
    const { result } = await read({ 'main.conf': 'app {\n  settings {\n    a = 1\n  }\n}' });
    expect(result).toEqual(
      ok({
        given: [
          {
            name: 'app.settings.a',
            value: { kind: 'number', text: '1', value: 1 },
            origin: { kind: 'file', place: { path: 'main.conf', line: 3, column: 5 } },
          },
        ],
        sections: new Map(),
      }),
    );
  });
});

describe('sections', () => {
  async function sections(files: Files, env: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const { result } = await read(files, env);
    if (!result.ok) return result.error.map(describeError);
    const short = (given: readonly Given[]): unknown => given.map(({ name, value }) => [name, plain(value)]);
    return {
      '': short(result.value.given),
      ...Object.fromEntries([...result.value.sections].map(([name, given]) => [name, short(given)])),
    };
  }

  test('what stands below a name belongs to it, up to the next', async () => {
    const file = 'a = 1\n[ one ]  # a comment\nb = 2\ng { h = 3 }\n[two-2]\nb = 4';
    expect(await sections({ 'main.conf': file })).toEqual({
      '': [['a', '1']],
      one: [
        ['b', '2'],
        ['g.h', '3'],
      ],
      'two-2': [['b', '4']],
    });
  });
  test('a reference finds the setting of its own section, then that of the program, then the environment', async () => {
    const file = 'p = "top"\nq = "all"\n[one]\np = "mine"\nu = "$(p) $(q) $(E)"\n[two]\nu = "$(p)"';
    expect(await sections({ 'main.conf': file }, { E: 'env' })).toMatchObject({
      one: [
        ['p', 'mine'],
        ['u', 'mine all env'],
      ],
      two: [['u', 'top']],
    });
  });
  test('a file that is imported into a section is part of it, and its own sections end with it', async () => {
    const files = { 'main.conf': '[one]\nimport "more.conf"\nb = 2', 'more.conf': 'a = 1' };
    expect(await sections(files)).toEqual({
      '': [],
      one: [
        ['a', '1'],
        ['b', '2'],
      ],
    });
    const all = { 'main.conf': 'import "more.conf"\nb = 2', 'more.conf': '[one]\na = 1' };
    expect(await sections(all)).toEqual({ '': [['b', '2']], one: [['a', '1']] });
  });
  test.each([
    [{ 'main.conf': '[one]\n[one]' }, 'main.conf, line 2, column 1: the section [one] is there twice'],
    [
      { 'main.conf': '[one]\nimport "more.conf"', 'more.conf': '[two]' },
      'more.conf, line 1, column 1: the file is imported into the section [one], and cannot have sections of its own',
    ],
    [
      { 'main.conf': Array.from({ length: 101 }, (_, i) => `[s${i}]`).join('\n') },
      'main.conf, line 101, column 1: there are more than 100 sections',
    ],
  ])('%j is refused', async (files, complaint) => {
    expect(await sections(files as Files)).toEqual([complaint]);
  });
});

describe('$(NAME)', () => {
  const env = { HOME: '/home/a', DOLLAR: '$(HOME)', EMPTY: '', a: 'from the environment' };
  test.each([
    ['x = "$(HOME)/b"', [['x', '/home/a/b']]],
    ['x = "$$(HOME)"', [['x', '$(HOME)']]],
    ['x = "a$b$"', [['x', 'a$b$']]],
    ['x = "$$$$"', [['x', '$$']]],
    ['x = "$(EMPTY)"', [['x', '']]],
    ['x = ["$(HOME)", 1]', [['x', ['/home/a', '1']]]],
    // What is put in is not looked at again.
    ['x = "$(DOLLAR)"', [['x', '$(HOME)']]],
    // A setting above wins over a variable, and only one above counts.
    [
      'a = "set"\nx = "$(a)"',
      [
        ['a', 'set'],
        ['x', 'set'],
      ],
    ],
    [
      'x = "$(a)"\na = "set"',
      [
        ['x', 'from the environment'],
        ['a', 'set'],
      ],
    ],
    [
      'a = 5\nx = "$(a)s"',
      [
        ['a', '5'],
        ['x', '5s'],
      ],
    ],
    [
      'g {\n b = 1\n h {\n x = "$(b)$(g.b)"\n }\n}',
      [
        ['g.b', '1'],
        ['g.h.x', '11'],
      ],
    ],
    [
      'b = 0\ng {\n b = 1\n x = "$(b)"\n}',
      [
        ['b', '0'],
        ['g.b', '1'],
        ['g.x', '1'],
      ],
    ],
  ])('%j', async (source, expected) => {
    expect(await outcome({ 'main.conf': source }, env)).toEqual(expected);
  });

  test.each([
    ['x = "$(NOT_THERE)"', '$(NOT_THERE) is neither a setting above nor an environment variable'],
    // Anything but the plain name of a variable may be part of a password.
    ['x = "pa$(ss)word"', 'the name in $(…) is neither a setting above nor an environment variable'],
    ['x = "$()"', 'the name in $(…) is neither a setting above nor an environment variable'],
    ['x = "$(toString)"', 'the name in $(…) is neither a setting above nor an environment variable'],
    ['a = on\nx = "$(a)"', 'the name in $(…) is neither text nor a number'],
    ['x = "$(HOME"', '$( has no closing parenthesis; a dollar sign before a parenthesis is written $$'],
    ['x = "$($(HOME))"', '$( has no closing parenthesis; a dollar sign before a parenthesis is written $$'],
  ])('%j is a mistake', async (source, complaint) => {
    const [told] = await outcome({ 'main.conf': source }, { HOME: '/home/a' });
    expect(told).toBe(`main.conf, line ${source.split('\n').length}, column 5: ${complaint}`);
  });

  test('settings that double each other stop growing', async () => {
    const lines = Array.from({ length: 60 }, (_, i) => `a${i + 1} = "$(a${i})$(a${i})"`);
    const told = await outcome({ 'main.conf': ['a0 = "xxxxxxxxxx"', ...lines].join('\n') });
    expect(String(told[0])).toContain('the text becomes too long');
  });
});

describe('import', () => {
  test('a file is read where it is imported, from beside the importing file, under the groups around', async () => {
    const files = {
      '/etc/main.conf': 'a = 1\nimport "more/x.conf"\ng {\n  import "/abs.conf"\n}\na = 2',
      '/etc/more/x.conf': 'b = "$(a)"\nimport "y.conf"',
      '/etc/more/y.conf': 'c = 3',
      '/abs.conf': 'd = 4',
    };
    expect(await outcome(files, {}, '/etc/main.conf')).toEqual([
      ['a', '1'],
      ['b', '1'],
      ['c', '3'],
      ['g.d', '4'],
      ['a', '2'],
    ]);
  });

  test('the path may be made from variables', async () => {
    const files = { 'main.conf': 'import "$(DIR)/x.conf"', '/etc/x.conf': 'a = 1' };
    expect(await outcome(files, { DIR: '/etc' })).toEqual([['a', '1']]);
  });

  test('a missing file is a mistake that names the line that wanted it', async () => {
    expect(await outcome({ 'main.conf': '\n import "x.conf"' })).toEqual([
      'x.conf: the configuration file does not exist\n  imported at: main.conf, line 2, column 2',
    ]);
    expect(await outcome({})).toEqual(['main.conf: the configuration file does not exist']);
  });

  test('a file that imports itself, alone or in a round, is a mistake', async () => {
    expect(await outcome({ 'main.conf': 'import "./main.conf"' })).toEqual([
      'main.conf: the configuration file imports itself\n  imported at: main.conf, line 1, column 1',
    ]);
    expect(await outcome({ 'main.conf': 'import "b.conf"', 'b.conf': 'x = 1\nimport "main.conf"' })).toEqual([
      'main.conf: the configuration file imports itself\n  imported at: b.conf, line 2, column 1',
    ]);
  });

  test('importing a file twice is fine, importing it a million times is not', async () => {
    expect(await outcome({ 'main.conf': 'import "x.conf"\nimport "x.conf"', 'x.conf': 'a = 1' })).toHaveLength(2);
    const files = Object.fromEntries(
      Array.from({ length: 21 }, (_, i) => [
        i === 0 ? 'main.conf' : `${i}.conf`,
        `import "${i + 1}.conf"\nimport "${i + 1}.conf"`,
      ]),
    );
    const { result, reads } = await read({ ...files, '21.conf': 'a = 1' });
    expect(result.ok).toBe(false);
    expect(reads).toBeLessThanOrEqual(100);
  });

  test('mistakes of all files are told', async () => {
    expect(
      await outcome({ 'main.conf': 'import "x.conf"\nimport "y.conf"', 'x.conf': 'a', 'y.conf': '\nb = c' }),
    ).toEqual([
      'x.conf, line 1, column 2: expected = after the name of the setting',
      expect.stringContaining('y.conf, line 2, column 5: expected a value'),
    ]);
  });
});
