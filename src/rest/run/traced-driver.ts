// A driver that notes how long each flight of a traced request waited for a connection, and how long the database was at it.
//
// Statements that are not prepared carry the trace as a comment (sqlcommenter: `/*traceparent='…'*/`). Prepared ones do not: each text is parsed and
// planned for itself, and with a comment of its own every request would have its own. The trace is the transaction's `application_name` instead, which
// the log shows by `%a` and `pg_stat_activity` by itself.

import type { Attribute } from '../../http/tracing/span.ts';
import type { RequestTrace } from '../../http/tracing/tracer.ts';
import type { Result } from '../../kernel/result.ts';
import type { DbError, Driver, Flight, FlyOptions } from '../../pg/driver.ts';

/** `server`: how metrics call a replica; undefined: it is the primary. */
export function tracedDriver(driver: Driver, trace: RequestTrace, server?: string): Driver {
  const comment = ` /*traceparent='${trace.traceparent}'*/`;
  const commented = (flight: Flight): Flight =>
    flight.map((statement) =>
      statement.name === undefined ? { ...statement, text: `${statement.text}${comment}` } : statement,
    );

  async function timed<T>(
    text: () => string,
    options: FlyOptions | undefined,
    run: (options: FlyOptions) => Promise<Result<T, DbError>>,
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
    fly: (flight, options) =>
      timed(
        () => mainOf(flight),
        options,
        (told) => driver.fly(commented(flight), told),
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
                fly: (flight) => {
                  text ||= mainOf(flight);
                  return session.fly(commented(flight));
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

/** The statement that a flight is about: the longest one that is not the scope, which stands first. */
function mainOf(flight: Flight): string {
  const copy = flight.find(({ copied }) => copied !== undefined);
  if (copy !== undefined) return copy.text;
  let longest = '';
  for (const { text } of flight.slice(1)) if (text.length > longest.length) longest = text;
  return longest;
}
