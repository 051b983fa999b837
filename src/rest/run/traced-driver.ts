// A driver that notes how long each batch of a traced request waited for a connection, and how long the database was at it.
//
// Statements that are not prepared carry the trace as a comment (sqlcommenter: `/*traceparent='…'*/`). Prepared ones do not: each text is parsed and
// planned for itself, and with a comment of its own every request would have its own. The trace is the transaction's `application_name` instead, which
// the log shows by `%a` and `pg_stat_activity` by itself.

import type { Attribute } from '../../http/tracing/span.ts';
import type { RequestTrace } from '../../http/tracing/tracer.ts';
import type { Result } from '../../kernel/result.ts';
import type { Batch, DbError, Driver, ExecuteOptions } from '../../pg/driver.ts';

/** `server`: how metrics call a replica; undefined: it is the primary. */
export function tracedDriver(driver: Driver, trace: RequestTrace, server?: string): Driver {
  const comment = ` /*traceparent='${trace.traceparent}'*/`;
  const commented = (batch: Batch): Batch =>
    batch.map((statement) =>
      statement.name === undefined ? { ...statement, text: `${statement.text}${comment}` } : statement,
    );

  async function timed<T>(
    text: () => string,
    options: ExecuteOptions | undefined,
    run: (options: ExecuteOptions) => Promise<Result<T, DbError>>,
  ): Promise<Result<T, DbError>> {
    const began = performance.now();
    let acquired: number | undefined;
    const result = await run({
      ...options,
      onAcquired: () => {
        acquired ??= performance.now();
      },
    });
    trace.stage('wait for connection', began, acquired ?? performance.now());
    if (acquired !== undefined) {
      const { operation } = trace;
      trace.stage(
        operation === undefined ? 'postgresql' : `${operation.name} ${operation.on}`,
        acquired,
        performance.now(),
        {
          kind: 'client',
          attributes: attributesOf(trace, text(), server, result),
          error: result.ok ? undefined : result.error.kind === 'sql' ? result.error.sqlstate : result.error.kind,
        },
      );
    }
    return result;
  }

  return {
    ...driver,
    execute: (batch, options) =>
      timed(
        () => mainOf(batch),
        options,
        (told) => driver.execute(commented(batch), told),
      ),
    hold: (work, options) => {
      let text = '';
      return timed(
        () => text,
        options,
        (told) =>
          driver.hold(
            (session) =>
              work({
                ...session,
                execute: (batch) => {
                  text ||= mainOf(batch);
                  return session.execute(commented(batch));
                },
              }),
            told,
          ),
      );
    },
  };
}

const LONGEST_TEXT = 8192;

function attributesOf(
  { operation }: RequestTrace,
  text: string,
  server: string | undefined,
  result: Result<unknown, DbError>,
): readonly Attribute[] {
  const attributes: Attribute[] = [['db.system.name', 'postgresql']];
  if (operation !== undefined)
    attributes.push(['db.operation.name', operation.name], ['db.collection.name', operation.on]);
  // Values are parameters, and no part of it.
  if (text !== '') attributes.push(['db.query.text', text.slice(0, LONGEST_TEXT)]);
  if (server !== undefined) attributes.push(['survest.replica', server]);
  if (!result.ok && result.error.kind === 'sql') attributes.push(['db.response.status_code', result.error.sqlstate]);
  return attributes;
}

/** The statement that a batch is about: the longest one that is not the scope, which stands first. */
function mainOf(batch: Batch): string {
  const copy = batch.find(({ copied }) => copied !== undefined);
  if (copy !== undefined) return copy.text;
  let longest = '';
  for (const { text } of batch.slice(1)) if (text.length > longest.length) longest = text;
  return longest;
}
