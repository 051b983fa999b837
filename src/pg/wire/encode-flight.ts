// Flight → the bytes of one write: Close for statements no longer wanted, then per statement Parse (when the connection
// has not prepared it), Bind, Describe (when asked) and Execute, then one Sync.
//
// The Closes come first, where no failing statement can make the server skip them.

import type { Flight, Param, Statement } from '../driver.ts';
import { ByteWriter } from './byte-writer.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import { refusedNuls } from './refused-nuls.ts';

const PARSE = 0x50; // P
const BIND = 0x42; // B
const CLOSE = 0x43; // C
const STATEMENT = 0x53; // S
const DESCRIBE_PORTAL: Buffer = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0]);
const EXECUTE: Buffer = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]); // unnamed portal, all rows
export const SYNC: Buffer = Buffer.from([0x53, 0, 0, 0, 4]);
export const FLUSH: Buffer = Buffer.from([0x48, 0, 0, 0, 4]);
const MAX_PARAMS = 65_535; // the count is sixteen bits wide

// One for all connections: encoding is synchronous, and `take` hands out memory of its own.
const writer = new ByteWriter();

/**
 * The chunks to write, in order. `end` is `flush` when more messages of the same flight follow (COPY data); then the
 * caller writes SYNC itself.
 */
export function encodeFlight(
  flight: Flight,
  prepared: PreparedStatements,
  end: 'sync' | 'flush' = 'sync',
): readonly Uint8Array[] {
  for (const { params } of flight) {
    if (params.length > MAX_PARAMS) throw new RangeError(`a statement has ${params.length} parameters`);
  }
  try {
    for (const wireName of prepared.begin()) writeClose(wireName);
    for (const statement of flight) writeStatement(statement, prepared);
    writer.raw(end === 'sync' ? SYNC : FLUSH);
    return writer.take();
  } catch (error) {
    // Nothing was sent: neither half a flight nor its Parses may be left behind for the next one.
    writer.drop();
    prepared.settle();
    throw error;
  }
}

function writeStatement(statement: Statement, prepared: PreparedStatements): void {
  const { name, text, params } = statement;
  if (name === undefined || prepared.capacity === 0) {
    writeParse('', text);
    prepared.parseSent(null);
    writeBind('', params);
  } else {
    const known = prepared.use(name, text);
    if (!known.sent) {
      writeParse(known.wireName, text);
      prepared.parseSent(known);
    }
    writeBind(known.wireName, params);
  }
  if (statement.describe === true) writer.raw(DESCRIBE_PORTAL);
  writer.raw(EXECUTE);
}

function writeParse(wireName: string, text: string): void {
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

function writeBind(wireName: string, params: readonly Param[]): void {
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

function writeClose(wireName: string): void {
  writer.begin(CLOSE);
  writer.byte(STATEMENT);
  writer.cstring(wireName);
  writer.end();
}
