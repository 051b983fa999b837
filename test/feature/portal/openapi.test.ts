// The document that describes the API, held against the API: every documented example is sent, every answer is checked.

import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// @ts-expect-error a script without types
import { portalDocument } from '../../../scripts/api-types.mjs';
import { makeRemoteFetch } from '../../../src/http/outbound/remote-fetch.ts';
import type { Portal } from '../../testkit/portal-client.ts';
import { startRemoteServer } from '../../testkit/remote-server.ts';
import { headerOf, textOf } from '../../testkit/reply-matcher.ts';
import { complaintAbout, type Document, type Operation, validatorOf } from './answers-by-schema.ts';
import { bodyOf, onCatalogue, scriptAs } from './on-catalogue.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** What the examples call https://maps.example.org. */
const server = startRemoteServer();
const internal: string[] = [];
afterAll(async () => (await server).close());
const remote = makeRemoteFetch({ hosts: { allowed: [], internal } });

onCatalogue('the OpenAPI document', { portal: { remote } }, (portal) => {
  let document: Document;
  let everything: Document;
  beforeAll(async () => {
    const { host } = await server;
    if (!internal.includes(host)) internal.push(host);
    await scriptAs(portal(), 'admin', ITEMS);
    document = bodyOf<Document>(await portal().visitor.get('/api/v2/schema/?format=json'));
    everything = (await portalDocument()) as Document;
  });

  test('is valid OpenAPI 3.0', async () => {
    const validator = new Validator();
    const checked = await validator.validate({ ...structuredClone(document) });
    expect(checked).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.0');
  });

  test('is shown to people on the portal’s own page', async () => {
    for (const path of ['swagger-ui', 'redoc/']) {
      expect(await portal().visitor.get(`/api/v2/schema/${path}`, { accept: 'text/html' })).toMatchReply({
        status: 302,
        headers: { location: '/console' },
      });
    }
  });

  test('says the same in YAML', async () => {
    const reply = await portal().visitor.get('/api/v2/schema/');
    expect(headerOf(reply, 'content-type')).toMatch(/^application\/vnd\.oai\.openapi(;|$)/);
    const validator = new Validator();
    expect(await validator.validate(textOf(reply.body))).toMatchObject({ valid: true });
    expect(validator.specification).toEqual(document);
  });

  test.each([
    ['application/vnd.oai.openapi+json', 'application/vnd.oai.openapi+json'],
    ['application/json', 'application/json'],
    ['application/yaml', 'application/yaml'],
    ['text/html, */*;q=0.1', 'application/vnd.oai.openapi'],
    ['application/json;q=0.1, application/yaml', 'application/yaml'],
  ])('Accept: %s gets %s', async (accept, type) => {
    const reply = await portal().visitor.get('/api/v2/schema', { accept });
    expect(reply).toMatchReply({
      status: 200,
      headers: { 'content-type': new RegExp(`^${type.replace('+', '\\+')}(;|$)`) },
    });
  });

  test('what nobody speaks is refused: by Accept 406, by format 404', async () => {
    expect(await portal().visitor.get('/api/v2/schema', { accept: 'text/plain' })).toMatchReply({ status: 406 });
    expect(await portal().visitor.get('/api/v2/schema?format=xml')).toMatchReply({
      status: 404,
      json: { detail: 'Not found.' },
    });
  });

  test('speaks German when asked to', async () => {
    const german = await portal().visitor.get('/api/v2/schema?format=json&lang=de');
    expect(headerOf(german, 'content-language')).toBe('de');
    expect(bodyOf<{ info: { title: string } }>(german).info.title).toBe('Portal für räumliche Inhalte');
    expect(headerOf(await portal().visitor.get('/api/v2/schema?lang=xx'), 'content-language')).toBe('en');
  });

  test('knows every path of the specification', () => {
    const collections = [
      'documents',
      'geoapps',
      'geostories',
      'groups',
      'layers',
      'maps',
      'resources',
      'uploads',
      'users',
    ];
    for (const name of collections) {
      expect(Object.keys(document.paths[`/api/v2/${name}/`] ?? {}).sort()).toEqual(['delete', 'get', 'patch', 'post']);
      expect(Object.keys(document.paths[`/api/v2/${name}/{id}/`] ?? {})).toEqual(
        expect.arrayContaining(['get', 'put', 'patch', 'delete']),
      );
    }
    // A portal that takes no files has no routes for them.
    for (const path of SPECIFIED) expect(everything.paths).toHaveProperty([path]);
  });

  test('describes its own examples', () => {
    const wrong: string[] = [];
    let checked = 0;
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const method of METHODS) {
        const media = operations[method]?.requestBody?.content['application/json'];
        for (const [name, { value }] of Object.entries(media?.examples ?? {})) {
          const validate = validatorOf(media?.schema ?? {}, document);
          checked += 1;
          if (!validate(value))
            wrong.push(`${method} ${path} ${name}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(50);
  });

  describe('holds for', () => {
    // Reading first, deleting last.
    for (const method of METHODS) {
      test(`every ${method.toUpperCase()} with every example`, async () => {
        const wrong: string[] = [];
        let sent = 0;
        for (const [path, operations] of Object.entries(document.paths)) {
          const operation = operations[method];
          // There is no record to read in an empty collection.
          if (operation === undefined || UNANSWERED.has(path) || OF_SERVICES.test(path)) continue;
          for (const { target, body } of await requestsOf(portal(), path, method, operation)) {
            const reply = await portal().as('admin').request(method.toUpperCase(), target, { body });
            sent += 1;
            const complaint = complaintAbout(reply, operation, document);
            if (complaint !== undefined || reply.status >= 400) {
              wrong.push(
                `${method} ${target} ${JSON.stringify(body)}: ${reply.status} ${complaint ?? textOf(reply.body).slice(0, 300)}`,
              );
            }
          }
        }
        expect(wrong).toEqual([]);
        expect(sent).toBeGreaterThan(10);
      }, 120_000);
    }

    test('refusals, too', async () => {
      const wrong: string[] = [];
      for (const [path, operations] of Object.entries(document.paths)) {
        for (const method of METHODS) {
          const operation = operations[method];
          if (operation === undefined || path === '/wcs') continue;
          const target = path.replace(/\{\w+\}/g, '987654321');
          for (const [client, body] of [
            [portal().visitor, {}],
            [portal().as('bob'), { title: 5, zoom: 'x' }],
            [portal().as('bob'), 'not JSON'],
          ] as const) {
            const reply = await client.request(method.toUpperCase(), target, {
              ...(method === 'get' ? {} : { body, headers: { 'content-type': 'application/json' } }),
            });
            const complaint = complaintAbout(reply, operation, document);
            if (complaint !== undefined && reply.status !== 405)
              wrong.push(`${method} ${target}: ${reply.status} ${complaint}`);
          }
        }
      }
      expect(wrong).toEqual([]);
    }, 120_000);
  });
});

/** The requests of an operation's examples, with ids that exist. */
async function requestsOf(
  portal: Portal,
  path: string,
  method: string,
  operation: Operation,
): Promise<{ target: string; body?: unknown }[]> {
  const query = new URLSearchParams();
  const alone: URLSearchParams[] = [];
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in !== 'query' || parameter.example === undefined) continue;
    const own = new URLSearchParams();
    if (parameter.name === 'filter{}')
      for (const [name, value] of Object.entries(parameter.example as object)) own.append(name, value);
    else for (const value of [parameter.example].flat()) own.append(parameter.name, String(value));
    alone.push(own);
    // It changes the shape of the answer, and so is sent by itself.
    if (parameter.name !== 'sideloading') for (const [name, value] of own) query.append(name, value);
  }
  const examples = Object.values(operation.requestBody?.content['application/json']?.examples ?? {});
  const targetFor = async (): Promise<string> =>
    path
      .replace(/\{(?:id|group)\}/, String(await freshId(portal, path, method)))
      .replace('{version}', path.includes('{version}') ? await newestVersion(portal) : '')
      .replace('{comment}', path.includes('{comment}') ? await newComment(portal) : '')
      .replace('{link}', path.includes('{link}') ? await newLink(portal) : '')
      .replace('{username}', 'admin')
      .replace('{account}', String(portal.ids.mel))
      .replace('{name}', path.includes('/sql/') ? String(await freshId(portal, path, method)) : 'category')
      .replace('{z}/{x}/{y}', '1/1/0');
  // Which items there are to link to, no example knows.
  if (path.endsWith('/linked_resources/') && method !== 'get')
    return [
      {
        target: await targetFor(),
        body: { target: await freshId(portal, path.includes('/maps/') ? '/api/v2/geoapps/' : '/api/v2/maps/', 'get') },
      },
    ];
  if (path.startsWith('/api/v2/remote/')) return remoteRequests(await targetFor(), query, examples);
  const plain = [{ target: await targetFor() }];
  if (examples.length === 0) {
    const queries = query.size === 0 || method !== 'get' ? [] : [...alone, query];
    const target = await targetFor();
    return [...plain, ...queries.map((one) => ({ target: `${target}?${one}` }))];
  }
  const requests: { target: string; body: unknown }[] = [];
  for (const { value } of examples) {
    const id = await freshId(portal, path, 'patch');
    const body = method === 'patch' && Array.isArray(value) ? value.map((element) => ({ ...element, id })) : value;
    requests.push({ target: await targetFor(), body });
  }
  return requests;
}

/** Of services of others: with everything that is required, at the service that is there. */
async function remoteRequests(
  target: string,
  query: URLSearchParams,
  examples: readonly { readonly value: unknown }[],
): Promise<{ target: string; body?: unknown }[]> {
  const { url } = await server;
  const there = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('https://maps.example.org', url)) as T;
  const asked = String(new URLSearchParams(there([...query])));
  const whole = asked === '' ? target : `${target}?${asked}`;
  return examples.length === 0
    ? [{ target: whole }]
    : examples.map(({ value }) => ({ target: whole, body: there(value) }));
}

/** A version of the item that `freshId` gives for paths of versions. */
async function newestVersion(portal: Portal): Promise<string> {
  const id = await freshId(portal, '/api/v2/resources/', 'get');
  await portal.db.script(
    `update portal.resource set purpose = clock_timestamp()::text, last_updated = clock_timestamp() where id = ${id}`,
  );
  const [found] = await portal.db.query<{ id: string }>(
    `select max(id)::text as id from portal_private.version where resource_id = ${id}`,
  );
  return found?.id ?? '0';
}

/** A comment on the item that `freshId` gives for paths of comments. */
async function newComment(portal: Portal): Promise<string> {
  const id = await freshId(portal, '/api/v2/resources/', 'get');
  const [made] = await portal.db.query<{ id: string }>(
    `insert into portal_private.comment (resource_id, account_id, body) values (${id}, ${portal.ids.admin}, 'x') returning id::text`,
  );
  return made?.id ?? '0';
}

/** An unlisted link of the item that `freshId` gives for its paths. */
async function newLink(portal: Portal): Promise<string> {
  const id = await freshId(portal, '/api/v2/resources/', 'get');
  const reply = await portal.as('admin').post(`/api/v2/resources/${id}/share_links/`, {});
  return String(bodyOf<{ links: readonly { id: number }[] }>(reply).links[0]?.id ?? 0);
}

/** An item of the kind that the path is about; a new one where it will be deleted. */
async function freshId(portal: Portal, path: string, method: string): Promise<number> {
  const [, kind = ''] = /^\/(?:api\/v2\/|api\/|mapviewer\/rest\/)?(?:viewer)?(\w+)/.exec(path) ?? [];
  const isNew = method === 'delete' && !/\/(?:favorite|rating|follow|\{account\}|\{comment\}|\{link\})\/$/.test(path);
  const found = async (sql: string): Promise<number> => (await portal.db.query<{ id: number }>(sql))[0]?.id ?? 0;
  switch (kind) {
    case 'profiles':
      return portal.ids.mel;
    case 'users':
      return isNew
        ? found(`select portal.create_account('u' || substr(md5(random()::text), 1, 8)) as id`)
        : portal.ids.mel;
    case 'groups':
      return isNew
        ? found(
            `insert into portal.user_group (slug, title) values (substr(md5(random()::text), 1, 8), 'x') returning id`,
          )
        : portal.ids.surveyors;
    case 'basemaps':
      return found(
        `insert into portal.basemap (id, definition) values ((random() * 1e9)::integer::text, '{"type": "style", "url": "/style.json"}')
         returning id::integer as id`,
      );
    case 'sql':
      return found(
        `insert into portal_private.sql_query (account_id, name, statement) values (${portal.ids.admin}, (random() * 1e9)::integer::text, 'select 1')
         returning name::integer as id`,
      );
    case 'invitations':
      return found(
        `insert into portal.group_invitation (group_id, username) values (${portal.ids.surveyors}, 'admin')
           on conflict (group_id, username) do update set invited = now() returning group_id as id`,
      );
    case 'sessions':
    case 'access':
      return found(
        `insert into portal_private.session (token_hash, account_id, expires, data)
           values (decode(md5(random()::text), 'hex'), ${portal.ids.admin}, now() + interval '1 hour',
                   '{"kind": "${kind === 'access' ? 'token' : 'browser'}", "name": "x", "scope": "read"}') returning id`,
      );
    case 'bin': {
      const id = await freshId(portal, '/api/v2/maps/', 'delete');
      await portal.db.script(`insert into portal_private.bin (resource_id) values (${id});
        update portal.resource set metadata_only = true where id = ${id}`);
      return id;
    }
    case 'notifications':
      return found(
        `insert into portal_private.notification (account_id, kind, resource_id, resource_type, title, in_pages, mail_due)
           values (${portal.ids.admin}, 'deleted', 1, 'layer', 'x', true, false) returning id::integer`,
      );
    case 'uploads':
      return found(
        isNew
          ? `insert into portal.upload (name, user_id) values ('x', ${portal.ids.admin}) returning id`
          : 'select min(id) as id from portal.upload',
      );
    case 'owners':
      return portal.ids.admin;
    case 'thesauri':
      return found(
        isNew
          ? `insert into portal.thesaurus (identifier, title) values (substr(md5(random()::text), 1, 8), 'x') returning id`
          : 'select min(id) as id from portal.thesaurus',
      );
    case 'tkeywords':
      return found(
        isNew
          ? `insert into portal.thesaurus_keyword (thesaurus_id, alt_label) select min(id), substr(md5(random()::text), 1, 8) from portal.thesaurus returning id`
          : 'select min(id) as id from portal.thesaurus_keyword',
      );
    case 'remote':
      return found(
        `insert into portal_private.remote_service (url, kind, title, offers) values (
           '${(await server).url}/wms?n=' || random(), 'wms', 'x', '[{"name": "rivers", "title": "Rivers", "abstract": "", "attribution": "",
             "keywords": [], "bbox": [0, 40, 20, 60], "reason": null, "page": null, "layer": {"kind": "wms", "url": "${(await server).url}/wms",
             "name": "rivers", "version": "1.3.0", "style": "", "image": "image/png", "info": null, "output": "", "srs": ""}}]') returning id`,
      );
    case 'categories':
    case 'regions':
    case 'keywords':
      return 1;
    default: {
      // Layers are not copied.
      const type =
        path.startsWith('/mapviewer') || path.endsWith('/copy/')
          ? 'map'
          : ({ geostories: 'geostory', base: 'layer', resources: 'layer', datasets: 'layer', metadata: 'layer' }[
              kind
            ] ?? kind.replace(/s$/, ''));
      return isNew
        ? found(`insert into portal.resource (resource_type, title, name, zoom, projection, center_x, center_y, owner_id)
                   values ('${type}', 'gone', 'gone' || random(), 1, 'EPSG:3857', 0, 0, ${portal.ids.admin}) returning id`)
        : found(`select min(id) as id from portal.resource where resource_type = '${type}'`);
    }
  }
}

/** Services that are asked in their own words, or served by the map services: their own tests hold them against the document. */
const OF_SERVICES = /^\/(?:csw|wcs|records\/collections\/\{|stac\/collections\/\{)/;

const UNANSWERED: ReadonlySet<string> = new Set([
  // No upload has sent one.
  '/api/v2/uploads/{id}/files/{file}/',
  // Nobody would be left to ask on; leaving.test.ts asks.
  '/account/delete/',
  // They take files; documents.test.ts sends some.
  '/api/v2/resources/{id}/assets/',
  '/api/v2/basemaps/archives/',
  '/api/v2/resources/{id}/assets/{asset}/',
  ...['layers', 'datasets'].flatMap((name) => [`/api/v2/${name}/{id}/replace/`, `/api/v2/${name}/{id}/append/`]),
  // Layers of this portal have no tables; tables.test.ts asks for the columns and joins of one that has, and for tables of the database.
  ...['layers', 'datasets'].flatMap((name) =>
    ['', '{column}/', '{column}/uses/', 'dropped/{dropped}/restore/'].map(
      (part) => `/api/v2/${name}/{id}/columns/${part}`,
    ),
  ),
  ...['layers', 'datasets'].flatMap((name) =>
    [
      'joins/',
      'joins/preview/',
      'joins/{join}/',
      'joins/{join}/refresh/',
      'history/',
      'history/{edit}/undo/',
      'recalc-bbox/',
      'timeseries/',
      'kept/',
      'kept/{kept}/restore/',
    ].map((part) => `/api/v2/${name}/{id}/${part}`),
  ),
  '/api/v2/database_tables/',
  '/api/v2/sql/',
  '/upload/final',
  '/upload/progress',
  '/api/v2/upload-size-limits/',
  // This portal has no mail server; mail-links.test.ts holds them against the document.
  ...['password/forgotten', 'register', 'invite', 'email', 'link', 'link/use'].map((name) => `/account/${name}/`),
  // Codes of apps are of the moment; second-factor.test.ts holds these against the document.
  '/account/second-factor/totp/',
  '/account/second-factor/recovery-codes/',
  '/account/login/second/',
  // Devices answer these; the browser tests have one.
  '/account/passkeys/',
  '/account/passkeys/options/',
  '/account/passkeys/{id}/',
  '/account/login/passkey/options/',
  '/account/login/passkey/',
  // Nor a provider; provider-sign-in.test.ts asks these.
  '/account/oidc/start',
  '/account/oidc/callback',
  '/account/oidc/link/',
  // Drawn by the map services.
  '/api/v2/resources/{id}/set_thumbnail_from_bbox/',
  '/api/v2/resources/{id}/delete_thumbnail/',
  '/api/v2/upload-size-limits/{slug}/',
]);

const SPECIFIED = [
  '/api/v2/uploads/{id}/events/',
  '/api/v2/uploads/events/',
  '/api/v2/resources/{id}/copy/',
  '/api/v2/metadata/schema/',
  '/api/v2/metadata/instance/{id}/',
  '/api/base/',
  '/api/profiles/{id}/',
  '/api/v2/uploads/upload/',
  '/api/v2/uploads/{id}/files/',
  '/api/v2/layers/{id}/replace/',
  '/upload/final',
  '/upload/progress',
  '/api/v2/datasets/',
  '/api/v2/datasets/{id}/',
  '/api/v2/documents/{id}/linked_resources/',
  '/api/v2/groups/{id}/managers/',
  '/api/v2/groups/{id}/members/',
  '/api/v2/groups/{id}/resources/',
  '/api/v2/maps/{id}/layers/',
  '/api/v2/maps/{id}/local_layers/',
  '/api/v2/resources/{id}/get_perms/',
  '/api/v2/resources/{id}/set_perms/',
  '/api/v2/resources/approved/',
  '/api/v2/resources/published/',
  '/api/v2/resources/featured/',
  '/api/v2/resources/resource_types/',
  '/api/v2/users/{id}/groups/',
  '/api/v2/groups/{id}/members/{account}/',
  '/api/v2/invitations/',
  '/api/v2/invitations/{group}/',
  '/api/v2/invitations/{group}/{username}/',
  '/api/v2/users/{id}/password/',
  '/api/v2/resources/facets/',
  '/api/v2/settings/',
  '/api/v2/preferences/',
  '/api/v2/',
  '/api/v2/schema/',
  '/o/userinfo/',
  '/api/v2/users/{id}/resources/',
  '/api/v2/layers/{id}/styles/',
  '/api/v2/layers/{id}/attribute_set/',
  '/api/v2/uploads/{id}/uploadfile_set/',
  '/api/v2/executionrequest/',
  '/api/v2/executionrequest/{exec_id}/',
  '/api/v2/resource-service/execution-status/{exec_id}/',
  '/api/v2/geostories/{id}/data/',
  '/mapviewer/rest/resources/',
  '/mapviewer/rest/resources/{id}/',
  '/mapviewer/rest/users/',
  '/mapviewer/rest/users/{id}/',
];

const ITEMS = `
  insert into portal.thesaurus (identifier, title) values ('text', 'The thesaurus of the examples');
  insert into portal.thesaurus_keyword (thesaurus_id, alt_label, labels) values (1, 'Water', '{"de": "Wasser"}');
  insert into portal.resource (resource_type, title, name, zoom, projection, center_x, center_y, doc_url, category_id, license_id, ll_bbox_polygon, temporal_extent_start) values
    ('layer', 'A layer', 'a_layer', null, null, null, null, null, 1, 1, st_makeenvelope(0, 0, 1, 1, 4326), now()),
    ('map', 'A map', 'a map', 4, 'EPSG:3857', 1.5, 2, null, 2, 2, null, null),
    ('document', 'A document', null, null, null, null, null, 'https://example.org/a.pdf', null, null, null, null),
    ('geoapp', 'A geoapp', 'a geoapp', null, null, null, null, null, null, null, null, null),
    ('geostory', 'A geostory', 'a geostory', null, null, null, null, null, null, null, null, null);
  select portal.set_keywords(id, '{water, rivers}'), portal.set_regions(id, '{1}') from portal.resource;
  select portal.set_tkeywords(id, '{1}') from portal.resource;
  select portal.add_style(id, 'blue', '<sld/>', as_default => true) from portal.resource where resource_type = 'layer';
  insert into portal.attribute (resource_id, attribute) select id, 'name' from portal.resource where resource_type = 'layer';
  insert into portal.map_layer (map_id, layer_id, name) select m.id, l.id, l.alternate from portal.resource m, portal.resource l where m.resource_type = 'map' and l.resource_type = 'layer';
  insert into portal.app_data (resource_id, data) select id, '{"sections": []}' from portal.resource where resource_type in ('geoapp', 'geostory', 'map');
  insert into portal.link (resource_id, extension, link_type, name, mime, url) select id, 'png', 'image', 'picture', 'image/png', 'https://example.org/p.png' from portal.resource;
  insert into portal.document_link (document_id, resource_id) select d.id, l.id from portal.resource d, portal.resource l where d.resource_type = 'document' and l.resource_type = 'layer';
  insert into portal.upload (name, resource_id, state) select 'up', id, 'PROCESSED' from portal.resource where resource_type = 'layer';
  insert into portal.upload_file (upload_id, name, base, blob) select id, 'up.shp', true, 'uploads/aa/x' from portal.upload;
  insert into portal.favourite (account_id, resource_id) select portal.me(), id from portal.resource where resource_type = 'map';
`;
