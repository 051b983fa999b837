// Which account of the machine runs the private server: PostgreSQL refuses to run as root. A program that is root lends the server the
// account `postgres`, which PostgreSQL's packages make; any other program runs it under its own.

import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import { userInfo } from 'node:os';
import { err, ok, type Result } from '../../kernel/result.ts';

export type ServerAccount = {
  /** As the operating system names it. */
  readonly name: string;
  /** Undefined: the program's own. */
  readonly ids: { readonly uid: number; readonly gid: number } | undefined;
};

const PACKAGED_ACCOUNT = 'postgres';
/** The owner does everything; the server's group may pass through to its own folder, and see no other. */
const PASS_THROUGH = 0o710;

export function serverAccount(): Result<ServerAccount, string> {
  const { uid, username } = userInfo();
  if (uid !== 0) return ok({ name: username, ids: undefined });
  try {
    return ok({ name: PACKAGED_ACCOUNT, ids: { uid: idOf('-u'), gid: idOf('-g') } });
  } catch {
    return err(
      `PostgreSQL does not run as root, and this machine has no account "${PACKAGED_ACCOUNT}" to run it under: start Survest as another account, for example
  useradd --system --create-home survest
  runuser -u survest -- npx survest --database local --data-dir /home/survest/data`,
    );
  }
}

/** Lets the server reach its folders below the data folder; undefined: it can. */
export function whyOutOfReach({ ids, name }: ServerAccount, dataDir: string): string | undefined {
  if (ids === undefined) return undefined;
  chownSync(dataDir, 0, ids.gid);
  chmodSync(dataDir, PASS_THROUGH);
  try {
    execFileSync('/bin/sh', ['-c', 'cd "$0"', dataDir], { ...ids, cwd: '/', stdio: 'ignore', timeout: 10_000 });
    return undefined;
  } catch {
    return `the account "${name}", under which PostgreSQL runs, cannot reach the folder "${dataDir}": choose a data-dir outside of private folders such as /root, or start Survest as another account`;
  }
}

/** Hands a folder that the program made to the account of the server. */
export function giveTo({ ids }: ServerAccount, folder: string): void {
  if (ids !== undefined) chownSync(folder, ids.uid, ids.gid);
}

function idOf(flag: '-u' | '-g'): number {
  const id = Number(
    execFileSync('id', [flag, PACKAGED_ACCOUNT], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  if (!Number.isSafeInteger(id) || id <= 0) throw new Error(`no such account: ${PACKAGED_ACCOUNT}`);
  return id;
}
