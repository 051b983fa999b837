// The portal as one Fastify application: its API, and the pages people see.

import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { turnOf } from '../auth/caller.ts';
import type { CallerDb } from '../auth/caller-db.ts';
import type { ReplicaReads } from '../auth/replica-reads.ts';
import { clientAddress, LOOPBACK, type TrustedProxies } from '../http/client-address.ts';
import { makeRemoteFetch, type RemoteFetch } from '../http/outbound/remote-fetch.ts';
import { NO_REMOTE_HOSTS } from '../http/outbound/remote-hosts.ts';
import { makeRateLimiter } from '../http/rate-limiter.ts';
import { addVary, BY_CALLER } from '../http/vary.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { type Observe, unobserved } from '../kernel/observation.ts';
import { err } from '../kernel/result.ts';
import type { CompileExpression } from '../layer-ports/expression.ts';
import type { ProcessPort } from '../layer-ports/process.ts';
import type { DefaultSharing } from './accounts/account-parts.ts';
import { makeCheckPassword } from './accounts/check-password.ts';
import { isSafeMethod } from './accounts/csrf.ts';
import { type Identify, makeIdentify } from './accounts/identify.ts';
import type { MailLinkParts } from './accounts/mail-link-routes.ts';
import { noteCaller } from './accounts/note-caller.ts';
import { makeProviderClient } from './accounts/provider/provider-client.ts';
import { CALLBACK, type ProviderParts } from './accounts/provider/provider-routes.ts';
import type { ProviderSettings } from './accounts/provider/provider-settings.ts';
import { withReadPoints } from './accounts/read-points.ts';
import { registerAccounts } from './accounts/register-accounts.ts';
import { makeSealing } from './accounts/sealed.ts';
import type { Challenge } from './accounts/second-factor/passkey-routes.ts';
import { makeSecondFactor } from './accounts/second-factor/second-factor.ts';
import { makeSessions } from './accounts/sessions.ts';
import { type AgentOptions, registerAgents } from './agents/register-agents.ts';
import { registerApi } from './api/register-api.ts';
import { registerRoot } from './api/root.ts';
import { registerSizeLimits } from './api/size-limit-paths.ts';
import { registerTrueAllow } from './api/true-allow.ts';
import { baseUrl } from './base-url.ts';
import { type BasemapParts, registerBasemapPaths } from './basemaps/basemap-paths.ts';
import { collectRoutes } from './description/described-route.ts';
import { registerErrors } from './errors/register-errors.ts';
import { ourAddress } from './geonode-compat/our-address.ts';
import { followMode, type ModeCell } from './mode/follow-mode.ts';
import { registerModePaths } from './mode/mode-paths.ts';
import { registerModeGate } from './mode/register-mode-gate.ts';
import { makeBearerTokens } from './oidc/bearer-tokens.ts';
import { registerOidc } from './oidc/register-oidc.ts';
import type { SigningKeys } from './oidc/signing-keys.ts';
import type { ApiOptions } from './operations/exchange.ts';
import { makeRecordCache } from './operations/record-cache.ts';
import { registerPages } from './pages/register-pages.ts';
import { makeGuessThrottle, namesSomebody } from './permissions/guess-throttle.ts';
import type { PortalContext } from './portal-context.ts';
import { registerLineagePaths } from './processes/lineage-paths.ts';
import { registerProcesses } from './processes/process-routes.ts';
import type { Presets } from './query/presets.ts';
import { registerTurns, type TurnLimits } from './register-turns.ts';
import { registerRemotePaths } from './remote-services/remote-paths.ts';
import { registerServicePaths } from './remote-services/service-paths.ts';
import { takeLink } from './share-links/link-of-request.ts';
import { withLinks } from './share-links/with-links.ts';
import { startSendingLetters } from './social/send-letters.ts';
import { registerSources } from './sources/source-paths.ts';
import { registerCalculations } from './tables/calculation-paths.ts';
import { sendEmptyDataset } from './tables/send-empty-dataset.ts';
import type { Handled, UploadAsk } from './uploads/upload-ask.ts';
import { registerUploads, takeFilesOf, type UploadOptions } from './uploads/upload-routes.ts';

export type PortalOptions = {
  readonly db: CallerDb;
  /** See loadSigningKeys. */
  readonly keys: SigningKeys;
  /** As the settings have it; undefined: whatever address the request came to. */
  readonly publicUrl: string | undefined;
  /** What `api_preset` may name beside the packaged ones. */
  readonly presets?: Presets;
  /** Who may say for whom a request was forwarded; undefined: proxies on this machine. */
  readonly trustedProxies?: TrustedProxies;
  /** Folder of the built pages. */
  readonly webRoot: string;
  readonly version: string;
  /** Whom the pages share with what is saved in them, unless the person chooses otherwise. */
  readonly defaultSharing?: DefaultSharing;
  /** For which what was deleted rests in the bin, as the database was told. */
  readonly binDays?: number;
  /** Undefined: no letters are sent, so nobody gets a link by mail. */
  readonly mail?: MailLinkParts;
  /** An OpenID Connect provider to sign in with; needs `publicUrl`. */
  readonly provider?: ProviderSettings;
  /** What maps can be drawn on besides the packaged map. */
  readonly basemaps?: BasemapParts;
  /** Sites whose pages stories may show. */
  readonly embedHosts?: readonly string[];
  /** Administrators run SQL, unless it is false. The database has the last word. */
  readonly sqlConsole?: boolean;
  /** Asks services of other people on behalf of the pages; undefined: none are asked. */
  readonly remote?: RemoteFetch;
  /** The collections of the API; undefined: only accounts and pages are served. */
  readonly api?: ApiOptions;
  /** Applications register themselves. */
  readonly clientRegistration?: boolean;
  /** Undefined: agents are not answered. */
  readonly agents?: AgentOptions | undefined;
  /** Undefined: no layers are taken in. */
  readonly uploads?: UploadOptions;
  /** What makes layers of layers, as jobs of the same queue; undefined: nothing does. */
  readonly processes?: ProcessPort;
  /** Compiles expressions and conditions of callers; undefined: columns are not calculated. */
  readonly compileExpression?: CompileExpression;
  /** Services that the portal does not know, on its address and for its callers: the map services. */
  readonly services?: (app: FastifyInstance, context: PortalContext) => Promise<void>;
  /** Most requests of one account, or of one address of visitors. */
  readonly accountRate?: { readonly requests: number; readonly perSeconds: number } | undefined;
  /** How many requests of the API are under way at once, while the others wait. */
  readonly turns?: TurnLimits;
  /** Replicas that answer reads of `db`; undefined: there are none. */
  readonly replicas?: Pick<ReplicaReads, 'isOn' | 'position'>;
  /** Undefined: the application follows it by itself. */
  readonly mode?: ModeCell;
  readonly clock?: Clock;
  readonly observe?: Observe;
};

const LONG_AGO = 'Thu, 01 Jan 1970 00:00:00 GMT';

/** For a pool of sixteen connections. */
const TURNS: TurnLimits = { atOnce: 32, patienceMs: 10_000 };

export async function makePortalApp(options: PortalOptions): Promise<FastifyInstance> {
  const { db, keys, publicUrl, trustedProxies = LOOPBACK, clock = systemClock, observe = unobserved } = options;
  const headers = { Server: `survest/${options.version}`, 'X-Content-Type-Options': 'nosniff' };
  const app = Fastify({
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    rewriteUrl: (request) => withoutFormatSuffix(ourAddress(takeLink(request))),
    frameworkErrors: (error, request, reply) => {
      app.errorHandler(error, request as FastifyRequest, reply);
    },
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.headers(headers);
    // Everything but the built files may be another answer for another caller, refusals included.
    if (/\bpublic\b/.test(String(reply.getHeader('cache-control') ?? ''))) return;
    reply.header('Vary', addVary(reply.getHeader('vary')?.toString(), BY_CALLER));
    // QGIS 3.22 keeps an answer whatever Cache-Control says of asking again, and shows old features after an edit.
    if (!reply.hasHeader('expires')) reply.header('Expires', LONG_AGO);
  });
  collectRoutes(app);
  const answerError = registerErrors(app, observe);
  const mode = options.mode ?? (await followMode(db));
  if (options.mode === undefined) app.addHook('onClose', async () => mode.close());
  const checkPassword = makeCheckPassword(db, clock);
  // Counted on when passwords are guessed: only a proxy of ours may say what it is.
  const addressOf: PortalContext['addressOf'] = ({ socket, headers: sent }) =>
    clientAddress(socket.remoteAddress, sent, trustedProxies) ?? '';
  const secure = publicUrl?.startsWith('https:') === true;
  const sessions = makeSessions({ db, clock, addressOf, secure });
  const secondFactor = makeSecondFactor({ db, clock, secret: keys.cookieKeys[0] ?? '', secure, addressOf });
  const bearer = makeBearerTokens(db, keys, clock);
  const counting = makeCounting(app, options.accountRate, clock);
  const linking = withLinks(app, { addressOf, clock });
  const identify = linking(makeIdentify({ addressOf, sessions, checkPassword, checkToken: bearer.check }));
  const context: PortalContext = {
    db,
    addressOf,
    identify: counting(options.replicas === undefined ? identify : withReadPoints(identify, options.replicas)),
    answerError,
    baseUrl: (request) => baseUrl(publicUrl, request.host),
    presets: options.presets ?? new Map(),
    mode: mode.now,
    kept: makeRecordCache(),
    clock,
    observe,
  };
  registerModeGate(app, context);
  registerTurns(app, context, options.turns ?? TURNS);
  registerTrueAllow(app, context);
  const { mail, defaultSharing = 'private', binDays = 0, embedHosts = [], sqlConsole = true } = options;
  const provider = providerParts(options, clock);
  const { remote = makeRemoteFetch({ hosts: NO_REMOTE_HOSTS }) } = options;
  const passkeys = {
    secure,
    sealing: makeSealing<Challenge>('passkey', keys.cookieKeys[0] ?? '', CHALLENGE_SECONDS, clock),
  };
  registerAccounts(app, context, {
    checkPassword,
    secondFactor,
    sessions,
    defaultSharing,
    binDays,
    mail,
    provider,
    passkeys,
    embedHosts,
    sqlConsole,
    remoteHosts: [...remote.hosts.allowed, ...remote.hosts.internal],
  });
  if (mail !== undefined) {
    const stop = startSendingLetters(db, mail.mailer, mail.publicUrl);
    app.addHook('onClose', async () => stop());
  }
  const { clientRegistration: registersClients = false } = options;
  await registerOidc(app, context, { checkPassword, secondFactor, sessions, keys, bearer, headers, registersClients });
  registerRoot(app, context);
  registerModePaths(app, context, mode);
  const { basemaps = NO_BASEMAPS } = options;
  registerBasemapPaths(app, context, basemaps);
  registerRemotePaths(app, context, remote);
  registerServicePaths(app, context, remote);
  app.addHook('onClose', async () => remote.close());
  if (options.api !== undefined) {
    const takeForm = options.uploads === undefined ? undefined : takeFilesOf(context, options.uploads, sessions);
    await registerApi(app, context, options.api, takeForm === undefined ? undefined : { takeForm });
    if (options.compileExpression !== undefined)
      registerCalculations(app, context, options.compileExpression, ['/api/v2/layers', '/api/v2/datasets']);
  }
  if (options.uploads !== undefined) {
    const emptyDataset = (ask: UploadAsk): Promise<Handled> => sendEmptyDataset(context, ask);
    await registerUploads(app, context, { ...options.uploads, emptyDataset }, sessions);
    if (options.processes !== undefined) {
      const parts = { processes: options.processes, jobs: options.uploads.jobs };
      registerProcesses(app, context, parts);
      registerLineagePaths(app, context, parts, ['/api/v2/layers', '/api/v2/datasets']);
    }
    const { blobs, jobs } = options.uploads;
    registerSources(app, context, { db, blobs, jobs, remote }, ['/api/v2/layers', '/api/v2/datasets']);
    registerSizeLimits(app, context, {
      datasetBytes: options.uploads.limits.maxBytes,
      documentBytes: options.api?.maxDocumentBytes,
    });
  }
  if (options.services !== undefined) await options.services(app, context);
  if (options.agents !== undefined)
    await registerAgents(app, context, { ...options.agents, keys, bearer, version: options.version, publicUrl });
  app.get('/health', async () => ({ status: 'ok' }));
  const frames = embedHosts.map((host) => `https://${host}`);
  await registerPages(app, options.webRoot, () => ({ basemaps: basemaps.sites(), frames }));
  await app.ready();
  return app;
}

/** How long somebody may look for the device with the passkey. */
const CHALLENGE_SECONDS = 300;

/** How long somebody may take at the provider. */
const PROVIDER_SECONDS = 900;

function providerParts({ provider, publicUrl, keys }: PortalOptions, clock: Clock): ProviderParts | undefined {
  if (provider === undefined || publicUrl === undefined) return undefined;
  return {
    settings: provider,
    client: makeProviderClient(provider, `${publicUrl}${CALLBACK}`, clock),
    sealing: makeSealing('provider sign-in', keys.cookieKeys[0] ?? '', PROVIDER_SECONDS, clock),
    publicUrl,
  };
}

const NO_BASEMAPS: BasemapParts = {
  list: async () => ({ defaultId: undefined, basemaps: [], unreadable: [] }),
  cell: { now: () => [], refresh: async () => {}, close: () => {} },
  settings: [],
  sites: () => [],
};

/**
 * Who asks stands in the log, and may not ask more often than the settings say. A request counts once, however often it is looked at. Names of
 * accounts are not tried out at the pace of work, whatever the settings say.
 */
function makeCounting(
  app: FastifyInstance,
  rate: PortalOptions['accountRate'],
  clock: Clock,
): (identify: Identify) => Identify {
  const limiter = makeRateLimiter();
  const guesses = makeGuessThrottle(clock);
  const counted = new WeakMap<object, string>();
  app.addHook('onResponse', async (request, reply) => {
    const key = counted.get(request.raw);
    if (key !== undefined && reply.statusCode === 400 && namesSomebody(request)) guesses.refused(key);
  });
  return (identify) => async (request) => {
    const who = await identify(request);
    if (!who.ok) return who;
    noteCaller(request.raw, who.value);
    if (counted.has(request.raw)) return who;
    const key = turnOf(who.value);
    counted.set(request.raw, key);
    const wait = Math.max(
      rate === undefined ? 0 : limiter.take(key, rate, clock.now()),
      isSafeMethod(request.method) ? 0 : guesses.wait(key),
    );
    return wait === 0 ? who : err({ kind: 'throttled', retryAfterSeconds: wait });
  };
}

/** `/api/v2/uploads/5.json` is `/api/v2/uploads/5`. */
function withoutFormatSuffix(url: string): string {
  return url.startsWith('/api/v2/') ? url.replace(/^([^?]*[^/?])\.json\/?(?=\?|$)/, '$1') : url;
}
