// Long work in small steps: run to its end at once, or in turns with everything else that waits for the event loop.
// A document of ten thousand tables takes seconds to write; nobody else should wait for it.

/** Work that can pause wherever it yields. */
export type Steps<T> = Generator<undefined, T, undefined>;

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

export async function inTurns<T>(steps: Steps<T>, stepsPerTurn: number): Promise<T> {
  for (;;) {
    for (let done = 0; done < stepsPerTurn; done++) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
    await new Promise(setImmediate);
  }
}
