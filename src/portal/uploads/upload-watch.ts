// Who waits for news of uploads in this process: one line to the database for all of them.

import type { Driver } from '../../pg/driver.ts';

export type UploadWatch = {
  /** Calls back whenever something happened to that upload; returns how to stop. `onEnd`: there will be no news any more. */
  follow(id: number, onNews: () => void, onEnd?: () => void): () => void;
  close(): Promise<void>;
};

type Follower = { readonly onNews: () => void; readonly onEnd: () => void };

const CHANNEL = 'survest_uploads';

export function watchUploads(driver: Driver): UploadWatch {
  const followers = new Map<number, Set<Follower>>();
  let closed: Promise<void> | undefined;
  const listener = driver.listen(CHANNEL, (event) => {
    if (event.kind === 'notification') {
      for (const { onNews } of followers.get(Number(event.notification.payload)) ?? []) onNews();
    } else if (event.kind === 'listening') {
      // Nobody knows what was said before.
      for (const some of followers.values()) for (const { onNews } of some) onNews();
    }
  });
  return {
    follow(id, onNews, onEnd = () => {}) {
      const follower: Follower = { onNews, onEnd };
      const some = followers.get(id) ?? new Set();
      followers.set(id, some);
      some.add(follower);
      if (closed !== undefined) onEnd();
      return () => {
        some.delete(follower);
        if (some.size === 0) followers.delete(id);
      };
    },
    close() {
      closed ??= listener.close();
      for (const some of [...followers.values()]) for (const { onEnd } of [...some]) onEnd();
      return closed;
    },
  };
}
