// The portal's own API, used in the name of its administrator from within the program: the demo is made the way a person would
// make it. The session it works in ends with the work.

import type { FastifyInstance } from 'fastify';
import type { CallerDb } from '../../auth/caller-db.ts';
import { accountNamed, closeSession, openSession } from '../../portal/accounts/account-store.ts';
import { FIRST_ADMIN } from '../../portal/accounts/first-admin.ts';
import { csrfToken, newSessionToken } from '../../portal/accounts/session-token.ts';

export type AdminClient = {
  /** The body of the answer; an exception when there is none to be used. */
  ask(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  sendFile(name: string, content: string | Buffer, fields: Readonly<Record<string, string>>): Promise<number>;
  done(): Promise<void>;
};

const SESSION_MS = 15 * 60 * 1000;

/** Undefined: there is no account of that name. */
export async function adminClient(app: FastifyInstance, db: CallerDb, nowMs: number): Promise<AdminClient | undefined> {
  const admin = await accountNamed(db, FIRST_ADMIN);
  if (!admin.ok || admin.value === undefined) return undefined;
  const { token, hash } = newSessionToken();
  const opened = await openSession(db, hash, admin.value.id, nowMs + SESSION_MS, { kind: 'script' });
  if (!opened.ok) return undefined;
  const csrf = csrfToken(token);
  const headers = { cookie: `sessionid=${token}; csrftoken=${csrf}`, 'x-csrftoken': csrf, accept: 'application/json' };

  async function ask(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<unknown> {
    const reply = await app.inject({
      method,
      url: path,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    if (reply.statusCode >= 300)
      throw new Error(`${method} ${path} answered ${reply.statusCode}: ${reply.body.slice(0, 300)}`);
    return reply.body === '' ? undefined : JSON.parse(reply.body);
  }

  return {
    ask,
    async sendFile(name, content, fields) {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.append(field, value);
      form.append('base_file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
      const encoded = new Response(form);
      const reply = await app.inject({
        method: 'PUT',
        url: '/api/v2/uploads/upload/',
        headers: { ...headers, 'content-type': encoded.headers.get('content-type') ?? '' },
        payload: Buffer.from(await encoded.arrayBuffer()),
      });
      if (reply.statusCode !== 201) throw new Error(`${name} was not taken: ${reply.body.slice(0, 300)}`);
      return (JSON.parse(reply.body) as { readonly upload_id: number }).upload_id;
    },
    async done() {
      await closeSession(db, hash);
    },
  };
}
