// What a caller may not see does not exist for them, on any surface. One account keeps a layer, a map, a document, a story and an upload
// to itself; every address of the router is asked about them by others, and has to answer as if they were not there.

import { beforeAll, expect, test } from 'vitest';
import { at, collection } from '../feature/uploads/upload-kit.ts';
import type { PortalClient } from '../testkit/portal-client.ts';
import type { BuiltPortal } from './built-portal.ts';
import type { Route } from './route-table.ts';

/** In every text of what is hidden, and in nothing else. */
const SECRET = 'xyzzy';
const NOBODY = JSON.stringify({ users: {}, groups: {} });

/** How something hidden is called in an address, and something of the same form that never was. */
type Name = { readonly real: string; readonly unreal: string };

export function hiddenItems(portal: () => BuiltPortal): void {
  let routes: readonly Route[];
  let names: readonly Name[];
  let items: readonly Name[];
  let strangers: readonly PortalClient[];

  beforeAll(async () => {
    routes = portal().routes.filter(({ method }) => method === 'GET');
    strangers = [portal().visitor, portal().bearer(await portal().tokenOf('bob'))];
    const ada = portal().as('ada');
    // Numbers that stand in no answer by chance.
    await portal().db.query('alter table portal.resource alter column id restart with 7654321');
    await portal().db.query('alter table portal.upload alter column id restart with 5432167');
    const upload = await portal().import(
      'ada',
      [
        {
          name: `${SECRET}_layer.geojson`,
          content: collection([{ geometry: at(10, 50), properties: { [`${SECRET}_field`]: `${SECRET} value` } }]),
        },
      ],
      { permissions: NOBODY },
    );
    const permissions = JSON.parse(NOBODY);
    const made = async (path: string, body: object): Promise<number> => {
      const reply = await ada.post(path, body);
      const [item] = Object.values(JSON.parse(String(reply.body))) as readonly { readonly pk?: string }[];
      if (item?.pk === undefined) throw new Error(`${path}: ${reply.status} ${String(reply.body)}`);
      await portal().db.query(`delete from portal_private.resource_grant where resource_id = $1 and principal <= 0`, [
        item.pk,
      ]);
      return Number(item.pk);
    };
    const title = `${SECRET} title`;
    const story = await made('/api/v2/geostories/', { title, name: `${SECRET}-story`, abstract: title, permissions });
    const app = await made('/api/v2/geoapps/', { title, name: `${SECRET}-app`, abstract: title, permissions });
    const document = await made('/api/v2/documents/', {
      title,
      doc_url: `https://example.org/${SECRET}.pdf`,
      permissions,
    });
    const [layer] = await portal().db.query<{ id: number; name: string; alternate: string; uuid: string }>(
      'select id, name, alternate, uuid from portal.resource where id = $1',
      [upload.resource_id],
    );
    if (layer === undefined) throw new Error(JSON.stringify(upload));
    const number = (id: number): Name => ({ real: String(id), unreal: String(id + 1_000_000) });
    const text = (real: string): Name => ({ real, unreal: real.replace(SECRET, 'nosuch') });
    items = [
      ...[layer.id, story, app, document].map(number),
      text(layer.name),
      text(layer.alternate),
      { real: layer.uuid, unreal: '6f1c2a52-9a54-4d9c-8c11-0123456789ab' },
    ];
    names = [...items, number(upload.id)];
  });

  /** Addresses at which somebody learns of them. */
  async function toldTo(who: readonly PortalClient[], of: readonly Name[]): Promise<readonly string[]> {
    const told: string[] = [];
    let asked = 0;
    for (const route of routes) {
      if (!route.path.includes(':')) continue;
      for (const { real, unreal } of of) {
        for (const [theirs, nothing] of pairs(addresses(route.path, real), addresses(route.path, unreal))) {
          const replies = who.map((stranger) => Promise.all([stranger.get(theirs), stranger.get(nothing)]));
          for (const [seen, unseen] of await Promise.all(replies)) {
            asked += 1;
            const as = (status: number, body: unknown, name: string): string =>
              `${status} ${String(body).replaceAll(encodeURIComponent(name), 'NAME').replaceAll(name, 'NAME')}`;
            const [one, other] = [as(seen.status, seen.body, real), as(unseen.status, unseen.body, unreal)];
            if (one !== other) told.push(`${theirs}: ${one.slice(0, 200)} — but ${nothing}: ${other.slice(0, 200)}`);
          }
        }
      }
    }
    expect(asked).toBeGreaterThan(1000);
    return told;
  }

  test('have no address that tells them from what never was', async () => {
    expect(await toldTo(strangers, names)).toEqual([]);
    // Their owner sees them there.
    const own = await Promise.all(
      names.slice(0, 4).map(({ real }) => portal().as('ada').get(`/api/v2/resources/${real}`)),
    );
    expect(own.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test('are in no list, search, count, capabilities, sitemap or description', async () => {
    const told: string[] = [];
    const plain = routes
      .filter(({ path }) => !path.includes(':') && !LONG.test(path))
      .map(({ path }) => path.replace('*', ''));
    for (const target of [...plain, ...QUESTIONS]) {
      for (const stranger of strangers) {
        const { status, body, headers } = await stranger.get(target);
        const answer = `${JSON.stringify([...Object.entries(headers)])} ${String(body)}`;
        if (status >= 500 || answer.includes(SECRET)) told.push(`${target}: ${status} ${answer.slice(0, 300)}`);
      }
    }
    expect(told).toEqual([]);
    // The secret is where it belongs, so the test can see it.
    expect(String((await portal().as('ada').get('/api/v2/resources/')).body)).toContain(SECRET);
  });

  test('are not there for their owner and for administrators either while they are in the bin', async () => {
    const as = async (name: 'ada' | 'admin') => portal().bearer(await portal().tokenOf(name));
    const [ada, admin] = [await as('ada'), await as('admin')];
    const ids = items.slice(0, 4).map(({ real }) => ({ id: Number(real) }));
    expect((await ada.delete('/api/v2/resources/', ids)).status).toBe(204);
    expect(await toldTo([ada], items)).toEqual([]);
    const told: string[] = [];
    for (const target of QUESTIONS)
      for (const one of [ada, admin]) {
        const body = String((await one.get(target)).body);
        if (body.includes(SECRET)) told.push(`${target}: ${body.slice(0, 300)}`);
      }
    expect(told).toEqual([]);
    expect(String((await ada.get('/api/v2/bin/')).body)).toContain(SECRET);
  });
}

const LONG = /\/events$/;

/** Questions with parameters; none of their answers repeats what was asked. */
const QUESTIONS: readonly string[] = [
  ...[
    'WMS&version=1.3.0',
    'WMS&version=1.1.1',
    'WFS&version=2.0.0',
    'WFS&version=1.0.0',
    'WCS&version=2.0.1',
    'WMTS&version=1.0.0',
  ].map((service) => `/ows?service=${service}&request=GetCapabilities`),
  '/ows?service=WFS&version=2.0.0&request=DescribeFeatureType',
  '/api/v2/resources/?page_size=100&include[]=*',
  '/api/v2/resources/?search=title',
  '/api/v2/layers/?filter{name.istartswith}=x',
  '/api/v2/resources/facets/?include_topics=true',
  '/api/v2/owners/?filter{username}=ada',
  '/api/v2/users/?search=ada',
  '/records/collections/catalogue/items?q=title',
];

/** The address with the name in each of the places where one belongs in turn, and something usual in the others. */
function addresses(path: string, name: string): readonly string[] {
  const parameter = /:(\w+)(?:\|:\w+)?/g;
  const found: string[] = [];
  for (const [place, [, kind = '']] of [...path.matchAll(parameter)].entries()) {
    if (!NAMING.has(kind)) continue;
    for (const ending of kind === 'file' || kind === 'layers' ? ['.json', '.png', '.xml'] : ['']) {
      let n = -1;
      found.push(
        path.replace(parameter, (_, other: string) => {
          n += 1;
          return n === place ? encodeURIComponent(name) + ending : (USUAL[other] ?? '0');
        }),
      );
    }
  }
  return found;
}

/** Parameters that name something somebody made; the others are places in a grid, fonts and the like. */
const NAMING: ReadonlySet<string> = new Set([
  'id',
  'layer',
  'layers',
  'name',
  'file',
  'importId',
  'execution',
  'group',
  'collection',
]);

export const USUAL: Readonly<Record<string, string>> = {
  file: '0.png',
  grid: 'WebMercatorQuad',
  set: 'WebMercatorQuad',
  style: 'default',
  field: 'title',
  catalogue: 'catalogue',
  collection: 'catalogue',
};

function pairs<T>(left: readonly T[], right: readonly T[]): readonly (readonly [T, T])[] {
  return left.map((one, i) => [one, right[i] as T]);
}
