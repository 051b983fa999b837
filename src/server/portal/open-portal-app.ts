// The portal's application with everything it is given: database, keys, files, pages.

import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { makeRemoteFetch } from '../../http/outbound/remote-fetch.ts';
import type { Observe } from '../../kernel/observation.ts';
import { listBasemaps, registerBasemaps } from '../../mapserver/basemaps/basemap-routes.ts';
import { originsOf } from '../../mapserver/basemaps/describe-basemap.ts';
import { archiveFault } from '../../mapserver/basemaps/pmtiles-archive.ts';
import { compileExpression } from '../../mapserver/compile-expression.ts';
import type { AgentOptions } from '../../portal/agents/register-agents.ts';
import { MAX_DOCUMENT_BYTES } from '../../portal/api/register-api.ts';
import { makeSmtpMailer } from '../../portal/mail/smtp-mailer.ts';
import { makePortalApp, type PortalOptions } from '../../portal/portal-app.ts';
import type { ServerConfig } from '../config/config.ts';
import { providerSettings } from '../config/provider-options.ts';
import { registerDemo } from '../demo/demo-routes.ts';
import { VERSION } from '../version.ts';
import { mountMapServices } from './mount-map-services.ts';
import type { OpenedBasemaps } from './open-basemaps.ts';
import { type OpenedImports, openProcesses } from './open-imports.ts';

export type AskRest = AgentOptions['rest'];

/** A connection's next request is there when it has ended one. */
const TURNS_PER_CONNECTION = 2;
/** The embedded engine has one connection, and requests do more than ask it. */
const LEAST_AT_ONCE = 8;
const WEB_ROOT = fileURLToPath(new URL('../../web', import.meta.url));

export async function openPortalApp(
  parts: Pick<PortalOptions, 'db' | 'keys' | 'mode' | 'replicas'> & {
    readonly config: ServerConfig;
    readonly blobs: BlobStore;
    readonly basemaps: OpenedBasemaps;
    readonly imports: OpenedImports;
    readonly observe: Observe;
    /** What tools of agents ask of the REST service. */
    readonly askRest: AskRest;
  },
): Promise<FastifyInstance> {
  const { db, keys, mode, replicas, config, blobs, imports, observe, askRest } = parts;
  const { cell, shelf, draw } = parts.basemaps;
  const {
    publicUrl,
    serverTrustedProxies: trustedProxies,
    enableBulkUpdate,
    enablePatchAll,
    defaultSharing,
    binDays,
    embedHosts,
    sqlConsole,
  } = config;
  const api = { blobs, enableBulkUpdate, enablePatchAll, maxDocumentBytes: MAX_DOCUMENT_BYTES, version: VERSION };
  const limits = { maxBytes: config.uploadMaxSize, maxFiles: config.uploadMaxFiles };
  const uploads = { blobs, jobs: imports.jobs, watch: imports.watch, preview: imports.preview, limits };
  const basemapParts = { now: cell.now, shelf, observe };
  const mapServices = mountMapServices({
    db,
    blobs,
    csvFormulaGuard: config.csvFormulaGuard,
    geocoder:
      config.geocoderUrl === undefined ? undefined : { url: config.geocoderUrl, perSecond: config.geocoderRate },
    drawNamedBasemap: draw,
  });
  const basemaps = {
    list: listBasemaps(basemapParts),
    cell,
    settings: config.basemaps.list,
    sites: () => [...new Set(cell.now().flatMap(originsOf))],
    uploads: {
      blobs,
      maxBytes: config.uploadMaxSize,
      faultOf: (key: string, size: number) => archiveFault(blobs, key, size),
    },
  };
  const services: PortalOptions['services'] = async (app, context) => {
    await mapServices(app, context);
    registerBasemaps(app, basemapParts, context.baseUrl);
    registerDemo(app, context, config.dataDir);
  };
  const pages = { webRoot: WEB_ROOT, version: VERSION, defaultSharing, binDays, basemaps, embedHosts, sqlConsole };
  const mail =
    config.mailUrl === undefined || config.mailFrom === undefined || publicUrl === undefined
      ? undefined
      : {
          mailer: makeSmtpMailer({ url: config.mailUrl, from: config.mailFrom, observe }),
          publicUrl,
          registration: config.registration,
        };
  const provider = providerSettings(config);
  const remote = makeRemoteFetch({ hosts: { allowed: config.remoteHosts, internal: config.remoteInternalHosts } });
  return makePortalApp({
    remote,
    db,
    keys,
    publicUrl,
    presets: config.apiPresets.presets,
    trustedProxies,
    ...pages,
    api,
    uploads,
    processes: openProcesses(db, blobs, config),
    compileExpression,
    services,
    clientRegistration: config.clientRegistration,
    agents: config.mcp === 'off' ? undefined : { mode: config.mcp, rest: askRest },
    ...(mail === undefined ? {} : { mail }),
    ...(provider === undefined ? {} : { provider }),
    observe,
    accountRate: config.accountRateLimit,
    turns: {
      atOnce: Math.max(LEAST_AT_ONCE, TURNS_PER_CONNECTION * config.dbPool),
      patienceMs: config.dbPoolAcquisitionTimeout * 1000,
    },
    ...(mode === undefined ? {} : { mode }),
    ...(replicas === undefined ? {} : { replicas }),
  });
}
