// In which character set a text is. Nothing in a text says so but a mark at its beginning; but hardly any text that is not UTF-8
// looks like it.

import { isUtf8 } from 'node:buffer';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** What a browser would take for it; undefined: nobody knows the name. */
export function knownCharset(label: string): string | undefined {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return /^(?:cp|windows)?[-_ ]?(\d{3,5})$/i.test(label.trim()) ? byNumber(label) : undefined;
  }
}

/** Code pages as shapefiles name them: `1252`, `CP1252`, `ANSI 1252`, `88591`. */
function byNumber(label: string): string | undefined {
  const number = /\d+/.exec(label)?.[0] ?? '';
  const candidates = [
    `windows-${number}`,
    `ibm${number}`,
    /^8859\d+$/.test(number) ? `iso-8859-${number.slice(4)}` : '',
  ];
  for (const candidate of candidates) {
    try {
      return new TextDecoder(candidate).encoding;
    } catch {
      // Not this one.
    }
  }
  return number === '65001' ? 'utf-8' : undefined;
}

/** By the mark at its beginning. */
export function markedCharset(head: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** The number of the first line that is not UTF-8; undefined: all are. */
export async function firstLineNotUtf8(path: string): Promise<number | undefined> {
  let line = 1;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    // A character may be cut at the end of a chunk.
    const end = wholeCharacters(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return line + lineOfFault(bytes.subarray(0, end));
    for (let at = bytes.indexOf(10); at >= 0 && at < end; at = bytes.indexOf(10, at + 1)) line += 1;
    rest = bytes.subarray(end);
  }
  return rest.length === 0 ? undefined : line;
}

function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function lineOfFault(bytes: Buffer): number {
  let lines = 0;
  for (let start = 0; start < bytes.length; ) {
    const next = bytes.indexOf(10, start);
    const end = next < 0 ? bytes.length : next + 1;
    if (!isUtf8(bytes.subarray(start, end))) return lines;
    lines += 1;
    start = end;
  }
  return lines;
}

/** Writes the text of one file into another as UTF-8, without a mark. */
export async function toUtf8(from: string, to: string, charset: string): Promise<void> {
  const decoder = new TextDecoder(charset);
  await pipeline(
    createReadStream(from, { highWaterMark: 1 << 20 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
      yield decoder.decode();
    },
    createWriteStream(to, { flags: 'wx', mode: 0o600 }),
  );
}
