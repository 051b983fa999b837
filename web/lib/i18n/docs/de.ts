import type { en } from './en.ts';

export const de: Readonly<Record<keyof typeof en, string>> = {
  'help.this-page': 'Zu dieser Seite',
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
  'docs.link-here': 'Link zu dieser Stelle',
  'docs.copy': 'Dieses Beispiel kopieren',
  'docs.table': 'Tabelle',
  'docs.run': 'Ausführen',
  'docs.run-again': 'Noch einmal ausführen',
  'docs.address': 'Adresse der Anfrage',
  'docs.write-title': 'Schreibendes Beispiel ausführen?',
  'docs.write-text': 'Dieses Beispiel ändert Daten dieses Portals, als {name}.',
  'docs.write-as-visitor':
    'Dieses Beispiel ändert Daten dieses Portals, wenn Besucher das dürfen. Sie sind nicht angemeldet.',
  'docs.no-such-table':
    'Die Beispiele verwenden Tabellen, die dieses Portal nicht haben muss. Setzen Sie den Namen einer eigenen in die Adresse; alle stehen hier:',
  'docs.cut': 'Die Antwort ist länger; das ist ihr Anfang.',
  'tour.title': 'Erste Schritte',
  'tour.invitation': 'Neu hier?',
  'tour.invitation-text': 'Ein kurzer Rundgang zeigt, was es gibt: finden, Karten zeichnen, hinzufügen und teilen.',
  'tour.start': 'Rundgang beginnen',
  'tour.refuse': 'Nein, danke',
  'tour.end': 'Rundgang beenden',
  'tour.next': 'Weiter',
  'tour.step': 'Schritt {n} von {of}',
  'tour.search.title': 'Finden',
  'tour.search.text':
    'Schreiben Sie, was Sie suchen: Der Katalog findet es beim Tippen, soweit es mit Ihnen geteilt ist.',
  'tour.facets.title': 'Eingrenzen',
  'tour.facets.text':
    'Filter nach Typ, Schlagwort, Region, Eigentümer, Datum und Gebiet. Sie stehen in der Adresse: So können Sie jemandem schicken, was Sie gefunden haben.',
  'tour.viewer.title': 'Eine Karte zeichnen',
  'tour.viewer.text':
    'Layer hinzufügen, ordnen und färben, ihre Zeilen ansehen, messen und drucken. Speichern macht daraus eine Karte, die andere öffnen können.',
  'tour.add.title': 'Eigene Daten hinzufügen',
  'tour.add.text': 'Legen Sie Dateien hier ab. Was daraus wird, ist privat, bis Sie es auf seiner Seite teilen.',
  'tour.api.title': 'Jeder Layer ist eine API',
  'tour.api.text':
    'Tabellen und Funktionen für Programme: Probieren Sie Anfragen hier aus und nehmen Sie sie als Code mit.',
  'tour.help.title': 'Hilfe ist immer hier',
  'tour.help.text':
    'Das Fragezeichen führt zu dem, was über die aktuelle Seite geschrieben steht, und beginnt diesen Rundgang von Neuem. Beispiele in der Dokumentation laufen in Ihrem Namen.',
};
