import { describe, expect, test } from 'vitest';
import { nearestSignature } from './nearest-signature.ts';
import type { Routine } from './schema-cache.ts';

describe('nearestSignature', () => {
  const overloads = [overload('a', 'b'), overload('name'), overload()];

  test.each([
    [['a', 'b', 'smthelse'], '(a, b)'],
    [['b', 'a', 'c'], '(a, b)'],
    [['nam'], '(name)'],
    [[], '()'],
    [['zzzzzzzzzzzzzzzzzz'], undefined],
    [['x'.repeat(100_000)], undefined],
  ])('arguments %j are nearest to %s', (asked, signature) => {
    expect(nearestSignature(overloads, asked)).toBe(signature);
  });

  test('parameters are sorted, as arguments are: their order says nothing', () => {
    expect(nearestSignature([overload('zone', 'area')], ['zone', 'are'])).toBe('(area, zone)');
  });

  test('a function without overloads has no near one', () => {
    expect(nearestSignature([], ['a'])).toBeUndefined();
  });
});

function overload(...names: string[]): Routine {
  return {
    schema: 'api',
    name: 'f',
    description: null,
    parameters: names.map((name) => ({ name, type: 'text', castType: 'text', required: true, variadic: false })),
    returns: { set: false, shape: { kind: 'void' } },
    volatility: 'volatile',
    hasVariadic: false,
    isolation: null,
    settings: [],
  };
}
