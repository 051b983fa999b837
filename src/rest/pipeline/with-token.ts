// Read-your-writes: the answer to a write tells how far the primary's log was after it, as a token; a read that brings it along sees the write.

import type { HttpReply } from '../../http/http-message.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { RestError } from '../errors/rest-error.ts';
import { consistencyToken } from '../request/consistency-token.ts';
import type { Preferences } from '../request/preferences.ts';
import { askPosition } from '../run/ask-position.ts';
import type { Exchange } from './exchange.ts';
import { CONSISTENCY_TOKEN } from './read-servers.ts';

/** Where there are no replicas every read sees every write, and nobody is asked. */
export async function withToken(
  { driver, replicas }: Pick<Exchange, 'driver' | 'replicas'>,
  { consistency }: Preferences,
  reply: Result<HttpReply, RestError>,
): Promise<Result<HttpReply, RestError>> {
  if (consistency !== 'session' || replicas?.hasAny !== true || !reply.ok) return reply;
  const position = await askPosition(driver);
  if (position === undefined) return reply;
  const headers = [...reply.value.headers, [CONSISTENCY_TOKEN, consistencyToken(position)] as const];
  return ok({ ...reply.value, headers });
}
