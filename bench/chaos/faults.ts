// What happens to the processes of a chaos run: one fault after the other, in any order, each over before the next begins.

import { setTimeout as pause } from 'node:timers/promises';
import type { Crew } from './crew.ts';
import type { SmallDisk } from './full-disk.ts';

export type Faults = {
  next(): Promise<void>;
  /** Nothing is paused or full any more. */
  over(): Promise<void>;
  counts(): string;
};

export type DatabaseServer = {
  /** To its first process. */
  signal(name: NodeJS.Signals): void;
  /** kill -9 of its first process, and a start; false: there was none. */
  kill(): Promise<boolean>;
  /** Ends some of the connections of the program, whatever they are doing; how many. */
  endBackends(): Promise<number>;
};

export type FaultParts = {
  readonly crew: Crew;
  readonly server: DatabaseServer | undefined;
  readonly disk: SmallDisk | undefined;
};

const SHORT_MS = 1000;
const LONG_MS = 4000;
/** A file is read in a moment: it is looked for again and again. */
const CHILD_LOOKS = 1000;

export function makeFaults({ crew, server, disk }: FaultParts): Faults {
  const counts = new Map<string, number>();
  const span = (): Promise<void> => pause(SHORT_MS + Math.random() * (LONG_MS - SHORT_MS));
  const somebody = (): number => Math.floor(Math.random() * crew.size);
  const faults: readonly (readonly [name: string, strike: () => Promise<boolean>])[] = [
    ['program killed', () => crew.replace(somebody()).then(() => true)],
    ['program restarted', () => crew.restart(somebody()).then(() => true)],
    [
      'child killed',
      async () => {
        for (let i = 0; i < CHILD_LOOKS; i += 1) {
          if (crew.killChild()) return true;
          await pause(10);
        }
        return false;
      },
    ],
    [
      'program paused',
      async () => {
        const i = somebody();
        crew.signal(i, 'SIGSTOP');
        await span();
        crew.signal(i, 'SIGCONT');
        return true;
      },
    ],
    ...(server === undefined
      ? []
      : [
          ['postmaster killed', () => server.kill()] as const,
          ['backends ended', async () => (await server.endBackends().catch(() => 0)) > 0] as const,
          [
            'postmaster paused',
            async () => {
              server.signal('SIGSTOP');
              await span();
              server.signal('SIGCONT');
              return true;
            },
          ] as const,
        ]),
    ...(disk === undefined
      ? []
      : [
          [
            'disk full',
            async () => {
              disk.fill();
              await span();
              disk.empty();
              return true;
            },
          ] as const,
        ]),
  ];
  /** Every fault once, in any order, before one comes again. */
  let left: (typeof faults)[number][] = [];
  return {
    async next() {
      if (left.length === 0) left = [...faults];
      const [[name, strike]] = left.splice(Math.floor(Math.random() * left.length), 1) as [(typeof faults)[number]];
      if (await strike()) counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    async over() {
      disk?.empty();
      server?.signal('SIGCONT');
      for (let i = 0; i < crew.size; i += 1) crew.signal(i, 'SIGCONT');
    },
    counts: () =>
      [...[...counts].sort(([a], [b]) => a.localeCompare(b)).map(([name, n]) => `${name} ${n}`)].join(', ') +
      (disk === undefined ? '; full disks not tried: this account may not mount one' : ''),
  };
}
