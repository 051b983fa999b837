// The second factor of an account, for its owner: GET /account/second-factor; POST …/totp begins, with proof, since whoever holds a stolen session could lock
// the owner out; PUT …/totp with the first code switches it on, DELETE …/totp with a code takes it away, POST …/recovery-codes with a code makes new ones. DELETE /api/v2/users/{id}/second-factor is for administrators.
// POST /account/login/second is the second step of signing in.

import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../auth/caller.ts';
import { base32, stepOfCode, totpAddress } from '../../../auth/totp.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { Param, Row } from '../../../pg/driver.ts';
import { described } from '../../description/described-route.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import type { PortalContext } from '../../portal-context.ts';
import { isJsonRequest, textFields } from '../body-fields.ts';
import { parseId } from '../path-id.ts';
import { type Prove, provedByCode } from '../proof.ts';
import { SECOND_FACTOR } from './described.ts';
import { removeSecondFactor, setRecoveryCodes, takeCodeTry, takeTotp, totpOf } from './factor-store.ts';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';
import { type SecondFactor, WRONG_CODE } from './second-factor.ts';

type Known = Caller & { kind: 'account' };
type Asked = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly caller: Known };
type Handled = Promise<Result<FastifyReply, PortalError>>;

const SECRET_BYTES = 20;
const HAS_ONE: PortalError = { kind: 'bad-request', detail: 'There is a second factor already: remove it first.' };

export function registerSecondFactorRoutes(
  app: FastifyInstance,
  context: PortalContext,
  factor: SecondFactor,
  prove: Prove,
  signIn: (request: FastifyRequest, reply: FastifyReply, proved: { account: Known; fromProvider: boolean }) => Handled,
): void {
  const { db, clock, identify, answerError, baseUrl } = context;

  /** For accounts. */
  const route =
    (handle: (asked: Asked) => Handled) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const who = await identify(request);
      if (!who.ok) return answerError(request, reply, who.error);
      const caller = who.value;
      if (caller.kind === 'visitor') return answerError(request, reply, { kind: 'not-authenticated' });
      const done = await handle({ request, reply: reply.header('Cache-Control', 'no-store'), caller });
      return done.ok ? done.value : answerError(request, reply, done.error, caller);
    };
  const rowOf = async (
    { request, caller }: Asked,
    way: 'read' | 'write',
    text: string,
    ...params: Param[]
  ): Promise<Result<Row | undefined, PortalError>> => {
    const executed = await db[way](caller, { method: request.method, path: request.url }, [{ text, params }]);
    return executed.ok ? ok(executed.value[0]?.rows[0]) : err({ kind: 'database', error: executed.error });
  };
  const newCodes = async ({ reply, caller }: Asked): Handled => {
    const codes = newRecoveryCodes();
    const hashes = codes.flatMap((code) => recoveryHash(code) ?? []);
    const set = await setRecoveryCodes(db, caller.id, hashes);
    return set.ok ? ok(reply.send({ recovery_codes: codes })) : err({ kind: 'database', error: set.error });
  };

  app.get(
    '/account/second-factor',
    described(SECOND_FACTOR.state),
    route(async (asked) => {
      const row = await rowOf(asked, 'read', 'select portal.my_second_factor()');
      if (!row.ok) return row;
      return ok(asked.reply.type('application/json; charset=utf-8').send(row.value?.[0]?.toString() ?? '{}'));
    }),
  );

  app.post(
    '/account/second-factor/totp',
    described(SECOND_FACTOR.begin),
    route(async (asked) => {
      const proved = await prove(asked.request, asked.caller);
      if (!proved.ok) return proved;
      const secret = randomBytes(SECRET_BYTES);
      const begun = await rowOf(asked, 'write', 'select portal.begin_totp($1)', { binary: secret });
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
    route(async (asked) => {
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
    route(async (asked) => {
      const right = await provedByCode(factor, asked.request.body, asked.caller);
      if (!right.ok) return right;
      const removed = await removeSecondFactor(db, asked.caller.id);
      return removed.ok ? ok(asked.reply.code(204).send()) : err({ kind: 'database', error: removed.error });
    }),
  );

  app.post(
    '/account/second-factor/recovery-codes',
    described(SECOND_FACTOR.recoveryCodes),
    route(async (asked) => {
      const right = await provedByCode(factor, asked.request.body, asked.caller);
      return right.ok ? newCodes(asked) : right;
    }),
  );

  app.delete(
    '/api/v2/users/:id/second-factor',
    described(SECOND_FACTOR.reset),
    route(async (asked) => {
      const id = parseId((asked.request.params as { readonly id: string }).id);
      if (id === undefined) return err({ kind: 'not-found' });
      const row = await rowOf(asked, 'write', 'select portal.reset_second_factor($1::integer)', String(id));
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
