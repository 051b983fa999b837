// One request on its way through the service, with what it may need: nothing rides along on the request itself.

import type { StreamGate } from '../../auth/stream-gate.ts';
import type { HttpRequest } from '../../http/http-message.ts';
import type { RequestTrace } from '../../http/tracing/tracer.ts';
import type { CancelSignal, Driver } from '../../pg/driver.ts';
import type { Replicas } from '../../pg/replicas/replicas.ts';
import type { Who } from '../auth/authenticate.ts';
import type { StreamEnd } from '../run/stream-rows.ts';
import type { LimitRate } from '../schema-cache/limits.ts';
import type { RequestMemory } from './client-info.ts';
import type { LivePort } from './live-port.ts';
import type { OpenStreams, StreamCut } from './open-streams.ts';
import type { LoadedState, RestState } from './state.ts';
import type { Stopwatch } from './stopwatch.ts';

export type Streaming = {
  readonly gate: StreamGate;
  readonly onStart: () => void;
  readonly onEnd: (end: StreamEnd) => void;
  /** Undefined: nobody watches over what is under way. */
  readonly open?: OpenStreams | undefined;
  readonly onCut?: (why: StreamCut) => void;
};

export type Exchange = {
  readonly http: HttpRequest;
  readonly state: RestState;
  /** Where the client is, behind whatever proxies are trusted. */
  readonly address: string | undefined;
  /** Of the primary. */
  readonly driver: Driver;
  /** Undefined: there is one server. */
  readonly replicas?: Replicas | undefined;
  /** Undefined: this request is not traced. */
  readonly trace?: RequestTrace | undefined;
  /** Fires when the client is gone. */
  readonly signal: CancelSignal | undefined;
  readonly watch: Stopwatch;
  /** Whether somebody of this role may come now; 0, or the seconds to wait. Undefined: nobody counts. */
  readonly roleWait: ((role: string) => number) | undefined;
  /** The same for so many more at once, whoever is counted: the requests of a batch. */
  readonly moreWait?: ((role: string, requests: number) => number) | undefined;
  /** The same for a limit that an owner has set, by its name. */
  readonly limitWait?: ((key: string, rate: LimitRate) => number) | undefined;
  /** What becomes known on the way, for the log and for the words of an error. */
  readonly told: { who: Who | undefined };
  /** How answers too large for memory leave; undefined: the client cannot be given one in parts. */
  readonly streaming: (() => Streaming) | undefined;
  /** Who answers live streams; undefined: nobody does. */
  readonly live?: LivePort | undefined;
  /** Counts what is put together for the request beyond its body; undefined: nobody does. */
  readonly memory?: RequestMemory | undefined;
  /** Told the text of the main statement, where somebody wants to know. */
  readonly onMain: ((text: string) => void) | undefined;
};

/** The schema has been loaded. */
export type LoadedExchange = Exchange & { readonly state: LoadedState };
