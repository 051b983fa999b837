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
  recalculateExtent: {
    en: 'Compute its extent from its rows',
    de: 'Seine Ausdehnung aus seinen Zeilen berechnen',
  },
  timeSeries: { en: 'Its time dimension', de: 'Seine Zeitdimension' },
  setTimeSeries: { en: 'Switch its time dimension on or off', de: 'Seine Zeitdimension ein- oder ausschalten' },
  link: { en: 'Link it to other items', de: 'Mit anderen Einträgen verknüpfen' },
  unlink: { en: 'Take links away', de: 'Verknüpfungen lösen' },
  metadata: { en: 'What is known about it, for other catalogues', de: 'Was darüber bekannt ist, für andere Kataloge' },
  copy: {
    en: 'Make a new item like this one, the caller’s own; layers are not copied',
    de: 'Ein neues Objekt wie dieses anlegen, das dem Aufrufer gehört; Layer werden nicht kopiert',
  },
  columns: {
    en: 'Columns of the layer’s table, for who manages it',
    de: 'Spalten der Tabelle, für die Verwaltung des Layers',
  },
  addColumn: { en: 'Add a column', de: 'Eine Spalte hinzufügen' },
  renameColumn: {
    en: 'Rename a column, also in the layer’s styles and history',
    de: 'Eine Spalte umbenennen, auch in Stilen und Verlauf des Layers',
  },
  dropColumn: {
    en: 'Drop a column; its values are kept for 30 days',
    de: 'Eine Spalte entfernen; ihre Werte werden 30 Tage aufgehoben',
  },
  columnUses: { en: 'What uses the column', de: 'Was die Spalte verwendet' },
  restoreColumn: { en: 'Put a dropped column back', de: 'Eine entfernte Spalte wiederherstellen' },
  joins: {
    en: 'Tables that are joined to the layer, for who manages it',
    de: 'Tabellen, die mit dem Layer verbunden sind, für die Verwaltung des Layers',
  },
  addJoin: {
    en: 'Join a table by a key: its values are copied into new columns of the layer',
    de: 'Eine Tabelle über einen Schlüssel verbinden: ihre Werte kommen in neue Spalten des Layers',
  },
  previewJoin: {
    en: 'How well the keys of a layer and a table fit; nothing is changed',
    de: 'Wie gut die Schlüssel eines Layers und einer Tabelle passen; nichts wird geändert',
  },
  refreshJoin: {
    en: 'Copy the values of a joined table again',
    de: 'Die Werte einer verbundenen Tabelle erneut übernehmen',
  },
  forgetJoin: {
    en: 'Forget that the values came from a table; they stay in the layer',
    de: 'Vergessen, dass die Werte aus einer Tabelle kamen; sie bleiben im Layer',
  },
  databaseTables: {
    en: 'Tables and views of the database besides the portal, for administrators',
    de: 'Tabellen und Sichten der Datenbank neben dem Portal, für die Administration',
  },
  registerTable: {
    en: 'Register a table or view of the database as a layer; nothing is copied',
    de: 'Eine Tabelle oder Sicht der Datenbank als Layer eintragen; nichts wird kopiert',
  },
  keptData: {
    en: 'Data of the layer from before files replaced or added to them, kept for 30 days',
    de: 'Daten des Layers, bevor Dateien sie ersetzt oder ergänzt haben, 30 Tage aufgehoben',
  },
  restoreData: {
    en: 'Undo a replacement or addition: the rows that were there come back, or those that came go',
    de: 'Ein Ersetzen oder Hinzufügen rückgängig machen: frühere Zeilen kommen zurück, oder hinzugekommene gehen',
  },
  layerHistory: {
    en: 'Who changed which row of the layer when, the newest first; for who may read its rows',
    de: 'Wer wann welche Zeile des Layers geändert hat, das Neueste zuerst; für alle, die seine Zeilen lesen dürfen',
  },
  undoEdit: {
    en: 'Undo one edit, as a new edit, unless the row was changed since',
    de: 'Eine Änderung rückgängig machen, als neue Änderung, sofern die Zeile seither nicht geändert wurde',
  },
  emptyLayer: {
    en: 'Make a new layer without features, or a table, from a form: columns, geometry, coordinate system',
    de: 'Einen neuen leeren Layer oder eine Tabelle aus einem Formular anlegen: Spalten, Geometrie, Koordinatensystem',
  },
  rules: {
    en: 'Rules for requests of the map client; there are none',
    de: 'Regeln für Anfragen des Kartenklienten; es gibt keine',
  },
  listOfOld: {
    en: 'The list in the form of API v1, for reading',
    de: 'Die Liste in der Form von API v1, zum Lesen',
  },
  uploadEvents: {
    en: 'How far an upload is, told with every change as a server-sent event until it ends',
    de: 'Wie weit ein Upload ist, mit jeder Änderung als Server-sent Event, bis er endet',
  },
  metadataForm: {
    en: 'Metadata as a form: its JSON Schema, the values of an item, and what can be entered',
    de: 'Metadaten als Formular: sein JSON-Schema, die Werte eines Objekts und was eingegeben werden kann',
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
  catalogueService: {
    en: 'The catalogue, for programs that search catalogues',
    de: 'Der Katalog, für Programme, die Kataloge durchsuchen',
  },
  byParameters: {
    en: 'A service of OGC by parameters or in XML; its capabilities describe it',
    de: 'Ein Dienst des OGC über Parameter oder in XML; seine Capabilities beschreiben ihn',
  },
  remoteService: {
    en: 'What a service of somebody else offers, read from its address: WMS, WMTS, WFS, OGC API, ArcGIS, CSW, STAC, GeoNode, or tiles by {z}, {x} and {y}',
    de: 'Was ein fremder Dienst anbietet, aus seiner Adresse gelesen: WMS, WMTS, WFS, OGC API, ArcGIS, CSW, STAC, GeoNode, oder Kacheln nach {z}, {x} und {y}',
  },
  remoteServices: { en: 'Services of others that are registered', de: 'Fremde Dienste, die eingetragen sind' },
  addRemoteService: {
    en: 'Register a service by its address; `every_hours` is how often it is asked again',
    de: 'Einen Dienst über seine Adresse eintragen; `every_hours` sagt, wie oft er wieder gefragt wird',
  },
  remoteServiceRead: {
    en: 'A service with what it offers, and which layer of the catalogue each is',
    de: 'Ein Dienst mit dem, was er anbietet, und welche Ebene des Katalogs es jeweils ist',
  },
  setRemoteService: { en: 'Change how often it is asked', de: 'Ändern, wie oft er gefragt wird' },
  dropRemoteService: {
    en: 'Take it off the list; its layers stay in the catalogue',
    de: 'Von der Liste nehmen; seine Ebenen bleiben im Katalog',
  },
  harvestRemoteService: { en: 'Ask it now what it offers', de: 'Jetzt fragen, was er anbietet' },
  addRemoteLayers: {
    en: 'Make layers of the catalogue of what it offers, each once; null for what it does not offer',
    de: 'Ebenen des Katalogs aus seinem Angebot machen, jede einmal; null für das, was er nicht anbietet',
  },
  remoteTile: {
    en: 'A tile of a layer of somebody else’s service, in the grid of web maps',
    de: 'Eine Kachel einer Ebene eines fremden Dienstes, im Raster der Webkarten',
  },
  remoteLegend: { en: 'The legend of such a layer', de: 'Die Legende einer solchen Ebene' },
  remotePicture: {
    en: 'The picture that such a layer is, for kind image',
    de: 'Das Bild, das eine solche Ebene ist, für kind image',
  },
  remoteFeatures: {
    en: 'Features of such a layer in a box, 1000 at most',
    de: 'Objekte einer solchen Ebene in einem Rechteck, höchstens 1000',
  },
  remoteInfo: { en: 'What such a layer has at a place', de: 'Was eine solche Ebene an einem Ort hat' },
  remoteFailed: {
    en: 'The service did not answer, or with something else',
    de: 'Der Dienst hat nicht geantwortet, oder mit etwas anderem',
  },
  whoAmI: { en: 'Claims about who is signed in', de: 'Angaben über die angemeldete Person' },
  schema: { en: 'This document', de: 'Dieses Dokument' },
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
