import { expect, test } from 'vitest';
import { ogrinfoLayers } from './ogrinfo-layers.ts';

const WKT = `PROJCRS["Mine ] of [old",
    BASEGEOGCRS["WGS 84",
        DATUM["World Geodetic System 1984"]]]`;

const layer = (name: string, geometry: string, srs: string): string =>
  `\nLayer name: ${name}\nGeometry: ${geometry}\nFeature Count: 19\nExtent: (1, 2) - (3, 4)\nLayer SRS WKT:\n${srs}\nData axis to CRS axis mapping: 1,2\nFID Column = fid\nname: String (0.0)\n`;

test('each layer has its own coordinate system, or none', () => {
  const text = `INFO: Open of \`a.gpkg'\n      using driver \`GPKG' successful.\n${layer('my trees', 'Point', WKT)}${layer('drawn', 'Polygon', '(unknown)')}${layer('table', 'None', '(unknown)')}`;
  expect(ogrinfoLayers(text)).toEqual([
    { name: 'my trees', crs: WKT },
    { name: 'drawn', crs: undefined },
  ]);
});

test('a text that ends within a coordinate system has none', () => {
  expect(ogrinfoLayers('Layer name: a\nLayer SRS WKT:\nPROJCRS["x",\n')).toEqual([{ name: 'a', crs: undefined }]);
  expect(ogrinfoLayers('nothing')).toEqual([]);
});
