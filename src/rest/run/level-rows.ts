// Rows of several levels off the wire → JSON, byte for byte as `json_agg` nests them (`query/levels-sql.ts` asks for them).
//
// The WebAssembly module writes all of them but the odd ones: rows that are too long for its memory, and dates that are not written as dates mostly are.

import { GrowingBytes } from '../../kernel/growing-bytes.ts';
import type { ResultField, Row } from '../../pg/driver.ts';
import { END_LEVEL, type Level, type LevelLayout } from '../query/levels-sql.ts';
import type { BodyRows } from './body-rows.ts';
import {
  type CellPlan,
  lastLevel,
  levelPlan,
  loadRow,
  loadRows,
  tellLevel,
  writeLoaded,
  writtenRows,
} from './json-cells.ts';
import { type LevelTexts, levelTexts } from './level-texts.ts';
import { rowJson } from './row-json.ts';
import { type CellKind, cellKind } from './row-kinds.ts';

const OPEN = Buffer.from('[');
/** The letter of a message, and its length, which counts itself. */
const HEAD = 5;
const FIRST_DIGIT = 0x30;
/** Where the digit of a row's level is: behind the number of its cells and its own length. Of the last level, which has none, a length is there. */
const DIGIT = 6;
const END_DIGIT = END_LEVEL.charCodeAt(0);

const MAX_EXPECTED = 256 * 1024;

type Columns = { readonly plan: CellPlan; readonly fields: readonly ResultField[] };

export class LevelRows implements BodyRows {
  /** Of the root. */
  count = 0;
  total: number | undefined;
  headers: string | undefined;
  status: string | undefined;
  isUnfit = false;
  /** The last row has come. */
  isEnded = false;
  isFull = false;
  readonly out: GrowingBytes = new GrowingBytes();
  readonly #layout: LevelLayout;
  readonly #texts: LevelTexts;
  readonly #expected: number;
  #columns: Columns | undefined;
  /** Level of the last row, -1: there was none. */
  #before = -1;

  /** `expected`: about how many bytes. Growing to them step by step takes twice as much memory, and copies them. */
  constructor(layout: LevelLayout, expected = 0) {
    this.#layout = layout;
    this.#expected = Math.min(expected, MAX_EXPECTED);
    this.#texts = textsOf(layout);
  }

  begin(fields: readonly ResultField[]): void {
    this.count = 0;
    this.total = undefined;
    this.headers = undefined;
    this.status = undefined;
    this.isEnded = false;
    this.isFull = false;
    this.out.at = 0;
    this.#before = -1;
    this.#columns = columnsOf(fields, this.#layout);
    this.isUnfit = this.#columns === undefined;
    // Not before: a request may wait long for its connection.
    this.out.reserve(this.#expected);
    this.out.append(OPEN);
  }

  finish(): void {
    const ending = this.#texts.endings[this.#before + 1];
    if (ending === undefined) throw new Error(`there is no level ${this.#before}`);
    this.out.append(ending);
  }

  run(bytes: Buffer, start: number, end: number): void {
    const { out } = this;
    for (let from = start; from < end; ) {
      if (this.#isOver() || this.#columns === undefined) return;
      const length = loadRows(this.#columns.plan, bytes, from, end);
      let at = 0;
      while (at < length && !this.isUnfit && out.at <= out.most) {
        at = this.#writeLoaded(at, length);
        // One that reaches beyond what was loaded begins the next part, unless it would reach beyond that, too.
        if (at > 0 && endOfRow(bytes, from + at, end) > from + length) break;
        if (at < length) {
          this.#oddRow(bytes, from + at + HEAD);
          at = endOfRow(bytes, from + at, end) - from;
        }
      }
      from += at;
    }
  }

  row(bytes: Buffer, start: number, end: number): void {
    if (this.#isOver() || this.#columns === undefined) return;
    const length = loadRow(this.#columns.plan, bytes, start, end);
    if (length === 0 || this.#writeLoaded(0, length) === 0) this.#oddRow(bytes, start);
  }

  #writeLoaded(at: number, length: number): number {
    // Left to `#oddRow`, which refuses it.
    if (this.isEnded) return at;
    tellLevel(this.#before);
    const stop = writeLoaded(at, length, this.out);
    this.count += writtenRows();
    this.#before = lastLevel();
    return stop;
  }

  /** Of no use, or too much to be held: the rest is left unread. */
  #isOver(): boolean {
    if (!this.isFull && this.out.at > this.out.most) {
      this.isFull = true;
      this.out.drop();
    }
    return this.isFull || this.isUnfit;
  }

  /** The row behind all others, or one that the module has left out. */
  #oddRow(bytes: Buffer, start: number): void {
    const { levels, ending } = this.#layout;
    if (this.isEnded) {
      this.isUnfit = true;
      return;
    }
    if (bytes[start + DIGIT] === END_DIGIT) {
      this.isEnded = true;
      this.headers = cellAt(bytes, start, ending.headers + 1);
      this.status = cellAt(bytes, start, ending.status + 1);
      if (ending.total !== undefined) this.total = Number(cellAt(bytes, start, ending.total + 1));
      return;
    }
    const [digit, ...cells] = cellsOf(bytes, start);
    const index = digit == null ? levels.length - 1 : (digit[0] ?? 0) - FIRST_DIGIT;
    const level = levels[index];
    if (level === undefined) throw new Error(`no level of the statement is called ${digit?.toString()}`);
    // The order of rows is one that PostgreSQL does not promise.
    if (!isAfter(this.#layout, this.#before, index)) {
      this.isUnfit = true;
      return;
    }
    this.out.append(Buffer.from(this.#texts.between(this.#before, index)));
    const object = level.columns.length === 0 ? undefined : this.#object(level, cells);
    if (this.isUnfit) return;
    // What ends it stands before the next row.
    if (object !== undefined) this.out.append(object.subarray(0, -1));
    if (index === 0) this.count += 1;
    this.#before = index;
  }

  #object({ columns }: Level, cells: Row): Buffer | undefined {
    const fields = this.#columns?.fields ?? [];
    const object = rowJson(
      columns.map(({ name, slot }) => ({ name, type: fields[slot + 1]?.type ?? 0 })),
      columns.map(({ slot }) => cells[slot] ?? null),
    );
    this.isUnfit = object === undefined;
    return object;
  }
}

/** `end`: there is no row. */
function endOfRow(bytes: Buffer, at: number, end: number): number {
  return at < end ? at + 1 + bytes.readInt32BE(at + 1) : end;
}

function cellAt(bytes: Buffer, start: number, place: number): string | undefined {
  let at = start + 2;
  for (let i = 0; i < place; i++) at += 4 + Math.max(0, bytes.readInt32BE(at));
  const length = bytes.readInt32BE(at);
  return length < 0 ? undefined : bytes.toString('utf8', at + 4, at + 4 + length);
}

function cellsOf(bytes: Buffer, start: number): readonly (Buffer | null)[] {
  let at = start + 2;
  return Array.from({ length: bytes.readUInt16BE(start) }, () => {
    const length = bytes.readInt32BE(at);
    const from = at + 4;
    at = from + Math.max(0, length);
    return length < 0 ? null : bytes.subarray(from, at);
  });
}

/** Undefined: some column is of another type by now, or there is no module for it. */
function columnsOf(fields: readonly ResultField[], layout: LevelLayout): Columns | undefined {
  const known = columnsByFields.get(fields);
  if (known !== undefined) return known;
  const types = fields.slice(1).map(({ type }) => type);
  if (types.length !== layout.slots.length || types.some((type, i) => type !== layout.slots[i])) return undefined;
  const kinds = types.map(cellKind);
  const texts = textsOf(layout);
  const plan = levelPlan(
    layout.levels.map(({ columns }, level) => {
      const keys = new Map(
        columns.map(({ name, slot }, i) => [slot, `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`]),
      );
      return {
        columns: kinds.map((kind, slot) => {
          const key = keys.get(slot);
          return key === undefined ? 'other' : { key: Buffer.from(key), kind: kind as CellKind };
        }),
        before: [-1, ...layout.levels.keys()].map((before) =>
          isAfter(layout, before, level) ? Buffer.from(texts.between(before, level)) : undefined,
        ),
      };
    }),
  );
  if (plan === undefined) return undefined;
  const columns = { plan, fields };
  columnsByFields.set(fields, columns);
  return columns;
}

/** Whether a row of the level may stand behind one of the other: at the top, or in an embed of an open row that is not behind the one it is in. */
function isAfter({ levels }: LevelLayout, before: number, level: number): boolean {
  const parent = levels[level]?.parent;
  if (parent === undefined) return true;
  let embed: number | undefined;
  for (let at: number | undefined = before; at !== undefined; at = levels[at]?.parent) {
    if (at === parent) return embed === undefined || embed <= level;
    embed = at;
  }
  return false;
}

/** The fields of a prepared statement are the same object every time, and a statement has one layout. */
const columnsByFields = new WeakMap<readonly ResultField[], Columns>();

function textsOf(layout: LevelLayout): LevelTexts {
  const texts = textsByLayout.get(layout) ?? levelTexts(layout.levels);
  textsByLayout.set(layout, texts);
  return texts;
}

const textsByLayout = new WeakMap<LevelLayout, LevelTexts>();
