// QGIS reads rasters by WCS. `npm run test:qgis`.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { onLayers } from '../../feature/mapserver/layer-kit.ts';
import { grid, makeRaster } from '../../feature/mapserver/raster-kit.ts';

const PYTHON = process.env['QGIS_PYTHON'] ?? '/usr/bin/python3';

onLayers('QGIS, coverages', { skip: { pglite: 'one engine is enough for a client' } }, (kit) => {
  beforeAll(async () => {
    const { folder, run } = kit();
    writeFileSync(
      join(folder, 'u.asc'),
      grid(40, 30, 400_000, 5_500_000, 1000, (c, r) => c * 100 + r),
    );
    await run('gdal_translate', ['-q', '-of', 'COG', '-a_srs', 'EPSG:25832', '-ot', 'Int16', 'u.asc', 'u.tif']);
    await makeRaster(kit(), 'u.tif', {
      name: 'metres',
      srid: 25832,
      box: [400_000, 5_500_000, 440_000, 5_530_000],
      wgs84: [7.6, 49.6, 8.2, 49.95],
    });
  });

  // Asked for any version, QGIS takes 1.0.0.
  test.each(['1.0.0', 'any'])(
    'reads version %s',
    async (version) => {
      const home = { HOME: kit().folder, XDG_RUNTIME_DIR: kit().folder, QT_QPA_PLATFORM: 'offscreen' };
      const script = join(import.meta.dirname, 'coverages.py');
      const said = await kit().run(PYTHON, [script, await kit().address(), version, 'portal:metres'], home);
      expect(JSON.parse(said.trim().split('\n').at(-1) ?? 'null')).toEqual({
        valid: true,
        crs: 'EPSG:25832',
        size: [40, 30],
        values: [0, 3900, 29],
      });
    },
    60_000,
  );
});
