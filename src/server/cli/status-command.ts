// survest status: copies of the program, jobs, queue, replicas, space and mode, as text or JSON. Exits with 1 when something needs a person.

import { ok } from '../../kernel/result.ts';
import { concerns } from '../../portal/monitoring/concerns.ts';
import { type OperationStatus, readStatus } from '../../portal/monitoring/operation-status.ts';
import { EXIT, type ExitCode } from '../command-line/exit-code.ts';
import type { Command } from '../command-line/parse-command-line.ts';
import { byteText } from '../config/byte-text.ts';
import type { ServerConfig } from '../config/config.ts';
import { type FolderSpace, freePercent, freeSpace } from '../free-space.ts';
import { type PortalCommandParts, withPortalDatabase } from './with-portal-database.ts';

export type StatusCommand = Extract<Command, { kind: 'status' }>;

type StatusParts = PortalCommandParts & { readonly config: ServerConfig };

export function runStatusCommand(command: StatusCommand, parts: StatusParts): Promise<ExitCode> {
  return withPortalDatabase('status', parts, async (db) => {
    const read = await readStatus(db);
    if (!read.ok) return read;
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
    return ok(found.length === 0 ? EXIT.done : EXIT.failed);
  });
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
