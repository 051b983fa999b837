// The portal with uploads, over a test database: files in, states out. Importing runs here, in worker loops like the program's,
// on PostgreSQL with GDAL's own programs, where they are installed, on the embedded engine with the GDAL that comes with us: a suite
// that runs on both engines has tried both readers.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, inject } from 'vitest';
import { makeCallerDb } from '../../../src/auth/caller-db.ts';
import type { BlobStore } from '../../../src/blobs/blob-store.ts';
import { openDiskStore } from '../../../src/blobs/disk.ts';
import type { Jobs } from '../../../src/jobs/jobs.ts';
import { openJobs } from '../../../src/jobs/open-jobs.ts';
import { findGdal } from '../../../src/mapserver/import/find-gdal.ts';
import type { ImportLimits } from '../../../src/mapserver/import/import-context.ts';
import { isKilledReader, isPassingFailure } from '../../../src/mapserver/import/import-failure.ts';
import { importFailureText } from '../../../src/mapserver/import/import-failure-text.ts';
import type { EngineChoice } from '../../../src/mapserver/import/import-task.ts';
import { makeImporter } from '../../../src/mapserver/import/importer.ts';
import type { GeocoderSettings } from '../../../src/mapserver/processes/geocoding/by-geocoder.ts';
import { makeProcesses } from '../../../src/mapserver/processes/make-processes.ts';
import type { RunLimits } from '../../../src/mapserver/processes/run-recipe.ts';
import { makeReadFile } from '../../../src/mapserver/raster/blob-source.ts';
import type { Driver } from '../../../src/pg/driver.ts';
import { makePostgresDriver } from '../../../src/pg/postgres/postgres-driver.ts';
import { makeLayerAccess } from '../../../src/portal/layers/layer-access.ts';
import type { PortalOptions } from '../../../src/portal/portal-app.ts';
import { type ImportService, startImports } from '../../../src/portal/uploads/import-service.ts';
import { makeImportTurns } from '../../../src/portal/uploads/import-turns.ts';
import { noteBlobs } from '../../../src/portal/uploads/noted-blobs.ts';
import { type UploadWatch, watchUploads } from '../../../src/portal/uploads/upload-watch.ts';
import type { mountMapServices } from '../../../src/server/portal/mount-map-services.ts';
import { openPreview } from '../../../src/server/portal/open-imports.ts';
import { onEachEngine, type SuiteOptions, type TestDatabase } from '../../testkit/database.ts';
import { type GdalProgram, makeGdalPrograms } from '../../testkit/gdal-programs.ts';
import { type AccountName, openPortal, type Portal, type PortalClient } from '../../testkit/portal-client.ts';
import { PORTAL_SCHEMA } from '../../testkit/portal-schema.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';

export type UploadKit = {
  readonly portal: Portal;
  readonly db: TestDatabase;
  readonly folder: string;
  readonly blobs: BlobStore;
  readonly jobs: Jobs;
  readonly imports: ImportService;
  readonly driver: Driver;
  /** Writes a file into the folder; returns its path. */
  write(name: string, content: string | Uint8Array): string;
  /** Makes files in the folder with a program of GDAL's. */
  gdal(program: GdalProgram, ...args: string[]): Promise<string>;
  /** Sends files, by path or as name and content. */
  send(
    as: AccountName | PortalClient,
    files: readonly SentFile[],
    fields?: Readonly<Record<string, string>>,
    target?: string,
    method?: string,
  ): Promise<Reply>;
  /** Sends files and waits until the import rests: PROCESSED, INVALID or WAITING. */
  import(
    as: AccountName,
    files: readonly SentFile[],
    fields?: Readonly<Record<string, string>>,
    target?: string,
  ): Promise<Upload>;
  /** Waits until the upload is in one of the states. */
  until(id: number, states?: readonly string[]): Promise<Upload>;
  /** As a program that starts alone on this database: looks after what was left, and works. */
  startWorkers(): Promise<{ stop(): Promise<void> }>;
  /** Keys in the blob store. */
  stored(): Promise<string[]>;
  /** Tables in `layers` and `staging`, work folders: what imports could leave behind. */
  left(): Promise<{ tables: string[]; staged: string[]; runs: number }>;
};

export type SentFile =
  | string
  | { readonly name: string; readonly content: string | Uint8Array; readonly field?: string };

export type Upload = {
  readonly id: number;
  readonly import_id: number;
  readonly state: string;
  readonly name: string;
  readonly resource_id: number | null;
  readonly session: Readonly<Record<string, unknown>>;
};

export type KitOptions = SuiteOptions & {
  readonly gdal?: 'native' | 'wasm';
  readonly limits?: Partial<ImportLimits>;
  readonly geocoder?: GeocoderSettings | undefined;
  readonly processLimits?: Partial<RunLimits>;
  readonly receive?: { readonly maxBytes?: number; readonly maxFiles?: number };
  /** Of files and work; one that is given stays. */
  readonly folder?: string;
  /** Map services on the same address. */
  readonly services?: typeof mountMapServices;
  /** None: what is sent waits. */
  readonly workers?: number;
  readonly mail?: PortalOptions['mail'];
  readonly agents?: PortalOptions['agents'];
  /** Asks addresses that layers follow. */
  readonly remote?: PortalOptions['remote'];
  /** Errors of the service that the tests bring about. */
  readonly expects?: RegExp;
};

/** What is tried again after a second is not to wait for the next look, too. */
const POLL_MS = 100;

export const RESTING: readonly string[] = ['PROCESSED', 'INVALID', 'WAITING'];

export function onUploads(name: string, options: KitOptions, suite: (kit: () => UploadKit) => void): void {
  onEachEngine(name, { ...options, fixtures: [...PORTAL_SCHEMA, ...(options.fixtures ?? [])] }, (db) => {
    let kit: (UploadKit & { close(): Promise<void> }) | undefined;
    beforeAll(async () => {
      kit = await openKit(db(), options);
    });
    afterAll(async () => {
      await kit?.close();
    });
    suite(() => {
      if (kit === undefined) throw new Error('the kit is there once the tests run');
      return kit;
    });
  });
}

export async function openKit(db: TestDatabase, options: KitOptions): Promise<UploadKit & { close(): Promise<void> }> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'survest-uploads-'));
  const programs = makeGdalPrograms(folder);
  const driver = db.uri === undefined ? db.driver : makePostgresDriver({ uri: asAuthenticator(db.uri), poolSize: 6 });
  const callerDb = makeCallerDb(driver);
  const blobs = noteBlobs(await openDiskStore(join(folder, 'files')), callerDb);
  const errors: unknown[] = [];
  const jobs = await openJobs({ driver, pollMs: POLL_MS, onError: (error) => errors.push(error) });
  const watch: UploadWatch = watchUploads(driver);
  const engine: EngineChoice =
    (options.gdal ?? (db.uri === undefined ? 'wasm' : 'native')) === 'wasm' ? { kind: 'wasm' } : await findGdal();
  const importer = makeImporter({
    driver,
    blobs,
    engine,
    workFolder: join(folder, 'work'),
    reader: inject('scripts').reader,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const portal = await openPortal(db, {
    api: { blobs, enableBulkUpdate: true, enablePatchAll: false, maxDocumentBytes: 1e6, version: 'test' },
    uploads: {
      blobs,
      jobs,
      watch,
      preview: openPreview(importer),
      limits: { maxBytes: options.receive?.maxBytes ?? 1e8, maxFiles: options.receive?.maxFiles ?? 20 },
    },
    processes: makeProcesses({
      db: callerDb,
      layers: makeLayerAccess(callerDb),
      workFolder: join(folder, 'work'),
      readFile: makeReadFile(blobs),
      geocoder: options.geocoder,
    }),
    ...(options.mail === undefined ? {} : { mail: options.mail }),
    ...(options.remote === undefined ? {} : { remote: options.remote }),
    clientRegistration: options.agents !== undefined,
    agents: options.agents,
    ...(options.services === undefined ? {} : { services: options.services({ db: callerDb, blobs }) }),
  });
  const processes = makeProcesses({
    db: callerDb,
    layers: makeLayerAccess(callerDb),
    workFolder: join(folder, 'work'),
    readFile: makeReadFile(blobs),
    ...(options.processLimits === undefined ? {} : { limits: options.processLimits }),
    geocoder: options.geocoder,
  });
  const service = {
    db: callerDb,
    processes,
    blobs,
    importer,
    failureText: importFailureText,
    isPassing: isPassingFailure,
    isKill: isKilledReader,
    turns: makeImportTurns(),
    maxAttempts: 3,
    beatMs: 200,
    staleMs: 60_000,
    onError: (error: unknown): unknown => errors.push(error),
  };
  const imports = await startImports({ ...service, jobs, workers: options.workers ?? 1, isAlone: false });
  // Its look after dead and forgotten imports, twice a minute, would come between what a test leaves lying and what the test does with it.
  if (options.workers === 0) imports.stop();

  const read = async (id: number): Promise<Upload | undefined> => {
    const [row] = await db.query<Upload>(
      'select id, import_id, state, name, resource_id, session from portal.upload where id = $1',
      [id],
    );
    return row;
  };
  const until: UploadKit['until'] = (id, states = RESTING) =>
    new Promise((resolve, reject) => {
      const look = async (): Promise<void> => {
        const upload = await read(id);
        if (upload === undefined) reject(new Error(`upload ${id} is gone`));
        else if (states.includes(upload.state)) {
          unfollow();
          resolve(upload);
        }
      };
      const unfollow = watch.follow(id, () => void look().catch(reject));
      look().catch(reject);
    });
  const send: UploadKit['send'] = async (
    as,
    files,
    fields = {},
    target = '/api/v2/uploads/upload/',
    method = 'PUT',
  ) => {
    const client = typeof as === 'string' ? portal.as(as) : as;
    const form = multipart(files.map(readSent), fields);
    return client.request(method, target, { headers: { 'content-type': form.type }, body: form.body });
  };
  return {
    portal,
    db,
    folder,
    blobs,
    jobs,
    imports,
    driver,
    write(name, content) {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    gdal: (program, ...args) => programs.run(program, args),
    send,
    async import(as, files, fields, target) {
      const reply = await send(as, files, fields, target);
      if (reply.status !== 201) throw new Error(`refused: ${reply.status} ${String(reply.body)}`);
      return until(JSON.parse(String(reply.body)).upload_id);
    },
    until,
    async startWorkers() {
      const own = await openJobs({ driver, pollMs: POLL_MS, onError: (error) => errors.push(error) });
      const started = await startImports({ ...service, jobs: own, workers: 1, isAlone: true });
      return {
        async stop() {
          started.stop();
          await own.stop();
        },
      };
    },
    async stored() {
      const keys: string[] = [];
      for await (const { key } of blobs.list()) keys.push(key);
      return keys.sort();
    },
    async left() {
      const tables = await db.query<{ schema: string; name: string }>(
        `select relnamespace::regnamespace::text as schema, relname as name from pg_class
          where relkind = 'r' and relnamespace::regnamespace::text in ('layers', 'staging') and relname <> 'run' order by 2`,
      );
      const [runs] = await db.query<{ n: number }>('select count(*)::int as n from staging.run');
      return {
        tables: tables.filter(({ schema }) => schema === 'layers').map(({ name }) => name),
        staged: tables.filter(({ schema }) => schema === 'staging').map(({ name }) => name),
        runs: runs?.n ?? 0,
      };
    },
    async close() {
      programs.close();
      imports.stop();
      await jobs.stop();
      await watch.close();
      await portal.close();
      if (driver !== db.driver) await driver.close();
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
      const unexpected = errors.map((error) => inspect(error)).filter((error) => options.expects?.test(error) !== true);
      if (unexpected.length > 0) throw new Error(`errors of the service: ${unexpected.join('; ')}`);
    },
  };
}

function readSent(file: SentFile): { name: string; content: Uint8Array; field: string | undefined } {
  return typeof file === 'string'
    ? { name: basename(file), content: readFileSync(file), field: undefined }
    : { name: file.name, content: Buffer.from(file.content), field: file.field };
}

/** As clients send it: parts named by extension, the main file as base_file. */
export function multipart(
  files: readonly { readonly name: string; readonly content: Uint8Array; readonly field?: string | undefined }[],
  fields: Readonly<Record<string, string>>,
): { type: string; body: Buffer } {
  const boundary = '----survest-test-boundary';
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(fields)) {
    parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`));
  }
  for (const [i, { name, content, field }] of files.entries()) {
    const part = field ?? (i === 0 ? 'base_file' : `${name.split('.').at(-1)}_file`);
    parts.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${part}"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    );
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { type: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(parts) };
}

function asAuthenticator(uri: string): string {
  const url = new URL(uri);
  url.username = 'survest_authenticator';
  url.password = '';
  return url.href;
}

/** GeoJSON of points, or of what is given as geometry. */
export function collection(
  features: readonly { readonly properties?: unknown; readonly geometry?: unknown }[],
): string {
  return JSON.stringify({
    type: 'FeatureCollection',
    features: features.map(({ properties = {}, geometry = null }) => ({ type: 'Feature', properties, geometry })),
  });
}

export const at = (x: number, y: number): unknown => ({ type: 'Point', coordinates: [x, y] });
