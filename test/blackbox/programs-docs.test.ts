// The examples of docs/programs.md that can be run here: a layer is made, and each program reads it as the page says.

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, type PortalProgram, startPortal } from '../browser/portal-program.ts';
import { testNeeding, testWhereFound } from '../testkit/describe-needing.ts';
import { missing, PYTHON } from '../testkit/machine.ts';
import { eventually } from './program.ts';

const ADDRESS = 'http://localhost:8000';
const PAGE = readFileSync(new URL('../../docs/programs.md', import.meta.url), 'utf8');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'survest-programs-'));

let portal: PortalProgram;
let token = '';

/** The first block of a language, or the one with this text. */
function block(language: string, part = ''): string {
  const found = [...PAGE.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].find(
    ([, of, text = '']) => of === language && text.includes(part),
  );
  if (found === undefined) throw new Error(`the page has no ${language} with ${part}`);
  return (found[2] ?? '').replaceAll(ADDRESS, portal.url);
}

/** Code, and the comments behind it that say what it answers; `…` stands for anything. */
function expected(text: string, comment: string): RegExp {
  const lines = text.split('\n').filter((line) => line.startsWith(comment));
  const parts = lines
    .map((line) => line.slice(comment.length))
    .join('…')
    .split('…');
  return new RegExp(parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('[\\s\\S]*'));
}

beforeAll(async () => {
  portal = await startPortal();
  const made = await portal.api('admin', 'POST', '/api/v2/users/', { username: 'ada', password: PASSWORD });
  expect(made.status).toBe(201);
  const created = await portal.api('ada', 'POST', '/api/v2/layers/empty/', {
    title: 'Rivers',
    geometry: 'line',
    crs: 'EPSG:4326',
    columns: [
      { name: 'name', type: 'text' },
      { name: 'length', type: 'integer' },
    ],
    permissions: { users: {}, groups: { anonymous: ['view_resourcebase', 'download_resourcebase'] } },
  });
  expect(created.status, JSON.stringify(created.json)).toBe(201);
  const made2 = await portal.api('ada', 'POST', '/api/v2/access-tokens/', { name: 'programs', scope: 'write' });
  token = (made2.json as { token: string }).token;
  const rows = [
    ['Elbe', 1094],
    ['Rhine', 1233],
    ['Weser', 451],
  ].map(([name, length], at) => ({
    name,
    length,
    geom: {
      type: 'MultiLineString',
      coordinates: [
        [
          [8 + at, 50],
          [9 + at, 53],
        ],
      ],
      crs: { type: 'name', properties: { name: 'EPSG:4326' } },
    },
  }));
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const sent = await eventually(
    () => fetch(`${portal.url}/rest/v1/rivers`, { method: 'POST', headers, body: JSON.stringify(rows) }),
    ({ status }) => status !== 404,
  );
  expect(sent.status, await sent.text()).toBe(201);
}, 120_000);
afterAll(async () => {
  await portal?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('curl', async () => {
  const text = block('sh', 'curl');
  const { stdout } = await run('bash', ['-c', text], { env: { ...process.env, TOKEN: token } });
  expect(stdout).toMatch(expected(text, '# '));
});

test('JavaScript', async () => {
  const text = block('js');
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', text]);
  expect(stdout).toMatch(expected(text, '// '));
});

testNeeding(missing('owslib'), 'Python', async () => {
  const text = block('python');
  const { stdout } = await run(PYTHON, ['-c', text]);
  expect(stdout).toMatch(expected(text, '# '));
});

testNeeding(missing('gdal'), 'GDAL', async () => {
  const text = block('sh', 'ogrinfo');
  const { stdout } = await run('bash', ['-c', text]);
  expect(stdout.replaceAll(portal.url, ADDRESS)).toMatch(expected(text.replaceAll(portal.url, ADDRESS), '# '));
});

testWhereFound(missing('geopandas'), 'GeoPandas', async () => {
  const { stdout } = await run(PYTHON, ['-c', `${block('text', 'geopandas.read_file')}\nprint(len(layer), layer.crs)`]);
  expect(stdout).toMatch(/^3 .*4326/);
});

testWhereFound(missing('sf for R'), 'R', async () => {
  const { stdout } = await run('Rscript', ['-e', `${block('r')}\ncat(nrow(layer), sort(layer$name))`]);
  expect(stdout).toMatch(/3 Elbe Rhine Weser$/);
});

testNeeding(missing('gdal'), 'a FlatGeobuf address, as GeoPandas and R read it by GDAL', async () => {
  const { stdout } = await run('ogrinfo', ['-so', `/vsicurl_streaming/${portal.url}/download/rivers.fgb`, 'rivers']);
  expect(stdout).toContain('Feature Count: 3');
});

test('a Parquet file, as DuckDB reads it', async () => {
  const [download = ''] = block('text', 'duckdb').split('\n');
  await run('bash', ['-c', download], { cwd: folder });
  const bytes = readFileSync(join(folder, 'rivers.parquet'));
  const kept = process.env['SURVEST_KEEP_PARQUET'];
  if (kept !== undefined) writeFileSync(kept, bytes);
  const rows = await parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    columns: ['name', 'length'],
  });
  expect(rows).toHaveLength(3);
});

test('CSV with a token, as Excel loads it', async () => {
  const address = /Web\.Contents\("([^"]*)"/.exec(block('text', 'Csv.Document'))?.[1] ?? '';
  const reply = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
  expect(await reply.text()).toMatch(/name,length[\s\S]*Elbe,1094/);
});
