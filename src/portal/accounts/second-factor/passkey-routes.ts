// Passkeys (WebAuthn, by @simplewebauthn/server): made and removed by their account, and signing in with one, without a password. Keys live on the
// device; user verification (a finger, a PIN) is demanded, so that one is two factors. Challenges are sealed in a cookie and answered once; one for a
// new key is given to who has proved to be the owner, so that its answer needs no further proof.

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountCaller } from '../../../auth/caller.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { Param, Row } from '../../../pg/driver.ts';
import { described } from '../../description/described-route.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import type { PortalContext } from '../../portal-context.ts';
import { accountRoute, accountRow, type Handled } from '../account-route.ts';
import { type Account, identityOf, noteSignIn } from '../account-store.ts';
import { isJsonRequest, membersOf, textFields } from '../body-fields.ts';
import { cookieLine, readCookie } from '../cookies.ts';
import { parseId } from '../path-id.ts';
import type { Prove } from '../proof.ts';
import type { Sealing } from '../sealed.ts';
import { makeSignInThrottle } from '../sign-in-throttle.ts';
import { PASSKEYS } from './described.ts';

/** `account`: 0 for signing in. */
export type Challenge = { readonly challenge: string; readonly account: number };

export type PasskeyParts = {
  readonly sealing: Sealing<Challenge>;
  readonly secure: boolean;
  readonly prove: Prove;
  readonly signIn: (request: FastifyRequest, reply: FastifyReply, account: AccountCaller) => Handled;
  /** Recovery codes, for an account that has none yet; undefined: it has some. */
  readonly firstCodes: (caller: AccountCaller) => Promise<Result<readonly string[] | undefined, PortalError>>;
};

const COOKIE = 'passkey_challenge';
const MAX_NAME = 100;
const WRONG: PortalError = {
  kind: 'invalid-fields',
  fields: { response: ['This passkey could not be used. Try again.'] },
};

/** Loaded when somebody uses one. */
const library = (): Promise<typeof import('@simplewebauthn/server')> => import('@simplewebauthn/server');

export function registerPasskeyRoutes(app: FastifyInstance, context: PortalContext, parts: PasskeyParts): void {
  const { db, clock, answerError, baseUrl, addressOf } = context;
  const { sealing, secure } = parts;
  const throttle = makeSignInThrottle(clock);

  const siteOf = (request: FastifyRequest): { readonly origin: string; readonly rpID: string } => {
    const { origin, hostname } = new URL(baseUrl(request));
    return { origin, rpID: hostname };
  };
  const keep = async (reply: FastifyReply, challenge: string, account: number): Promise<void> => {
    const value = await sealing.seal({ challenge, account });
    reply.header('Set-Cookie', cookieLine(COOKIE, value, { maxAge: sealing.seconds, secure, httpOnly: true }));
  };
  /** Undefined: none was asked for by this account, in this browser. */
  const kept = async (request: FastifyRequest, reply: FastifyReply, account: number): Promise<string | undefined> => {
    const found = await sealing.open(readCookie(request.headers.cookie, COOKIE));
    reply.header('Set-Cookie', cookieLine(COOKIE, '', { maxAge: 0, secure, httpOnly: true }));
    return found?.account === account ? found.challenge : undefined;
  };
  const serviceRow = async (text: string, ...params: Param[]): Promise<Result<Row | undefined, PortalError>> => {
    const executed = await db.service([{ text, params }]);
    return executed.ok ? ok(executed.value[0]?.rows[0]) : err({ kind: 'database', error: executed.error });
  };

  /** For who is not signed in yet; a page of another site cannot send JSON. */
  const forAll =
    (handle: (request: FastifyRequest, reply: FastifyReply) => Handled) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { 'content-type': type = '' } = request.headers;
      if (!isJsonRequest(request)) return answerError(request, reply, { kind: 'unsupported-media-type', type });
      const done = await handle(request, reply.header('Cache-Control', 'no-store'));
      return done.ok ? done.value : answerError(request, reply, done.error);
    };

  app.post(
    '/account/passkeys/options',
    described(PASSKEYS.options),
    accountRoute(context, async (asked) => {
      const proved = await parts.prove(asked.request, asked.caller);
      if (!proved.ok) return proved;
      const row = await accountRow(context, asked, 'read', 'select portal.my_credentials()');
      if (!row.ok) return row;
      const known: readonly { readonly id: string }[] = JSON.parse(row.value?.[0]?.toString() ?? '[]');
      const { id, username } = asked.caller;
      const { rpID } = siteOf(asked.request);
      const options = await (await library()).generateRegistrationOptions({
        rpName: rpID,
        rpID,
        userName: username,
        userID: new TextEncoder().encode(String(id)),
        attestationType: 'none',
        excludeCredentials: known.map((one) => ({ id: Buffer.from(one.id, 'hex').toString('base64url') })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      await keep(asked.reply, options.challenge, id);
      return ok(asked.reply.send(options));
    }),
  );

  app.post(
    '/account/passkeys',
    described(PASSKEYS.make),
    accountRoute(context, async (asked) => {
      const { request, reply, caller } = asked;
      const given = textFields(request.body, ['name']);
      if (!given.ok) return given;
      const challenge = await kept(request, reply, caller.id);
      if (challenge === undefined) return err(WRONG);
      const made = await verifiedKey(request, challenge);
      if (made === undefined) return err(WRONG);
      const row = await serviceRow(
        `select portal.add_passkey($1::integer, $2, $3, $4, $5::bigint, array(select jsonb_array_elements_text($6::jsonb)), $7)`,
        String(caller.id),
        { binary: hashOf(challenge) },
        { binary: made.id },
        { binary: made.publicKey },
        String(made.counter),
        JSON.stringify(made.transports),
        given.value.name.replaceAll('\0', '').slice(0, MAX_NAME),
      );
      if (!row.ok) return row;
      const id = row.value?.[0]?.toString();
      if (id === undefined) return err(WRONG);
      const codes = await parts.firstCodes(caller);
      if (!codes.ok) return codes;
      return ok(reply.code(201).send({ id: Number(id), recovery_codes: codes.value ?? [] }));
    }),
  );

  app.delete(
    '/account/passkeys/:id',
    described(PASSKEYS.remove),
    accountRoute(context, async (asked) => {
      const id = parseId((asked.request.params as { readonly id: string }).id);
      if (id === undefined) return err({ kind: 'not-found' });
      const proved = await parts.prove(asked.request, asked.caller);
      if (!proved.ok) return proved;
      const row = await accountRow(context, asked, 'write', 'select portal.remove_passkey($1::bigint)', String(id));
      if (!row.ok) return row;
      return row.value?.[0]?.toString() === 't' ? ok(asked.reply.code(204).send()) : err({ kind: 'not-found' });
    }),
  );

  app.post(
    '/account/login/passkey/options',
    described(PASSKEYS.signInOptions),
    forAll(async (request, reply) => {
      const { rpID } = siteOf(request);
      const options = await (await library()).generateAuthenticationOptions({ rpID, userVerification: 'required' });
      await keep(reply, options.challenge, 0);
      return ok(reply.send(options));
    }),
  );

  app.post(
    '/account/login/passkey',
    described(PASSKEYS.signIn),
    forAll(async (request, reply) => {
      const challenge = await kept(request, reply, 0);
      if (challenge === undefined) return err(WRONG);
      // A key that is guessed at is slowed down by itself: nobody's guesses keep other people out.
      const { id } = membersOf(membersOf(request.body)['response']);
      const allowed = throttle.take(`passkey ${typeof id === 'string' ? id : ''}`, addressOf(request));
      if (!allowed.ok) return err({ kind: 'throttled', ...allowed.error });
      const account = await accountBehind(request, challenge);
      if (!account.ok) return account;
      allowed.value.succeeded();
      return parts.signIn(request, reply, { kind: 'account', ...account.value, via: 'session' });
    }),
  );

  async function verifiedKey(request: FastifyRequest, challenge: string): Promise<NewKey | undefined> {
    const { origin, rpID } = siteOf(request);
    try {
      const { verified, registrationInfo } = await (await library()).verifyRegistrationResponse({
        response: membersOf(request.body)['response'] as never,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
      });
      if (!verified || registrationInfo === undefined) return undefined;
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
      return {
        id: Buffer.from(id, 'base64url'),
        publicKey: Buffer.from(publicKey),
        counter,
        transports: transports.filter((one) => typeof one === 'string' && one.length <= 20).slice(0, 10),
      };
    } catch {
      // The library throws what is wrong with an answer; none of it is for the one who sent it.
      return undefined;
    }
  }

  async function accountBehind(request: FastifyRequest, challenge: string): Promise<Result<Account, PortalError>> {
    const { origin, rpID } = siteOf(request);
    const response = membersOf(membersOf(request.body)['response']);
    const { id } = response;
    if (typeof id !== 'string' || !/^[\w-]{1,1400}$/.test(id)) return err(WRONG);
    const credential: Param = { binary: Buffer.from(id, 'base64url') };
    const row = await serviceRow(
      `select account_id, encode(public_key, 'hex'), counter from portal.passkey_of($1)`,
      credential,
    );
    if (!row.ok) return row;
    const [account, publicKey, counter] = row.value?.map((cell) => cell?.toString() ?? '') ?? [];
    if (account === undefined || publicKey === undefined) return err(WRONG);
    // Nobody said who they are before: the key does, and it has to be its owner (WebAuthn Level 2, 7.2, step 6).
    if (membersOf(response['response'])['userHandle'] !== Buffer.from(account).toString('base64url')) return err(WRONG);
    const identity = await identityOf(db, Number(account));
    if (!identity.ok) return err({ kind: 'database', error: identity.error });
    if (identity.value === undefined) return err(WRONG);
    const { username, role } = identity.value;
    const newCounter = await (await library())
      .verifyAuthenticationResponse({
        response: response as never,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'hex')), counter: Number(counter) },
        requireUserVerification: true,
      })
      .then(({ verified, authenticationInfo }) => (verified ? authenticationInfo.newCounter : undefined))
      .catch(() => undefined);
    const used =
      newCounter === undefined
        ? ok(undefined)
        : await serviceRow(
            'select portal.use_passkey($1, $2, $3::bigint)',
            credential,
            { binary: hashOf(challenge) },
            String(newCounter),
          );
    if (!used.ok) return used;
    if (used.value?.[0]?.toString() === 't') return ok({ id: Number(account), username, role });
    await noteSignIn(db, username, addressOf(request), false);
    return err(WRONG);
  }
}

type NewKey = {
  readonly id: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
};

function hashOf(challenge: string): Buffer {
  return createHash('sha256').update(challenge).digest();
}
