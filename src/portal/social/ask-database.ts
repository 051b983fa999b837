// One question to a function of the database that answers in JSON, as the caller: the form that all paths of this folder have.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { Sql } from '../fields/bound-value.ts';
import type { Answer, ApiContext, Exchange } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';

export async function answerRead(
  { db }: ApiContext,
  exchange: Exchange,
  statement: Sql,
): Promise<Result<Answer, PortalError>> {
  const executed = await db.read(exchange.caller, exchange.info, [exchange.statement(statement)]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  return ok({ status: 200, body: cellOf(executed.value[0]) ?? '{}' });
}

/** `status`: of the answer when it is done; 204 has no body. */
export async function answerWrite(
  { db }: ApiContext,
  exchange: Exchange,
  statement: Sql,
  status: 200 | 201 | 204 = 200,
): Promise<Result<Answer, PortalError>> {
  const executed = await db.write(exchange.caller, exchange.info, [exchange.statement(statement)]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  return ok(status === 204 ? { status } : { status, body: cellOf(executed.value[0]) ?? '{}' });
}
