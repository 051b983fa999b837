import { expect, test } from 'vitest';
import type { Batch } from '../driver.ts';
import type { Failure } from './reply-reader.ts';
import { statementTrouble } from './statement-trouble.ts';

const batch: Batch = [
  { text: 'a', params: [] },
  { text: 'b', params: [], name: 'named' },
];

function failure(sqlstate: string, given: Partial<Failure> & { statement?: number; message?: string } = {}): Failure {
  const { statement = 1, message = '', ...rest } = given;
  return {
    error: { kind: 'sql', sqlstate, message, detail: null, hint: null, statement },
    fatal: false,
    routine: '',
    beforeBind: true,
    ...rest,
  };
}

test.each([
  [
    'a plan whose columns changed',
    failure('0A000', { routine: 'RevalidateCachedQuery' }),
    { kind: 'plan-changed', name: 'named' },
  ],
  ['a feature that is not supported', failure('0A000', { routine: 'ExecHashJoin' }), null],
  ['a statement the server does not know', failure('26000'), { kind: 'statements-gone' }],
  ['the same code raised by a function', failure('26000', { beforeBind: false }), null],
  ['the same code on a statement without a name', failure('26000', { statement: 0 }), null],
  ['a name that is taken', failure('42P05'), { kind: 'pooler' }],
  [
    'a pooler between statements',
    failure('08P01', { message: 'transaction blocks not allowed in statement pooling mode' }),
    { kind: 'pooler' },
  ],
  [
    'a wrong number of parameters',
    failure('08P01', { message: 'bind message supplies 2 parameters, but prepared statement "x" requires 1' }),
    null,
  ],
  ['a failing commit', failure('23503', { statement: 2 }), null],
])('%s', (_name, given, expected) => {
  expect(statementTrouble(given, batch)).toEqual(expected);
});
