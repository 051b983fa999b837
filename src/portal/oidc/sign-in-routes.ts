// Where an account is signed in, and its personal access tokens, for the account itself: GET and DELETE on /api/v2/sessions and
// /api/v2/access-tokens, POST makes a token. What is whose is for the database to say.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Param } from '../../pg/driver.ts';
import { type Asked, accountRoute, accountRow, type Handled } from '../accounts/account-route.ts';
import { parseId } from '../accounts/path-id.ts';
import { newSessionToken } from '../accounts/session-token.ts';
import { described } from '../description/described-route.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { PortalContext } from '../portal-context.ts';
import { signAccountToken } from './access-token.ts';
import { parseTokenAsk } from './personal-token.ts';
import { MOUNT } from './provider.ts';
import {
  END_OTHER_SESSIONS,
  END_SESSION,
  LIST_SESSIONS,
  LIST_TOKENS,
  MAKE_TOKEN,
  REVOKE_TOKEN,
} from './sign-ins-described.ts';
import type { TokenParts } from './token-route.ts';

const DAY_MS = 24 * 3600 * 1000;

export function registerSignInRoutes(app: FastifyInstance, context: PortalContext, parts: TokenParts): void {
  const { clock, baseUrl } = context;
  const list =
    (member: string, text: string) =>
    async (asked: Asked): Handled => {
      const hash = await hashOf(asked.request);
      if (!hash.ok) return hash;
      const row = await accountRow(context, asked, 'read', text, hash.value);
      if (!row.ok) return row;
      const json = `{"${member}":${row.value?.[0]?.toString() ?? '[]'}}`;
      return ok(asked.reply.type('application/json; charset=utf-8').send(json));
    };
  const end =
    (kind: 'browser' | 'token') =>
    async (asked: Asked): Handled => {
      const id = parseId((asked.request.params as { readonly id: string }).id);
      if (id === undefined) return err({ kind: 'not-found' });
      const row = await accountRow(
        context,
        asked,
        'write',
        'select portal.end_sign_in($1::bigint, $2)',
        String(id),
        kind,
      );
      if (!row.ok) return row;
      return row.value?.[0]?.toString() === 't' ? ok(asked.reply.code(204).send()) : err({ kind: 'not-found' });
    };
  /** Of the browser that asks; null: no browser asks. */
  const hashOf = async (request: FastifyRequest): Promise<Result<Param, PortalError>> => {
    const session = await parts.sessions.find(request);
    if (!session.ok) return session;
    return ok(session.value === undefined ? null : { binary: session.value.hash });
  };

  app.get('/api/v2/sessions', described(LIST_SESSIONS), accountRoute(context, list('sessions', SESSIONS)));
  app.delete('/api/v2/sessions/:id', described(END_SESSION), accountRoute(context, end('browser')));
  app.delete(
    '/api/v2/sessions',
    described(END_OTHER_SESSIONS),
    accountRoute(context, async (asked) => {
      const hash = await hashOf(asked.request);
      if (!hash.ok) return hash;
      const ended = await accountRow(context, asked, 'write', 'select portal.end_other_browsers($1)', hash.value);
      return ended.ok ? ok(asked.reply.code(204).send()) : ended;
    }),
  );

  app.get('/api/v2/access-tokens', described(LIST_TOKENS), accountRoute(context, list('access_tokens', TOKENS)));
  app.delete('/api/v2/access-tokens/:id', described(REVOKE_TOKEN), accountRoute(context, end('token')));
  app.post(
    '/api/v2/access-tokens',
    described(MAKE_TOKEN),
    accountRoute(context, async (asked) => {
      const ask = parseTokenAsk(asked.request.body);
      if (!ask.ok) return ask;
      const { name, scope, days } = ask.value;
      const { hash } = newSessionToken();
      const nowMs = clock.now();
      const expires = new Date(nowMs + days * DAY_MS).toISOString();
      const text = 'select portal.make_access_token($1, $2, $3, $4::timestamptz)';
      const made = await accountRow(context, asked, 'write', text, { binary: hash }, name, scope, expires);
      if (!made.ok) return made;
      const token = await signAccountToken(parts.keys, asked.caller, {
        issuer: `${baseUrl(asked.request)}${MOUNT}`,
        sessionHash: hash,
        nowMs,
        seconds: (days * DAY_MS) / 1000,
        scopes: scope === 'write' ? ['read', 'write'] : ['read'],
      });
      const told = { id: Number(made.value?.[0]?.toString()), name, scope, created: new Date(nowMs).toISOString() };
      return ok(asked.reply.code(201).send({ ...told, expires, token }));
    }),
  );
}

const TIME = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
const TIMES = `'created', to_char(s.created at time zone 'utc', ${TIME}), 'expires', to_char(s.expires at time zone 'utc', ${TIME})`;

const SESSIONS = `
  select coalesce(json_agg(json_build_object('id', s.id, 'agent', coalesce(s.data ->> 'agent', ''),
    'address', coalesce(s.data ->> 'address', ''), ${TIMES}, 'is_current', s.is_current)), '[]')
  from portal.my_sign_ins($1) s where s.kind = 'browser'`;

const TOKENS = `
  select coalesce(json_agg(json_build_object('id', s.id, 'name', s.data ->> 'name', 'scope', s.data ->> 'scope', ${TIMES})), '[]')
  from portal.my_sign_ins($1) s where s.kind = 'token'`;
