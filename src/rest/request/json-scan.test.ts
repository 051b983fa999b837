import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEEPEST_JSON, type JsonScan, scanJson } from './json-scan.ts';

const scan = (text: string) => scanJson(Buffer.from(text));

describe('what a body is', () => {
  test.each<[string, JsonScan]>([
    ['{}', { kind: 'object', keys: [] }],
    [' \n\t\r{ } ', { kind: 'object', keys: [] }],
    ['{"a":1,"b":{"c":[1,{"d":2}]}}', { kind: 'object', keys: ['a', 'b'] }],
    ['{"b":1,"a":2,"b":3}', { kind: 'object', keys: ['b', 'a'] }],
    ['[]', { kind: 'array', keys: [] }],
    ['[ ]', { kind: 'array', keys: [] }],
    ['[{}]', { kind: 'array', keys: [] }],
    ['[{},{ }]', { kind: 'array', keys: [] }],
    ['[{"a":1,"b":2},{"a":3,"b":4}]', { kind: 'array', keys: ['a', 'b'] }],
    ['[{"a":1,"b":2},{"b":3,"a":4}]', { kind: 'array', keys: ['a', 'b'] }],
    ['[{"a":1,"b":2},{"a":3,"a":4,"b":5}]', { kind: 'array', keys: ['a', 'b'] }],
    ['[{"a":1,"a":2},{"a":3}]', { kind: 'array', keys: ['a'] }],
    ['[{"a":1},{"a":3,"a":4}]', { kind: 'array', keys: ['a'] }],
    ['[{"a":{"x":1}},{"a":{"y":1}}]', { kind: 'array', keys: ['a'] }],
    ['[{"ab":1},{"\\u0061b":2}]', { kind: 'array', keys: ['ab'] }],
    ['[{"\\u0061b":1},{"ab":2}]', { kind: 'array', keys: ['ab'] }],
    ['[{"a\\"b":1},{"a\\"b":2}]', { kind: 'array', keys: ['a"b'] }],
    ['[{"é😀":1},{"é😀":2}]', { kind: 'array', keys: ['é😀'] }],
    ['[{"__proto__":1},{"__proto__":2}]', { kind: 'array', keys: ['__proto__'] }],
    ['{"":1}', { kind: 'object', keys: [''] }],
    ['1', { kind: 'scalar' }],
    ['"x"', { kind: 'scalar' }],
    [' null ', { kind: 'scalar' }],
    ['true', { kind: 'scalar' }],
    ['false', { kind: 'scalar' }],
    // the values are the database's business
    ['{"a":"\\u0000","b":1e99999,"c":"\\ud800"}', { kind: 'object', keys: ['a', 'b', 'c'] }],
  ])('%s', (text, result) => {
    expect(scan(text)).toEqual(result);
  });

  test.each([
    '[{"a":1},{"b":1}]',
    '[{"a":1},{"a":1,"b":2}]',
    '[{"a":1,"b":2},{"a":1}]',
    '[{"a":1,"b":2},{"b":1}]',
    '[{"a":1,"b":2},{"b":1,"b":2}]',
    '[{"a":1},{}]',
    '[{},{"a":1}]',
    '[1]',
    '[[]]',
    '[{"a":1},1]',
    '[{"a":1},[]]',
    '[null,{"a":1}]',
    '[{"a":1},{"aa":1}]',
    '[{"aa":1},{"a":1}]',
  ])('%s has no one set of keys', (text) => {
    expect(scan(text)).toEqual({ kind: 'keys-differ' });
  });

  test.each([
    ...[
      '',
      ' ',
      '{',
      '}',
      '[',
      ']',
      '{"a"',
      '{"a":',
      '{"a":1',
      '{"a":1,',
      '{"a":1,}',
      '{,}',
      '[1,',
      '[1,]',
      '[,]',
      '[1 2]',
      '{"a" 1}',
      '{a:1}',
    ],
    ...[
      "{'a':1}",
      '{"a":1}}',
      '[]]',
      '[}',
      '{]',
      '1 2',
      'nul',
      'nulll',
      'True',
      'NaN',
      'Infinity',
      '-',
      '01',
      '1.',
      '.5',
      '1e',
      '1e+',
      '+1',
      '0x1',
    ],
    ...[
      '"',
      '"\\"',
      '"\\x"',
      '"\\u12"',
      '"\\u12g4"',
      '"a\nb"',
      '"a\tb"',
      '"\0"',
      '\ufeff{}',
      '{"a":1}\0',
      '// x\n1',
      '[{"a":1},{"b"}]',
      '-a',
      '--1',
      '1-',
    ],
  ])('%j is no JSON', (text) => {
    expect(scan(text)).toEqual({ kind: 'invalid' });
  });

  test.each([
    ['a byte that begins nothing', [0x22, 0xff, 0x22]],
    ['half a character', [0x22, 0xc3, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ])('%s is no UTF-8', (_, bytes) => {
    expect(scanJson(Uint8Array.from(bytes))).toEqual({ kind: 'invalid' });
  });

  test('differing keys are reported only when the rest is well-formed', () => {
    expect(scan('[{"a":1},{"b":1},')).toEqual({ kind: 'invalid' });
    expect(scan('[1,{"b":"\\x"}]')).toEqual({ kind: 'invalid' });
  });

  test('so deep and no deeper, without using the stack', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(scan(`{"a":${nested(DEEPEST_JSON - 1)}}`)).toEqual({ kind: 'object', keys: ['a'] });
    expect(scan(`{"a":${nested(DEEPEST_JSON)}}`)).toEqual({ kind: 'too-deep' });
    expect(scan('['.repeat(1_000_000))).toEqual({ kind: 'too-deep' });
    expect(scan('{"a":'.repeat(200_000))).toEqual({ kind: 'too-deep' });
  });

  test('many keys in another order than the first row', () => {
    const keys = Array.from({ length: 500 }, (_, i) => `key ${i}`);
    const row = (names: string[]) => Object.fromEntries(names.map((name) => [name, 1]));
    expect(scan(JSON.stringify([row(keys), row(keys.toReversed()), row(keys)]))).toEqual({ kind: 'array', keys });
  });
});

describe('held against JSON.parse', () => {
  /** What the scanner should say, from the built value. */
  function expected(bytes: Uint8Array): string {
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    } catch {
      return 'invalid';
    }
    if (typeof value !== 'object' || value === null) return 'scalar';
    if (!Array.isArray(value)) return `object ${keysOf(value)}`;
    if (value.length === 0) return 'array []';
    const all = new Set(value.map((row) => (isObject(row) ? keysOf(row) : 'none')));
    return all.size === 1 && !all.has('none') ? `array ${[...all][0]}` : 'keys-differ';
  }
  const isObject = (row: unknown): row is object => typeof row === 'object' && row !== null && !Array.isArray(row);
  const keysOf = (row: object) => JSON.stringify(Object.keys(row).sort());

  function found(bytes: Uint8Array): string {
    const result = scanJson(bytes);
    return 'keys' in result ? `${result.kind} ${JSON.stringify([...result.keys].sort())}` : result.kind;
  }

  /** At any alignment of its memory: bodies are slices of larger buffers. */
  function shifted(bytes: Uint8Array, by: number): Uint8Array {
    const memory = new Uint8Array(bytes.length + by + 3).fill(0x22);
    memory.set(bytes, by);
    return memory.subarray(by, by + bytes.length);
  }

  const key = fc.oneof(fc.constantFrom('a', 'b', 'c', 'id', 'é', 'a"b', '\\'), fc.string());
  const row = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
  const document = fc.oneof(
    fc.jsonValue(),
    fc.array(row, { maxLength: 4 }),
    row.chain((one) =>
      fc.array(
        fc.shuffledSubarray(Object.entries(one), { minLength: Object.keys(one).length }).map(Object.fromEntries),
        { maxLength: 4 },
      ),
    ),
  );
  const text = fc
    .tuple(document, fc.constantFrom(0, 1, '\t'))
    .map(([value, indent]) => JSON.stringify(value, null, indent));

  test('random documents', () => {
    fc.assert(
      fc.property(text, fc.nat(3), (json, by) => {
        const bytes = shifted(Buffer.from(json), by);
        expect(found(bytes)).toBe(expected(bytes));
      }),
      { numRuns: 400 },
    );
  });

  test('random documents with bytes changed, taken out and put in', () => {
    const change = fc.record({
      at: fc.nat(),
      take: fc.nat(2),
      put: fc.array(
        fc.oneof(fc.constantFrom(...Buffer.from('{}[],:"\\ue0-+.1tfn \n')), fc.integer({ min: 0, max: 255 })),
        { maxLength: 2 },
      ),
    });
    fc.assert(
      fc.property(text, fc.array(change, { minLength: 1, maxLength: 3 }), fc.nat(3), (json, changes, by) => {
        const list = [...Buffer.from(json)];
        for (const { at, take, put } of changes) list.splice(at % (list.length + 1), take, ...put);
        const bytes = shifted(Uint8Array.from(list), by);
        expect(found(bytes)).toBe(expected(bytes));
      }),
      { numRuns: 1500 },
    );
  });

  test('random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 30 }), (bytes) => {
        expect(found(bytes)).toBe(expected(bytes));
      }),
    );
  });
});
