// Lists sections of the documentation that were changed since they were translated; the pages show these in English meanwhile.
// Usage: npm run check:docs [-- --strict]   with --strict, as a release asks, any is a failure
//        npm run check:docs -- --done docs/de/first-steps.md …   after translating: notes which English text these files are made from

import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readDocs, TRANSLATED } from '../web/docs-build/read-docs.ts';
import { staleSections } from '../web/docs-build/translate.ts';

const FOLDER = join(import.meta.dirname, '../docs');
const [mode, ...files] = process.argv.slice(2);
const { english, translations } = readDocs(FOLDER);

if (mode === '--done') for (const file of files) note(file);
else {
  const stale = TRANSLATED.flatMap((language) =>
    [...translations[language]].flatMap(([name, translation]) => {
      const doc = english.get(name);
      const ids = doc === undefined ? ['the page is gone'] : staleSections(doc, translation);
      return ids.map((id) => `docs/${language}/${name}.md: ${id}`);
    }),
  );
  if (stale.length > 0) console.log(`To be translated again:\n${stale.map((line) => `  ${line}\n`).join('')}`);
  process.exitCode = stale.length > 0 && mode === '--strict' ? 1 : 0;
}

/** Headings of the translation and of the English text stand in the same order. */
function note(file) {
  const language = basename(dirname(file));
  const name = basename(file, '.md');
  const [doc, translation] = [english.get(name), translations[language]?.get(name)];
  if (doc === undefined || translation === undefined) throw new Error(`${file} is no translation`);
  const [all, own] = [doc.sections.length, translation.sections.length];
  if (all !== own) throw new Error(`${file} has ${own} sections, the English text ${all}`);
  let [at, isCode] = [0, false];
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('<!-- en: '));
  const noted = lines.flatMap((line) => {
    if (line.startsWith('```')) isCode = !isCode;
    if (isCode || !/^#{1,4} /.test(line)) return [line];
    const { id, digest } = doc.sections[at++];
    return [line, `<!-- en: ${id} ${digest} -->`];
  });
  writeFileSync(file, noted.join('\n'));
}
