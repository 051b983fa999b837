// Numbers, dates and times as PostgreSQL mostly writes them → what they are, straight from their bytes. NaN: written in a rarer way (infinity, a year
// before Christ, more digits than a number of JavaScript has), which `cell-value.ts` reads.

const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const SPACE = 0x20;
const EXPONENT = 0x65;

/** So many digits make no number that is not exact. */
const EXACT_DIGITS = 15;

/** As many digits as it has: those of 16 and 32 bits are always exact. */
export function integerIn(bytes: Uint8Array, from: number, to: number): number {
  const isNegative = bytes[from] === MINUS;
  let value = 0;
  for (let at = isNegative ? from + 1 : from; at < to; at++) value = value * 10 + digitAt(bytes, at);
  return isNegative ? -value : value;
}

export function longIn(bytes: Uint8Array, from: number, to: number): number {
  return to - from <= EXACT_DIGITS ? integerIn(bytes, from, to) : Number.NaN;
}

/** The digits without their point, of which `scale` stand behind it; what is missing of them is filled up. */
export function decimalIn(bytes: Uint8Array, from: number, to: number, scale: number): number {
  const isNegative = bytes[from] === MINUS;
  const start = isNegative ? from + 1 : from;
  if (to - start > EXACT_DIGITS + 1) return Number.NaN;
  let value = 0;
  let point = to;
  for (let at = start; at < to; at++) {
    const digit = digitAt(bytes, at);
    if (digit >= 0 && digit <= 9) value = value * 10 + digit;
    else if (bytes[at] === POINT && point === to) point = at;
    else return Number.NaN;
  }
  const behind = Math.max(0, to - point - 1);
  if (point - start + Math.max(behind, scale) > EXACT_DIGITS || behind > scale) return Number.NaN;
  for (let missing = scale - behind; missing > 0; missing--) value *= 10;
  return isNegative ? -value : value;
}

/** Powers of ten that are exact: a number of exact digits, times or by one of them, is rounded once, and so as it has to be. */
const POWERS: Float64Array = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

export function floatIn(bytes: Uint8Array, from: number, to: number): number {
  const isNegative = bytes[from] === MINUS;
  let at = isNegative ? from + 1 : from;
  let value = 0;
  let digits = 0;
  let power = 0;
  let isBehind = false;
  for (; at < to; at++) {
    const digit = digitAt(bytes, at);
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      // Zeros in front are none to be exact about.
      if (value > 0) digits++;
      if (isBehind) power--;
    } else if (bytes[at] === POINT && !isBehind) isBehind = true;
    else break;
  }
  if (at < to) {
    const isSmall = bytes[at + 1] === MINUS;
    if (bytes[at] !== EXPONENT || !(isSmall || bytes[at + 1] === PLUS)) return Number.NaN;
    const exponent = integerIn(bytes, at + 2, to);
    power += isSmall ? -exponent : exponent;
  }
  if (digits > EXACT_DIGITS || power < -22 || power > 22) return Number.NaN;
  const scaled = power < 0 ? value / (POWERS[-power] as number) : value * (POWERS[power] as number);
  return isNegative ? -scaled : scaled;
}

/** Days since 1970 of `2024-02-29`. */
export function dateIn(bytes: Uint8Array, from: number, to: number): number {
  return to - from === 10 ? daysIn(bytes, from) : Number.NaN;
}

function daysIn(bytes: Uint8Array, from: number): number {
  if (bytes[from + 4] !== MINUS || bytes[from + 7] !== MINUS) return Number.NaN;
  return daysOf(twoAt(bytes, from) * 100 + twoAt(bytes, from + 2), twoAt(bytes, from + 5), twoAt(bytes, from + 8));
}

/** Of a day in the calendar of today, also where it was not in use; years begin in March here, so that the leap day is the last. */
function daysOf(year: number, month: number, day: number): number {
  const since = month > 2 ? year : year - 1;
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return since * 365 + Math.floor(since / 4) - Math.floor(since / 100) + Math.floor(since / 400) + ofYear - 719_468;
}

/** Microseconds since midnight of `23:59:59.000001`. */
export function timeIn(bytes: Uint8Array, from: number, to: number): number {
  const end = endOfTime(bytes, from, to);
  return end === to ? microsIn(bytes, from, end) : Number.NaN;
}

function endOfTime(bytes: Uint8Array, from: number, to: number): number {
  let at = from + 8;
  if (at < to && bytes[at] === POINT) at++;
  while (at < to && at < from + 15 && isDigit(bytes, at)) at++;
  return at;
}

function microsIn(bytes: Uint8Array, from: number, end: number): number {
  if (end > from + 15 || bytes[from + 2] !== COLON || bytes[from + 5] !== COLON) return Number.NaN;
  const seconds = twoAt(bytes, from) * 3600 + twoAt(bytes, from + 3) * 60 + twoAt(bytes, from + 6);
  let fraction = 0;
  for (let at = from + 9; at < from + 15; at++) fraction = fraction * 10 + (at < end ? digitAt(bytes, at) : 0);
  return seconds * 1_000_000 + fraction;
}

const DAY_MICROS = 86_400_000_000;

/** Microseconds since 1970 of `2024-02-29 12:00:00.123456+02`; NaN also where they are not exact (before 1685, after 2254). */
export function timestampIn(bytes: Uint8Array, from: number, to: number): number {
  if (to - from < 19 || bytes[from + 10] !== SPACE) return Number.NaN;
  const end = endOfTime(bytes, from + 11, to);
  // Added once: whole days are exact, however many, and so is a sum that is no longer than this.
  const micros = daysIn(bytes, from) * DAY_MICROS + (microsIn(bytes, from + 11, end) - offsetIn(bytes, end, to));
  return Number.isSafeInteger(micros) ? micros : Number.NaN;
}

/** Microseconds of `+02`, `-03:30`, `+00:53:28` or nothing. */
function offsetIn(bytes: Uint8Array, from: number, to: number): number {
  if (from === to) return 0;
  const sign = bytes[from];
  const parts = to - from;
  if ((sign !== PLUS && sign !== MINUS) || (parts !== 3 && parts !== 6 && parts !== 9)) return Number.NaN;
  if ((parts > 3 && bytes[from + 3] !== COLON) || (parts > 6 && bytes[from + 6] !== COLON)) return Number.NaN;
  const minutes = parts > 3 ? twoAt(bytes, from + 4) : 0;
  const seconds = parts > 6 ? twoAt(bytes, from + 7) : 0;
  const east = twoAt(bytes, from + 1) * 3600 + minutes * 60 + seconds;
  return (sign === MINUS ? -east : east) * 1_000_000;
}

function digitAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) - ZERO;
}

function isDigit(bytes: Uint8Array, at: number): boolean {
  const digit = digitAt(bytes, at);
  return digit >= 0 && digit <= 9;
}

function twoAt(bytes: Uint8Array, at: number): number {
  return digitAt(bytes, at) * 10 + digitAt(bytes, at + 1);
}
