// When the schema is loaded: whenever somebody asks, again with back-off after a failure, and, at most once a second, when a
// client had to be told that the database is unavailable. Says when there is no use in trying.

import type { Observe } from '../../kernel/observation.ts';
import { makeBackOff } from './back-off.ts';
import { describeLoadError, isFatal, type LoadError } from './load-error.ts';
import { makeReloader } from './reloader.ts';
import type { ReloadOrder, SchemaLoader } from './schema-loader.ts';
import type { StateCell } from './state-cell.ts';

export type SchemaReloads = {
  /** Resolves when a load that began after the asking has ended. */
  request(order: ReloadOrder): Promise<void>;
  /** Asks for a load, unless somebody did within the last second. */
  poke(): void;
  /** When the next attempt is due, for clients that are told to come again. */
  retryAfterSeconds(): number;
  close(): void;
};

export type SchemaReloadsOptions = {
  readonly load: SchemaLoader['load'];
  readonly observe: Observe;
  readonly cell: StateCell;
  readonly onLoaded: () => void;
  readonly onFailed: () => void;
  readonly onFatal: (message: string) => void;
  readonly now: () => number;
};

const POKE_INTERVAL_MS = 1000;

export function makeSchemaReloads(options: SchemaReloadsOptions): SchemaReloads {
  const { load, observe, cell, now } = options;
  const backOff = makeBackOff();
  let retry: NodeJS.Timeout | undefined;
  let lastPoke = 0;
  let closed = false;

  const reloader = makeReloader<ReloadOrder>(async (orders) => {
    if (closed) return;
    const loaded = await load(orders);
    if (closed) return;
    if (loaded.ok) {
      clearTimeout(retry);
      retry = undefined;
      backOff.reset();
      options.onLoaded();
    } else failed(loaded.error);
  });

  function failed(error: LoadError): void {
    options.onFailed();
    const message = describeLoadError(error);
    const { cache, config } = cell.current;
    // What has served goes on: a password is being changed, or somebody is at work in pg_hba.conf.
    const isHopeless = cache === undefined && isFatal(error);
    // Whoever asks meanwhile does not put the next attempt off.
    const isAwaited = retry !== undefined;
    const delay = (): number => (isAwaited ? backOff.current() : backOff.next());
    const retryInMs = !isHopeless && config.dbPoolAutomaticRecovery ? delay() : undefined;
    observe({ kind: 'schema-load-failed', message, serving: cache !== undefined, retryInMs });
    if (retryInMs === undefined) options.onFatal(message);
    else if (!isAwaited) retry = setTimeout(again, retryInMs);
  }

  function again(): void {
    retry = undefined;
    void reloader.request(undefined);
  }

  return {
    request: (order) => reloader.request(order),
    poke() {
      if (now() - lastPoke <= POKE_INTERVAL_MS) return;
      lastPoke = now();
      void reloader.request(undefined);
    },
    retryAfterSeconds: () => Math.ceil(backOff.current() / 1000),
    close() {
      closed = true;
      clearTimeout(retry);
    },
  };
}
