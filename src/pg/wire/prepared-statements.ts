// What one connection has prepared: statement names of ours → names on the wire, at most `capacity` of them.
// A name counts as prepared once the server has said ParseComplete; the least recently used is closed to make room.
//
// Names on the wire are `prefix` and a number that is never used twice. A pooler that moves us to another server
// connection then meets an unknown name, an error, and never somebody else's statement under the same name.

import type { ResultField } from '../driver.ts';

export type PreparedStatement = {
  readonly name: string;
  readonly text: string;
  readonly wireName: string;
  /** A Parse for it is on its way or was answered. */
  sent: boolean;
  parsed: boolean;
  usedInBatch: number;
  /** Its result columns, once the server has described them: they stay as they are for as long as it is prepared. */
  fields: readonly ResultField[] | undefined;
};

export class PreparedStatements {
  readonly capacity: number;
  readonly #prefix: string;
  readonly #byName = new Map<string, PreparedStatement>();
  /** Parse messages not answered yet, in order; null is one of an unnamed statement. */
  readonly #awaited: (PreparedStatement | null)[] = [];
  #answered = 0;
  #toClose: string[] = [];
  #batch = 0;
  #made = 0;

  constructor(capacity: number, prefix: string) {
    this.capacity = capacity;
    this.#prefix = prefix;
  }

  get size(): number {
    return this.#byName.size;
  }

  /** Begins a batch; returns the names on the wire to be closed by it. */
  begin(): readonly string[] {
    this.#batch++;
    const closing = this.#toClose;
    if (closing.length > 0) this.#toClose = [];
    return closing;
  }

  /** The statement of this name and text, made (and not yet `sent`) if it is new. */
  use(name: string, text: string): PreparedStatement {
    const known = this.#byName.get(name);
    if (known !== undefined) {
      if (known.text === text) {
        known.usedInBatch = this.#batch;
        return known;
      }
      this.forget(name);
    }
    const made: PreparedStatement = {
      name,
      text,
      wireName: this.#prefix + ++this.#made,
      sent: false,
      parsed: false,
      usedInBatch: this.#batch,
      fields: undefined,
    };
    this.#byName.set(name, made);
    this.#makeRoom();
    return made;
  }

  /** Whether a batch that uses it sends nothing but its parameters. */
  has(name: string, text: string): boolean {
    const known = this.#byName.get(name);
    return known?.parsed === true && known.text === text;
  }

  /** What the server said of a statement's columns; undefined where it was not asked yet. */
  fieldsOf(name: string, text: string): readonly ResultField[] | undefined {
    const known = this.#byName.get(name);
    return known?.text === text ? known.fields : undefined;
  }

  described(name: string, text: string, fields: readonly ResultField[]): void {
    const known = this.#byName.get(name);
    if (known?.text === text) known.fields = fields;
  }

  parseSent(statement: PreparedStatement | null): void {
    if (statement !== null) statement.sent = true;
    this.#awaited.push(statement);
  }

  parseComplete(): void {
    const statement = this.#awaited[this.#answered++];
    if (statement) statement.parsed = true;
  }

  /** The batch is over: what was not parsed (it failed, or stood behind what failed) is not prepared. */
  settle(): void {
    if (this.#awaited.length === 0) return;
    for (let i = this.#answered; i < this.#awaited.length; i++) {
      const statement = this.#awaited[i];
      if (statement && this.#byName.get(statement.name) === statement) this.#byName.delete(statement.name);
    }
    this.#awaited.length = 0;
    this.#answered = 0;
  }

  /** The next batch that uses this name parses it anew. */
  forget(name: string): void {
    const statement = this.#byName.get(name);
    if (statement === undefined) return;
    this.#byName.delete(name);
    // Closing a name the server does not know is no error, so one that is only on its way is closed as well.
    if (statement.sent) this.#toClose.push(statement.wireName);
  }

  /** For when the server has forgotten them itself. */
  forgetAll(): void {
    this.#byName.clear();
    this.#toClose = [];
  }

  // Looked through only when a new statement comes in beyond capacity: the Parse that follows costs a hundred times more.
  #makeRoom(): void {
    while (this.#byName.size > this.capacity) {
      let oldest: PreparedStatement | undefined;
      for (const statement of this.#byName.values()) {
        if (statement.usedInBatch === this.#batch) continue;
        if (oldest === undefined || statement.usedInBatch < oldest.usedInBatch) oldest = statement;
      }
      if (oldest === undefined) return;
      this.forget(oldest.name);
    }
  }
}
