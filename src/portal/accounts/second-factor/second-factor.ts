// The second step of signing in. Who has proved the first keeps a sealed ticket in a cookie, and with a code of the app, or a recovery code, is signed
// in. Tries are counted in the database, so that six digits cannot be guessed from many addresses or on many copies of the program.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallerDb } from '../../../auth/caller-db.ts';
import { stepOfCode } from '../../../auth/totp.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import { type Account, identityOf, noteSignIn } from '../account-store.ts';
import { cookieLine, readCookie } from '../cookies.ts';
import { makeSealing } from '../sealed.ts';
import { takeCodeTry, takeRecoveryCode, takeTotp, totpOf } from './factor-store.ts';
import { recoveryHash } from './recovery-codes.ts';

/** Somebody who has proved the first factor, and how they came. */
type FirstProved = { readonly account: Account; readonly fromProvider: boolean };

export type SecondFactor = {
  /** The reply keeps who it was for the second step. */
  ask(reply: FastifyReply, account: Account, fromProvider: boolean): Promise<void>;
  /** Who it was, with the right code; the ticket is gone then. */
  finish(request: FastifyRequest, reply: FastifyReply, code: string): Promise<Result<FirstProved, PortalError>>;
  /** Whether the code is one of this account. Every try counts. */
  check(account: Pick<Account, 'id'>, code: string): Promise<Result<boolean, PortalError>>;
};

export type SecondFactorSettings = {
  readonly db: CallerDb;
  readonly clock: Clock;
  readonly secret: string;
  readonly secure: boolean;
  readonly addressOf: (request: FastifyRequest) => string;
};

type Ticket = { readonly account: number; readonly fromProvider: boolean };

const COOKIE = 'second_step';
const TICKET_SECONDS = 600;
const RETRY_SECONDS = 300;

export const WRONG_CODE: PortalError = {
  kind: 'invalid-fields',
  fields: { code: ['This code is wrong, or was used already.'] },
};
export const TOO_LATE: PortalError = {
  kind: 'invalid-fields',
  fields: { code: ['This took too long. Sign in again.'] },
};

export function makeSecondFactor({ db, clock, secret, secure, addressOf }: SecondFactorSettings): SecondFactor {
  const sealing = makeSealing<Ticket>('second step', secret, TICKET_SECONDS, clock);
  const setCookie = (reply: FastifyReply, value: string, maxAge: number): void => {
    reply.header('Set-Cookie', cookieLine(COOKIE, value, { maxAge, secure, httpOnly: true }));
  };

  const check: SecondFactor['check'] = async ({ id }, code) => {
    const digits = code.slice(0, 100).replace(/\s/g, '');
    if (!/^\d{6}$/.test(digits)) {
      const hash = recoveryHash(code);
      return hash === undefined ? ok(false) : stored(await takeRecoveryCode(db, id, hash));
    }
    const allowed = await takeCodeTry(db, id);
    if (!allowed.ok) return err({ kind: 'database', error: allowed.error });
    if (!allowed.value) return err({ kind: 'throttled', retryAfterSeconds: RETRY_SECONDS });
    const totp = await totpOf(db, id);
    if (!totp.ok) return err({ kind: 'database', error: totp.error });
    if (totp.value === undefined || !totp.value.isConfirmed) return ok(false);
    const step = stepOfCode(totp.value.secret, digits, clock.now());
    return step === undefined ? ok(false) : stored(await takeTotp(db, id, step, false));
  };

  return {
    check,
    async ask(reply, account, fromProvider) {
      setCookie(reply, await sealing.seal({ account: account.id, fromProvider }), TICKET_SECONDS);
    },
    async finish(request, reply, code) {
      const ticket = await sealing.open(readCookie(request.headers.cookie, COOKIE));
      if (ticket === undefined) return err(TOO_LATE);
      // As it is now: it may have been switched off meanwhile, or have another role.
      const identity = await identityOf(db, ticket.account);
      if (!identity.ok) return err({ kind: 'database', error: identity.error });
      if (identity.value === undefined) return err(TOO_LATE);
      const { id, username, role } = identity.value;
      const right = await check({ id }, code);
      if (!right.ok) return right;
      if (!right.value) {
        await noteSignIn(db, username, addressOf(request), false);
        return err(WRONG_CODE);
      }
      setCookie(reply, '', 0);
      return ok({ account: { id, username, role }, fromProvider: ticket.fromProvider });
    },
  };
}

function stored(result: Awaited<ReturnType<typeof takeTotp>>): Result<boolean, PortalError> {
  return result.ok ? result : err({ kind: 'database', error: result.error });
}
