// A stream that spools to disk: whoever writes is never slower than the disk, however slowly somebody reads. The database is done
// with a query when it has made the rows; a client that takes an hour, or stops in the midst, costs it nothing.
//
// A little is held in memory, which is all that a quick reader ever needs. What is more goes to a file without a name; only when that
// is full, or the disk has no more room, does the writer wait.

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

export type SpoolLimits = {
  /** Held in memory before anything goes to disk. */
  readonly memory: number;
  /** Largest file of one stream. */
  readonly file: number;
  /** Of all streams together. */
  readonly disk: number;
  /** How long a writer waits for a reader that takes nothing, once there is no more room on disk. */
  readonly stalledMs: number;
};

const LIMITS: SpoolLimits = { memory: 1024 * 1024, file: 2 ** 30, disk: 4 * 2 ** 30, stalledMs: 60_000 };
const CHUNK = 256 * 1024;

/** What all files of this process hold, read or not: a file gets smaller only when it is begun anew. */
let onDisk = 0;

/** Of what others have written, or removed. */
export function countOnDisk(bytes: number): void {
  onDisk += bytes;
}

/** Whether so much more may lie on disk. */
export function spoolHasRoom(bytes: number): boolean {
  return onDisk + bytes <= LIMITS.disk;
}

/** The reader has gone away, or takes nothing: nobody is told. */
export class ReaderGone extends Error {}

export class SpooledStream extends Readable {
  readonly #limits: SpoolLimits;
  #memory: Buffer[] = [];
  #held = 0;
  #file: FileHandle | undefined;
  #path: string | undefined;
  /** In the file: what lies between the two is still to be read. */
  #readTo = 0;
  #writtenTo = 0;
  #isWanted = false;
  #isReading = false;
  #hasEnded = false;
  #onProgress: (() => void) | undefined;

  constructor(limits: SpoolLimits = LIMITS) {
    super({ highWaterMark: CHUNK });
    this.#limits = limits;
  }

  /** How much of it lies on disk, unread. */
  get spooled(): number {
    return this.#writtenTo - this.#readTo;
  }

  /** One at a time: a promise has to be waited for before the next. It rejects when nobody reads any more. */
  write(bytes: Buffer): Promise<void> | undefined {
    if (this.destroyed) throw new ReaderGone();
    if (this.#hasRoom) {
      this.#hold(bytes);
      return undefined;
    }
    return this.#spool(bytes);
  }

  async finish(bytes: Buffer): Promise<void> {
    await this.write(bytes);
    this.#hasEnded = true;
    this.#pump();
  }

  /** In memory, behind which nothing lies on disk. */
  get #hasRoom(): boolean {
    return this.spooled === 0 && this.#held < this.#limits.memory;
  }

  #hold(bytes: Buffer): void {
    this.#memory.push(bytes);
    this.#held += bytes.length;
    this.#pump();
  }

  override _read(): void {
    this.#isWanted = true;
    this.#pump();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#memory = [];
    this.#onProgress?.();
    const [file, path] = [this.#file, this.#path];
    this.#file = undefined;
    onDisk -= this.#writtenTo;
    this.#writtenTo = 0;
    this.#readTo = 0;
    if (file === undefined) {
      done(error);
      return;
    }
    // Where a file that is open cannot lose its name, it is removed now.
    void file
      .close()
      .then(() => (path === undefined ? undefined : rm(path, { force: true })))
      .catch(() => undefined)
      .then(() => done(error));
  }

  async #spool(bytes: Buffer): Promise<void> {
    const { file, disk } = this.#limits;
    let from = 0;
    if (this.#writtenTo + bytes.length <= file && onDisk + bytes.length <= disk) {
      from = await this.#writeToFile(bytes);
      this.#pump();
    }
    if (from === bytes.length) return;
    await this.#roomInMemory();
    this.#hold(bytes.subarray(from));
  }

  /** How much of it was written: not all where the disk is full. */
  async #writeToFile(bytes: Buffer): Promise<number> {
    let from = 0;
    try {
      const file = this.#file ?? (await this.#makeFile());
      while (from < bytes.length) {
        const { bytesWritten } = await file.write(bytes, from, bytes.length - from, this.#writtenTo);
        if (this.destroyed) throw new ReaderGone();
        from += bytesWritten;
        this.#writtenTo += bytesWritten;
        onDisk += bytesWritten;
      }
    } catch (error) {
      if (this.destroyed) throw new ReaderGone();
      if (error instanceof ReaderGone) throw error;
    }
    return from;
  }

  async #makeFile(): Promise<FileHandle> {
    const path = join(tmpdir(), `survest-spool-${randomBytes(12).toString('hex')}`);
    const file = await open(path, 'wx+', 0o600);
    // Without a name it is gone with the process, however that ends.
    await rm(path).catch(() => {
      this.#path = path;
    });
    if (this.destroyed) {
      await file.close();
      throw new ReaderGone();
    }
    this.#file = file;
    return file;
  }

  /** Waits until all that lies on disk is read; the file begins anew. */
  async #roomInMemory(): Promise<void> {
    while (!this.#hasRoom) {
      const isGoingOn = await this.#progress();
      if (!isGoingOn) this.destroy();
      if (this.destroyed) throw new ReaderGone();
    }
    onDisk -= this.#writtenTo;
    this.#readTo = 0;
    this.#writtenTo = 0;
  }

  #progress(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), this.#limits.stalledMs);
      this.#onProgress = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  #pump(): void {
    if (!this.#isWanted || this.#isReading || this.destroyed) return;
    if (this.#held > 0) {
      const bytes = Buffer.concat(this.#memory);
      this.#memory = [];
      this.#held = 0;
      this.#give(bytes);
    } else if (this.spooled > 0) {
      void this.#readFromFile();
    } else if (this.#hasEnded) {
      this.#isWanted = false;
      this.push(null);
    }
  }

  async #readFromFile(): Promise<void> {
    this.#isReading = true;
    try {
      const length = Math.min(CHUNK, this.spooled);
      const read = await this.#file?.read(Buffer.allocUnsafe(length), 0, length, this.#readTo);
      this.#isReading = false;
      if (read === undefined || this.destroyed) return;
      if (read.bytesRead === 0) throw new Error('a spooled answer ends too soon');
      this.#readTo += read.bytesRead;
      this.#give(read.buffer.subarray(0, read.bytesRead));
    } catch (error) {
      this.#isReading = false;
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #give(bytes: Buffer): void {
    this.#isWanted = false;
    this.push(bytes);
    this.#onProgress?.();
  }
}
