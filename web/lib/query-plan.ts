// What EXPLAIN (FORMAT JSON) says of a statement → a tree of steps, each with its share of the cost. Read from whatever is there. Pure.

export type PlanStep = {
  /** `Seq Scan on trees`. */
  readonly title: string;
  /** Conditions and keys, as PostgreSQL writes them. */
  readonly notes: readonly string[];
  readonly cost: number;
  /** Its own part of the cost of the whole, without the steps below; 0 to 1. */
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
  return stepOf(root, Math.max(number(root['Total Cost']), Number.MIN_VALUE), 0);
}

function stepOf(plan: Json, whole: number, depth: number): PlanStep {
  const children = depth < MAX_DEPTH && Array.isArray(plan['Plans']) ? plan['Plans'].filter(isObject) : [];
  const steps = children.map((child) => stepOf(child, whole, depth + 1));
  const cost = number(plan['Total Cost']);
  const below = steps.reduce((sum, step) => sum + step.cost, 0);
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
    cost,
    // A limit stops the steps below early: they seem to cost more than the whole.
    share: Math.min(Math.max(cost - below, 0) / whole, 1),
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
