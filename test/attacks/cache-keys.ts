// Cache keys across callers: what a shared cache, a browser or the program itself keeps of one caller's answer never reaches another. Every
// reading address is asked by its owner, by somebody else and by a visitor, in this order, with each other's validators.

import { beforeAll, expect, test } from 'vitest';
import { at, collection } from '../feature/uploads/upload-kit.ts';
import type { PortalClient } from '../testkit/portal-client.ts';
import type { Reply } from '../testkit/reply-matcher.ts';
import type { BuiltPortal } from './built-portal.ts';
import { USUAL } from './hidden-items.ts';

const LONG = /\/events$/;

export function cacheKeys(portal: () => BuiltPortal): void {
  let targets: readonly string[];
  let callers: readonly (readonly [string, PortalClient])[];

  beforeAll(async () => {
    const upload = await portal().import('ada', [
      { name: 'kept.geojson', content: collection([{ geometry: at(10, 50), properties: { name: 'kept' } }]) },
    ]);
    const [layer] = await portal().db.query<{ name: string }>('select name from portal.resource where id = $1', [
      upload.resource_id,
    ]);
    const shared = { users: { bob: ['view_resourcebase'] }, groups: {} };
    const ada = portal().bearer(await portal().tokenOf('ada'));
    expect((await ada.put(`/api/v2/resources/${upload.resource_id}/set_perms/`, shared)).status).toBe(200);
    callers = [
      ['ada', ada],
      ['bob', portal().bearer(await portal().tokenOf('bob'))],
      ['a session of mia', await portal().session('mia')],
      ['a visitor', portal().visitor],
    ];
    const name = layer?.name ?? '';
    const names: Readonly<Record<string, string>> = {
      ...USUAL,
      id: String(upload.resource_id),
      layer: name,
      layers: name,
      name,
      z: '2',
      x: '2',
      row: '1',
      column: '2',
      col: '2',
      file: '1.mvt',
    };
    targets = portal()
      .routes.filter(({ method, path }) => method === 'GET' && !LONG.test(path))
      .map(({ path }) => path.replace(/:(\w+)(?:\|:\w+)?/g, (_, key: string) => names[key] ?? '1').replace('*', ''))
      .concat([
        `/tiles/${name}.json`,
        `/thumbs/${upload.resource_id}.png`,
        `/download/${name}.geojson`,
        `/metadata/${upload.resource_id}.xml`,
        `/ows?service=WMS&version=1.3.0&request=GetCapabilities`,
        `/ows?service=WFS&version=2.0.0&request=GetCapabilities`,
        `/ows?service=WMS&version=1.3.0&request=GetMap&layers=${name}&styles=&crs=EPSG:4326&bbox=40,0,60,20&width=32&height=32&format=image/png`,
        `/wmts/1.0.0/${name}/default/WebMercatorQuad/2/1/2.png`,
      ]);
  });

  test('an answer that depends on the caller says so, and no validator of another caller is taken for it', async () => {
    const faults: string[] = [];
    let differing = 0;
    for (const target of targets) {
      const replies: (readonly [string, Reply])[] = [];
      for (const [who, client] of callers) replies.push([who, await client.get(target)]);
      const [[, first] = ['', undefined]] = replies;
      if (first === undefined) continue;
      const isSame = replies.every(([, reply]) => answerOf(reply) === answerOf(first));
      if (isSame) continue;
      differing += 1;
      for (const [who, reply] of replies) {
        const vary = header(reply, 'vary').toLowerCase();
        const control = header(reply, 'cache-control').toLowerCase();
        const isKept = !control.includes('no-store');
        if (isKept && !(vary.includes('authorization') && vary.includes('cookie')) && vary !== '*')
          faults.push(`${target} for ${who}: ${reply.status} Vary: ${vary}, Cache-Control: ${control}`);
        if (/\bpublic\b|s-maxage/.test(control)) faults.push(`${target} for ${who}: ${reply.status} ${control}`);
      }
      for (const [owner, { headers, body, status }] of replies) {
        const tag = String((headers as Record<string, unknown>)['etag'] ?? '');
        if (tag === '' || status !== 200) continue;
        for (const [i, [who, client]] of callers.entries()) {
          const theirs = replies[i]?.[1];
          if (theirs === undefined || (theirs.status === 200 && String(theirs.body) === String(body))) continue;
          const again = await client.get(target, { 'if-none-match': tag });
          if (again.status === 304) faults.push(`${target}: the ETag of ${owner} is taken from ${who}`);
        }
      }
    }
    expect(faults).toEqual([]);
    // The layer is ada's: the suite sees what it looks for.
    expect(differing).toBeGreaterThan(30);
  }, 180_000);
}

const header = ({ headers }: Reply, name: string): string => String((headers as Record<string, unknown>)[name] ?? '');

/** What is told: not the moment at which it was told. */
function answerOf({ status, body }: Reply): string {
  return `${status} ${String(body).replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)/g, 'NOW')}`;
}
