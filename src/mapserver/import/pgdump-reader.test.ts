import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDumpStatement } from './pgdump-header.ts';
import { type DumpLayer, makeDumpReader } from './pgdump-reader.ts';

const DUMP = `SET standard_conforming_strings = OFF;
BEGIN;
CREATE TABLE "public"."two; \\"" layers" ( "survest key" SERIAL, CONSTRAINT "x_pk" PRIMARY KEY ("survest key") );
SELECT AddGeometryColumn('public','two; "" \\' layers','survest geometry',4326,'MULTIPOLYGON',2);
COMMENT ON TABLE "public"."x" IS 'a
COPY "public"."x" ("survest geometry") FROM STDIN;
\\'; ';
ALTER TABLE "public"."x" ADD COLUMN "NAME" VARCHAR(80);
ALTER TABLE "public"."x" ADD COLUMN "a, ""b"") FROM STDIN;
COPY" timestamp with time zone NOT NULL DEFAULT now();
ALTER TABLE "public"."x" ADD COLUMN "größe" FLOAT8;
COPY "public"."x" ("survest geometry", "NAME", "a, ""b"") FROM STDIN;
COPY", "größe") FROM STDIN;
0106\tone\t\\N\t1
0106\t\\\\.\t\\N\t2
\\N\tz\xc3\xbc\t\\N\t3
\\.
END;
CREATE TABLE "public"."plain"();
ALTER TABLE "public"."plain" ADD COLUMN "n" INTEGER;
COPY "public"."plain" ("n") FROM STDIN;
\\.
COMMIT;
`;

const bytes = (text: string): Buffer =>
  Buffer.concat(text.split(/(\xc3\xbc)/).map((part) => Buffer.from(part, part === '\xc3\xbc' ? 'latin1' : 'utf8')));

async function read(chunks: Iterable<Buffer>): Promise<{ layers: DumpLayer[]; rows: string[] }> {
  const layers: DumpLayer[] = [];
  const rows: string[] = [];
  const reader = makeDumpReader({
    layer: async (layer) => {
      layers.push(layer);
      rows.push('');
    },
    rows: async (lines) => {
      expect(lines.at(-1)).toBe(0x0a);
      rows[rows.length - 1] += lines.toString();
    },
  });
  for (const chunk of chunks) await reader.push(chunk);
  reader.end();
  return { layers, rows };
}

describe('a dump', () => {
  test('tells its layers, columns and rows, whatever stands in the names', async () => {
    const { layers, rows } = await read([bytes(DUMP)]);
    expect(layers).toEqual([
      {
        name: 'two; \\" layers',
        geometry: { srid: 4326, type: 'MULTIPOLYGON', dimension: 2 },
        columns: [
          { name: 'NAME', type: 'varchar(80)' },
          { name: 'a, "b") FROM STDIN;\nCOPY', type: 'timestamp with time zone' },
          { name: 'größe', type: 'float8' },
        ],
        copied: ['survest geometry', 'NAME', 'a, "b") FROM STDIN;\nCOPY', 'größe'],
      },
      { name: 'plain', geometry: undefined, columns: [{ name: 'n', type: 'integer' }], copied: ['n'] },
    ]);
    expect(rows).toEqual(['0106\tone\t\\N\t1\n0106\t\\\\.\t\\N\t2\n\\N\tzü\t\\N\t3\n', '']);
  });

  test('is the same however it is cut', async () => {
    const whole = bytes(DUMP);
    const expected = await read([whole]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: whole.length }), { maxLength: 20 }), async (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), whole.length];
        const chunks = places.slice(1).map((end, i) => whole.subarray(places[i], end));
        expect(await read(chunks)).toEqual(expected);
      }),
    );
    expect(await read([...whole].map((byte) => Buffer.from([byte])))).toEqual(expected);
  });

  test('has a row for each feature, whatever line breaks and backslashes its texts have', async () => {
    const dump =
      'CREATE TABLE "public"."t"();\nCOPY "public"."t" ("a", "b") FROM STDIN;\n' +
      '01\ttwo\\\nlines\\\n\\\\.\\\n\t1\n02\tends with a backslash\\\\\n03\t\\\\\\\n4\n\\.\nEND;\n';
    const expected = ['01\ttwo\\nlines\\n\\\\.\\n\t1\n02\tends with a backslash\\\\\n03\t\\\\\\n4\n'];
    expect((await read([Buffer.from(dump)])).rows).toEqual(expected);
    expect((await read([...Buffer.from(dump)].map((byte) => Buffer.from([byte])))).rows).toEqual(expected);
  });

  test('that breaks off in its rows says so', async () => {
    await expect(read([bytes(DUMP.slice(0, DUMP.indexOf('\\.\nEND')))])).rejects.toThrow('break off');
  });
});

test.each([
  [
    'ALTER TABLE "public"."t" ADD COLUMN "v" SERIAL CONSTRAINT "t_pk" PRIMARY KEY',
    { kind: 'column', name: 'v', type: 'serial' },
  ],
  ['ALTER TABLE "public"."t" ADD COLUMN "v" NUMERIC(9,2)', { kind: 'column', name: 'v', type: 'numeric(9,2)' }],
  ['ALTER TABLE "public"."t" ADD COLUMN "v" varchar[]', { kind: 'column', name: 'v', type: 'varchar[]' }],
  [
    `SELECT AddGeometryColumn('public','p','g',-1,'POINTM',3)`,
    { kind: 'geometry', srid: -1, type: 'POINTM', dimension: 3 },
  ],
  ['CREATE INDEX "x" ON "public"."t" USING GIST ("g")', { kind: 'other' }],
  ['ALTER TABLE "public"."t" ADD COLUMN "unfinished', { kind: 'other' }],
])('%s', (text, expected) => {
  expect(parseDumpStatement(text)).toEqual(expected);
});
