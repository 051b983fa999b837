// How a layer's features are shown to people: kept with the layer, written by who manages it, and the same on every surface.

import { expect, test } from 'vitest';
import { type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf } from '../portal/on-catalogue.ts';
import { type LayerKit, onLayers } from './layer-kit.ts';

type Made = { readonly pk: string; readonly name: string; readonly alternate: string };

onLayers('the presentation of a layer', {}, (kit: () => LayerKit) => {
  const as = async (name: 'ada' | 'bob' | 'mia') => kit().portal.bearer(await kit().portal.tokenOf(name));
  const make = async (title: string): Promise<Made> => {
    const reply = await (await as('ada')).post('/api/v2/layers/empty/', {
      title,
      geometry: 'point',
      columns: [
        { name: 'Name', type: 'text' },
        { name: 'Rent', type: 'double precision' },
        { name: 'Site', type: 'text' },
        { name: 'Note', type: 'text' },
      ],
      permissions: { users: { bob: ['view_resourcebase', 'download_resourcebase'] }, groups: {} },
    });
    expect(reply).toMatchReply({ status: 201 });
    const made = bodyOf<{ layer: Made }>(reply).layer;
    const point = { type: 'Point', coordinates: [9, 50] };
    const properties = { name: 'Haus & Hof', rent: 1234.5, site: 'https://a.example/x', note: 'quiet' };
    const added = await (await as('ada')).post(`/ogc/collections/${made.name}/items`, {
      type: 'Feature',
      geometry: point,
      properties,
    });
    expect(added.status).toBe(201);
    return made;
  };
  const COLUMNS = [
    { column: 'rent', label: 'Rent per month', visible: true, format: { kind: 'currency', currency: 'EUR' } },
    { column: 'site', label: '', visible: true, format: { kind: 'link', text: 'Site' } },
    { column: 'note', label: '', visible: false, format: null },
  ];
  const POPUP = {
    kind: 'template',
    title: '{{name}}',
    columns: ['rent', 'name'],
    template: '<b>{{rent}}</b>',
    charts: [{ kind: 'bar', title: 'of {{name}}', columns: ['rent'] }],
  };

  test('its filter is what the record says, follows a renamed column, goes with a dropped one, and keeps nothing from anybody', async () => {
    const ada = await as('ada');
    const { pk, name } = await make('Filtered');
    const path = `/api/v2/layers/${pk}/presentation/`;
    const ofRecord = async (): Promise<unknown> =>
      bodyOf<{ layer: { default_filter: unknown } }>(await ada.get(`/api/v2/layers/${pk}/`)).layer.default_filter;
    const put = async (sent: object): Promise<unknown> => bodyOf<{ filter: unknown }>(await ada.put(path, sent)).filter;
    expect([await ofRecord(), bodyOf<{ filter: unknown }>(await ada.get(path)).filter]).toEqual([null, null]);
    const filter = (column: string) => ({
      op: 'and',
      args: [
        { op: '>', args: [{ property: 'rent' }, 5000] },
        {
          op: 'or',
          args: [
            { op: '=', args: [{ property: column }, 'note'] },
            { op: 'isNull', args: [{ property: column }] },
          ],
        },
      ],
    });
    expect(await put({ filter: filter('note') })).toEqual(filter('note'));
    // Another part is written: this one stays.
    expect(await put({ columns: COLUMNS })).toEqual(filter('note'));
    expect(await ofRecord()).toEqual(filter('note'));
    for (const [bad, said] of [
      [{ op: '=', args: [{ property: 'nothing' }, 1] }, 'nothing'],
      [{ op: 'sql', args: [] }, 'sql'],
      [{ op: '=', args: [{ property: 'note' }, 'x'.repeat(21_000)] }, 'too long'],
      ['note = 1', 'filter'],
      [[], 'filter'],
    ] as const) {
      const reply = await ada.put(path, { filter: bad });
      expect(reply, said).toMatchReply({ status: 400 });
      expect(textOf(reply.body)).toContain(said);
    }
    expect((await (await as('bob')).put(path, { filter: null })).status).toBe(403);
    const features = bodyOf<{ features: unknown[] }>(await (await as('bob')).get(`/ogc/collections/${name}/items`));
    expect(features.features).toHaveLength(1);
    const columns = `/api/v2/layers/${pk}/columns`;
    expect((await ada.patch(`${columns}/note/`, { name: 'remark' })).status).toBe(200);
    expect(await ofRecord()).toEqual(filter('remark'));
    const uses = bodyOf<{ filter: boolean }>(await ada.get(`${columns}/remark/uses/`));
    expect(uses.filter).toBe(true);
    expect(bodyOf<{ filter: boolean }>(await ada.get(`${columns}/site/uses/`)).filter).toBe(false);
    expect((await ada.delete(`${columns}/remark/`)).status).toBe(200);
    expect(await ofRecord()).toBeNull();
    expect(await put({ filter: filter('site') })).toEqual(filter('site'));
    expect(await put({ filter: null })).toEqual(null);
  });

  test('is written as a whole or in part, read by whoever sees the layer, and refused to others', async () => {
    const ada = await as('ada');
    const { pk } = await make('Houses');
    const path = `/api/v2/layers/${pk}/presentation/`;
    expect(bodyOf<{ popup: unknown }>(await ada.get(path)).popup).toEqual({
      kind: 'list',
      title: '',
      columns: null,
      template: '',
      charts: [],
    });
    const set = await ada.put(path, { columns: COLUMNS, popup: POPUP });
    expect(set).toMatchReply({ status: 200 });
    const shown = bodyOf<{ columns: { column: string }[]; popup: unknown }>(set);
    expect(shown.columns.slice(0, 3)).toEqual(COLUMNS);
    expect(shown.columns.map(({ column }) => column)).toEqual(['rent', 'site', 'note', 'name', 'geom']);
    expect(shown.popup).toEqual(POPUP);
    expect(bodyOf(await (await as('bob')).get(path))).toEqual(shown);
    // As clients of GeoNode read it.
    const { layer } = bodyOf<{ layer: Record<string, unknown> }>(await ada.get(`/api/v2/layers/${pk}/`));
    expect(layer).toMatchObject({
      use_featureinfo_custom_template: true,
      featureinfo_custom_template: '<b>{{rent}}</b>',
    });
    expect(layer['attribute_set']).toMatchObject([
      {
        attribute: 'rent',
        attribute_label: 'Rent per month',
        format: COLUMNS[0]?.format,
        featureinfo_type: 'type_property',
      },
      { attribute: 'site', attribute_label: null, featureinfo_type: 'type_href' },
      { attribute: 'note', visible: false, format: null },
      { attribute: 'name', attribute_label: 'Name' },
      { attribute: 'geom' },
    ]);
    // A part that is not sent stays.
    expect(bodyOf(await ada.put(path, { columns: [{ column: 'site', label: 'Web', format: null }] }))).toMatchObject({
      columns: [{ column: 'site', label: 'Web', format: null }, { column: 'rent' }, {}, {}, {}],
      popup: POPUP,
    });
    expect(bodyOf<{ popup: unknown }>(await ada.put(path, { popup: {} })).popup).toMatchObject({
      kind: 'list',
      charts: [],
    });

    expect(await ada.put(path, { columns: [{ column: 'rent', format: { kind: 'colour' } }] })).toMatchReply({
      status: 400,
      json: { columns: [expect.stringContaining('format')] },
    });
    expect((await ada.put(path, { popup: { kind: 'card' } })).status).toBe(400);
    for (const misspelt of [
      { colums: [] },
      { columns: [{ column: 'rent', lable: 'Rent' }] },
      { popup: { titel: 'x' } },
      { popup: { charts: [{ kind: 'bar', columns: [], colour: 'red' }] } },
    ])
      expect(await ada.put(path, misspelt)).toMatchReply({
        status: 400,
        json: {
          [Object.keys(misspelt)[0] === 'colums' ? 'non_field_errors' : (Object.keys(misspelt)[0] ?? '')]: [
            expect.stringContaining('not known'),
          ],
        },
      });
    // Who may not is refused, also where nothing would change.
    expect((await (await as('bob')).put(path, {})).status).toBe(403);
    expect((await (await as('bob')).put(path, { columns: COLUMNS })).status).toBe(403);
    expect((await (await as('mia')).put(path, { columns: COLUMNS })).status).toBe(404);
    expect((await (await as('mia')).get(path)).status).toBe(404);
    expect((await kit().portal.visitor.put(path, { columns: COLUMNS })).status).toBe(401);
  });

  test('follows a column that is renamed, in the layer and in maps', async () => {
    const ada = await as('ada');
    const { pk, alternate } = await make('Rows of houses');
    const path = `/api/v2/layers/${pk}/presentation/`;
    await ada.put(path, { columns: COLUMNS, popup: POPUP });
    const entry = {
      type: 'wms',
      name: alternate,
      title: 'Houses',
      visibility: true,
      opacity: 1,
      'survest:columns': COLUMNS,
      'survest:popup': POPUP,
      'survest:controls': [{ column: 'rent', kind: 'range' }],
      'survest:filter': { op: '>', args: [{ property: 'rent' }, 5] },
    };
    const map = await ada.post('/api/v2/maps/', {
      title: 'Rents',
      zoom: 3,
      projection: 'EPSG:3857',
      center_x: 0,
      center_y: 0,
      data: { map: { layers: [entry] } },
    });
    expect(map.status).toBe(201);
    const mapId = bodyOf<{ map: { pk: string } }>(map).map.pk;
    expect((await ada.patch(`/api/v2/layers/${pk}/columns/rent/`, { name: 'Miete' })).status).toBe(200);
    const popup = {
      ...POPUP,
      columns: ['miete', 'name'],
      template: '<b>{{miete}}</b>',
      charts: [{ kind: 'bar', title: 'of {{name}}', columns: ['miete'] }],
    };
    const shown = bodyOf<{ columns: unknown[]; popup: unknown }>(await ada.get(path));
    expect(shown.columns[0]).toEqual({ ...COLUMNS[0], column: 'miete', label: 'Miete' });
    expect(shown.popup).toEqual(popup);
    const { map: read } = bodyOf<{ map: { data: { map: { layers: Record<string, unknown>[] } } } }>(
      await ada.get(`/api/v2/maps/${mapId}/?include[]=data`),
    );
    expect(read.data.map.layers[0]).toMatchObject({
      'survest:columns': [{ column: 'miete' }, { column: 'site' }, { column: 'note' }],
      'survest:popup': popup,
      'survest:controls': [{ column: 'miete', kind: 'range' }],
      'survest:filter': { op: '>', args: [{ property: 'miete' }, 5] },
    });
  });

  test('is that of the page of GetFeatureInfo, in the language of its reader; data keep their names and values', async () => {
    const ada = await as('ada');
    const { pk, name } = await make('Info of houses');
    await ada.put(`/api/v2/layers/${pk}/presentation/`, { columns: COLUMNS });
    const info = async (format: string, language: string): Promise<Reply> =>
      ada.get(
        `/wms?service=WMS&version=1.3.0&request=GetFeatureInfo&layers=${name}&query_layers=${name}&styles=&crs=CRS:84&bbox=8,49,10,51&width=101&height=101&i=50&j=50&info_format=${format}`,
        { 'accept-language': language },
      );
    const page = textOf((await info('text/html', 'de-AT,en;q=0.5')).body).replaceAll('\u00a0', ' ');
    expect(page).toContain(
      '<tr><th>Rent per month</th><td>1.234,50 €</td></tr><tr><th>site</th><td><a href="https://a.example/x">Site</a></td></tr><tr><th>Name</th><td>Haus &#38; Hof</td></tr>',
    );
    expect(page).not.toContain('quiet');
    expect(textOf((await info('text/html', 'pt')).body)).toContain('€1,234.50');
    // The pop-up of the layer: chosen columns, or its template, of which nothing runs wherever it is shown.
    const popup = async (of: object): Promise<string> => {
      expect((await ada.put(`/api/v2/layers/${pk}/presentation/`, { popup: of })).status).toBe(200);
      const text = textOf((await info('text/html', 'de')).body).replaceAll('\u00a0', ' ');
      return /<body>(.*)<\/body>/s.exec(text)?.[1] ?? '';
    };
    expect(await popup({ kind: 'list', title: 'Haus: {{name}}', columns: ['note', 'rent'] })).toBe(
      '<table><caption>Haus: Haus &#38; Hof</caption><tr><th>note</th><td>quiet</td></tr><tr><th>Rent per month</th><td>1.234,50 €</td></tr></table>',
    );
    const template =
      '<h3 onclick="go()">{{rent}}</h3><script>go()</script><a href="/rooms/{{name}}">{{site}}</a><img src="/a.png" alt="{{name}}"><a href="javascript:go()">x</a>';
    expect(await popup({ kind: 'template', title: '', template })).toBe(
      '<div><h2>Info of houses 1</h2><h3>1.234,50 €</h3><a href="/rooms/Haus &#38; Hof"><a href="https://a.example/x">Site</a></a><a href="/a.png">Haus &#38; Hof</a><a>x</a></div>',
    );
    const { features } = bodyOf<{ features: { properties: object }[] }>(await info('application/json', 'de'));
    expect(features[0]?.properties).toMatchObject({ rent: 1234.5, note: 'quiet', site: 'https://a.example/x' });
  });

  test('is that of a download, if it is asked for', async () => {
    const ada = await as('ada');
    const { pk } = await make('Files of houses');
    const long = 'A very long name of a column that goes on and on, longer than names in a database can be';
    const columns = [...COLUMNS, { column: 'name', label: 'site' }, { column: 'rent', label: long }].filter(
      ({ column }, i) => i !== 0 || column !== 'rent',
    );
    await ada.put(`/api/v2/layers/${pk}/presentation/`, { columns });
    const csv = async (query: string): Promise<string> => {
      const reply = await ada.get(`/download/${pk}.csv?skipGeometry=true${query}`);
      expect(reply).toMatchReply({ status: 200 });
      return textOf(reply.body);
    };
    expect((await csv('')).split('\n')[0]).toBe('fid,name,rent,site,note');
    expect((await csv('&headings=aliases')).split('\n').slice(0, 2)).toEqual([
      'fid,site,site (2),"A very long name of a column that goes on and on, longer"',
      '1,https://a.example/x,Haus & Hof,1234.5',
    ]);
    const { features } = bodyOf<{ features: { properties: object }[] }>(
      await ada.get(`/download/${pk}.geojson?headings=aliases`),
    );
    expect(Object.keys(features[0]?.properties ?? {}).slice(0, 2)).toEqual(['site', 'site (2)']);
    expect((await ada.get(`/download/${pk}.gpkg?headings=aliases`)).status).toBe(400);
    expect((await ada.get(`/download/${pk}.csv?headings=pretty`)).status).toBe(400);
  });
});
