// A CSV body (RFC 4180, any line ending) to the JSON array of its rows. In: the bytes, a header line first. Out: bytes
// again, every cell a string, the cell `NULL` null; and the header's names. Blank lines are skipped.

import { isUtf8 } from 'node:buffer';
import { err, ok, type Result } from '../../kernel/result.ts';
import { ByteWriter } from './byte-writer.ts';
import { CSV_GROWTH, LIMITS } from './limits.ts';
import type { BodyProblem } from './request-error.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

const NULL_WORD: Uint8Array = Buffer.from('NULL');
const NULL_JSON: Uint8Array = Buffer.from('null');
const BYTE_ORDER_MARK: Uint8Array = Buffer.from('\ufeff');

export type CsvRows = { readonly bytes: Uint8Array; readonly keys: readonly string[] };

export function csvToJson(bytes: Uint8Array): Result<CsvRows, BodyProblem> {
  if (!isUtf8(bytes)) return err({ kind: 'csv-not-utf8' });
  const reader = new CsvReader(bytes);
  const header = readHeader(reader);
  if (header.length === 0) return err(reader.problem ?? { kind: 'csv-empty' });
  if (header.length > LIMITS.bodyKeys.most) return err({ kind: 'too-many-keys', limit: LIMITS.bodyKeys.most });
  const leads = header.map((name, index) => Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));

  const most = bytes.length * CSV_GROWTH.times + CSV_GROWTH.bytes;
  const out = new ByteWriter(bytes.length * 2);
  out.byte(0x5b);
  let rows = 0;
  while (reader.beginRow()) {
    if (rows++ > 0) out.byte(COMMA);
    let cells = 0;
    do {
      if (!reader.readCell()) break;
      const lead = leads[cells++];
      if (lead === undefined) return err({ kind: 'fields-differ' });
      out.copy(lead);
      writeCell(reader, out);
    } while (reader.moreCells());
    if (reader.problem !== undefined) return err(reader.problem);
    if (cells !== leads.length) return err({ kind: 'fields-differ' });
    out.byte(0x7d);
    if (out.size > most) return err({ kind: 'csv-grows', times: CSV_GROWTH.times });
  }
  out.byte(0x5d);
  return ok({ bytes: out.done(), keys: rows > 0 ? [...new Set(header)] : [] });
}

function readHeader(reader: CsvReader): string[] {
  const names: string[] = [];
  if (!reader.beginRow()) return names;
  do {
    if (!reader.readCell()) return [];
    names.push(reader.text());
  } while (reader.moreCells());
  return names;
}

function writeCell(reader: CsvReader, out: ByteWriter): void {
  if (reader.cellIs(NULL_WORD)) {
    out.copy(NULL_JSON);
    return;
  }
  out.byte(QUOTE);
  const { bytes, start, end, quoted } = reader;
  let from = start;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) continue;
    out.copy(bytes, from, at);
    out.copy(escapeOf(byte));
    // A doubled quote is one.
    if (byte === QUOTE && quoted) at++;
    from = at + 1;
  }
  out.copy(bytes, from, end);
  out.byte(QUOTE);
}

const ESCAPES = new Map<number, Uint8Array>();

function escapeOf(byte: number): Uint8Array {
  const known = ESCAPES.get(byte);
  if (known !== undefined) return known;
  const escaped = Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1));
  ESCAPES.set(byte, escaped);
  return escaped;
}

/** Walks from cell to cell; the present one is `bytes[start..end)`, quotes inside still doubled where `quoted`. */
class CsvReader {
  readonly bytes: Uint8Array;
  start = 0;
  end = 0;
  quoted = false;
  problem: BodyProblem | undefined;
  private at: number;
  private line = 1;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.at = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? BYTE_ORDER_MARK.length : 0;
  }

  /** Goes over line ends; false at the end of the text. */
  beginRow(): boolean {
    while (isLineEnd(this.bytes[this.at])) this.endLine();
    return this.at < this.bytes.length;
  }

  readCell(): boolean {
    return this.bytes[this.at] === QUOTE ? this.readQuoted() : this.readPlain();
  }

  /** Whether the row goes on behind the present cell. */
  moreCells(): boolean {
    if (this.bytes[this.at] !== COMMA) return false;
    this.at++;
    return true;
  }

  cellIs(word: Uint8Array): boolean {
    if (this.end - this.start !== word.length) return false;
    for (let i = 0; i < word.length; i++) if (this.bytes[this.start + i] !== word[i]) return false;
    return true;
  }

  text(): string {
    const { bytes, start, end, quoted } = this;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
    return quoted ? text.replaceAll('""', '"') : text;
  }

  private readPlain(): boolean {
    this.start = this.at;
    while (this.at < this.bytes.length) {
      const byte = this.bytes[this.at];
      if (byte === COMMA || isLineEnd(byte)) break;
      this.at++;
    }
    this.end = this.at;
    this.quoted = false;
    return true;
  }

  private readQuoted(): boolean {
    const opened = this.line;
    this.start = ++this.at;
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte === undefined) return this.fail({ kind: 'csv-quote-unclosed', line: opened });
      if (byte === QUOTE) {
        if (this.bytes[this.at + 1] !== QUOTE) break;
        this.at += 2;
      } else if (isLineEnd(byte)) {
        this.endLine();
      } else {
        this.at++;
      }
    }
    this.end = this.at++;
    this.quoted = true;
    const next = this.bytes[this.at];
    if (next === undefined || next === COMMA || isLineEnd(next)) return true;
    return this.fail({ kind: 'csv-text-after-quote', line: this.line });
  }

  private endLine(): void {
    if (this.bytes[this.at] === CARRIAGE_RETURN && this.bytes[this.at + 1] === LINE_FEED) this.at++;
    this.at++;
    this.line++;
  }

  private fail(problem: BodyProblem): false {
    this.problem = problem;
    return false;
  }
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN;
}
