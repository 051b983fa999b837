// Addresses that clients of GeoNode and GeoServer have built in: each answers as ours does, for a visitor, for the owner and for others.

import { beforeAll, describe, expect, test } from 'vitest';
import { ADDRESSES } from '../../../src/portal/geonode-compat/address-table.ts';
import type { PortalClient } from '../../testkit/portal-client.ts';
import { type Reply, textOf as text } from '../../testkit/reply-matcher.ts';
import { type LayerKit, makeLayer, OPEN, onLayers, setPerms } from '../mapserver/layer-kit.ts';

const ROWS = `insert into $table (name, geom) values ('one', public.st_setsrid(public.st_makepoint(1, 2), 4326)), ('two', public.st_setsrid(public.st_makepoint(3, 4), 4326))`;
const VIEW = { zoom: 1, projection: 'EPSG:3857', center_x: 0, center_y: 0 };
const XML = { 'content-type': 'application/xml' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const GET_MAP =
  'service=WMS&version=1.1.1&request=GetMap&styles=&srs=EPSG:4326&bbox=0,0,5,5&width=20&height=20&format=image/png';
const GET_FEATURE = 'service=WFS&version=1.1.0&request=GetFeature&outputFormat=application/json';
const SLD = `<?xml version="1.0" encoding="UTF-8"?><StyledLayerDescriptor xmlns="http://www.opengis.net/sld" version="1.0.0"><NamedLayer><Name>roads</Name><UserStyle><FeatureTypeStyle><Rule><PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill><CssParameter name="fill">#123456</CssParameter></Fill></Mark><Size>8</Size></Graphic></PointSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const textOf = (reply: Reply): string => text(reply.body);
const json = (reply: Reply) => JSON.parse(textOf(reply));
const header = ({ headers }: Reply, name: string): string =>
  String(headers instanceof Headers ? headers.get(name) : headers[name]);

onLayers('built-in addresses', {}, (kit) => {
  const ids: Record<string, number> = {};
  const as = (): Readonly<Record<'visitor' | 'owner' | 'other', PortalClient>> => {
    const { portal } = kit();
    return { visitor: portal.visitor, owner: portal.as('ada'), other: portal.as('bob') };
  };
  const statuses = async (ask: (client: PortalClient) => Promise<Reply>): Promise<readonly number[]> => {
    const { visitor, owner, other } = as();
    return [(await ask(visitor)).status, (await ask(owner)).status, (await ask(other)).status];
  };

  beforeAll(async () => {
    const made = async (name: string, perms: unknown): Promise<void> => {
      const layer = { name, title: `The ${name}`, columns: 'name text', geometry: 'Point', rows: ROWS };
      ids[name] = await makeLayer(kit(), layer);
      await setPerms(kit(), ids[name], perms);
    };
    await made('roads', OPEN);
    await made('secret', { users: {}, groups: {} });
    const ada = kit().portal.as('ada');
    const map = json(
      await ada.post('/api/v2/maps/', {
        ...VIEW,
        title: 'A map',
        keywords: ['hidden'],
        permissions: { users: {}, groups: {} },
      }),
    );
    ids['map'] = Number(map.map.pk);
    const document = await ada.post('/api/v2/documents/', {
      title: 'A document',
      doc_url: 'https://example.org/a.pdf',
      permissions: { users: {}, groups: {} },
    });
    ids['document'] = Number(json(document).document.pk);
    await ada.patch(`/api/v2/layers/${ids['roads']}/`, { keywords: ['streets'], category: 'transportation' });
    await ada.put('/styles/roads/roads.sld', SLD);
    await ada.put('/styles/secret/secret.sld', SLD);
  });

  describe('of GeoServer', () => {
    test.each(['/geoserver', '/gs'])(
      '%s: maps, features and capabilities, with and without a workspace',
      async (root) => {
        for (const at of ['wms', 'ows', 'portal/wms', 'geonode/ows', 'geonode/roads/wms', 'gwc/service/wms', '']) {
          const map = await as().visitor.get(`${root}/${at}?${GET_MAP}&layers=geonode:roads`);
          expect([at, map.status, header(map, 'content-type')]).toEqual([at, 200, 'image/png']);
        }
        for (const at of ['wfs', 'ows', 'portal/wfs', 'geonode/roads/ows']) {
          for (const name of ['roads', 'portal:roads', 'geonode:roads']) {
            const features = await as().visitor.get(`${root}/${at}?${GET_FEATURE}&typename=${name}`);
            expect([at, name, json(features).features.length]).toEqual([at, name, 2]);
          }
        }
        for (const at of ['gwc/service/wmts', 'portal/gwc/service/wmts', 'ows']) {
          const capabilities = await as().visitor.get(`${root}/${at}?SERVICE=WMTS&REQUEST=GetCapabilities`);
          expect(textOf(capabilities)).toContain('portal:roads');
        }
        expect(textOf(await as().visitor.get(`${root}/ows?service=WCS&request=GetCapabilities`))).toContain(
          'Capabilities',
        );
        const one = textOf(await as().visitor.get(`${root}/portal/roads/wms?service=WMS&request=GetCapabilities`));
        expect(one).toContain('<Name>portal:roads</Name>');
      },
    );

    test('what is sent by POST is answered there: forms, XML, and XML that says itself what it is', async () => {
      const map = await as().visitor.post('/geoserver/ows', `${GET_MAP}&layers=portal:roads`, FORM);
      expect([map.status, header(map, 'content-type')]).toEqual([200, 'image/png']);
      const get = (attributes: string) =>
        `<?xml version="1.0"?><wfs:GetFeature ${attributes} version="1.1.0" outputFormat="application/json" xmlns:wfs="http://www.opengis.net/wfs"><wfs:Query typeName="geonode:roads"/></wfs:GetFeature>`;
      for (const [at, body] of [
        ['/geoserver/wfs', get('service="WFS"')],
        ['/geoserver/ows', get('service="WFS"')],
        ['/gs/geonode/ows', get('')],
      ] as const)
        expect(json(await as().visitor.post(at, body, XML)).features).toHaveLength(2);
      const form = await as().visitor.post('/gs/ows', `${GET_FEATURE}&typename=roads`, FORM);
      expect(json(form).features).toHaveLength(2);
      expect((await as().visitor.get('/geoserver/ows')).status).toBe(400);
    });

    test('nobody sees more there than at our own addresses', async () => {
      const map = (client: PortalClient) => client.get(`/geoserver/wms?${GET_MAP}&layers=portal:secret`);
      const types = await Promise.all(
        Object.values(as()).map(async (client) => header(await map(client), 'content-type').startsWith('image/png')),
      );
      expect(types).toEqual([false, true, false]);
      const names = await Promise.all(
        Object.values(as()).map(async (client) =>
          textOf(await client.get('/gs/ows?service=WFS&request=GetCapabilities')).includes('secret'),
        ),
      );
      expect(names).toEqual([false, true, false]);
    });

    test('tiles of GeoWebCache: WMTS by path, and TMS with its rows from the south', async () => {
      const ours = await as().visitor.get('/rastertiles/roads/1/1/0.png');
      expect(ours.status).toBe(200);
      for (const at of [
        '/geoserver/gwc/service/tms/1.0.0/geonode:roads@EPSG:900913@png/1/1/1.png',
        '/geoserver/gwc/service/tms/1.0.0/portal%3Aroads@EPSG%3A900913@png/1/1/1.png',
      ])
        expect((await as().visitor.get(at)).body).toEqual(ours.body);
      const rest = await as().visitor.get(
        '/gs/gwc/service/wmts/rest/portal:roads/EPSG:900913/EPSG:900913:1/0/1?format=image/png',
      );
      expect([rest.status, header(rest, 'content-type')]).toEqual([200, 'image/png']);
      expect((await as().visitor.get('/geoserver/gwc/service/tms/1.0.0/roads@EPSG:900913@png/1/1/7.png')).status).toBe(
        404,
      );
    });

    test('styles by their name alone, read and replaced under the layer’s permissions', async () => {
      for (const at of ['/geoserver/rest/workspaces/portal/styles', '/geoserver/rest/styles', '/gs/rest/styles']) {
        expect(textOf(await as().visitor.get(`${at}/roads.sld`))).toContain('#123456');
        expect(await statuses((client) => client.get(`${at}/secret.sld`))).toEqual([404, 200, 404]);
        expect(json(await as().visitor.get(`${at}/roads.json`))).toMatchObject({
          style: { name: 'roads', workspace: { name: 'portal' }, format: 'sld', filename: 'roads.sld' },
        });
        const type = { 'content-type': 'application/vnd.ogc.se+xml' };
        const put = (client: PortalClient) => client.put(`${at}/roads.sld`, SLD, type);
        expect(await statuses(put)).toEqual([401, 200, 403]);
        expect(await statuses((client) => client.put(`${at}/secret.sld`, SLD, type))).toEqual([404, 200, 404]);
      }
      expect((await as().owner.put('/geoserver/rest/styles/roads', SLD, XML)).status).toBe(200);
      expect((await as().visitor.get('/geoserver/rest/styles/nothing.sld')).status).toBe(404);
    });

    test('addresses of ours from which a client has taken the first part', async () => {
      const { default_style: style } = json(await as().owner.get(`/api/v2/datasets/${ids['secret']}/`)).dataset;
      const { pathname } = new URL(style.sld_url);
      const cut = `/gs/${pathname.split('/').slice(2).join('/')}`;
      expect(await statuses((client) => client.get(cut))).toEqual([404, 200, 404]);
    });

    test('edit-check and style-check tell who may', async () => {
      const checks = (at: string) =>
        Promise.all(Object.values(as()).map(async (client) => json(await client.get(at)).authorized));
      expect(await checks('/gs/portal:roads/edit-check')).toEqual([false, true, false]);
      expect(await checks('/gs/geonode:roads/style-check')).toEqual([false, true, false]);
      expect(await checks('/gs/secret/edit-check')).toEqual([false, true, false]);
      expect(await checks('/gs/nothing/edit-check')).toEqual([false, false, false]);
    });
  });

  describe('of API v1', () => {
    const counts = (at: string) =>
      Promise.all(Object.values(as()).map(async (client) => json(await client.get(at)).meta.total_count));

    test('lists have their envelope, and count what the caller sees', async () => {
      expect(await counts('/api/base/')).toEqual([1, 4, 1]);
      expect(await counts('/api/layers/')).toEqual([1, 2, 1]);
      expect(await counts('/api/maps/')).toEqual([0, 1, 0]);
      expect(await counts('/api/documents/')).toEqual([0, 1, 0]);
      expect(await counts('/api/keywords/')).toEqual([1, 2, 1]);
      expect(await counts('/api/owners/')).toEqual([1, 1, 1]);
      expect(await counts('/api/profiles/')).toEqual([0, 1, 1]);
      expect((await counts('/api/groups/'))[0]).toBe(0);
      expect((await counts('/api/regions/'))[0]).toBeGreaterThan(200);
      expect(json(await as().owner.get('/api/layers/?limit=1&order_by=title'))).toMatchObject({
        meta: {
          limit: 1,
          offset: 0,
          previous: null,
          next: '/api/layers/?limit=1&order_by=title&offset=1',
          total_count: 2,
        },
        objects: [{ title: 'The roads' }],
      });
      expect(json(await as().owner.get('/api/layers/?limit=1&offset=1&order_by=title'))).toMatchObject({
        meta: { offset: 1, next: null, previous: '/api/layers/?limit=1&offset=0&order_by=title' },
        objects: [{ title: 'The secret' }],
      });
    });

    test('filters as clients send them', async () => {
      const titles = async (query: string) =>
        json(await as().owner.get(`/api/base/?${query}`)).objects.map(({ title }: { title: string }) => title);
      expect(await titles('title__icontains=SECRET')).toEqual(['The secret']);
      expect(await titles('type__in=layer&order_by=-title')).toEqual(['The secret', 'The roads']);
      expect(await titles('type__in=vector&order_by=title')).toEqual(['The roads', 'The secret']);
      expect(await titles('type__in=raster')).toEqual([]);
      expect(await titles('type__in=map,document&order_by=title')).toEqual(['A document', 'A map']);
      expect(await titles('category__identifier__in=transportation')).toEqual(['The roads']);
      expect(await titles('keywords__slug__in=streets&keywords__slug__in=none')).toEqual(['The roads']);
      expect(await titles('owner__username__in=ada&limit=0&title__icontains=roads')).toEqual(['The roads']);
      expect(await titles('extent=0,0,10,10&type__in=layer&order_by=title')).toEqual(['The roads', 'The secret']);
      expect(await titles('extent=50,50,60,60&type__in=layer')).toEqual([]);
      expect(json(await as().visitor.get('/api/base/?colour=red&format=json')).meta.ignored).toEqual(['colour']);
      expect(
        json(await as().visitor.get('/api/categories/?identifier__in=biota&identifier__in=oceans')).objects,
      ).toMatchObject([{ identifier: 'biota', gn_description: expect.any(String) }, { identifier: 'oceans' }]);
    });

    test('an item, as clients read it', async () => {
      const at = `/api/base/${ids['roads']}`;
      expect(json(await as().visitor.get(at))).toMatchObject({
        id: ids['roads'],
        title: 'The roads',
        alternate: 'portal:roads',
        detail_url: expect.stringMatching(/^\/layers\//),
        date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
        csw_wkt_geometry: expect.stringMatching(/^POLYGON\(\(/),
        owner__username: 'ada',
        keywords: ['streets'],
        storeType: 'dataStore',
        store_type: 'dataStore',
        resource_uri: `/api/base/${ids['roads']}/`,
      });
      expect(await statuses((client) => client.get(`/api/base/${ids['secret']}`))).toEqual([404, 200, 404]);
      expect(await statuses((client) => client.get('/api/base/x'))).toEqual([404, 404, 404]);
    });

    test('keywords as a tree, of what the caller sees', async () => {
      expect(json(await as().visitor.get('/h_keywords_api'))).toEqual([
        { id: expect.any(Number), text: 'streets', href: 'streets', tags: [1] },
      ]);
      expect(json(await as().owner.get('/h_keywords_api'))).toHaveLength(2);
    });

    test('completions, of what the caller sees', async () => {
      const texts = async (client: PortalClient, at: string) =>
        json(await client.get(at)).results.map(({ text }: { text: string }) => text);
      const { visitor, owner, other } = as();
      expect(await texts(visitor, '/base/autocomplete_response?q=the')).toEqual(['The roads']);
      expect(await texts(owner, '/base/autocomplete_response?q=the')).toEqual(['The roads', 'The secret']);
      expect(await texts(other, '/base/autocomplete_response?q=the')).toEqual(['The roads']);
      expect(await texts(visitor, '/base/autocomplete_region/?q=afg')).toEqual(['Afghanistan']);
      expect(await texts(visitor, '/base/autocomplete_hierachical_keyword/?q=hid')).toEqual([]);
      expect(await texts(owner, '/base/autocomplete_hierachical_keyword/?q=hid')).toEqual(['hidden']);
      expect(await texts(visitor, '/base/thesaurus_autocomplete/?q=x')).toEqual([]);
      expect(await texts(visitor, '/people/autocomplete/?q=a')).toEqual([]);
      expect(await texts(other, '/people/autocomplete/')).toEqual(['bob']);
      expect(await texts(kit().portal.as('admin'), '/people/autocomplete/?q=ad')).toContain('ada');
      expect(await texts(visitor, '/groups/autocomplete/')).toEqual([]);
      expect(await texts(owner, '/groups/autocomplete/?q=surv')).toEqual(['Surveyors']);
      const many = json(await visitor.get('/base/autocomplete_region/?page=2'));
      expect([many.results.length, many.pagination]).toEqual([10, { more: true }]);
    });
  });

  describe('of pages', () => {
    test('items are where they are now, for who sees them', async () => {
      const leads = async (at: string) => {
        const { owner } = as();
        expect([at, ...(await statuses((client) => client.get(at)))]).toEqual([at, 404, 302, 404]);
        return header(await owner.get(at), 'location');
      };
      expect(await leads('/layers/portal_data:portal:secret/metadata_detail')).toBe(`/layers/${ids['secret']}`);
      expect(await leads('/datasets/geonode:secret')).toBe(`/layers/${ids['secret']}`);
      expect(await leads('/datasets/geodata:geonode:secret/metadata')).toBe(`/layers/${ids['secret']}`);
      expect(await leads('/datasets/geonode:secret/embed')).toBe(`/layers/${ids['secret']}/embed`);
      expect(await leads('/datasets/geonode:secret/dataset_download')).toBe(`/download/${ids['secret']}.shp.zip`);
      expect(await leads(`/maps/${ids['map']}/view`)).toBe(`/viewer/${ids['map']}`);
      expect(await leads(`/documents/${ids['document']}/metadata_detail`)).toBe(`/documents/${ids['document']}`);
      expect(await leads(`/documents/${ids['document']}/download`)).toBe('https://example.org/a.pdf');
      expect(await statuses((client) => client.get('/people/profile/ada'))).toEqual([302, 302, 302]);
      expect(header(await as().visitor.get('/people/profile/ada/'), 'location')).toBe('/?owner=ada');
      expect(await statuses((client) => client.get('/people/profile/nobody'))).toEqual([404, 404, 404]);
    });

    test.each([
      ['/catalogue/', '/'],
      ['/layers/', '/?type=layer'],
      ['/datasets/', '/?type=layer'],
      ['/maps/', '/?type=map'],
      ['/documents/', '/?type=document'],
      ['/people/', '/'],
      ['/account/logout', '/account'],
      ['/account/signup', '/account/login'],
    ])('%s leads to %s', async (at, to) => {
      expect(await statuses((client) => client.get(at))).toEqual([302, 302, 302]);
      expect(header(await as().visitor.get(at), 'location')).toBe(to);
    });
  });

  describe('that do something', () => {
    test('the language of the pages is set by a form of ours, and leads to addresses of ours only', async () => {
      const browser = kit().portal.browser();
      await browser.get('/account/login');
      const token = browser.cookies.get('csrftoken') ?? '';
      const set = (body: string, query = '') =>
        browser.post(`/i18n/setlang/${query}`, `csrfmiddlewaretoken=${token}&${body}`, FORM);
      const done = await set('language=de', '?next=/static/mapstore/configs/placeholder.json');
      expect([done.status, header(done, 'location')]).toEqual([302, '/static/mapstore/configs/placeholder.json']);
      expect(browser.cookies.get('django_language')).toBe('de');
      expect((await browser.get(header(done, 'location'))).status).toBe(200);
      for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example'])
        expect(header(await set(`language=en-us&next=${encodeURIComponent(next)}`), 'location')).toBe('/');
      expect((await set('language=xx')).status).toBe(400);
      expect((await kit().portal.visitor.post('/i18n/setlang/', 'language=de', FORM)).status).toBe(403);
    });

    test('the picture of a map is chosen by a box', async () => {
      const body = { bbox: [0, 10, 0, 10], srid: 'EPSG:4326' };
      const post = (client: PortalClient) => client.post(`/maps/${ids['map']}/thumbnail`, body);
      expect(await statuses(post)).toEqual([401, 200, 404]);
      const wrong = await as().owner.post(`/maps/${ids['map']}/thumbnail`, { bbox: [1] });
      expect([wrong.status, json(wrong)]).toEqual([400, { detail: expect.stringMatching(/four numbers/) }]);
    });

    test('or is sent itself, as a data URL or as a file', async () => {
      const at = `/maps/${ids['map']}/thumbnail`;
      for (const name of ['image', 'file', 'thumbnail'])
        expect([
          name,
          await statuses((client) => client.post(at, { [name]: `data:image/png;base64,${PIXEL}` })),
        ]).toEqual([name, [401, 200, 404]]);
      const head =
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n';
      const form = Buffer.concat([Buffer.from(head), Buffer.from(PIXEL, 'base64'), Buffer.from('\r\n--b--\r\n')]);
      const sent = await as().owner.post(at, form, { 'content-type': 'multipart/form-data; boundary=b' });
      expect([sent.status, json(sent)]).toEqual([
        200,
        { success: true, thumbnail_url: expect.stringMatching(/\/thumbs\/\d+\.png$/) },
      ]);
      expect((await as().owner.post(at, { image: 'https://example.org/a.png' })).status).toBe(400);
    });

    test('rules and areas of the map client: there are none, to who may ask', async () => {
      const { owner, visitor } = as();
      expect(json(await visitor.get('/api/v2/reqrules'))).toEqual({ rules: [] });
      const me = json(await owner.get('/api/v2/userinfo'));
      expect(me).toEqual(json(await owner.get('/api/o/v4/userinfo')));
      expect(json(await owner.get(`/api/v2/users/${me.sub}/rules`))).toEqual({ rules: [] });
      expect(await statuses((client) => client.get('/api/v2/users/999999/rules'))).toEqual([401, 404, 404]);
      const areas = (name: string): string => `/security/geolimits/${ids[name]}?user_id=${me.sub}`;
      expect(await statuses((client) => client.get(areas('roads')))).toEqual([401, 204, 403]);
      expect(await statuses((client) => client.get(areas('secret')))).toEqual([401, 204, 404]);
      expect(await statuses((client) => client.delete(areas('roads')))).toEqual([401, 204, 403]);
      expect(await statuses((client) => client.post(areas('roads'), {}))).toEqual([401, 400, 403]);
    });

    test('the list of layers that GeoServer has is what the caller sees; version and store tell nothing more', async () => {
      const names = async (client: PortalClient): Promise<string[]> =>
        json(await client.get('/geoserver/rest/layers.json')).layers.layer.map(({ name }: { name: string }) => name);
      expect(await names(as().visitor)).toEqual(['portal:roads']);
      expect(await names(as().owner)).toEqual(['portal:roads', 'portal:secret']);
      expect(json(await as().visitor.get('/gs/rest/layers/geonode:roads.json'))).toEqual({
        layer: { name: 'roads', type: 'VECTOR' },
      });
      expect(await statuses((client) => client.get('/geoserver/rest/layers/portal:secret.json'))).toEqual([
        404, 200, 404,
      ]);
      const version = await as().visitor.get('/geoserver/rest/about/version.xml');
      expect([header(version, 'content-type'), textOf(version)]).toEqual([
        expect.stringContaining('application/xml'),
        expect.stringMatching(/<about><resource name="Survest"><Version>[^<]+<\/Version>/),
      ]);
      expect(json(await as().visitor.get('/geoserver/rest/workspaces/geonode/datastores/geodata.json'))).toEqual({
        dataStore: { name: 'geodata', type: 'PostGIS', enabled: true, workspace: { name: 'geonode' } },
      });
    });

    test('a document is sent with the form of a page', async () => {
      const boundary = 'x1';
      const parts = `--${boundary}\r\nContent-Disposition: form-data; name="title"\r\n\r\nBy form\r\n--${boundary}\r\nContent-Disposition: form-data; name="doc_file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--${boundary}--\r\n`;
      const type = { 'content-type': `multipart/form-data; boundary=${boundary}` };
      const { visitor, owner } = as();
      expect((await visitor.post('/documents/upload?no__redirect=true', parts, type)).status).toBe(401);
      const sent = json(await owner.post('/documents/upload?no__redirect=true', parts, type));
      expect(sent).toEqual({ success: true, url: expect.stringMatching(/^\/documents\/\d+$/) });
      expect(json(await owner.get(`/api/v2${sent.url}/`)).document.title).toBe('By form');
      await owner.delete(`/api/v2${sent.url}/`);
    });

    test('an empty map to begin with', async () => {
      expect(json(await as().visitor.get('/static/mapstore/configs/map.json')).map.layers).toEqual([]);
      expect((await as().visitor.get('/static/mapstore/configs/other.json')).status).toBe(404);
    });
  });

  test('every row of the table answers', async () => {
    const parts: Readonly<Record<string, string>> = {
      layer: 'roads',
      name: 'roads',
      ws: 'portal',
      file: 'roads.sld',
      style: 'default',
      set: 'EPSG:900913',
      z: '0',
      row: '0',
      col: '0',
      x: '0',
      tileset: 'roads@EPSG:900913@png',
      format: 'xml',
    };
    const special: Readonly<Record<string, string>> = {
      '/people/profile/{name}': '/people/profile/ada',
      '/static/mapstore/configs/{file}': '/static/mapstore/configs/map.json',
      '/api/v2/users/{id}/rules': `/api/v2/users/${kit().portal.ids.ada}/rules`,
      ...Object.fromEntries(
        ['/geoserver', '/gs'].flatMap((root) => [
          [`${root}/rest/layers/{file}`, `${root}/rest/layers/roads.json`],
          [`${root}/rest/workspaces/{ws}/datastores/{file}`, `${root}/rest/workspaces/geonode/datastores/geodata.json`],
        ]),
      ),
    };
    for (const { from, to } of ADDRESSES) {
      const of = to.kind === 'item' ? to.of : from.split('/')[2];
      const id = String(
        ids[of === 'maps' || from.startsWith('/maps/') ? 'map' : of === 'documents' ? 'document' : 'roads'],
      );
      const path = (special[from] ?? from.replace('/{file}', from.includes('/tms/') ? '/0.png' : '/{file}'))
        .replace('{id}', id)
        .replaceAll(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '');
      const reply = await answerAt(kit(), path);
      if (/\/api\/(?:categories|keywords|regions|owners|profiles|groups)\/\{id\}|^\/apps\/\{id\}/.test(from)) continue;
      expect([from, reply.status]).toEqual([from, expect.toSatisfy((status: number) => status < 400)]);
    }
  });
});

/** As the owner; by POST where the address takes nothing else. */
async function answerAt(kit: LayerKit, path: string): Promise<Reply> {
  const ada = kit.portal.as('ada');
  const query = /\/(?:ows|wms|wfs|wcs|wmts|geoserver|gs|csw)$/.test(path)
    ? `?service=${/wfs/.test(path) ? 'WFS' : /wcs/.test(path) ? 'WCS' : /wmts/.test(path) ? 'WMTS' : /csw/.test(path) ? 'CSW' : 'WMS'}&request=GetCapabilities`
    : '';
  if (path.endsWith('/thumbnail')) return ada.post(path, { bbox: [0, 10, 0, 10] });
  if (path === '/documents/upload') return ada.post(path, { title: 'x', doc_url: 'https://example.org/x' });
  if (path === '/i18n/setlang') {
    const browser = kit.portal.browser();
    await browser.get('/account/login');
    return browser.post(path, 'language=en', FORM);
  }
  return ada.get(path + query);
}
