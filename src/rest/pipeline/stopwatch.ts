// Where the time of a request went, for Server-Timing and for traces. Idle unless one of them is switched on.

type Stage = 'jwt' | 'parse' | 'plan' | 'transaction' | 'response';

export type Stopwatch = { lap(stage: Stage): void; header(): string | undefined };

export const stopped: Stopwatch = { lap() {}, header: () => undefined };

export type OnLap = (stage: Stage, from: number, to: number) => void;

/** `onLap`: told of each stage as it ends. */
export function makeStopwatch(now: () => number, hasHeader: boolean, onLap?: OnLap): Stopwatch {
  const laps: [Stage, number][] = [];
  let last = now();
  return {
    lap(stage) {
      const at = now();
      laps.push([stage, at - last]);
      onLap?.(stage, last, at);
      last = at;
    },
    header: () => (hasHeader ? laps.map(([stage, ms]) => `${stage};dur=${ms.toFixed(1)}`).join(', ') : undefined),
  };
}
