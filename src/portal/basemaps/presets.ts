// Basemaps that need no key, for an administrator to switch on with one click. Nothing asks these sites before that. As they describe themselves; checked in
// November 2026.

type Preset = {
  readonly id: string;
  readonly title: string;
  /** Of the data and the pictures. */
  readonly licence: string;
  readonly licence_url: string;
  /** What those who serve it expect of others. */
  readonly terms_url: string;
  /** As the setting `basemaps` has it, without the id. */
  readonly definition: Readonly<Record<string, string | number>>;
};

const OSM = { attribution: '© OpenStreetMap contributors', attribution_url: 'https://www.openstreetmap.org/copyright' };
const ODBL = { licence: 'ODbL 1.0', licence_url: 'https://opendatacommons.org/licenses/odbl/1-0/' };

export const PRESETS: readonly Preset[] = [
  {
    id: 'openfreemap',
    title: 'OpenFreeMap',
    ...ODBL,
    terms_url: 'https://openfreemap.org/tos/',
    definition: {
      title: 'OpenFreeMap',
      type: 'style',
      url: 'https://tiles.openfreemap.org/styles/liberty',
      dark: 'https://tiles.openfreemap.org/styles/dark',
      attribution: 'OpenFreeMap © OpenMapTiles, © OpenStreetMap contributors',
      attribution_url: 'https://openfreemap.org/',
    },
  },
  {
    id: 'versatiles',
    title: 'VersaTiles',
    ...ODBL,
    terms_url: 'https://versatiles.org/',
    definition: {
      title: 'VersaTiles',
      type: 'style',
      url: 'https://tiles.versatiles.org/assets/styles/colorful/style.json',
      dark: 'https://tiles.versatiles.org/assets/styles/eclipse/style.json',
      attribution: 'VersaTiles, © OpenStreetMap contributors',
      attribution_url: 'https://www.openstreetmap.org/copyright',
    },
  },
  {
    id: 'openstreetmap',
    title: 'OpenStreetMap',
    ...ODBL,
    terms_url: 'https://operations.osmfoundation.org/policies/tiles/',
    definition: {
      title: 'OpenStreetMap',
      type: 'xyz',
      url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
      maxzoom: 19,
      ...OSM,
    },
  },
  {
    id: 'sentinel-2',
    title: 'Sentinel-2 cloudless 2016',
    licence: 'CC BY 4.0',
    licence_url: 'https://creativecommons.org/licenses/by/4.0/',
    terms_url: 'https://s2maps.eu/',
    definition: {
      title: 'Sentinel-2 cloudless 2016',
      type: 'wmts',
      url: 'https://tiles.maps.eox.at/wmts/1.0.0/{Layer}/{Style}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.jpg',
      layer: 's2cloudless_3857',
      matrix_set: 'g',
      format: 'image/jpeg',
      maxzoom: 13,
      attribution:
        'Sentinel-2 cloudless by EOX IT Services GmbH (contains modified Copernicus Sentinel data 2016 & 2017)',
      attribution_url: 'https://s2maps.eu/',
    },
  },
];
