// Messages of pgoutput, one after the other → transactions, each at its commit. Of rows only the columns of the replica identity are read, and of
// those no more than a bound: a transaction of millions of rows costs as much memory as one of some hundreds.
//
// https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html, version 1 of the protocol.

import { BrokenMessage, ByteCursor } from './byte-cursor.ts';
import type { DecodedChange, DecodedTransaction } from './decoded-transaction.ts';

/** Of one table in one transaction; as the triggers have it for a statement. */
const MAX_KEYS = 500;
/** A key that can be in an index is shorter. */
const LONGEST_CELL = 8192;
/** Tables of a publication, each told again when it has changed. */
const MAX_RELATIONS = 100_000;

type Relation = {
  readonly oid: string;
  /** Undefined: its replica identity is the whole row, of which nothing is kept. */
  readonly columns: readonly string[] | undefined;
  /** Places of these columns among all that are sent. */
  readonly isKey: readonly boolean[];
};

type Noted = { readonly columns: readonly string[]; keys: Set<string> | undefined };

type Open = { readonly xid: number; readonly noted: Map<string, Noted> };

/** `transaction` is undefined where it changed nothing that is published. `end`: position in the log after it. */
export type Committed = { readonly end: bigint; readonly transaction: DecodedTransaction | undefined };

const [BEGIN, COMMIT, RELATION, INSERT, UPDATE, DELETE, TRUNCATE, TYPE, ORIGIN, MESSAGE, OLD, KEY, NEW] = [
  ...'BCRIUDTYOMOKN',
].map((letter) => letter.charCodeAt(0));
const [NULL, UNCHANGED, TEXT, BINARY] = [...'nutb'].map((letter) => letter.charCodeAt(0));
const FULL_IDENTITY = 'f'.charCodeAt(0);

export class TransactionDecoder {
  readonly #relations = new Map<number, Relation>();
  #open: Open | undefined;

  /** Whether a transaction has begun that has not been committed yet. */
  get isInside(): boolean {
    return this.#open !== undefined;
  }

  /** Throws `BrokenMessage` where the bytes are no message, or not one that may come now. */
  feed(bytes: Buffer, start: number, end: number): Committed | undefined {
    const cursor = new ByteCursor(bytes, start, end);
    const type = cursor.byte();
    switch (type) {
      case BEGIN: {
        if (this.#open !== undefined) throw new BrokenMessage('a transaction inside another');
        cursor.skip(16);
        this.#open = { xid: cursor.uint32(), noted: new Map() };
        return undefined;
      }
      case COMMIT:
        return this.#commit(cursor);
      case RELATION:
        this.#learn(cursor);
        return undefined;
      case INSERT:
      case UPDATE:
      case DELETE:
        this.#change(cursor, type);
        return undefined;
      case TRUNCATE: {
        const count = cursor.uint32();
        cursor.skip(1);
        for (let i = 0; i < count; i++) this.#noted(this.#relation(cursor.uint32())).keys = undefined;
        return undefined;
      }
      case TYPE:
      case ORIGIN:
      case MESSAGE:
        return undefined;
      default:
        throw new BrokenMessage(`a message of an unknown kind (${type})`);
    }
  }

  #commit(cursor: ByteCursor): Committed {
    const open = this.#inside();
    cursor.skip(9);
    const end = cursor.uint64();
    cursor.skip(8);
    this.#open = undefined;
    const changes: DecodedChange[] = [];
    for (const [relation, { columns, keys }] of open.noted)
      changes.push({ relation, columns, keys: keys === undefined ? undefined : [...keys] });
    return { end, transaction: changes.length === 0 ? undefined : { xid: open.xid, changes } };
  }

  #learn(cursor: ByteCursor): void {
    const oid = cursor.uint32();
    cursor.cstring();
    cursor.cstring();
    const identity = cursor.byte();
    const count = cursor.int16();
    const columns: string[] = [];
    const isKey: boolean[] = [];
    for (let i = 0; i < count; i++) {
      const flags = cursor.byte();
      const name = cursor.cstring();
      cursor.skip(8);
      isKey.push((flags & 1) === 1);
      if ((flags & 1) === 1) columns.push(name);
    }
    if (!this.#relations.has(oid) && this.#relations.size >= MAX_RELATIONS)
      throw new BrokenMessage('more tables than are kept in mind');
    const hasKey = identity !== FULL_IDENTITY && columns.length > 0;
    this.#relations.set(oid, { oid: String(oid), columns: hasKey ? columns : undefined, isKey });
  }

  #change(cursor: ByteCursor, type: number): void {
    const relation = this.#relation(cursor.uint32());
    const noted = this.#noted(relation);
    // Nothing more can be learned of it: the rest of a large transaction is passed over unread.
    if (noted.keys === undefined) return;
    let kind = cursor.byte();
    let old: readonly (string | undefined)[] | undefined;
    if (type !== INSERT && (kind === OLD || kind === KEY)) {
      old = readKey(cursor, relation);
      note(noted, old);
      if (type === DELETE) return;
      kind = cursor.byte();
    }
    if (type === DELETE || kind !== NEW) throw new BrokenMessage('a change without its row');
    // What is stored apart and did not change is not sent again: it is what it was.
    note(
      noted,
      readKey(cursor, relation).map((cell, i) => cell ?? old?.[i]),
    );
  }

  #noted(relation: Relation): Noted {
    const { noted } = this.#inside();
    let found = noted.get(relation.oid);
    if (found === undefined) {
      found = {
        columns: relation.columns ?? [],
        keys: relation.columns === undefined ? undefined : new Set(),
      };
      noted.set(relation.oid, found);
    } else if (relation.columns !== undefined && found.columns.join('\0') !== relation.columns.join('\0')) {
      // Its key was changed in the midst of the transaction.
      found.keys = undefined;
    }
    return found;
  }

  #relation(oid: number): Relation {
    const found = this.#relations.get(oid);
    if (found === undefined) throw new BrokenMessage('a change of a table that it has not described');
    return found;
  }

  #inside(): Open {
    if (this.#open === undefined) throw new BrokenMessage('a change outside of a transaction');
    return this.#open;
  }
}

/** Undefined cells: not known. */
function note(noted: Noted, key: readonly (string | undefined)[]): void {
  if (noted.keys === undefined) return;
  if (key.some((cell) => cell === undefined)) noted.keys = undefined;
  else noted.keys.add(JSON.stringify(key));
  if (noted.keys !== undefined && noted.keys.size > MAX_KEYS) noted.keys = undefined;
}

function readKey(cursor: ByteCursor, { isKey }: Relation): (string | undefined)[] {
  const count = cursor.int16();
  if (count !== isKey.length) throw new BrokenMessage('a row of another table');
  const key: (string | undefined)[] = [];
  for (let i = 0; i < count; i++) {
    const kind = cursor.byte();
    let cell: string | undefined;
    if (kind === TEXT || kind === BINARY) {
      const length = cursor.uint32();
      if (kind === TEXT && isKey[i] === true && length <= LONGEST_CELL) cell = cursor.text(length);
      else cursor.skip(length);
    } else if (kind !== NULL && kind !== UNCHANGED) throw new BrokenMessage(`a value of an unknown kind (${kind})`);
    if (isKey[i] === true) key.push(cell);
  }
  return key;
}
