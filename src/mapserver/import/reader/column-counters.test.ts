import { describe, expect, test } from 'vitest';
import { makeJsonColumnCounter } from './json-columns.ts';
import { sqliteSchemaFault } from './sqlite-schema-fault.ts';
import { makeXmlPathCounter } from './xml-paths.ts';
import { checkXmlProlog } from './xml-prolog.ts';

/** Members of the collection and of features count, too: `type`, `features`, `properties`, `geometry`. */
const JSON_COUNTS: readonly (readonly [what: string, text: string, count: number])[] = [
  [
    'properties of all features, each name once',
    '{"type":"F","features":[{"type":"f","properties":{"a":1,"b":"x"},"geometry":null},{"properties":{"b":2,"c":3}}]}',
    4 + 3,
  ],
  ['what is nested as one', '{"properties":{"a":{"x":1,"y":{"z":[{"w":1}]}},"b":[{"v":1}]}}', 1 + 2],
  ['quotes and backslashes in names', String.raw`{"properties":{"a\"":1,"b\\":2,"c\\\"":3,"d":"\\"}}`, 1 + 4],
  ['values that look like names', '{"properties":{"a":"properties","b":"{\\"c\\":1"}}', 1 + 2],
  ['a feature per line', '{"properties":{"a":1}}\n{"properties":{"b":1}}\n', 1 + 2],
];

describe('counting columns of GeoJSON', () => {
  test.each(JSON_COUNTS)('takes %s, wherever the file is cut', (_what, text, count) => {
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const counter = makeJsonColumnCounter();
      counter.push(bytes.subarray(0, cut));
      counter.push(bytes.subarray(cut));
      expect(counter.push(Buffer.alloc(0)), `cut at ${cut}`).toBe(count);
    }
  });
});

test.each([
  ['{"geometry":{"type":"Point","coordinates":[1,2,3]}}', true],
  ['{"geometry":{"type":"Point","coordinates":[1,2]}}', false],
  ['{"geometry":{"type":"Polygon","coordinates":[[[1,2],[3,4],[5,6],[1,2]]]},"bbox":[1,2,5,6]}', false],
  ['{"geometry":{"type":"Polygon","coordinates":[[[1,2],[3,4],[5,6, 7.5],[1,2]]]}}', true],
  ['{"geometry":{"geometries":[{"coordinates":[1,2]},{"coordinates":[[1,2,3],[1,2,3]]}]}}', true],
  ['{"properties":{"coordinates":[1,2,3]},"geometry":{"coordinates":[1,2]}}', false],
  ['{"features":[{"geometry":null},{"geometry":{"coordinates":[1,2]}},{"x":[1,2,3]}]}', false],
])('that %s has heights is %s, wherever it is cut', (text, has) => {
  for (let cut = 0; cut <= text.length; cut += 1) {
    const counter = makeJsonColumnCounter();
    counter.push(Buffer.from(text.slice(0, cut)));
    counter.push(Buffer.from(text.slice(cut)));
    expect(counter.hasHeights, `cut at ${cut}`).toBe(has);
  }
});

test.each([
  ['{"properties":{"a":1}}{"properties":{"a":"x"}}', ['a']],
  ['{"properties":{"a":"x"}}{"properties":{"a":[1]}}', ['a']],
  ['{"properties":{"a":{"b":"x"}}}{"properties":{"a":"x","b":-1.5e3}}', ['a']],
  ['{"properties":{"a":true,"b":"x"}}{"properties":{"a":"true","b":null}}', ['a']],
  ['{"properties":{"a":1,"b":["x"],"c":{"d":"x","e":2}}}{"properties":{"a":null,"b":[1],"c":{"d":3,"e":"y"}}}', []],
  ['{"id":"x","properties":{"id":1}}{"id":2,"properties":{"id": 5}}', []],
  [String.raw`{"properties":{"Stra\u00dfe \"1\"": 1}}{"properties":{"Stra\u00dfe \"1\"" : "x"}}`, ['Straße "1"']],
])('properties of %s that are a text and something else are %j, wherever it is cut', (text, mixed) => {
  for (let cut = 0; cut <= text.length; cut += 1) {
    const counter = makeJsonColumnCounter();
    counter.push(Buffer.from(text.slice(0, cut)));
    counter.push(Buffer.from(text.slice(cut)));
    expect(counter.mixed, `cut at ${cut}`).toEqual(mixed);
  }
});

test.each([
  ['<a><b/><b x=">"/><c><b></b></c></a>  padding', 4],
  ['<a><!-- <x> --><![CDATA[<y>]]><?z <w>?><b/></a>  padding', 2],
  ["<a><b t='/>'>1</b><b/></a>  padding", 2],
])('the paths of %s are counted, wherever it is cut', (text, count) => {
  for (let cut = 0; cut <= text.length; cut += 1) {
    const counter = makeXmlPathCounter();
    counter.push(text.slice(0, cut));
    expect(counter.push(text.slice(cut)), `cut at ${cut}`).toBe(count);
  }
});

test.each([
  ['<a/>', true],
  ['<?xml version="1.0"?>\n<!-- <!DOCTYPE --> <a>', true],
  ['<a><![CDATA[<!DOCTYPE html>]]></a>', true],
  ['<!DOCTYPE a><a/>', false],
  ['<?xml?><!--x--><?y?> <!doctype a><a/>', false],
  ['<!-- <a>', false],
  ['x<a/>', false],
  ['<\0a/>', false],
])('that %j begins as it may is %s', (text, may) => {
  expect(checkXmlProlog(text).ok).toBe(may);
});

test.each([
  ['CREATE TABLE t (a VARCHAR(20), b TEXT CHECK (length(b) < 5))', undefined],
  ['CREATE UNIQUE INDEX i ON t (lower(a))', undefined],
  ['CREATE VIRTUAL TABLE "rtree_t_geom" USING rtree(id, minx, maxx, miny, maxy)', undefined],
  ['CREATE TABLE "import_log"(a)', undefined],
  ['CREATE TABLE [a;b] (x)', undefined],
  ['create virtual table x using csv(filename=1)', 'the virtual table "x" (csv)'],
  ['CREATE VIRTUAL TABLE IF NOT EXISTS main."a b" USING fts5(x)', 'the virtual table "a b" (fts5)'],
  ['CREATE TEMP VIEW v AS SELECT 1', 'a statement that begins with "CREATE TEMP VIEW"'],
  ["CREATE INDEX i ON t ('load_extension'(a))", 'a call of load_extension in "i"'],
  ['CREATE VIEW st_geometry_columns AS SELECT readfile(1)', 'the view "st_geometry_columns"'],
  ['CREATE VIEW st_spatial_ref_sys AS SELECT srs_id FROM gpkg_spatial_ref_sys', undefined],
])('of the schema %s is found %s', (statement, fault) => {
  expect(sqliteSchemaFault([statement])).toBe(fault);
});

test('a schema of quotes without an end takes as many steps as it has characters', () => {
  // Twice as long, twice as many: what took the square would not come to an end here.
  for (const sign of ["'", '"', '[', '`', '/*', '--', '*']) {
    expect(sqliteSchemaFault([`CREATE TABLE t (${sign.repeat(400_000)}`])).toBe(undefined);
  }
});
