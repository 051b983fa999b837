// npm run check:rows: no import goes up a row. Prints every one that does, with its place.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { complaint } from './rows.mjs';

const src = resolve(fileURLToPath(new URL('../src', import.meta.url)));
const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

let wrong = 0;
for (const file of walk(src)) {
  // Tests may reach for whatever they test with.
  if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
  const text = readFileSync(file, 'utf8');
  for (const match of text.matchAll(IMPORT)) {
    const target = resolve(dirname(file), match[1]);
    const from = relative(src, file);
    const to = relative(src, target);
    if (to.startsWith('..')) {
      report(file, text, match, `${match[1]} is outside of src`);
      continue;
    }
    const why = complaint(from, to);
    if (why !== undefined) report(file, text, match, why);
  }
}
if (wrong > 0) {
  console.error(`${wrong} import${wrong === 1 ? '' : 's'} against the rows (see scripts/rows.mjs)`);
  process.exit(1);
}

function report(file, text, match, why) {
  wrong += 1;
  const line = text.slice(0, match.index).split('\n').length;
  console.error(`${relative(dirname(src), file)}:${line}: ${why}`);
}

function walk(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });
}
