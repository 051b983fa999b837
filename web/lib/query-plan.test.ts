import { expect, test } from 'vitest';
import { parsePlan } from './query-plan.ts';

const PLAN = [
  {
    Plan: {
      'Node Type': 'Hash Join',
      'Total Cost': 100,
      'Plan Rows': 10,
      'Hash Cond': '(a.id = b.id)',
      Plans: [
        { 'Node Type': 'Seq Scan', 'Relation Name': 'a', 'Total Cost': 60, 'Plan Rows': 1000, Filter: '(n > 1)' },
        {
          'Node Type': 'Index Scan',
          'Index Name': 'b_pkey',
          'Relation Name': 'b',
          'Total Cost': 15,
          'Plan Rows': 1,
          'Actual Total Time': 0.5,
          'Actual Rows': 2,
          'Actual Loops': 3,
        },
      ],
    },
  },
];

test('a plan is a tree of steps, each with its own share of the cost', () => {
  const root = parsePlan(PLAN);
  expect(root).toMatchObject({
    title: 'Hash Join',
    notes: ['Hash Cond: (a.id = b.id)'],
    share: 0.25,
    steps: [
      { title: 'Seq Scan on a', notes: ['Filter: (n > 1)'], share: 0.6, actual: undefined },
      { title: 'Index Scan using b_pkey on b', share: 0.15, actual: { rows: 2, ms: 0.5, loops: 3 } },
    ],
  });
});

test('what a step below costs more than the whole is no share below nothing or above all', () => {
  const limited = [
    { Plan: { 'Node Type': 'Limit', 'Total Cost': 1, Plans: [{ 'Node Type': 'Seq Scan', 'Total Cost': 50 }] } },
  ];
  const root = parsePlan(limited);
  expect([root?.share, root?.steps[0]?.share]).toEqual([0, 1]);
});

test.each([[undefined], [null], [[]], ['text'], [[{ plan: 1 }]]])('%j is no plan', (document) => {
  expect(parsePlan(document)).toBeUndefined();
});
