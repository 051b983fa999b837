import { expect, test } from 'vitest';
import { readComment } from './directives.ts';
import { readLimits, readRoleLimits } from './limits.ts';

const read = (comment: string) => readLimits(readComment(comment), 'api.t');

test('a limit has its words in any order, and each line is a rule', () => {
  expect(
    read(`About it.
@survest limit role=a,b rows=10 depth=0 cost=500 rate=60/min
@survest limit filter=id,name order=none operators=eq,in`),
  ).toEqual({
    rules: [
      {
        where: 'the comment on api.t',
        roles: ['a', 'b'],
        rows: 10,
        depth: 0,
        cost: 500,
        rate: { requests: 60, perSeconds: 60 },
      },
      { where: 'the comment on api.t', filter: ['id', 'name'], order: [], operators: ['eq', 'in'] },
    ],
    omissions: [],
  });
});

test('what is not understood is named, and the rest of the rule holds', () => {
  const { rules, omissions } = read(
    '@survest limit rows=many rate=1/year colour=red rows\n@survest limit rows=5 x=1\n@survest lmit',
  );
  expect(rules).toEqual([{ where: 'the comment on api.t' }, { where: 'the comment on api.t', rows: 5 }]);
  expect(omissions.map(({ what }) => what)).toEqual([
    'rows=many in the comment on api.t',
    'rate=1/year in the comment on api.t',
    'colour=red in the comment on api.t',
    'rows in the comment on api.t',
    'x=1 in the comment on api.t',
    '@survest lmit in the comment on api.t',
  ]);
});

test('roles have limits by their names', () => {
  const { byRole } = readRoleLimits([
    { role: 'a', description: '@survest limit rows=1' },
    { role: 'b', description: 'about @survest' },
  ]);
  expect([...byRole]).toEqual([['a', [{ where: 'the comment on the role a', rows: 1 }]]]);
});
