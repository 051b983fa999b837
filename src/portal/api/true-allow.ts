// The header Allow of an answer to OPTIONS, for the one who asks: without verbs that the database would refuse to this caller.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { textRows } from '../../pg/rows.ts';
import { parseId } from '../accounts/path-id.ts';
import type { PortalContext } from '../portal-context.ts';

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** To be called before the routes are registered, so that it holds for all of them. */
export function registerTrueAllow(app: FastifyInstance, context: PortalContext): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const allow = reply.getHeader('Allow');
    // A browser that asks on behalf of another site wants to know what the address takes, not who it is.
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    const address = addressOf(request);
    if (request.method !== 'OPTIONS' || isPreflight || typeof allow !== 'string' || address === undefined)
      return payload;
    const verbs = await allowedVerbs(context, request, address);
    const left = allow.split(', ').filter((verb) => !WRITES.has(verb) || verbs === undefined || verbs.has(verb));
    reply.headers({ Allow: left.join(', '), Vary: 'Authorization, Cookie' });
    return payload;
  });
}

type Address = { readonly collection: string; readonly item: number | undefined; readonly below: string | undefined };

/** `/api/v2/groups/5/members` → groups, 5, members. Undefined: nothing that people write to by this API. */
function addressOf({ url }: FastifyRequest): Address | undefined {
  const path = url.split(/[?;#]/, 1)[0] ?? '';
  const parts = path.split('/').filter((part) => part !== '');
  if (parts[0] === 'upload') return { collection: 'upload', item: undefined, below: undefined };
  if ((parts[0] === 'mapviewer' || parts[0] === 'mapstore') && parts[1] === 'rest')
    return { collection: 'viewer', item: undefined, below: undefined };
  if (parts[0] !== 'api' || parts[1] !== 'v2' || parts[2] === undefined) return undefined;
  const item = parseId(parts[3] ?? '');
  const rest = parts.slice(item === undefined ? 3 : 4).join('/');
  return { collection: parts[2], item, below: rest === '' ? undefined : rest };
}

/** Undefined: the database knows nothing of such an address. Whoever cannot be told who they are writes nothing. */
async function allowedVerbs(
  { db, identify }: PortalContext,
  request: FastifyRequest,
  { collection, item, below }: Address,
): Promise<ReadonlySet<string> | undefined> {
  const who = await identify(request);
  if (!who.ok) return new Set();
  const asked = await db.read(who.value, { method: request.method, path: request.url }, [
    {
      text: `select array_to_string(portal.allowed_verbs($1::text, $2::integer, $3::text), ' ')`,
      params: [collection, item === undefined ? null : String(item), below ?? null],
      name: 'portal_allowed_verbs',
    },
  ]);
  if (!asked.ok) return new Set();
  const [result] = asked.value;
  const text = result === undefined ? undefined : textRows(result)[0]?.[0];
  return text === null || text === undefined ? undefined : new Set(text.split(' '));
}
