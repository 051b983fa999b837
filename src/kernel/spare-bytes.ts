// Memory of bodies that were sent, kept for the next ones.
//
// V8 marks its whole heap anew whenever some 64 MB of memory outside of it were taken, whether they were given back or not. At a thousand answers of
// 66 kB a second that was a fifth of the processor time of this process (docs/performance.md).

/** Less is taken as it comes: it is cheap, and there is much of it. */
const LEAST = 8 * 1024;
/** More is seldom needed, and would be kept for nothing. */
const MAX = 1024 * 1024;
/** Kept in all. */
const MAX_KEPT = 4 * 1024 * 1024;

/** By their lengths, of which there are few. */
const spare = new Map<number, Buffer[]>();
let kept = 0;

/** At least so many bytes, with whatever stands in them. */
export function takeBytes(least: number): Buffer {
  if (least < LEAST || least > MAX) return Buffer.allocUnsafe(least);
  const length = steppedUp(least);
  const found = spare.get(length)?.pop();
  if (found === undefined) return Buffer.allocUnsafeSlow(length);
  kept -= length;
  return found;
}

/** Of `takeBytes`, whole, and once: from now on they are somebody else's. */
export function giveBytes(bytes: Buffer): void {
  const { length } = bytes;
  if (length < LEAST || length > MAX || kept + length > MAX_KEPT) return;
  const alike = spare.get(length);
  if (alike === undefined) spare.set(length, [bytes]);
  else alike.push(bytes);
  kept += length;
}

/** Four lengths between a power of two and the next: at most a quarter is too much. */
function steppedUp(length: number): number {
  const step = 1 << (29 - Math.clz32(length));
  return Math.ceil(length / step) * step;
}
