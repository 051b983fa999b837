// Name and password → the account they belong to, or why not. The one place where a password is compared.

import type { CallerDb } from '../../auth/caller-db.ts';
import { verifyPassword } from '../../auth/password.ts';
import type { Clock } from '../../kernel/clock.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type Account, type Credential, credentialOf, noteSignIn } from './account-store.ts';
import { makeSignInThrottle } from './sign-in-throttle.ts';
import { makeVerifiedPasswords } from './verified-passwords.ts';

type PasswordTry = {
  readonly username: string;
  readonly password: string;
  /** Of the client, for counting its tries. */
  readonly address: string;
  /** Name and password come with every request, and nobody typed them anew. */
  readonly isSentAgain?: boolean;
};

/** An account whose password is right. Where it has a second factor, that alone signs nobody in. */
export type PasswordProved = Account & { readonly hasSecondFactor: boolean };

export type CheckPassword = (given: PasswordTry) => Promise<Result<PasswordProved, PortalError>>;

export function makeCheckPassword(db: CallerDb, clock: Clock): CheckPassword {
  const throttle = makeSignInThrottle(clock);
  const verified = makeVerifiedPasswords(clock);
  // The same wrong one again is no further guess: a client whose password was changed sends the old one with every request.
  const refused = makeVerifiedPasswords(clock);
  // A client that opens twenty connections at once makes us work out its password once.
  const running = new Map<string, Promise<Result<boolean, PortalError>>>();

  const compare = async (given: PasswordTry, stored: Credential | undefined): Promise<Result<boolean, PortalError>> => {
    const allowed = throttle.take(given.username, given.address);
    if (!allowed.ok) return err({ kind: 'throttled', ...allowed.error });
    // An account that is not there takes as long as one that is.
    const right = await verifyPassword(stored?.passwordHash, given.password);
    if (right) allowed.value.succeeded();
    const isEnough = given.isSentAgain !== true || stored?.hasSecondFactor !== true;
    const isSignIn = right && stored?.isActive === true && isEnough;
    // A session notes itself. The log that cannot be written keeps nobody from signing in with the right password.
    if (!isSignIn || given.isSentAgain === true) await noteSignIn(db, given.username, given.address, isSignIn);
    return ok(right);
  };

  const compareOnce = (given: PasswordTry, stored: Credential | undefined): Promise<Result<boolean, PortalError>> => {
    const fingerprint = verified.fingerprint(given.username, given.password, stored?.passwordHash ?? '');
    if (verified.has(fingerprint)) return Promise.resolve(ok(true));
    if (given.isSentAgain === true && refused.has(fingerprint)) return Promise.resolve(ok(false));
    const joined = running.get(fingerprint);
    if (joined !== undefined) return joined;
    const work = compare(given, stored)
      .then((compared) => {
        if (compared.ok) (compared.value ? verified : refused).add(fingerprint);
        return compared;
      })
      .finally(() => running.delete(fingerprint));
    running.set(fingerprint, work);
    return work;
  };

  return async (given) => {
    const found = await credentialOf(db, given.username);
    if (!found.ok) return err({ kind: 'database', error: found.error });
    const stored = found.value;
    const right = await compareOnce(given, stored);
    if (!right.ok) return right;
    if (stored === undefined || !right.value) return err({ kind: 'bad-credentials', reason: 'password' });
    if (!stored.isActive) return err({ kind: 'bad-credentials', reason: 'inactive' });
    const { id, username, role, hasSecondFactor } = stored;
    return ok({ id, username, role, hasSecondFactor });
  };
}
