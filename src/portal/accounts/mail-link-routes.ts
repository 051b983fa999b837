// Links by mail: a forgotten password, registering, inviting, another mail address. Asking is answered the same whether there is such an account
// or not; the letter tells the rest. A link names its token behind `#`, where no log and no other site sees it, and the page sends it back.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hashPassword } from '../../auth/password.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Param, Row } from '../../pg/driver.ts';
import { described } from '../description/described-route.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type Letter, mailLanguage, writeLetter } from '../mail/letters.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { PortalContext } from '../portal-context.ts';
import { type Asked, accountRoute, accountRow, type Handled } from './account-route.ts';
import { tellApprovers } from './approval-letters.ts';
import { isJsonRequest, membersOf, textFields } from './body-fields.ts';
import { parseEmail } from './email-address.ts';
import { CHANGE_EMAIL, FORGOTTEN, INVITE, READ_LINK, REGISTER, USE_LINK } from './mail-links-described.ts';
import { passwordComplaint } from './password-rules.ts';
import type { Prove } from './proof.ts';
import { newSessionToken, sessionHash } from './session-token.ts';
import { makeSignInThrottle } from './sign-in-throttle.ts';

export type Registration = 'off' | 'open' | 'approval' | 'invitation';
export type MailLinkParts = {
  readonly mailer: Mailer;
  /** Where people reach the portal: a link never follows what a request calls us. */
  readonly publicUrl: string;
  readonly registration: Registration;
};

const HOURS = { password: 2, registration: 48, email: 24 } as const;
const PAGE = '/account/link';
const NO_LINK = 'This link was used already, or has ended. Ask for a new one.';

export function registerMailLinkRoutes(
  app: FastifyInstance,
  context: PortalContext,
  parts: MailLinkParts,
  prove: Prove,
): void {
  const { db, clock, answerError, addressOf } = context;
  const throttle = makeSignInThrottle(clock);
  app.addHook('onClose', () => parts.mailer.close());

  /** A page of another site cannot send JSON without asking, and says whose page it is. */
  const complaintAbout = (request: FastifyRequest): PortalError | undefined => {
    const { 'content-type': type = '', origin, 'sec-fetch-site': site } = request.headers;
    const isForeign = site === 'cross-site' || (origin !== undefined && origin !== new URL(parts.publicUrl).origin);
    if (isForeign) return { kind: 'csrf', reason: 'mismatch' };
    return isJsonRequest(request) ? undefined : { kind: 'unsupported-media-type', type };
  };
  /** For whoever holds a link, or wants one. */
  const forAll =
    (handle: (request: FastifyRequest, reply: FastifyReply) => Handled) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const complaint = complaintAbout(request);
      if (complaint !== undefined) return answerError(request, reply, complaint);
      const done = await handle(request, reply);
      return done.ok ? done.value : answerError(request, reply, done.error);
    };
  const forAccounts = (handle: (asked: Asked) => Handled) => {
    const route = accountRoute(context, handle);
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const complaint = complaintAbout(request);
      return complaint === undefined ? route(request, reply) : answerError(request, reply, complaint);
    };
  };
  const serviceRow = async (text: string, ...params: Param[]): Promise<Result<Row | undefined, PortalError>> => {
    const executed = await db.service([{ text, params }]);
    return executed.ok ? ok(executed.value[0]?.rows[0]) : err({ kind: 'database', error: executed.error });
  };
  const newLink = (purpose: keyof typeof HOURS): { link: string; hash: Param; expires: string } => {
    const { token, hash } = newSessionToken();
    const expires = new Date(clock.now() + HOURS[purpose] * 3600_000).toISOString();
    return { link: `${parts.publicUrl}${PAGE}#${token}`, hash: { binary: hash }, expires };
  };
  const post = (request: FastifyRequest, to: string, letter: Letter): void =>
    parts.mailer.post(writeLetter(to, letter, mailLanguage(request.headers['accept-language'])));
  const slowed = (request: FastifyRequest, subject: string): Result<undefined, PortalError> => {
    const taken = throttle.take(subject, addressOf(request));
    return taken.ok ? ok(undefined) : err({ kind: 'throttled', ...taken.error });
  };
  /** What is true of every answer to asking. */
  const answered = (reply: FastifyReply): Result<FastifyReply, PortalError> =>
    ok(reply.code(202).header('Cache-Control', 'no-store').send({}));

  app.post(
    '/account/password/forgotten',
    described(FORGOTTEN),
    forAll(async (request, reply) => {
      const given = textFields(request.body, ['login']);
      if (!given.ok) return given;
      const login = given.value.login.trim().slice(0, 254);
      const allowed = slowed(request, login);
      if (!allowed.ok) return allowed;
      if (login.includes('\0')) return answered(reply);
      const { link, hash, expires } = newLink('password');
      const text = 'select username, email from portal.ask_new_password($1, $2, $3::timestamptz)';
      const found = await serviceRow(text, login, hash, expires);
      if (!found.ok) return found;
      const [username, email] = texts(found.value);
      if (username !== undefined && email !== undefined)
        post(request, email, { kind: 'password', username, link, hours: HOURS.password });
      return answered(reply);
    }),
  );

  app.post(
    '/account/register',
    described(REGISTER),
    forAll(async (request, reply) => {
      if (parts.registration === 'off' || parts.registration === 'invitation') return err({ kind: 'not-found' });
      const email = parseEmail(request.body);
      if (!email.ok) return email;
      const allowed = slowed(request, email.value);
      if (!allowed.ok) return allowed;
      const { link, hash, expires } = newLink('registration');
      const text = 'select state, username from portal.ask_registration($1, $2, $3::timestamptz)';
      const found = await serviceRow(text, email.value, hash, expires);
      if (!found.ok) return found;
      invite(request, email.value, link, found.value);
      return answered(reply);
    }),
  );

  app.post(
    '/account/invite',
    described(INVITE),
    forAccounts(async ({ request, reply, caller }) => {
      const email = parseEmail(request.body);
      if (!email.ok) return email;
      const { link, hash, expires } = newLink('registration');
      const text = 'select state, username from portal.invite_person($1, $2, $3::timestamptz)';
      const found = await accountRow(context, { request, caller }, 'write', text, email.value, hash, expires);
      if (!found.ok) return found;
      invite(request, email.value, link, found.value);
      return answered(reply);
    }),
  );

  function invite(request: FastifyRequest, email: string, link: string, row: Row | undefined): void {
    const [state, username] = texts(row);
    if (state === 'new') post(request, email, { kind: 'registration', link, hours: HOURS.registration });
    if (state === 'known' && username !== undefined) tellOwner(request, email, username);
  }

  /** Somebody wanted an address that has its account: only who reads its mail learns that. */
  function tellOwner(request: FastifyRequest, email: string, username: string): void {
    post(request, email, { kind: 'already-registered', username, link: `${parts.publicUrl}/account/login` });
  }

  app.post(
    '/account/email',
    described(CHANGE_EMAIL),
    forAccounts(async ({ request, reply, caller }) => {
      const email = parseEmail(request.body);
      if (!email.ok) return email;
      const proved = await prove(request, caller);
      if (!proved.ok) return proved;
      const { link, hash, expires } = newLink('email');
      const text = 'select state, username from portal.ask_email_change($1, $2, $3::timestamptz)';
      const found = await accountRow(context, { request, caller }, 'write', text, email.value, hash, expires);
      if (!found.ok) return found;
      const [state, username] = texts(found.value);
      if (username === undefined) return answered(reply);
      if (state === 'taken') tellOwner(request, email.value, username);
      else post(request, email.value, { kind: 'email', username, link, hours: HOURS.email });
      return answered(reply);
    }),
  );

  app.post(
    '/account/link',
    described(READ_LINK),
    forAll(async (request, reply) => {
      const link = await linkIn(request);
      if (!link.ok) return link;
      const { purpose, username, email } = link.value;
      return ok(reply.header('Cache-Control', 'no-store').send({ purpose, username: username ?? null, email }));
    }),
  );

  app.post(
    '/account/link/use',
    described(USE_LINK),
    forAll(async (request, reply) => {
      const link = await linkIn(request);
      if (!link.ok) return link;
      const used = await use(request, link.value);
      return used.ok ? ok(reply.header('Cache-Control', 'no-store').send(used.value)) : used;
    }),
  );

  type Link = {
    readonly hash: Param;
    readonly purpose: string;
    readonly username: string | undefined;
    readonly email: string;
  };

  async function linkIn(request: FastifyRequest): Promise<Result<Link, PortalError>> {
    const given = textFields(request.body, ['token']);
    if (!given.ok) return given;
    const bytes = sessionHash(given.value.token);
    if (bytes === undefined) return fieldError('token', NO_LINK);
    const hash: Param = { binary: bytes };
    const row = await serviceRow('select purpose, email, username from portal.mail_link_about($1)', hash);
    if (!row.ok) return row;
    const [purpose, email, username] = texts(row.value);
    if (purpose === undefined || email === undefined) return fieldError('token', NO_LINK);
    return ok({ hash, purpose, username, email });
  }

  async function use(request: FastifyRequest, link: Link): Promise<Result<object, PortalError>> {
    switch (link.purpose) {
      case 'password': {
        const password = newPassword(request.body, link.username ?? '');
        if (!password.ok) return password;
        const text = 'select portal.use_password_link($1, $2)';
        const set = await serviceRow(text, link.hash, await hashPassword(password.value));
        if (!set.ok) return set;
        return texts(set.value)[0] === 't' ? ok({ username: link.username }) : fieldError('token', NO_LINK);
      }
      case 'registration': {
        const given = textFields(request.body, ['username', 'password']);
        if (!given.ok) return given;
        const { username } = given.value;
        if (!/^[\w.@+-]{1,150}$/.test(username))
          return fieldError('username', 'Enter a valid username: up to 150 letters, digits and @/./+/-/_.');
        const password = newPassword(request.body, username);
        if (!password.ok) return password;
        const { first_name: first, last_name: last } = membersOf(request.body);
        const isActive = parts.registration !== 'approval';
        const made = await serviceRow(
          'select portal.use_registration_link($1, $2, $3, $4, $5, $6::boolean)',
          link.hash,
          username,
          await hashPassword(password.value),
          nameOf(first),
          nameOf(last),
          String(isActive),
        );
        if (!made.ok) return made;
        const [id] = texts(made.value);
        if (id === undefined) return fieldError('token', NO_LINK);
        if (!isActive) await tellApprovers(db, parts, Number(id));
        return ok({ username, is_active: isActive });
      }
      default: {
        const row = await serviceRow('select username, new_email from portal.use_email_link($1)', link.hash);
        if (!row.ok) return row;
        const [username, email] = texts(row.value);
        if (username === undefined || email === undefined) return fieldError('token', NO_LINK);
        return ok({ username, email });
      }
    }
  }
}

function newPassword(body: unknown, username: string): Result<string, PortalError> {
  const given = textFields(body, ['password']);
  if (!given.ok) return given;
  const complaint = passwordComplaint(given.value.password, username);
  return complaint === undefined ? ok(given.value.password) : fieldError('password', complaint);
}

const nameOf = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll('\0', '').trim().slice(0, 30) : '';

function texts(row: Row | undefined): readonly (string | undefined)[] {
  return (row ?? []).map((cell) => cell?.toString());
}

function fieldError(field: string, message: string): Result<never, PortalError> {
  return err({ kind: 'invalid-fields', fields: { [field]: [message] } });
}
