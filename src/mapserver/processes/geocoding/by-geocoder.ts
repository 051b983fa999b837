// Addresses → places by the configured geocoder: not more often than is allowed, whatever asks beside it; each address once, as long as its answer is
// kept. What was answered before a run ends, by whatever, need not be asked again by the next one.

import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CallerDb } from '../../../auth/caller-db.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { RunFault } from '../../../layer-ports/process.ts';
import { textRows } from '../../../pg/rows.ts';
import { type AskGeocoder, askGeocoder, type GeocoderFault } from '../../basemaps/geocoder.ts';
import { keepAnswer, keptAnswers, nextTurn, trimAnswers } from '../query/geocoding-sql.ts';
import type { Address, Lookup } from './lookup.ts';
import { judge, type Match, NO_MATCH, scoreOf } from './match.ts';

export type GeocoderSettings = {
  /** Without a slash at its end. */
  readonly url: string;
  /** Requests in a second, of all copies of the program together. */
  readonly perSecond: number;
  readonly maxRows: number;
  /** A run that asks for longer than this gives its place to others, and goes on later. */
  readonly turnMs?: number;
  readonly retryMs?: number;
};

const TURN_MS = 30_000;
const TIMEOUT_MS = 10_000;
const RETRY_MS = 2000;
const MAX_RETRY_MS = 30_000;
const TRIES = 3;
/** So many addresses in a row that it cannot say anything about, and it is not asked any more. */
const MAX_FAILED = 3;
const MAX_AT_ONCE = 8;
const MAX_ADDRESS = 300;
/** Answers that are kept. */
const MAX_ANSWERS = 500_000;

/** What is kept of an answer. */
type Answer =
  | { readonly found: readonly (readonly [name: string, lon: number, lat: number])[] }
  | { readonly failed: string };

export function byGeocoder(db: CallerDb, settings: GeocoderSettings): Lookup {
  const { url, perSecond, maxRows, turnMs = TURN_MS, retryMs = RETRY_MS } = settings;
  const ask = askGeocoder(url, TIMEOUT_MS);
  let until: number | undefined;
  let hasAsked = false;
  let failedInRow = 0;

  async function answerOf(query: string, signal: AbortSignal): Promise<Result<Answer, RunFault>> {
    for (let tries = 1; ; tries += 1) {
      const asked = await askInTurn(query, signal);
      if (!asked.ok) return asked;
      const answer = asked.value;
      if (answer.ok) {
        failedInRow = 0;
        return ok({ found: answer.value.map(({ name, lon, lat }) => [name, lon, lat]) });
      }
      const { error } = answer;
      if (isRefusal(error) || (tries >= TRIES && isForAll(error))) return unavailable(error);
      if (tries >= TRIES) {
        failedInRow += 1;
        return failedInRow >= MAX_FAILED ? unavailable(error) : ok({ failed: wordsOf(error) });
      }
      const wait = error.kind === 'status' ? error.retryAfterMs : undefined;
      await pause(Math.min(MAX_RETRY_MS, wait ?? retryMs * 2 ** (tries - 1)), undefined, { signal });
    }
  }

  async function askInTurn(
    query: string,
    signal: AbortSignal,
  ): Promise<Result<Awaited<ReturnType<AskGeocoder>>, RunFault>> {
    const turn = await db.service([nextTurn(perSecond)]);
    if (!turn.ok) return err({ kind: 'database', error: turn.error });
    const waitMs = Number(turn.value[0]?.rows[0]?.[0]?.toString() ?? 0);
    await pause(waitMs, undefined, { signal });
    return ok(await ask(query));
  }

  return {
    source: 'geocoder',
    maxRows,
    async find(addresses, signal, onAnswered = () => {}) {
      const queries = addresses.map(queryOf);
      const keys = queries.map((query) => keyOf(url, query));
      const kept = await db.service([keptAnswers([...new Set(keys)])]);
      if (!kept.ok) return err({ kind: 'database', error: kept.error });
      const answers = new Map<string, Answer>(
        kept.value.flatMap(textRows).map(([key, answer]) => [key ?? '', JSON.parse(answer ?? '') as Answer]),
      );
      const missing = new Map(
        keys.flatMap((key, i) => (answers.has(key) || queries[i] === '' ? [] : [[key, queries[i] ?? '']])),
      );
      const countAnswered = (): void =>
        onAnswered(keys.filter((key, i) => answers.has(key) || queries[i] === '').length);
      countAnswered();
      if (missing.size > 0) {
        if (until === undefined) {
          const trimmed = await db.service([trimAnswers(MAX_ANSWERS)]);
          if (!trimmed.ok) return err({ kind: 'database', error: trimmed.error });
          until = Date.now() + turnMs;
        }
        const rest = missing.entries();
        let fault: RunFault | undefined;
        const work = async (): Promise<void> => {
          for (const [key, query] of rest) {
            signal.throwIfAborted();
            // However short a turn is, something is asked in it.
            if (fault === undefined && hasAsked && Date.now() > (until ?? 0)) fault = { kind: 'unfinished' };
            if (fault !== undefined) return;
            hasAsked = true;
            const answer = await answerOf(query, signal);
            if (!answer.ok) {
              fault ??= answer.error;
              return;
            }
            const stored = await db.service([keepAnswer(key, JSON.stringify(answer.value))]);
            if (!stored.ok) fault ??= { kind: 'database', error: stored.error };
            answers.set(key, answer.value);
            countAnswered();
          }
        };
        await Promise.all(Array.from({ length: Math.min(MAX_AT_ONCE, Math.ceil(perSecond)) }, work));
        if (fault !== undefined) return err(fault);
      }
      return ok(addresses.map((address, i) => matchOf(address, answers.get(keys[i] ?? ''))));
    },
  };
}

/** The same however it is spaced and cased. */
function queryOf({ place, country }: Address): string {
  return [place, country]
    .map((part) => part.replace(/\s+/gu, ' ').trim())
    .filter((part) => part !== '')
    .join(', ')
    .slice(0, MAX_ADDRESS);
}

function keyOf(url: string, query: string): string {
  return createHash('sha256').update(`${url}\n${query.toLowerCase()}`).digest('hex');
}

function matchOf({ place, country }: Address, answer: Answer | undefined): Match {
  if (answer === undefined) return NO_MATCH;
  if ('failed' in answer) return { state: 'failed', candidates: [] };
  const scored = (place === '' ? country : place).slice(0, MAX_ADDRESS);
  return judge(answer.found.map(([name, lon, lat]) => ({ name, lon, lat, score: scoreOf(scored, name) })));
}

/** It does not want to be asked by us. */
function isRefusal(fault: GeocoderFault): boolean {
  return fault.kind === 'status' && (fault.status === 401 || fault.status === 403);
}

/** Whatever it is asked about. */
function isForAll(fault: GeocoderFault): boolean {
  return fault.kind === 'unreachable' || (fault.kind === 'status' && (fault.status === 429 || fault.status === 503));
}

function unavailable(fault: GeocoderFault): Result<never, RunFault> {
  return err({
    kind: 'unavailable',
    said: `The geocoder ${wordsOf(fault)}. What it has answered is kept: try again later.`,
  });
}

function wordsOf(fault: GeocoderFault): string {
  switch (fault.kind) {
    case 'status':
      if (fault.status === 429) return 'answers 429: it is asked too often';
      if (fault.status === 401 || fault.status === 403) return `answers ${fault.status}: it refuses to be asked`;
      return `answers ${fault.status}`;
    case 'timeout':
      return `does not answer within ${TIMEOUT_MS / 1000} seconds`;
    case 'unreachable':
      return 'cannot be reached, or does not answer as Nominatim does';
  }
}
