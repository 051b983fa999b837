// The schema of an SQLite file (`sqlite_master`), read without SQLite: the statements that SQLite would run as soon as it opens the
// file. A stranger's file is looked at before anything that could be made to act on it does. Whatever is not exactly as the file
// format has it is refused; every page is read once, and what they hold together is bounded.

import { open } from 'node:fs/promises';
import { err, ok, type Result } from '../../../kernel/result.ts';

/** The text of every statement; those that SQLite makes by itself have none. Else: what is wrong with the file. */
export async function readSqliteSchema(path: string): Promise<Result<readonly string[], string>> {
  const file = await open(path, 'r');
  try {
    const read = async (offset: number, length: number): Promise<Buffer> => {
      const buffer = Buffer.alloc(length);
      const { bytesRead } = await file.read(buffer, 0, length, offset);
      if (bytesRead < length) throw new Broken('it is cut off');
      return buffer;
    };
    return ok(await statementsOf(read));
  } catch (error) {
    if (error instanceof Broken || error instanceof RangeError) return err(error.message);
    throw error;
  } finally {
    await file.close();
  }
}

class Broken extends Error {}

type Read = (offset: number, length: number) => Promise<Buffer>;
type Pages = {
  /** Each page once. */
  readonly page: (number: number) => Promise<Buffer>;
  /** Bytes of a page that hold anything. */
  readonly usable: number;
};

const HEADER = 100;
const LEAF = 0x0d;
const INTERIOR = 0x05;
/** More than any real file has; SQLite itself reads all of it into memory. */
const MAX_STATEMENTS = 50_000;
const MAX_BYTES = 32 * 1024 * 1024;
const ENCODINGS = ['utf-8', 'utf-8', 'utf-16le', 'utf-16be'] as const;
/** Of a row: type, name, table, page, statement. */
const SQL_COLUMN = 4;

async function statementsOf(read: Read): Promise<readonly string[]> {
  const header = await read(0, HEADER);
  const size = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16);
  const reserved = header[20] ?? 0;
  const encoding = ENCODINGS[header.readUInt32BE(56)];
  if (size < 512 || (size & (size - 1)) !== 0 || size - reserved < 480 || encoding === undefined)
    throw new Broken('its header is damaged');
  const seen = new Set<number>();
  const pages: Pages = {
    usable: size - reserved,
    page(number) {
      if (number < 1 || seen.has(number)) throw new Broken('its pages refer to each other in a circle');
      seen.add(number);
      return read((number - 1) * size, size);
    },
  };
  const decoder = new TextDecoder(encoding);
  const statements: string[] = [];
  let bytes = 0;
  const waiting = [1];
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    const page = await pages.page(number);
    const start = number === 1 ? HEADER : 0;
    const type = page[start];
    if (type !== LEAF && type !== INTERIOR) throw new Broken('its schema is damaged');
    const cells = page.readUInt16BE(start + 3);
    if (type === INTERIOR) waiting.push(page.readUInt32BE(start + 8));
    for (let i = 0; i < cells; i += 1) {
      const cell = page.readUInt16BE(start + (type === LEAF ? 8 : 12) + 2 * i);
      if (type === INTERIOR) waiting.push(page.readUInt32BE(cell));
      else {
        const payload = await readPayload(pages, page, cell, MAX_BYTES - bytes);
        bytes += payload.length;
        const sql = columnOf(payload, SQL_COLUMN);
        if (sql !== undefined) statements.push(decoder.decode(sql));
        if (statements.length > MAX_STATEMENTS) throw new Broken('its schema is too large');
      }
    }
  }
  return statements;
}

async function readPayload({ page: next, usable }: Pages, page: Buffer, cell: number, most: number): Promise<Buffer> {
  const length = readVarint(page, cell);
  if (length.value > most) throw new Broken('its schema is too large');
  const start = readVarint(page, length.end).end;
  const local = localBytes(length.value, usable);
  if (start + local > usable) throw new Broken('its schema is damaged');
  const parts = [page.subarray(start, start + local)];
  let left = length.value - local;
  let number = left > 0 ? page.readUInt32BE(start + local) : 0;
  while (left > 0) {
    const more = await next(number);
    const part = more.subarray(4, Math.min(usable, 4 + left));
    parts.push(part);
    left -= part.length;
    number = more.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

/** How much of a row stands on its page; the rest is on overflow pages. */
function localBytes(length: number, usable: number): number {
  const most = usable - 35;
  if (length <= most) return length;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (usable - 4));
  return fitting <= most ? fitting : least;
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const;

/** The bytes of a text or a blob, which SQLite takes for a text as well; undefined: neither. */
function columnOf(record: Buffer, wanted: number): Buffer | undefined {
  const header = readVarint(record, 0);
  let body = header.value;
  let at = header.end;
  for (let column = 0; at < header.value; column += 1) {
    const type = readVarint(record, at);
    at = type.end;
    const bytes = type.value >= 12 ? Math.floor((type.value - 12) / 2) : INTEGER_BYTES[type.value];
    if (bytes === undefined || body + bytes > record.length) throw new Broken('its schema is damaged');
    if (column === wanted) return type.value >= 12 ? record.subarray(body, body + bytes) : undefined;
    body += bytes;
  }
  return undefined;
}

function readVarint(bytes: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let i = 0; i < 8; i += 1) {
    const byte = bytes.readUInt8(start + i);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: start + i + 1 };
  }
  // Nine bytes are for numbers below nought, such as the key of a row may be.
  return { value: Number.POSITIVE_INFINITY, end: start + 9 };
}
