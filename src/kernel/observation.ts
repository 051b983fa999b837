// What happens in the program, as values. A stage says `observe({ kind: 'schema-loaded', … })`; the log and the metrics
// each decide what to make of it, so no stage writes text anywhere. No observation carries a secret: addresses of
// databases are named without their password, settings by their name, bearer tokens not at all.

/** How many of each thing a loaded schema cache holds. */
type SchemaSummary = {
  readonly relations: number;
  readonly relationships: number;
  readonly functions: number;
  readonly domainRepresentations: number;
  readonly mediaTypeHandlers: number;
  readonly timezones: number;
};

/** The program itself: starting, its addresses, stopping, and what must never happen. */
type ProgramObservation =
  | { readonly kind: 'starting'; readonly version: string; readonly services: readonly string[] }
  /** `address` is a URL, or the path of a socket file. */
  | { readonly kind: 'listening'; readonly service: string; readonly address: string }
  /** One of several processes ended by itself; another takes its place. */
  | { readonly kind: 'worker-lost'; readonly pid: number }
  /** A request that was answered with a status of 500 or more, and why. */
  | {
      readonly kind: 'request-failed';
      readonly id: string;
      readonly service: string;
      readonly status: number;
      readonly target: string;
      readonly cause: string;
    }
  /** Less free space than `free-space-warning`; in bytes. */
  | { readonly kind: 'space-low'; readonly folder: string; readonly free: number; readonly percent: number }
  | { readonly kind: 'stopping'; readonly reason: string }
  | { readonly kind: 'stopped'; readonly afterMs: number }
  | { readonly kind: 'mail-sent' }
  /** `retryInMs` undefined: it was given up. To whom it was is not said: addresses are people's own. */
  | {
      readonly kind: 'mail-failed';
      readonly message: string;
      readonly attempt: number;
      readonly retryInMs: number | undefined;
    }
  /** A sign-in with the provider of the settings came to nothing, or it named what is not there. No secret and no person is in it. */
  | { readonly kind: 'provider-failed'; readonly message: string }
  /** An exception nobody expected; the client saw only `id`. */
  | { readonly kind: 'bug'; readonly id: string; readonly cause: unknown };

/** Settings: what was loaded, what was left out, what was refused. Lines are ready to print and name no secret value. */
type ConfigObservation =
  | { readonly kind: 'config-loaded'; readonly from: string | undefined }
  | { readonly kind: 'config-noticed'; readonly line: string }
  /** `changed` are the settings now in force; `pending` differ but wait for a restart. */
  | { readonly kind: 'config-reloaded'; readonly changed: readonly string[]; readonly pending: readonly string[] }
  /** A reload found mistakes: the settings in force stay. */
  | { readonly kind: 'config-rejected'; readonly lines: readonly string[] }
  | { readonly kind: 'database-settings-unread'; readonly message: string };

/** The database connection, the pool, and the notification listener. */
type DatabaseObservation =
  | { readonly kind: 'database-connected'; readonly serverVersion: string; readonly engine: 'postgres' | 'pglite' }
  /** `retryInMs` undefined: it will not be tried again. */
  | { readonly kind: 'database-unreachable'; readonly message: string; readonly retryInMs: number | undefined }
  | { readonly kind: 'connection-lost'; readonly message: string }
  | { readonly kind: 'pool-sized'; readonly max: number }
  | { readonly kind: 'pool-timeout'; readonly afterMs: number }
  | { readonly kind: 'pool-connection'; readonly event: 'opened' | 'closed' | 'borrowed' | 'returned' }
  | { readonly kind: 'listener-ready'; readonly channel: string }
  | { readonly kind: 'listener-lost'; readonly channel: string; readonly message: string; readonly retryInMs: number }
  /** It listens, and hears nothing. */
  | { readonly kind: 'listener-deaf'; readonly channel: string }
  /** Reads go to a replica, or no longer do; `server` is host and port. */
  | { readonly kind: 'replica-used'; readonly server: string }
  | { readonly kind: 'replica-left-out'; readonly server: string; readonly why: string }
  | { readonly kind: 'notified'; readonly channel: string; readonly payload: string }
  /** A database error that was answered with a status of 500 or more; `body` is the JSON the client saw. */
  | { readonly kind: 'database-error'; readonly id?: string; readonly status: number; readonly body: string };

type SchemaObservation =
  | {
      readonly kind: 'schema-loaded';
      readonly queryMs: number;
      readonly buildMs: number;
      readonly summary: SchemaSummary;
    }
  /** Something of the database that the service does without, told once for as long as it is so. */
  | { readonly kind: 'schema-omitted'; readonly what: string; readonly why: string }
  /** `serving`: the cache loaded before is still in use. */
  | {
      readonly kind: 'schema-load-failed';
      readonly message: string;
      readonly serving: boolean;
      readonly retryInMs: number | undefined;
    };

/** A streamed answer was cut off, because its token has expired or its caller may no longer read it. */
type StreamCutObservation = {
  readonly kind: 'stream-cut';
  readonly id: string;
  readonly target: string;
  readonly why: 'expired' | 'no-longer-allowed';
};

/** Traces cannot be sent; told once for as long as it is so. */
type TraceObservation = { readonly kind: 'traces-refused'; readonly message: string };

/** Signing keys that are fetched from an address. */
type KeysObservation =
  | { readonly kind: 'jwks-loaded'; readonly keys: number }
  /** `kept`: keys fetched earlier stay in use. */
  | { readonly kind: 'jwks-failed'; readonly message: string; readonly kept: boolean };

/** Work that goes on after the answer. */
type JobObservation =
  | { readonly kind: 'job-failed'; readonly message: string }
  /** One attempt; `failed` may be tried again. */
  | { readonly kind: 'job-ended'; readonly queue: string; readonly end: 'done' | 'failed'; readonly tookMs: number }
  /** The machine has GDAL's programs, but they cannot be shut in: files are read by the one that comes along. */
  | { readonly kind: 'gdal-not-confined'; readonly why: string };

/** The file of a raster layer is damaged or not there; the client saw only that. */
type RasterObservation = {
  readonly kind: 'raster-unreadable';
  readonly layer: string;
  readonly message: string;
};

/** An answer that leaves as its rows come: the request was answered when it began. */
type StreamObservation =
  | { readonly kind: 'stream-started' }
  | {
      readonly kind: 'stream-ended';
      /** Of its request. */
      readonly id?: string;
      readonly how: 'complete' | 'client-left' | 'too-slow' | 'failed';
      readonly target: string;
      readonly rows: number;
      readonly bytes: number;
      readonly tookMs: number;
      /** Why it failed. */
      readonly message?: string;
    };

/** Live streams: rows, and then their changes, for as long as somebody listens. */
type LiveObservation =
  /** How many there are now: listeners, and groups of those that ask the same as the same caller. */
  | { readonly kind: 'live-now'; readonly streams: number; readonly groups: number; readonly rows: number }
  | { readonly kind: 'live-ended'; readonly ending: LiveEnd; readonly target: string; readonly message?: string }
  /** Told to each of the listeners of a group. `lagMs`: since the change, where it was one. */
  | {
      readonly kind: 'live-told';
      readonly events: number;
      readonly listeners: number;
      readonly lagMs: number | undefined;
    }
  /** The group's rows could not be read just now. */
  | { readonly kind: 'live-delayed'; readonly target: string; readonly message: string }
  /** The change log cannot be read; undefined: it can be again. */
  | { readonly kind: 'live-log-unread'; readonly message: string | undefined }
  /** Tables that are followed by logical decoding are not heard of; undefined: they are, from now on. */
  | { readonly kind: 'live-decoding'; readonly message: string | undefined }
  /** How much of the server's log has not been decoded yet. */
  | { readonly kind: 'live-decoding-lag'; readonly bytes: number }
  /** Nothing is removed from the change log; told once for as long as it is so. */
  | { readonly kind: 'live-log-unpruned'; readonly message: string };

/** `too-slow`: dropped, since too much waited for it. `ended`: by the service, for a reason that the listener was told. */
export type LiveEnd = 'client-left' | 'too-slow' | 'ended' | 'stopping';

/** One answered request, for the access log and the request metrics. */
export type RequestObservation = {
  readonly kind: 'request';
  /** As the client was told it (`X-Request-Id`). */
  readonly id?: string;
  /** Of a request that is traced. */
  readonly traceId?: string;
  readonly service: string;
  readonly atMs: number;
  readonly tookMs: number;
  /** Undefined on a socket file. */
  readonly remoteAddress: string | undefined;
  /** Undefined when authentication failed. */
  readonly role: string | undefined;
  /** Of the portal, where somebody had signed in. */
  readonly account?: { readonly id: number; readonly name: string };
  readonly method: string;
  /** What stood before the target in the address: the name of one of several databases. */
  readonly mount?: string;
  readonly target: string;
  readonly httpVersion: string;
  readonly status: number;
  /** The error's code, as the answer has it; absent where there is none. */
  readonly error?: string | undefined;
  readonly bytes: number | undefined;
  readonly referer: string | undefined;
  readonly userAgent: string | undefined;
};

/** The SQL of a request, told only when `log-query` asks for it; parameters are never part of it. */
type StatementObservation = { readonly kind: 'statement'; readonly status: number; readonly sql: string };

export type Observation =
  | ProgramObservation
  | ConfigObservation
  | DatabaseObservation
  | SchemaObservation
  | KeysObservation
  | JobObservation
  | RasterObservation
  | StreamObservation
  | LiveObservation
  | TraceObservation
  | StreamCutObservation
  | RequestObservation
  | StatementObservation;

export type Observe = (observation: Observation) => void;

/** For callers with nobody watching. */
export const unobserved: Observe = () => {};

/** Hands each observation to every observer in turn. One that throws must not take a request, or the others, with it. */
export function observeAll(...observers: readonly Observe[]): Observe {
  return (observation) => {
    for (const observe of observers) {
      try {
        observe(observation);
      } catch {
        // The observers are the log and the metrics: there is no third place to tell.
      }
    }
  };
}
