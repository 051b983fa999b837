// Whether a caller's request may go on: the tenant's schema, the rate of the role, a schema cache that is loaded.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { Who } from '../auth/authenticate.ts';
import type { RestError } from '../errors/rest-error.ts';
import type { Exchange, LoadedExchange } from './exchange.ts';
import { tenantState } from './tenant-state.ts';

export function admit(asked: Exchange, who: Who): Result<LoadedExchange, RestError> {
  asked.told.who = who;
  const tenant = who.schema === undefined ? undefined : tenantState(asked.state, who);
  const wait = asked.roleWait?.(who.role) ?? 0;
  if (wait > 0) return err({ kind: 'rate-limited', retryAfterSeconds: wait });
  asked.watch.lap('jwt');
  if (!isLoaded(asked)) return err({ kind: 'schema-cache-missing' });
  if (tenant === undefined) return ok(asked);
  if (!tenant.ok) return tenant;
  const exchange = { ...asked, state: tenant.value };
  return isLoaded(exchange) ? ok(exchange) : err({ kind: 'schema-cache-missing' });
}

function isLoaded(exchange: Exchange): exchange is LoadedExchange {
  return exchange.state.cache !== undefined;
}
