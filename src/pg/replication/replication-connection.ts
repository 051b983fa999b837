// One replication connection after its handshake: simple queries and commands, then a stream in both directions for as long as it lasts.

import { err, ok, type Result } from '../../kernel/result.ts';
import { type ReadBytes, readStream, type Socket } from '../session/byte-source.ts';
import { encodeScript } from '../wire/control-messages.ts';
import { readErrorFields } from '../wire/error-fields.ts';
import { MessageFrames } from '../wire/message-frames.ts';
import { ByteCursor } from './byte-cursor.ts';

type Row = readonly (string | null)[];

/** `bytes` from `start` to `end`: one message of the stream. What it throws ends the connection. */
type OnStream = (bytes: Buffer, start: number, end: number) => void;

type Asked = {
  readonly rows: Row[];
  failure: string | undefined;
  settle(result: Result<readonly Row[], string>): void;
};

const [DATA_ROW, READY, ERROR, COPY_BOTH, COPY_DATA, COPY_DONE] = [...'DZEWdc'].map((letter) => letter.charCodeAt(0));
/** A command answers with one row, or with few. */
const MAX_ROWS = 100;

export class ReplicationConnection {
  readonly #socket: Socket;
  readonly #frames = new MessageFrames((type, bytes, start, end) => this.#onMessage(type, bytes, start, end));
  readonly #onEnd: ((message: string) => void)[] = [];
  #asked: Asked | undefined;
  #onStream: OnStream | undefined;
  #endMessage: string | undefined;
  /** What the server said last, before it hung up. */
  #lastError: string | undefined;

  constructor(socket: Socket, read: ReadBytes | undefined) {
    this.#socket = socket;
    socket.on('error', (error: Error) => this.destroy(error.message));
    socket.on('close', () => this.destroy(this.#lastError ?? 'the server closed the connection'));
    (read ?? readStream(socket))((bytes, lasting) => {
      try {
        this.#frames.feed(bytes, lasting);
      } catch (error) {
        this.destroy(error instanceof Error ? error.message : String(error));
      }
    });
  }

  /** Rows as texts, or what the server says against it. */
  ask(text: string): Promise<Result<readonly Row[], string>> {
    return new Promise((resolve) => {
      if (this.#endMessage !== undefined) resolve(err(this.#endMessage));
      else if (this.#asked !== undefined) throw new Error('the connection is busy');
      else {
        this.#asked = { rows: [], failure: undefined, settle: resolve };
        this.#socket.write(encodeScript(text));
      }
    });
  }

  /** As `ask`, for the command that begins a stream: settles when the stream has begun. */
  stream(text: string, onStream: OnStream): Promise<Result<readonly Row[], string>> {
    this.#onStream = onStream;
    return this.ask(text);
  }

  send(message: Buffer): void {
    if (this.#endMessage === undefined) this.#socket.write(message);
  }

  /** Resolves with the reason. */
  ended(): Promise<string> {
    return new Promise((resolve) => {
      if (this.#endMessage === undefined) this.#onEnd.push(resolve);
      else resolve(this.#endMessage);
    });
  }

  destroy(message: string): void {
    if (this.#endMessage !== undefined) return;
    this.#endMessage = message;
    this.#socket.destroy();
    this.#asked?.settle(err(message));
    this.#asked = undefined;
    for (const tell of this.#onEnd.splice(0)) tell(message);
  }

  #onMessage(type: number, bytes: Buffer, start: number, end: number): void {
    if (this.#endMessage !== undefined) return;
    switch (type) {
      case COPY_DATA:
        this.#onStream?.(bytes, start, end);
        break;
      case DATA_ROW:
        if (this.#asked !== undefined && this.#asked.rows.length < MAX_ROWS)
          this.#asked.rows.push(readRow(new ByteCursor(bytes, start, end)));
        break;
      case ERROR: {
        const { message, hint } = readErrorFields(bytes, start, end);
        this.#lastError = hint === null ? message : `${message} (${hint})`;
        if (this.#asked !== undefined) this.#asked.failure ??= this.#lastError;
        else this.destroy(this.#lastError);
        break;
      }
      case READY:
      case COPY_BOTH:
        this.#answer();
        break;
      case COPY_DONE:
        this.destroy('the server ended the stream');
        break;
      default:
        // Descriptions of rows, tags, notices, parameters: nothing that is needed.
        break;
    }
  }

  #answer(): void {
    const asked = this.#asked;
    this.#asked = undefined;
    asked?.settle(asked.failure === undefined ? ok(asked.rows) : err(asked.failure));
  }
}

function readRow(cursor: ByteCursor): Row {
  const row: (string | null)[] = [];
  for (let left = cursor.int16(); left > 0; left--) {
    const length = cursor.uint32();
    row.push(length === 0xffff_ffff ? null : cursor.text(length));
  }
  return row;
}
