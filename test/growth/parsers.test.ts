// No text makes a parser work more than its length asks for.

import { expect, test } from 'vitest';
import { growthOf, STEEPEST } from './growth.ts';
import { PARSERS, UNITS } from './parsers.ts';

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
