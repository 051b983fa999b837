// A reload happens under load: a stage over the whole catalogue is a generator that yields between items, and whoever
// runs it lets requests through whenever a slice of time is used up.

import { setImmediate as nextTurn } from 'node:timers/promises';

/** A computation that can be interrupted wherever it yields. */
export type Stage<T> = Generator<void, T, void>;

// A request takes about three turns of the loop, and waits for a slice at each.
const SLICE_MS = 2;

/** How many steps stages may take together; whoever takes more is stopped. */
export type StepBudget = { left: number; readonly of: string };

export class TooManySteps extends Error {}

export async function inSlices<T>(stage: Stage<T>, budget?: StepBudget): Promise<T> {
  let until = performance.now() + SLICE_MS;
  for (;;) {
    const step = stage.next();
    if (step.done === true) return step.value;
    if (budget !== undefined && --budget.left < 0) throw new TooManySteps(`${budget.of} takes too many steps`);
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + SLICE_MS;
  }
}

/** Without interruption, where nobody waits. */
export function atOnce<T>(stage: Stage<T>): T {
  for (;;) {
    const step = stage.next();
    if (step.done === true) return step.value;
  }
}
