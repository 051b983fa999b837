// States of what is edited, for undoing and redoing. Changes that are one step for people, like dragging and typing in one field, are undone together. Pure.

export type Undoable<T> = {
  readonly now: T;
  readonly before: readonly T[];
  readonly after: readonly T[];
};

const MAX_STEPS = 100;

export function undoable<T>(now: T): Undoable<T> {
  return { now, before: [], after: [] };
}

/** `isSameStep`: it goes on with the change before. */
export function stepTo<T>({ now, before }: Undoable<T>, next: T, isSameStep = false): Undoable<T> {
  const isGoing = isSameStep && before.length > 0;
  return { now: next, before: isGoing ? before : [...before, now].slice(-MAX_STEPS), after: [] };
}

export function undone<T>(states: Undoable<T>): Undoable<T> {
  const { now, before, after } = states;
  const last = before.at(-1);
  return last === undefined ? states : { now: last, before: before.slice(0, -1), after: [now, ...after] };
}

export function redone<T>(states: Undoable<T>): Undoable<T> {
  const { now, before, after } = states;
  const [next, ...rest] = after;
  return next === undefined ? states : { now: next, before: [...before, now], after: rest };
}
