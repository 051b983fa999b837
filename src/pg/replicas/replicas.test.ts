import { expect, test } from 'vitest';
import type { DbError } from '../driver.ts';
import { mayKnowBetter } from './replicas.ts';

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
