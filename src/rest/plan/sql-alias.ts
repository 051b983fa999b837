// A name for a joined set of rows. PostgreSQL cuts names at 63 bytes, so the base is cut first: the suffix, which makes
// the name different from its neighbours', must survive.

const MAX_BYTES = 63;

export function sqlAlias(base: string, suffix: string): string {
  const room = MAX_BYTES - Buffer.byteLength(suffix);
  if (Buffer.byteLength(base) <= room) return base + suffix;
  let cut = base;
  while (Buffer.byteLength(cut) > room) cut = [...cut].slice(0, -1).join('');
  return cut + suffix;
}
