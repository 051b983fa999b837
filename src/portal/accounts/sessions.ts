// Login sessions over HTTP: found by a request's cookie, begun and ended with the cookies of a reply.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallerDb } from '../../auth/caller-db.ts';
import type { Clock } from '../../kernel/clock.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type Account, closeSession, openSession, sessionAccount } from './account-store.ts';
import { cookieLine, readCookie } from './cookies.ts';
import {
  CSRF_COOKIE,
  csrfToken,
  newSessionToken,
  newVisitorCsrfToken,
  SESSION_COOKIE,
  SESSION_SECONDS,
  sessionHash,
} from './session-token.ts';

export type Session = { readonly account: Account; readonly token: string; readonly hash: Buffer };

type SessionMore = {
  /** As long as one of a browser unless given. */
  readonly seconds?: number;
  /** The person was sent here by the provider of the settings, and signs out there, too. */
  readonly fromProvider?: boolean;
};

export type Sessions = {
  /** Undefined: no cookie, or one of a session that has ended. Says nothing about whether the request was forged. */
  find(request: FastifyRequest): Promise<Result<Session | undefined, PortalError>>;
  /** Ends the session the browser was in, if any: a token planted there before is worth nothing afterwards. */
  begin(
    request: FastifyRequest,
    reply: FastifyReply,
    account: Account,
    more?: SessionMore,
  ): Promise<Result<void, PortalError>>;
  end(request: FastifyRequest, reply: FastifyReply): Promise<Result<void, PortalError>>;
  /** Sets the cookie that scripts and forms repeat, and returns its value. */
  offerCsrf(request: FastifyRequest, reply: FastifyReply, session: Session | undefined): string;
  /** Takes cookies out of the browser. */
  dropCookies(reply: FastifyReply, names: readonly string[]): void;
};

export type SessionSettings = {
  readonly db: CallerDb;
  readonly clock: Clock;
  /** Where a request comes from. */
  readonly addressOf: (request: FastifyRequest) => string;
  /** People reach the portal over TLS: its cookies are for TLS only. */
  readonly secure: boolean;
};

const MAX_AGENT = 300;
const VISITOR_CSRF = /^[A-Za-z0-9_-]{43}$/;

export function makeSessions({ db, clock, addressOf, secure }: SessionSettings): Sessions {
  const setCookie = (reply: FastifyReply, name: string, value: string, maxAge: number): void => {
    reply.header('Set-Cookie', cookieLine(name, value, { maxAge, secure, httpOnly: name !== CSRF_COOKIE }));
  };

  const endOf = async (request: FastifyRequest): Promise<Result<void, PortalError>> => {
    const hash = hashIn(request);
    const closed = hash === undefined ? ok(undefined) : await closeSession(db, hash);
    return closed.ok ? closed : err({ kind: 'database', error: closed.error });
  };

  return {
    async find(request) {
      const token = tokenIn(request);
      const hash = hashIn(request);
      if (token === undefined || hash === undefined) return ok(undefined);
      const found = await sessionAccount(db, hash);
      if (!found.ok) return err({ kind: 'database', error: found.error });
      return ok(found.value === undefined ? undefined : { account: found.value, token, hash });
    },
    async begin(request, reply, account, { seconds = SESSION_SECONDS, fromProvider = false } = {}) {
      const ended = await endOf(request);
      if (!ended.ok) return ended;
      const { token, hash } = newSessionToken();
      const agent = (request.headers['user-agent'] ?? '').slice(0, MAX_AGENT);
      const by = fromProvider ? ({ by: 'provider' } as const) : {};
      const data = { kind: 'browser', agent, address: addressOf(request), ...by } as const;
      const opened = await openSession(db, hash, account.id, clock.now() + seconds * 1000, data);
      if (!opened.ok) return err({ kind: 'database', error: opened.error });
      setCookie(reply, SESSION_COOKIE, token, seconds);
      setCookie(reply, CSRF_COOKIE, csrfToken(token), seconds);
      return ok(undefined);
    },
    async end(request, reply) {
      const ended = await endOf(request);
      for (const name of [SESSION_COOKIE, CSRF_COOKIE]) setCookie(reply, name, '', 0);
      return ended;
    },
    offerCsrf(request, reply, session) {
      const kept = readCookie(request.headers.cookie, CSRF_COOKIE) ?? '';
      const visitors = VISITOR_CSRF.test(kept) ? kept : newVisitorCsrfToken();
      const value = session === undefined ? visitors : csrfToken(session.token);
      setCookie(reply, CSRF_COOKIE, value, SESSION_SECONDS);
      return value;
    },
    dropCookies(reply, names) {
      for (const name of names) setCookie(reply, name, '', 0);
    },
  };
}

function tokenIn(request: FastifyRequest): string | undefined {
  return readCookie(request.headers.cookie, SESSION_COOKIE);
}

function hashIn(request: FastifyRequest): Buffer | undefined {
  const token = tokenIn(request);
  return token === undefined ? undefined : sessionHash(token);
}
