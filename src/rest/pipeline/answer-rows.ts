// Reads whose bodies are written here, row by row: which statement brings the rows, and who writes them.

import { assertNever } from '../../kernel/assert-never.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, FlyOptions, Statement } from '../../pg/driver.ts';
import type { BodyFormat } from '../plan/plan.ts';
import { RESPONSE_STATEMENT, type RowsTotal } from '../query/main-query.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { BodyRows } from '../run/body-rows.ts';
import { CsvRows } from '../run/csv-rows.ts';
import { COMPACT_JSON_ARRAY, GEOJSON, JSON_ARRAY, JsonRows, type RowFrame } from '../run/json-rows.ts';
import type { Outcome } from '../run/run.ts';
import { runRows } from '../run/run-rows.ts';
import { TextRows } from '../run/text-rows.ts';
import { filled } from './fill-statement.ts';
import type { ShapeRows, ShapeStatement } from './shape-cache.ts';
import type { RestState } from './state.ts';

export type RowsRead = {
  readonly rows: ShapeRows;
  readonly format: BodyFormat;
  readonly request: ApiRequest;
  readonly role: string;
  readonly state: RestState;
  /** Scope, and what has to be asked before the rows. */
  readonly before: readonly Statement[];
  readonly estimate: Statement | undefined;
};

const RESPONSE: Statement = { text: RESPONSE_STATEMENT, params: [] };
const PREPARED_RESPONSE: Statement = { ...RESPONSE, name: 'response_settings' };

/** Undefined: the body has to be asked for as a whole. */
export async function answerRows(
  read: RowsRead,
  driver: Driver,
  options: FlyOptions,
): Promise<Result<Outcome | undefined, DbError>> {
  const { rows, state, before, estimate } = read;
  const sink = sinkFor(read);
  const statement = statementOf(rows);
  const main = { ...filled(statement, read.request, read.role, state), into: sink };
  const response = state.config.dbPreparedStatements ? PREPARED_RESPONSE : RESPONSE;
  const outcome = await runRows({ before, main, rows: sink, total: rows.total, response, estimate }, driver, options);
  if (!outcome.ok) return outcome;
  switch (outcome.value) {
    case 'unfit':
      rows.seen.asTexts = true;
      return rows.texts === undefined || statement === rows.texts ? ok(undefined) : answerRows(read, driver, options);
    case 'untold':
      return ok(undefined);
    default:
      return ok(outcome.value);
  }
}

function statementOf({ cells, texts, seen }: ShapeRows): ShapeStatement {
  const statement = seen.asTexts ? (texts ?? cells) : (cells ?? texts);
  if (statement === undefined) throw new Error('rows are asked for as cells or as texts');
  return statement;
}

function sinkFor({ rows, format }: RowsRead): BodyRows {
  const hasTotal = hasColumn(rows.total);
  if (format.kind === 'csv') return new CsvRows(hasTotal);
  const frame = frameOf(format);
  return statementOf(rows) === rows.texts ? new TextRows(frame, hasTotal) : new JsonRows(frame, hasTotal);
}

function hasColumn(total: RowsTotal): boolean {
  return total === 'column';
}

function frameOf(format: Exclude<BodyFormat, { kind: 'csv' }>): RowFrame {
  switch (format.kind) {
    case 'array':
      return format.nullsStripped ? COMPACT_JSON_ARRAY : JSON_ARRAY;
    case 'geojson':
      return GEOJSON;
    case 'none':
    case 'object':
    case 'handler':
    case 'value':
      throw new Error(`a body of the kind ${format.kind} is not made row by row`);
    default:
      return assertNever(format);
  }
}
