import { expect, test } from 'vitest';
import type { DbError } from '../driver.ts';
import { isGone, mayKnowBetter } from './replicas.ts';

const sql = (sqlstate: string): DbError => ({
  kind: 'sql',
  sqlstate,
  message: '',
  detail: null,
  hint: null,
  statement: 0,
});

test('what a replica refuses is asked elsewhere, unless somebody has left or it took too long', () => {
  for (const sqlstate of ['42P01', '42501', '40001', '25006', '57P01']) expect(mayKnowBetter(sql(sqlstate))).toBe(true);
  expect(mayKnowBetter(sql('57014'))).toBe(false);
  expect(mayKnowBetter({ kind: 'cancelled' })).toBe(false);
});

test('a replica is gone that cannot be spoken to, shuts down or takes no more connections, and not for what a statement did', () => {
  for (const sqlstate of ['57P01', '57P02', '57P03', '53300']) expect(isGone(sql(sqlstate))).toBe(true);
  for (const sqlstate of ['42P01', '57014', '40001']) expect(isGone(sql(sqlstate))).toBe(false);
  const unreachable: DbError = { kind: 'unreachable', message: '', fatal: false };
  for (const error of [unreachable, { kind: 'lost', message: '' }, { kind: 'closed' }] as const) {
    expect(isGone(error)).toBe(true);
    expect(mayKnowBetter(error)).toBe(true);
  }
  for (const error of [{ kind: 'cancelled' }, { kind: 'pool-timeout', afterMs: 1 }] as const) {
    expect(isGone(error)).toBe(false);
    expect(mayKnowBetter(error)).toBe(false);
  }
  expect(mayKnowBetter({ kind: 'pool-full', waiting: 1 })).toBe(true);
  expect(isGone({ kind: 'pool-full', waiting: 1 })).toBe(false);
});
