// One slot of logical decoding for all workers that have streams which need it: begun with the first of them, ended with the last.

import { PUBLICATION } from '../../pg/change-log/install-change-log.ts';
import type { DecodeEvent, Driver, Listener } from '../../pg/driver.ts';

/** What is sent to a worker; `onSent` when it has left. */
export type SendEvent = (event: DecodeEvent, onSent: () => void) => void;

/** Messages on their way to one worker; beyond that it is told of a gap instead. */
const MAX_UNSENT = 1000;

type Follower = { unsent: number; hasMissed: boolean; readonly send: SendEvent };

export class SharedDecoding<Worker> {
  readonly #open: () => Pick<Driver, 'decode' | 'close'>;
  readonly #followers = new Map<Worker, Follower>();
  #current: { readonly driver: Pick<Driver, 'decode' | 'close'>; readonly listener: Listener | undefined } | undefined;
  /** What somebody who comes later has to know first. */
  #last: DecodeEvent | undefined;

  constructor(open: () => Pick<Driver, 'decode' | 'close'>) {
    this.#open = open;
  }

  add(worker: Worker, send: SendEvent): void {
    const follower = { unsent: 0, hasMissed: false, send };
    this.#followers.set(worker, follower);
    if (this.#current === undefined) {
      const driver = this.#open();
      this.#current = { driver, listener: driver.decode?.(PUBLICATION, (event) => this.#tellAll(event)) };
    } else if (this.#last !== undefined) this.#tell(follower, this.#last);
  }

  async remove(worker: Worker): Promise<void> {
    if (!this.#followers.delete(worker) || this.#followers.size > 0) return;
    await this.close();
  }

  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    this.#last = undefined;
    await current?.listener?.close();
    await current?.driver.close();
  }

  #tellAll(event: DecodeEvent): void {
    if (event.kind === 'following' || event.kind === 'lost') this.#last = event;
    for (const follower of this.#followers.values()) this.#tell(follower, event);
  }

  #tell(follower: Follower, event: DecodeEvent): void {
    if (follower.unsent >= MAX_UNSENT) {
      follower.hasMissed = true;
      return;
    }
    follower.unsent += 1;
    follower.send(event, () => {
      follower.unsent -= 1;
      if (follower.unsent > 0 || !follower.hasMissed) return;
      follower.hasMissed = false;
      // `following` is a gap for whoever hears it.
      if (this.#last !== undefined) this.#tell(follower, this.#last);
    });
  }
}
