// A readers-writer lock for the imports of one process: ordinary ones run beside each other, one that must not be disturbed runs alone.
// What an import has been interrupted by may have been its neighbour; an attempt at one that was interrupted has none.

export type ImportTurns = {
  /** Waits for its turn; the function that is returned gives it back. Throws what the signal's abort throws. */
  enter(how: 'beside' | 'alone', signal: AbortSignal): Promise<() => void>;
};

type Waiting = { readonly how: 'beside' | 'alone'; readonly begin: () => void };

export function makeImportTurns(): ImportTurns {
  let running = 0;
  let isAlone = false;
  /** In the order in which they came, so that nobody waits for ever. */
  const waiting: Waiting[] = [];

  function next(): void {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      if (isAlone || (first.how === 'alone' && running > 0)) return;
      waiting.shift();
      running += 1;
      isAlone = first.how === 'alone';
      first.begin();
    }
  }

  return {
    enter(how, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const giveUp = (): void => {
          const at = waiting.indexOf(mine);
          if (at >= 0) waiting.splice(at, 1);
          reject(signal.reason);
          next();
        };
        let isOver = false;
        const mine: Waiting = {
          how,
          begin() {
            signal.removeEventListener('abort', giveUp);
            resolve(() => {
              if (isOver) return;
              isOver = true;
              running -= 1;
              if (how === 'alone') isAlone = false;
              next();
            });
          },
        };
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.push(mine);
        next();
      });
    },
  };
}
