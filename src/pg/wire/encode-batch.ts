// Batch → the bytes of one write: Close for statements no longer wanted, then per statement Parse (when the connection
// has not prepared it), Bind, Describe (when asked), Execute and the rows of a COPY, then one Sync.
//
// The Closes come first, where no failing statement can make the server skip them.

import type { Batch, Param, Statement } from '../driver.ts';
import { ByteWriter } from './byte-writer.ts';
import { COPY_DATA, COPY_DONE } from './control-messages.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import { refusedNuls } from './refused-nuls.ts';

const PARSE = 0x50; // P
const BIND = 0x42; // B
const CLOSE = 0x43; // C
const STATEMENT = 0x53; // S
const DESCRIBE_PORTAL: Buffer = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0]);
const EXECUTE: Buffer = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]); // unnamed portal, all rows
export const SYNC: Buffer = Buffer.from([0x53, 0, 0, 0, 4]);
const FLUSH: Buffer = Buffer.from([0x48, 0, 0, 0, 4]);
const MAX_PARAMS = 65_535; // the count is sixteen bits wide

// One for all who want memory of their own: encoding is synchronous.
const common = new ByteWriter();

/**
 * The chunks to write, in order. `end` is `flush` when more messages of the same batch follow (COPY data); then the
 * caller writes SYNC itself.
 */
export function encodeBatch(
  batch: Batch,
  prepared: PreparedStatements,
  end: 'sync' | 'flush' = 'sync',
): readonly Uint8Array[] {
  writeBatch(common, batch, prepared, end);
  return common.take();
}

/** Writes the batch behind what is written already; all of it, or nothing when it throws. */
export function writeBatch(
  writer: ByteWriter,
  batch: Batch,
  prepared: PreparedStatements,
  end: 'sync' | 'flush' = 'sync',
): void {
  for (const { params } of batch) {
    if (params.length > MAX_PARAMS) throw new RangeError(`a statement has ${params.length} parameters`);
  }
  const before = writer.mark();
  try {
    for (const wireName of prepared.begin()) writeClose(writer, wireName);
    for (const statement of batch) writeStatement(writer, statement, prepared);
    writer.raw(end === 'sync' ? SYNC : FLUSH);
  } catch (error) {
    // Nothing was sent: neither half a batch nor its Parses may be left behind for the next one.
    writer.rewind(before);
    prepared.settle();
    throw error;
  }
}

function writeStatement(writer: ByteWriter, statement: Statement, prepared: PreparedStatements): void {
  const { name, text, params } = statement;
  let describes = statement.describe === true || statement.into !== undefined;
  if (name === undefined || prepared.capacity === 0) {
    writeParse(writer, '', text);
    prepared.parseSent(null);
    writeBind(writer, '', params);
  } else {
    const known = prepared.use(name, text);
    if (!known.sent) {
      writeParse(writer, known.wireName, text);
      prepared.parseSent(known);
    }
    writeBind(writer, known.wireName, params);
    if (statement.describe !== true && known.fields !== undefined) describes = false;
  }
  if (describes) writer.raw(DESCRIBE_PORTAL);
  writer.raw(EXECUTE);
  if (statement.copied !== undefined) {
    // Nobody waits for the server to ask for them. Where it does not, the statement having failed, it skips them as all up to the Sync.
    writer.begin(COPY_DATA);
    writer.bytes(statement.copied);
    writer.end();
    writer.raw(COPY_DONE);
  }
}

function writeParse(writer: ByteWriter, wireName: string, text: string): void {
  writer.begin(PARSE);
  writer.cstring(wireName);
  if (text.includes('\0')) {
    writer.raw(refusedNuls(text));
    writer.byte(0);
  } else {
    writer.cstring(text);
  }
  writer.int16(0); // the server infers the types of all parameters
  writer.end();
}

function writeBind(writer: ByteWriter, wireName: string, params: readonly Param[]): void {
  writer.begin(BIND);
  writer.byte(0); // unnamed portal
  writer.cstring(wireName);
  const count = params.length;
  if (hasBinary(params)) {
    writer.int16(count);
    for (const param of params) writer.int16(isBinary(param) ? 1 : 0);
  } else {
    writer.int16(0);
  }
  writer.int16(count);
  for (let i = 0; i < count; i++) {
    const param = params[i];
    if (typeof param === 'string') writer.sizedText(param);
    else if (param === null || param === undefined) writer.int32(-1);
    else if (isBinary(param)) writer.sizedBytes(param.binary);
    else writer.sizedBytes(param);
  }
  writer.int16(0); // all results as text
  writer.end();
}

function hasBinary(params: readonly Param[]): boolean {
  for (const param of params) if (typeof param !== 'string' && isBinary(param)) return true;
  return false;
}

function isBinary(param: Param): param is { readonly binary: Uint8Array } {
  return typeof param === 'object' && param !== null && 'binary' in param;
}

function writeClose(writer: ByteWriter, wireName: string): void {
  writer.begin(CLOSE);
  writer.byte(STATEMENT);
  writer.cstring(wireName);
  writer.end();
}
