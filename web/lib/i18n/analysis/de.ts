import type { en } from './en.ts';

export const de: Readonly<Record<keyof typeof en, string>> = {
  'process.button': 'Analysieren',
  'process.title': 'Eine neue Ebene aus dieser',
  'process.which': 'Was gemacht wird',
  'process.preview': 'Vorschau',
  'process.run': 'Ebene erstellen',
  'process.private':
    'Bleibt er leer, bekommt die Ebene von selbst einen. Niemand außer Ihnen sieht sie, bis Sie sie freigeben.',
  'process.sample': 'Was aus einer Stichprobe wird',
  'process.sampled.one': '{n} Zeile aus einer Stichprobe; nichts wurde behalten.',
  'process.sampled.other': '{n} Zeilen aus einer Stichprobe; nichts wurde behalten.',
  'process.filter-hint': "Zum Beispiel population > 1000 and name like 'A%' (CQL2)",
  'process.no-column': 'Keine',
  'process.name.filter': 'Filter als Ebene',
  'process.name.buffer': 'Puffer',
  'process.name.centroids': 'Schwerpunkte',
  'process.name.dissolve': 'Auflösen',
  'process.name.clip': 'Zuschneiden',
  'process.name.intersection': 'Verschneidung',
  'process.name.spatial-join': 'Räumliche Verbindung',
  'process.name.points-in-polygons': 'Punkte in Flächen',
  'process.name.hexagons': 'Sechseckgitter mit Statistik',
  'process.name.merge': 'Ebenen zusammenführen',
  'process.about.filter': 'Die Zeilen, auf die eine Bedingung zutrifft, als eigene Ebene.',
  'process.about.buffer': 'Flächen um die Formen einer Ebene, so weit Sie sagen, in Metern auf dem Boden.',
  'process.about.centroids': 'Ein Punkt für jede Form einer Ebene: ihre Mitte oder ein Punkt, der sicher innen liegt.',
  'process.about.dissolve':
    'Formen mit demselben Wert in einer Spalte werden eine, ohne Grenzen dazwischen; oder alle zusammen.',
  'process.about.clip': 'Was von einer Ebene in den Flächen einer anderen liegt.',
  'process.about.intersection':
    'Was zwei Ebenen gemeinsam haben: eine Zeile für jedes Paar von Formen, die sich treffen, mit den Spalten beider.',
  'process.about.spatial-join':
    'Jede Zeile einer Ebene mit dem, was von einer anderen dort ist: wie viele Zeilen, Summe und Mittel einer Spalte oder die nächste Zeile.',
  'process.about.points-in-polygons':
    'Wie viele Punkte in jeder Fläche liegen, mit Summe und Mittel einer ihrer Spalten.',
  'process.about.hexagons':
    'Gleiche Zellen über einer Ebene: wie viele Formen ihre Mitte in jeder haben, und was eine Spalte dort ergibt.',
  'process.about.merge':
    'Die Zeilen mehrerer Ebenen in einer. Gleichnamige Spalten werden eine, und eine Spalte nennt die Ebene.',
  'process-input.layer': 'Ebene',
  'process-input.layers': 'Ebenen',
  'process-input.other': 'Andere Ebene',
  'process-input.mask': 'Flächen',
  'process-input.distance': 'Entfernung in Metern',
  'process-input.width': 'Breite in Metern',
  'process-input.column': 'Spalte',
  'process-input.what': 'Was gesagt wird',
  'process-input.inside': 'Immer innerhalb der Form',
  'process-input.filter': 'Nur Zeilen mit',
  'process-choice.count': 'Wie viele es sind',
  'process-choice.nearest': 'Die nächste',
  'lineage.title': 'Woraus sie gemacht wurde',
  'lineage.changed': 'Seither geändert',
  'lineage.refresh': 'Neu erstellen',
  'lineage.hidden.one': '{n} Ebene, die Sie nicht sehen',
  'lineage.hidden.other': '{n} Ebenen, die Sie nicht sehen',
};
