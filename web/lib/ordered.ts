// A list whose order people change. Pure.

export function replacedAt<T>(list: readonly T[], at: number, one: T): readonly T[] {
  return list.map((was, i) => (i === at ? one : was));
}

/** One place up or down; at an end it stays. */
export function stepped<T>(list: readonly T[], at: number, by: -1 | 1): readonly T[] {
  const one = list[at];
  const other = list[at + by];
  if (one === undefined || other === undefined) return list;
  return list.map((was, i) => (i === at ? other : i === at + by ? one : was));
}
