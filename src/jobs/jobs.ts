// The contract of the queue: work that goes on after the answer, kept in the database, taken by whichever copy of the
// program is free. A job may be run more than once (a worker died, the connection was lost before the end was noted), so a
// handler looks first at what is already done.

import type { Session } from '../pg/driver.ts';

/** What a job is told: plain JSON, and no secrets, for it stays in the database. */
export type JobData = { readonly [name: string]: string | number | boolean | null };

export type Job = {
  readonly id: string;
  readonly data: JobData;
  /** Fires when the program stops: leave the work where another worker can take it up, and throw. */
  readonly signal: AbortSignal;
};

/** Throws when the work has to be tried again; what cannot succeed is noted elsewhere, and the job is done. */
export type JobHandler = (job: Job) => Promise<void>;

export type QueueOptions = {
  /** Jobs of this queue that one copy of the program works on at once. */
  readonly workers: number;
  /** So many of the workers take quick jobs alone, which overtake the others by that; those that are left take jobs by their age. */
  readonly quickWorkers?: number;
  /** How often a job is tried again after its first failure. */
  readonly retryLimit: number;
  readonly retryDelaySeconds: number;
  /** Each time about twice as long, up to a minute. */
  readonly retryBackoff?: boolean;
  /** A job that takes longer belongs to a worker that died, and is tried again. */
  readonly expireInSeconds: number;
};

export type SendOptions = {
  /** In the transaction of this session: the job is there when, and only when, that is committed. */
  readonly within?: Session;
  /** It takes a moment. Without workers of their own quick jobs are taken before the others. */
  readonly isQuick?: boolean;
  /** At most one job of the queue in each span of so many seconds, whoever sends it. */
  readonly oncePerSeconds?: number;
};

export type Jobs = {
  /** Begins to work on a queue. */
  work(queue: string, options: QueueOptions, handler: JobHandler): Promise<void>;
  /** A queue others work on; `work` does it by itself. */
  ensureQueue(queue: string, options: Omit<QueueOptions, 'workers'>): Promise<void>;
  /** Undefined: there is one already (`oncePerSeconds`). */
  send(queue: string, data: JobData, options?: SendOptions): Promise<string | undefined>;
  /** Sends an empty job now and every so often; of all copies of the program together only one does. */
  every(queue: string, seconds: number): void;
  /**
   * Gives back the jobs with such data whose worker died, to be tried again; one that has been tried too often stays failed.
   * Returns how many are to be tried again, or waited to be tried anyway.
   */
  giveBack(queue: string, data: JobData): Promise<number>;
  /** Aborts what is running and waits for it. */
  stop(deadlineMs?: number): Promise<void>;
};
