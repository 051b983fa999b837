// A new cluster, made by initdb beside its place and moved there when it is complete, and the files that say who may connect and how much
// memory the server takes.

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { totalmem, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PostgresInstall } from './find-postgres.ts';
import { LOCAL_ROLE, LOCAL_SUPERUSER, type LocalPlace } from './local-place.ts';
import { memorySettings } from './memory-settings.ts';
import { giveTo, type ServerAccount } from './server-account.ts';

/** Characters of every language, and an order that no update of the system changes. The first one that the machine knows. */
const LOCALES = ['C.UTF-8', 'en_US.UTF-8', 'C'] as const;

export async function makeCluster(
  { bin }: PostgresInstall,
  { cluster }: LocalPlace,
  account: ServerAccount,
): Promise<Result<void, string>> {
  const draft = join(dirname(cluster), `${basename(cluster)}.new-${randomUUID()}`);
  mkdirSync(draft, { mode: 0o700 });
  try {
    giveTo(account, draft);
    let said = '';
    for (const locale of LOCALES) {
      const made = join(draft, locale);
      const args = ['--pgdata', made, '--username', LOCAL_SUPERUSER, '--encoding', 'UTF8', '--locale', locale];
      try {
        await promisify(execFile)(join(bin, 'initdb'), [...args, '--auth', 'peer', '--data-checksums'], {
          ...account.ids,
          cwd: draft,
        });
      } catch (cause) {
        said = sayings(cause);
        continue;
      }
      writeFileSync(
        join(made, 'postgresql.conf'),
        "# Survest writes survest.conf at every start. What stands below, and ALTER SYSTEM, has precedence over it.\ninclude 'survest.conf'\n",
      );
      renameSync(made, cluster);
      return ok(undefined);
    }
    return err(`initdb failed: ${said}`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Who connects is known by the kernel: the accounts of the program and of the server, over a socket that no other account reaches. */
export function writeServerFiles({ cluster }: LocalPlace, account: ServerAccount, connections: number): void {
  const accounts = [...new Set([userInfo().username, account.name])];
  const identities = accounts.flatMap((name) =>
    [LOCAL_ROLE, LOCAL_SUPERUSER].map((role) => `survest "${name.replaceAll('"', '""')}" ${role}`),
  );
  const settings = {
    ...memorySettings(totalmem(), connections),
    // Live streams read the log of changes.
    wal_level: 'logical',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    wal_compression: 'on',
    // The data is on the disk of this machine, mostly in memory: an index is worth it sooner.
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
  };
  write('pg_hba.conf', ['local all all peer map=survest']);
  write('pg_ident.conf', identities);
  write(
    'survest.conf',
    Object.entries(settings).map(([name, value]) => `${name} = '${value}'`),
  );

  function write(name: string, lines: readonly string[]): void {
    const path = join(cluster, name);
    writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
    giveTo(account, path);
  }
}

export function clusterMajor({ cluster }: LocalPlace): number {
  return Number.parseInt(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'), 10);
}

function sayings(cause: unknown): string {
  const { stderr } = cause as { readonly stderr?: unknown };
  return typeof stderr === 'string' && stderr.trim() !== '' ? stderr.trim() : String(cause);
}
