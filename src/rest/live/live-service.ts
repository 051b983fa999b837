// Live streams of a process: groups of listeners by what they ask, one reader of the change log, and one of what is decoded, for all of them, and one clock that sends
// heartbeats, ends what has expired and forgets what nobody came back to.

import type { HttpReply } from '../../http/http-message.ts';
import type { LiveEnd, Observe } from '../../kernel/observation.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ChangeBatch } from '../../pg/change-log/change-log.ts';
import type { Driver } from '../../pg/driver.ts';
import { authenticate } from '../auth/authenticate.ts';
import type { RestError } from '../errors/rest-error.ts';
import type { LivePort, LiveRead } from '../pipeline/live-port.ts';
import { nameOfRead, readAgain, tagOfRead } from '../pipeline/live-read.ts';
import type { RestState } from '../pipeline/state.ts';
import { ChangePruner } from './change-pruner.ts';
import { ChangeReader, type ReaderPace } from './change-reader.ts';
import { DecodingFeed } from './decoding-feed.ts';
import { HEARTBEAT } from './event-text.ts';
import { type GroupContext, LiveGroup } from './live-group.ts';
import { makeAskSources } from './live-sources.ts';
import { mergeChanges } from './merge-changes.ts';
import { makeQueryGate } from './query-gate.ts';

export type LiveService = LivePort & {
  start(): void;
  /** The schema or the settings in force are other ones now. */
  stateChanged(): void;
  /** Ends all streams, each with a word when to come back; no more are taken. */
  stop(): Promise<void>;
};

export type LiveServiceOptions = {
  readonly driver: Driver;
  readonly state: () => RestState;
  readonly observe: Observe;
  readonly now: () => number;
  /** Notes a bug, and says how the log calls it. */
  readonly onBug: (cause: unknown) => string;
  readonly pace?: ReaderPace;
};

const TICK_MS = 1000;
/** How often streams are read as a whole whose changes are not heard of: the log cannot be read, or decoding does not work. */
const POLLED_MS = 2000;
/** Past events of one group, and of all of them. */
const RING_BYTES = 256 * 1024;
const ALL_RING_BYTES = 64 * 1024 * 1024;

export function makeLiveService(options: LiveServiceOptions): LiveService {
  const { driver, observe, now } = options;
  const groups = new Map<string, LiveGroup>();
  const gate = makeQueryGate(driver);
  const askSources = makeAskSources(driver, now);
  const pruner = new ChangePruner(driver, now, (message) => observe({ kind: 'live-log-unpruned', message }));
  let reader: ChangeReader | undefined;
  let feed: DecodingFeed | undefined;
  let polledAt = 0;
  let tick: NodeJS.Timeout | undefined;
  let streams = 0;
  let rows = 0;
  let joining = 0;
  let heartbeatAt = 0;
  let stopped = false;

  const tellNow = (): void => observe({ kind: 'live-now', streams, groups: groups.size, rows });

  function contextOf(name: string, read: LiveRead): GroupContext {
    const target = read.http.path;
    const ended = (how: LiveEnd, count: number, message?: string): void => {
      streams -= count;
      for (let i = 0; i < count; i++)
        observe({ kind: 'live-ended', ending: how, target, ...(message === undefined ? {} : { message }) });
    };
    return {
      driver,
      gate,
      askSources,
      decoding: () => feedOf().ready(),
      isPolled,
      now,
      tag: tagOfRead(read),
      position: () => reader?.position,
      ringBytes: () => Math.min(RING_BYTES, Math.floor(ALL_RING_BYTES / Math.max(1, groups.size))),
      addRows: (more) => {
        rows += more;
        return rows;
      },
      makeRoom: () => {
        for (const [other, group] of groups) if (other !== name && isIdle(group)) forget(other, group);
        return rows;
      },
      onTold: (events, listeners, lagMs) => observe({ kind: 'live-told', events, listeners, lagMs }),
      onDelayed: (error) =>
        observe({ kind: 'live-delayed', target, message: 'message' in error ? error.message : error.kind }),
      onLeft: (_, how) => ended(how, 1),
      onBug: (cause) => ({ kind: 'internal', reference: options.onBug(cause) }),
      onEnded: (error, listeners) => {
        groups.delete(name);
        const message = 'message' in error && typeof error.message === 'string' ? error.message : error.kind;
        ended(error.kind === 'live-stopping' ? 'stopping' : 'ended', listeners, message);
        tellNow();
      },
    };
  }

  function forget(name: string, group: LiveGroup): void {
    group.forget();
    groups.delete(name);
    tellNow();
  }

  function readerOf(): ChangeReader {
    reader ??= new ChangeReader({
      driver,
      now,
      ...(options.pace === undefined ? {} : { pace: options.pace }),
      onChanges: dispatch,
      onGap: () => {
        for (const group of groups.values()) group.anythingChanged();
      },
      onDecodedGap: lookAtDecoded,
      onTrouble: (message) => observe({ kind: 'live-log-unread', message }),
    });
    return reader;
  }

  function feedOf(): DecodingFeed {
    feed ??= new DecodingFeed({
      driver,
      observe,
      onTransaction: (transaction) => reader?.decoded(transaction),
      onFollowing: () => reader?.decodedGap(),
    });
    return feed;
  }

  /** Changes are not heard of, and looked for instead. */
  function isPolled(isDecoded: boolean): boolean {
    return reader?.isHeard !== true || (isDecoded && feed?.isFollowing !== true);
  }

  function lookAtDecoded(): void {
    for (const group of groups.values()) if (group.isDecoded) group.anythingChanged();
  }

  function dispatch({ changes, ageMs }: Omit<ChangeBatch, 'position'>): void {
    const at = now() - ageMs;
    const merged = mergeChanges(changes);
    for (const group of groups.values()) for (const change of merged) group.changed(change, at);
  }

  async function join(read: LiveRead, lastEventId: string | undefined): Promise<Result<HttpReply, RestError>> {
    const name = nameOfRead(read);
    let group = groups.get(name);
    if (group === undefined) {
      // Who comes and goes with another question each time leaves no more behind than those who stay.
      if (groups.size >= options.state().config.liveMaxStreams) {
        const idle = [...groups].find(([, other]) => isIdle(other));
        if (idle !== undefined) forget(...idle);
      }
      group = new LiveGroup(read, contextOf(name, read));
      groups.set(name, group);
      tick ??= setInterval(onTick, TICK_MS);
    }
    // From here on nothing is missed; what the group reads is read later.
    const joined = await group.join(lastEventId, readerOf().start());
    if (!joined.ok) return joined;
    streams += 1;
    tellNow();
    return ok({ status: 200, headers: HEADERS, stream: joined.value });
  }

  function onTick(): void {
    const at = now();
    const { liveGracePeriod, liveHeartbeat } = options.state().config;
    const beats = at >= heartbeatAt;
    if (beats) heartbeatAt = at + liveHeartbeat * 1000;
    for (const [name, group] of groups) {
      if (isIdle(group) && at - group.emptySince > liveGracePeriod * 1000) {
        forget(name, group);
        continue;
      }
      if (beats) group.tellAll(HEARTBEAT);
      void endExpired(group, at);
      if (at >= group.nextCheckAt) group.check();
    }
    const polls = at >= polledAt;
    if (polls) polledAt = at + POLLED_MS;
    for (const group of groups.values()) {
      group.tellPace();
      if (polls && isPolled(group.isDecoded)) group.anythingChanged();
    }
    if (groups.size === 0 && joining === 0) rest();
  }

  /** Nobody listens: nothing is read any more. */
  function rest(): void {
    clearInterval(tick);
    tick = undefined;
    void Promise.all([reader?.close(), feed?.close()]);
    reader = undefined;
    feed = undefined;
  }

  async function endExpired(group: LiveGroup, at: number): Promise<void> {
    const { http, who, state } = group.read;
    const { exp } = who.claims;
    if (typeof exp !== 'number' || at < exp * 1000) return;
    const still = await authenticate(http.headers, state.auth, state.auth.cookieName !== undefined);
    if (!still.ok) group.end(still.error);
  }

  return {
    async open(read, lastEventId) {
      const { liveMaxStreams } = options.state().config;
      if (stopped) return err({ kind: 'live-stopping' });
      if (streams + joining >= liveMaxStreams) return err({ kind: 'live-too-many-streams', limit: liveMaxStreams });
      joining += 1;
      try {
        return await join(read, lastEventId);
      } finally {
        joining -= 1;
      }
    },
    start() {
      if (options.state().config.dbLive !== 'off') pruner.start();
    },
    stateChanged() {
      for (const group of groups.values())
        void readAgain(group.read, options.state()).then((read) => {
          if (read.ok) group.planned(read.value);
          // While there is no schema, nothing is known to be impossible.
          else if (read.error.kind !== 'schema-cache-missing') group.end(read.error);
        });
    },
    async stop() {
      stopped = true;
      pruner.close();
      for (const group of [...groups.values()]) group.end({ kind: 'live-stopping' });
      clearInterval(tick);
      tick = undefined;
      await Promise.all([reader?.close(), feed?.close()]);
      reader = undefined;
      feed = undefined;
    },
  };
}

/** Nobody listens, and nobody is about to. */
function isIdle(group: LiveGroup): boolean {
  return group.listeners.size === 0 && group.waiting === 0;
}

const HEADERS: HttpReply['headers'] = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  // Proxies that collect answers before they pass them on (nginx) do not do so with this one.
  ['X-Accel-Buffering', 'no'],
];
