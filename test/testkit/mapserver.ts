// MapServer from Debian (cgi-mapserver), behind an HTTP server of its own that runs it for each request as a web server runs CGI programs.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAPSERVER, missing } from './machine.ts';

/** Undefined: it is there. */
export const NO_MAPSERVER: string | undefined = missing('mapserver');

export type MapServer = { readonly host: string; readonly url: string; close(): Promise<void> };

/** One layer, `places`: two points with a name each, as WMS and WFS. */
const MAP = `MAP
  NAME "others" SIZE 256 256 EXTENT 0 0 20 20 UNITS DD
  PROJECTION "init=epsg:4326" END
  WEB METADATA
    "ows_title" "Places of others" "ows_enable_request" "*" "ows_srs" "EPSG:4326 EPSG:3857"
    "wms_feature_info_mime_type" "text/plain"
  END END
  SYMBOL NAME "dot" TYPE ELLIPSE POINTS 1 1 END FILLED TRUE END
  LAYER
    NAME "places" TYPE POINT STATUS ON TEMPLATE "x.html" TOLERANCE 10
    METADATA "ows_title" "Places" "ows_abstract" "Two points." "gml_include_items" "all" "ows_extent" "0 0 20 20"
      "wms_attribution_title" "Survey of places" END
    PROJECTION "init=epsg:4326" END
    FEATURE POINTS 10 10 END ITEMS "first" END
    FEATURE POINTS 5 5 END ITEMS "second" END
    PROCESSING "ITEMS=name"
    CLASS NAME "A place" STYLE COLOR 200 0 0 SYMBOL "dot" SIZE 12 END END
  END
END
`;

export async function startMapServer(): Promise<MapServer> {
  const folder = mkdtempSync(join(tmpdir(), 'mapserver-'));
  const file = join(folder, 'places.map');
  writeFileSync(file, MAP);
  writeFileSync(join(folder, 'mapserver.conf'), 'CONFIG\n  ENV\n  END\n  MAPS\n  END\nEND\n');
  const server = createServer(({ url = '/', headers }, reply) => {
    const query = url.slice(url.indexOf('?') + 1);
    const env = {
      PATH: process.env['PATH'],
      QUERY_STRING: url.includes('?') ? query : '',
      REQUEST_METHOD: 'GET',
      SCRIPT_NAME: '/mapserv',
      SERVER_NAME: '127.0.0.1',
      HTTP_HOST: headers.host,
      SERVER_PORT: headers.host?.split(':')[1],
      MS_MAPFILE: file,
      MAPSERVER_CONFIG_FILE: join(folder, 'mapserver.conf'),
    };
    execFile(MAPSERVER, [], { env, encoding: 'buffer', maxBuffer: 10_000_000 }, (_error, out) => {
      const end = out.indexOf('\r\n\r\n');
      const type = /^content-type: *([^\r\n]+)/im.exec(out.subarray(0, end).toString('latin1'))?.[1] ?? 'text/plain';
      reply.writeHead(200, { 'Content-Type': type }).end(out.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/mapserv`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
