// The connection to the database is lost after a commit and before its answer: what was committed keeps its files.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { mountMapServices } from '../../../src/server/portal/mount-map-services.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { asciiGrid } from '../../testkit/gdal-programs.ts';
import { type LosingProxy, startLosingProxy } from '../../testkit/losing-proxy.ts';
import { PORTAL_SCHEMA } from '../../testkit/portal-schema.ts';
import { openKit, type UploadKit } from './upload-kit.ts';

onEachEngine('an answer that is lost', { fixtures: PORTAL_SCHEMA, engines: ['postgres'] }, (db) => {
  let road: LosingProxy;
  let kit: UploadKit & { close(): Promise<void> };

  beforeAll(async () => {
    road = await startLosingProxy(db().uri ?? '');
    const byRoad = { ...db(), uri: road.uri };
    kit = await openKit(byRoad, { engines: ['postgres'], services: mountMapServices, expects: /./ });
  });
  afterAll(async () => {
    await kit.close();
    await road.close();
  });

  /** Files that rows refer to, and those of them that are not there. */
  const files = async (): Promise<{ used: number; missing: string[] }> => {
    const used = await db().query<{ blob: string }>('select blob from portal.used_blobs()');
    const stored = new Set(await kit.stored());
    return { used: used.length, missing: used.map(({ blob }) => blob).filter((key) => !stored.has(key)) };
  };
  const idOf = async (title: string): Promise<number> => {
    const [row] = await db().query<{ id: number }>('select id from portal.resource where title = $1', [title]);
    if (row === undefined) throw new Error(`${title} was not committed`);
    return row.id;
  };

  test('a document has its file, and so has a copy of it', async () => {
    const note = { name: 'note.txt', content: 'kept', field: 'doc_file' };
    const lost = road.lose('Lost note');
    const sent = await kit.send('ada', [note], { title: 'Lost note' }, '/api/v2/documents/', 'POST');
    await lost;
    expect(sent.status).toBe(503);
    const id = await idOf('Lost note');
    expect(await files()).toEqual({ used: 1, missing: [] });

    const lostAgain = road.lose('Lost copy');
    const copied = await kit.portal.as('ada').request('PUT', `/api/v2/resources/${id}/copy`, {
      body: { defaults: JSON.stringify({ title: 'Lost copy' }) },
    });
    await lostAgain;
    expect(copied.status).toBe(503);
    await idOf('Lost copy');
    expect(await files()).toEqual({ used: 2, missing: [] });
  });

  test('an upload is imported, and a raster that was published has its data', async () => {
    kit.write('lost_grid.asc', asciiGrid(20, 20, 7));
    await kit.gdal('gdal_translate', '-q', '-ot', 'Byte', '-a_srs', 'EPSG:4326', 'lost_grid.asc', 'lost_grid.tif');
    const lost = road.lose('lost_grid.tif');
    // The next commit that has the key of a raster is that of its publication; the import begins with the commit that was lost.
    const published = lost.then(() => road.lose('rasters/'));
    const sent = await kit.send('ada', [`${kit.folder}/lost_grid.tif`]);
    await lost;
    expect(sent.status).toBe(503);
    const [upload] = await db().query<{ id: number }>(`select id from portal.upload where name like 'lost_grid%'`);
    await published;
    const { state, resource_id } = await kit.until(upload?.id ?? 0);
    expect(state).toBe('PROCESSED');
    expect((await files()).missing).toEqual([]);
    expect((await kit.portal.as('ada').get(`/download/${resource_id}.tif`)).status).toBe(200);
  });
});
