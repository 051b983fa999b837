// Reads whose bodies are written here, row by row: which statement brings the rows, and who writes them.

import type { StreamGate } from '../../../auth/stream-gate.ts';
import { assertNever } from '../../../kernel/assert-never.ts';
import { HELD_BYTES } from '../../../kernel/growing-bytes.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import type { Driver, ExecuteOptions, Statement } from '../../../pg/driver.ts';
import type { RestError } from '../../errors/rest-error.ts';
import { isColumnar } from '../../plan/columnar.ts';
import { FEW_ROWS } from '../../plan/few-rows.ts';
import type { BodyFormat } from '../../plan/plan.ts';
import { HELD_ROWS, type RowsStatements } from '../../query/main-query.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import type { BodyRows } from '../../run/body-rows.ts';
import { CsvRows } from '../../run/csv-rows.ts';
import {
  COMPACT_JSON_ARRAY,
  GEOJSON,
  GEOJSON_SEQUENCE,
  JSON_ARRAY,
  JsonRows,
  NDJSON,
  type RowFrame,
  VALUE_ARRAY,
} from '../../run/json-rows.ts';
import { openColumnar } from '../../run/open-columnar.ts';
import { type Outcome, run } from '../../run/run.ts';
import { type RowsRun, runAllRows, runRows } from '../../run/run-rows.ts';
import { type StreamEnding, streamRows } from '../../run/stream-rows.ts';
import { TextRows } from '../../run/text-rows.ts';
import type { Streaming } from '../exchange.ts';
import { filled } from '../fill-statement.ts';
import { responseStatement } from '../response-statement.ts';
import type { ShapeRows, ShapeStatement } from '../shape-cache.ts';
import type { RestState } from '../state.ts';
import type { Way } from './way.ts';

type RowsRead = {
  readonly rows: ShapeRows;
  readonly format: BodyFormat;
  readonly request: ApiRequest;
  readonly role: string;
  readonly state: RestState;
  /** Scope, and what has to be asked before the rows. */
  readonly before: readonly Statement[];
  readonly estimate: Statement | undefined;
  /** How a body too large to be held is sent; undefined: it cannot be. */
  readonly streaming: (() => Streaming) | undefined;
  /** Of the server that is asked, in place of that of the service. */
  readonly gate: StreamGate | undefined;
  readonly isolation: string;
  /** What the function has done is undone. */
  readonly rollback: boolean;
};

const READ_COMMITTED = 'read committed';
const REPEATABLE_READ = 'repeatable read';

type Answered = Promise<Result<Outcome | undefined, RestError>>;

export const rows: Way = {
  name: 'rows',
  fits: (shape) => shape.rows !== undefined,
  // Nobody else makes columns, so they are made in every kind of transaction.
  takes: ({ shape, transaction }) => transaction.kind === 'commit' || isColumnar(shape.plan.media.format),
  main: ({ rows: own, main }) => own?.held.cells ?? own?.held.texts ?? main,
  instead: 'whole',
  learn(shape, { found }) {
    // What a call brought as a whole was too much to be brought so once more.
    if (shape.rows?.of === 'call-once' && found.body.length > HELD_BYTES) shape.rows.seen.large = true;
  },
  async answer({ shape, request, role, exchange, before, transaction, options, isHeld }, { driver, gate }) {
    if (shape.rows === undefined) return ok(undefined);
    const { state, streaming } = exchange;
    const { format } = shape.plan.media;
    const read: RowsRead = {
      rows: shape.rows,
      format,
      request,
      role,
      state,
      before,
      estimate: shape.estimate === undefined ? undefined : filled(shape.estimate, request, role, state),
      isolation: transaction.kind === 'commit' ? READ_COMMITTED : transaction.isolation,
      rollback: transaction.kind === 'checked' && transaction.rollback,
      streaming: isHeld ? undefined : streaming,
      gate,
    };
    const answered = await answerRows(read, driver, options);
    if (answered.ok && answered.value === undefined && isColumnar(format))
      throw new Error('only a stream can be as large as a body of columns may be');
    return answered;
  },
};

/** Undefined: the body has to be asked for as a whole. */
async function answerRows(given: RowsRead, driver: Driver, options: ExecuteOptions): Answered {
  const read = inOneSnapshot(given);
  const { seen, of } = read.rows;
  if (of === 'call-once') return answerOnce(read, driver, options);
  const isOnlyStreamed = read.isolation !== READ_COMMITTED;
  if (seen.large || isOnlyStreamed) {
    if (read.streaming !== undefined) return answerStream(read, read.streaming, driver, options);
    if (isColumnar(read.format)) return answerWhole(read, driver, options);
  }
  const { few, fewTexts } = read.rows;
  if (seen.asTexts && fewTexts) return ok(undefined);
  if (seen.few && few !== undefined) return answerFew(read, few, driver, options);
  const asked = await askFor(read, read.rows.held);
  const outcome = await runRows(asked, driver, options);
  if (!outcome.ok) return outcome;
  switch (outcome.value) {
    case 'unfit':
      return triesTexts(read, read.rows.held) ? answerRows(read, driver, options) : ok(undefined);
    case 'large':
      seen.large = true;
      if (read.streaming !== undefined) return answerStream(read, read.streaming, driver, options);
      return isColumnar(read.format) ? answerWhole(read, driver, options) : ok(undefined);
    case 'untold':
      return ok(undefined);
    default:
      seen.few = outcome.value.found.page <= FEW_ROWS;
      seen.bytes = outcome.value.found.body.length;
      return ok(outcome.value);
  }
}

/** Few rows of a function, as one body. */
async function answerFew(read: RowsRead, few: ShapeStatement, driver: Driver, options: ExecuteOptions): Answered {
  const { rows, request, role, state, before } = read;
  const main = filled(few, request, role, state);
  const outcome = await run(
    { before, main, estimate: undefined, isPlan: false, transaction: { kind: 'commit' } },
    driver,
    options,
  );
  if (!outcome.ok) return outcome;
  const { page } = outcome.value.found;
  rows.seen.few = page <= FEW_ROWS;
  if (page <= HELD_ROWS) return outcome;
  rows.seen.large = true;
  return read.streaming === undefined ? ok(undefined) : answerStream(read, read.streaming, driver, options);
}

/** A function that may change something is called once: by a cursor, or for its body as a whole where it has shown to be small. */
async function answerOnce(read: RowsRead, driver: Driver, options: ExecuteOptions): Answered {
  const { rows, streaming, format } = read;
  if (streaming !== undefined && (rows.seen.large || isColumnar(format)))
    return answerStream(read, streaming, driver, options);
  return isColumnar(format) ? answerWhole(read, driver, options) : ok(undefined);
}

/** Columns of all rows for a client who cannot be given an answer in parts: nobody else could make the body. */
async function answerWhole(read: RowsRead, driver: Driver, options: ExecuteOptions): Answered {
  const asked = await askFor(read, read.rows.streamed());
  asked.rows.out.most = Number.POSITIVE_INFINITY;
  const { isolation, rollback } = read;
  const outcome = await runAllRows({ ...asked, isolation, rollback }, driver, options);
  if (!outcome.ok) return outcome;
  if (typeof outcome.value === 'string') throw new Error(`columns of all rows are ${outcome.value}`);
  return ok(outcome.value);
}

/** Under `read committed` each statement of a transaction has a snapshot of its own. */
function inOneSnapshot(read: RowsRead): RowsRead {
  const isSplit = read.rows.oneSnapshot && read.isolation === READ_COMMITTED;
  return isSplit ? { ...read, isolation: REPEATABLE_READ } : read;
}

async function answerStream(read: RowsRead, open: () => Streaming, driver: Driver, options: ExecuteOptions): Answered {
  const { rows, state } = read;
  const streaming = open();
  const statements = rows.streamed();
  const work = {
    ...(await askFor(read, statements)),
    isolation: read.isolation,
    ending: endingOf(read),
    patienceMs: state.config.serverStreamTimeout * 1000,
    onStart: streaming.onStart,
    onEnd: streaming.onEnd,
  };
  const outcome = await streamRows(work, driver, read.gate ?? streaming.gate, options);
  if (!outcome.ok) return outcome;
  switch (outcome.value) {
    case 'unfit':
      return triesTexts(read, statements) ? answerStream(read, open, driver, options) : ok(undefined);
    case 'untold':
      return ok(undefined);
    default:
      // Small answers are quicker asked for as such.
      if (outcome.value.stream === undefined) rows.seen.large = false;
      return ok(outcome.value);
  }
}

function endingOf({ rows, rollback, state }: RowsRead): StreamEnding {
  if (rows.of !== 'call-once') return 'commit';
  if (rollback) return 'rollback';
  // Behind a pooler the session may be another one after the commit.
  return state.config.dbPreparedStatements ? 'held' : 'commit';
}

/** Whether the rows can be asked for as texts, and have not been. */
function triesTexts({ rows: { seen } }: RowsRead, { texts }: RowsStatements<ShapeStatement>): boolean {
  const isNew = !seen.asTexts && texts !== undefined;
  seen.asTexts = true;
  return isNew;
}

async function askFor(
  { rows, format, request, role, state, before, estimate }: RowsRead,
  from: RowsStatements<ShapeStatement>,
): Promise<RowsRun> {
  const { cells, texts, total, response } = from;
  const statement = rows.seen.asTexts ? (texts ?? cells) : (cells ?? texts);
  if (statement === undefined) throw new Error('rows are asked for as cells or as texts');
  const columnar = isColumnar(format) ? await openColumnar(format, state.cache?.extensions.get('postgis')) : undefined;
  const sink = columnar?.rows ?? sinkFor(format, statement === texts, total === 'column', rows);
  return {
    before: columnar === undefined ? before : [...before, columnar.before],
    main: { ...filled(statement, request, role, state), into: sink },
    rows: sink,
    total,
    response: response === undefined ? responseStatement(state) : filled(response, request, role, state),
    estimate,
  };
}

function sinkFor(format: BodyFormat, isText: boolean, hasTotal: boolean, { isScalar, seen }: ShapeRows): BodyRows {
  if (format.kind === 'csv') return new CsvRows(hasTotal, seen.bytes);
  const frame = frameOf(format, isScalar);
  return isText ? new TextRows(frame, hasTotal, seen.bytes) : new JsonRows(frame, hasTotal, seen.bytes);
}

function frameOf(format: Exclude<BodyFormat, { kind: 'csv' }>, isScalar: boolean): RowFrame {
  switch (format.kind) {
    case 'array':
      if (format.nullsStripped) return COMPACT_JSON_ARRAY;
      return isScalar ? VALUE_ARRAY : JSON_ARRAY;
    case 'geojson':
      return GEOJSON;
    case 'geojson-seq':
      return GEOJSON_SEQUENCE;
    case 'ndjson':
      return NDJSON;
    case 'none':
    case 'object':
    case 'handler':
    case 'value':
    case 'events':
    case 'arrow':
    case 'parquet':
      throw new Error(`a body of the kind ${format.kind} is not made row by row`);
    default:
      return assertNever(format);
  }
}
