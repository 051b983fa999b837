// How many notifications are unread, for the head of every page: asked when a page is opened, every minute while the tab is looked at, and
// whenever something here was read.

import { useEffect, useState } from 'react';
import { get } from '../../api/client.ts';

const EVERY_MS = 60_000;
const listeners = new Set<() => void>();

/** After notifications were marked. */
export function askUnreadAgain(): void {
  for (const listener of listeners) listener();
}

/** `n` counts pages; undefined user: nobody is signed in. Undefined: not known. */
export function useUnread(user: number | undefined, n: number): number | undefined {
  const [unread, setUnread] = useState<number>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page asks again.
  useEffect(() => {
    if (user === undefined) return;
    const gone = new AbortController();
    const ask = (): void => {
      if (document.visibilityState === 'hidden') return;
      get('/api/v2/notifications/unread/', gone.signal).then(
        (reply) => {
          if (reply.ok) setUnread(reply.value.unread);
        },
        () => undefined,
      );
    };
    ask();
    listeners.add(ask);
    const timer = window.setInterval(ask, EVERY_MS);
    document.addEventListener('visibilitychange', ask);
    return () => {
      gone.abort();
      listeners.delete(ask);
      window.clearInterval(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [user, n]);
  return user === undefined ? undefined : unread;
}
