// Replication lag without anybody's clock but ours: where the primary was when. A replica is as far behind as it is long since the primary
// first was beyond what the replica has replayed; one that has replayed all is not behind, however long nothing was written.

type Sample = { readonly at: number; readonly lsn: bigint };

/** Ten minutes of positions that differ, where it is looked four times a second. */
const MAX = 2400;

export class PrimaryPositions {
  readonly #samples: Sample[] = [];

  /** The last position known; undefined: the primary was never asked. */
  get last(): bigint | undefined {
    return this.#samples.at(-1)?.lsn;
  }

  note(lsn: bigint, at: number): void {
    const { last } = this;
    if (last !== undefined && lsn === last) return;
    // Another server has taken its place, or it was restored: what was known is about a log that there is no more.
    if (last !== undefined && lsn < last) this.#samples.length = 0;
    this.#samples.push({ at, lsn });
    if (this.#samples.length > MAX) this.#samples.shift();
  }

  /** Milliseconds; undefined where the primary was never asked. */
  lagOf(replayed: bigint, now: number): number | undefined {
    if (this.#samples.length === 0) return undefined;
    let low = 0;
    let high = this.#samples.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#samples[middle]?.lsn ?? 0n) <= replayed) low = middle + 1;
      else high = middle;
    }
    const missed = this.#samples[low];
    return missed === undefined ? 0 : now - missed.at;
  }
}
