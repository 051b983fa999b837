// What EXPLAIN (FORMAT JSON) says of a statement → a tree of steps, each with its share of the cost, or of the time where it was run; and the tree as
// bars, one below the other. Read from whatever is there. Pure.

export type PlanStep = {
  /** `Seq Scan on trees`. */
  readonly title: string;
  /** Conditions and keys, as PostgreSQL writes them. */
  readonly notes: readonly string[];
  readonly cost: number;
  /** Its own part of the time of the whole, or of the cost where it was only planned, without the steps below; 0 to 1. */
  readonly share: number;
  readonly rows: number;
  /** Undefined: it was only planned. */
  readonly actual: { readonly rows: number; readonly ms: number; readonly loops: number } | undefined;
  readonly steps: readonly PlanStep[];
};

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What tells most of a step, where it has it. */
const NOTES = [
  'Index Cond',
  'Recheck Cond',
  'Hash Cond',
  'Merge Cond',
  'Join Filter',
  'Filter',
  'Sort Key',
  'Group Key',
  'Subplan Name',
];
/** No plan that people look at is deeper. */
const MAX_DEPTH = 200;

/** Undefined: it is no plan. */
export function parsePlan(document: unknown): PlanStep | undefined {
  const [first] = Array.isArray(document) ? document : [];
  const root = isObject(first) ? first['Plan'] : undefined;
  if (!isObject(root)) return undefined;
  const amount = root['Actual Total Time'] === undefined ? costOf : millisecondsOf;
  return stepOf(root, { amount, whole: Math.max(amount(root), Number.MIN_VALUE) }, 0);
}

type Measure = { readonly amount: (plan: Json) => number; readonly whole: number };

const costOf = (plan: Json): number => number(plan['Total Cost']);
/** Times are those of one loop. */
const millisecondsOf = (plan: Json): number => number(plan['Actual Total Time']) * number(plan['Actual Loops']);

function stepOf(plan: Json, measure: Measure, depth: number): PlanStep {
  const children = depth < MAX_DEPTH && Array.isArray(plan['Plans']) ? plan['Plans'].filter(isObject) : [];
  const steps = children.map((child) => stepOf(child, measure, depth + 1));
  const { amount, whole } = measure;
  const below = children.reduce((sum, child) => sum + amount(child), 0);
  const relation = text(plan['Relation Name']) || text(plan['CTE Name']) || text(plan['Function Name']);
  const index = text(plan['Index Name']);
  return {
    title: [
      text(plan['Node Type']),
      ...(index === '' ? [] : ['using', index]),
      ...(relation === '' ? [] : ['on', relation]),
    ].join(' '),
    notes: NOTES.flatMap((name) => {
      const value = plan[name];
      const said = Array.isArray(value) ? value.map(String).join(', ') : text(value);
      return said === '' ? [] : [`${name}: ${said}`];
    }),
    cost: costOf(plan),
    // A limit stops the steps below early: they seem to cost more than the whole.
    share: Math.min(Math.max(amount(plan) - below, 0) / whole, 1),
    rows: number(plan['Plan Rows']),
    actual:
      plan['Actual Total Time'] === undefined
        ? undefined
        : {
            rows: number(plan['Actual Rows']),
            ms: number(plan['Actual Total Time']),
            loops: number(plan['Actual Loops']),
          },
    steps,
  };
}

/** From this share on a step is one to look at. */
const EXPENSIVE = 0.25;
/** So many times as many rows as expected, or as few: the plan was made for other data. */
const MISJUDGED = 10;
const MANY_ROWS = 100;

type StepMark = 'expensive' | 'misjudged';

export function marksOf({ share, rows, actual }: PlanStep): readonly StepMark[] {
  const found = actual === undefined || actual.loops === 0 ? rows : actual.rows;
  const [less, more] = [Math.min(found, rows), Math.max(found, rows)];
  const isFar = more >= MANY_ROWS && more >= MISJUDGED * Math.max(1, less);
  return [...(share >= EXPENSIVE ? ['expensive' as const] : []), ...(isFar ? ['misjudged' as const] : [])];
}

/** A step as a bar: as wide as what it and the steps below take of the whole, and below the step that it works for. */
type PlanBar = {
  readonly step: PlanStep;
  /** Parts of the width; 0 to 1. */
  readonly left: number;
  readonly width: number;
  readonly depth: number;
};

const MAX_BARS = 500;

export function barsOf(plan: PlanStep): readonly PlanBar[] {
  const bars: PlanBar[] = [];
  const totals = new Map<PlanStep, number>();
  addTotals(plan, totals);
  const place = (step: PlanStep, left: number, width: number, depth: number): void => {
    if (bars.length >= MAX_BARS) return;
    bars.push({ step, left, width, depth });
    const whole = totals.get(step) ?? 0;
    let at = left;
    for (const below of step.steps) {
      const part = whole === 0 ? width / step.steps.length : (width * (totals.get(below) ?? 0)) / whole;
      place(below, at, part, depth + 1);
      at += part;
    }
  };
  place(plan, 0, 1, 0);
  return bars;
}

/** Shares add up, whatever limits and parallel workers make of the totals. */
function addTotals(step: PlanStep, totals: Map<PlanStep, number>): number {
  const total = step.steps.reduce((sum, below) => sum + addTotals(below, totals), step.share);
  totals.set(step, total);
  return total;
}
