// The private server that the program keeps in its data folder: what is ended here, the program has to start again.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localPlace } from '../../src/pg/local/local-place.ts';
import type { DatabaseServer } from './faults.ts';
import { commandOf, processes } from './processes.ts';

export function localServer(dataDir: string): DatabaseServer {
  const file = join(localPlace(dataDir).cluster, 'postmaster.pid');
  const signal = (name: NodeJS.Signals): boolean => {
    try {
      return process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), name);
    } catch {
      // It is about to be started.
      return false;
    }
  };
  return {
    signal: (name) => void signal(name),
    kill: async () => signal('SIGKILL'),
    async endBackends() {
      const postmaster = Number.parseInt(readFileSync(file, 'utf8'), 10);
      const backends = processes().filter(
        ({ pid, parent }) => parent === postmaster && commandOf(pid).includes('[local]') && Math.random() < 0.5,
      );
      for (const { pid } of backends) process.kill(pid, 'SIGTERM');
      return backends.length;
    },
  };
}
