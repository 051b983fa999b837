// Routes for accounts alone: who asks, what is done for them, and the answer, which nobody keeps.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountCaller } from '../../auth/caller.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Param, Row } from '../../pg/driver.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { PortalContext } from '../portal-context.ts';

export type Asked<Params = unknown> = {
  readonly request: FastifyRequest<{ Params: Params }>;
  readonly reply: FastifyReply;
  readonly caller: AccountCaller;
};
export type Handled = Promise<Result<FastifyReply, PortalError>>;

/** A handler as a route. */
export function accountRoute<Params = unknown>(
  { identify, answerError }: PortalContext,
  handle: (asked: Asked<Params>) => Handled,
): (request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => {
    const who = await identify(request);
    if (!who.ok) return answerError(request, reply, who.error);
    const caller = who.value;
    if (caller.kind === 'visitor') return answerError(request, reply, { kind: 'not-authenticated' });
    const done = await handle({ request, reply: reply.header('Cache-Control', 'no-store'), caller });
    return done.ok ? done.value : answerError(request, reply, done.error, caller);
  };
}

/** The first row of what the account is told. */
export async function accountRow(
  { db }: PortalContext,
  { request, caller }: Pick<Asked, 'request' | 'caller'>,
  way: 'read' | 'write',
  text: string,
  ...params: Param[]
): Promise<Result<Row | undefined, PortalError>> {
  const executed = await db[way](caller, { method: request.method, path: request.url }, [{ text, params }]);
  return executed.ok ? ok(executed.value[0]?.rows[0]) : err({ kind: 'database', error: executed.error });
}
