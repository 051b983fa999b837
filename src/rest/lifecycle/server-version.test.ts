import { expect, test } from 'vitest';
import { supportProblem } from './server-version.ts';

test.each([
  [120_019, '12.19', 'PostgreSQL 12.19 is not supported: 14 is the oldest that is'],
  [139_999, '13.99', 'PostgreSQL 13.99 is not supported: 14 is the oldest that is'],
  [140_000, '14.0', undefined],
  [180_003, '18.3', undefined],
])('%i', (number, text, problem) => {
  expect(supportProblem({ number, text })).toBe(problem);
});
