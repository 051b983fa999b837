// Pipelining on shared connections: quick flights follow each other without waiting for the reply before, each in its own transaction.
//
// A small flight costs the server and us twice as much when the server sleeps before it as when it finds it waiting. So
// where flights are known to be quick, a few connections pipeline them, each with its own queue, and the others stay free for whoever is not.
// What can go wrong with a queue is kept out of it: nothing is parsed in it, nobody in it is cancelled while others wait
// behind, nobody waits behind a flight that has already taken long, and nobody new is let in past those who wait. Flights
// that may wait for a lock have queues of their own, one statement each: whoever waits behind would meet the same lock.
//
// Where the server runs on this machine, quick flights use no more connections than keep its processors busy. Who finds these full
// waits in line, though there are idle ones.

import type { Flight, Sharing } from '../driver.ts';
import type { Connected } from '../session/connected.ts';
import type { Outcome } from '../session/connection.ts';
import type { Pool } from '../session/pool.ts';
import { LaneLines, type Waiting } from './lane-lines.ts';
import type { Processors } from './processors.ts';
import { ServiceTimes } from './service-times.ts';

/** So many flights under way on one connection. */
const QUEUE_LENGTH = 16;
/** And no more than the server does in this time: nobody stands long behind others. */
const QUEUE_MS = 4;
/** What one process flies, about: more connections than that keeps busy would only be woken more often. */
const FLIGHTS_PER_MS = 4;
const FEWEST = 1;
/** Nobody is put behind a flight that has not been answered for so long. */
const STUCK_MS = 5;

/** What became of a flight; `isFree`: it was the last of its queue, and the connection is to be given back. */
export type OnFlown = (outcome: Outcome, isFree: boolean) => void;

class Lane {
  readonly connected: Connected;
  /** The one statement that is flown here; undefined: any that only reads. */
  readonly only: string | undefined;
  underway = 0;
  /** Since when the flight in front has been alone with the server. */
  frontSince = 0;
  isClosed = false;

  constructor(connected: Connected, only: string | undefined) {
    this.connected = connected;
    this.only = only;
  }
}

export class Lanes {
  readonly #pool: Pool;
  readonly #lanes = new Map<Connected, Lane>();
  readonly #times = new ServiceTimes();
  readonly #lines: LaneLines;
  readonly #processors: Processors;
  readonly #now: () => number;

  constructor(pool: Pool, now: () => number, processors: Processors) {
    this.#pool = pool;
    this.#now = now;
    this.#processors = processors;
    this.#lines = new LaneLines(now);
  }

  /** The connection this flight had best follow others on; 'line': none yet, but soon; undefined: one of its own. */
  find(flight: Flight, sharing: Sharing): Connected | 'line' | undefined {
    if (this.#lanes.size === 0 || this.#pool.hasWaiters) return undefined;
    const ms = this.#quick(flight);
    if (ms === undefined) return undefined;
    const only = onlyOf(flight, sharing);
    if (this.#lines.has(only)) return 'line';
    const now = this.#now();
    const most = this.#most(now);
    const kin = this.#kin(only, most, now);
    let best: Lane | undefined;
    let least = queueLength(ms);
    for (const lane of kin) {
      if (lane.underway < least && this.#isOpen(lane, flight, now)) {
        best = lane;
        least = lane.underway;
      }
    }
    if (kin.length >= most) this.#processors.meetLimit();
    else if (this.#pool.hasIdle && kin.length < FEWEST + Math.ceil(ms * FLIGHTS_PER_MS)) return undefined;
    if (best !== undefined) return best.connected;
    // All full: there is soon room on one of them. Or it is not prepared on any, and room would not help.
    return kin.length >= most && kin.some((lane) => this.#isOpen(lane, flight, now)) ? 'line' : undefined;
  }

  /** How many stand in line. */
  get waiting(): number {
    return this.#lines.size;
  }

  /** Puts a flight for which `find` said so in line; the way out of it before its turn. */
  wait(waiting: Waiting): () => void {
    const kind = onlyOf(waiting.flight, waiting.sharing);
    this.#lines.add(kind, waiting);
    return () => this.#lines.remove(kind, waiting);
  }

  /** Whether a flight that waits may be let into this connection. */
  mayJoin(connected: Connected, flight: Flight, sharing: Sharing): boolean {
    const lane = this.#lanes.get(connected);
    const ms = this.#quick(flight);
    return (
      lane !== undefined &&
      ms !== undefined &&
      lane.underway < queueLength(ms) &&
      lane.only === onlyOf(flight, sharing) &&
      this.#isOpen(lane, flight, this.#now())
    );
  }

  /** Sends the flight on a connection that is the caller's, or that it was let into. */
  fly(connected: Connected, flight: Flight, sharing: Sharing, onFlown: OnFlown): void {
    let lane = this.#lanes.get(connected);
    if (lane === undefined) {
      lane = new Lane(connected, onlyOf(flight, sharing));
      this.#lanes.set(connected, lane);
    }
    if (lane.underway === 0) lane.frontSince = this.#now();
    const joined = lane;
    joined.underway++;
    try {
      connected.connection.follow(flight, (outcome) => this.#flown(joined, flight, outcome, onFlown));
    } catch (error) {
      this.#leave(joined);
      throw error;
    }
  }

  /** Closes the queue behind its only flight, for whom a cancel can then hit nobody else. False: there are others. */
  closeBehind(connected: Connected): boolean {
    const lane = this.#lanes.get(connected);
    if (lane === undefined || lane.underway !== 1) return false;
    lane.isClosed = true;
    return true;
  }

  #flown(lane: Lane, flight: Flight, outcome: Outcome, onFlown: OnFlown): void {
    const now = this.#now();
    const name = kindOf(flight);
    if (name !== undefined && outcome.kind === 'reply') {
      const crowding = lane.connected.isHere === true ? this.#processors.crowding(this.#pool.busy) : 1;
      this.#times.note(name, (now - lane.frontSince) / crowding);
    }
    lane.frontSince = now;
    const isFree = this.#leave(lane);
    onFlown(outcome, isFree);
    if (!isFree) while (this.#pool.letJoin(lane.connected));
    // Who stands in line has a place on this one only while there are not enough others.
    else if (this.#lines.has(lane.only) && !this.#areEnough(lane.only, now)) this.#next(lane)?.go(undefined);
    while (this.#letIn(lane.connected));
  }

  #areEnough(only: string | undefined, now: number): boolean {
    const most = this.#most(now);
    return this.#kin(only, most, now).length >= most;
  }

  /** Lets whoever is first in line follow on this connection; who cannot, such as one whose statement is not prepared here, looks elsewhere. */
  #letIn(connected: Connected): boolean {
    const lane = this.#lanes.get(connected);
    const first = lane === undefined ? undefined : this.#lines.first(lane.only);
    if (lane === undefined || first === undefined || this.#pool.hasWaiters) return false;
    const ms = this.#quick(first.flight);
    if (ms !== undefined && lane.underway >= queueLength(ms)) return false;
    const now = this.#now();
    // There were more before: the youngest come to an end.
    if (!this.#kin(lane.only, this.#most(now), now).includes(lane)) return false;
    this.#next(lane)?.go(this.mayJoin(connected, first.flight, first.sharing) ? connected : undefined);
    return true;
  }

  #next(lane: Lane): Waiting | undefined {
    const first = this.#lines.first(lane.only);
    if (first !== undefined) this.#lines.remove(lane.only, first);
    return first;
  }

  /** The queues for such flights, oldest first and at most so many; without those where somebody is slow. */
  #kin(only: string | undefined, most: number, now: number): Lane[] {
    const kin: Lane[] = [];
    for (const lane of this.#lanes.values()) {
      if (kin.length >= most) break;
      if (lane.only === only && !lane.isClosed && now - lane.frontSince < STUCK_MS) kin.push(lane);
    }
    return kin;
  }

  #most(now: number): number {
    const [first] = this.#lanes.keys();
    return first?.isHere === true ? this.#processors.most(now) : Number.POSITIVE_INFINITY;
  }

  /** True: nobody is left in it. */
  #leave(lane: Lane): boolean {
    lane.underway--;
    if (lane.underway === 0) this.#lanes.delete(lane.connected);
    return lane.underway === 0;
  }

  #isOpen(lane: Lane, flight: Flight, now: number): boolean {
    const { connected } = lane;
    return (
      !lane.isClosed &&
      now - lane.frontSince < STUCK_MS &&
      connected.connection.isOpen &&
      !this.#pool.isDue(connected) &&
      flight.every(({ name, text }) => name !== undefined && connected.connection.prepared.has(name, text))
    );
  }

  #quick(flight: Flight): number | undefined {
    const name = kindOf(flight);
    return name === undefined ? undefined : this.#times.quick(name);
  }
}

function queueLength(ms: number): number {
  return Math.min(QUEUE_LENGTH, Math.ceil(QUEUE_MS / ms));
}

function onlyOf(flight: Flight, sharing: Sharing): string | undefined {
  return sharing === 'alike' ? kindOf(flight) : undefined;
}

/**
 * What tells flights apart: the statement whose rows are read as they come, or else the names of all whose result counts (a batch has
 * several). What only sets something is the same for all. Undefined: one of them has no name.
 */
function kindOf(flight: Flight): string | undefined {
  const last = flight.at(-1);
  if (last === undefined) throw new Error('a flight has no statements');
  if (flight.length <= 2) return last.name;
  const read = flight.findLast(({ into }) => into !== undefined);
  if (read !== undefined) return read.name;
  let names = '';
  for (const { name, ignoreRows } of flight) {
    if (name === undefined) return undefined;
    if (ignoreRows !== true) names += `${name} `;
  }
  return names;
}
