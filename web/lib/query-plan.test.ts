import { expect, test } from 'vitest';
import { barsOf, marksOf, parsePlan } from './query-plan.ts';

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

const RUN = [
  {
    Plan: {
      'Node Type': 'Aggregate',
      'Total Cost': 100,
      'Plan Rows': 1,
      'Actual Total Time': 10,
      'Actual Rows': 1,
      'Actual Loops': 1,
      Plans: [
        {
          'Node Type': 'Index Scan',
          'Total Cost': 99,
          'Plan Rows': 5,
          'Actual Total Time': 2,
          'Actual Rows': 500,
          'Actual Loops': 4,
        },
      ],
    },
  },
];

test('where it was run, shares are those of the time, and what takes most of it or was misjudged is marked', () => {
  const root = parsePlan(RUN);
  expect(root?.share).toBeCloseTo(0.2);
  expect(root?.steps[0]?.share).toBeCloseTo(0.8);
  expect(root && marksOf(root)).toEqual([]);
  expect(root?.steps[0] && marksOf(root.steps[0])).toEqual(['expensive', 'misjudged']);
});

test('bars lie below the step that they work for, as wide as their part of the whole', () => {
  const root = parsePlan(PLAN);
  const bars = (root && barsOf(root)) ?? [];
  expect(bars.map(({ left, width, depth }) => [left, Math.round(width * 100), depth])).toEqual([
    [0, 100, 0],
    [0, 60, 1],
    [0.6, 15, 1],
  ]);
});
