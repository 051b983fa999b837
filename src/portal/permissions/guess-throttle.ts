// Slows down guessing of names: permissions for somebody who does not exist are refused with 400, which tells that nobody has the name. After as many
// refusals as nobody needs for work, the writes of an account wait, a second for each refusal. In the memory of this copy of the program.

import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../kernel/clock.ts';
import { isSafeMethod } from '../accounts/csrf.ts';

/** Refusals that cost nothing. They come back one each second. */
const FREE = 60;
const SECOND_MS = 1000;
const LONGEST_MS = 600_000;
const MAX_ACCOUNTS = 20_000;

export type GuessThrottle = {
  /** Seconds until the account may write again; 0: it may. */
  wait(account: string): number;
  refused(account: string): void;
};

export function makeGuessThrottle(clock: Clock): GuessThrottle {
  /** When all refusals of an account will be forgotten. */
  const until = new Map<string, number>();
  const owed = (account: string): number => Math.max(0, (until.get(account) ?? 0) - clock.ticks());
  return {
    wait: (account) => Math.ceil(Math.max(0, owed(account) - (FREE - 1) * SECOND_MS) / 1000),
    refused(account) {
      const owes = Math.min(owed(account) + SECOND_MS, FREE * SECOND_MS + LONGEST_MS);
      until.delete(account);
      until.set(account, clock.ticks() + owes);
      const oldest = until.size > MAX_ACCOUNTS ? until.keys().next() : undefined;
      if (oldest?.done === false) until.delete(oldest.value);
    },
  };
}

const NAMES_SOMEBODY = /\/(?:set_perms|permissions|members|invite|transfer|hand_over)$|^\/api\/v2\/uploads/;

/** A write that may say who is to get something. */
export function namesSomebody({ method, routeOptions, body }: FastifyRequest): boolean {
  if (isSafeMethod(method)) return false;
  if (NAMES_SOMEBODY.test(routeOptions.url ?? '')) return true;
  return typeof body === 'object' && body !== null && ('permissions' in body || 'perms' in body);
}
