// survest import: files as layers from the command line, by the same road as uploads, in this process. A file that cannot be
// imported leaves nothing behind.

import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Caller } from '../../auth/caller.ts';
import { type CallerDb, makeCallerDb } from '../../auth/caller-db.ts';
import { type BlobStore, makeBlobKey } from '../../blobs/blob-store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { isKilledReader, isPassingFailure } from '../../mapserver/import/import-failure.ts';
import { importFailureText } from '../../mapserver/import/import-failure-text.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import { mayBeCommitted } from '../../pg/may-be-committed.ts';
import { textRows } from '../../pg/rows.ts';
import { accountNamed, identityOf } from '../../portal/accounts/account-store.ts';
import { FIRST_ADMIN } from '../../portal/accounts/first-admin.ts';
import { doneShare } from '../../portal/uploads/done-share.ts';
import { makeImportTurns } from '../../portal/uploads/import-turns.ts';
import { type ImportParts, importUpload } from '../../portal/uploads/import-upload.ts';
import { parseOrder, type ReceivedFile } from '../../portal/uploads/upload-order.ts';
import type { UploadRow } from '../../portal/uploads/upload-row.ts';
import { createUpload, deleteUpload, findUpload, holdUpload } from '../../portal/uploads/upload-store.ts';
import { EXIT, type ExitCode } from '../command-line/exit-code.ts';
import type { Command } from '../command-line/parse-command-line.ts';
import { makeProgressBar, type ProgressBar } from '../command-line/progress-bar.ts';
import type { ServerConfig } from '../config/config.ts';
import type { OpenedDatabase } from '../open-database.ts';
import { openBlobStore } from '../portal/open-blob-store.ts';
import { BEAT_MS, chooseEngine, openImporter, openProcesses } from '../portal/open-imports.ts';
import { groupFiles, type ImportFiles } from './import-files.ts';

export type ImportCommand = Extract<Command, { kind: 'import' }>;

type Failed = { readonly message: string };

/** What a command needs that does the work of a job in this process. */
export type ImportCommandParts = {
  readonly config: ServerConfig;
  readonly open: () => Promise<Result<OpenedDatabase, Failed>>;
  /** Brings the database to this version. */
  readonly migrate: (driver: Driver) => Promise<Result<unknown, Failed>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Where the progress is shown. */
  readonly terminal: Parameters<typeof makeProgressBar>[0];
  /** Fires when somebody has had enough. */
  readonly signal: AbortSignal;
};

type Tools = {
  readonly db: CallerDb;
  readonly blobs: BlobStore;
  readonly caller: Caller;
  readonly imports: ImportParts<Parameters<typeof importFailureText>[0]>;
  readonly bar: ProgressBar;
  readonly command: ImportCommand;
  readonly parts: ImportCommandParts;
};

export const INFO = { method: 'IMPORT', path: '/' } as const;

export async function runImportCommand(command: ImportCommand, parts: ImportCommandParts): Promise<ExitCode> {
  const complain = (message: string): ExitCode => {
    parts.err(`survest import: ${message}\n`);
    return EXIT.failed;
  };
  const groups = await groupFiles(command.files, (path) => readdir(dirname(path)).catch(() => []));
  if (command.title !== undefined && groups.length > 1)
    return complain('--title is for one layer; leave it out, or import the files one by one');
  for (const { base } of groups) {
    const found = await stat(base).catch(() => undefined);
    if (found === undefined) return complain(`there is no file ${base}`);
    if (!found.isFile()) return complain(`${base} is not a file`);
  }
  const engine = await chooseEngine(parts.config, command.file);
  if (!engine.ok) return complain(engine.error);
  const opened = await parts.open();
  if (!opened.ok) return complain(whyNotOpened(opened.error));
  const { driver } = opened.value;
  try {
    const migrated = await parts.migrate(driver);
    if (!migrated.ok) return complain(migrated.error.message);
    const db = makeCallerDb(driver);
    const caller = await findCaller(db, command.as ?? FIRST_ADMIN);
    if (!caller.ok) return complain(caller.error.message);
    const blobs = await openBlobStore(parts.config, db);
    const bar = makeProgressBar(parts.terminal);
    const importer = openImporter(driver, blobs, parts.config, engine.value);
    let shownName = '';
    const imports: Tools['imports'] = {
      db,
      blobs,
      failureText: importFailureText,
      isPassing: isPassingFailure,
      isKill: isKilledReader,
      turns: makeImportTurns(),
      maxAttempts: 1,
      beatMs: BEAT_MS,
      processes: openProcesses(db, blobs, parts.config),
      importer: {
        ...importer,
        run: (request, onProgress, signal, publish) => {
          shownName = request.files[0]?.name ?? '';
          const tell: typeof onProgress = (progress) => {
            const features = progress.features.toLocaleString('en');
            bar.show(shownName, { share: doneShare(progress), note: `${features} features` });
            onProgress(progress);
          };
          return importer.run(request, tell, signal, publish);
        },
      },
    };
    const tools: Tools = { db, blobs, caller: caller.value, imports, bar, command, parts };
    let failures = 0;
    for (const group of groups) {
      const done = await importOne(tools, group);
      bar.clear();
      if (done.ok) parts.out(`${group.base}: ${done.value}\n`);
      else {
        failures += 1;
        parts.err(`${group.base}: ${done.error.message}\n`);
      }
      if (parts.signal.aborted) return EXIT.failed;
    }
    return failures === 0 ? EXIT.done : EXIT.failed;
  } finally {
    await opened.value.close();
  }
}

export async function findCaller(db: CallerDb, name: string): Promise<Result<Caller, Failed>> {
  const account = await accountNamed(db, name);
  if (!account.ok) return err({ message: said(account.error) });
  const identity = account.value === undefined ? ok(undefined) : await identityOf(db, account.value.id);
  if (!identity.ok) return err({ message: said(identity.error) });
  if (identity.value === undefined)
    return err({ message: `there is no active account ${JSON.stringify(name)}; survest user list names them` });
  const { id, username, role } = identity.value;
  return ok({ kind: 'account', id, username, role, via: 'basic' });
}

/** What became of it, in words. */
async function importOne(tools: Tools, { base, others }: ImportFiles): Promise<Result<string, Failed>> {
  const { db, blobs, caller, command, imports, parts } = tools;
  const stored = await storeFiles(blobs, [base, ...others]);
  if (!stored.ok) return stored;
  const forget = async (): Promise<void> => {
    for (const { blob } of stored.value) await blobs.remove(blob);
  };
  const fields = {
    layer_title: command.title ?? '',
    crs: command.crs ?? '',
    charset: command.charset ?? '',
    x: command.x ?? '',
    y: command.y ?? '',
  };
  const order = parseOrder(fields, stored.value);
  if (!order.ok) {
    await forget();
    return err({ message: order.error.kind === 'empty' ? 'nothing to import' : order.error.messages.join(' ') });
  }
  const made = await createUpload(db, HELD, caller, INFO, order.value, { kind: 'new' });
  if (!made.ok) {
    if (!mayBeCommitted({ kind: 'database', error: made.error })) await forget();
    return err({ message: said(made.error) });
  }
  const { id } = made.value;
  const remove = async (): Promise<void> => {
    await deleteUpload(db, caller, INFO, id);
    await forget();
  };
  try {
    await importUpload(imports, id, parts.signal);
  } catch (error) {
    await remove();
    if (parts.signal.aborted) return err({ message: 'stopped; nothing was imported' });
    return err({ message: error instanceof Error ? error.message : String(error) });
  }
  const upload = await findUpload(db, caller, INFO, { id });
  if (!upload.ok) return err({ message: said(upload.error) });
  if (upload.value?.state === 'PROCESSED') return ok(await layersText(db, caller, upload.value));
  await remove();
  return err({ message: whyNot(upload.value) });
}

/** Nobody else is told of it: this process does the work. */
export const HELD: Pick<Jobs, 'send'> = {
  async send(_queue, data, options) {
    if (options?.within !== undefined) await holdUpload(options.within, Number(data['upload']));
    return undefined;
  },
};

async function storeFiles(
  blobs: BlobStore,
  paths: readonly string[],
): Promise<Result<readonly ReceivedFile[], Failed>> {
  const files: ReceivedFile[] = [];
  for (const [i, path] of paths.entries()) {
    const blob = makeBlobKey('uploads');
    const put = await blobs.put(blob, createReadStream(path)).catch((error: unknown) => error);
    if (put instanceof Error || typeof put !== 'object' || put === null || !('ok' in put) || put.ok !== true) {
      for (const earlier of files) await blobs.remove(earlier.blob);
      return err({ message: put instanceof Error ? put.message : 'it could not be stored' });
    }
    const { size } = await stat(path);
    files.push({ field: i === 0 ? 'base_file' : 'file', name: basename(path), blob, size });
  }
  return ok(files);
}

function whyNot(upload: UploadRow | undefined): string {
  const question = upload?.session.question;
  if (upload?.state === 'WAITING' && question?.kind === 'crs')
    return question.said ?? 'it does not say in which coordinate system it is: say so with --crs EPSG:…';
  if (upload?.state === 'WAITING' && question?.kind === 'columns') {
    const columns = question.columns.slice(0, 20).join(', ');
    return `which columns hold the coordinates? Say so with --x-column and --y-column; there are ${columns}`;
  }
  return upload?.session.error_msg ?? 'the import failed';
}

export async function layersText(db: CallerDb, caller: Caller, upload: UploadRow): Promise<string> {
  const found = await db.read(caller, INFO, [
    {
      text: `select r.id, r.alternate, r.title from portal.upload_layer l join portal.resource r on r.id = l.resource_id
              where l.upload_id = $1 order by r.id`,
      params: [String(upload.id)],
    },
  ]);
  const rows = found.ok ? found.value.flatMap(textRows) : [];
  const warnings = (upload.session.warnings ?? []).map((warning) => `\n  note: ${warning}`).join('');
  return rows.map(([id, name, title]) => `layer ${id} (${name}) "${title}"`).join(', ') + warnings;
}

export function said(error: DbError): string {
  return 'message' in error ? error.message : error.kind;
}

export function whyNotOpened(error: Failed): string {
  const isLocked = 'kind' in error && error.kind === 'folder-locked';
  return isLocked ? `${error.message}. Files can also be uploaded in the portal` : error.message;
}
