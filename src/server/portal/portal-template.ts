// What a first start begins with: an embedded database that is already at this version. Used by the build, so that
// nobody waits for the schema to be made.

import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EmbeddedAssets } from '../../pg/pglite/embedded-assets.ts';
import { openEmbedded } from '../../pg/pglite/open-embedded.ts';
import { packFolder } from '../../pg/pglite/pack-folder.ts';
import { BEGINNINGS } from '../../portal/schema/rooms.ts';
import { migratePortal } from './migrate-portal.ts';

const SCHEMA = fileURLToPath(new URL('../../portal/schema/', import.meta.url));

/** The path of the template, made below `cache` unless this very schema is in one there already. */
export async function ensurePortalTemplate(base: EmbeddedAssets, cache: string): Promise<string> {
  const path = join(cache, `portal-${keyOf(base)}.tar.gz`);
  if (existsSync(path)) return path;
  const folder = mkdtempSync(join(tmpdir(), 'survest-template-'));
  try {
    const opened = await openEmbedded({ dataDir: folder, templatePath: base.template, postgisPath: base.postgis });
    if (!opened.ok) throw new Error(opened.error.message);
    const migrated = await migratePortal(opened.value);
    await opened.value.close();
    if (!migrated.ok) throw new Error(migrated.error.message);
    const draft = `${path}.draft-${process.pid}`;
    writeFileSync(draft, await packFolder(join(folder, 'database'), base.postgis));
    renameSync(draft, path);
    return path;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function keyOf(base: EmbeddedAssets): string {
  const hash = createHash('sha256').update(base.template);
  for (const name of readdirSync(SCHEMA, { recursive: true, encoding: 'utf8' }).sort())
    if (/\.(sql|[jt]s|txt)$/.test(name)) hash.update(name).update(readFileSync(join(SCHEMA, name)));
  for (const beginning of Object.values(BEGINNINGS)) hash.update(readFileSync(beginning));
  return hash.digest('hex').slice(0, 16);
}
