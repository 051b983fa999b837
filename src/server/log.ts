// Observations → lines. Diagnostics go to stderr, one access line a request to stdout; the level decides which.

import type { Writable } from 'node:stream';
import { assertNever } from '../kernel/assert-never.ts';
import type { Observation, Observe, RequestObservation } from '../kernel/observation.ts';
import type { RestConfig } from '../rest/config/config.ts';
import { byteText } from './config/byte-text.ts';
import { makeLineWriter } from './line-writer.ts';

export type LogSettings = Pick<RestConfig, 'logLevel' | 'logFormat' | 'logQuery'>;

export type LogSink = {
  out(line: string): void;
  err(line: string): void;
  now(): Date;
  /** Lines that could not be written, once others can be again. */
  lost?(): readonly string[];
};

/** The output of this process. That a line cannot be written stops nothing. */
export function makeConsoleSink(out: Writable = process.stdout, err: Writable = process.stderr): LogSink {
  const access = makeLineWriter(out);
  const diagnostics = makeLineWriter(err);
  return {
    out: access.write,
    err: diagnostics.write,
    now: () => new Date(),
    lost: () => {
      const told: string[] = [];
      for (const [name, writer] of [
        ['requests', access],
        ['events', diagnostics],
      ] as const) {
        const lost = writer.takeLost();
        if (lost !== undefined) told.push(`The log of ${name} has lost ${lost.lines} lines: ${lost.why}`);
      }
      return told;
    },
  };
}

const RANK = { crit: 0, error: 1, warn: 2, info: 3, debug: 4 } as const;

/** A pool that is too small times out for everyone at once; one line says it for this long. */
const POOL_TIMEOUT_QUIET_MS = 5000;

/** `settings` is asked each time: a reload can change it. `database`: the one of several that the lines are about. */
export function makeLog(settings: () => LogSettings, sink: LogSink, database?: string): Observe {
  let poolTimeoutToldAt = Number.NEGATIVE_INFINITY;
  const say = (kind: string, text: string): void =>
    sink.err(
      settings().logFormat === 'json'
        ? JSON.stringify({ time: sink.now().toISOString(), kind, database, message: text })
        : `${clfTime(sink.now())}: ${database === undefined ? '' : `[${database}] `}${oneLine(text)}`,
    );
  return (observation) => {
    const { logLevel, logFormat } = settings();
    for (const line of sink.lost?.() ?? []) say('log-lost', line);
    const rank = RANK[logLevel];
    if (observation.kind === 'request') {
      if (rank >= rankOfStatus(observation.status))
        sink.out(logFormat === 'json' ? accessJson(observation, database) : accessLine(observation));
      return;
    }
    if (observation.kind === 'pool-timeout') {
      const now = sink.now().getTime();
      if (now - poolTimeoutToldAt < POOL_TIMEOUT_QUIET_MS) return;
      poolTimeoutToldAt = now;
    }
    const told = tell(observation);
    if (told === undefined || rank < told.rank) return;
    say(observation.kind, told.text);
  };
}

function rankOfStatus(status: number): number {
  return status >= 500 ? RANK.error : status >= 400 ? RANK.warn : RANK.info;
}

type Told = { readonly rank: number; readonly text: string };

const always = (text: string): Told => ({ rank: RANK.crit, text });
const atError = (text: string): Told => ({ rank: RANK.error, text });
const atDebug = (text: string): Told => ({ rank: RANK.debug, text });

function tell(observation: Exclude<Observation, RequestObservation>): Told | undefined {
  switch (observation.kind) {
    case 'starting':
      return always(`Starting Survest ${observation.version} (${observation.services.join(', ')})…`);
    case 'listening':
      return always(`${observation.service} listens on ${observation.address}`);
    case 'worker-lost':
      return always(`Worker ${observation.pid} ended; another takes its place`);
    case 'mail-sent':
      return atDebug('Sent a letter');
    case 'mail-failed':
      return atError(
        `A letter could not be sent (attempt ${observation.attempt}): ${observation.message}${retry(observation.retryInMs) || '; given up'}`,
      );
    case 'provider-failed':
      return atError(`Signing in with the provider: ${observation.message}`);
    case 'request-failed':
      return atError(
        `The ${observation.service} answered ${observation.status} to ${observation.target}: ${observation.cause} (request ${observation.id})`,
      );
    case 'space-low':
      return always(
        `Little free space: ${byteText(observation.free)} (${observation.percent} %) are left on the disk of ${observation.folder}`,
      );
    case 'stopping':
      return always(`Stopping: ${observation.reason}`);
    case 'stopped':
      return always(`Stopped after ${Math.round(observation.afterMs)} ms`);
    case 'bug':
      return always(`Unexpected failure ${observation.id}: ${causeText(observation.cause)}`);
    case 'config-loaded':
      return observation.from === undefined ? undefined : always(`Settings read from ${observation.from}`);
    case 'config-noticed':
      return always(observation.line);
    case 'config-reloaded':
      return always(
        `Settings reloaded${list('; changed: ', observation.changed)}${list('; waiting for a restart: ', observation.pending)}`,
      );
    case 'config-rejected':
      return always(`Settings not reloaded, those in force stay: ${observation.lines.join('; ')}`);
    case 'database-settings-unread':
      return always(`Settings in the database could not be read: ${observation.message}`);
    case 'database-connected':
      return always(
        `Connected to PostgreSQL ${observation.serverVersion}${observation.engine === 'pglite' ? ' (embedded)' : ''}`,
      );
    case 'database-unreachable':
      return always(`The database cannot be reached: ${observation.message}${retry(observation.retryInMs)}`);
    case 'connection-lost':
      return atError(`A database connection was lost: ${observation.message}`);
    case 'pool-sized':
      return always(`Connection pool of at most ${observation.max}`);
    case 'pool-timeout':
      return atError(`Timed out acquiring connection from connection pool after ${observation.afterMs} ms.`);
    case 'pool-connection':
      return atDebug(`Connection ${observation.event}`);
    case 'listener-ready':
      return always(`Listening for notifications on the channel "${observation.channel}"`);
    case 'listener-lost':
      return always(
        `No longer listening on the channel "${observation.channel}": ${observation.message}${retry(observation.retryInMs)}`,
      );
    case 'listener-deaf':
      return always(
        `Notifications on the channel "${observation.channel}" do not arrive, as behind a transaction pooler: the catalogue is looked at every few seconds instead`,
      );
    case 'replica-used':
      return always(`Reads go to the replica at ${observation.server}`);
    case 'replica-left-out':
      return always(`Reads do not go to the replica at ${observation.server}: ${observation.why}`);
    case 'notified':
      return observation.payload.startsWith('reload') || observation.payload === ''
        ? always(`Told to reload: "${observation.payload}"`)
        : undefined;
    case 'database-error':
      return atError(
        observation.id === undefined ? observation.body : `${observation.body} (request ${observation.id})`,
      );
    case 'schema-loaded': {
      const { relations, relationships, functions, domainRepresentations, mediaTypeHandlers, timezones } =
        observation.summary;
      return always(
        `Schema cache loaded in ${(observation.queryMs + observation.buildMs).toFixed(1)} ms: ${relations} Relations, ${relationships} Relationships, ${functions} Functions, ${domainRepresentations} Domain Representations, ${mediaTypeHandlers} Media Type Handlers, ${timezones} Timezones`,
      );
    }
    case 'schema-omitted':
      return always(`The schema cache does without ${observation.what}: ${observation.why}`);
    case 'schema-load-failed':
      return always(
        `The schema cache could not be loaded: ${observation.message}${observation.serving ? '; serving on with the one before' : ''}${retry(observation.retryInMs)}`,
      );
    case 'jwks-loaded':
      return always(`Token keys loaded: ${observation.keys}`);
    case 'jwks-failed':
      return always(
        `Token keys could not be loaded: ${observation.message}${observation.kept ? '; the ones before stay' : ''}`,
      );
    case 'job-failed':
      return atError(`Work in the background failed: ${observation.message}`);
    case 'gdal-not-confined':
      return always(
        `Uploads are read by the GDAL that comes along, which is slower: that of this machine is used in a sandbox only, and ${observation.why} (docs/operations.md)`,
      );
    case 'raster-unreadable':
      return atError(`The raster ${observation.layer} cannot be read: ${observation.message}`);
    case 'job-ended':
    case 'stream-started':
      return undefined;
    case 'stream-ended': {
      const sent = `${observation.rows} rows, ${observation.bytes} bytes in ${Math.round(observation.tookMs)} ms`;
      switch (observation.how) {
        case 'complete':
          return atDebug(`Streamed ${observation.target}: ${sent}`);
        case 'client-left':
          return atDebug(`The client of the stream of ${observation.target} left after ${sent}`);
        case 'too-slow':
          return atError(
            `The stream of ${observation.target} was cut off after ${sent}: its client made the database wait for longer than server-stream-timeout`,
          );
        case 'failed':
          return atError(`The stream of ${observation.target} was cut off after ${sent}: ${observation.message ?? ''}`);
        default:
          return assertNever(observation.how);
      }
    }
    case 'live-now':
    case 'live-told':
    case 'live-decoding-lag':
      return undefined;
    case 'live-decoding':
      return observation.message === undefined
        ? { rank: RANK.info, text: 'Live streams follow the publication survest_live by logical decoding' }
        : atError(
            `Live streams cannot follow the publication survest_live by logical decoding, and read its tables every two seconds meanwhile: ${observation.message}`,
          );
    case 'live-ended': {
      const why = observation.message === undefined ? '' : `: ${observation.message}`;
      return atDebug(`A live stream of ${observation.target} has ended (${observation.ending})${why}`);
    }
    case 'live-delayed':
      return atError(`A live stream of ${observation.target} waits: ${observation.message}`);
    case 'live-log-unread':
      return observation.message === undefined
        ? { rank: RANK.info, text: 'Changes for live streams are read again' }
        : atError(
            `Changes for live streams cannot be read, and streams are read every two seconds: ${observation.message}${observation.message.startsWith('permission denied') ? ' (survest live install --for ROLE gives the role of this service the right)' : ''}`,
          );
    case 'live-log-unpruned':
      return atError(`Old entries of the change log cannot be removed: ${observation.message}`);
    case 'stream-cut': {
      const why = observation.why === 'expired' ? 'its token has expired' : 'its caller may no longer read it';
      return {
        rank: RANK.info,
        text: `The stream of ${observation.target} was cut off: ${why} (request ${observation.id})`,
      };
    }
    case 'traces-refused':
      return atError(`Traces are dropped: ${observation.message}`);
    case 'statement':
      return { rank: rankOfStatus(observation.status), text: observation.sql };
    default:
      return assertNever(observation);
  }
}

function list(before: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${before}${names.join(', ')}`;
}

function retry(ms: number | undefined): string {
  return ms === undefined ? '' : `; next try in ${Math.ceil(ms / 1000)} s`;
}

function causeText(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

/** Apache's combined format, which every log tool reads. */
function accessLine(request: RequestObservation): string {
  const { remoteAddress, role, account, atMs, method, httpVersion, status, bytes, referer, userAgent, id } = request;
  return `${remoteAddress ?? '-'} - ${userOf(account?.name ?? role)} [${clfTime(new Date(atMs))}] "${method} ${plain(targetOf(request))} HTTP/${httpVersion}" ${status} ${bytes ?? '-'} "${plain(referer ?? '')}" "${plain(userAgent ?? '')}"${id === undefined ? '' : ` "${plain(id)}"`}`;
}

/** As it came. */
function targetOf({ mount = '', target }: RequestObservation): string {
  return mount + target;
}

function userOf(name: string | undefined): string {
  return name === undefined ? '-' : plain(name).replaceAll(' ', '\\x20');
}

function accessJson(observation: RequestObservation, database: string | undefined): string {
  const { kind: _, mount: __, atMs, tookMs, ...request } = observation;
  const ms = Math.round(tookMs * 1000) / 1000;
  const target = targetOf(observation);
  return JSON.stringify({ time: new Date(atMs).toISOString(), ms, ...request, target, database });
}

/** What a client sent must not end the line or the quotes. */
function plain(text: string): string {
  return text.replace(/["\\\p{Cc}\p{Zl}\p{Zp}]/gu, escaped);
}

/** What a database or a program said may have lines, and others may have put them there: a line of the log is one line. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => (character === '\n' ? '\\n' : escaped(character)));
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** 06/May/2024:08:16:11 -0500 */
function clfTime(date: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  const offset = -date.getTimezoneOffset();
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(offset) / 60))}${two(Math.abs(offset) % 60)}`;
  return `${two(date.getDate())}/${MONTHS[date.getMonth()]}/${date.getFullYear()}:${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())} ${zone}`;
}
