// Several copies of the built program on one database and one store: any of them answers anybody, and all of them are replaced by a newer version under
// load, with a change of the schema in between, without a failed request.

import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { MAIN } from './built-program.ts';
import { environment, eventually, type HttpAnswer, type Program, startAt } from './program.ts';

const PASSWORD = 'correct horse battery';
/** Idle connections are given up before a copy that stops closes them, as `deploy/nginx.conf` has it. */
const agent = new Agent({ keepAlive: true, timeout: 500 });

type Asking = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string };

/** Over connections that are kept, as a proxy has them. */
function ask(url: string, target: string, { method = 'GET', headers = {}, body }: Asking = {}): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { path: target, method, headers, agent }, (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: Buffer.concat(parts).toString() }),
      );
    });
    sent.on('error', reject).end(body);
  });
}

onEachEngine('copies of the program', { engines: ['postgres'] }, (db) => {
  let folder: string;
  let next: string;
  const copies: { program: Program; url: string }[] = [];
  const places = ['one', 'two', 'three'];

  const startCopy = async (script: string, command: readonly string[]): Promise<{ program: Program; url: string }> => {
    const program = startAt(
      script,
      command,
      environment({
        'db-uri': db().uri ?? '',
        'data-dir': folder,
        'admin-password': PASSWORD,
        'portal-host': '127.0.0.1',
        'portal-port': '0',
        'server-host': '127.0.0.1',
        'server-port': '0',
        'server-drain-delay': '4',
        'db-pool': '4',
      }),
    );
    await program.told(/Portal listens on [^\s"]+[\s"]/);
    const url = /Portal listens on ([^\s"]+)/.exec(program.err())?.[1] ?? '';
    await eventually(
      () => ask(url, '/ready'),
      ({ status }) => status === 200,
    );
    return { program, url };
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'survest-copies-'));
    // The first makes the tables; the second one only takes uploads in.
    copies.push(await startCopy(MAIN, []));
    copies.push(...(await Promise.all([startCopy(MAIN, ['portal']), startCopy(MAIN, [])])));
  }, 300_000);
  afterAll(async () => {
    await Promise.all(copies.map(({ program }) => program.stop()));
    agent.destroy();
    rmSync(folder, { recursive: true, force: true });
    if (next !== undefined) rmSync(next, { recursive: true, force: true });
  });

  const at = (i: number): string => copies[i]?.url ?? '';

  test('who signs in on one uploads through another, which is killed, and sees the import end once on the third', async () => {
    const login = await ask(at(0), '/account/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
      body: JSON.stringify({ username: 'admin', password: PASSWORD }),
    });
    expect(login.status).toBe(200);
    const cookies = [login.headers['set-cookie'] ?? []].flat().map((line) => line.split(';', 1)[0] ?? '');
    const csrf = cookies.find((cookie) => cookie.startsWith('csrftoken='))?.slice('csrftoken='.length) ?? '';
    const own = { cookie: cookies.join('; '), 'x-csrftoken': csrf, 'x-requested-with': 'XMLHttpRequest' };
    const points = JSON.stringify({
      type: 'FeatureCollection',
      features: Array.from({ length: 200 }, (_, i) => ({
        type: 'Feature',
        properties: { n: i },
        geometry: { type: 'Point', coordinates: [i / 10, i / 20] },
      })),
    });
    const sent = await ask(at(1), '/api/v2/uploads/upload', {
      method: 'POST',
      headers: { ...own, 'content-type': 'multipart/form-data; boundary=x' },
      body: `--x\r\nContent-Disposition: form-data; name="base_file"; filename="spots.geojson"\r\n\r\n${points}\r\n--x--\r\n`,
    });
    expect([sent.status, sent.text]).toEqual([201, expect.any(String)]);
    copies[1]?.program.child.kill('SIGKILL');
    const { id } = JSON.parse(sent.text) as { readonly id: number };
    type Upload = { readonly upload: { readonly state: string } };
    const done = await eventually(
      async () => JSON.parse((await ask(at(2), `/api/v2/uploads/${id}/`, { headers: own })).text) as Upload,
      ({ upload }) => ['PROCESSED', 'INVALID'].includes(upload.state),
    );
    expect(done.upload.state).toBe('PROCESSED');
    const found = JSON.parse((await ask(at(0), '/api/v2/layers/?search=spots', { headers: own })).text);
    expect(found.total).toBe(1);
    expect(await db().query('select count(*)::integer as n from layers.spots')).toEqual([{ n: 200 }]);
    copies[1] = await startCopy(MAIN, ['portal']);
  }, 300_000);

  test('a newer version takes their places one by one under load, with a change of the schema in between, and no request fails', async () => {
    // In the project's own folder, so that its modules are found.
    next = join(import.meta.dirname, `../../node_modules/.cache/survest/next-${process.pid}`);
    cpSync(dirname(dirname(MAIN)), next, { recursive: true });
    mkdirSync(join(next, 'portal/schema/changes'), { recursive: true });
    writeFileSync(
      join(next, 'portal/schema/changes/9999-next.sql'),
      `alter table portal.resource add column next_note text;
       create function portal.next_answer() returns integer language sql return 42;
       revoke all on function portal.next_answer() from public;`,
    );
    // Policies that everybody's requests ask are made anew under them.
    appendFileSync(join(next, 'portal/schema/items/policies.sql'), '\n-- The next version says it in another way.\n');
    const basic = { authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}` };
    const token = JSON.parse(
      (await ask(at(0), '/account/token', { method: 'POST', headers: basic })).text,
    ).access_token;
    const own = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const made = await ask(at(0), '/api/v2/maps/', {
      method: 'POST',
      headers: own,
      body: JSON.stringify({ title: 'Load', zoom: 3, projection: 'EPSG:3857', center_x: 0, center_y: 0 }),
    });
    const map = (JSON.parse(made.text) as { readonly map: { readonly pk: number } }).map.pk;
    const failed: string[] = [];
    let answered = 0;
    let isOver = false;
    let turn = 0;
    /** As a balancer: one that refuses the connection is not there; then, and only then, the next is asked. */
    const balanced = async (target: string, asking: Asking): Promise<void> => {
      for (let tries = 0; tries < 2 * places.length; tries += 1) {
        turn += 1;
        try {
          const { status, text } = await ask(at(turn % places.length), target, asking);
          if (status >= 400) failed.push(`${target}: ${status} ${text.slice(0, 200)}`);
          answered += 1;
          return;
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          // And, as nginx does, one that closes the connection under a request that changes nothing.
          if (code === 'ECONNREFUSED' || (code === 'ECONNRESET' && asking.method === undefined)) continue;
          failed.push(`${target}: ${String(error)}`);
          return;
        }
      }
      failed.push(`${target}: no copy is there`);
    };
    const client = async (target: string, asking: (n: number) => Asking): Promise<void> => {
      for (let n = 0; !isOver; n += 1) await balanced(target, asking(n));
    };
    const load = [
      client('/api/v2/resources/?page_size=5', () => ({ headers: own })),
      client(`/api/v2/maps/${map}/`, (n) => ({ method: 'PATCH', headers: own, body: `{"title":"Load ${n}"}` })),
      client('/ogc/collections?f=json', () => ({ headers: own })),
      client('/rest/v1/spots?limit=1', () => ({ headers: own })),
    ];
    // The third stays as it is: older and newer ones answer side by side.
    for (const i of [0, 1]) {
      const old = copies[i];
      const command = i === 1 ? ['portal'] : [];
      old?.program.child.kill('SIGTERM');
      expect(await old?.program.ended).toBe(0);
      copies[i] = await startCopy(join(next, 'server/main.js'), command);
    }
    const before = answered;
    await eventually(
      async () => answered,
      (n) => n > before + 20,
    );
    isOver = true;
    await Promise.all(load);
    expect(failed).toEqual([]);
    expect(await db().query('select portal.next_answer() as n')).toEqual([{ n: 42 }]);
  }, 600_000);
});
