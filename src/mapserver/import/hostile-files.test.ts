// Files that try to make their reader open another file or address, write elsewhere, or work without end: for every format its own
// ways. They are read by both kinds of GDAL. A file outside holds a secret, and a server on the loopback counts who calls.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  type Bait,
  filesThatPointElsewhere,
  refusedFiles,
  type Sent,
  virtualText,
} from '../../../test/attacks/hostile-files.ts';
import {
  attributes,
  entities,
  geopackage,
  gmlOf,
  inSchema,
  POINT,
  sheetOf,
  sparseTiff,
  vrt,
  wide,
  workbookOf,
} from '../../../test/attacks/make-hostile.ts';
import { describeNeeding, testNeeding } from '../../../test/testkit/describe-needing.ts';
import { missing } from '../../../test/testkit/machine.ts';
import { findSandbox } from '../gdal/find-sandbox.ts';
import { inSandbox } from '../gdal/sandbox.ts';
import { startGdal, WORK } from '../gdal/start-gdal.ts';
import { findGdal } from './find-gdal.ts';
import type { EngineChoice, ReaderMessage } from './import-task.ts';
import { runReader } from './run-reader.ts';

const SECRET = 'the-secret-of-somebody-else';
const top = mkdtempSync(join(tmpdir(), 'survest-hostile-'));
const secretFile = join(top, 'secret.csv');
const BAIT: Bait = { file: secretFile, raster: join(top, 'secret.tif'), address: () => address };
let calls: string[] = [];
let server: Server;
let address = '';
const native = await findGdal([secretFile]);
const sandbox = await findSandbox([secretFile]);
/** Undefined: nothing is missing. */
const NO_SANDBOX = missing('bubblewrap') ?? (sandbox.ok ? undefined : `a sandbox: ${sandbox.error}`);
const NO_NATIVE = missing('gdal') ?? NO_SANDBOX;
const ENGINES: readonly (readonly [name: string, engine: EngineChoice, lacks: string | undefined])[] = [
  ['the programs of the machine', native, NO_NATIVE],
  ['WebAssembly', { kind: 'wasm' }, undefined],
];

beforeAll(async () => {
  writeFileSync(secretFile, `name,lat,lon\n${SECRET},47,8\n`);
  server = createServer((request, response) => {
    calls.push(request.url ?? '');
    response.end(`name,lat,lon\n${SECRET},47,8\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(top, { recursive: true, force: true });
});

type Reading = { readonly rows: string; readonly messages: readonly ReaderMessage[]; readonly failure: unknown };

let count = 0;
function makeFolder(): string {
  count += 1;
  const folder = join(top, `work${count}`);
  mkdirSync(folder);
  return folder;
}

async function read(
  engine: EngineChoice,
  sent: readonly Sent[],
  limits: { unpackedBytes?: number } = {},
): Promise<Reading> {
  const folder = makeFolder();
  const files = sent.map(({ name, content }, i) => {
    const path = join(folder, `f${i}`);
    writeFileSync(path, content);
    return { name, path };
  });
  let rows = '';
  const messages: ReaderMessage[] = [];
  const ran = await runReader(
    {
      folder,
      files,
      engine,
      answers: { crs: 'EPSG:4326' },
      mode: 'read',
      limits: { unpackedBytes: 1e9, members: 1000, memoryBytes: 2 * 1024 ** 3, ...limits },
    },
    { seconds: 600, memoryBytes: 2 * 1024 ** 3 },
    {
      onMessage: (message) => messages.push(message),
      onRows: async (chunk) => {
        rows += chunk.toString('latin1');
      },
    },
    new AbortController().signal,
    inject('scripts').reader,
  );
  const failed = messages.find((message) => message.kind === 'failed');
  return { rows, messages, failure: failed?.failure ?? (ran.ok ? undefined : ran.error) };
}

/** `kind` and what belongs to it, without quotes of its own. */
const wordsOf = (failure: unknown): string => Object.values(Object(failure)).join(' ');

for (const [name, engine, lacks] of ENGINES) {
  describeNeeding(lacks, `read by ${name}`, () => {
    test.each(refusedFiles(BAIT))('$what is refused', async ({ sent, why }) => {
      calls = [];
      const { rows, failure } = await read(engine, sent());
      expect(wordsOf(failure)).toMatch(why);
      expect(rows).not.toContain(SECRET);
      expect(calls).toEqual([]);
    });

    test.each(filesThatPointElsewhere(BAIT))('$what leads nowhere', async ({ sent }) => {
      calls = [];
      const { rows } = await read(engine, sent());
      expect(rows).not.toContain(SECRET);
      expect(calls).toEqual([]);
    });

    test('a workbook whose sheet is named like a path writes nothing outside', async () => {
      const target = join(top, 'written');
      const up = '../../../../../../../../../..';
      await read(engine, [{ name: 'a.xlsx', content: workbookOf(sheetOf('a'), `${up}${target}`) }]);
      expect(existsSync(`${target}.csv`)).toBe(false);
    });

    test('what is as it should be is read', async () => {
      for (const [name, content] of [
        ['a.gpkg', geopackage()],
        ['a.gml', gmlOf('Zürich')],
        ['a.gml', wide(`<?xml version="1.0" encoding="UTF-16"?>${gmlOf('Zürich')}`)],
        ['a.gml', Buffer.from(`<?xml version="1.0" encoding="windows-1252"?>${gmlOf('Zürich')}`, 'latin1')],
        ['a.xlsx', workbookOf(sheetOf('Zürich'))],
        ['a.geojson', POINT],
        ['a.tif', sparseTiff(1000)],
      ] as const) {
        const { failure, rows, messages } = await read(engine, [{ name, content }]);
        expect(failure, name).toBeUndefined();
        expect(messages.at(-1)?.kind).toBe('done');
        if (/gml|xlsx/.test(name)) expect(Buffer.from(rows, 'latin1').toString()).toContain('Zürich');
      }
    });
  });
}

describe('without any check before', () => {
  /** Name and content of files that lead out, for a GDAL with all its drivers. */
  const LEADING_OUT: readonly (readonly [name: string, content: () => string | Uint8Array])[] = [
    ['file.vrt', () => vrt(secretFile)],
    ['up.vrt', () => vrt(`../../../../../../../../../../..${secretFile}`)],
    ['address.vrt', () => vrt(`/vsicurl/${address}/secret.csv`)],
    [
      'text.gpkg',
      () =>
        geopackage(
          inSchema('table', 'leak', `CREATE VIRTUAL TABLE leak ${virtualText(secretFile)}`),
          attributes('leak'),
        ),
    ],
    [
      'entity.gml',
      () => `<?xml version="1.0" encoding="windows-1252"?>${entities('x', `file://${secretFile}`)}${gmlOf('&x;')}`,
    ],
    [
      'entity-address.gml',
      () => `<?xml version="1.0" encoding="windows-1252"?>${entities('x', `${address}/a.none`)}${gmlOf('&x;')}`,
    ],
  ];

  const ogr2ogr = (folder: string, name: string): readonly string[] => [
    'ogr2ogr',
    ...['-f', 'CSV', '-skipfailures', join(folder, 'out'), join(folder, name)],
  ];
  function run(command: readonly string[], folder: string): string {
    const [program = '', ...args] = command;
    try {
      execFileSync(program, args, { stdio: 'pipe', cwd: folder, env: { PATH: process.env['PATH'] ?? '' } });
    } catch {
      // That it fails is one of the ways to lead nowhere.
    }
    return outputs(folder);
  }
  const outputs = (folder: string): string =>
    existsSync(join(folder, 'out'))
      ? execFileSync('sh', ['-c', 'cat out* out/* 2>/dev/null || true'], { cwd: folder, encoding: 'utf8' })
      : '';

  describeNeeding(NO_NATIVE, 'by the programs of the machine', () => {
    test('these files lead somewhere where nobody is shut in', () => {
      const folder = makeFolder();
      writeFileSync(join(folder, 'file.vrt'), vrt(secretFile));
      expect(run(ogr2ogr(folder, 'file.vrt'), folder)).toContain(SECRET);
    });

    test.each(LEADING_OUT)('%s leads nowhere in the sandbox', (name, content) => {
      if (!sandbox.ok) throw new Error(sandbox.error);
      calls = [];
      const folder = makeFolder();
      writeFileSync(join(folder, name), content());
      const seen = run(inSandbox(sandbox.value, { folder, readable: [] }, ogr2ogr(folder, name)), folder);
      expect(seen).not.toContain(SECRET);
      expect(calls).toEqual([]);
    });
  });

  test('none of them leads anywhere in WebAssembly', async () => {
    calls = [];
    // There can be one only in a process.
    const folder = makeFolder();
    const { module, call, strings } = await startGdal(folder, {});
    writeFileSync(join(folder, 'own.csv'), 'name\nits-own-file\n');
    for (const [name, content] of [...LEADING_OUT, ['own.vrt', () => vrt(`${WORK}/own.csv`)] as const]) {
      writeFileSync(join(folder, name), content());
      const opening = ['string', 'number', 'number', 'number', 'number'];
      const dataset = call('GDALOpenEx', opening, [`${WORK}/${name}`, 4, 0, 0, 0]);
      if (dataset === 0) continue;
      const wanted = strings(['-f', 'CSV', '-skipfailures', '-overwrite']);
      const options = call('GDALVectorTranslateOptionsNew', ['number', 'number'], [wanted, 0]);
      const list = module._malloc(4);
      module.setValue(list, dataset, '*');
      const types = ['string', 'number', 'number', 'number', 'number', 'number'];
      const made = call('GDALVectorTranslate', types, [`${WORK}/out`, 0, 1, list, options, 0]);
      if (made !== 0) module.ccall('GDALClose', null, ['number'], [made]);
      expect(outputs(folder), name).not.toContain(SECRET);
    }
    expect(calls).toEqual([]);
    expect(outputs(folder)).toContain('its-own-file');
  });
});

describeNeeding(NO_SANDBOX, 'the sandbox', () => {
  test('a sandbox that shows what it must not is none', async () => {
    expect(await findSandbox(['/usr/bin/env'])).toEqual({ ok: false, error: '/usr/bin/env can be read' });
  });

  testNeeding(
    missing('gdal'),
    'without a sandbox the programs of the machine are not used, and it is said why',
    async () => {
      const found = await findGdal(['/usr/bin/env']);
      expect(found).toEqual({ kind: 'wasm', why: 'no sandbox can be had: /usr/bin/env can be read' });
    },
  );
});
