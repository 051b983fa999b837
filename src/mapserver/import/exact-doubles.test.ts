import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinDoubles, joined, lowBitsColumn, SPLITTER } from './exact-doubles.ts';
import type { DumpLayer } from './pgdump-reader.ts';

/** As GDAL writes numbers. */
const digits15 = (number: number): string => String(Number(number.toPrecision(15)));
const lowBits = (number: number): number => number - (number * SPLITTER - (number * SPLITTER - number));

describe('the two halves of a double', () => {
  test('make the number again, to its last bit', () => {
    const doubles = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 });
    fc.assert(
      fc.property(fc.oneof(doubles, fc.float({ noNaN: true, noDefaultInfinity: true }), fc.integer()), (number) => {
        const text = digits15(number);
        expect(Number(joined(text, digits15(lowBits(number))) ?? text)).toBe(number === 0 ? 0 : number);
      }),
      { numRuns: 20_000 },
    );
  });

  test('leave alone what has none', () => {
    expect(joined('\\N', '\\N')).toBeUndefined();
    expect(joined('nan', 'nan')).toBeUndefined();
    expect(joined('inf', '-nan')).toBeUndefined();
    expect(joined('1.5', '0')).toBeUndefined();
  });

  test('are the largest number where fifteen digits round beyond it', () => {
    expect(joined('1.79769313486232e+308', 'nan')).toBe('1.7976931348623157e+308');
    expect(joined('-1.79769313486232e+308', 'nan')).toBe('-1.7976931348623157e+308');
  });
});

test('rows lose the columns of low halves, however many bytes their numbers need', async () => {
  const numbers = Array.from({ length: 5000 }, (_, i) => 2 ** -60 * (1 + i));
  const low = lowBitsColumn('b');
  const layer: DumpLayer = {
    name: 'layer',
    geometry: undefined,
    columns: ['a', 'b', 'c', low].map((name) => ({ name, type: 'float8' })),
    copied: ['a', 'b', 'c', low],
  };
  const rows: Buffer[] = [];
  const layers: DumpLayer[] = [];
  const sink = joinDoubles({
    layer: async (got) => void layers.push(got),
    rows: async (lines) => void rows.push(lines),
  });
  await sink.layer(layer);
  await sink.rows(
    Buffer.from(numbers.map((n) => `ä\\\t\\\\\t${digits15(n)}\t\\N\t${digits15(lowBits(n))}\n`).join(''), 'utf8'),
  );
  expect(layers[0]?.copied).toEqual(['a', 'b', 'c']);
  expect(layers[0]?.columns.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  const got = Buffer.concat(rows)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => line.replace('\\\t', ' tab ').split('\t'));
  expect(got.map(([a, , c]) => `${a}${c}`)).toEqual(numbers.map(() => 'ä tab \\\\\\N'));
  expect(got.map(([, b]) => Number(b))).toEqual(numbers);
});
