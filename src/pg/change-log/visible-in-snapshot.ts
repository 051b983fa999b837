// A snapshot, as PostgreSQL writes it (`xmin:xmax:running,…`) → whether it sees what a transaction did, and whether all up to a
// number have ended.

export type Snapshot = { readonly xmin: bigint; readonly xmax: bigint; readonly running: ReadonlySet<bigint> };

/** Undefined: it is none. */
export function parseSnapshot(text: string): Snapshot | undefined {
  const [xmin = '', xmax = '', running = ''] = text.split(':', 3);
  if (!/^\d{1,20}$/.test(xmin) || !/^\d{1,20}$/.test(xmax)) return undefined;
  const under = running === '' ? [] : running.split(',').filter((one) => /^\d{1,20}$/.test(one));
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), running: new Set(under.map(BigInt)) };
}

/** `xid` has 32 bits, as protocols tell it: of all that end so, the one that is next to the snapshot is meant. */
export function isVisible(xid: number, { xmax, running }: Snapshot): boolean {
  const distance = BigInt.asIntN(32, BigInt(xid) - xmax);
  if (distance >= 0n) return false;
  return !running.has(xmax + distance);
}

/** All transactions up to that number have ended. */
export function haveEnded(upTo: bigint, { xmin }: Snapshot): boolean {
  return xmin > upTo;
}
