// What stands in a form ⇄ what it means: colours as colour inputs want them, numbers within their limits. Pure.

/** `#rrggbb`; grey for whatever a colour input cannot show. */
export function hex(colour: string): string {
  if (/^#[0-9a-f]{6}$/i.test(colour)) return colour;
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(colour);
  return short === null
    ? '#888888'
    : `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join('')}`;
}

export function bounded(text: string, min: number, max: number): number {
  const n = Number(text);
  return Number.isFinite(n) ? Math.min(max, Math.max(min, n)) : min;
}
