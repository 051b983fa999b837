// Where the time of a request went, for Server-Timing. Idle unless switched on.

type Stage = 'jwt' | 'parse' | 'plan' | 'transaction' | 'response';

export type Stopwatch = { lap(stage: Stage): void; header(): string | undefined };

export const stopped: Stopwatch = { lap() {}, header: () => undefined };

export function makeStopwatch(now: () => number): Stopwatch {
  const laps: [Stage, number][] = [];
  let last = now();
  return {
    lap(stage) {
      const at = now();
      laps.push([stage, at - last]);
      last = at;
    },
    header: () => laps.map(([stage, ms]) => `${stage};dur=${ms.toFixed(1)}`).join(', '),
  };
}
