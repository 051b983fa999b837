import { expect, test } from 'vitest';
import { loadLanguage, makeText } from './i18n/text.ts';
import { importReason } from './import-reason.ts';

await loadLanguage('de');
const de = makeText('de');

test.each([
  [{ kind: 'empty-file', file: 'a.csv' }, 'a.csv ist leer.'],
  [
    { kind: 'bad-row', file: 'a.csv', line: 4, said: '"seven" in the column "lon" is not a coordinate.' },
    'Zeile 4 in a.csv: „seven“ in der Spalte „lon“ ist keine Koordinate. Berichtigen oder entfernen Sie sie und laden Sie die Datei noch einmal hoch.',
  ],
  [{ kind: 'unreadable', file: 'a.shp', said: 'not a shapefile' }, 'a.shp kann nicht gelesen werden: not a shapefile.'],
  [
    { kind: 'bad-archive', file: 'a.zip', fault: 'nested', member: 'b.zip' },
    'a.zip: Im Archiv ist ein weiteres Archiv (b.zip); packen Sie das zuerst aus.',
  ],
  [{ kind: 'bad-archive', file: 'a.zip', fault: 'broken' }, 'a.zip: Das Archiv ist beschädigt oder unvollständig.'],
  [
    { kind: 'bad-encoding', file: 'a.csv', charset: 'UTF-8', line: 12000 },
    'a.csv ist nicht in UTF-8 geschrieben (Zeile 12000): Wählen Sie den richtigen Zeichensatz oder speichern Sie die Datei als UTF-8.',
  ],
  [
    { kind: 'too-much-data', file: 'a.csv', limit: 5 * 1024 ** 3 },
    'a.csv enthält mehr Daten als die 5 GB, die für einen Import erlaubt sind.',
  ],
  [{ kind: 'several-datasets', file: 'a.zip', found: ['1', '2', '3', '4', '5', '6'] }, /\(1, 2, 3, 4, 5 …\)/],
])('%j is told in German', (reason, said) => {
  const told = importReason(de, reason, 'otherwise');
  if (said instanceof RegExp) expect(told).toMatch(said);
  else expect(told).toBe(said);
});

test.each([
  [undefined],
  [null],
  [{ kind: 'never-heard-of' }],
  // A sentence would have a gap.
  [{ kind: 'bad-row', file: 'a.csv' }],
  [{ kind: 'bad-archive', file: 'a.zip', fault: 'odd' }],
  [{ kind: 'constructor' }],
])('of %j the portal itself tells', (reason) => {
  expect(importReason(de, reason, 'as the portal says')).toBe('as the portal says');
});
