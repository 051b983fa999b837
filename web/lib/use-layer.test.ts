import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exampleFor, PROGRAMS } from './use-layer.ts';

const page = readFileSync(new URL('../../docs/programs.md', import.meta.url), 'utf8');
const RIVERS = { origin: 'http://localhost:8000', name: 'rivers', hasMap: true };

test.each(PROGRAMS)('the example for %s is that of the documentation, which is run', (program) => {
  expect(page).toContain(exampleFor(program, RIVERS));
});

test('a table without geometries has none for programs that draw', () => {
  const table = { ...RIVERS, hasMap: false };
  expect(PROGRAMS.filter((program) => exampleFor(program, table) === undefined)).toEqual(['GeoPandas', 'QGIS', 'GDAL']);
  expect(exampleFor('R', table)).toContain('rivers.csv');
});

test('names with marks in them cannot end the text they stand in', () => {
  const odd = { ...RIVERS, name: `it's "$(x)"` };
  expect(exampleFor('curl', odd)).toBe("curl 'http://localhost:8000/rest/v1/it%27s%20%22%24%28x%29%22?limit=10'");
  expect(exampleFor('DuckDB', odd)).toContain('-o it_s____x__.parquet');
  expect(exampleFor('GDAL', odd)).toContain(`'it'\\''s "$(x)"'`);
});
