// Proof that the owner of an account is there, before a way into it is added or removed: a session that was stolen does neither. `password` or `code` in
// the body; of who has neither, such as a person of the provider, that they signed in just now.

import type { FastifyRequest } from 'fastify';
import type { AccountCaller } from '../../auth/caller.ts';
import type { CallerDb } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { membersOf, textFields } from './body-fields.ts';
import type { CheckPassword } from './check-password.ts';
import { type SecondFactor, WRONG_CODE } from './second-factor/second-factor.ts';
import type { Sessions } from './sessions.ts';

type Proved = Promise<Result<undefined, PortalError>>;

/** What a proof is held against. */
export type ProofParts = {
  readonly checkPassword: CheckPassword;
  readonly secondFactor: SecondFactor;
  readonly sessions: Sessions;
};

export type Prove = (request: FastifyRequest, caller: AccountCaller) => Proved;

const NOT_FRESH = 'Sign in again, then do this within ten minutes.';

/** The body has a right code. */
export async function provedByCode(factor: SecondFactor, body: unknown, caller: AccountCaller): Proved {
  const given = textFields(body, ['code']);
  if (!given.ok) return given;
  const right = await factor.check(caller, given.value.code);
  if (!right.ok) return right;
  return right.value ? ok(undefined) : err(WRONG_CODE);
}

export function makeProof(
  { db, addressOf }: { readonly db: CallerDb; readonly addressOf: (request: FastifyRequest) => string },
  { checkPassword, secondFactor, sessions }: ProofParts,
): Prove {
  const byPassword: Prove = async (request, caller) => {
    const given = textFields(request.body, ['password']);
    if (!given.ok) return given;
    const { password } = given.value;
    const right = await checkPassword({ username: caller.username, password, address: addressOf(request) });
    if (right.ok) return right.value.id === caller.id ? ok(undefined) : fieldError('password', WRONG_PASSWORD);
    const isWrong = right.error.kind === 'bad-credentials' && right.error.reason === 'password';
    return isWrong ? fieldError('password', WRONG_PASSWORD) : right;
  };

  return async (request, caller) => {
    const { password, code } = membersOf(request.body);
    if (password !== undefined) return byPassword(request, caller);
    if (code !== undefined) return provedByCode(secondFactor, request.body, caller);
    const session = await sessions.find(request);
    if (!session.ok) return session;
    const token = session.value === undefined ? Buffer.alloc(0) : session.value.hash;
    const executed = await db.service([
      {
        text: 'select has_password, has_code, is_fresh from portal.proofs_of($1::integer, $2)',
        params: [String(caller.id), { binary: token }],
      },
    ]);
    if (!executed.ok) return err({ kind: 'database', error: executed.error });
    const [hasPassword, hasCode, isFresh] = executed.value[0]?.rows[0]?.map((cell) => cell?.toString() === 't') ?? [];
    if (hasPassword === true) return fieldError('password', 'This field is required.');
    if (hasCode === true) return fieldError('code', 'This field is required.');
    return isFresh === true ? ok(undefined) : fieldError('non_field_errors', NOT_FRESH);
  };
}

const WRONG_PASSWORD = 'This password is wrong.';

function fieldError(field: string, message: string): Result<never, PortalError> {
  return err({ kind: 'invalid-fields', fields: { [field]: [message] } });
}
