// How many shared connections to a server on this machine are worth having: as many as keep its processors busy. More would only take turns on them, and
// each turn costs both sides; fewer leave processors idle where statements wait for a disk.
//
// /proc/stat tells what the processors did, for whomever. Where there is none, there is no limit; in a container that gets less than it sees there, they look
// idle, and the limit rises until it is none.

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const LOOK_MS = 500;
/** Less than this idle: more connections would take turns. */
const BUSY = 0.15;
/** More than this idle: more connections would have something to run on. */
const IDLE = 0.35;

type Times = { readonly idle: number; readonly all: number };

export class Processors {
  readonly #readStat: () => string;
  readonly #fewest: number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #before: Times | undefined;
  #most = Number.POSITIVE_INFINITY;
  #areSpare = true;
  #wasMet = false;

  constructor(readStat: () => string = procStat, count: number = availableParallelism()) {
    this.#readStat = readStat;
    this.#fewest = Math.max(2, count);
  }

  /** How many connections to use at most. */
  most(now: number): number {
    if (now - this.#lookedAt >= LOOK_MS) this.#look(now);
    return this.#most;
  }

  /** Somebody wanted more connections than `most`. */
  meetLimit(): void {
    this.#wasMet = true;
  }

  /** How many of so many busy connections take turns on a processor: what they do takes so much longer than it would alone. */
  crowding(connections: number): number {
    return this.#areSpare ? 1 : Math.max(1, connections / this.#fewest);
  }

  #look(now: number): void {
    this.#lookedAt = now;
    const before = this.#before;
    const times = readTimes(this.#readStat());
    this.#before = times;
    if (times === undefined) {
      this.#most = Number.POSITIVE_INFINITY;
      this.#areSpare = true;
    } else if (before === undefined || times.all <= before.all) {
      this.#most = this.#fewest;
    } else {
      const idle = (times.idle - before.idle) / (times.all - before.all);
      this.#areSpare = idle > IDLE;
      if (idle < BUSY) this.#most = Math.max(this.#fewest, Math.floor(this.#most / 2));
      else if (this.#areSpare && this.#wasMet) this.#most = Math.ceil(this.#most * 1.5);
    }
    this.#wasMet = false;
  }
}

/** The first line of /proc/stat: cpu user nice system idle iowait irq softirq steal … Undefined: it is not that. */
function readTimes(stat: string): Times | undefined {
  const [name, ...numbers] = stat.slice(0, Math.max(0, stat.indexOf('\n'))).split(/ +/);
  const times = numbers.slice(0, 8).map(Number);
  const [, , , idle, iowait] = times;
  if (name !== 'cpu' || idle === undefined || iowait === undefined || !times.every(Number.isFinite)) return undefined;
  return { idle: idle + iowait, all: times.reduce((sum, one) => sum + one, 0) };
}

function procStat(): string {
  try {
    return readFileSync('/proc/stat', 'utf8');
  } catch {
    return '';
  }
}
