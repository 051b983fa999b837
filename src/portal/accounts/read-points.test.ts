import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import type { Caller } from '../../auth/caller.ts';
import { ok } from '../../kernel/result.ts';
import { withReadPoints } from './read-points.ts';

const ACCOUNT: Caller = { kind: 'account', id: 5, username: 'ada', role: 'survest_user', via: 'session' };

async function readPointOf(caller: Caller, headers: object = {}): Promise<unknown> {
  const identify = withReadPoints(async () => ok(caller), { isOn: () => true, position: async () => 7n });
  const who = await identify({ method: 'GET', url: '/tiles/5/0/0/0.mvt', headers } as FastifyRequest);
  return who.ok ? who.value.readPoint : who;
}

test('visitors are answered by replicas that are new enough, accounts by what was acknowledged before', async () => {
  expect(await readPointOf({ kind: 'visitor' })).toEqual({ lsn: undefined });
  expect(await readPointOf(ACCOUNT, { cookie: 'sessionid=x' })).toEqual({ lsn: 7n });
});

test('whoever comes by a link is answered by the primary, which knows whether it is good', async () => {
  expect(await readPointOf({ kind: 'visitor', link: 'ab' })).toBeUndefined();
});
