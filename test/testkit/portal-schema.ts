// The portal's schema as a fixture: one script for an empty database, as the program itself applies it.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { portalScript } from '../../src/server/portal/migrate-portal.ts';

/** Paths of fixtures: run once into the template that every suite's database is cloned from. */
export const PORTAL_SCHEMA: readonly string[] = [await writeScript()];

async function writeScript(): Promise<string> {
  const script = await portalScript();
  if (!script.ok) throw new Error(script.error.message);
  const folder = resolve('node_modules/.cache/survest');
  const path = join(folder, `schema-${createHash('sha256').update(script.value).digest('hex').slice(0, 16)}.sql`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const draft = `${path}.${process.pid}-${Math.random()}`;
  writeFileSync(draft, script.value);
  renameSync(draft, path);
  return path;
}
