// A heartbeat: every copy of the program says in the database that it is there, so that all of them can be listed, and a silent one is noticed.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { CallerDb } from '../../auth/caller-db.ts';

export type Heartbeat = {
  /** Told at once: it takes no new requests. */
  stopping(): Promise<void>;
  /** Takes its leave. */
  end(): Promise<void>;
};

export type HeartbeatOptions = {
  readonly db: CallerDb;
  readonly version: string;
  readonly services: 'all' | 'portal' | 'worker';
  readonly everyMs?: number;
};

const EVERY_MS = 10_000;

/** A beat that fails is made up for by the next. */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { db, version, services, everyMs = EVERY_MS } = options;
  const id = randomUUID();
  let isStopping = false;
  const beat = async (): Promise<void> => {
    await db.service([
      {
        name: 'portal_beat',
        text: 'select portal.beat($1::uuid, $2, $3::integer, $4, $5, $6::boolean)',
        params: [id, hostname(), String(process.pid), version, services, String(isStopping)],
      },
    ]);
  };
  await beat();
  const timer = setInterval(() => void beat(), everyMs);
  timer.unref();
  return {
    async stopping() {
      isStopping = true;
      await beat();
    },
    async end() {
      clearInterval(timer);
      await db.service([{ text: 'select portal.leave($1::uuid)', params: [id] }]);
    },
  };
}
