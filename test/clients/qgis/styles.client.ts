// Styles as QGIS writes them by default are drawn whole, or what is not drawn is named; and QGIS reads what the portal gives out.
// `npm run test:qgis`.

import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeLayer, onLayers } from '../../feature/mapserver/layer-kit.ts';
import { PASSWORD } from '../../testkit/portal-client.ts';

const PYTHON = process.env['QGIS_PYTHON'] ?? '/usr/bin/python3';
const LAYERS = { spots: 'Point', ways: 'LineString', fields: 'Polygon' } as const;

onLayers('QGIS, styles', { skip: { pglite: 'one engine is enough for a client' } }, (kit) => {
  beforeAll(async () => {
    for (const [name, geometry] of Object.entries(LAYERS))
      await makeLayer(kit(), { name, columns: 'name text, height integer', geometry, rows: '' });
  });

  test('single symbols, categories, classes, rules and labels', async () => {
    const home = { HOME: kit().folder, XDG_RUNTIME_DIR: kit().folder, QT_QPA_PLATFORM: 'offscreen' };
    const script = join(import.meta.dirname, 'styles.py');
    const said = await kit().run(
      PYTHON,
      [script, await kit().address(), 'ada', PASSWORD, ...Object.keys(LAYERS)],
      home,
    );
    const found = JSON.parse(said.trim().split('\n').at(-1) ?? 'null') as Record<string, [string[], boolean, string]>;
    expect(Object.keys(found)).toHaveLength(15);
    for (const [style, [warnings, isRead]] of Object.entries(found)) {
      const expected = style.endsWith(' labels') ? ['TextSymbolizer: VendorOption maxDisplacement is not drawn.'] : [];
      expect([style, warnings, isRead]).toEqual([style, expected, true]);
    }
  }, 60_000);
});
