// The second factor of an account, for its owner: GET /account/second-factor; POST …/totp begins, with proof, since whoever holds a stolen session could lock
// the owner out; PUT …/totp with the first code switches it on, DELETE …/totp with a code takes it away, POST …/recovery-codes with a code makes new ones. DELETE /api/v2/users/{id}/second-factor is for administrators.
// POST /account/login/second is the second step of signing in.

import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountCaller } from '../../../auth/caller.ts';
import { base32, stepOfCode, totpAddress } from '../../../auth/totp.ts';
import { err, ok } from '../../../kernel/result.ts';
import { described } from '../../description/described-route.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import type { PortalContext } from '../../portal-context.ts';
import { type Asked, accountRoute, accountRow, type Handled } from '../account-route.ts';
import { isJsonRequest, textFields } from '../body-fields.ts';
import { parseId } from '../path-id.ts';
import { type Prove, provedByCode } from '../proof.ts';
import { SECOND_FACTOR } from './described.ts';
import { removeSecondFactor, setRecoveryCodes, takeCodeTry, takeTotp, totpOf } from './factor-store.ts';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';
import { type SecondFactor, WRONG_CODE } from './second-factor.ts';

const SECRET_BYTES = 20;
const HAS_ONE: PortalError = { kind: 'bad-request', detail: 'There is a second factor already: remove it first.' };

export function registerSecondFactorRoutes(
  app: FastifyInstance,
  context: PortalContext,
  factor: SecondFactor,
  prove: Prove,
  signIn: (
    request: FastifyRequest,
    reply: FastifyReply,
    proved: { account: AccountCaller; fromProvider: boolean },
  ) => Handled,
): void {
  const { db, clock, answerError, baseUrl } = context;
  const newCodes = async ({ reply, caller }: Asked): Handled => {
    const codes = newRecoveryCodes();
    const hashes = codes.flatMap((code) => recoveryHash(code) ?? []);
    const set = await setRecoveryCodes(db, caller.id, hashes);
    return set.ok ? ok(reply.send({ recovery_codes: codes })) : err({ kind: 'database', error: set.error });
  };

  app.get(
    '/account/second-factor',
    described(SECOND_FACTOR.state),
    accountRoute(context, async (asked) => {
      const row = await accountRow(context, asked, 'read', 'select portal.my_second_factor()');
      if (!row.ok) return row;
      return ok(asked.reply.type('application/json; charset=utf-8').send(row.value?.[0]?.toString() ?? '{}'));
    }),
  );

  app.post(
    '/account/second-factor/totp',
    described(SECOND_FACTOR.begin),
    accountRoute(context, async (asked) => {
      const proved = await prove(asked.request, asked.caller);
      if (!proved.ok) return proved;
      const secret = randomBytes(SECRET_BYTES);
      const begun = await accountRow(context, asked, 'write', 'select portal.begin_totp($1)', { binary: secret });
      if (!begun.ok) return begun;
      if (begun.value?.[0]?.toString() !== 't') return err(HAS_ONE);
      const site = new URL(baseUrl(asked.request)).host;
      const address = totpAddress(site, asked.caller.username, secret);
      return ok(asked.reply.code(201).send({ secret: base32(secret), address }));
    }),
  );

  app.put(
    '/account/second-factor/totp',
    described(SECOND_FACTOR.confirm),
    accountRoute(context, async (asked) => {
      const given = textFields(asked.request.body, ['code']);
      if (!given.ok) return given;
      const { id } = asked.caller;
      const allowed = await takeCodeTry(db, id);
      if (!allowed.ok) return err({ kind: 'database', error: allowed.error });
      if (!allowed.value) return err({ kind: 'throttled', retryAfterSeconds: 300 });
      const totp = await totpOf(db, id);
      if (!totp.ok) return err({ kind: 'database', error: totp.error });
      if (totp.value?.isConfirmed === true) return err(HAS_ONE);
      const code = given.value.code.slice(0, 100).replace(/\s/g, '');
      const step = totp.value === undefined ? undefined : stepOfCode(totp.value.secret, code, clock.now());
      if (step === undefined) return err(WRONG_CODE);
      const used = await takeTotp(db, id, step, true);
      if (!used.ok) return err({ kind: 'database', error: used.error });
      return used.value ? newCodes(asked) : err(WRONG_CODE);
    }),
  );

  app.delete(
    '/account/second-factor/totp',
    described(SECOND_FACTOR.remove),
    accountRoute(context, async (asked) => {
      const right = await provedByCode(factor, asked.request.body, asked.caller);
      if (!right.ok) return right;
      const removed = await removeSecondFactor(db, asked.caller.id);
      return removed.ok ? ok(asked.reply.code(204).send()) : err({ kind: 'database', error: removed.error });
    }),
  );

  app.post(
    '/account/second-factor/recovery-codes',
    described(SECOND_FACTOR.recoveryCodes),
    accountRoute(context, async (asked) => {
      const right = await provedByCode(factor, asked.request.body, asked.caller);
      return right.ok ? newCodes(asked) : right;
    }),
  );

  app.delete(
    '/api/v2/users/:id/second-factor',
    described(SECOND_FACTOR.reset),
    accountRoute(context, async (asked) => {
      const id = parseId((asked.request.params as { readonly id: string }).id);
      if (id === undefined) return err({ kind: 'not-found' });
      const row = await accountRow(
        context,
        asked,
        'write',
        'select portal.reset_second_factor($1::integer)',
        String(id),
      );
      if (!row.ok) return row;
      return row.value?.[0] === null ? err({ kind: 'not-found' }) : ok(asked.reply.code(204).send());
    }),
  );

  app.post('/account/login/second', described(SECOND_FACTOR.signIn), async (request, reply) => {
    const { 'content-type': type = '' } = request.headers;
    if (!isJsonRequest(request)) return answerError(request, reply, { kind: 'unsupported-media-type', type });
    const given = textFields(request.body, ['code']);
    if (!given.ok) return answerError(request, reply, given.error);
    const finished = await factor.finish(request, reply, given.value.code);
    if (!finished.ok) return answerError(request, reply, finished.error);
    const { account, fromProvider } = finished.value;
    const done = await signIn(request, reply, {
      account: { kind: 'account', ...account, via: 'session' },
      fromProvider,
    });
    return done.ok ? done.value : answerError(request, reply, done.error);
  });
}
