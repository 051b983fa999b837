// Random grants and memberships, set through the API, and every surface asked by everybody before and directly after each change: what the
// program answers is held against the model. Zero disagreements is the claim.

import { publicJwks } from '../../src/portal/oidc/signing-keys.ts';
import { type LayerKit, makeLayer } from '../feature/mapserver/layer-kit.ts';
import type { PortalClient } from '../testkit/portal-client.ts';
import type { Reply } from '../testkit/reply-matcher.ts';
import { openRest, type RestClient } from '../testkit/rest-client.ts';
import {
  ADMIN,
  allowed,
  type Grants,
  type Kind,
  type Model,
  type ModelItem,
  type Permission,
  permissionsOf,
  type Who,
} from './permission-model.ts';
import { type Asker, SURFACES, type Surface } from './surfaces.ts';

export type Proof = { readonly decisions: number; readonly disagreements: readonly string[] };

export type Prover = {
  /** A few random changes, then everything is asked. */
  round(random: () => number): Promise<Proof>;
  close(): Promise<void>;
};

const ROUNDS_OF_A_TOKEN = 20;
const PEOPLE = ['ada', 'bob', 'mia', 'mel'] as const;
type Owner = (typeof PEOPLE)[number];
const GROUPS = ['north', 'south', 'harbour'] as const;
const ITEMS: readonly (readonly [Kind, Owner])[] = [
  ['layer', 'ada'],
  ['layer', 'bob'],
  ['layer', 'mia'],
  ['map', 'ada'],
  ['map', 'mel'],
  ['document', 'bob'],
  ['document', 'mel'],
];

export async function makeProver(kit: LayerKit): Promise<Prover> {
  const { portal, db } = kit;
  const groupIds = new Map<string, number>();
  for (const slug of GROUPS) {
    const [made] = await db.query<{ id: number }>(
      'insert into portal.user_group (slug, title) values ($1, $1) returning id',
      [slug],
    );
    groupIds.set(slug, made?.id ?? 0);
  }
  const model: Model = {
    people: PEOPLE,
    groups: new Map(GROUPS.map((slug) => [slug, new Set<string>()])),
    items: await makeItems(kit),
    link: new Map(),
  };
  const rest = await openRest(
    db,
    {
      'db-schemas': 'layers',
      'db-extra-search-path': 'public',
      'db-anon-role': 'survest_anon',
      'db-relation-guard': 'portal.visible_relations',
      'db-token-check': 'portal.check_token',
      'jwt-secret': publicJwks(portal.keys),
    },
    () => db.driver,
  );
  const atlas = await makeAtlas(kit, model.items);
  const link = await makeLink(kit, rest, atlas, model.items);
  const askers = new Map<Who, Asker>([[undefined, askerOf(kit, rest, atlas, undefined)]]);
  /** A visitor and an account that have a link. */
  const linked = new Map<Who, Asker>();
  let rounds = 0;
  /** Tokens end after some minutes, and a long proof does not. */
  const renewTokens = async (): Promise<void> => {
    for (const name of [...PEOPLE, ADMIN] as const)
      askers.set(name, askerOf(kit, rest, atlas, await portal.tokenOf(name)));
  };

  const grant = async (item: ModelItem, grants: Grants): Promise<void> => {
    const reply = await askers.get(item.owner)?.portal.put(`/api/v2/resources/${item.id}/set_perms/`, grants);
    if (reply?.status !== 200) throw new Error(`set_perms of ${item.name}: ${reply?.status} ${String(reply?.body)}`);
    item.grants = grants;
  };
  const move = async (group: string, person: Owner): Promise<void> => {
    const members = model.groups.get(group) ?? new Set();
    const path = `/api/v2/groups/${groupIds.get(group)}/members/`;
    const root = portal.as(ADMIN);
    if (members.delete(person)) await root.delete(`${path}${portal.ids[person]}/`);
    else {
      await root.post(path, { username: person });
      members.add(person);
    }
  };

  return {
    async round(random) {
      if (rounds++ % ROUNDS_OF_A_TOKEN === 0) await renewTokens();
      for (let n = 0; n < 3; n++) await move(pick(random, GROUPS), pick(random, PEOPLE));
      for (let n = 0; n < 3; n++) {
        const item = pick(random, model.items);
        await grant(item, randomGrants(random, item.kind));
      }
      model.link = await link.change(random);
      for (const who of [undefined, 'bob'] as const) linked.set(who, await link.asker(who));
      let decisions = 0;
      const disagreements: string[] = [];
      const all = [...askers].map(([who, asker]) => ({ who, asker, hasLink: false }));
      for (const [who, asker] of linked) all.push({ who, asker, hasLink: true });
      for (const { who, asker, hasLink } of all) {
        for (const surface of SURFACES) {
          const items = model.items.filter(({ kind }) => surface.kinds.includes(kind));
          const seen = await ask(surface, asker, items);
          for (const item of items) {
            const held = allowed(model, who, item, hasLink && surface.takesLink);
            const expected = surface.needs.some((permission) => held.has(permission));
            decisions += 1;
            if (seen.has(item.id) !== expected)
              disagreements.push(
                `${surface.name} of ${item.name} (${item.owner}’s) for ${who ?? 'a visitor'}${hasLink ? ' with a link' : ''}: ${seen.has(item.id)}, but holds [${[...held]}] by ${JSON.stringify(item.grants)} and a link to [${model.link.get(item.id) ?? ''}]`,
              );
          }
        }
      }
      return { decisions, disagreements };
    },
    close: () => rest.close(),
  };
}

async function ask(surface: Surface, asker: Asker, items: readonly ModelItem[]): Promise<ReadonlySet<number>> {
  if ('all' in surface) return surface.all(asker, items);
  const answers = await Promise.all(items.map(async (item) => ((await surface.each(asker, item)) ? [item.id] : [])));
  return new Set(answers.flat());
}

function askerOf({ portal }: LayerKit, rest: RestClient, atlas: number, token: string | undefined): Asker {
  const headers: Readonly<Record<string, string>> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    atlas,
    portal: token === undefined ? portal.visitor : portal.bearer(token),
    rest: async (target) => {
      const { status, body } = await rest.get(target, headers);
      return { status, text: String(body) };
    },
  };
}

type LinkOfMap = {
  /** Shows some of the items and then others, and is renewed, or off. What it lets people do now. */
  change(random: () => number): Promise<Model['link']>;
  /** Somebody with the address, which may be the one from before it was renewed. */
  asker(who: Owner | undefined): Promise<Asker>;
};

async function makeLink(
  kit: LayerKit,
  rest: RestClient,
  atlas: number,
  items: readonly ModelItem[],
): Promise<LinkOfMap> {
  const { portal, db } = kit;
  const map = items.find(({ kind }) => kind === 'map');
  if (map === undefined) throw new Error('there is a map');
  const owner = portal.as(map.owner as Owner);
  const path = `/api/v2/resources/${map.id}/share_links/`;
  const secretIn = (reply: Reply): string => {
    const { links } = JSON.parse(String(reply.body)) as { readonly links?: readonly { readonly url: string }[] };
    const [, secret] = links?.[0]?.url.split('unlisted=') ?? [];
    if (secret === undefined) throw new Error(`link: ${reply.status} ${String(reply.body)}`);
    return secret;
  };
  let secret = secretIn(await owner.post(path, { title: 'matrix' }));
  let used = secret;
  const [{ id, principal } = { id: 0, principal: 0 }] = await db.query<{ id: number; principal: number }>(
    'select id, principal from portal_private.share_link',
  );
  return {
    async change(random) {
      const shown = new Map<number, readonly Permission[]>();
      await db.query('delete from portal_private.resource_grant where principal = $1', [principal]);
      for (const item of items) {
        // Its own it always shows.
        if (item !== map && random() < 0.4) continue;
        const perms: Permission[] = [
          'view_resourcebase',
          ...(random() < 0.5 ? ['download_resourcebase' as const] : []),
        ];
        await db.query(
          'insert into portal_private.resource_grant (resource_id, principal, perms) values ($1, $2, $3)',
          [item.id, principal, perms.length === 2 ? 3 : 1],
        );
        shown.set(item.id, perms);
      }
      const before = secret;
      if (random() < 0.5) secret = secretIn(await owner.post(`${path}${id}/renew/`));
      used = random() < 0.2 ? before : secret;
      const isOn = random() < 0.8;
      await owner.patch(`${path}${id}/`, { is_on: isOn });
      return isOn && used === secret ? shown : new Map();
    },
    async asker(who) {
      const plain = who === undefined ? portal.visitor : portal.as(who);
      const linkTo = (target: string): string => `${target}${target.includes('?') ? '&' : '?'}unlisted=${used}`;
      const reply = await plain.post(linkTo('/account/token'));
      const token = (JSON.parse(String(reply.body)) as { readonly access_token?: string }).access_token;
      const asker = askerOf(kit, rest, atlas, token);
      const client = who === undefined ? portal.visitor : portal.bearer(token ?? '');
      return { ...asker, portal: { ...client, ...onAddresses(client, linkTo) } };
    },
  };
}

/** A client whose requests go to other addresses. */
function onAddresses(
  client: PortalClient,
  to: (target: string) => string,
): Pick<PortalClient, 'request' | 'get' | 'patch'> {
  return {
    request: (method, target, options) => client.request(method, to(target), options),
    get: (target, headers) => client.get(to(target), headers),
    patch: (target, body, headers) => client.patch(to(target), body, headers),
  };
}

async function makeItems(kit: LayerKit): Promise<readonly ModelItem[]> {
  const items: ModelItem[] = [];
  for (const [n, [kind, owner]] of ITEMS.entries()) {
    // Words of which none begins with another: a document that names one names no other.
    const name = `${String.fromCharCode(97 + n).repeat(3)}${kind}q`;
    let id: number;
    let upload: number | undefined;
    if (kind === 'layer') {
      id = await makeLayer(kit, {
        name,
        title: `matrix ${name}`,
        owner,
        columns: 'label text',
        geometry: 'Point',
        rows: `insert into $table (label, geom) values ('same', st_setsrid(st_makepoint(10, 50), 4326))`,
      });
      upload = await noteUpload(kit, owner, name, id);
    } else {
      const body =
        kind === 'map'
          ? { title: `matrix ${name}`, zoom: 1, projection: 'EPSG:3857', center_x: 0, center_y: 0 }
          : { title: `matrix ${name}`, doc_url: `https://example.org/${name}.pdf` };
      const reply = await kit.portal.as(owner).post(`/api/v2/${kind}s/`, body);
      const made = JSON.parse(String(reply.body))[kind];
      if (made === undefined) throw new Error(`${kind}: ${reply.status} ${String(reply.body)}`);
      id = Number(made.pk);
    }
    const everybody: Permission[] = ['view_resourcebase', 'download_resourcebase'];
    await giveThumbnail(kit, owner, id);
    const grants = { users: {}, groups: { anonymous: everybody } };
    items.push({ id, kind, name, owner, ...(upload === undefined ? {} : { upload }), grants });
  }
  return items;
}

/** As if the layer had been imported. */
async function noteUpload({ db, portal }: LayerKit, owner: Owner, name: string, layer: number): Promise<number> {
  const [made] = await db.query<{ id: number }>(
    `insert into portal.upload (user_id, name, state, resource_id) values ($1, $2, 'PROCESSED', $3) returning id`,
    [portal.ids[owner], name, layer],
  );
  return made?.id ?? 0;
}

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function giveThumbnail({ portal }: LayerKit, owner: Owner, id: number): Promise<void> {
  const reply = await portal.as(owner).put(`/api/v2/resources/${id}/set_thumbnail/`, { file: PIXEL });
  if (reply.status !== 200) throw new Error(`thumbnail: ${reply.status} ${String(reply.body)}`);
}

/** A map of all layers, of an administrator, that everybody sees. */
async function makeAtlas({ portal, db }: LayerKit, items: readonly ModelItem[]): Promise<number> {
  const layers = items
    .filter(({ kind }) => kind === 'layer')
    .map(({ name }) => ({ type: 'wms', name: `portal:${name}`, url: '/ows', visibility: true }));
  const view = { center: { x: 10, y: 50, crs: 'EPSG:4326' }, zoom: 3, projection: 'EPSG:3857' };
  const data = { version: 2, map: { ...view, layers } };
  const reply = await portal.as(ADMIN).post('/api/v2/maps/', { title: 'atlas', data });
  const id = Number(JSON.parse(String(reply.body)).map?.pk);
  const shared = await portal
    .as(ADMIN)
    .put(`/api/v2/resources/${id}/set_perms/`, { users: {}, groups: { anonymous: ['view_resourcebase'] } });
  if (shared.status !== 200) throw new Error(`atlas: ${reply.status} ${String(reply.body)} ${String(shared.body)}`);
  const [{ n } = { n: 0 }] = await db.query<{ n: number }>(
    'select count(layer_id)::int as n from portal.map_layer where map_id = $1',
    [id],
  );
  if (n !== layers.length) throw new Error(`the atlas has ${n} of ${layers.length} layers`);
  return id;
}

function randomGrants(random: () => number, kind: Kind): Grants {
  const some = (): Permission[] => {
    const most = random() < 0.7 ? ['view_resourcebase' as const] : [];
    return [...new Set([...most, ...permissionsOf(kind).filter(() => random() < 0.25)])];
  };
  const grants: Grants = { users: {}, groups: {} };
  for (const person of PEOPLE) if (random() < 0.4) grants.users[person] = some();
  for (const group of GROUPS) if (random() < 0.4) grants.groups[group] = some();
  if (random() < 0.25) grants.groups['registered-members'] = some();
  if (random() < 0.25)
    grants.groups['anonymous'] = some().filter(
      (one) => one.endsWith('view_resourcebase') || one.startsWith('download'),
    );
  return grants;
}

const pick = <T>(random: () => number, among: readonly T[]): T => among[Math.floor(random() * among.length)] as T;

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
