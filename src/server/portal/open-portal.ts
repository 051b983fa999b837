// The portal of a process, or the workers of one: migrations, files, jobs, addresses, demo. Loaded only where there is a portal: `survest rest`
// needs none of it, and starts in half the time without.

import { makeReplicaReads } from '../../auth/replica-reads.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { type ClosingStack, openTogether } from '../../kernel/closing-stack.ts';
import type { Observe } from '../../kernel/observation.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Driver } from '../../pg/driver.ts';
import type { Replicas } from '../../pg/replicas/replicas.ts';
import { startSweeping } from '../../portal/accounts/sweep.ts';
import { followMode, type ModeCell } from '../../portal/mode/follow-mode.ts';
import { startHeartbeat } from '../../portal/monitoring/heartbeat.ts';
import { countOperation, type OperationCounter } from '../../portal/monitoring/operation-counts.ts';
import { makeSessionBearer, type SessionBearer } from '../../portal/oidc/session-bearer.ts';
import { startFillingSearch } from '../../portal/query/fill-search.ts';
import { startEmptyingBin } from '../../portal/trash/empty-trash.ts';
import type { ServerConfig, Services } from '../config/config.ts';
import { makeDemo } from '../demo/make-demo.ts';
import { VERSION } from '../version.ts';
import { openBasemaps } from './open-basemaps.ts';
import { openBlobStore, openFilePlace } from './open-blob-store.ts';
import { openHarvesting } from './open-harvesting.ts';
import { openImports } from './open-imports.ts';
import { openOverviews } from './open-overviews.ts';
import { type AskRest, openPortalApp } from './open-portal-app.ts';
import { openThumbnails } from './open-thumbnails.ts';
import type { Handler, PrepareError } from './portal-gate.ts';
import { preparePortal, withPortalTokens } from './prepare-portal.ts';

export type PortalServices = Exclude<Services, 'rest'>;

export type PortalSettings = {
  readonly driver: Driver;
  readonly config: ServerConfig;
  readonly services: PortalServices;
  readonly settingsFile: string | undefined;
  readonly replicas: Replicas | undefined;
  readonly observe: Observe;
  readonly askRest: AskRest;
};

export type OpenedPortal = {
  readonly handler: Handler;
  /** Where files are stored, to be asked whether it is there. */
  readonly files: BlobStore;
  readonly mode: ModeCell;
  /** Undefined: nobody reads metrics. */
  readonly counter: OperationCounter | undefined;
  readonly sessionBearer: SessionBearer;
  /** The settings of a REST service that takes the portal's tokens. */
  withTokens(settings: ServerConfig): ServerConfig;
  /** The first sign of a stop: the list of copies shows it, and whoever follows an upload is told that there is no more news. */
  stopping(): Promise<void>;
};

/** What it opens is closed with `open`. */
export function openPortal(settings: PortalSettings, open: ClosingStack): Promise<Result<OpenedPortal, PrepareError>> {
  return openTogether(open, (own) => openParts(settings, own));
}

async function openParts(
  { driver, config, services, settingsFile, replicas, observe, askRest }: PortalSettings,
  open: ClosingStack,
): Promise<Result<OpenedPortal, PrepareError>> {
  const parts = await preparePortal(driver, config);
  if (!parts.ok) return parts;
  const { db, keys, callerDbOn } = parts.value;
  const blobs = await openBlobStore(config, db);
  const mode = await followMode(db);
  open.defer(() => mode.close());
  const basemaps = await openBasemaps({ db, config, blobs, observe });
  open.defer(() => basemaps.close());
  const counter = config.adminServerPort === undefined ? undefined : await countOperation(db);
  open.defer(() => counter?.close());
  const heartbeat = await startHeartbeat({ db, version: VERSION, services });
  open.defer(() => heartbeat.end());
  // A portal of its own leaves the jobs to workers.
  const works = services !== 'portal';
  // While nothing, or nobody else, is to write, no further job is begun.
  const isPaused = (): boolean => mode.now().kind !== 'normal';
  const opened = await openImports({ ...parts.value, driver, blobs, config, observe, isPaused, works, settingsFile });
  if (!opened.ok) return opened;
  const imports = opened.value;
  open.defer(() => imports.stop());
  if (works) {
    const { jobs } = imports;
    const thumbnails = await openThumbnails({ db, driver, blobs, jobs, observe, config, basemaps });
    open.defer(() => thumbnails.stop());
    await openOverviews({ db, jobs, observe });
    await openHarvesting({ db, blobs, jobs, config });
  }
  const portal = {
    files: await openFilePlace(config),
    mode,
    counter,
    sessionBearer: makeSessionBearer(parts.value),
    withTokens: (rest: ServerConfig) => withPortalTokens(rest, keys),
    async stopping() {
      void heartbeat.stopping();
      await imports.stopWatching();
    },
  };
  if (services === 'worker') return ok({ ...portal, handler: (_request, response) => response.destroy() });
  open.defer(startSweeping(db));
  open.defer(startFillingSearch(db));
  open.defer(startEmptyingBin(db, blobs));
  // Jobs read what they have just written, or were told of: only requests are answered by replicas.
  const reads = replicas && makeReplicaReads(db, replicas, callerDbOn);
  const app = await openPortalApp({
    ...(reads === undefined ? { db } : { db: reads.db, replicas: reads }),
    keys,
    config,
    blobs,
    basemaps,
    imports,
    mode,
    observe,
    askRest,
  });
  if (services === 'all' && config.demo && config.database !== undefined) startDemo();
  return ok({ ...portal, handler: (request, response) => app.routing(request, response) });

  function startDemo(): void {
    const stop = new AbortController();
    const demo = makeDemo({ app, db, dataDir: config.dataDir, observe, signal: stop.signal });
    open.defer(() => {
      stop.abort();
      return demo;
    });
  }
}
