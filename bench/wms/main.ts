// A map of 2,000 areas on 256 × 256 pixels: how long it takes, beside MapServer as a CGI program on the same table where that is
// installed.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tileBounds } from '../../src/geo/tile.ts';
import { median } from '../lib/median.ts';
import { printRows } from '../lib/report.ts';
import { openTileSetting, TILE, type TileSetting } from '../tiles/setting.ts';

const ROUNDS = 40;
const WARM = 8;
/** On a quiet machine. */
const MAX_MS = 60;
const MAPSERV = '/usr/lib/cgi-bin/mapserv';

const QUERY = `SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=areas&STYLES=&SRS=EPSG:3857&BBOX=${tileBounds(TILE).join(',')}&WIDTH=256&HEIGHT=256&FORMAT=image/png`;

const exec = promisify(execFile);

export async function run(): Promise<boolean> {
  const setting = await openTileSetting();
  try {
    const url = `http://127.0.0.1:${setting.port}/wms?${QUERY}`;
    const other = existsSync(MAPSERV) ? await openMapServer(setting) : undefined;
    const [ours, cold, theirs]: number[][] = [[], [], []];
    // In turns: whatever else the machine does, it does to both of them.
    for (let round = 0; round < ROUNDS + WARM; round += 1) {
      const map = await time(async () => expectPicture(Buffer.from(await (await fetch(url)).arrayBuffer())));
      const mapserver =
        other === undefined ? Number.NaN : await time(async () => expectPicture(await other.draw(QUERY)));
      if (round === 0) cold?.push(map);
      if (round < WARM) continue;
      ours?.push(map);
      theirs?.push(mapserver);
    }
    await other?.close();
    const ms = median(ours ?? []);
    console.log(
      `\n  the first map after the start: ${Math.round(cold?.[0] ?? 0)} ms; the fastest: ${Math.round(Math.min(...(ours ?? [])))} ms`,
    );
    const isFast = printRows('GetMap, 256 × 256, 2,000 areas: what it may take, in what it takes', [
      { what: 'map', measured: MAX_MS * 1000, reference: ms * 1000, unit: 'µs', target: 1 },
    ]);
    if (other === undefined) console.log('  MapServer (cgi-mapserver) is not installed: nothing to compare with');
    else
      printRows('MapServer by CGI on the same table, in our time', [
        { what: 'map', measured: median(theirs ?? []) * 1000, reference: ms * 1000, unit: 'µs' },
      ]);
    return isFast;
  } finally {
    await setting.close();
  }
}

async function time(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function expectPicture(bytes: Buffer): void {
  if (!bytes.includes('PNG')) throw new Error(`no picture: ${bytes.toString('utf8', 0, 1000)}`);
}

/** The program is started for each map, as a web server does it. */
async function openMapServer({
  superuser,
}: TileSetting): Promise<{ draw(query: string): Promise<Buffer>; close(): Promise<void> }> {
  const asked = await superuser.execute([
    { text: 'select inet_server_port()::text, current_database()::text, current_user::text', params: [] },
  ]);
  const [port, database, user] = (asked.ok ? (asked.value[0]?.rows[0] ?? []) : []).map(
    (cell) => cell?.toString() ?? '',
  );
  const folder = await mkdtemp(join(tmpdir(), 'survest-mapserver-'));
  const path = join(folder, 'areas.map');
  await writeFile(join(folder, 'mapserver.conf'), `CONFIG\n  ENV\n    MS_MAP_PATTERN "."\n  END\nEND\n`);
  await writeFile(
    path,
    `MAP
  NAME "bench"
  SIZE 256 256
  EXTENT -20037508 -20037508 20037508 20037508
  PROJECTION "init=epsg:3857" END
  WEB METADATA "ows_enable_request" "*" "ows_srs" "EPSG:3857" "ows_title" "bench" "wms_onlineresource" "http://localhost/" END END
  OUTPUTFORMAT NAME "png" DRIVER AGG/PNG MIMETYPE "image/png" IMAGEMODE RGB EXTENSION "png" END
  LAYER
    NAME "areas" TYPE POLYGON STATUS ON
    PROJECTION "init=epsg:4326" END
    CONNECTIONTYPE POSTGIS
    CONNECTION "host=127.0.0.1 port=${port} dbname=${database} user=${user}"
    DATA "geom from layers.areas using unique fid using srid=4326"
    METADATA "ows_title" "areas" END
    CLASS STYLE COLOR 31 120 180 OPACITY 50 END STYLE OUTLINECOLOR 31 120 180 WIDTH 1 END END
  END
END
`,
  );
  return {
    async draw(query) {
      const env = {
        PATH: process.env['PATH'],
        REQUEST_METHOD: 'GET',
        QUERY_STRING: `map=${path}&${query}`,
        MAPSERVER_CONFIG_FILE: join(folder, 'mapserver.conf'),
      };
      const { stdout } = await exec(MAPSERV, [], { env, encoding: 'buffer', maxBuffer: 16 * 1024 * 1024 });
      return stdout;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
