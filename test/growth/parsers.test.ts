// No text makes a parser work more than its length asks for.

import { expect, test } from 'vitest';
import { fieldSql } from '../../src/rest/query/field-sql.ts';
import { growthOf, STEEPEST } from './growth.ts';
import { PARSERS, UNITS } from './parsers.ts';

test('a JSON path as SQL: twice the steps are twice the work', () => {
  const growth = growthOf((size) => {
    const path = Array.from({ length: size }, () => ({ arrow: '->', operand: { kind: 'key', key: 'a' } }) as const);
    const field = {
      column: 'a',
      viaJsonb: false,
      baseType: 'json',
      rowType: undefined,
      representation: undefined,
      path,
    };
    return () => fieldSql('t', field);
  });
  expect(growth).toBeLessThan(STEEPEST);
});

test.each(PARSERS)('$name: twice the text is twice the work', ({ parse, within }) => {
  const steep = within.flatMap((around) =>
    UNITS.flatMap((unit) => {
      const text = (size: number): string => around.replace('…', () => unit.repeat(Math.ceil(size / unit.length)));
      const growth = growthOf((size) => {
        const made = text(size);
        return () => parse(made);
      });
      return growth > STEEPEST ? [`${around} of ${JSON.stringify(unit)}: ${growth.toFixed(1)}`] : [];
    }),
  );
  expect(steep).toEqual([]);
});
