// Pipelining on shared connections: quick batches follow each other without waiting for the reply before, each in its own transaction.
//
// A small batch costs the server and us twice as much when the server sleeps before it as when it finds it waiting. So
// where batches are known to be quick, a few connections pipeline them, each with its own queue, and the others stay free for whoever is not.
// What can go wrong with a queue is kept out of it: nothing is parsed in it, nobody in it is cancelled while others wait
// behind, nobody waits behind a batch that has already taken long, and nobody new is let in past those who wait. Batches
// that may wait for a lock have queues of their own, one statement each: whoever waits behind would meet the same lock.
//
// Where the server runs on this machine, quick batches use no more connections than keep its processors busy. Who finds these full
// waits in line, though there are idle ones.

import type { Batch, Sharing } from '../driver.ts';
import type { Connected } from '../session/connected.ts';
import type { Outcome } from '../session/connection.ts';
import type { Pool } from '../session/pool.ts';
import { PipelineQueues, type Waiting } from './pipeline-queues.ts';
import type { Processors } from './processors.ts';
import { ServiceTimes } from './service-times.ts';

/** So many batches under way on one connection. */
const QUEUE_LENGTH = 16;
/** And no more than the server does in this time: nobody stands long behind others. */
const QUEUE_MS = 4;
/** How many batches one process sends, about: more connections than that keeps busy would only be woken more often. */
const BATCHES_PER_MS = 4;
const FEWEST = 1;
/** Nobody is put behind a batch that has not been answered for so long. */
const STUCK_MS = 5;

/** What became of a batch; `isFree`: it was the last of its queue, and the connection is to be given back. */
export type OnExecuted = (outcome: Outcome, isFree: boolean) => void;

class Pipeline {
  readonly connected: Connected;
  /** The one statement that is executed here; undefined: any that only reads. */
  readonly only: string | undefined;
  underway = 0;
  /** Since when the batch in front has been alone with the server. */
  frontSince = 0;
  isClosed = false;

  constructor(connected: Connected, only: string | undefined) {
    this.connected = connected;
    this.only = only;
  }
}

export class Pipelines {
  readonly #pool: Pool;
  readonly #pipelines = new Map<Connected, Pipeline>();
  readonly #times = new ServiceTimes();
  readonly #lines: PipelineQueues;
  readonly #processors: Processors;
  readonly #now: () => number;

  constructor(pool: Pool, now: () => number, processors: Processors) {
    this.#pool = pool;
    this.#now = now;
    this.#processors = processors;
    this.#lines = new PipelineQueues(now);
  }

  /** The connection this batch had best follow others on; 'line': none yet, but soon; undefined: one of its own. */
  find(batch: Batch, sharing: Sharing): Connected | 'line' | undefined {
    if (this.#pipelines.size === 0 || this.#pool.hasWaiters) return undefined;
    const ms = this.#quick(batch);
    if (ms === undefined) return undefined;
    const only = onlyOf(batch, sharing);
    if (this.#lines.has(only)) return 'line';
    const now = this.#now();
    const most = this.#most(now);
    const kin = this.#kin(only, most, now);
    let best: Pipeline | undefined;
    let least = queueLength(ms);
    for (const pipeline of kin) {
      if (pipeline.underway < least && this.#isOpen(pipeline, batch, now)) {
        best = pipeline;
        least = pipeline.underway;
      }
    }
    if (kin.length >= most) this.#processors.meetLimit();
    else if (this.#pool.hasIdle && kin.length < FEWEST + Math.ceil(ms * BATCHES_PER_MS)) return undefined;
    if (best !== undefined) return best.connected;
    // All full: there is soon room on one of them. Or it is not prepared on any, and room would not help.
    return kin.length >= most && kin.some((pipeline) => this.#isOpen(pipeline, batch, now)) ? 'line' : undefined;
  }

  /** How many stand in line. */
  get waiting(): number {
    return this.#lines.size;
  }

  /** Puts a batch for which `find` said so in line; the way out of it before its turn. */
  wait(waiting: Waiting): () => void {
    const kind = onlyOf(waiting.batch, waiting.sharing);
    this.#lines.add(kind, waiting);
    return () => this.#lines.remove(kind, waiting);
  }

  /** Whether a batch that waits may be let into this connection. */
  mayJoin(connected: Connected, batch: Batch, sharing: Sharing): boolean {
    const pipeline = this.#pipelines.get(connected);
    const ms = this.#quick(batch);
    return (
      pipeline !== undefined &&
      ms !== undefined &&
      pipeline.underway < queueLength(ms) &&
      pipeline.only === onlyOf(batch, sharing) &&
      this.#isOpen(pipeline, batch, this.#now())
    );
  }

  /** Sends the batch on a connection that is the caller's, or that it was let into. */
  execute(connected: Connected, batch: Batch, sharing: Sharing, onExecuted: OnExecuted): void {
    let pipeline = this.#pipelines.get(connected);
    if (pipeline === undefined) {
      pipeline = new Pipeline(connected, onlyOf(batch, sharing));
      this.#pipelines.set(connected, pipeline);
    }
    if (pipeline.underway === 0) pipeline.frontSince = this.#now();
    const joined = pipeline;
    joined.underway++;
    try {
      connected.connection.follow(batch, (outcome) => this.#executed(joined, batch, outcome, onExecuted));
    } catch (error) {
      this.#leave(joined);
      throw error;
    }
  }

  /** Closes the queue behind its only batch, for whom a cancel can then hit nobody else. False: there are others. */
  closeBehind(connected: Connected): boolean {
    const pipeline = this.#pipelines.get(connected);
    if (pipeline === undefined || pipeline.underway !== 1) return false;
    pipeline.isClosed = true;
    return true;
  }

  #executed(pipeline: Pipeline, batch: Batch, outcome: Outcome, onExecuted: OnExecuted): void {
    const now = this.#now();
    const name = kindOf(batch);
    if (name !== undefined && outcome.kind === 'reply') {
      const crowding = pipeline.connected.isHere === true ? this.#processors.crowding(this.#pool.busy) : 1;
      this.#times.note(name, (now - pipeline.frontSince) / crowding);
    }
    pipeline.frontSince = now;
    const isFree = this.#leave(pipeline);
    onExecuted(outcome, isFree);
    if (!isFree) while (this.#pool.letJoin(pipeline.connected));
    // Who stands in line has a place on this one only while there are not enough others.
    else if (this.#lines.has(pipeline.only) && !this.#areEnough(pipeline.only, now))
      this.#next(pipeline)?.go(undefined);
    while (this.#letIn(pipeline.connected));
  }

  #areEnough(only: string | undefined, now: number): boolean {
    const most = this.#most(now);
    return this.#kin(only, most, now).length >= most;
  }

  /** Lets whoever is first in line follow on this connection; who cannot, such as one whose statement is not prepared here, looks elsewhere. */
  #letIn(connected: Connected): boolean {
    const pipeline = this.#pipelines.get(connected);
    const first = pipeline === undefined ? undefined : this.#lines.first(pipeline.only);
    if (pipeline === undefined || first === undefined || this.#pool.hasWaiters) return false;
    const ms = this.#quick(first.batch);
    if (ms !== undefined && pipeline.underway >= queueLength(ms)) return false;
    const now = this.#now();
    // There were more before: the youngest come to an end.
    if (!this.#kin(pipeline.only, this.#most(now), now).includes(pipeline)) return false;
    this.#next(pipeline)?.go(this.mayJoin(connected, first.batch, first.sharing) ? connected : undefined);
    return true;
  }

  #next(pipeline: Pipeline): Waiting | undefined {
    const first = this.#lines.first(pipeline.only);
    if (first !== undefined) this.#lines.remove(pipeline.only, first);
    return first;
  }

  /** The queues for such batches, oldest first and at most so many; without those where somebody is slow. */
  #kin(only: string | undefined, most: number, now: number): Pipeline[] {
    const kin: Pipeline[] = [];
    for (const pipeline of this.#pipelines.values()) {
      if (kin.length >= most) break;
      if (pipeline.only === only && !pipeline.isClosed && now - pipeline.frontSince < STUCK_MS) kin.push(pipeline);
    }
    return kin;
  }

  #most(now: number): number {
    const [first] = this.#pipelines.keys();
    return first?.isHere === true ? this.#processors.most(now) : Number.POSITIVE_INFINITY;
  }

  /** True: nobody is left in it. */
  #leave(pipeline: Pipeline): boolean {
    pipeline.underway--;
    if (pipeline.underway === 0) this.#pipelines.delete(pipeline.connected);
    return pipeline.underway === 0;
  }

  #isOpen(pipeline: Pipeline, batch: Batch, now: number): boolean {
    const { connected } = pipeline;
    return (
      !pipeline.isClosed &&
      now - pipeline.frontSince < STUCK_MS &&
      connected.connection.isOpen &&
      !this.#pool.isDue(connected) &&
      batch.every(({ name, text }) => name !== undefined && connected.connection.prepared.has(name, text))
    );
  }

  #quick(batch: Batch): number | undefined {
    const name = kindOf(batch);
    return name === undefined ? undefined : this.#times.quick(name);
  }
}

function queueLength(ms: number): number {
  return Math.min(QUEUE_LENGTH, Math.ceil(QUEUE_MS / ms));
}

function onlyOf(batch: Batch, sharing: Sharing): string | undefined {
  return sharing === 'same-statement' ? kindOf(batch) : undefined;
}

/**
 * What tells batches apart: the statement whose rows are read as they come, or else the names of all whose result counts (a batch has
 * several). What only sets something is the same for all. Undefined: one of them has no name.
 */
function kindOf(batch: Batch): string | undefined {
  const last = batch.at(-1);
  if (last === undefined) throw new Error('a batch has no statements');
  if (batch.length <= 2) return last.name;
  const read = batch.findLast(({ into }) => into !== undefined);
  if (read !== undefined) return read.name;
  let names = '';
  for (const { name, ignoreRows } of batch) {
    if (name === undefined) return undefined;
    if (ignoreRows !== true) names += `${name} `;
  }
  return names;
}
