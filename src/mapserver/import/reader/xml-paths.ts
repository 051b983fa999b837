// How many different paths of elements an XML file has, counted before GDAL opens it: each may become a column, and GDAL compares
// every one with all others. A scanner over the tags that checks nothing; what is wrong with the file the parser says.

import { createReadStream } from 'node:fs';

/** A tag that is longer is not looked for to its end. */
const MAX_TAG = 4 * 1024 * 1024;

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

/** One path; those below it by the name of their last element. */
type Path = { readonly below: Map<string, Path> };

const SLASH = 0x2f;

export function makeXmlPathCounter(): { push(chunk: string): number } {
  const root: Path = { below: new Map() };
  const open: Path[] = [];
  let here = root;
  let count = 0;
  let rest = '';
  /** What ends that which is being skipped. */
  let until: string | undefined;

  /** Behind what stands at `at`; -1: it is not all there. */
  function step(text: string, at: number): number {
    const next = text.charCodeAt(at + 1);
    if (next === 0x21 || next === 0x3f) {
      const skipped = SKIPPED.find(([begin]) => text.startsWith(begin, at));
      until = skipped?.[1] ?? '>';
      return at + (skipped?.[0].length ?? 2);
    }
    const end = tagEnd(text, at + 1);
    if (end < 0) return -1;
    if (next === SLASH) here = open.pop() ?? root;
    else {
      const name = nameAt(text, at + 1, end);
      let path = here.below.get(name);
      if (path === undefined) {
        path = { below: new Map() };
        here.below.set(name, path);
        count += 1;
      }
      // How deep it goes is bounded by the paths, for every step down is one.
      if (text.charCodeAt(end - 1) !== SLASH) {
        open.push(here);
        here = path;
      }
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
            return count;
          }
          at = end + until.length;
          until = undefined;
          continue;
        }
        const next = text.indexOf('<', at);
        if (next < 0) return count;
        // What begins here may be one of those that are skipped.
        const behind = text.length - next < 9 ? -1 : step(text, next);
        if (behind < 0) {
          if (text.length - next < MAX_TAG) rest = text.slice(next);
          return count;
        }
        at = behind;
      }
      return count;
    },
  };
}

/** The `>` that ends a tag, which may stand in the value of an attribute as well. */
function tagEnd(text: string, from: number): number {
  for (let i = from; i < text.length; i += 1) {
    const sign = text.charCodeAt(i);
    if (sign === 0x3e) return i;
    if (sign === 0x22 || sign === 0x27) {
      i = text.indexOf(sign === 0x22 ? '"' : "'", i + 1);
      if (i < 0) return -1;
    }
  }
  return -1;
}

function nameAt(text: string, from: number, end: number): string {
  let i = from;
  for (; i < end; i += 1) {
    const sign = text.charCodeAt(i);
    if (sign <= 0x20 || sign === SLASH) break;
  }
  return text.slice(from, Math.min(i, from + 200));
}
