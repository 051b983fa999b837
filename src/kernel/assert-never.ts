// Closes a switch over a union: a kind added later then shows every place that has to learn it.

export function assertNever(value: never): never {
  throw new Error(`unexpected kind: ${JSON.stringify(value)}`);
}
