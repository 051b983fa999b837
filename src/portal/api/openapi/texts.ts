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
  facets: {
    en: 'What a search can be narrowed by: the number of items behind each value, as the caller sees them. Takes the query of the list; `page_size` is the number of values of each facet. The filters by a field do not count for its own facet.',
    de: 'Wonach sich eine Suche eingrenzen lässt: wie viele Einträge hinter jedem Wert stehen, so wie der Aufrufer sie sieht. Nimmt die Abfrage der Liste; `page_size` ist die Zahl der Werte je Facette. Filter nach einem Feld zählen für dessen eigene Facette nicht.',
  },
  levels: {
    en: 'Who may do what with it, as levels: view, download, edit, manage',
    de: 'Wer was damit darf, in Stufen: ansehen, herunterladen, bearbeiten, verwalten',
  },
  assets: { en: 'Files beside it: documents that are linked to it', de: 'Dateien daneben: verknüpfte Dokumente' },
  linked: { en: 'Items that it is linked to, and that are linked to it', de: 'Einträge, mit denen es verknüpft ist' },
  setThumbnail: { en: 'Choose its small picture', de: 'Ihr kleines Bild wählen' },
  deleteThumbnail: {
    en: 'Take its chosen picture away: the drawn one is shown again',
    de: 'Ihr gewähltes Bild entfernen: Das gezeichnete wird wieder gezeigt',
  },
  link: { en: 'Link it to other items', de: 'Mit anderen Einträgen verknüpfen' },
  unlink: { en: 'Take links away', de: 'Verknüpfungen lösen' },
  metadata: { en: 'What is known about it, for other catalogues', de: 'Was darüber bekannt ist, für andere Kataloge' },
  copy: {
    en: 'Make a new item like this one, the caller’s own; layers are not copied',
    de: 'Ein neues Objekt wie dieses anlegen, das dem Aufrufer gehört; Layer werden nicht kopiert',
  },
  rules: {
    en: 'Rules for requests of the map client; there are none',
    de: 'Regeln für Anfragen des Kartenklienten; es gibt keine',
  },
  uploadEvents: {
    en: 'How far an upload is, told with every change as a server-sent event until it ends',
    de: 'Wie weit ein Upload ist, mit jeder Änderung als Server-sent Event, bis er endet',
  },
  manyUploadEvents: {
    en: 'How far several uploads are, in one stream of server-sent events until all have ended',
    de: 'Wie weit mehrere Uploads sind, in einem Strom von Server-sent Events, bis alle zu Ende sind',
  },
  executions: {
    en: 'Uploads with how far they are: the caller’s own, all of them to administrators',
    de: 'Uploads mit ihrem Stand: die eigenen, für die Verwaltung alle',
  },
  deleteExecution: {
    en: 'Delete the record of an upload; the layer that it became stays',
    de: 'Den Eintrag eines Uploads löschen; der Layer, der daraus wurde, bleibt',
  },
  execution: {
    en: 'How far an upload is, by the `execution_id` that sending it has answered',
    de: 'Wie weit ein Upload ist, zur `execution_id`, mit der sein Absenden beantwortet wurde',
  },
  whoAmI: { en: 'Claims about who is signed in', de: 'Angaben über die angemeldete Person' },
  related: { en: 'What is related to it', de: 'Was dazu gehört' },
  page: { en: 'Number of the page, from 1.', de: 'Nummer der Seite, ab 1.' },
  pageSize: { en: 'Records of a page.', de: 'Datensätze einer Seite.' },
  ordering: {
    en: 'Fields to sort by, separated by commas; a minus sorts downwards.',
    de: 'Felder zum Sortieren, durch Kommas getrennt; ein Minus sortiert absteigend.',
  },
  sort: { en: 'A field to sort by; can be repeated.', de: 'Ein Feld zum Sortieren; kann wiederholt werden.' },
  search: { en: 'Words that all have to occur.', de: 'Wörter, die alle vorkommen müssen.' },
  searchFields: {
    en: 'Where to look for them; can be repeated. ^ begins with, = equals, $ regular expression, @ whole words.',
    de: 'Wo gesucht wird; kann wiederholt werden. ^ beginnt mit, = gleich, $ regulärer Ausdruck, @ ganze Wörter.',
  },
  filter: {
    en: 'filter{field.operator}=value, as often as wanted; a minus before the field negates.',
    de: 'filter{Feld.Operator}=Wert, beliebig oft; ein Minus vor dem Feld verneint.',
  },
  extent: {
    en: 'xmin,ymin,xmax,ymax in WGS 84; several boxes follow each other.',
    de: 'xmin,ymin,xmax,ymax in WGS 84; mehrere Rechtecke folgen aufeinander.',
  },
  include: {
    en: 'A field that is only shown on request; can be repeated.',
    de: 'Ein Feld, das nur auf Wunsch gezeigt wird; kann wiederholt werden.',
  },
  exclude: {
    en: 'A field that is not wanted; can be repeated. The records are then shorter than described here.',
    de: 'Ein Feld, das nicht gewünscht ist; kann wiederholt werden. Die Datensätze sind dann kürzer als hier beschrieben.',
  },
  sideloading: {
    en: '`true`: ids in place of related records, which stand beside the list, each once.',
    de: '`true`: Ids anstelle verknüpfter Datensätze; diese stehen neben der Liste, jeder einmal.',
  },
  prefer: {
    en: '`return=representation`: answer with the changed records beside `meta`, as `include[]` and `exclude[]` in the query do, too. `return=minimal`: answer without them. `handling=strict`: refuse members that no field has, instead of ignoring them.',
    de: '`return=representation`: mit den geänderten Datensätzen neben `meta` antworten, wie auch bei `include[]` und `exclude[]` in der Abfrage. `return=minimal`: ohne sie antworten. `handling=strict`: Angaben, für die es kein Feld gibt, ablehnen statt übergehen.',
  },
  full: {
    en: 'Anything: with the fields that are not shown otherwise.',
    de: 'Irgendetwas: mit den Feldern, die sonst nicht gezeigt werden.',
  },
  patchAll: {
    en: '`true` or `1`: change everything that passes the filters, one by one; `query`: in one statement. The body is then one object.',
    de: '`true` oder `1`: alles ändern, was die Filter durchlassen, eines nach dem anderen; `query`: in einer Anweisung. Der Inhalt ist dann ein Objekt.',
  },
  sendFiles: { en: 'Send the files of a layer', de: 'Die Dateien eines Layers senden' },
  answerQuestion: { en: 'Answer the question of an import', de: 'Die Frage eines Imports beantworten' },
  retryUpload: { en: 'Try a failed import again', de: 'Einen gescheiterten Import noch einmal versuchen' },
  uploadFinal: {
    en: 'What became of an import; what is sent along is applied while it can be',
    de: 'Was aus einem Import geworden ist; was mitgesandt wird, gilt, solange es noch geht',
  },
  uploadProgress: { en: 'How far an import is', de: 'Wie weit ein Import ist' },
  importId: { en: 'Number of the import.', de: 'Nummer des Imports.' },
  tooLarge: { en: 'More than is taken.', de: 'Mehr, als angenommen wird.' },
} as const;
