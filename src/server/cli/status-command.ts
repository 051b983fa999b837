// survest status: copies of the program, jobs, queue, replicas, space and mode, as text or JSON. Exits with 1 when something needs a person.

import { makeCallerDb } from '../../auth/caller-db.ts';
import type { Result } from '../../kernel/result.ts';
import type { Driver } from '../../pg/driver.ts';
import { concerns } from '../../portal/monitoring/concerns.ts';
import { type OperationStatus, readStatus } from '../../portal/monitoring/operation-status.ts';
import { EXIT, type ExitCode } from '../command-line/exit-code.ts';
import type { Command } from '../command-line/parse-command-line.ts';
import { byteText } from '../config/byte-text.ts';
import type { ServerConfig } from '../config/config.ts';
import { type FolderSpace, freePercent, freeSpace } from '../free-space.ts';
import type { OpenedDatabase } from '../open-database.ts';

export type StatusCommand = Extract<Command, { kind: 'status' }>;

type Message = { readonly message: string };

export type StatusParts = {
  readonly config: ServerConfig;
  readonly open: () => Promise<Result<OpenedDatabase, Message>>;
  /** What the database lacks of this version. */
  readonly missing: (driver: Driver) => Promise<Result<readonly string[], Message>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};

export async function runStatusCommand(command: StatusCommand, parts: StatusParts): Promise<ExitCode> {
  const complain = (text: string): ExitCode => {
    parts.err(`survest status: ${text}\n`);
    return EXIT.failed;
  };
  const opened = await parts.open();
  if (!opened.ok) return complain(opened.error.message);
  try {
    const missing = await parts.missing(opened.value.driver);
    if (!missing.ok) return complain(missing.error.message);
    if (missing.value.length > 0)
      return complain('the database is not at this version: survest migrate brings it there');
    const read = await readStatus(makeCallerDb(opened.value.driver));
    if (!read.ok) return complain('message' in read.error ? read.error.message : read.error.kind);
    const disks = await freeSpace(parts.config);
    const [disk] = disks.filter(({ name }) => name === 'data');
    const found = [
      ...concerns(read.value),
      ...disks
        .filter(({ isLow }) => isLow)
        .map((low) => `${byteText(low.free)} (${freePercent(low)} %) are left on the disk of ${low.folder}`),
    ];
    if (command.json) parts.out(`${JSON.stringify({ ...read.value, disk, concerns: found }, null, 2)}\n`);
    else parts.out(`${statusLines(read.value, disk, found).join('\n')}\n`);
    return found.length === 0 ? EXIT.done : EXIT.failed;
  } finally {
    await opened.value.close();
  }
}

function statusLines(
  status: OperationStatus,
  disk: FolderSpace | undefined,
  found: readonly string[],
): readonly string[] {
  const { mode, copies, queues, database, storage } = status;
  return [
    `mode      ${mode.mode}${mode.mode === 'normal' ? '' : ` since ${mode.since}: ${mode.message}`}`,
    ...listed(
      'copies',
      copies.map(
        (copy) =>
          `${copy.host} pid ${copy.pid}, ${copy.version}, ${copy.services}, ${copy.state}, heard of ${copy.silent_seconds} s ago, since ${copy.started}`,
      ),
    ),
    ...listed(
      'queues',
      queues.map(
        (queue) =>
          `${queue.queue}: ${queue.waiting} waiting${queue.waiting > 0 ? ` (the oldest for ${queue.waiting_seconds} s)` : ''}, ${queue.active} active, ${queue.failed} failed`,
      ),
    ),
    ...listed(
      'failed',
      status.failed_jobs
        .slice(0, 5)
        .map((job) => `${job.queue} at ${job.at}, ${job.attempts} attempts: ${job.message}`),
    ),
    `database  ${byteText(database.bytes)}, PostgreSQL ${database.version}, ${database.connections} connections`,
    ...listed(
      'replicas',
      database.replicas.map((one) => `${one.name} ${one.state}, ${one.lag_seconds ?? 0} s behind`),
    ),
    `space     layers ${byteText(storage.layers)}, files ${byteText(storage.files)}`,
    ...(disk === undefined
      ? []
      : [`disk      ${byteText(disk.free)} of ${byteText(disk.total)} free for data-dir (${disk.folder})`]),
    ...found.map((text) => `! ${text}`),
  ];
}

function listed(name: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, i) => `${(i === 0 ? name : '').padEnd(10)}${line}`);
}
