// The sentences of the document, in the languages it speaks. Descriptions of fields are in English in all of them.

export const TEXTS = {
  title: { en: 'Geospatial content portal', de: 'Portal für räumliche Inhalte' },
  description: {
    en: 'Layers, maps, documents, geoapps, geostories, users, groups and uploads, with their permissions.',
    de: 'Layer, Karten, Dokumente, Geoapps, Geostories, Konten, Gruppen und Uploads, mit ihren Berechtigungen.',
  },
  list: { en: 'List', de: 'Liste' },
  create: { en: 'Create one or several', de: 'Einen oder mehrere anlegen' },
  changeMany: { en: 'Change several', de: 'Mehrere ändern' },
  deleteMany: { en: 'Delete several', de: 'Mehrere löschen' },
  read: { en: 'One record', de: 'Ein Datensatz' },
  replace: { en: 'Replace', de: 'Ersetzen' },
  change: { en: 'Change', de: 'Ändern' },
  delete: { en: 'Delete', de: 'Löschen' },
  setThumbnail: { en: 'Choose its small picture', de: 'Ihr kleines Bild wählen' },
  deleteThumbnail: {
    en: 'Take its chosen picture away: the drawn one is shown again',
    de: 'Ihr gewähltes Bild entfernen: Das gezeichnete wird wieder gezeigt',
  },
  metadata: { en: 'What is known about it, for other catalogues', de: 'Was darüber bekannt ist, für andere Kataloge' },
  rules: {
    en: 'Rules for requests of the map client; there are none',
    de: 'Regeln für Anfragen des Kartenklienten; es gibt keine',
  },
  whoAmI: { en: 'Claims about who is signed in', de: 'Angaben über die angemeldete Person' },
  related: { en: 'What is related to it', de: 'Was dazu gehört' },
  prefer: {
    en: '`return=representation`: answer with the changed records beside `meta`, as `include[]` and `exclude[]` in the query do, too. `return=minimal`: answer without them. `handling=strict`: refuse members that no field has, instead of ignoring them.',
    de: '`return=representation`: mit den geänderten Datensätzen neben `meta` antworten, wie auch bei `include[]` und `exclude[]` in der Abfrage. `return=minimal`: ohne sie antworten. `handling=strict`: Angaben, für die es kein Feld gibt, ablehnen statt übergehen.',
  },
  patchAll: {
    en: '`true` or `1`: change everything that passes the filters, one by one; `query`: in one statement. The body is then one object.',
    de: '`true` oder `1`: alles ändern, was die Filter durchlassen, eines nach dem anderen; `query`: in einer Anweisung. Der Inhalt ist dann ein Objekt.',
  },
} as const;
