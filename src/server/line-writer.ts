// Writes lines to a stream that may fail or stall (backpressure): a full disk, a reader that is gone or no longer reads. A log
// must never stop what it tells of, so lines that cannot be written are lost and counted, and those that nobody takes are kept
// up to a bound only.

import type { Writable } from 'node:stream';

type LostLines = { readonly lines: number; readonly why: string };

export type LineWriter = {
  write(line: string): void;
  /** What was lost, once lines can be written again; each loss is told once. */
  takeLost(): LostLines | undefined;
};

/** Of lines that wait for their reader. */
const MAX_WAITING_BYTES = 1024 * 1024;

export function makeLineWriter(stream: Writable, maxWaiting: number = MAX_WAITING_BYTES): LineWriter {
  let lost = 0;
  let why = '';
  let works = true;
  const lose = (reason: string): void => {
    lost += 1;
    why = reason;
    works = false;
  };
  // Every write hears of its own failure; without a listener an error would end the program.
  if (stream.listenerCount('error', ignore) === 0) stream.on('error', ignore);
  return {
    write(line) {
      if (stream.writableLength > maxWaiting) {
        lose('nobody read them');
        return;
      }
      try {
        stream.write(`${line}\n`, (error) => {
          if (error == null) works = true;
          else lose(error.message);
        });
      } catch (error) {
        lose(String(error));
      }
    },
    takeLost() {
      if (lost === 0 || !works) return undefined;
      const told = { lines: lost, why };
      lost = 0;
      return told;
    },
  };
}

/** For what is written besides the log, as the output of a command whose reader has gone. */
export function survivingErrors(stream: Writable): void {
  if (stream.listenerCount('error', ignore) === 0) stream.on('error', ignore);
}

function ignore(): void {}
