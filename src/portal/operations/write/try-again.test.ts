import { expect, test } from 'vitest';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import { tryAgain } from './try-again.ts';

const said = (sqlstate: string): PortalError => ({
  kind: 'database',
  error: { kind: 'sql', sqlstate, message: '', detail: null, hint: null, statement: 0 },
});

/** Fails with each of these, then does its work. */
async function run(failures: readonly PortalError[]): Promise<{ result: Result<string, PortalError>; runs: number }> {
  let runs = 0;
  const result = await tryAgain<string, PortalError>(
    async () => {
      const failure = failures[runs++];
      return failure === undefined ? ok('done') : err(failure);
    },
    (failure) => failure,
  );
  return { result, runs };
}

test('work that lost against another transaction is done again', async () => {
  expect(await run([said('40P01'), said('40001')])).toEqual({ result: ok('done'), runs: 3 });
});

test('but not for ever', async () => {
  expect(await run(Array(9).fill(said('40P01')))).toEqual({ result: err(said('40P01')), runs: 4 });
});

test.each<PortalError>([said('23505'), said('57014'), { kind: 'not-found' }])('%j stays as it is', async (failure) => {
  expect(await run([failure])).toEqual({ result: err(failure), runs: 1 });
});
