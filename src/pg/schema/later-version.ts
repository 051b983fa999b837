/** Whether a program's version is later than another; what stands behind a hyphen or plus does not count. */
export function isLaterVersion(one: string, other: string): boolean {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  const place = a.findIndex((number, i) => number !== b[i]);
  return place >= 0 && (a[place] ?? 0) > (b[place] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  const [major = 0, minor = 0, patch = 0] = (version.split(/[-+]/, 1)[0] ?? '').split('.').map(Number);
  return [major, minor, patch];
}
