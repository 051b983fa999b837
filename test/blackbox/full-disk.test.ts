// The program on disks that are full: whoever writes a file is told at once, the log says why, and nothing stays behind.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeNeeding } from '../testkit/describe-needing.ts';
import { environment, type Program, runProgram } from './program.ts';
import { NO_SMALL_DISKS, startOnSmallDisks } from './small-disk.ts';

const PASSWORD = 'correct horse battery';
const AUTHORIZATION = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

/** Larger than the disks. */
const LARGE = Buffer.alloc(4_000_000, 'large ');

const PLACES = {
  type: 'FeatureCollection',
  features: Array.from({ length: 2000 }, (_, n) => ({
    type: 'Feature',
    properties: { name: `place ${n}`, text: 'so much about it that all of it is large '.repeat(12) },
    geometry: { type: 'Point', coordinates: [n % 180, n % 80] },
  })),
};

describeNeeding(NO_SMALL_DISKS, 'a full disk', () => {
  let folder: string;
  let program: Program;
  let portal: string;
  let rest: string;
  /** The files before anything was refused. */
  let kept: readonly string[];

  /** What the program's own file systems hold: seen from outside by its process. */
  const inside = (path: string): readonly string[] =>
    readdirSync(join(`/proc/${program.pid}/root`, path), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  const post = (path: string, form: FormData): Promise<Response> =>
    fetch(portal + path, { method: 'POST', headers: { Authorization: AUTHORIZATION }, body: form });
  const formWith = (field: string, name: string, content: Buffer): FormData => {
    const form = new FormData();
    form.append(field, new Blob([content]), name);
    form.append('title', 'Large');
    return form;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'survest-full-'));
    const env = environment({
      'data-dir': join(folder, 'data'),
      'admin-password': PASSWORD,
      'portal-host': '127.0.0.1',
      'portal-port': '0',
      'server-host': '127.0.0.1',
      'server-port': '0',
      'free-space-warning': '1GB',
      'db-anon-role': 'survest_admin',
      'import-gdal': 'wasm',
      demo: 'false',
    });
    program = startOnSmallDisks(
      [
        { folder: join(folder, 'data/files'), options: 'size=2m' },
        { folder: join(folder, 'temp'), options: 'size=500k' },
      ],
      [],
      { ...env, TMPDIR: join(folder, 'temp') },
    );
    await program.told('Schema cache loaded');
    portal = /Portal listens on ([^\s"]+)/.exec(program.err())?.[1] ?? '';
    writeFileSync(join(folder, 'places.geojson'), JSON.stringify(PLACES));
    expect(await runProgram(['import', 'places.geojson'], env, folder)).toMatchObject({ code: 0 });
    kept = inside(join(folder, 'data/files'));
    rest = /REST service listens on ([^\s"]+)/.exec(program.err())?.[1] ?? '';
  });
  afterAll(async () => {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('refuses a document with 507 at once, and says so in the log', async () => {
    const reply = await post('/api/v2/documents/', formWith('doc_file', 'large.txt', LARGE));
    expect([reply.status, await reply.json()]).toEqual([
      507,
      { detail: 'There is no space left for the file. Try again later.' },
    ]);
    await program.told(/answered 507 to \/api\/v2\/documents\/.*no space left/);
    expect(inside(join(folder, 'data/files'))).toEqual(kept);
  });

  test('refuses an upload in the same way', async () => {
    const reply = await post('/api/v2/uploads/upload/', formWith('base_file', 'large.csv', LARGE));
    expect([reply.status, await reply.json()]).toMatchObject([507, { success: false }]);
    await program.told(/answered 507 to \/api\/v2\/uploads\/upload\/.*no space left/);
    expect(inside(join(folder, 'data/files'))).toEqual(kept);
  });

  test('refuses rows that lie in the folder for temporary files until they are whole', async () => {
    const rows = Buffer.from(`[${'{"title":"a row of many"},'.repeat(200_000)}{"title":"last"}]`);
    // Without an announced length, any body may become too large to be held.
    const reply = await fetch(`${rest}/resource`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Prefer: 'return=minimal' },
      body: new Blob([rows]).stream(),
      duplex: 'half',
    });
    expect([reply.status, await reply.json()]).toMatchObject([507, { code: 'SVRST198' }]);
    await program.told(/answered 507 to \/resource.*folder for temporary files/);
  });

  test('refuses to convert a layer for which the folder for temporary files has no room', async () => {
    const reply = await fetch(`${portal}/download/portal:places.gpkg`, { headers: { Authorization: AUTHORIZATION } });
    expect([reply.status, await reply.json()]).toMatchObject([507, { detail: expect.stringMatching('no space left') }]);
    await program.told(/answered 507 to \/download\/portal:places\.gpkg: ENOSPC/);
    expect(inside(join(folder, 'temp'))).toEqual([]);
  });

  test('is told of by /ready and the log before it is full', async () => {
    const reply = await fetch(`${portal}/ready`);
    expect([reply.status, await reply.json()]).toMatchObject([
      200,
      {
        status: 'ready',
        checks: { files: 'ok' },
        space: { data: { free: expect.any(Number) }, files: { percent: expect.any(Number) }, temp: {} },
        warnings: expect.arrayContaining([expect.stringMatching(/^files: only [\d.]+ % of the disk is free$/)]),
      },
    ]);
    await program.told(/Little free space: .* are left on the disk of .*temp/);
  });

  const document = (): FormData => formWith('doc_file', 'small.txt', Buffer.from('small'));
  const created = async (): Promise<number> => (await post('/api/v2/documents/', document())).status;

  test('a disk that has become read-only is said to be that, and written to again when it is not', async () => {
    const files = join(folder, 'data/files');
    const remount = (how: 'ro' | 'rw'): number | null =>
      spawnSync('nsenter', ['-t', String(program.pid), '-m', 'mount', '-o', `remount,${how}`, files]).status;
    expect(remount('ro')).toBe(0);
    const before = program.err().length;
    const reply = await post('/api/v2/documents/', document()).finally(() => remount('rw'));
    expect([reply.status, await reply.json()]).toEqual([
      507,
      { detail: 'Files cannot be stored: the disk of the server is read-only.' },
    ]);
    await program.told(/answered 507 to \/api\/v2\/documents\/.*(?:read-only|EROFS)/, before);
    expect(await created()).toBe(201);
  });

  test('too many open files are said to be that, and the program goes on when there are fewer', async () => {
    const limit = (soft: number): number | null =>
      spawnSync('prlimit', ['--pid', String(program.pid), `--nofile=${soft}:`]).status;
    const open = readdirSync(`/proc/${program.pid}/fd`).length;
    // The connection of this client is open already; nothing else can be opened.
    expect(await created()).toBe(201);
    const before = program.err().length;
    expect(limit(open)).toBe(0);
    const reply = await post('/api/v2/documents/', document()).finally(() => limit(1024));
    expect([reply.status, await reply.json()]).toMatchObject([503, { detail: expect.any(String) }]);
    await program.told(/answered 503 to \/api\/v2\/documents\/.*(?:too many|EMFILE)/i, before);
    expect(await created()).toBe(201);
  });
});
