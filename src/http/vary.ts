// `Vary`: the request headers an answer depends on, so that no cache gives one caller's answer to another.

/** Who asks is told by these. */
export const BY_CALLER = 'Authorization, Cookie';

/** Answers to these a cache may keep. */
export function isCacheable(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'QUERY';
}

/** `present` and those names of `added` that it does not have. */
export function addVary(present: string | undefined, added: string): string {
  if (present === undefined || present.trim() === '') return added;
  const known = new Set(names(present).map((name) => name.toLowerCase()));
  if (known.has('*')) return present;
  const missing = names(added).filter((name) => !known.has(name.toLowerCase()));
  return [present, ...missing].join(', ');
}

function names(list: string): readonly string[] {
  return list.split(',').map((name) => name.trim());
}
