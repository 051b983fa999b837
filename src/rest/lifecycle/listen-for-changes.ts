// Hears of changes of the schema: by LISTEN, and by polling where notifications do not arrive. Behind a transaction pooler LISTEN
// succeeds and nothing ever comes, so a listener proves itself: it sends a word on its own channel, and what does not hear it
// looks every few seconds whether the catalogue is still the same. On a standby, where LISTEN is refused, it does so too.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Driver, ListenEvent, Listener } from '../../pg/driver.ts';
import { arrayLiteral } from '../schema-cache/array-literal.ts';

export type ChangeEvent =
  | ListenEvent
  /** Notifications do not arrive; from now on the catalogue is looked at. Told once. */
  | { readonly kind: 'deaf' };

type HearPace = {
  /** How long the own word may take. */
  readonly proofMs: number;
  readonly pollMs: number;
};

const PACE: HearPace = { proofMs: 5000, pollMs: 2000 };

/** Looking takes 40 ms where there are 100,000 columns; at most one part in so many of the time is spent on it. */
const SHARE = 20;

const FINGERPRINT = readFileSync(new URL('./sql/fingerprint.sql', import.meta.url), 'utf8');

export type HearOptions = {
  readonly driver: Pick<Driver, 'execute' | 'listen'>;
  readonly channel: string;
  /** The exposed ones, asked each time. */
  readonly schemas: () => readonly string[];
  readonly pace?: HearPace;
};

/** A change that was seen by looking is told as a notification that asks for a reload. */
export function listenForChanges(
  { driver, channel, schemas, pace = PACE }: HearOptions,
  onEvent: (event: ChangeEvent) => void,
): Listener {
  let closed = false;
  let hasTold = false;
  let word: string | undefined;
  let proof: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;
  let isPolling = false;
  let seen: string | undefined;

  async function prove(): Promise<void> {
    clearTimeout(proof);
    word = `survest ${randomUUID()}`;
    const sent = await driver.execute([{ text: 'select pg_catalog.pg_notify($1, $2)', params: [channel, word] }]);
    // Whoever cannot send a word learns nothing by waiting for it.
    if (!sent.ok || closed || word === undefined) return;
    proof = setTimeout(() => {
      if (!hasTold) onEvent({ kind: 'deaf' });
      hasTold = true;
      startPolling(0);
    }, pace.proofMs);
  }

  function proven(): void {
    word = undefined;
    clearTimeout(proof);
    clearTimeout(poll);
    isPolling = false;
    seen = undefined;
  }

  function startPolling(afterMs: number): void {
    if (isPolling || closed) return;
    isPolling = true;
    poll = setTimeout(() => void look(), afterMs);
  }

  async function look(): Promise<void> {
    const began = performance.now();
    const now = await askFingerprint(driver, schemas());
    if (!isPolling || closed) return;
    if (now !== undefined) {
      // The first time nobody knows what has changed since the schema was loaded.
      if (now !== seen) onEvent({ kind: 'notification', notification: { channel, payload: 'reload schema' } });
      seen = now;
    }
    const pause = Math.max(pace.pollMs, SHARE * (performance.now() - began));
    poll = setTimeout(() => void look(), pause);
  }

  const listener = driver.listen(channel, (event) => {
    switch (event.kind) {
      case 'listening':
        onEvent(event);
        void prove();
        break;
      case 'lost':
        clearTimeout(proof);
        onEvent(event);
        // Most are back before that.
        startPolling(pace.pollMs);
        break;
      case 'notification':
        if (event.notification.payload === word) proven();
        else if (!event.notification.payload.startsWith('survest ')) onEvent(event);
        break;
    }
  });
  return {
    close: async () => {
      closed = true;
      clearTimeout(proof);
      clearTimeout(poll);
      await listener.close();
    },
  };
}

/** Undefined: the database cannot be asked just now. */
export async function askFingerprint(
  driver: Pick<Driver, 'execute'>,
  schemas: readonly string[],
): Promise<string | undefined> {
  const asked = await driver.execute([{ text: FINGERPRINT, params: [arrayLiteral(schemas)] }]);
  return asked.ok ? asked.value[0]?.rows[0]?.[0]?.toString() : undefined;
}
