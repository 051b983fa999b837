// How the program ends, for scripts and supervisors. The documentation page and the help are made from these words.

export const EXIT = { done: 0, failed: 1 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_CODES: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [EXIT.done, 'done; a server that was told to stop (SIGTERM, SIGINT) and did; --ready: ready'],
  [
    EXIT.failed,
    'a mistake on the command line or in the settings (nothing was started), a failed command, a database that cannot be used; --ready: not ready',
  ],
];
