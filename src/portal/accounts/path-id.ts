// An id in a path: a whole number as the database counts them; anything else addresses nothing.

export function parseId(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
