// Keeps the pictures that are drawn at once within a bound of memory: who finds no room waits, in the order of coming; who finds
// too many waiting is turned away.

export type Gate = {
  /** Runs the work when there is room for so many pixels; undefined: too many are waiting. */
  enter<T>(pixels: number, work: () => Promise<T>): Promise<T | undefined>;
};

export function makeGate(room: number, maxWaiting: number): Gate {
  let free = room;
  const waiting: { readonly pixels: number; readonly go: () => void }[] = [];
  const admit = (): void => {
    for (let first = waiting[0]; first !== undefined && first.pixels <= free; first = waiting[0]) {
      waiting.shift();
      free -= first.pixels;
      first.go();
    }
  };
  return {
    async enter(pixels, work) {
      // One that is larger than the room has it all to itself.
      const weight = Math.min(pixels, room);
      if (waiting.length === 0 && weight <= free) free -= weight;
      else {
        if (waiting.length >= maxWaiting) return undefined;
        await new Promise<void>((resolve) => waiting.push({ pixels: weight, go: resolve }));
      }
      try {
        return await work();
      } finally {
        free += weight;
        admit();
      }
    },
  };
}
