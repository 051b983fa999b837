// Bytes from the server → one Reply per Sync, and on the side what the server says unasked.
//
// Cells that are kept stay the bytes they came as, views of the chunk they came in or of a copy where that does not last. What the server means by an error is for the
// reader of the Reply; here it is only noted where in the batch it happened.

import type {
  Batch,
  Notification,
  ResultField,
  Row,
  RowSink,
  SqlError,
  Statement,
  StatementResult,
} from '../driver.ts';
import { type ErrorFields, readErrorFields } from './error-fields.ts';
import { copyOf, endOfMessage, HEADER, MessageFrames } from './message-frames.ts';
import type { PreparedStatements } from './prepared-statements.ts';

/** I: no transaction open; T: inside one; E: inside a failed one. */
export type TransactionStatus = 'I' | 'T' | 'E';

export type Failure = {
  readonly error: SqlError;
  /** The server closes the connection after it. */
  readonly fatal: boolean;
  /** The function of the server that raised it: the same in every language and release, where messages are not. */
  readonly routine: string;
  /** The statement had not been bound: it was the protocol that failed, not something the statement ran. */
  readonly beforeBind: boolean;
};

export type Reply = {
  readonly results: readonly StatementResult[];
  /** Set: nothing of the batch took effect. */
  readonly failure: Failure | null;
  readonly status: TransactionStatus;
};

export type ReplyEvents = {
  onReply(reply: Reply): void;
  /** The server has an error to tell and hangs up, with or without a batch under way. */
  onFatal(failure: Failure): void;
  /** An error came and the server now skips everything up to the next Sync. */
  onFailure?(failure: Failure): void;
  /** So many statements of the batch are done. */
  onComplete?(count: number): void;
  /** The server waits for COPY data, for the statement of this index. */
  onCopyIn?(statement: number): void;
  onCopyData?(bytes: Buffer): void;
  onNotification?(notification: Notification): void;
  onParameter?(name: string, value: string): void;
};

const EMPTY: readonly Row[] = [];

export class ReplyReader {
  readonly #frames: MessageFrames;
  readonly #prepared: PreparedStatements;
  readonly #events: ReplyEvents;
  #batch: Batch = [];
  #results: StatementResult[] = [];
  #rows: Row[] | null = null;
  #fields: readonly ResultField[] | null = null;
  #bound = false;
  /** The sink of the statement under way has been told of its columns. */
  #begun = false;
  #failure: Failure | null = null;

  constructor(prepared: PreparedStatements, events: ReplyEvents) {
    this.#prepared = prepared;
    this.#events = events;
    this.#frames = new MessageFrames(
      (type, bytes, start, end) => this.#read(type, bytes, start, end),
      (bytes, start, end, lasting) => this.#readRows(bytes, start, end, lasting),
    );
  }

  /** What the next reply answers; without it, as for a script, all rows are read. */
  expect(batch: Batch): void {
    this.#batch = batch;
  }

  /**
   * `lasting` is false for a buffer that will be written over: what the reply keeps is then copied. Throws when the bytes
   * are not the protocol's; the connection is then of no more use.
   */
  feed(chunk: Buffer, lasting = true): void {
    this.#frames.feed(chunk, lasting);
  }

  #read(type: number, bytes: Buffer, start: number, end: number): void {
    switch (type) {
      case 0x44: // D: DataRow
        this.#readRow(bytes, start, end);
        return;
      case 0x32: // 2: BindComplete
        this.#bound = true;
        return;
      case 0x43: // C: CommandComplete
        this.#complete(isSelect1(bytes, start, end) ? 'SELECT 1' : bytes.toString('latin1', start, end - 1));
        return;
      case 0x5a: // Z: ReadyForQuery
        this.#ready(bytes[start] ?? 0);
        return;
      case 0x31: // 1: ParseComplete
        this.#prepared.parseComplete();
        return;
      case 0x54: // T: RowDescription
        this.#describe(readFields(bytes, start));
        return;
      case 0x6e: // n: NoData
        this.#fields = [];
        return;
      case 0x49: // I: EmptyQueryResponse
        this.#complete('');
        return;
      case 0x45: // E: ErrorResponse
        this.#fail(readErrorFields(bytes, start, end));
        return;
      case 0x47: // G: CopyInResponse
        this.#events.onCopyIn?.(this.#results.length);
        return;
      case 0x64: // d: CopyData
        this.#events.onCopyData?.(bytes.subarray(start, end));
        return;
      case 0x41: // A: NotificationResponse
        this.#events.onNotification?.(readNotification(bytes, start + 4));
        return;
      case 0x53: // S: ParameterStatus
        this.#readParameter(bytes, start);
        return;
      case 0x33: // 3: CloseComplete
      case 0x4e: // N: NoticeResponse
      case 0x48: // H: CopyOutResponse
      case 0x63: // c: CopyDone
      case 0x73: // s: PortalSuspended
      case 0x74: // t: ParameterDescription
        return;
      default:
        throw new Error(`not a message of the PostgreSQL protocol (type ${type})`);
    }
  }

  #readRows(bytes: Buffer, start: number, end: number, lasting: boolean): void {
    const statement = this.#batch[this.#results.length];
    if (statement?.ignoreRows === true) return;
    const into = statement?.into;
    if (statement !== undefined && into?.run !== undefined) {
      if (!this.#begun) this.#beginRows(statement, into);
      into.run(bytes, start, end);
    } else if (into === undefined && !lasting) this.#readEach(copyOf(bytes, start, end), 0, end - start);
    else this.#readEach(bytes, start, end);
  }

  #readEach(bytes: Buffer, start: number, end: number): void {
    for (let at = start; at < end; ) {
      const next = endOfMessage(bytes, at);
      this.#readRow(bytes, at + HEADER, next);
      at = next;
    }
  }

  #readRow(bytes: Buffer, start: number, end: number): void {
    const statement = this.#batch[this.#results.length];
    if (statement?.ignoreRows === true) return;
    const into = statement?.into;
    if (statement === undefined || into === undefined) {
      this.#rows ??= [];
      this.#rows.push(readRow(bytes, start, end));
      return;
    }
    if (!this.#begun) this.#beginRows(statement, into);
    into.row(bytes, start, end);
  }

  #beginRows({ name, text }: Statement, into: RowSink): void {
    this.#begun = true;
    const fields = this.#fields ?? (name === undefined ? undefined : this.#prepared.fieldsOf(name, text));
    into.begin(fields ?? []);
  }

  #complete(tag: string): void {
    const statement = this.#batch[this.#results.length];
    if (statement?.into !== undefined && !this.#begun) this.#beginRows(statement, statement.into);
    this.#begun = false;
    const rows = this.#rows ?? EMPTY;
    this.#results.push(this.#fields === null ? { rows, tag } : { rows, tag, fields: this.#fields });
    this.#rows = null;
    this.#fields = null;
    this.#bound = false;
    this.#events.onComplete?.(this.#results.length);
  }

  #describe(fields: readonly ResultField[]): void {
    this.#fields = fields;
    const statement = this.#batch[this.#results.length];
    if (statement?.into !== undefined && statement.name !== undefined)
      this.#prepared.described(statement.name, statement.text, fields);
  }

  #fail(fields: ErrorFields): void {
    const fatal = fields.severity === 'FATAL' || fields.severity === 'PANIC';
    const failure: Failure = {
      error: {
        kind: 'sql',
        sqlstate: fields.sqlstate,
        message: fields.message,
        detail: fields.detail,
        hint: fields.hint,
        ...(fields.about === undefined ? {} : { about: fields.about }),
        ...(fatal ? { isFatal: true } : {}),
        statement: this.#results.length,
      },
      fatal,
      routine: fields.routine,
      beforeBind: !this.#bound,
    };
    this.#failure ??= failure;
    if (failure.fatal) this.#events.onFatal(failure);
    else this.#events.onFailure?.(failure);
  }

  #ready(status: number): void {
    this.#prepared.settle();
    const reply: Reply = {
      results: this.#results,
      failure: this.#failure,
      status: status === 0x49 ? 'I' : status === 0x54 ? 'T' : 'E',
    };
    this.#batch = [];
    this.#results = [];
    this.#rows = null;
    this.#fields = null;
    this.#bound = false;
    this.#begun = false;
    this.#failure = null;
    this.#events.onReply(reply);
  }

  #readParameter(bytes: Buffer, start: number): void {
    if (this.#events.onParameter === undefined) return;
    const nameEnd = bytes.indexOf(0, start);
    const name = bytes.toString('utf8', start, nameEnd);
    this.#events.onParameter(name, bytes.toString('utf8', nameEnd + 1, bytes.indexOf(0, nameEnd + 1)));
  }
}

/** Two of three tags on a hot path are this one; seeing so is quicker than a call out of JavaScript. */
function isSelect1(bytes: Buffer, start: number, end: number): boolean {
  if (end - start !== SELECT_1.length) return false;
  for (let i = 0; i < SELECT_1.length; i++) if (bytes[start + i] !== SELECT_1[i]) return false;
  return true;
}
const SELECT_1: Buffer = Buffer.from('SELECT 1\0');

function readRow(bytes: Buffer, start: number, end: number): Row {
  const count = bytes.readUInt16BE(start);
  const row = new Array<Buffer | null>(count);
  let at = start + 2;
  for (let i = 0; i < count; i++) {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) {
      row[i] = null;
    } else {
      row[i] = bytes.subarray(at, at + length);
      at += length;
    }
  }
  if (at !== end) throw new Error('a row does not fill its message');
  return row;
}

function readFields(bytes: Buffer, start: number): readonly ResultField[] {
  const count = bytes.readUInt16BE(start);
  const fields: ResultField[] = [];
  let at = start + 2;
  for (let i = 0; i < count; i++) {
    const nameEnd = bytes.indexOf(0, at);
    const name = bytes.toString('utf8', at, nameEnd);
    // After the name: table (4), column (2), type (4), its size (2), its modifier (4), format (2).
    const type = bytes.readUInt32BE(nameEnd + 7);
    const modifier = bytes.readInt32BE(nameEnd + 13);
    fields.push(modifier < 0 ? { name, type } : { name, type, modifier });
    at = nameEnd + 19;
  }
  return fields;
}

function readNotification(bytes: Buffer, start: number): Notification {
  const channelEnd = bytes.indexOf(0, start);
  const channel = bytes.toString('utf8', start, channelEnd);
  return { channel, payload: bytes.toString('utf8', channelEnd + 1, bytes.indexOf(0, channelEnd + 1)) };
}
