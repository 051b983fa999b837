// How many columns GeoJSON has, counted before GDAL opens it: for every feature with a new property GDAL compares all names it has
// seen, so that a file of some megabytes with nothing but names would keep it busy for hours. A scanner over the bytes that builds
// nothing but the names, and looks for numbers that have more digits than GDAL writes, for heights, and for properties that are a text
// in one feature and something else in another, which GDAL takes for JSON and writes without quotes; memory is one chunk and those.

import { createReadStream } from 'node:fs';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_T = 0x74;
const LETTER_F = 0x66;
/** Far longer than the name of any column. */
const MAX_KEY = 64 * 1024;
const PROPERTIES = 'properties';
const COORDINATES = 'coordinates';

export type JsonColumns = {
  readonly count: number;
  /** No number in the properties has more than 15 digits. */
  readonly hasShortNumbers: boolean;
  /** Some position has three numbers. */
  readonly hasHeights: boolean;
  /** Properties that are a text here, and a number, true or false, a list or an object there. */
  readonly mixed: readonly string[];
};

/** What values of a property were seen, as bits; null counts as none. */
const STRING = 1;
const OTHER = 2;

/** Counts until there are more than `most`. */
export async function countJsonColumns(path: string, most: number): Promise<JsonColumns> {
  const counter = makeJsonColumnCounter();
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    if (counter.push(chunk) > most) break;
  }
  const count = counter.push(Buffer.alloc(0));
  const { hasShortNumbers, hasHeights, mixed } = counter;
  return { count, hasShortNumbers, hasHeights, mixed };
}

/** Members of features and of their properties, each name once; what is nested deeper is one column, whatever is in it. */
export function makeJsonColumnCounter(): { push(chunk: Buffer): number } & Omit<JsonColumns, 'count'> {
  const names = new Set<string>();
  const seen = new Map<string, number>();
  /** Of the containers around: objects and lists. */
  const isObject: boolean[] = [];
  /** How many containers are open within the properties; 0: none are. */
  let propertiesDepth = 0;
  let isKeyNext = false;
  let isInString = false;
  let key = '';
  let lastKey = '';
  /** Of the number at hand, zeros before it among them. */
  let digits = 0;
  let hasShortNumbers = true;
  /** How many containers are open within the coordinates; 0: none are. */
  let coordinatesDepth = 0;
  /** Of the innermost list of coordinates. */
  let commas = 0;
  let isPosition = false;
  let hasHeights = false;

  function counts(): boolean {
    const depth = isObject.length;
    return (
      depth === 1 || (depth === 3 && isObject[1] === false) || (propertiesDepth !== 0 && depth === propertiesDepth)
    );
  }
  /** A value begins: it is of the property that was named last, unless that has begun already or is somebody else's. */
  function see(kind: number): void {
    if (lastKey === '' || propertiesDepth === 0 || isObject.length !== propertiesDepth) return;
    seen.set(lastKey, (seen.get(lastKey) ?? 0) | kind);
  }
  function endString(): void {
    isInString = false;
    if (!isKeyNext) return;
    isKeyNext = false;
    lastKey = key;
    if (counts()) names.add(key);
  }
  /** Behind the string, or the end of the chunk. */
  function readString(chunk: Buffer, from: number): number {
    let end = chunk.indexOf(QUOTE, from);
    while (end >= 0 && isEscaped(chunk, from, end)) end = chunk.indexOf(QUOTE, end + 1);
    const stop = end < 0 ? chunk.length : end;
    if (isKeyNext && key.length < MAX_KEY) key += chunk.toString('latin1', from, Math.min(stop, from + MAX_KEY));
    if (end < 0) return chunk.length;
    endString();
    return end + 1;
  }
  /** Strings are cut at the end of a chunk only where no escape is. */
  let carried: Buffer = Buffer.alloc(0);

  return {
    get hasShortNumbers() {
      return hasShortNumbers;
    },
    get hasHeights() {
      return hasHeights;
    },
    get mixed() {
      return [...seen].flatMap(([key, kinds]) => (kinds === (STRING | OTHER) ? [unescaped(key)] : []));
    },
    push(next) {
      const chunk: Buffer = carried.length === 0 ? next : Buffer.concat([carried, next]);
      carried = Buffer.alloc(0);
      let end = chunk.length;
      while (end > 0 && chunk[end - 1] === BACKSLASH) end -= 1;
      if (end < chunk.length && next.length > 0) carried = chunk.subarray(end);
      const bytes = chunk.subarray(0, end);
      for (let i = 0; i < bytes.length; ) {
        if (isInString) {
          i = readString(bytes, i);
          continue;
        }
        const byte = bytes[i];
        i += 1;
        if (byte !== undefined && byte >= 0x30 && byte <= 0x39) {
          digits += 1;
          if (digits === 1) see(OTHER);
          if (digits > 15 && propertiesDepth !== 0) hasShortNumbers = false;
          continue;
        }
        if (byte !== 0x2e) digits = 0;
        if (byte === QUOTE) {
          isInString = true;
          key = '';
          if (!isKeyNext) see(STRING);
        } else if (byte === LETTER_T || byte === LETTER_F) {
          see(OTHER);
        } else if (byte === 0x7b) {
          see(OTHER);
          isObject.push(true);
          if (propertiesDepth === 0 && lastKey === PROPERTIES) propertiesDepth = isObject.length;
          isKeyNext = true;
        } else if (byte === 0x5b) {
          see(OTHER);
          isObject.push(false);
          isKeyNext = false;
          if (coordinatesDepth === 0 && propertiesDepth === 0 && lastKey === COORDINATES)
            coordinatesDepth = isObject.length;
          commas = 0;
          isPosition = coordinatesDepth !== 0;
        } else if (byte === 0x7d || byte === 0x5d) {
          if (isPosition && commas > 1) hasHeights = true;
          isPosition = false;
          if (isObject.length === coordinatesDepth) coordinatesDepth = 0;
          if (isObject.length === propertiesDepth) propertiesDepth = 0;
          isObject.pop();
          lastKey = '';
          isKeyNext = false;
        } else if (byte === 0x2c) {
          commas += 1;
          isKeyNext = isObject.at(-1) === true;
          lastKey = '';
        }
      }
      return names.size;
    },
  };
}

/** A name as it stands in the file, a character per byte → the name. */
function unescaped(key: string): string {
  const text = Buffer.from(key, 'latin1').toString('utf8');
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

/** An odd number of backslashes stands before it. */
function isEscaped(bytes: Buffer, from: number, at: number): boolean {
  let count = 0;
  for (let i = at - 1; i >= from && bytes[i] === BACKSLASH; i -= 1) count += 1;
  return count % 2 === 1;
}
