import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ClaimPath, type ClaimStep, parseClaimPath, printClaimPath, walkClaimPath } from './claim-path.ts';

function path(text: string): ClaimPath {
  const parsed = parseClaimPath(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

describe('parseClaimPath', () => {
  test.each<[string, readonly ClaimStep[]]>([
    ['.role', [{ kind: 'key', key: 'role' }]],
    ['."role"', [{ kind: 'key', key: 'role' }]],
    ['.a_$@1', [{ kind: 'key', key: 'a_$@1' }]],
    ['.роль', [{ kind: 'key', key: 'роль' }]],
    ['.""', [{ kind: 'key', key: '' }]],
    ['."https://example.org/role.x"', [{ kind: 'key', key: 'https://example.org/role.x' }]],
    [
      '.app."meta data".roles[10]',
      [
        { kind: 'key', key: 'app' },
        { kind: 'key', key: 'meta data' },
        { kind: 'key', key: 'roles' },
        { kind: 'index', index: 10 },
      ],
    ],
    [
      '[0][1]',
      [
        { kind: 'index', index: 0 },
        { kind: 'index', index: 1 },
      ],
    ],
    [
      '.r[?(@ == "x")]',
      [
        { kind: 'key', key: 'r' },
        { kind: 'filter', operator: '==', operand: 'x' },
      ],
    ],
    [
      '.r[?(@!="x")]',
      [
        { kind: 'key', key: 'r' },
        { kind: 'filter', operator: '!=', operand: 'x' },
      ],
    ],
    [
      '.r[?(@  ^==\t"a)]b")]',
      [
        { kind: 'key', key: 'r' },
        { kind: 'filter', operator: '^==', operand: 'a)]b' },
      ],
    ],
    [
      '.r[?(@ ==^ "")]',
      [
        { kind: 'key', key: 'r' },
        { kind: 'filter', operator: '==^', operand: '' },
      ],
    ],
    [
      '.r[?(@ *== "é")]',
      [
        { kind: 'key', key: 'r' },
        { kind: 'filter', operator: '*==', operand: 'é' },
      ],
    ],
  ])('%s is a path', (text, steps) => {
    expect(parseClaimPath(text)).toEqual({ ok: true, value: steps });
  });

  test.each([
    ['', 1],
    ['.role##', 6],
    ['.role[?(@ == "x")].more', 19],
  ])('%s is wrong from its character %i on', (text, at) => {
    const parsed = parseClaimPath(text);
    expect(parsed.ok ? '' : parsed.error.message).toContain(`at character ${at}: `);
  });

  test.each([
    'role.other',
    '.role##',
    '1234',
    '.role[?(@ =)]',
    '',
    '.',
    '..role',
    '.role.',
    ' .role',
    '.role ',
    '."role',
    '.role[]',
    '.role[-1]',
    '.role[1',
    '.role[x]',
    '.role[?(@ === "x")]',
    '.role[?(@ < "x")]',
    '.role[?(@ == x)]',
    ".role[?(@ == 'x')]",
    '.role[?(@ == "x")].more',
    '.role[?(@ == "x")][0]',
    '.role[?(@ == "x")][?(@ == "x")]',
    '.a-b',
  ])('%s is not a path, and the message says where', (text) => {
    const parsed = parseClaimPath(text);
    expect(parsed).toMatchObject({ ok: false, error: { message: expect.stringContaining(`'${text}' at character `) } });
  });

  test('a very long path is read in one pass', () => {
    expect(path('.a'.repeat(50_000))).toHaveLength(50_000);
  });
});

describe('printClaimPath', () => {
  test.each([
    ['.role', '."role"'],
    ['.a."b c"[0]', '."a"."b c"[0]'],
    ['.r[?(@*=="x")]', '."r"[?(@ *== "x")]'],
    ['[99999999999999999999999]', '[99999999999999991611392]'],
  ])('%s has the normal form %s', (text, normal) => {
    expect(printClaimPath(path(text))).toBe(normal);
  });

  test('printing and parsing again changes nothing', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((word) => !word.includes('"'));
    const step = fc.oneof(
      fc.record({ kind: fc.constant('key' as const), key: text }),
      fc.record({ kind: fc.constant('index' as const), index: fc.nat() }),
    );
    const filter = fc.record({
      kind: fc.constant('filter' as const),
      operator: fc.constantFrom('==' as const, '!=' as const, '^==' as const, '==^' as const, '*==' as const),
      operand: text,
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1 }), fc.option(filter, { nil: undefined }), (steps, last) => {
        const made = (last === undefined ? steps : [...steps, last]) as unknown as ClaimPath;
        expect(parseClaimPath(printClaimPath(made))).toEqual({ ok: true, value: made });
      }),
    );
  });
});

describe('walkClaimPath', () => {
  const claims = {
    role: 'plain',
    n: 7,
    nothing: null,
    app: { 'meta data': { roles: ['viewer', 3, null, 'db_editor', 'db_owner'] } },
  };

  test.each<[string, unknown]>([
    ['.role', 'plain'],
    ['.n', 7],
    ['.nothing', null],
    ['.app."meta data".roles[0]', 'viewer'],
    ['.app."meta data".roles[1]', 3],
    ['.app."meta data".roles[9]', undefined],
    ['.app."meta data".roles[?(@ == "db_owner")]', 'db_owner'],
    ['.app."meta data".roles[?(@ != "viewer")]', 'db_editor'],
    ['.app."meta data".roles[?(@ ^== "db_")]', 'db_editor'],
    ['.app."meta data".roles[?(@ ==^ "owner")]', 'db_owner'],
    ['.app."meta data".roles[?(@ *== "_o")]', 'db_owner'],
    ['.app."meta data".roles[?(@ == "nobody")]', undefined],
    ['.app.roles', undefined],
    ['.role.more', undefined],
    ['.role[0]', undefined],
    ['.role[?(@ == "plain")]', undefined],
    ['.nothing.more', undefined],
    ['[0]', undefined],
  ])('%s finds %s', (text, found) => {
    expect(walkClaimPath(path(text), claims)).toEqual(found);
  });

  test.each(['.constructor', '.__proto__', '.toString', '.constructor.name', '.app."meta data".roles.length'])(
    '%s is not a claim',
    (text) => {
      expect(walkClaimPath(path(text), claims)).toBeUndefined();
    },
  );

  test('a claim that is named __proto__ is a claim like others', () => {
    expect(walkClaimPath(path('.__proto__.role'), JSON.parse('{"__proto__":{"role":"x"}}'))).toBe('x');
    expect(walkClaimPath(path('.role'), JSON.parse('{"__proto__":{"role":"x"}}'))).toBeUndefined();
  });
});
