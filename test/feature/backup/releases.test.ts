// A backup of every release is opened by this one, and brought to its version: tables are altered by changes, which stay as they are.

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadDatabase } from '../../../src/server/backup/load-database.ts';
import { openTarArchive } from '../../../src/server/backup/tar-archive.ts';
import { missingInPortal } from '../../../src/server/portal/migrate-portal.ts';
import { onEachEngine } from '../../testkit/database.ts';

const FOLDER = new URL('../../fixtures/releases/', import.meta.url);
const RELEASES = readdirSync(FOLDER).filter((name) => name.endsWith('.tar'));

for (const release of RELEASES) {
  onEachEngine(`a backup of the release ${release.replace('.tar', '')}`, {}, (db) => {
    test('is put back into an empty database, with all that was in it', async () => {
      const archive = await openTarArchive(fileURLToPath(new URL(release, FOLDER)));
      if (!archive.ok) throw new Error(archive.error.message);
      const { signal } = new AbortController();
      const loaded = await loadDatabase(db().driver, archive.value, { isOurs: false, onLoaded: () => {}, signal });
      await archive.value.close();
      expect(loaded).toEqual({ ok: true, value: { notes: [] } });
      expect(await missingInPortal(db().driver)).toEqual({ ok: true, value: [] });
      expect(await db().query('select username from portal.account where id > 0 order by 1')).toEqual([
        { username: 'ada' },
        { username: 'admin' },
      ]);
      expect(
        await db().query(`select p.name, p.people, a.username from layers.places p, portal.resource r
          join portal.account a on a.id = r.owner_id where r.title = 'Places of Norway' order by p.fid`),
      ).toEqual([
        { name: 'Oslo', people: 709037, username: 'ada' },
        { name: 'Bergen', people: 291940, username: 'ada' },
        { name: 'Tromsø', people: 77992, username: 'ada' },
      ]);
      expect(await db().query('select * from portal.wrong_totals()')).toEqual([]);
    }, 120_000);
  });
}
