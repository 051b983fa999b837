// Rows of numbers on a grid, one after the other → lines along which a number has a level, as soon as they can grow no more (marching squares). Only
// what the last row has left open is held. Numbers stand at the centres of pixels; NaN is nothing, and where a corner of a square is nothing,
// no line runs through it. Pure.

export class TooManyVertices extends Error {}

/** x, y, x, y …: in pixels, a centre is half a pixel from its corner. Closed ones end where they begin. */
export type DrawnLine = readonly number[];

export type Isolines = {
  add(row: Numbers): void;
  /** There are no further rows. */
  end(): void;
};

export type IsolineOptions = {
  readonly width: number;
  readonly interval: number;
  /** Levels are this, and any number of intervals more or less. */
  readonly base: number;
  /** In all lines. */
  readonly maxVertices: number;
  readonly onLine: (level: number, line: DrawnLine) => void;
};

/** More levels than this between 0 and a number, and the number holds no difference between them. */
const MAX_STEP = 1e9;

/** Crossings of levels and squares in one row: each may leave a line open, and all of them are drawn before anybody else has a turn. */
const MAX_CROSSINGS = 200_000;

type Numbers = Float32Array | Float64Array;
type Row = { readonly numbers: Numbers; readonly steps: Float64Array };

/** A line that grows at two ends. Positions before `front` stand in the other direction, so that both ends are cheap. */
type Growing = { readonly front: number[]; readonly back: number[]; frontEdge: number; backEdge: number };

const [TOP, RIGHT, BOTTOM, LEFT] = [0, 1, 2, 3] as const;
type Edge = 0 | 1 | 2 | 3;
/** By the bits of a square: the edges that lines join. */
const JOINED: readonly (readonly (readonly [Edge, Edge])[])[] = [
  [],
  [[LEFT, TOP]],
  [[TOP, RIGHT]],
  [[LEFT, RIGHT]],
  [[RIGHT, BOTTOM]],
  // Of the two saddles, where the middle is below.
  [
    [LEFT, TOP],
    [RIGHT, BOTTOM],
  ],
  [[TOP, BOTTOM]],
  [[LEFT, BOTTOM]],
  [[BOTTOM, LEFT]],
  [[TOP, BOTTOM]],
  [
    [TOP, RIGHT],
    [BOTTOM, LEFT],
  ],
  [[RIGHT, BOTTOM]],
  [[LEFT, RIGHT]],
  [[TOP, RIGHT]],
  [[LEFT, TOP]],
  [],
];
const [SADDLE, OTHER_SADDLE] = [5, 10];

export function makeIsolines({ width, interval, base, maxVertices, onLine }: IsolineOptions): Isolines {
  let above: Row | undefined;
  let y = 0;
  let vertices = 0;
  /** By level and by the edge at which they are open. */
  let open = new Map<number, Map<number, Growing>>();

  /** As it is told: 0.3, and not 0.30000000000000004. */
  const levelOf = (step: number): number => Number((base + step * interval).toPrecision(14));

  function emit(step: number, { front, back }: Growing): void {
    const line: number[] = [];
    for (let i = front.length - 2; i >= 0; i -= 2) push(line, front[i] ?? 0, front[i + 1] ?? 0);
    for (let i = 0; i < back.length; i += 2) push(line, back[i] ?? 0, back[i + 1] ?? 0);
    if (line.length >= 4) onLine(levelOf(step), line);
  }

  function spend(): void {
    vertices += 1;
    if (vertices > maxVertices) throw new TooManyVertices();
  }

  function grow(line: Growing, at: number, next: number, x: number, y: number): void {
    spend();
    if (line.backEdge === at) {
      line.back.push(x, y);
      line.backEdge = next;
    } else {
      line.front.push(x, y);
      line.frontEdge = next;
    }
  }

  /** The positions of `other` from its end at `edge` on, put to the end of `line` at `at`. */
  function append(line: Growing, at: number, other: Growing, edge: number): void {
    const isBack = line.backEdge === at;
    const into = isBack ? line.back : line.front;
    const [near, far] = other.frontEdge === edge ? [other.front, other.back] : [other.back, other.front];
    for (let i = near.length - 2; i >= 0; i -= 2) into.push(near[i] ?? 0, near[i + 1] ?? 0);
    for (let i = 0; i < far.length; i++) into.push(far[i] ?? 0);
    const next = other.frontEdge === edge ? other.backEdge : other.frontEdge;
    if (isBack) line.backEdge = next;
    else line.frontEdge = next;
  }

  function join(step: number, from: number, to: number, ends: readonly [number, number, number, number]): void {
    let lines = open.get(step);
    if (lines === undefined) {
      lines = new Map();
      open.set(step, lines);
    }
    const [one, other] = [lines.get(from), lines.get(to)];
    const [x0, y0, x1, y1] = ends;
    if (one === undefined && other === undefined) {
      spend();
      spend();
      const line: Growing = { front: [], back: [x0, y0, x1, y1], frontEdge: from, backEdge: to };
      lines.set(from, line);
      lines.set(to, line);
      return;
    }
    if (one !== undefined && other === undefined) {
      grow(one, from, to, x1, y1);
      lines.delete(from);
      lines.set(to, one);
      return;
    }
    if (one === undefined && other !== undefined) {
      grow(other, to, from, x0, y0);
      lines.delete(to);
      lines.set(from, other);
      return;
    }
    if (one === undefined || other === undefined) return;
    lines.delete(from);
    lines.delete(to);
    if (one === other) {
      grow(one, from, -1, x1, y1);
      emit(step, one);
      return;
    }
    // The shorter one is moved.
    const [kept, moved, at, edge] = sizeOf(one) >= sizeOf(other) ? [one, other, from, to] : [other, one, to, from];
    append(kept, at, moved, edge);
    for (const end of [kept.frontEdge, kept.backEdge]) if (end >= 0) lines.set(end, kept);
    if (kept.frontEdge === -1 && kept.backEdge === -1) emit(step, kept);
  }

  /** Of each number, the last level that is not above it, counted in intervals: what is compared, so that neighbours agree however numbers are rounded. */
  function stepsOf(numbers: Numbers): Float64Array {
    const steps = new Float64Array(width);
    for (let i = 0; i < width; i++) {
      const step = Math.floor(((numbers[i] ?? Number.NaN) - base) / interval);
      if (step > MAX_STEP || step < -MAX_STEP) throw new TooManyVertices();
      steps[i] = step;
    }
    return steps;
  }

  function squares(upper: Row, lower: Row): void {
    let crossings = 0;
    for (let i = 0; i + 1 < width; i++) {
      const [nw, ne] = [upper.steps[i] ?? Number.NaN, upper.steps[i + 1] ?? Number.NaN];
      const [sw, se] = [lower.steps[i] ?? Number.NaN, lower.steps[i + 1] ?? Number.NaN];
      if (nw === ne && nw === sw && nw === se) continue;
      // Neither is a number where a corner is nothing.
      const [low, high] = [Math.min(nw, ne, sw, se), Math.max(nw, ne, sw, se)];
      if (high > low) crossings += high - low;
      if (crossings > MAX_CROSSINGS) throw new TooManyVertices();
      for (let step = low + 1; step <= high; step++) {
        const bits = (nw >= step ? 1 : 0) + (ne >= step ? 2 : 0) + (se >= step ? 4 : 0) + (sw >= step ? 8 : 0);
        square(i, step, bits, upper.numbers, lower.numbers);
      }
    }
  }

  /** `bits`: of the corners that are above, clockwise from the upper left one. */
  function square(i: number, step: number, bits: number, upper: Numbers, lower: Numbers): void {
    const level = base + step * interval;
    const [nw, ne] = [upper[i] ?? 0, upper[i + 1] ?? 0];
    const [sw, se] = [lower[i] ?? 0, lower[i + 1] ?? 0];
    const isTurned = (bits === SADDLE || bits === OTHER_SADDLE) && (nw + ne + sw + se) / 4 >= level;
    const place = (edge: Edge): readonly [key: number, x: number, y: number] => {
      switch (edge) {
        case TOP:
          return [i, i + 0.5 + (level - nw) / (ne - nw), y - 0.5];
        case BOTTOM:
          return [width + i, i + 0.5 + (level - sw) / (se - sw), y + 0.5];
        case LEFT:
          return [2 * width + i, i + 0.5, y - 0.5 + (level - nw) / (sw - nw)];
        case RIGHT:
          return [2 * width + i + 1, i + 1.5, y - 0.5 + (level - ne) / (se - ne)];
      }
    };
    for (const [from, to] of JOINED[isTurned ? 15 - bits : bits] ?? []) {
      const [[a, x0, y0], [b, x1, y1]] = [place(from), place(to)];
      join(step, a, b, [x0, y0, x1, y1]);
    }
  }

  /** What is open at the lower edges of a row goes on at the upper ones of the next; whatever else is open has reached an end. */
  function nextRow(): void {
    const next = new Map<number, Map<number, Growing>>();
    for (const [step, lines] of open) {
      const going = new Map<number, Growing>();
      for (const [edge, line] of lines) {
        const isLower = edge >= width && edge < 2 * width;
        const now = isLower ? edge - width : -1;
        // Edges that were renamed are marked, so that none is taken for another one of the row that ends.
        if (line.frontEdge === edge) line.frontEdge = isLower ? RENAMED + now : -1;
        else if (line.backEdge === edge) line.backEdge = isLower ? RENAMED + now : -1;
        if (isLower) going.set(now, line);
        else if (line.frontEdge === -1 && line.backEdge === -1) emit(step, line);
      }
      for (const line of going.values()) {
        if (line.frontEdge >= RENAMED) line.frontEdge -= RENAMED;
        if (line.backEdge >= RENAMED) line.backEdge -= RENAMED;
      }
      if (going.size > 0) next.set(step, going);
    }
    open = next;
  }

  return {
    add(row) {
      const added = { numbers: row, steps: stepsOf(row) };
      if (above !== undefined) {
        squares(above, added);
        nextRow();
      }
      above = added;
      y += 1;
    },
    end() {
      for (const [step, lines] of open) for (const line of new Set(lines.values())) emit(step, line);
      open = new Map();
    },
  };
}

const RENAMED = 2 ** 40;

function sizeOf({ front, back }: Growing): number {
  return front.length + back.length;
}

function push(line: number[], x: number, y: number): void {
  const end = line.length;
  if (end >= 2 && line[end - 2] === x && line[end - 1] === y) return;
  line.push(x, y);
}
