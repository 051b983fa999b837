// ETag, If-None-Match and Link: what lets clients read the same again cheaply, and read on.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { headerOf } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';

onEachEngine('reading again and reading on', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  describe('a read', () => {
    test('is tagged, and 304 without a body for whoever has its rows', async () => {
      const first = await rest.get('/items?id=eq.1');
      const tag = headerOf(first, 'ETag');
      expect(tag).toMatch(/^W\/"[\w-]+"$/);
      const again = await rest.get('/items?id=eq.1', { 'If-None-Match': tag ?? '' });
      expect(again).toMatchReply({
        status: 304,
        headers: { ETag: tag, 'Content-Location': '/items?id=eq.1' },
      });
      expect(await rest.get('/items?id=eq.2', { 'If-None-Match': tag ?? '' })).toMatchReply({ status: 200 });
    });

    test('that fails, or that writes, has no tag', async () => {
      expect(headerOf(await rest.get('/nothing'), 'ETag')).toBeNull();
      expect(headerOf(await rest.get('/items?id=eq.x'), 'ETag')).toBeNull();
      expect(headerOf(await rest.post('/rpc/nothing', {}), 'ETag')).toBeNull();
    });
  });

  describe('a page', () => {
    test.each([
      ['/items?limit=5', '</items?limit=5&offset=5>; rel="next"'],
      [
        '/items?limit=5&offset=5&order=id',
        '</items?limit=5&offset=10&order=id>; rel="next", </items?limit=5&order=id>; rel="prev", </items?limit=5&order=id>; rel="first"',
      ],
      [
        '/items?limit=5&offset=3',
        '</items?limit=5&offset=8>; rel="next", </items?limit=5>; rel="prev", </items?limit=5>; rel="first"',
      ],
      ['/items?limit=10&offset=10', '</items?limit=10>; rel="prev", </items?limit=10>; rel="first"'],
    ])('%s says where the others are', async (target, links) => {
      expect(headerOf(await rest.get(target), 'Link')).toBe(links);
    });

    test('with a total says which is the last, and that none follows it', async () => {
      const exact = { Prefer: 'count=exact' };
      expect(headerOf(await rest.get('/items?limit=10', exact), 'Link')).toBe(
        '</items?limit=10&offset=10>; rel="next", </items?limit=10&offset=10>; rel="last"',
      );
      expect(headerOf(await rest.get('/items?limit=5&offset=10', exact), 'Link')).not.toContain('next');
    });

    test('whose parameters need escaping stays one link', async () => {
      const link = headerOf(await rest.get('/items?limit=1&id=in.(1,%22%3E%3B%20rel%22)&or=(id.eq.1,id.eq.2)'), 'Link');
      expect(link?.match(/>/g)?.length ?? 0).toBeLessThanOrEqual(1);
    });

    test('is every page where none was asked for', async () => {
      expect(headerOf(await rest.get('/items'), 'Link')).toBeNull();
    });
  });

  describe('turned off', () => {
    const plain = useRest(db, { 'server-etag': 'false' });
    test('there are no tags', async () => {
      const reply = await plain.get('/items?id=eq.1', { 'If-None-Match': '*' });
      expect(reply).toMatchReply({ status: 200 });
      expect(headerOf(reply, 'ETag')).toBeNull();
    });
  });
});
