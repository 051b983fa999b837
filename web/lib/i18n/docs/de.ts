import type { en } from './en.ts';

export const de: Readonly<Record<keyof typeof en, string>> = {
  'help.this-page': 'Hilfe zu dieser Seite',
  'docs.title': 'Dokumentation',
  'docs.search': 'Dokumentation durchsuchen',
  'docs.contents': 'Inhalt',
  'docs.chapter.using': 'Das Portal benutzen',
  'docs.chapter.portal': 'Dienste des Portals',
  'docs.page-in-english': 'Diese Seite gibt es nur auf Englisch.',
  'docs.section-in-english':
    'Das Folgende steht hier auf Englisch: Die Übersetzung ist noch nicht auf dem neuesten Stand.',
  'docs.chapter.rest': 'Der REST-Dienst',
  'docs.chapter.operation': 'Der Betrieb',
  'docs.results': 'In der Dokumentation gefunden',
  'docs.found.one': '{n} Stelle',
  'docs.found.other': '{n} Stellen',
  'docs.none-found': 'Nichts gefunden',
  'docs.none-found-text':
    'Versuchen Sie es mit anderen oder weniger Wörtern. Was für Programmierende und Betreiber geschrieben ist, gibt es nur auf Englisch.',
  'docs.next': 'Weiter:',
  'docs.link-here': 'Link zu diesem Abschnitt',
  'docs.copy': 'Dieses Beispiel kopieren',
  'docs.table': 'Tabelle',
  'docs.run': 'Ausführen',
  'docs.run-again': 'Erneut ausführen',
  'docs.address': 'Adresse der Anfrage',
  'docs.write-title': 'Eine schreibende Anfrage ausführen?',
  'docs.write-text': 'Dieses Beispiel ändert Daten dieses Portals, als {name}.',
  'docs.write-as-visitor':
    'Dieses Beispiel ändert Daten dieses Portals, wenn Besucher das dürfen. Sie sind nicht angemeldet.',
  'docs.no-such-table':
    'Die Beispiele verwenden Tabellen, die es in diesem Portal vielleicht nicht gibt. Setzen Sie den Namen einer Ihrer Tabellen in die Adresse; alle stehen hier:',
  'docs.cut': 'Die Antwort ist länger; das ist ihr Anfang.',
  'tour.title': 'Erste Schritte',
  'tour.invitation': 'Neu hier?',
  'tour.invitation-text': 'Ein kurzer Rundgang zeigt das Wichtigste: finden, Karten erstellen, hinzufügen und teilen.',
  'tour.start': 'Rundgang beginnen',
  'tour.refuse': 'Nein, danke',
  'tour.end': 'Rundgang beenden',
  'tour.next': 'Weiter',
  'tour.step': 'Schritt {n} von {of}',
  'tour.search.title': 'Finden',
  'tour.search.text': 'Tippen Sie einfach: Der Katalog zeigt passende Einträge, die mit Ihnen geteilt sind.',
  'tour.facets.title': 'Eingrenzen',
  'tour.facets.text':
    'Filter nach Art, Schlagwort, Region, Eigentümer, Datum und Gebiet. Sie stehen in der Adresse, sodass Sie Ihre Ergebnisse weitergeben können.',
  'tour.viewer.title': 'Eine Karte erstellen',
  'tour.viewer.text':
    'Ebenen hinzufügen, anordnen und gestalten, ihre Zeilen ansehen, messen und drucken. Gespeichert wird daraus eine Karte, die andere öffnen können.',
  'tour.add.title': 'Eigene Daten hinzufügen',
  'tour.add.text': 'Legen Sie Dateien hier ab. Was Sie hinzufügen, ist privat, bis Sie es auf seiner Seite teilen.',
  'tour.api.title': 'Jede Ebene ist eine API',
  'tour.api.text':
    'Tabellen und Funktionen für Programme: Probieren Sie Anfragen hier aus und übernehmen Sie sie als Code.',
  'tour.help.title': 'Hilfe ist immer hier',
  'tour.help.text':
    'Das Fragezeichen führt zur Dokumentation der aktuellen Seite und startet diesen Rundgang erneut. Beispiele in der Dokumentation laufen in Ihrem Namen.',
};
