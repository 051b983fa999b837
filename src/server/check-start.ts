// What a start needs of the machine, looked at before a database or an account is made: free addresses, and folders that can be written to. All that is
// missing is named at once.

import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DISK_FAULTS, diskFault } from '../kernel/disk-fault.ts';
import { isInUse } from '../pg/data-folder/take-data-folder.ts';
import type { ServerConfig, Services } from './config/config.ts';
import { probeAddress } from './listen.ts';
import { addressesOf } from './open-services.ts';

/** In words; empty: nothing is missing. `embedded`: the data folders of the databases that the program keeps itself. */
export async function checkStart(
  config: ServerConfig,
  services: Services,
  embedded: readonly string[] = config.database === undefined ? [] : [config.dataDir],
): Promise<readonly string[]> {
  const complaints: string[] = [];
  const keepsFiles = services !== 'rest' && config.s3Bucket === undefined;
  for (const folder of new Set([...embedded, ...(keepsFiles ? [config.dataDir] : [])].map((path) => resolve(path)))) {
    const wrong = whyNotWritable(folder, true);
    if (wrong !== undefined) complaints.push(`data-dir: the folder "${folder}" ${wrong}`);
  }
  // The REST service alone does without, as long as bodies and answers are small.
  const wrong = services === 'rest' ? undefined : whyNotWritable(tmpdir(), false);
  if (wrong !== undefined) complaints.push(`TMPDIR: the folder "${tmpdir()}" for temporary files ${wrong}`);
  // A program that is still at work in the folder, and is waited for, has the addresses as well.
  if (embedded.some(isInUse)) return complaints;
  for (const [option, address] of addressesOf(config, services)) {
    const free = await probeAddress(address);
    if (!free.ok) complaints.push(`${option}: ${free.error.message}`);
  }
  return complaints;
}

function whyNotWritable(folder: string, mayBeMade: boolean): string | undefined {
  const probe = join(folder, `.survest-${randomUUID()}`);
  try {
    if (mayBeMade) mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(probe, '');
    rmSync(probe, { force: true });
    return undefined;
  } catch (error) {
    const fault = diskFault(error);
    if (fault !== undefined) return `cannot be written to: ${DISK_FAULTS[fault]}`;
    switch ((error as NodeJS.ErrnoException).code) {
      case 'EACCES':
      case 'EPERM':
        return `cannot be written to by this account (${process.env['USER'] ?? `uid ${process.getuid?.()}`}): give it the folder (chown), or choose another`;
      case 'ENOENT':
        return 'does not exist: make it, or choose another';
      case 'ENOTDIR':
      case 'EEXIST':
        return 'is not a folder: choose another';
      default:
        return `cannot be written to: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}
