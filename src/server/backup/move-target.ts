// Where a move goes: a server by its address, or a data folder with an embedded database or a private server in it. In the data folder that
// the portal already has, the new database is filled beside the old one and takes its place at the end; the files stay where they are.

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { err, ok, type Result } from '../../kernel/result.ts';
import { replaceDatabase, setAside } from '../../pg/data-folder/replace-database.ts';
import { takeDataFolder } from '../../pg/data-folder/take-data-folder.ts';
import { hasCluster, type LocalPlace, localPlace, localUri } from '../../pg/local/local-place.ts';
import { openLocked } from '../../pg/local/open-local.ts';
import { serverAccount } from '../../pg/local/server-account.ts';
import { makePostgresDriver } from '../../pg/postgres/postgres-driver.ts';
import type { ServerConfig } from '../config/config.ts';
import { filesFolder } from '../files-folder.ts';
import type { OpenedDatabase } from '../open-database.ts';
import { installPlaces } from '../open-local-database.ts';
import type { Failed } from './archive.ts';
import { openStore } from './backup-place.ts';
import type { Place } from './put-back.ts';

export type MoveTarget = {
  readonly place: Place;
  /** Once everything is there, and the old place is closed; returned: notes for the person. */
  finish(): Promise<Result<readonly string[], Failed>>;
  /** Takes away what an unsuccessful move has begun. */
  abandon(): void;
};

type TargetOptions = {
  readonly config: ServerConfig;
  readonly filesTo: string | undefined;
  readonly open: (config: ServerConfig) => Promise<Result<OpenedDatabase, Failed>>;
};

const CONNECTIONS = 3;
const OWNER = { command: 'survest move', isBrief: true };

export const MOVE_TARGETS = 'local, embedded (in this data-dir, or local:DIR, embedded:DIR), or postgresql://…';

export async function moveTarget(to: string, options: TargetOptions): Promise<Result<MoveTarget, Failed>> {
  const { config } = options;
  const own = /^(embedded|local)(?::(.*))?$/s.exec(to);
  if (own === null) {
    if (!/^postgres(ql)?:\/\//.test(to)) return err({ message: `--to is ${MOVE_TARGETS}` });
    const blobs = await blobsIn(options.filesTo, config);
    if (!blobs.ok) return blobs;
    const there = { ...config, database: undefined, dbUri: to, dbPool: CONNECTIONS };
    const place = { open: () => options.open(there), dataDir: config.dataDir, blobs: blobs.value };
    return ok({ place, finish: async () => ok([]), abandon: () => {} });
  }
  const [, kind, folder] = own;
  if (folder === '') return err({ message: `--to ${kind}: needs a folder behind it` });
  const dataDir = resolve(folder ?? config.dataDir);
  const isHere = dataDir === resolve(config.dataDir);
  const blobs = await blobsIn(options.filesTo ?? (isHere ? undefined : dataDir), config);
  if (!blobs.ok) return blobs;
  const there = { dataDir, blobs: blobs.value, isLocked: isHere && config.database !== undefined };
  return kind === 'local' ? intoLocal(there, config) : intoEmbedded(there, config);
}

type OwnPlace = Omit<Place, 'open'>;

function intoEmbedded(there: OwnPlace, config: ServerConfig): Result<MoveTarget, Failed> {
  if (existsSync(join(there.dataDir, 'database', 'PG_VERSION')))
    return err({ message: `there is an embedded database in "${there.dataDir}" already` });
  return ok({
    place: { ...there, open: undefined },
    finish: () => leaveOld(there.dataDir, config),
    abandon: () => {},
  });
}

/** Filled in a cluster of its own, which no start would open. */
function intoLocal(there: OwnPlace, config: ServerConfig): Result<MoveTarget, Failed> {
  const { dataDir } = there;
  const isUpgrade = config.database === 'local' && there.isLocked;
  if (hasCluster(dataDir) && !isUpgrade)
    return err({ message: `there is the database of a local PostgreSQL server in "${dataDir}" already` });
  const account = serverAccount();
  if (!account.ok) return err({ message: account.error });
  const draft = localPlace(dataDir, `postgres.new-${randomUUID()}`);
  const open = async (): Promise<Result<OpenedDatabase, Failed>> => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const server = await openLocked(draft, account.value, {
      dataDir,
      installs: installPlaces(config),
      connections: CONNECTIONS,
      onEvent: () => {},
    });
    if (!server.ok) return server;
    const driver = makePostgresDriver({ uri: localUri(draft), env: {}, poolSize: CONNECTIONS });
    const close = async (): Promise<void> => {
      await driver.close();
      await server.value.close();
    };
    return ok({ driver, isShared: false, close });
  };
  return ok({
    place: { ...there, open },
    finish: () => (isUpgrade ? replaceOld(draft, dataDir) : putInPlace(draft, dataDir, config)),
    abandon: () => rmSync(draft.cluster, { recursive: true, force: true }),
  });
}

async function replaceOld(draft: LocalPlace, dataDir: string): Promise<Result<readonly string[], Failed>> {
  return locked(dataDir, async () => {
    const kept = await replaceDatabase(localPlace(dataDir).cluster, draft.cluster, 'moved');
    return [keptNote(kept)];
  });
}

async function putInPlace(
  draft: LocalPlace,
  dataDir: string,
  config: ServerConfig,
): Promise<Result<readonly string[], Failed>> {
  return locked(dataDir, async () => {
    renameSync(draft.cluster, localPlace(dataDir).cluster);
    return oldNotes(dataDir, config);
  });
}

async function leaveOld(dataDir: string, config: ServerConfig): Promise<Result<readonly string[], Failed>> {
  return locked(dataDir, () => oldNotes(dataDir, config));
}

/** In the same data folder the old database leaves its place: a start finds the new one alone. */
async function oldNotes(dataDir: string, config: ServerConfig): Promise<readonly string[]> {
  if (config.database === undefined || dataDir !== resolve(config.dataDir)) return [];
  const old = config.database === 'local' ? localPlace(dataDir).cluster : join(dataDir, 'database');
  return [keptNote(await setAside(old, 'moved'))];
}

function keptNote(kept: string): string {
  return `the old database is kept in "${kept}" and can be removed when you have looked at the new one`;
}

/** A program that was started since the old place was closed has the folder: then both databases stay, and it is said. */
async function locked(
  dataDir: string,
  work: () => Promise<readonly string[]>,
): Promise<Result<readonly string[], Failed>> {
  const lock = takeDataFolder(dataDir, OWNER);
  if (!lock.ok)
    return err({
      message: `${lock.error.who}: the moved database could not take its place. Stop that program, and move again`,
    });
  try {
    return ok(await work());
  } finally {
    lock.value.release();
  }
}

async function blobsIn(place: string | undefined, config: ServerConfig): Promise<Result<Place['blobs'], Failed>> {
  if (place === undefined) return ok(undefined);
  return openStore(place.startsWith('s3://') ? place : filesFolder(place), config);
}

export function describePlace({ database, dbUri, dataDir }: ServerConfig): string {
  return database === undefined ? (dbUri ?? '') : `${database}:${resolve(dataDir)}`;
}
