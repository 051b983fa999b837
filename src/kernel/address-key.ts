// The address of a client → the key under which its requests are counted and take turns. Pure.

/** Whoever has one IPv6 address has 2^64 of them: they count as one. */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return '';
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::', 2);
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  return [...front, ...(tail === undefined ? [] : zeros), ...back].slice(0, 4).join(':');
}
