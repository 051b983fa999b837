// Vector tiles and features: what the services add to what the database takes, and what a kept tile costs beside a file.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { httpLoad, httpRequest } from '../lib/http-load.ts';
import { median } from '../lib/median.ts';
import { printRows } from '../lib/report.ts';
import { openTileSetting, TILE, type TileSetting } from './setting.ts';

const ROUNDS = 40;
const SECONDS = 5;
const CONNECTIONS = 16;
const FEATURES = 100_000;
/** What a stream may add to the memory of the process, however long it is. */
const FLAT_MB = 80;

/** What one would write by hand for this table, with the same columns and the same edge around the tile. */
const ADDRESS = `${TILE.z}, ${TILE.x}, ${TILE.y}`;
const BARE = `select st_asmvt(t, 'areas', 4096, 'geom', 'fid') from (
  select st_asmvtgeom(st_transform(geom, 3857), st_tileenvelope(${ADDRESS})::box2d, 4096, 64, true) as geom, fid, name, number, share, since::text
    from layers.areas where geom && st_transform(st_tileenvelope(${ADDRESS}, margin => 64.0 / 4096), 4326)) t`;

const COPY = `copy (select st_asgeojson(t.*) from layers.areas t) to stdout`;

export async function run(): Promise<boolean> {
  const setting = await openTileSetting();
  try {
    const tile = await uncached(setting);
    const kept = await cached(setting);
    const features = await streamed(setting);
    return tile && kept && features;
  } finally {
    await setting.close();
  }
}

const PATH = `/tiles/areas/${TILE.z}/${TILE.x}/${TILE.y}.mvt`;

async function uncached({ superuser, uncachedPort }: TileSetting): Promise<boolean> {
  const bare: number[] = [];
  const plain: number[] = [];
  const small: number[] = [];
  const url = `http://127.0.0.1:${uncachedPort}${PATH}`;
  // One after the other, in turns: whatever else the machine does, it does to all of them.
  for (let round = 0; round < ROUNDS + 5; round += 1) {
    const times = [
      await time(async () => {
        const executed = await superuser.execute([{ text: BARE, params: [] }]);
        if (!executed.ok) throw new Error(JSON.stringify(executed.error));
      }),
      await time(
        async () => void (await (await fetch(url, { headers: { 'accept-encoding': 'identity' } })).arrayBuffer()),
      ),
      await time(async () => void (await (await fetch(url, { headers: { 'accept-encoding': 'gzip' } })).arrayBuffer())),
    ];
    if (round < 5) continue;
    bare.push(times[0] ?? 0);
    plain.push(times[1] ?? 0);
    small.push(times[2] ?? 0);
  }
  const reference = median(bare) * 1000;
  return printRows('A tile of 2,000 areas, made anew: time of the bare ST_AsMVT query in the time of the request', [
    { what: 'tile', measured: reference, reference: median(plain) * 1000, unit: 'µs', target: 1 / 1.3 },
    { what: 'tile, compressed', measured: reference, reference: median(small) * 1000, unit: 'µs' },
  ]);
}

async function cached({ port, addFile }: TileSetting): Promise<boolean> {
  const reply = await fetch(`http://127.0.0.1:${port}${PATH}`, { headers: { 'accept-encoding': 'identity' } });
  const bytes = new Uint8Array(await reply.arrayBuffer());
  await addFile('tile.bin', bytes);
  const rate = async (request: string, expect = 200): Promise<number> => {
    const { perSecond, unexpected } = await httpLoad({
      port,
      request,
      connections: CONNECTIONS,
      seconds: SECONDS,
      expect,
    });
    if (unexpected.size > 0) throw new Error(`unexpected answers: ${JSON.stringify([...unexpected])}`);
    return perSecond;
  };
  const file = await rate(httpRequest('GET', '/tile.bin'));
  const tile = await rate(httpRequest('GET', PATH));
  const small = await rate(httpRequest('GET', PATH, { 'Accept-Encoding': 'gzip' }));
  const tag = reply.headers.get('etag') ?? '';
  const same = await rate(httpRequest('GET', PATH, { 'If-None-Match': tag }), 304);
  return printRows(`A kept tile of ${Math.round(bytes.length / 1024)} KB, beside a file of the same size`, [
    { what: 'tile', measured: tile, reference: file, unit: 'requests/s', target: 0.5 },
    { what: 'tile, compressed', measured: small, reference: file, unit: 'requests/s' },
    { what: 'known to the browser (304)', measured: same, reference: file, unit: 'requests/s' },
  ]);
}

async function streamed({ port, superuser }: TileSetting): Promise<boolean> {
  const path = `/ogc/collections/areas/items?limit=${FEATURES}`;
  const copies: number[] = [];
  const answers: number[] = [];
  let most = 0;
  const before = process.memoryUsage().rss;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss - before);
  }, 20);
  // In turns: whatever else the machine does, it does to both of them.
  for (let round = 0; round < 8; round += 1) {
    const copy = await time(async () => {
      const copied = await superuser.copyOut([], COPY, () => {});
      if (!copied.ok || copied.value !== FEATURES) throw new Error(JSON.stringify(copied));
    });
    const answer = await fetchAway(port, path);
    if (round === 0) continue;
    copies.push(copy);
    answers.push(answer);
  }
  clearInterval(watch);
  const perSecond = (ms: number): number => (FEATURES / ms) * 1000;
  const isFast = printRows(
    `${FEATURES.toLocaleString('en')} features by OGC API Features, beside COPY (select ST_AsGeoJSON(t.*) …) to stdout`,
    [
      {
        what: 'features',
        measured: perSecond(median(answers)),
        reference: perSecond(median(copies)),
        unit: 'features/s',
        target: 0.5,
      },
    ],
  );
  const grown = most / 2 ** 20;
  console.log(`  memory grew by at most ${grown.toFixed(0)} MB${grown > FLAT_MB ? `  ABOVE ${FLAT_MB}` : ''}`);
  return isFast && grown <= FLAT_MB;
}

/** In a process of its own, as clients are, and by a bare socket, so that reading costs little of what is measured. */
async function fetchAway(port: number, path: string): Promise<number> {
  const script = `const socket = require('node:net').connect(${port}, '127.0.0.1'); let bytes = 0; let status = ''; let began = 0;
    socket.on('connect', () => { began = performance.now(); socket.write(${JSON.stringify(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)}); });
    socket.on('data', (chunk) => { if (bytes === 0) status = chunk.toString('latin1', 9, 12); bytes += chunk.length; });
    socket.on('close', () => { console.log(JSON.stringify({ ms: performance.now() - began, status, bytes })); });`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
  const { ms, status, bytes } = JSON.parse(stdout) as { ms: number; status: string; bytes: number };
  if (status !== '200' || bytes < FEATURES * 100) throw new Error(`an answer ${status} of ${bytes} bytes`);
  return ms;
}

async function time(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
