// Who asks, and the unlisted link that the request came with. Whoever tries out links waits, as guessing of names does: after as many of them as nobody
// opens by mistake.

import type { FastifyInstance } from 'fastify';
import { addressKey } from '../../kernel/address-key.ts';
import type { Clock } from '../../kernel/clock.ts';
import { err, ok } from '../../kernel/result.ts';
import type { Identify } from '../accounts/identify.ts';
import { makeGuessThrottle } from '../permissions/guess-throttle.ts';
import type { PortalContext } from '../portal-context.ts';
import { hasLink, linkOf } from './link-of-request.ts';

/** Links that opened nothing, each counted once: a page with one that has ended asks for many things. */
const MAX_KNOWN = 20_000;

export function withLinks(
  app: FastifyInstance,
  { addressOf, clock }: { readonly addressOf: PortalContext['addressOf']; readonly clock: Clock },
): (identify: Identify) => Identify {
  const guesses = makeGuessThrottle(clock);
  const known = new Set<string>();
  app.addHook('onResponse', async (request, { statusCode }) => {
    const link = linkOf(request);
    if (link === undefined || statusCode < 400 || statusCode > 404 || known.has(link)) return;
    if (known.size >= MAX_KNOWN) known.clear();
    known.add(link);
    guesses.refused(addressKey(addressOf(request)));
  });
  app.addHook('onSend', async (request, reply) => {
    if (!hasLink(request)) return;
    // Whoever finds such an address somewhere does not list it either; and other sites are not told of it.
    reply.header('X-Robots-Tag', 'noindex, nofollow');
    if (!reply.hasHeader('referrer-policy')) reply.header('Referrer-Policy', 'same-origin');
  });
  return (identify) => async (request) => {
    const link = linkOf(request);
    const who = await identify(request);
    if (!who.ok || link === undefined) return who;
    const wait = guesses.wait(addressKey(addressOf(request)));
    return wait > 0 ? err({ kind: 'throttled', retryAfterSeconds: wait }) : ok({ ...who.value, link });
  };
}
