// What of the state of the program needs a person, in sentences that name the remedy. Pure; for `survest status` and `survest doctor`.

import type { CopyStatus, OperationStatus } from './operation-status.ts';

/** A job that nobody has begun for so long waits for a worker that is not there. */
const LONG_WAIT_SECONDS = 600;
const LONG_LAG_SECONDS = 60;

/** Begun on the same machine since the other was heard of last: a killed copy was started again. */
function replaces(other: CopyStatus, silent: CopyStatus): boolean {
  return (
    other.host === silent.host &&
    other.services === silent.services &&
    Date.parse(other.started) > Date.parse(silent.started)
  );
}

export function concerns(status: OperationStatus): readonly string[] {
  const { copies, queues, mode, database } = status;
  const alive = copies.filter(({ state }) => state !== 'silent');
  const versions = new Set(alive.map(({ version }) => version));
  return [
    ...copies
      .filter((copy) => copy.state === 'silent' && !alive.some((other) => replaces(other, copy)))
      .map(
        ({ host, pid, silent_seconds: seconds }) =>
          `The copy on ${host} (pid ${pid}) has not been heard of for ${seconds} s: it was killed, hangs, or cannot reach the database. Its jobs are taken over by others; it leaves this list after a day.`,
      ),
    ...(versions.size > 1
      ? [
          `Copies run different versions (${[...versions].sort().join(', ')}): finish the upgrade by restarting the older ones.`,
        ]
      : []),
    ...(mode.mode === 'normal'
      ? queues
          .filter(({ waiting, waiting_seconds: seconds }) => waiting > 0 && seconds > LONG_WAIT_SECONDS)
          .map(
            ({ queue, waiting, waiting_seconds: seconds }) =>
              `${waiting} jobs of the queue ${queue} wait, the oldest for ${seconds} s: no worker is free. Start survest worker, or raise import-workers.`,
          )
      : []),
    ...(alive.length > 0 && alive.every(({ services }) => services === 'portal')
      ? ['No copy works on jobs: imports and thumbnails wait. Start survest worker.']
      : []),
    ...database.replicas
      .filter(({ lag_seconds: lag }) => lag !== null && lag > LONG_LAG_SECONDS)
      .map(({ name, lag_seconds: lag }) => `The replica ${name} is ${lag} s behind: look at its load and its network.`),
  ];
}
