// The clients of GeoNode against a running portal: the requests of each, in its order, with what it reads of the answers. One portal for
// all of them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PortalProgram, until } from '../browser/portal-program.ts';
import { type Client, clientOf, rasterForm, shapefileForm, startForClients } from './client-kit.ts';

let portal: PortalProgram;
let visitor: Client;
let ada: Client;
let bob: Client;

beforeAll(async () => {
  portal = await startForClients();
  [visitor, ada, bob] = [clientOf(portal), clientOf(portal, 'ada'), clientOf(portal, 'bob')];
});

afterAll(() => portal?.stop());

/** Polls as these clients do, until the import has ended; the ids of the layers. */
async function finished(client: Client, execution: string): Promise<readonly number[]> {
  let request: { status: string; log: string | null; output_params: { resources: { id: number }[] } } | undefined;
  await until(async () => {
    const poll = await client.get(`/api/v2/executionrequest/${execution}`);
    expect(poll.status).toBe(200);
    request = poll.json.request;
    return request?.status === 'finished' || request?.status === 'failed';
  });
  expect([request?.status, request?.log]).toEqual(['finished', null]);
  return request?.output_params.resources.map(({ id }) => id) ?? [];
}

const PERMISSIONS = JSON.stringify({
  users: { AnonymousUser: ['view_resourcebase', 'download_resourcebase'] },
  groups: {},
});
/** The smallest picture there is. */
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SLD = `<?xml version="1.0" encoding="UTF-8"?><StyledLayerDescriptor xmlns="http://www.opengis.net/sld" version="1.0.0"><NamedLayer><Name>parcels</Name><UserStyle><FeatureTypeStyle><Rule><PolygonSymbolizer><Fill><CssParameter name="fill">#12ab34</CssParameter></Fill></PolygonSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
/** What the plugin makes of an address of ours when it signs in by password. */
const throughGs = (url: string): string => `/gs/${new URL(url).pathname.split('/').slice(2).join('/')}`;

describe('the newest QGIS plugin', () => {
  let vector: number;
  let raster: number;

  test('uploads a shapefile with its style, and a raster under two names, and polls', async () => {
    const fields = {
      time: 'false',
      mosaic: 'false',
      metadata_uploaded_preserve: 'false',
      metadata_upload_form: 'false',
      style_upload_form: 'false',
      action: 'upload',
      permissions: PERMISSIONS,
    };
    const form = shapefileForm('parcels', { dataset_title: 'Parcels', abstract: 'Two of them', ...fields }, SLD);
    const sent = await ada.send('POST', '/api/v2/uploads/upload/', form);
    expect([200, 201]).toContain(sent.status);
    [vector = 0] = await finished(ada, sent.json.execution_id);
    const tif = await ada.send('POST', '/api/v2/uploads/upload/', rasterForm('heights', fields));
    expect([200, 201]).toContain(tif.status);
    [raster = 0] = await finished(ada, tif.json.execution_id);
    expect([vector, raster].every((id) => id > 0)).toBe(true);
  });

  test('searches with every filter that it has', async () => {
    await ada.send('PATCH', `/api/v2/datasets/${vector}/`, {
      keywords: ['cadastre'],
      category: 'planningCadastre',
      temporal_extent_start: '2020-01-01T00:00:00Z',
      temporal_extent_end: '2020-12-31T00:00:00Z',
    });
    const found = async (...filters: readonly (readonly [string, string])[]) => {
      const query = new URLSearchParams({ page: '1', page_size: '10' });
      for (const [name, value] of filters) query.append(name, value);
      const reply = await visitor.get(`/api/v2/datasets/?${query}`);
      expect(reply.json).toMatchObject({ total: expect.any(Number), page: 1, page_size: 10 });
      return reply.json.datasets.map(({ pk }: { pk: string }) => Number(pk));
    };
    const both = [
      ['filter{subtype.in}', 'vector'],
      ['filter{subtype.in}', 'raster'],
    ] as const;
    expect(await found(...both, ['sort[]', 'name'])).toEqual([raster, vector]);
    expect(await found(...both, ['sort[]', '-name'])).toEqual([vector, raster]);
    expect(await found(both[0])).toEqual([vector]);
    expect(await found(both[1])).toEqual([raster]);
    expect(await found(...both, ['filter{title.icontains}', 'PARC'])).toEqual([vector]);
    expect(await found(...both, ['filter{abstract.icontains}', 'two of'])).toEqual([vector]);
    expect(await found(...both, ['filter{keywords.name.icontains}', 'cada'])).toEqual([vector]);
    // The plugin writes every category in lower case.
    expect(await found(...both, ['filter{category.identifier}', 'planningcadastre'])).toEqual([vector]);
    expect(await found(...both, ['filter{temporal_extent_start.gte}', '2019-06-01T00:00:00'])).toEqual([vector]);
    expect(await found(...both, ['filter{temporal_extent_end.lte}', '2019-06-01T00:00:00'])).toEqual([]);
    expect(await found(both[0], ['filter{date.gte}', '2020-01-01T00:00:00'])).toEqual([vector]);
    expect(await found(...both, ['filter{date.lte}', '2020-01-01T00:00:00'])).toEqual([]);
  });

  test('reads a dataset, and loads it by WMS, WFS and WCS at the addresses that it makes of the links', async () => {
    const links = async (id: number): Promise<Readonly<Record<string, string>>> => {
      // The small picture is drawn after the import has ended.
      await until(async () => (await ada.get(`/api/v2/datasets/${id}/`)).json.dataset.thumbnail_url !== null);
      const { dataset } = (await ada.get(`/api/v2/datasets/${id}/`)).json;
      expect(dataset).toMatchObject({
        pk: String(id),
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        alternate: expect.stringMatching(/^\w+:\w+$/),
        thumbnail_url: expect.any(String),
        link: expect.any(String),
        detail_url: expect.any(String),
        bbox_polygon: { coordinates: [expect.any(Array)] },
        srid: expect.stringMatching(/^EPSG:\d+$/),
        date: expect.stringMatching(/Z$/),
        date_type: 'publication',
        owner: { username: 'ada' },
        perms: expect.arrayContaining(['change_layer_style']),
      });
      return Object.fromEntries(
        dataset.links.map(({ link_type, url }: { link_type: string; url: string }) => [link_type, url]),
      );
    };
    const ofVector = await links(vector);
    const ofRaster = await links(raster);
    const capabilities = async (url: string | undefined, service: string) => {
      const reply = await ada.get(`${throughGs(url ?? '')}?SERVICE=${service}&REQUEST=GetCapabilities`);
      expect([service, reply.status]).toEqual([service, 200]);
      return reply.text;
    };
    expect(await capabilities(ofVector['OGC:WMS'], 'WMS')).toContain('portal:parcels');
    expect(await capabilities(ofVector['OGC:WFS'], 'WFS')).toContain('portal:parcels');
    expect(await capabilities(ofRaster['OGC:WCS'], 'WCS')).toContain('heights');
    const gs = throughGs(ofVector['OGC:WMS'] ?? '');
    const map = await ada.get(
      `${gs}?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=portal:parcels&STYLES=&CRS=EPSG:4326&BBOX=44,4,51,11&WIDTH=64&HEIGHT=64&FORMAT=image/png`,
    );
    expect(map.type).toBe('image/png');
    const identified = await ada.get(
      `${gs}?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetFeatureInfo&LAYERS=portal:parcels&QUERY_LAYERS=portal:parcels&STYLES=&CRS=EPSG:4326&BBOX=44,4,51,11&WIDTH=70&HEIGHT=70&I=20&J=50&INFO_FORMAT=application/json`,
    );
    expect(identified.json.features).toMatchObject([{ properties: { name: 'one' } }]);
    const features = await ada.get(
      `${gs}?SERVICE=WFS&VERSION=1.1.0&REQUEST=GetFeature&TYPENAME=portal:parcels&SRSNAME=EPSG:4326&OUTPUTFORMAT=application/json`,
    );
    expect(features.json.features).toHaveLength(2);
  });

  test('loads the style, and sends it back changed', async () => {
    const { dataset } = (await ada.get(`/api/v2/datasets/${vector}/`)).json;
    for (const url of [dataset.default_style.sld_url, throughGs(dataset.default_style.sld_url)]) {
      const style = await ada.get(url);
      expect(style.text).toContain('NamedLayer');
      // What the plugin has sent along with the data.
      expect(style.text.toLowerCase()).toContain('#12ab34');
      const put = await ada.send('PUT', url, style.text, { 'Content-Type': 'application/vnd.ogc.se+xml' });
      expect(put.status).toBe(200);
      expect((await bob.send('PUT', url, style.text, { 'Content-Type': 'application/vnd.ogc.se+xml' })).status).toBe(
        403,
      );
    }
  });
});

describe('the QGIS plugin 0.3', () => {
  test('searches, asks for keywords, loads from /geoserver/ows, and takes the style from its address', async () => {
    const list = await visitor.get(
      '/api/v2/layers/?page=1&page_size=10&filter{title.icontains}=parcels&filter{storeType}=dataStore',
    );
    expect(list.json).toMatchObject({ total: 1, page: 1, page_size: 10 });
    const [layer] = list.json.layers;
    expect(layer).toMatchObject({
      resource_type: 'layer',
      storeType: 'dataStore',
      workspace: 'portal',
      name: 'parcels',
    });
    expect((await visitor.get(`/api/v2/layers/${layer.pk}/`)).json.layer.styles[0]).toMatchObject({
      name: expect.any(String),
    });
    expect((await visitor.get(`/api/v2/layers/${layer.pk}/styles/`)).json.styles[0].name).toBe('parcels');
    expect((await visitor.get('/h_keywords_api')).json.map(({ text }: { text: string }) => text)).toEqual(['cadastre']);
    const name = `${layer.workspace}:${layer.name}`;
    const features = await visitor.get(`/geoserver/ows?service=WFS&version=1.1.0&request=GetFeature&typename=${name}`);
    expect([features.status, features.text.includes('<wfs:FeatureCollection')]).toEqual([200, true]);
    expect(
      (await visitor.get(`/geoserver/rest/workspaces/${layer.workspace}/styles/${layer.name}.sld`)).text,
    ).toContain('NamedLayer');
    expect((await visitor.get('/api/v2/maps/?page=1&page_size=10')).json).toMatchObject({ total: 0, maps: [] });
    const legacy = await visitor.get('/api/layers/?limit=10&offset=0&title__icontains=parcels&order_by=title');
    expect(legacy.json).toMatchObject({
      meta: { limit: 10, offset: 0, total_count: 1 },
      objects: [{ alternate: name, store_type: 'dataStore', csw_wkt_geometry: expect.stringMatching(/^POLYGON/) }],
    });
    const csw = await visitor.get('/catalogue/csw?service=CSW&version=2.0.2&request=GetCapabilities');
    expect(csw.text).toContain('Capabilities');
  });
});

/** `maps create`, `maplayers add` and `remove`, `set-blob`, `delete`, on the empty map that the portal hands out. */
async function makesMap(client: Client, pk: number): Promise<void> {
  const layerOf = async (id: number) => {
    const { dataset } = (await client.get(`/api/v2/datasets/${id}`)).json;
    const { links, extent, ptype, alternate, title } = dataset;
    const url = links.find(({ link_type }: { link_type: string }) => link_type === 'OGC:WFS').url;
    const [minx, miny, maxx, maxy] = extent.coords;
    const msId = `layer-${id}`;
    return {
      inBlob: {
        id: msId,
        url,
        bbox: { crs: extent.srid, bounds: { minx, miny, maxx, maxy } },
        name: alternate,
        type: ptype === 'gxp_wmscsource' ? 'wms' : 'wfs',
        style: alternate,
        title,
        search: { url, type: 'wfs' },
        visibility: true,
        extendedParams: { pk: dataset.pk, mapLayer: { dataset } },
      },
      maplayer: {
        extra_params: { msId, styles: [] },
        current_style: alternate,
        name: alternate,
        order: 0,
        visibility: true,
        opacity: 1,
      },
    };
  };
  const template = (await client.get('/static/mapstore/configs/map.json')).json;
  const first = await layerOf(pk);
  const background = { id: 'mapnik__0', name: 'mapnik', type: 'osm', group: 'background', visibility: true };
  const blob = { ...template, map: { ...template.map, layers: [...template.map.layers, background, first.inBlob] } };
  const made = await client.send('POST', '/api/v2/maps', {
    ressource_type: 'map',
    title: 'By geonodectl',
    blob,
    maplayers: [first.maplayer],
  });
  expect([made.status, made.json.map?.title]).toEqual([201, 'By geonodectl']);
  const at = `/api/v2/maps/${made.json.map.pk}/`;
  const read = async () => (await client.get(`${at}?include[]=data`)).json.map;
  const before = await read();
  expect(before.data).toEqual(blob);
  expect(before.maplayers).toContainEqual(
    expect.objectContaining({
      extra_params: { msId: `layer-${pk}` },
      dataset: expect.objectContaining({ pk: String(pk) }),
    }),
  );
  const [{ pk: parcels }] = (await client.get('/api/v2/datasets/?filter{name}=parcels')).json.datasets;
  const second = await layerOf(Number(parcels));
  const rows = before.maplayers.map(({ dataset: _, ...row }: Record<string, unknown>, order: number) => ({
    ...row,
    order,
  }));
  const layers = [...before.data.map.layers, second.inBlob];
  const added = await client.send('PATCH', at, {
    data: { ...before.data, map: { ...before.data.map, layers } },
    maplayers: [...rows, { ...second.maplayer, order: rows.length }],
  });
  expect(added.json).toEqual({ meta: { updated: 1 } });
  expect((await client.get(at)).json.map.maplayers.map(({ name }: { name: string }) => name)).toEqual(
    layers.map(({ name }) => name),
  );
  const removed = await client.send('PATCH', at, { data: before.data, maplayers: rows });
  expect(removed.status).toBe(200);
  expect((await client.get(at)).json.map.maplayers).toHaveLength(2);
  expect((await client.send('PATCH', at, { blob })).status).toBe(200);
  expect((await client.get('/api/v2/maps/?page_size=100&page=1')).json.maps).toMatchObject([
    { title: 'By geonodectl', owner: { username: 'bob' }, detail_url: expect.any(String) },
  ]);
  expect((await client.send('DELETE', at)).status).toBe(204);
}

describe('geonodectl', () => {
  test('uploads, waits, lists, describes, patches, fetches the template of a new map, and deletes', async () => {
    const fields = {
      permissions: '{ "users": {"AnonymousUser": ["view_resourcebase"]} , "groups":{}}',
      mosaic: 'False',
      time: 'False',
      charset: 'UTF-8',
      non_interactive: 'True',
      overwrite_existing_layer: 'False',
      skip_existing_layers: 'False',
    };
    const sent = await bob.send('POST', '/api/v2/uploads/upload', shapefileForm('ctl', fields));
    const first = await bob.get(`/api/v2/executionrequest/${sent.json.execution_id}`);
    expect(first.json.request).toMatchObject({
      exec_id: sent.json.execution_id,
      status: expect.any(String),
      created: expect.any(String),
      link: expect.any(String),
    });
    const [pk = 0] = await finished(bob, sent.json.execution_id);
    const listed = await bob.get('/api/v2/datasets/?page_size=100&page=1&filter{title}=ctl');
    expect(listed.json.datasets).toMatchObject([
      { pk: String(pk), owner: { username: 'bob' }, is_approved: expect.any(Boolean), detail_url: expect.any(String) },
    ]);
    const { uuid } = (await bob.get(`/api/v2/datasets/${pk}`)).json.dataset;
    expect((await bob.get(`/api/v2/resources/?filter{uuid}=${uuid}&advertised=all`)).json.resources).toMatchObject([
      { pk: String(pk), resource_type: 'layer' },
    ]);
    expect((await bob.send('PATCH', `/api/v2/datasets/${pk}/`, { title: 'Changed' })).json).toEqual({
      meta: { updated: 1 },
    });
    expect((await bob.get(`/api/v2/datasets/${pk}/`)).json.dataset.title).toBe('Changed');
    const { attributes } = (await bob.get(`/api/v2/datasets/${pk}/attribute_set`)).json;
    expect(attributes[0]).toMatchObject({
      pk: expect.any(Number),
      attribute: 'name',
      attribute_label: 'NAME',
      description: null,
      attribute_type: 'xsd:string',
    });
    const requests = await bob.get('/api/v2/executionrequest/?page_size=100&page=1');
    expect(requests.json.requests).toMatchObject([
      { exec_id: sent.json.execution_id, name: 'ctl', status: 'finished', user: 'bob', source: 'upload', log: null },
    ]);
    const { links } = (await bob.get(`/api/v2/resources/${pk}`)).json.resource;
    for (const format of ['ISO', 'Atom', 'Dublin Core', 'FGDC']) {
      const { url } = links.find(({ name }: { name: string }) => name === format) ?? {};
      expect([format, (await bob.get(String(url))).status]).toEqual([format, 200]);
    }
    expect((await bob.get(`/api/v2/resources/${pk}/linked_resources`)).json).toMatchObject({
      linked_to: [],
      linked_by: [],
    });
    expect((await bob.get('/api/v2/users/?page_size=100&page=1')).json.users).toMatchObject([{ username: 'bob' }]);
    await makesMap(bob, pk);
    expect((await ada.send('DELETE', `/api/v2/datasets/${pk}/`)).status).toBe(403);
    expect((await bob.send('DELETE', `/api/v2/datasets/${pk}/`)).status).toBe(204);
    expect((await bob.get(`/api/v2/datasets/${pk}`)).status).toBe(404);
  });
});

describe('the API modules of the MapStore client', () => {
  test('find their way, list, filter and count', async () => {
    expect((await visitor.get('/api/v2/')).json).toMatchObject({
      resources: expect.stringContaining('/api/v2/resources'),
    });
    const resources = await visitor.get(
      '/api/v2/resources?search=parcels&search_fields=title&search_fields=abstract&sort[]=-date&page=1&page_size=20&filter{metadata_only}=false&include[]=executions',
    );
    expect(resources.json).toMatchObject({ total: 1, links: { next: null }, resources: [{ title: 'Parcels' }] });
    for (const [at, member] of [
      ['categories?page_size=9999&filter{identifier.icontains}=cad&with_resources=True', 'categories'],
      ['regions?page_size=9999&filter{name.icontains}=eur', 'regions'],
      ['owners?page_size=9999&filter{username.icontains}=ada', 'owners'],
      ['keywords?page_size=9999&filter{slug.icontains}=cad', 'keywords'],
      ['facets', 'facets'],
      ['resources/resource_types', 'resource_types'],
      ['uploads?filter{-state}=PROCESSED&page=1&page_size=99999', 'uploads'],
    ] as const) {
      const reply = await ada.get(`/api/v2/${at}`);
      expect([at, reply.status, Array.isArray(reply.json[member])]).toEqual([at, 200, true]);
    }
    const info = await ada.get('/api/o/v4/userinfo');
    expect((await ada.get(`/api/v2/users/${info.json.sub}`)).json.user.username).toBe('ada');
    for (const list of ['categories', 'keywords', 'regions', 'owners'])
      expect((await visitor.get(`/api/${list}?limit=30`)).json).toMatchObject({ objects: expect.any(Array) });
    expect((await visitor.get('/base/autocomplete_response?q=parc')).json.results).toMatchObject([{ text: 'Parcels' }]);
    expect((await ada.get('/gs/portal:parcels/edit-check')).json).toEqual({ authorized: true });
  });

  test('save a map, change it, give it a picture, copy it, and delete both', async () => {
    const [layer] = (await ada.get('/api/v2/datasets?page_size=1&filter{alternate.in}=portal:parcels')).json.datasets;
    const data = {
      version: 2,
      map: {
        center: { x: 8, y: 47, crs: 'EPSG:4326' },
        zoom: 6,
        projection: 'EPSG:900913',
        layers: [{ id: 'one', name: layer.alternate, type: 'wms', url: '/geoserver/ows', opacity: 0.5 }],
      },
    };
    const { msId, ...params } = { msId: 'one', styles: [] };
    const maplayers = [
      { extra_params: { msId, ...params }, name: layer.alternate, order: 0, visibility: true, opacity: 0.5 },
    ];
    const made = await ada.send('POST', '/api/v2/maps', { title: 'Saved', data, maplayers, extent: layer.extent });
    const { pk, is_copyable } = made.json.map;
    expect(is_copyable).toBe(true);
    const saved = await ada.send('PATCH', `/api/v2/maps/${pk}/?include[]=data`, {
      title: 'Saved again',
      data,
      maplayers,
    });
    expect(saved.json.map).toMatchObject({ title: 'Saved again', data, maplayers: [{ extra_params: { msId } }] });
    expect((await ada.get(`/api/v2/maps/?include[]=data&filter{pk.in}=${pk}&page_size=1`)).json.maps).toMatchObject([
      { data },
    ]);
    const box = { bbox: [5, 11, 45, 51], srid: 'EPSG:4326' };
    for (const [method, at, body] of [
      ['POST', `/api/v2/resources/${pk}/set_thumbnail_from_bbox`, box],
      ['POST', `/maps/${pk}/thumbnail`, box],
      ['PUT', `/api/v2/resources/${pk}/set_thumbnail`, { file: PICTURE }],
      ['POST', `/maps/${pk}/thumbnail`, { image: PICTURE }],
    ] as const) {
      const chosen = await ada.send(method, at, body);
      expect([at, chosen.status, typeof chosen.json.thumbnail_url]).toEqual([at, 200, 'string']);
      expect((await bob.send(method, at, body)).status).toBe(403);
    }
    const copied = await ada.send(
      'PUT',
      `/api/v2/resources/${pk}/copy`,
      `defaults=${JSON.stringify({ title: 'Copied', data })}`,
      { 'Content-Type': 'application/x-www-form-urlencoded' },
    );
    expect(copied.json.map).toMatchObject({ title: 'Copied', maplayers: [{ extra_params: { msId } }] });
    for (const id of [pk, copied.json.map.pk])
      expect([200, 204]).toContain((await ada.send('DELETE', `/api/v2/resources/${id}/delete`)).status);
  });

  test('make an app and a document, and ask who is asking', async () => {
    const app = await ada.send('POST', '/api/v2/geoapps?include[]=data', {
      name: 'Panel',
      title: 'Panel',
      data: { widgets: [] },
    });
    expect(app.json.geoapp).toMatchObject({ name: 'Panel', data: { widgets: [] } });
    const at = `/api/v2/geoapps/${app.json.geoapp.pk}`;
    const changed = await ada.send('PATCH', `${at}?include[]=data`, { data: { widgets: [1] } });
    expect(changed.json.geoapp.data).toEqual({ widgets: [1] });
    expect((await ada.get(`${at}?full=true&include[]=data`)).json.geoapp.data).toEqual({ widgets: [1] });
    const form = new FormData();
    form.append('title', 'Notes');
    form.append('doc_file', new Blob(['hello']), 'notes.txt');
    const sent = await ada.send('POST', '/documents/upload?no__redirect=true', form);
    const document = Number(/\d+$/.exec(sent.json.url)?.[0]);
    const { documents } = (await ada.get(`/api/v2/documents/?filter{pk.in}=${document}&page_size=1`)).json;
    expect((await ada.get(documents[0].href)).text).toBe('hello');
    expect((await ada.send('PATCH', `/api/v2/documents/${document}`, { title: 'N' })).json.meta.updated).toBe(1);
    for (const id of [app.json.geoapp.pk, document]) await ada.send('DELETE', `/api/v2/resources/${id}/delete`);
    const { sub } = (await ada.get('/api/v2/userinfo')).json;
    expect((await ada.get(`/api/v2/users/${sub}/rules`)).json).toEqual({ rules: [] });
    expect(
      (await ada.get('/api/v2/users?search=ad&search_fields=username&search_fields=first_name&page=1&page_size=20'))
        .json,
    ).toMatchObject({
      links: { next: null },
      users: [{ username: 'ada' }],
    });
    expect(
      (await ada.get('/api/v2/groups?search=reg&search_fields=title&search_fields=slug')).json.group_profiles,
    ).toEqual(expect.any(Array));
  });

  test('upload, poll the status, share, make a favourite, link and delete', async () => {
    const sent = await ada.send(
      'POST',
      '/api/v2/uploads/upload',
      rasterForm('grid', { charset: 'UTF-8', store_spatial_files: 'true' }),
    );
    const status = await ada.get(`/api/v2/resource-service/execution-status/${sent.json.execution_id}`);
    expect(status.json).toMatchObject({ status: expect.any(String), created: expect.any(String) });
    const [pk = 0] = await finished(ada, sent.json.execution_id);
    const at = `/api/v2/resources/${pk}`;
    const pending = '/api/v2/executionrequest?filter{action}=import&filter{source}=upload&page=1&page_size=99999';
    expect((await ada.get(pending)).json.requests).toContainEqual(
      expect.objectContaining({ name: 'grid', status: 'finished' }),
    );
    expect((await bob.send('DELETE', `/api/v2/executionrequest/${sent.json.execution_id}`)).status).toBe(404);
    expect((await ada.send('DELETE', `/api/v2/executionrequest/${sent.json.execution_id}`)).status).toBe(204);
    expect((await ada.get(`${at}?include[]=executions`)).json.resource.pk).toBe(String(pk));
    const form = (await ada.get('/api/v2/metadata/schema/')).json;
    const values = (await ada.get(`/api/v2/metadata/instance/${pk}/`)).json;
    expect([form.properties.title.type, values.title, values.extraErrors]).toEqual(['string', 'grid', {}]);
    const few = await ada.get(`${at}/?exclude[]=*&include[]=pk&include[]=title&include[]=detail_url&include[]=perms`);
    expect(Object.keys(few.json.resource).sort()).toEqual(['detail_url', 'perms', 'pk', 'title']);
    const written = await ada.send('PUT', `/api/v2/metadata/instance/${pk}/`, { ...values, keywords: ['relief'] });
    expect([written.status, written.json.extraErrors]).toEqual([200, {}]);
    const { uuid } = (await ada.get(at)).json.resource;
    expect((await ada.get(`/api/v2/resources?filter{uuid}=${uuid}`)).json.resources).toMatchObject([{ title: 'grid' }]);
    expect((await ada.get(`/security/geolimits/${pk}?user_id=1`)).text).toBe('');
    const compact = await ada.get(`${at}/permissions`);
    expect(compact.json).toMatchObject({
      users: expect.any(Array),
      groups: expect.any(Array),
      organizations: expect.any(Array),
    });
    const shut = { ...compact.json, groups: [{ name: 'anonymous', permissions: 'none' }] };
    expect((await ada.send('PUT', `${at}/permissions`, shut)).status).toBe(200);
    expect((await visitor.get(at)).status).toBe(404);
    expect((await ada.send('POST', `${at}/favorite`)).status).toBe(201);
    expect((await ada.send('DELETE', `${at}/favorite`)).status).toBe(200);
    expect((await ada.get(`${at}/linked_resources?page=1&page_size=99999`)).json.resources).toEqual([]);
    expect((await ada.send('PATCH', `/api/v2/datasets/${pk}`, { title: 'A grid' })).json.meta.updated).toBe(1);
    expect((await bob.send('DELETE', `${at}/delete`)).status).toBe(404);
    expect([200, 204]).toContain((await ada.send('DELETE', `${at}/delete`)).status);
  });
});

describe('geonode-benchmark', () => {
  test('visits pages, pictures and downloads, uploads GeoJSON and deletes it', async () => {
    const { dataset } = (await ada.get('/api/v2/datasets/?filter{name}=parcels')).json.datasets.map(
      (dataset: unknown) => ({ dataset }),
    )[0];
    for (const at of [
      '/',
      `/catalogue/#/dataset/${dataset.pk}`,
      `/datasets/geodata:geonode:${dataset.name}/metadata`,
      `/datasets/geodata:geonode:${dataset.name}/metadata_advanced`,
      '/people/profile/ada',
      '/static/geonode/img/favicon.ico',
      '/geoserver/rest/about/version.xml',
      '/geoserver/rest/layers.json',
      '/geoserver/rest/workspaces/geonode/datastores/geodata.json',
      `/datasets/geonode:${dataset.name}/dataset_download`,
    ]) {
      const { status } = await ada.get(at);
      expect([at, status === 200 || status === 302]).toEqual([at, true]);
    }
    const wanted = ['png', 'xml', 'jpg'] as const;
    for (const extension of wanted) {
      const { url } = dataset.links.find((link: { extension: string }) => link.extension === extension);
      expect([extension, (await ada.get(url)).status]).toEqual([extension, 200]);
    }
    for (const name of ['Legend', 'PNG']) {
      const { url } = dataset.links.find(
        (link: { extension: string; name: string }) => link.extension === 'png' && link.name === name,
      );
      expect([name, (await ada.get(url)).type]).toEqual([name, 'image/png']);
    }
    const form = new FormData();
    const feature = { type: 'Feature', properties: { a: 1 }, geometry: { type: 'Point', coordinates: [1, 2] } };
    form.append(
      'base_file',
      new Blob([JSON.stringify({ type: 'FeatureCollection', features: [feature] })]),
      'bench.geojson',
    );
    const sent = await ada.send(
      'POST',
      '/api/v2/uploads/upload?mosaic=False&time=False&charset=UTF-8&non_interactive=True',
      form,
    );
    const [pk = 0] = await finished(ada, sent.json.execution_id);
    expect([200, 204]).toContain((await ada.send('DELETE', `/api/v2/resources/${pk}/delete`)).status);
  });
});

describe('the published upload sample of GeoNode 3.2', () => {
  test('puts the files, and asks for the end of it with the cookies of that answer', async () => {
    const form = shapefileForm('sample', {
      permissions: '{"users": {}, "groups": {}}',
      charset: 'UTF-8',
      time: 'false',
    });
    const headers = { Authorization: `Basic ${Buffer.from('ada:another horse battery').toString('base64')}` };
    const sent = await fetch(`${portal.url}/api/v2/uploads/upload/`, { method: 'PUT', headers, body: form });
    const answer = (await sent.json()) as { redirect_to?: string; execution_id: string };
    const cookie = sent.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    expect([sent.status, cookie.includes('sessionid=')]).toEqual([
      expect.toSatisfy((status: number) => status < 300),
      true,
    ]);
    await finished(ada, answer.execution_id);
    const [upload] = (await ada.get('/api/v2/uploads/?filter{name}=sample')).json.uploads;
    const final = await fetch(`${portal.url}/upload/final?id=${upload.import_id}`, { headers: { cookie } });
    const { id } = (await final.json()) as { success: boolean; id: number };
    const at = `/api/v2/layers/${id}/`;
    expect((await visitor.get(at)).status).toBe(404);
    const perms = { users: { bob: ['view_resourcebase'] }, groups: { anonymous: ['view_resourcebase'] } };
    expect((await ada.send('PUT', `/api/v2/resources/${id}/set_perms/`, perms)).status).toBeLessThan(300);
    expect((await ada.get(`/api/v2/resources/${id}/get_perms/`)).json).toMatchObject(perms);
    expect((await visitor.get(`/api/v2/resources/${id}/get_perms/`)).status).toBe(403);
    expect((await visitor.get(at)).json.layer.name).toBe('sample');
    expect((await ada.send('DELETE', at)).status).toBe(204);
  });
});
