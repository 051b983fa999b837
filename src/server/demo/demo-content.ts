// What the demo says: descriptions, styles, a map and a story made of the layers. Ids in, bodies for the API out. Pure.

export type DemoLayers = { readonly countries: number; readonly cities: number; readonly distance: number | undefined };

export const DEMO_KEYWORD = 'demo';
export const MAP_TITLE = 'Demo: cities and countries';
export const STORY_TITLE = 'Demo: where people live';

export const LAYERS = {
  countries: {
    title: 'Demo: countries of the world',
    abstract:
      'Country boundaries at a scale of 1:110 million, with the area of each country computed on a sphere. Boundaries are generalised and for trying things out only.',
    attribution: 'Natural Earth (public domain)',
    category: 'boundaries',
  },
  cities: {
    title: 'Demo: large cities',
    abstract:
      'Large cities of all continents with the rounded number of people in their urban areas, in millions. Rough estimates for trying things out.',
    attribution: 'Put together for this demo (public domain)',
    category: 'population',
  },
  distance: {
    title: 'Demo: distance to the nearest large city',
    abstract:
      'A raster of half a degree: kilometres from each place to the nearest city of the demo’s list, over land and sea alike.',
    attribution: 'Computed for this demo (public domain)',
    category: 'society',
  },
} as const;

export function description(of: keyof typeof LAYERS): Record<string, unknown> {
  const { attribution, category } = LAYERS[of];
  return {
    keywords: [DEMO_KEYWORD, of],
    category: { identifier: category },
    license: { identifier: 'public_domain' },
    attribution,
    regions: [{ code: 'GLO' }],
    featured: of === 'countries',
  };
}

const AREAS = [50_000, 250_000, 750_000, 2_000_000] as const;
const GREENS = ['#edf6e5', '#c5e4bd', '#8cc895', '#4a9d74', '#1c6b57'] as const;

export const COUNTRY_STYLE: unknown = {
  version: 8,
  name: 'Area of the country',
  layers: [
    {
      id: 'fill',
      type: 'fill',
      paint: {
        'fill-color': [
          'step',
          ['get', 'area_km2'],
          GREENS[0],
          ...AREAS.flatMap((limit, i) => [limit, GREENS[i + 1] ?? '#000000']),
        ],
        'fill-opacity': 0.85,
      },
    },
    { id: 'outline', type: 'line', paint: { 'line-color': '#ffffff', 'line-width': 0.8 } },
  ],
};

export const CITY_STYLE: unknown = {
  version: 8,
  name: 'People in the urban area',
  layers: [
    {
      id: 'circle',
      type: 'circle',
      paint: {
        'circle-color': '#d9602b',
        'circle-opacity': 0.85,
        'circle-radius': ['step', ['get', 'population_millions'], 4, 5, 6, 10, 8, 20, 11],
        'circle-stroke-color': '#ffffff',
        'circle-stroke-width': 1.2,
      },
    },
    {
      id: 'label',
      type: 'symbol',
      minzoom: 2.5,
      layout: { 'text-field': ['get', 'name'], 'text-size': 12, 'text-anchor': 'top', 'text-offset': [0, 0.7] },
      paint: { 'text-color': '#30241c', 'text-halo-color': '#ffffff', 'text-halo-width': 1.4 },
    },
  ],
};

/** Kilometres, light to dark. */
export const DISTANCE_STYLE: unknown = {
  version: 8,
  name: 'Distance in kilometres',
  layers: [
    {
      id: 'raster',
      type: 'raster',
      paint: { 'raster-opacity': 0.85 },
      metadata: {
        'survest:raster': {
          bands: [1],
          kind: 'ramp',
          stops: [
            { value: 0, color: '#fff7d6', label: '0 km' },
            { value: 500, color: '#fdd17b', label: '500 km' },
            { value: 1500, color: '#ee8650', label: '1,500 km' },
            { value: 3000, color: '#a8375e', label: '3,000 km' },
            { value: 5500, color: '#3b1352', label: '5,500 km' },
          ],
        },
      },
    },
  ],
};

/** For the viewer store; `names` are the layers as the catalogue calls them, from the bottom up. */
export function demoMap(names: readonly { readonly name: string; readonly title: string }[]): Record<string, unknown> {
  const abstract =
    'Large cities over the countries of the world, coloured by their area. Open it in the map viewer and change it.';
  return {
    name: MAP_TITLE,
    data: {
      version: 2,
      map: {
        center: { x: 15, y: 22, crs: 'EPSG:4326' },
        zoom: 1.4,
        projection: 'EPSG:3857',
        units: 'm',
        layers: names.map((layer) => ({
          type: 'wms',
          url: '/wms',
          format: 'image/png',
          visibility: true,
          opacity: 1,
          ...layer,
        })),
        groups: [],
        bookmarks: [
          { name: 'Europe', center: { x: 12, y: 50, crs: 'EPSG:4326' }, zoom: 3.2 },
          { name: 'South Asia', center: { x: 80, y: 22, crs: 'EPSG:4326' }, zoom: 3.4 },
        ],
      },
    },
    attributes: [
      { name: 'title', type: 'string', label: 'Title', value: MAP_TITLE },
      { name: 'abstract', type: 'string', label: 'Abstract', value: abstract },
    ],
  };
}

export function demoStory(map: number, layers: DemoLayers): Record<string, unknown> {
  const view = (x: number, y: number, zoom: number): unknown => ({ center: [x, y], zoom });
  const sections = [
    {
      id: 's1',
      layout: 'cover',
      title: 'Where people live',
      text: 'Three data sets, one map, one story: a short tour of what this portal can do. **Scroll on** to see how they belong together.',
      media: { kind: 'map', map, view: view(15, 25, 1.4) },
    },
    {
      id: 's2',
      layout: 'side',
      title: 'Countries',
      text: 'Countries differ in size more than in anything else. The darkest green stands for those with more than two million square kilometres.\n\nThe colours come from a *graduated style* that anybody who may edit the layer can change in the map viewer.',
      media: { kind: 'layer', layer: layers.countries, view: view(20, 20, 1) },
    },
    {
      id: 's3',
      layout: 'side',
      title: 'Cities',
      text: 'The largest of them lie in Asia. Click on a city to see what is known of it.\n\n- every layer can be downloaded,\n- every layer is a table of the [REST service](/console),\n- and every layer speaks the languages of QGIS and GDAL.',
      media: { kind: 'layer', layer: layers.cities, view: view(95, 25, 2.6) },
    },
    ...(layers.distance === undefined
      ? []
      : [
          {
            id: 's4',
            layout: 'wide',
            title: 'Far from everything',
            text: 'A raster computed from the cities: how far is it to the nearest one? The loneliest places lie in the southern oceans.',
            media: { kind: 'layer', layer: layers.distance, view: view(0, 10, 1) },
          },
        ]),
    {
      id: 's5',
      layout: 'wide',
      title: 'And now yours',
      text: 'Sign in and [add data](/add): drop a shapefile, a GeoPackage or a spreadsheet, and it becomes a layer like these. Administrators remove this demo with one click, under *Administration → System*.',
      media: { kind: 'none' },
    },
  ];
  return {
    name: 'demo-story',
    title: STORY_TITLE,
    abstract: 'A story of text and maps, made of the demo’s layers.',
    keywords: [DEMO_KEYWORD],
    data: { type: 'survest-story', version: 1, sections },
  };
}
