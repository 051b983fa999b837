// How many different paths of elements an XML file has, counted before GDAL opens it: each may become a column, and GDAL compares
// every one with all others. A scanner over the tags that checks nothing; what is wrong with the file the parser says.

import { createReadStream } from 'node:fs';

/** A tag that is longer is not looked for to its end. */
const MAX_TAG = 4 * 1024 * 1024;
const MAX_DEPTH = 1000;

/** Counts until there are more than `most`. */
export async function countXmlPaths(path: string, most: number): Promise<number> {
  const counter = makeXmlPathCounter();
  let count = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    count = counter.push(chunk.toString('latin1'));
    if (count > most) break;
  }
  return count;
}

const SKIPPED: readonly (readonly [begin: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
];

export function makeXmlPathCounter(): { push(chunk: string): number } {
  /** Numbers of paths, by the number of the one above and the name. */
  const paths = new Map<string, number>();
  const open: number[] = [];
  let rest = '';
  /** What ends that which is being skipped. */
  let until: string | undefined;

  /** Behind what stands at `at`; -1: it is not all there. */
  function step(text: string, at: number): number {
    const skipped = SKIPPED.find(([begin]) => text.startsWith(begin, at));
    if (skipped !== undefined) {
      until = skipped[1];
      return at + skipped[0].length;
    }
    const end = tagEnd(text, at + 1);
    if (end < 0) return -1;
    if (text[at + 1] === '/') open.pop();
    else {
      const name = nameAt(text, at + 1, end);
      const key = `${open.at(-1) ?? 0} ${name}`;
      let number = paths.get(key);
      if (number === undefined) {
        number = paths.size + 1;
        paths.set(key, number);
      }
      if (text[end - 1] !== '/' && open.length < MAX_DEPTH) open.push(number);
    }
    return end + 1;
  }

  return {
    push(chunk) {
      const text = rest + chunk;
      rest = '';
      let at = 0;
      while (at < text.length) {
        if (until !== undefined) {
          const end = text.indexOf(until, at);
          if (end < 0) {
            // The end may be cut in two.
            rest = text.slice(Math.max(at, text.length - until.length + 1));
            return paths.size;
          }
          at = end + until.length;
          until = undefined;
          continue;
        }
        const next = text.indexOf('<', at);
        if (next < 0) return paths.size;
        // What begins here may be one of those that are skipped.
        const behind = text.length - next < 9 ? -1 : step(text, next);
        if (behind < 0) {
          if (text.length - next < MAX_TAG) rest = text.slice(next);
          return paths.size;
        }
        at = behind;
      }
      return paths.size;
    },
  };
}

/** The `>` that ends a tag, which may stand in the value of an attribute as well. */
function tagEnd(text: string, from: number): number {
  for (let i = from; i < text.length; i += 1) {
    const sign = text[i];
    if (sign === '>') return i;
    if (sign === '"' || sign === "'") {
      i = text.indexOf(sign, i + 1);
      if (i < 0) return -1;
    }
  }
  return -1;
}

function nameAt(text: string, from: number, end: number): string {
  let i = from;
  while (i < end && !' \t\r\n/'.includes(text[i] ?? ' ')) i += 1;
  return text.slice(from, Math.min(i, from + 200));
}
