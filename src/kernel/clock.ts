// Time as an argument: a stage that is given a Clock is the same function in a test as in the running program.

export type Clock = {
  /** Milliseconds since 1970, for dates that people and tokens see. */
  now(): number;
  /** Milliseconds since some fixed moment, never running backwards, for measuring how long something took. */
  ticks(): number;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
};

/** A clock that stands still until it is moved: `const clock = standingClock(0); clock.advance(30_000)`. */
export type StandingClock = Clock & { advance(ms: number): void };

export function standingClock(startMs: number): StandingClock {
  let elapsed = 0;
  return {
    now: () => startMs + elapsed,
    ticks: () => elapsed,
    advance(ms) {
      elapsed += ms;
    },
  };
}
