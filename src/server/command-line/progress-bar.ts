// How far something is, as one line of a terminal that is written over and over; where nobody looks, nothing is written.

type Progress = { readonly share: number; readonly note: string };

export type ProgressBar = {
  show(name: string, progress: Progress): void;
  /** Takes the line away. */
  clear(): void;
};

const WIDTH = 24;
const PACE_MS = 100;

function barLine(name: string, { share, note }: Progress): string {
  const done = Math.round(Math.max(0, Math.min(1, share)) * WIDTH);
  return `${name} [${'#'.repeat(done)}${'-'.repeat(WIDTH - done)}] ${String(Math.round(share * 100)).padStart(3)} % ${note}`;
}

export function makeProgressBar(
  output: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown },
  now: () => number = () => performance.now(),
): ProgressBar {
  if (output.isTTY !== true) return { show() {}, clear() {} };
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    show(name, progress) {
      if (now() - shownAt < PACE_MS) return;
      shownAt = now();
      isShown = true;
      output.write(`\r\u001b[K${barLine(name, progress).slice(0, (output.columns ?? 80) - 1)}`);
    },
    clear() {
      if (isShown) output.write('\r\u001b[K');
      isShown = false;
      shownAt = Number.NEGATIVE_INFINITY;
    },
  };
}
