// HEAD: as GET, without the body.

import { describe, expect, test } from 'vitest';
import { AUTHOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { headerOf } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';

onEachEngine('HEAD', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db, { 'db-aggregates-enabled': 'true' });

  const SAME = [
    'content-type',
    'content-range',
    'content-location',
    'content-profile',
    'range-unit',
    'preference-applied',
    'proxy-status',
    'www-authenticate',
    'vary',
  ];

  describe('has the status and the headers of GET', () => {
    test.each<[string, Readonly<Record<string, string>>]>([
      ['/items', {}],
      ['/items?id=eq.1', {}],
      ['/items?limit=2&offset=3', { prefer: 'count=exact' }],
      ['/items?limit=2&offset=3', { prefer: 'count=planned' }],
      ['/items?limit=2&offset=3', { prefer: 'count=estimated, handling=strict' }],
      ['/items?limit=0', {}],
      ['/items?offset=15', { prefer: 'count=exact' }],
      ['/items?offset=100', { prefer: 'count=exact' }],
      ['/items?id=eq.0', { prefer: 'count=exact' }],
      ['/clients?select=id,projects!inner(id)', {}],
      ['/clients?select=id,...projects(name)', {}],
      ['/projects?select=client_id,count()', {}],
      ['/projects_view?select=id,clients(id)&order=clients(id)', {}],
      ['/items?id=eq.1', { accept: 'application/vnd.pgrst.object+json' }],
      ['/items', { accept: 'application/vnd.pgrst.object+json' }],
      ['/items', { accept: 'text/csv' }],
      ['/parents', { 'accept-profile': 'v1' }],
      ['/parents', { 'accept-profile': 'nowhere' }],
      ['/items?id=x', {}],
      ['/items?limit=-1', {}],
      ['/nowhere_at_all', {}],
      ['/a/b', {}],
      ['/authors_only', {}],
      ['/failing_view', {}],
      ['/items', { accept: 'text/unknowntype' }],
      ['/projects?select=id,nope(*)', {}],
      ['/orders?select=id,addresses(*)', {}],
      ['/rpc/getallprojects?limit=2', { prefer: 'count=exact' }],
      ['/rpc/add_them?a=1&b=2', {}],
      ['/rpc/add_them?a=1', {}],
      ['/rpc/raise_pt402', {}],
      ['/rpc/ret_void', {}],
      ['/', {}],
    ])('%s %j', async (target, headers) => {
      const get = await rest.get(target, headers);
      const head = await rest.head(target, headers);
      const seen = (reply: typeof get) => [reply.status, ...SAME.map((name) => `${name}: ${headerOf(reply, name)}`)];
      // An expression of a view may be one that only a shown column works out.
      if (target !== '/failing_view') expect(seen(head)).toEqual(seen(get));
      expect(head.body).toHaveLength(0);
      expect(headerOf(head, 'content-length')).toBeNull();
      if (get.status !== 204) expect(headerOf(get, 'content-length')).toBe(String(get.body.length));
    });
  });

  test('the log has the words of an error that the answer leaves out', async () => {
    const before = rest.client().seen.length;
    expect((await rest.head('/rpc/assert_fails')).status).toBe(500);
    const told = rest.client().seen.slice(before);
    expect(told.flatMap((one) => (one.kind === 'database-error' ? [JSON.parse(one.body)] : []))).toEqual([
      { code: 'P0004', details: null, hint: null, message: 'bad thing' },
    ]);
  });

  test('Range means nothing to it', async () => {
    expect(await rest.head('/items', { range: '0-1', prefer: 'count=exact' })).toMatchReply({
      status: 200,
      headers: { 'content-range': '0-14/15' },
    });
    expect(await rest.head('/items', { range: '1-0' })).toMatchReply({ status: 200 });
  });

  test('a role and its rows count', async () => {
    expect(await rest.request('HEAD', '/by_role', { as: AUTHOR })).toMatchReply({
      status: 200,
      headers: { 'content-range': '0-0/*' },
      text: '',
    });
  });

  test('the bare minimum is said of an error', async () => {
    expect(await rest.head('/items?id=x')).toMatchReply({
      status: 400,
      headers: { 'proxy-status': 'Survest; error=SVRST100', 'content-type': 'application/json; charset=utf-8' },
      text: '',
    });
  });
});
