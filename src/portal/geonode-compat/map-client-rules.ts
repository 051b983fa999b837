// Questions of the map client of GeoNode about things that this portal does not have: rules that add parameters to its requests (it signs in by
// cookie), and areas that permissions on a layer are limited to. The answer is that there are none, to who may ask.

import { err, ok } from '../../kernel/result.ts';
import { raw } from '../../sql/index.ts';
import type { Collection } from '../operations/collection.ts';
import { type ApiContext, type Handle, json } from '../operations/exchange.ts';
import { pathId } from '../operations/register-collection.ts';
import { readOf } from '../operations/relation-paths.ts';

const NO_RULES = { rules: [] };

export const requestRules: Handle = async () => ok(json(200, NO_RULES));

/** Of an account that the caller sees. */
export function userRules(context: ApiContext, users: Collection): Handle {
  return async (exchange) => {
    const seen = await readOf(context, exchange, users, pathId(exchange), raw('true'));
    if (!seen.ok) return seen;
    return seen.value === undefined ? err({ kind: 'not-found' }) : ok(json(200, NO_RULES));
  };
}

/** For who may change the permissions of the item. There is nothing to read or to take away; setting one is refused. */
export function areaLimits(context: ApiContext, resources: Collection): Handle {
  return async (exchange) => {
    const may = await readOf(
      context,
      exchange,
      resources,
      pathId(exchange),
      raw("portal.may(r.id, 'change_resourcebase_permissions')"),
    );
    if (!may.ok) return may;
    if (may.value === undefined) return err({ kind: 'not-found' });
    if (may.value.toString() !== 't') return err({ kind: 'forbidden' });
    if (exchange.request.method !== 'POST') return ok({ status: 204 });
    return err({
      kind: 'bad-request',
      detail:
        'Permissions cannot be limited to an area here. Publish the features of the area as a layer of their own.',
    });
  };
}
