// Every operator with arguments and what comes of them: of the right kind, of a wrong one, at the edge. As MapLibre has them, but that a wrong kind
// gives nothing instead of an error.

import { describe, expect, test } from 'vitest';
import { compileExpression } from './expression.ts';
import { OPERATORS } from './operators.ts';

type Example = readonly [args: readonly unknown[], value: unknown];
type Told = { readonly takes: readonly [least: number, most: number]; readonly examples: readonly Example[] };

const MANY = Number.POSITIVE_INFINITY;
const oneNumber = (...examples: readonly Example[]): Told => ({
  takes: [1, 1],
  examples: [...examples, [['4'], undefined], [[null], undefined]],
});
const order = (below: boolean, same: boolean, above: boolean): Told => ({
  takes: [2, 2],
  examples: [
    [[1, 2], below],
    [[2, 2], same],
    [[3, 2], above],
    [['a', 'b'], below],
    [['b', 'b'], same],
    [['c', 'b'], above],
    [[1, '2'], undefined],
    [['1', 2], undefined],
  ],
});

const TOLD: Readonly<Record<string, Told>> = {
  '==': {
    takes: [2, 3],
    examples: [
      [['a', 'a'], true],
      [['a', 'b'], false],
      [[null, undefined], true],
      [[0, null], false],
    ],
  },
  '!=': {
    takes: [2, 3],
    examples: [
      [['a', 'a'], false],
      [['a', 'b'], true],
      [[null, undefined], false],
    ],
  },
  '<': order(true, false, false),
  '<=': order(true, true, false),
  '>': order(false, false, true),
  '>=': order(false, true, true),
  '!': {
    takes: [1, 1],
    examples: [
      [[true], false],
      [[false], true],
      [[null], true],
    ],
  },
  in: {
    takes: [2, 2],
    examples: [
      [[2, [1, 2]], true],
      [[3, [1, 2]], false],
      [['b', 'abc'], true],
      [['d', 'abc'], false],
      [[1, 'a1'], false],
      [['1', 1], false],
    ],
  },
  at: {
    takes: [2, 2],
    examples: [
      [[1, ['a', 'b']], 'b'],
      [[2, ['a', 'b']], undefined],
      [['1', ['a', 'b']], undefined],
      [[0, 'ab'], undefined],
    ],
  },
  length: {
    takes: [1, 1],
    examples: [
      [['abc'], 3],
      [[[1, 2]], 2],
      [[5], undefined],
    ],
  },
  '+': {
    takes: [1, MANY],
    examples: [
      [[1, 2, 3], 6],
      [[1, '2'], undefined],
    ],
  },
  '*': {
    takes: [1, MANY],
    examples: [
      [[2, 3, 4], 24],
      [[2, null], undefined],
    ],
  },
  '-': {
    takes: [1, 2],
    examples: [
      [[5, 3], 2],
      [[5], -5],
      [['5'], undefined],
    ],
  },
  '/': {
    takes: [2, 2],
    examples: [
      [[6, 4], 1.5],
      [[0, 0], undefined],
    ],
  },
  '%': {
    takes: [2, 2],
    examples: [
      [[7, 4], 3],
      [[7, 0], undefined],
    ],
  },
  '^': { takes: [2, 2], examples: [[[2, 10], 1024]] },
  min: { takes: [1, MANY], examples: [[[3, 1, 2], 1]] },
  max: { takes: [1, MANY], examples: [[[1, 3, 2], 3]] },
  abs: oneNumber([[-2], 2]),
  round: oneNumber([[2.5], 3]),
  floor: oneNumber([[2.9], 2]),
  ceil: oneNumber([[2.1], 3]),
  sqrt: oneNumber([[9], 3], [[-1], undefined]),
  ln: oneNumber([[1], 0]),
  log10: oneNumber([[1000], 3]),
  log2: oneNumber([[8], 3]),
  sin: oneNumber([[0], 0]),
  cos: oneNumber([[0], 1]),
  tan: oneNumber([[0], 0]),
  pi: { takes: [0, 0], examples: [[[], Math.PI]] },
  e: { takes: [0, 0], examples: [[[], Math.E]] },
  number: {
    takes: [1, MANY],
    examples: [
      [['a', 5, 6], 5],
      [['a'], undefined],
    ],
  },
  string: {
    takes: [1, MANY],
    examples: [
      [[5, 'a', 'b'], 'a'],
      [[5], undefined],
    ],
  },
  boolean: {
    takes: [1, MANY],
    examples: [
      [[5, false, true], false],
      [['true'], undefined],
    ],
  },
  'to-number': {
    takes: [1, MANY],
    examples: [
      [['12.5'], 12.5],
      [[true], 1],
      [[false], 0],
      [[null], 0],
      [['', 'x', '7', 8], 7],
      [[' '], undefined],
      [[['1']], undefined],
    ],
  },
  'to-string': {
    takes: [1, 1],
    examples: [
      [[1.5], '1.5'],
      [[true], 'true'],
      [[null], ''],
      [[['a', 1]], '["a",1]'],
    ],
  },
  'to-boolean': {
    takes: [1, 1],
    examples: [
      [[''], false],
      [[0], false],
      [[false], false],
      [[undefined], false],
      [['no'], true],
      [[2], true],
    ],
  },
  'to-color': {
    takes: [1, MANY],
    examples: [
      [['nonsense', '#00f', 'red'], '#00f'],
      [[5], undefined],
    ],
  },
  concat: {
    takes: [0, MANY],
    examples: [
      [['a', 1, null, true], 'a1true'],
      [['x'.repeat(20_000)], 'x'.repeat(10_000)],
    ],
  },
  upcase: {
    takes: [1, 1],
    examples: [
      [['straße'], 'STRASSE'],
      [[5], undefined],
    ],
  },
  downcase: {
    takes: [1, 1],
    examples: [
      [['ÄB'], 'äb'],
      [[5], undefined],
    ],
  },
  'is-supported-script': {
    takes: [1, 1],
    examples: [
      [['москва'], true],
      [[5], undefined],
    ],
  },
  slice: {
    takes: [2, 3],
    examples: [
      [['abcdef', 2], 'cdef'],
      [['abcdef', 2, 4], 'cd'],
      [['abcdef', '2'], undefined],
      [[5, 2], undefined],
    ],
  },
  rgb: {
    takes: [3, 3],
    examples: [
      [[255, 0, 16], '#ff0010'],
      [[255, '0', 0], undefined],
    ],
  },
  rgba: {
    takes: [4, 4],
    examples: [
      [[255, 0, 0, 0.5], 'rgba(255, 0, 0, 0.5)'],
      [[255, 0, 0, 7], '#ff0000'],
      [[255, 0, 0, '1'], undefined],
    ],
  },
  format: {
    takes: [1, MANY],
    examples: [
      [['a', 1], 'a1'],
      [['x'.repeat(20_000)], 'x'.repeat(10_000)],
    ],
  },
  'number-format': {
    takes: [1, 2],
    examples: [
      [[1234.5], '1234.5'],
      [['5'], undefined],
    ],
  },
};

test('every operator is told of here', () => {
  expect(Object.keys(TOLD).toSorted()).toEqual(Object.keys(OPERATORS).toSorted());
});

describe.each(Object.entries(TOLD))('%s', (name, { takes: [least, most], examples }) => {
  test.each(examples)('of %j is %j', (args, value) => {
    expect(OPERATORS[name]?.run(args)).toBe(value);
  });

  test('in an expression, with as many arguments as it takes, and with no other number of them', () => {
    const compiles = (count: number): boolean =>
      compileExpression([name, ...Array.from({ length: count }, () => ['get', 'a'])]).ok;
    expect(compiles(least)).toBe(true);
    if (least > 0) expect(compiles(least - 1)).toBe(false);
    expect(compiles(most === MANY ? least + 20 : most)).toBe(true);
    if (most !== MANY) expect(compiles(most + 1)).toBe(false);
    for (const [args, value] of examples) {
      const written = args.map((_, i) => ['get', String(i)]);
      const compiled = compileExpression([name, ...written]);
      const properties = Object.fromEntries(args.map((arg, i) => [String(i), arg as never]));
      const found = compiled.ok && compiled.value.run({ properties, geometry: 'Point', zoom: 1, id: 1 });
      expect(found, JSON.stringify(args)).toBe(value);
    }
  });
});
