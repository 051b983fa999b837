// Who waits for news of uploads in this process: one line to the database for all of them.

import type { Driver } from '../../pg/driver.ts';

export type UploadWatch = {
  /** Calls back whenever something happened to that upload; returns how to stop. */
  follow(id: number, onNews: () => void): () => void;
  close(): Promise<void>;
};

const CHANNEL = 'survest_uploads';

export function watchUploads(driver: Driver): UploadWatch {
  const followers = new Map<number, Set<() => void>>();
  const listener = driver.listen(CHANNEL, (event) => {
    if (event.kind === 'notification') {
      for (const onNews of followers.get(Number(event.notification.payload)) ?? []) onNews();
    } else if (event.kind === 'listening') {
      // Nobody knows what was said before.
      for (const some of followers.values()) for (const onNews of some) onNews();
    }
  });
  return {
    follow(id, onNews) {
      const some = followers.get(id) ?? new Set();
      followers.set(id, some);
      some.add(onNews);
      return () => {
        some.delete(onNews);
        if (some.size === 0) followers.delete(id);
      };
    },
    close: () => listener.close(),
  };
}
