// Hostile files through the program's own upload: none opens another file, calls an address, leaves anything outside its folder or stops the
// imports of others. The reader alone is tried with the same files, by both kinds of GDAL, beside its own code.

import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, collection, type Upload } from '../feature/uploads/upload-kit.ts';
import { zipOf } from '../feature/uploads/zip-writer.ts';
import { type BuiltPortal, MAX_UNPACKED } from './built-portal.ts';
import { type Bait, filesThatPointElsewhere, type Refused, refusedFiles, type Sent } from './hostile-files.ts';

const SECRET = 'the-secret-of-somebody-else';

export function hostileUploads(portal: () => BuiltPortal): void {
  const top = mkdtempSync(join(tmpdir(), 'survest-bait-'));
  const visits: string[] = [];
  let listener: Server;
  const bait: Bait = {
    file: join(top, 'secret.csv'),
    raster: join(top, 'secret.tif'),
    address: () => `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
  };
  beforeAll(async () => {
    writeFileSync(bait.file, `name,lat,lon\n${SECRET},47,8\n`);
    listener = createServer((request, reply) => {
      visits.push(request.url ?? '');
      reply.end(`name,lat,lon\n${SECRET},47,8\n`);
    });
    await new Promise<void>((resolve) => {
      listener.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(async () => {
    rmSync(top, { recursive: true, force: true });
    await new Promise((resolve) => {
      listener.close(resolve);
    });
  });

  const send = (files: readonly Sent[]): Promise<Upload> => portal().import('ada', files, { srs: 'EPSG:4326' });
  const sayings = ({ session }: Upload): string => String(session['error_msg']);

  test.each([...refusedFiles(bait), ...archives(top)])('$what is refused', async ({ sent, why }) => {
    const upload = await send(sent());
    expect(upload.state).toBe('INVALID');
    expect(sayings(upload)).toMatch(WORDS[why.source] ?? why);
  });

  test.each(filesThatPointElsewhere(bait))('$what leads nowhere', async ({ sent }) => {
    expect(sayings(await send(sent()))).not.toContain(SECRET);
  });

  test('nobody was called, nothing was read, nothing is left outside, and the next file is imported', async () => {
    expect(visits).toEqual([]);
    expect(readdirSync(top).filter((name) => name.startsWith('written'))).toEqual([]);
    expect(existsSync(join(tmpdir(), 'written.geojson'))).toBe(false);
    const upload = await portal().import('bob', [
      { name: 'honest.geojson', content: collection([{ geometry: at(8, 47), properties: { name: 'x' } }]) },
    ]);
    expect(upload.state).toBe('PROCESSED');
    expect(await whereSecretStands()).toEqual([]);
  });

  async function whereSecretStands(): Promise<readonly string[]> {
    const tables = await portal().db.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname in ('portal', 'layers', 'staging')`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await portal().db.query(`select 1 from ${name} t where t::text like $1 limit 1`, [`%${SECRET}%`]);
      if (rows.length > 0) found.push(name);
    }
    return found;
  }
}

/** Failures that the reader names by a kind are told to people in words. */
const WORDS: Readonly<Record<string, RegExp>> = {
  'too-many-pixels': /pixels/,
  'too-many-columns': /columns/,
};

const archives = (top: string): readonly Refused[] => {
  const zip =
    (...members: Parameters<typeof zipOf>[0]) =>
    (): readonly Sent[] => [{ name: 'a.zip', content: zipOf(members) }];
  const up = '../../../../../../../../../..';
  return [
    {
      what: 'an archive whose member leads out',
      sent: zip({ name: `${up}${top}/written.geojson`, content: '{}' }),
      why: /leads out of the archive/,
    },
    {
      what: 'an archive with an absolute name',
      sent: zip({ name: `${top}/written.geojson`, content: '{}' }),
      why: /leads out of the archive/,
    },
    {
      what: 'an archive with a link',
      sent: zip({ name: 'a.geojson', content: '/etc/passwd', mode: 0o120777 }),
      why: /contains a link/,
    },
    {
      what: 'an archive in an archive',
      sent: zip({ name: 'b.zip', content: zipOf([]) }),
      why: /contains another archive/,
    },
    {
      what: 'an archive that unpacks to more than it may',
      sent: zip({ name: 'a.geojson', content: Buffer.alloc(MAX_UNPACKED + 1, 32) }),
      why: /larger than can be imported/,
    },
  ];
};
