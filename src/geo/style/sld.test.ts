import { describe, expect, test } from 'vitest';
import { compileFilter, type Scope } from './expression.ts';
import { readSld, readSldDocument } from './read-sld.ts';
import { parseStyle, type StyleLayer } from './style-layer.ts';
import { writeSld } from './write-sld.ts';

const head = { layer: 'rivers', style: 'blue', title: 'Rivers & <lakes>' };

function sld(rules: string, version = '1.0.0'): string {
  return `<?xml version="1.0"?><StyledLayerDescriptor version="${version}" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:se="http://www.opengis.net/se"><NamedLayer><Name>l</Name><UserStyle><Title>T</Title><FeatureTypeStyle>${rules}</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
}

function layersOf(text: string, columns?: Parameters<typeof readSld>[1]): readonly StyleLayer[] {
  const read = readSld(text, columns);
  if (!read.ok) throw new Error(read.error.message);
  return read.value.layers;
}

describe('reading', () => {
  test('a polygon is a fill and its border', () => {
    expect(
      layersOf(
        sld(`<Rule><Name>r</Name><Title>Land</Title><PolygonSymbolizer><Fill><CssParameter name="fill">#AAFF00</CssParameter><CssParameter name="fill-opacity">0.5</CssParameter></Fill>
          <Stroke><CssParameter name="stroke">#000000</CssParameter><CssParameter name="stroke-width">2</CssParameter><CssParameter name="stroke-dasharray">4 2</CssParameter></Stroke></PolygonSymbolizer></Rule>`),
      ),
    ).toEqual([
      {
        id: 'fill-1',
        type: 'fill',
        paint: { 'fill-color': '#AAFF00', 'fill-opacity': 0.5 },
        metadata: { 'survest:title': 'Land' },
      },
      {
        id: 'line-2',
        type: 'line',
        paint: { 'line-color': '#000000', 'line-width': 2, 'line-dasharray': [2, 1] },
        metadata: { 'survest:title': 'Land' },
      },
    ]);
  });

  test('version 1.1 means the same with other names', () => {
    const [layer] = layersOf(
      sld(
        `<se:Rule><se:MinScaleDenominator>1000</se:MinScaleDenominator><se:MaxScaleDenominator>139770566.0071793</se:MaxScaleDenominator><se:PointSymbolizer><se:Graphic><se:Mark><se:WellKnownName>star</se:WellKnownName>
          <se:Fill><se:SvgParameter name="fill">#ff0000</se:SvgParameter></se:Fill></se:Mark><se:Size>12</se:Size></se:Graphic></se:PointSymbolizer></se:Rule>`,
        '1.1.0',
      ),
    );
    expect(layer).toMatchObject({
      type: 'circle',
      minzoom: 1,
      paint: { 'circle-radius': 6, 'circle-color': '#ff0000' },
      metadata: { 'survest:mark': 'star' },
    });
    expect(layer?.maxzoom).toBeCloseTo(18.0928, 3);
  });

  test('text, font, halo and place of a label', () => {
    const [layer] = layersOf(
      sld(`<Rule><TextSymbolizer><Label><ogc:PropertyName>name</ogc:PropertyName> (<ogc:PropertyName>iso</ogc:PropertyName>)</Label>
        <Font><CssParameter name="font-family">Arial</CssParameter><CssParameter name="font-size">12</CssParameter><CssParameter name="font-weight">bold</CssParameter></Font>
        <LabelPlacement><PointPlacement><AnchorPoint><AnchorPointX>0</AnchorPointX><AnchorPointY>0.5</AnchorPointY></AnchorPoint><Displacement><DisplacementX>6</DisplacementX><DisplacementY>-12</DisplacementY></Displacement></PointPlacement></LabelPlacement>
        <Halo><Radius>2</Radius><Fill><CssParameter name="fill">#ffffff</CssParameter></Fill></Halo><Fill><CssParameter name="fill">#333333</CssParameter></Fill></TextSymbolizer></Rule>`),
    );
    expect(layer).toMatchObject({
      type: 'symbol',
      layout: {
        'text-field': ['concat', ['get', 'name'], ' (', ['get', 'iso'], ')'],
        'text-size': 12,
        'text-font': ['Arial Bold'],
        'text-anchor': 'left',
        'text-offset': [0.5, 1],
      },
      paint: { 'text-color': '#333333', 'text-halo-width': 2, 'text-halo-color': '#ffffff' },
    });
  });

  test('a raster with its colour map', () => {
    const [layer] = layersOf(
      sld(
        `<Rule><RasterSymbolizer><Opacity>0.8</Opacity><ColorMap type="intervals"><ColorMapEntry color="#0000ff" quantity="0" opacity="0"/><ColorMapEntry color="#00ff00" quantity="500" label="low"/></ColorMap></RasterSymbolizer></Rule>`,
      ),
    );
    expect(layer).toEqual({
      id: 'raster-1',
      type: 'raster',
      paint: { 'raster-opacity': 0.8 },
      metadata: {
        'survest:raster': {
          kind: 'intervals',
          stops: [
            { value: 0, color: 'rgba(0, 0, 255, 0)' },
            { value: 500, color: '#00ff00', label: 'low' },
          ],
        },
      },
    });
  });

  test.each([
    [
      '<ogc:PropertyIsEqualTo><ogc:PropertyName>kind</ogc:PropertyName><ogc:Literal>river</ogc:Literal></ogc:PropertyIsEqualTo>',
      true,
    ],
    [
      '<ogc:PropertyIsEqualTo matchCase="false"><ogc:PropertyName>kind</ogc:PropertyName><ogc:Literal>RIVER</ogc:Literal></ogc:PropertyIsEqualTo>',
      true,
    ],
    [
      '<ogc:PropertyIsNotEqualTo><ogc:PropertyName>KIND</ogc:PropertyName><ogc:Literal>river</ogc:Literal></ogc:PropertyIsNotEqualTo>',
      false,
    ],
    [
      '<ogc:PropertyIsGreaterThan><ogc:PropertyName>length</ogc:PropertyName><ogc:Literal>1000</ogc:Literal></ogc:PropertyIsGreaterThan>',
      true,
    ],
    [
      '<ogc:PropertyIsEqualTo><ogc:PropertyName>code</ogc:PropertyName><ogc:Literal>007</ogc:Literal></ogc:PropertyIsEqualTo>',
      true,
    ],
    [
      '<ogc:PropertyIsBetween><ogc:PropertyName>length</ogc:PropertyName><ogc:LowerBoundary><ogc:Literal>1</ogc:Literal></ogc:LowerBoundary><ogc:UpperBoundary><ogc:Literal>5</ogc:Literal></ogc:UpperBoundary></ogc:PropertyIsBetween>',
      false,
    ],
    [
      '<ogc:PropertyIsLike wildCard="%" singleChar="_" escape="!"><ogc:PropertyName>name</ogc:PropertyName><ogc:Literal>E%</ogc:Literal></ogc:PropertyIsLike>',
      true,
    ],
    [
      '<ogc:PropertyIsLike wildCard="*" singleChar="?" escape="!"><ogc:PropertyName>name</ogc:PropertyName><ogc:Literal>*lb*</ogc:Literal></ogc:PropertyIsLike>',
      true,
    ],
    ['<ogc:PropertyIsNull><ogc:PropertyName>missing</ogc:PropertyName></ogc:PropertyIsNull>', true],
    [
      '<ogc:Not><ogc:Or><ogc:PropertyIsNull><ogc:PropertyName>name</ogc:PropertyName></ogc:PropertyIsNull><ogc:PropertyIsLessThan><ogc:PropertyName>length</ogc:PropertyName><ogc:Literal>9</ogc:Literal></ogc:PropertyIsLessThan></ogc:Or></ogc:Not>',
      true,
    ],
    [
      '<ogc:PropertyIsEqualTo><ogc:Function name="dimension"><ogc:PropertyName>geom</ogc:PropertyName></ogc:Function><ogc:Literal>1</ogc:Literal></ogc:PropertyIsEqualTo>',
      true,
    ],
  ])('the filter %s holds as it should, and again after writing it down', (filter, holds) => {
    const columns = [
      { name: 'kind', kind: 'text' },
      { name: 'code', kind: 'text' },
      { name: 'name', kind: 'text' },
      { name: 'length', kind: 'number' },
    ] as const;
    const layers = layersOf(sld(`<Rule><ogc:Filter>${filter}</ogc:Filter><LineSymbolizer/></Rule>`), { columns });
    const again = layersOf(writeSld(layers, head), { columns });
    const scope: Scope = {
      properties: { kind: 'river', length: 1094, name: 'Elbe', code: '007' },
      geometry: 'LineString',
      zoom: 3,
    };
    for (const [layer] of [layers, again]) {
      const compiled = compileFilter(layer?.filter);
      expect(compiled.ok && compiled.value.run(scope)).toBe(holds);
    }
  });

  test('ElseFilter is what no other rule of its group wants', () => {
    const is = (value: string): string =>
      `<ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>a</ogc:PropertyName><ogc:Literal>${value}</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter>`;
    const layers = layersOf(
      sld(
        `<Rule><ElseFilter/><LineSymbolizer/></Rule><Rule>${is('x')}<LineSymbolizer/></Rule><Rule>${is('y')}<LineSymbolizer/></Rule>`,
      ),
    );
    expect(layers.map((layer) => layer.filter)).toEqual([
      ['!', ['any', ['==', ['get', 'a'], 'x'], ['==', ['get', 'a'], 'y']]],
      ['==', ['get', 'a'], 'x'],
      ['==', ['get', 'a'], 'y'],
    ]);
  });

  // As QGIS and GeoServer write them by default.
  test.each([
    [
      'a hatch of QGIS',
      '<PolygonSymbolizer><Fill><GraphicFill><Graphic><Mark><WellKnownName>horline</WellKnownName><Stroke><SvgParameter name="stroke">#00ff00</SvgParameter></Stroke></Mark><Size>10</Size><Rotation>45</Rotation></Graphic></GraphicFill></Fill></PolygonSymbolizer>',
      ['Rule "R", PolygonSymbolizer: A fill with a pattern is drawn as a plain colour.'],
    ],
    [
      'a line of marks',
      '<LineSymbolizer><Stroke><GraphicStroke><Graphic><Mark><WellKnownName>circle</WellKnownName></Mark></Graphic><Gap>3</Gap></GraphicStroke></Stroke></LineSymbolizer>',
      ['Rule "R", LineSymbolizer: A line of repeated symbols is drawn as a plain line.'],
    ],
    [
      'dashes that begin later',
      '<LineSymbolizer><Stroke><SvgParameter name="stroke-dasharray">4 2</SvgParameter><SvgParameter name="stroke-dashoffset">2</SvgParameter></Stroke><VendorOption name="placement">firstPoint</VendorOption></LineSymbolizer>',
      [
        'Rule "R", LineSymbolizer: Stroke/SvgParameter stroke-dashoffset is not drawn.',
        'Rule "R", LineSymbolizer: VendorOption placement is not drawn.',
      ],
    ],
    [
      'sizes on the ground',
      '<LineSymbolizer uom="http://www.opengeospatial.org/se/units/metre"><Stroke/></LineSymbolizer>',
      ['Rule "R", LineSymbolizer: sizes in http://www.opengeospatial.org/se/units/metre are drawn as pixels.'],
    ],
    [
      'a turned mark',
      '<PointSymbolizer><Graphic><Mark><WellKnownName>pentagon</WellKnownName></Mark><Rotation>30</Rotation><Displacement><DisplacementX>1</DisplacementX></Displacement></Graphic></PointSymbolizer>',
      [
        'Rule "R", PointSymbolizer: Graphic/Rotation is not drawn.',
        'Rule "R", PointSymbolizer: Graphic/Displacement is not drawn.',
        'Rule "R", PointSymbolizer: The symbol pentagon is drawn as a circle.',
      ],
    ],
    [
      'labels along lines with options',
      '<TextSymbolizer><Label><PropertyName>name</PropertyName></Label><LabelPlacement><LinePlacement><PerpendicularOffset>5</PerpendicularOffset><GeneralizeLine>true</GeneralizeLine></LinePlacement></LabelPlacement><Halo><Radius>2</Radius></Halo><Priority>5</Priority><VendorOption name="maxDisplacement">1</VendorOption></TextSymbolizer>',
      [
        'Rule "R", TextSymbolizer: LabelPlacement/LinePlacement/PerpendicularOffset is not drawn.',
        'Rule "R", TextSymbolizer: LabelPlacement/LinePlacement/GeneralizeLine is not drawn.',
        'Rule "R", TextSymbolizer: Priority is not drawn.',
        'Rule "R", TextSymbolizer: VendorOption maxDisplacement is not drawn.',
      ],
    ],
    [
      'a raster with relief and gamma',
      '<RasterSymbolizer><Opacity>1</Opacity><ChannelSelection><GrayChannel><SourceChannelName>1</SourceChannelName><ContrastEnhancement><Normalize><VendorOption name="algorithm">StretchToMinimumMaximum</VendorOption><VendorOption name="minValue">0</VendorOption><VendorOption name="maxValue">9</VendorOption></Normalize></ContrastEnhancement></GrayChannel></ChannelSelection><ContrastEnhancement><GammaValue>2</GammaValue></ContrastEnhancement><ShadedRelief><ReliefFactor>5</ReliefFactor></ShadedRelief><OverlapBehavior><AVERAGE/></OverlapBehavior></RasterSymbolizer>',
      [
        'Rule "R", RasterSymbolizer: ContrastEnhancement/GammaValue is not drawn.',
        'Rule "R", RasterSymbolizer: OverlapBehavior is not drawn.',
      ],
    ],
    [
      'a style of which everything is drawn',
      '<PolygonSymbolizer><Geometry><PropertyName>geom</PropertyName></Geometry><Fill><SvgParameter name="fill">#fff</SvgParameter></Fill><Stroke><SvgParameter name="stroke-linejoin">bevel</SvgParameter></Stroke></PolygonSymbolizer><PointSymbolizer><Graphic><Mark><WellKnownName>cross2</WellKnownName><Stroke/></Mark><Size>7</Size></Graphic></PointSymbolizer><TextSymbolizer><Label><PropertyName>n</PropertyName></Label><LabelPlacement><PointPlacement><AnchorPoint><AnchorPointX>0</AnchorPointX><AnchorPointY>0.5</AnchorPointY></AnchorPoint><Displacement><DisplacementX>2</DisplacementX><DisplacementY>0</DisplacementY></Displacement></PointPlacement></LabelPlacement></TextSymbolizer>',
      [],
    ],
  ])('%s: what is not drawn is named, symbol by symbol', (_what, symbolizers, warnings) => {
    const read = readSld(sld(`<Rule><Name>R</Name>${symbolizers}</Rule>`));
    expect(read.ok && read.value.warnings).toEqual(warnings);
    expect(read.ok && read.value.layers.length).toBeGreaterThan(0);
  });

  test('transformations and options of a group are named, too', () => {
    const read = readSld(
      sld('<Transformation/><Rule><LineSymbolizer/></Rule><VendorOption name="ruleEvaluation">first</VendorOption>'),
    );
    expect(read.ok && read.value.warnings).toEqual([
      'FeatureTypeStyle: Transformation has no effect.',
      'FeatureTypeStyle: VendorOption ruleEvaluation has no effect.',
    ]);
  });

  test('pictures from elsewhere are not fetched, and that is said', () => {
    const read = readSld(
      sld(
        '<Rule><PointSymbolizer><Graphic><ExternalGraphic><OnlineResource href="http://169.254.169.254/latest"/><Format>image/png</Format></ExternalGraphic></Graphic></PointSymbolizer></Rule>',
      ),
    );
    expect(read.ok && read.value.warnings).toEqual([
      'PointSymbolizer: Pictures from other addresses are not fetched; a plain symbol is drawn.',
    ]);
    expect(JSON.stringify(read)).not.toContain('169.254');
  });

  test.each([
    [
      'an entity bomb',
      '<!DOCTYPE a [<!ENTITY x "xxxxxxxxxx"><!ENTITY y "&x;&x;&x;">]><StyledLayerDescriptor>&y;</StyledLayerDescriptor>',
      'document type',
    ],
    [
      'an entity from a file',
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><StyledLayerDescriptor>&x;</StyledLayerDescriptor>',
      'document type',
    ],
    ['an unknown entity', '<StyledLayerDescriptor>&x;</StyledLayerDescriptor>', 'cannot be read'],
    ['something else', '<html/>', 'no StyledLayerDescriptor'],
    ['broken XML', '<StyledLayerDescriptor>', 'cannot be read'],
    ['nothing', '', 'cannot be read'],
    ['endless nesting', '<a>'.repeat(100_000), 'deep'],
    ['very many elements', `<StyledLayerDescriptor>${'<a/>'.repeat(200_000)}</StyledLayerDescriptor>`, 'elements'],
    ['thousands of rules', sld('<Rule><LineSymbolizer/></Rule>'.repeat(1000)), 'rules'],
    [
      'a layer of another service',
      '<StyledLayerDescriptor><UserLayer><RemoteOWS/></UserLayer></StyledLayerDescriptor>',
      'other services',
    ],
    [
      'a colour that is none',
      sld(
        '<Rule><LineSymbolizer><Stroke><CssParameter name="stroke">javascript:1</CssParameter></Stroke></LineSymbolizer></Rule>',
      ),
      'not a color',
    ],
  ])('%s is refused', (_, text, message) => {
    const read = readSld(text);
    expect(read.ok ? 'accepted' : read.error.message).toContain(message);
  });
});

describe('writing', () => {
  const categories: StyleLayer = {
    id: 'fill',
    type: 'fill',
    paint: {
      'fill-color': ['match', ['get', 'kind'], 'lake', '#0000ff', ['wood', 'park'], '#00ff00', '#808080'],
      'fill-opacity': 0.5,
    },
  };

  test('categories become rules, with one for all others', () => {
    const layers = layersOf(writeSld([categories], head));
    expect(
      layers.map((layer) => [layer.metadata?.['survest:title'], layer.paint?.['fill-color'], layer.filter]),
    ).toEqual([
      ['lake', '#0000ff', ['==', ['get', 'kind'], 'lake']],
      ['wood, park', '#00ff00', ['any', ['==', ['get', 'kind'], 'wood'], ['==', ['get', 'kind'], 'park']]],
      [
        'other',
        '#808080',
        [
          '!',
          ['any', ['==', ['get', 'kind'], 'lake'], ['==', ['get', 'kind'], 'wood'], ['==', ['get', 'kind'], 'park']],
        ],
      ],
    ]);
  });

  test('classes become ranges, and two properties of one choice are decided together', () => {
    const steps = (a: unknown, b: unknown, c: unknown): unknown => ['step', ['get', 'n'], a, 10, b, 20, c];
    const layer = {
      id: 'c',
      type: 'circle',
      paint: { 'circle-color': steps('#ff0000', '#00ff00', '#0000ff'), 'circle-radius': steps(2, 4, 6) },
    } as StyleLayer;
    expect(
      layersOf(writeSld([layer], head)).map(({ filter, paint }) => [
        filter,
        paint?.['circle-color'],
        paint?.['circle-radius'],
      ]),
    ).toEqual([
      [['<', ['get', 'n'], 10], '#ff0000', 2],
      [['all', ['>=', ['get', 'n'], 10], ['<', ['get', 'n'], 20]], '#00ff00', 4],
      [['>=', ['get', 'n'], 20], '#0000ff', 6],
    ]);
  });

  test('what runs with the zoom becomes ranges of scales', () => {
    const layer: StyleLayer = {
      id: 'l',
      type: 'line',
      paint: { 'line-color': '#000000', 'line-width': ['interpolate', ['linear'], ['zoom'], 5, 1, 10, 5] },
    };
    expect(
      layersOf(writeSld([layer], head)).map(({ minzoom, maxzoom, paint }) => [minzoom, maxzoom, paint?.['line-width']]),
    ).toEqual([
      [undefined, 5, 1],
      [5, 10, 3],
      [10, undefined, 5],
    ]);
  });

  test.each(['1.0.0', '1.1.0'] as const)('plain layers come back as they were from version %s', (version) => {
    const layers: readonly StyleLayer[] = [
      {
        id: 'fill-1',
        type: 'fill',
        minzoom: 3,
        paint: { 'fill-color': '#aabbcc', 'fill-opacity': 0.25 },
        metadata: { 'survest:title': 'A & "B"' },
      },
      {
        id: 'line-2',
        type: 'line',
        minzoom: 3,
        layout: { 'line-cap': 'round', 'line-join': 'miter' },
        paint: { 'line-color': '#112233', 'line-width': 2, 'line-opacity': 0.5, 'line-dasharray': [3, 1] },
        metadata: { 'survest:title': 'A & "B"' },
      },
      {
        id: 'circle-3',
        type: 'circle',
        paint: {
          'circle-radius': ['interpolate', ['linear'], ['get', 'pop'], 0, 2, 1000, 20],
          'circle-color': '#ff0000',
          'circle-stroke-width': 2,
          'circle-stroke-color': '#ffffff',
        },
        metadata: { 'survest:mark': 'triangle' },
      },
      {
        id: 'symbol-4',
        type: 'symbol',
        layout: {
          'text-field': ['get', 'name'],
          'text-size': 14,
          'text-font': ['DejaVu Sans Bold Italic'],
          'text-anchor': 'bottom',
          'text-offset': [0, -1],
        },
        paint: { 'text-color': '#000000', 'text-halo-color': '#ffffff', 'text-halo-width': 1 },
      },
      {
        id: 'raster-5',
        type: 'raster',
        paint: { 'raster-opacity': 0.5 },
        metadata: {
          'survest:raster': {
            bands: [3, 2, 1],
            kind: 'ramp',
            stops: [
              { value: 0, color: '#000000' },
              { value: 10, color: '#ffffff' },
            ],
          },
        },
      },
    ];
    const again = layersOf(writeSld(layers, head, version));
    const size = again[2]?.paint?.['circle-radius'];
    expect(size).toEqual(['/', ['*', layers[2]?.paint?.['circle-radius'], 2], 2]);
    expect(again.map((layer, i) => (i === 2 ? { ...layer, paint: layers[2]?.paint } : layer))).toEqual(layers);
  });

  test('columns in braces, and ramps of numbers and colours, are written as what they are', () => {
    const text = writeSld(
      [
        { id: 's', type: 'symbol', layout: { 'text-field': 'No. {nr} of {town}!' } },
        {
          id: 'c',
          type: 'circle',
          paint: {
            'circle-color': ['interpolate', ['linear'], ['get', 'pop'], 0, '#ff0000', 9, '#0000ff'],
            'circle-radius': ['interpolate', ['linear'], ['get', 'pop'], 0, 2, 9, 20],
          },
        },
      ],
      head,
    );
    expect(text).toContain(
      '<Label>No. <ogc:PropertyName>nr</ogc:PropertyName> of <ogc:PropertyName>town</ogc:PropertyName>!</Label>',
    );
    const kinds = [...text.matchAll(/<ogc:Literal>linear<\/ogc:Literal><ogc:Literal>(\w+)</g)].map(([, kind]) => kind);
    expect(kinds.toSorted()).toEqual(['color', 'numeric']);
    const again = layersOf(text);
    expect(again[0]?.layout?.['text-field']).toEqual(['concat', 'No. ', ['get', 'nr'], ' of ', ['get', 'town'], '!']);
    expect(again[1]?.paint?.['circle-color']).toEqual([
      'interpolate',
      ['linear'],
      ['get', 'pop'],
      0,
      '#ff0000',
      9,
      '#0000ff',
    ]);
  });

  test('names and titles cannot break out of the document', () => {
    const evil = '</Title><x a="1"/>&\u0000\ud800';
    const text = writeSld(
      [
        {
          id: '--><evil/>',
          type: 'fill',
          filter: ['>', ['^', ['get', 'a'], 2], 4],
          metadata: { 'survest:title': evil },
        },
      ],
      {
        layer: evil,
        style: evil,
        title: evil,
      },
    );
    const read = readSld(text);
    expect(read.ok && read.value.title).toContain('</Title><x a="1"/>&');
    expect(text).not.toContain('<evil/>');
  });
});

test('rules for all the rest do not repeat long filters without end', () => {
  const is = '<PropertyIsEqualTo><PropertyName>a</PropertyName><Literal>b</Literal></PropertyIsEqualTo>';
  const sld = (filters: number, elses: number): string =>
    `<StyledLayerDescriptor><NamedLayer><UserStyle><FeatureTypeStyle>
      <Rule><Filter><Or>${is.repeat(filters)}</Or></Filter><LineSymbolizer/></Rule>
      ${'<Rule><ElseFilter/><LineSymbolizer/></Rule>'.repeat(elses)}
    </FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
  expect(readSld(sld(1000, 2)).ok).toBe(true);
  expect(readSld(sld(10_000, 300))).toMatchObject({ error: { message: expect.stringContaining('ElseFilter') } });
});

test('layers of a user are read, but for those of other services', () => {
  const sld = (inside: string): string =>
    `<StyledLayerDescriptor><UserLayer><Name>mine</Name>${inside}<UserStyle><FeatureTypeStyle><Rule><LineSymbolizer/></Rule></FeatureTypeStyle></UserStyle></UserLayer></StyledLayerDescriptor>`;
  expect(readSldDocument(sld(''))).toMatchObject({ ok: true, value: [{ name: 'mine', styles: [{}] }] });
  expect(readSldDocument(sld('<RemoteOWS><Service>WFS</Service></RemoteOWS>'))).toMatchObject({
    error: { message: 'layers of other services are not drawn' },
  });
  expect(readSldDocument('<sld/>')).toMatchObject({ ok: false });
});

describe('a style from outside', () => {
  test.each([
    ['a word', 'nonsense', 'a list of layers'],
    ['a layer without id', [{ type: 'fill' }], 'needs an id'],
    ['an unknown type', [{ id: 'a', type: 'background' }], 'type of a layer'],
    [
      'two layers of one id',
      [
        { id: 'a', type: 'fill' },
        { id: 'a', type: 'line' },
      ],
      'two layers',
    ],
    ['a colour that is none', [{ id: 'a', type: 'fill', paint: { 'fill-color': 'url(x)' } }], 'not a color'],
    ['a width that is a word', [{ id: 'a', type: 'line', paint: { 'line-width': 'thick' } }], 'not a number'],
    ['a filter with an unknown operator', [{ id: 'a', type: 'line', filter: ['eval', 'x'] }], 'not an operator'],
    ['a thousand layers', Array.from({ length: 1000 }, (_, i) => ({ id: String(i), type: 'fill' })), 'at most'],
  ])('%s is refused', (_, input, message) => {
    const parsed = parseStyle(input);
    expect(parsed.ok ? 'accepted' : parsed.error.message).toContain(message);
  });

  test('a whole document is taken for its layers, without their sources', () => {
    expect(
      parseStyle({
        version: 8,
        sources: {},
        layers: [
          {
            id: 'a',
            type: 'line',
            source: 's',
            'source-layer': 'x',
            layout: { 'line-cap': 'round' },
            paint: { 'line-dasharray': [1, 2] },
          },
        ],
      }),
    ).toEqual({
      ok: true,
      value: [{ id: 'a', type: 'line', layout: { 'line-cap': 'round' }, paint: { 'line-dasharray': [1, 2] } }],
    });
  });
});

describe('groups of points', () => {
  const cluster = { 'survest:group': { kind: 'cluster', size: 64 } };
  const clusters: readonly StyleLayer[] = [
    {
      id: 'cluster',
      type: 'circle',
      metadata: cluster,
      filter: ['>=', ['get', 'point_count'], 10],
      paint: { 'circle-color': '#ff0000', 'circle-radius': 12 },
    },
    {
      id: 'count',
      type: 'symbol',
      metadata: cluster,
      layout: { 'text-field': ['get', 'point_count_abbreviated'], 'text-size': 12 },
      paint: { 'text-color': '#222222' },
    },
  ];

  test('clusters are a transformation that GeoServer has too, and are read back', () => {
    const written = writeSld(clusters, { layer: 'spots', style: 'clusters', title: undefined });
    expect(written).toContain('<ogc:Function name="vec:PointStacker">');
    expect(written).toContain('<ogc:PropertyName>count</ogc:PropertyName>');
    const read = readSld(written);
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value.warnings).toEqual([]);
    expect(read.value.layers.map(({ metadata }) => metadata?.['survest:group'])).toEqual([
      { kind: 'cluster', size: 64 },
      { kind: 'cluster', size: 64 },
    ]);
    expect(read.value.layers[0]?.filter).toEqual(['>=', ['get', 'point_count'], 10]);
    expect(read.value.layers[1]?.layout?.['text-field']).toEqual(['get', 'point_count_abbreviated']);
  });

  test('a cell of another size than we have is told', () => {
    const written = writeSld(clusters, { layer: 'spots', style: 'clusters', title: undefined });
    const read = readSld(written.replaceAll('<ogc:Literal>64</ogc:Literal>', '<ogc:Literal>30</ogc:Literal>'));
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value.warnings).toEqual(['vec:PointStacker: cells are 32 pixels wide.']);
  });

  test('hexagons are an option of ours', () => {
    const group = { kind: 'hexagon', size: 40, value: { of: 'mean', column: 'height & more' } };
    const hexagons: readonly StyleLayer[] = [
      { id: 'cells', type: 'fill', metadata: { 'survest:group': group }, paint: { 'fill-color': '#00ff00' } },
    ];
    const read = readSld(writeSld(hexagons, { layer: 'spots', style: 'cells', title: undefined }));
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value.warnings).toEqual([]);
    expect(read.value.layers[0]?.metadata?.['survest:group']).toEqual(group);
    expect(read.value.layers[0]?.paint).toMatchObject({ 'fill-color': '#00ff00' });
  });
});

test('an icon is a name of ours, and read back', () => {
  const style: readonly StyleLayer[] = [
    { id: 'a', type: 'circle', metadata: { 'survest:mark': 'fire-station' }, paint: { 'circle-color': '#ff0000' } },
  ];
  const written = writeSld(style, { layer: 'a', style: 'b', title: undefined });
  expect(written).toContain('<WellKnownName>survest://fire-station</WellKnownName>');
  const read = readSld(written);
  if (!read.ok) throw new Error(read.error.message);
  expect(read.value.warnings).toEqual([]);
  expect(read.value.layers[0]?.metadata).toEqual({ 'survest:mark': 'fire-station' });
});

test.each([
  { azimuth: 315, altitude: 45, exaggeration: 1 },
  { azimuth: 200, altitude: 30, exaggeration: 2.5 },
])('the hillshade %j is read back from the SLD we write', (hillshade) => {
  const style: readonly StyleLayer[] = [{ id: 'a', type: 'raster', metadata: { 'survest:raster': { hillshade } } }];
  for (const version of ['1.0.0', '1.1.0'] as const) {
    const read = readSld(writeSld(style, { layer: 'a', style: 'b', title: undefined }, version));
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value.warnings).toEqual([]);
    expect(read.value.layers[0]?.metadata?.['survest:raster']).toEqual({ hillshade });
  }
});
