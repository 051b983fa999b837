// Requests that another site makes a browser send: with the cookies of whoever is signed in, without the token that only our pages know.
// Every writing address of the router is tried, and every reading one has to write nothing.

import { beforeAll, expect, test, vi } from 'vitest';
import type { SessionClient } from '../testkit/portal-client.ts';
import type { BuiltPortal } from './built-portal.ts';
import type { Route } from './route-table.ts';

export function forgedRequests(portal: () => BuiltPortal): void {
  let routes: readonly Route[];
  let admin: SessionClient;
  let item: number;
  beforeAll(async () => {
    routes = portal().routes;
    admin = await portal().session('admin');
    const made = await admin.post('/api/v2/geostories/', { title: 'Mine', name: 'mine' });
    item = JSON.parse(String(made.body)).geostory.pk;
    // The program itself notes the words of a new item a little later.
    const unworded = 'select from portal_private.search_item where not worded';
    await vi.waitFor(async () => expect(await portal().db.query(unworded)).toEqual([]), { timeout: 60_000 });
  });

  const addressOf = ({ path }: Route): string =>
    path
      .replace(/:(?:id|pk)\b/g, String(item))
      .replace(/:\w+(?:\([^)]*\))?/g, '1')
      .replace('*', 'x');
  const forged = (): Record<string, string> => ({
    cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    origin: 'https://evil.example',
    'sec-fetch-site': 'cross-site',
  });
  /** What a form or a script of another site can send without asking first. */
  const BODIES = [
    ['application/x-www-form-urlencoded', 'title=x&accept=true'],
    ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nx\r\n--b--\r\n'],
    ['text/plain', '{"title": "x"}'],
    [
      'text/plain',
      '<wfs:Transaction service="WFS" version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0"><wfs:Delete typeName="x"/></wfs:Transaction>',
    ],
    ['application/json', '{"title": "x"}'],
  ] as const;

  test('the router tells its addresses', () => {
    expect(routes.length).toBeGreaterThan(150);
    for (const path of ['/api/v2/maps/:id', '/api/v2/groups/:id/members', '/ogc/collections/:layer/items'])
      expect(routes.map((route) => route.path.replace(/\/$/, ''))).toContain(path);
  });

  test('write nothing, at any address', async () => {
    const before = await tally();
    const letThrough: string[] = [];
    for (const route of routes) {
      if (!['POST', 'PUT', 'PATCH', 'DELETE'].includes(route.method) || ANSWERED_BY_SECRET.test(route.path)) continue;
      for (const [type, body] of BODIES) {
        const reply = await portal().visitor.request(route.method, addressOf(route), {
          headers: { ...forged(), 'content-type': type },
          body,
        });
        // 404 and 405: there is no such thing to write to. 415: another site cannot send what would be taken.
        const isRead = READ_BY_POST.test(route.path) && !body.includes('Transaction') && reply.status < 500;
        if (!isRead && ![401, 403, 404, 405, 415].includes(reply.status))
          letThrough.push(
            `${route.method} ${route.path} as ${type}: ${reply.status} ${String(reply.body).slice(0, 200)}`,
          );
      }
    }
    expect(letThrough).toEqual([]);
    expect(await tally()).toEqual(before);
  });

  test('nothing is written by reading', async () => {
    const before = await tally();
    for (const route of routes) {
      if (route.method !== 'GET' || LONG.test(route.path)) continue;
      const reply = await admin.get(addressOf(route));
      expect(reply.status, `${route.path}: ${String(reply.body).slice(0, 200)}`).toBeLessThan(500);
    }
    expect(await tally()).toEqual(before);
  });

  /** How many rows were inserted, changed or deleted in every table, and what stands in each. */
  async function tally(): Promise<Record<string, string>> {
    const tables = await portal().db.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname in ('portal', 'portal_private', 'layers') order by 1`,
    );
    const result: Record<string, string> = {};
    for (const { name } of tables) {
      if (OF_THE_SERVICE.has(name)) continue;
      const [row] = await portal().db.query<{ sum: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as sum from ${name} t`,
      );
      result[name] = row?.sum ?? '';
    }
    return result;
  }
}

/** Services that are asked by POST as well; of them, only a transaction of WFS writes. */
const READ_BY_POST = /^\/(?:ows|wfs|wms|wcs|csw|api\/o\/v4\/userinfo)/;
/** Signing in and out, and the token endpoints of OpenID Connect: the request holds the secret, or takes nothing but the session away. */
const ANSWERED_BY_SECRET = /^\/(?:account\/(?:login|logout|token)|o\/)/;
/** Answers that go on for as long as somebody listens. */
const LONG = /\/events$/;
/** Sessions are prolonged by being used, and a program says that it lives. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set(['portal_private.session', 'portal_private.program_copy']);
