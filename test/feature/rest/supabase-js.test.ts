// supabase-js as it is installed: `createClient(url, key)` and its default schema, which the service need not have.

import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { AUTHOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { tokenFor } from '../../testkit/rest-client.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { useHttp } from './over-http.ts';

/** Node 20 has no WebSocket, and the client wants one to begin with; nothing here opens it. */
class NoSocket {
  constructor() {
    throw new Error('no socket is opened here');
  }
}

onEachEngine('supabase-js', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  const address = useHttp(rest);
  const client = (key: string): SupabaseClient =>
    createClient(address(), key, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: NoSocket as never },
    });

  test('a key that is no token reads as the anonymous role', async () => {
    const reply = await client('sb_publishable_key').from('items').select('id').order('id').limit(2);
    expect(reply).toMatchObject({ status: 200, error: null, data: [{ id: 1 }, { id: 2 }] });
  });

  test('a key that is a token has its role', async () => {
    const reply = await client(tokenFor({ role: AUTHOR }))
      .from('authors_only')
      .select();
    expect(reply).toMatchObject({ status: 200, error: null });
    expect(await client('sb_publishable_key').from('authors_only').select()).toMatchObject({ status: 401 });
  });

  test('a token of its own for each request', async () => {
    const signedIn = createClient(address(), 'sb_publishable_key', {
      accessToken: async () => tokenFor({ role: AUTHOR }),
      realtime: { transport: NoSocket as never },
    });
    expect(await signedIn.from('authors_only').select()).toMatchObject({ status: 200, error: null });
  });

  test('a wrong token is refused, not taken for a key', async () => {
    expect(await client('not.a.token').from('items').select()).toMatchObject({ status: 401 });
    expect(
      await client(tokenFor({ role: AUTHOR }, 'another secret'))
        .from('items')
        .select(),
    ).toMatchObject({
      status: 401,
    });
    const reply = await fetch(`${address()}/rest/v1/items`, {
      headers: { apikey: 'key', authorization: 'Bearer other' },
    });
    expect(reply.status).toBe(401);
    expect((await fetch(`${address()}/items`, { headers: { apikey: 'k', authorization: 'Bearer k' } })).status).toBe(
      401,
    );
  });

  test('writes and calls', async () => {
    const supabase = client('key');
    const inserted = await supabase.from('shelves').insert({ id: 900, label: 'new' }).select('id,label').single();
    expect(inserted).toMatchObject({ status: 201, data: { id: 900, label: 'new' } });
    expect(await supabase.from('shelves').update({ label: 'old' }).eq('id', 900)).toMatchObject({ status: 204 });
    expect(await supabase.from('shelves').delete().eq('id', 900)).toMatchObject({ status: 204 });
    expect(await supabase.rpc('add_them', { a: 1, b: 2 })).toMatchObject({ status: 200, data: 3 });
    expect(await supabase.rpc('unnamed_text_param', { '': 'x' })).toMatchObject({ status: 200, data: 'x' });
  });

  test('another schema by its name', async () => {
    expect(await client('key').schema('v2').from('parents').select('id').limit(1)).toMatchObject({ status: 200 });
    expect(await client('key').schema('nowhere').from('parents').select('id')).toMatchObject({
      status: 406,
      error: { code: 'SVRST106' },
    });
  });

  describe('the addresses', () => {
    test.each(['/rest/v1', '/rest/v1/'])('%s is the root', async (path) => {
      const reply = await fetch(`${address()}${path}`);
      expect(reply.status).toBe(200);
      expect(await reply.json()).toMatchObject({ swagger: '2.0' });
    });

    test('a longer word is none of them', async () => {
      expect((await fetch(`${address()}/rest/v1x/items`)).status).toBe(404);
    });

    test('the schema `public` is itself where it is exposed, and at the root of the service', async () => {
      const reply = await fetch(`${address()}/items`, { headers: { 'accept-profile': 'public' } });
      expect(reply.status).toBe(406);
    });
  });
});
