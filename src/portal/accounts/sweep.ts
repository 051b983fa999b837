// Sessions and tokens that have run out are refused by themselves; now and then their rows are taken away, and notifications of long ago.

import type { CallerDb } from '../../auth/caller-db.ts';

const EVERY_MS = 3600_000;

/** Returns how to stop. A sweep that fails is made up for by the next. */
export function startSweeping(db: CallerDb): () => void {
  const sweep = (): void => {
    void db.service([{ text: 'select portal.sweep_expired()', params: [] }]);
    void db.service([{ text: 'select portal.sweep_notifications()', params: [] }]);
    void db.service([{ text: 'select portal.sweep_sent_files()', params: [] }]);
  };
  const timer = setInterval(sweep, EVERY_MS);
  timer.unref();
  sweep();
  return () => clearInterval(timer);
}
