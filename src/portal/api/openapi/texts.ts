// The sentences of the document, in the languages it speaks. Descriptions of fields are in English in all of them.

export type Language = 'en' | 'de';

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
  linked: { en: 'Items that it is linked to, and that are linked to it', de: 'Einträge, mit denen es verknüpft ist' },
  setThumbnail: { en: 'Choose its small picture', de: 'Ihr kleines Bild wählen' },
  link: { en: 'Link it to other items', de: 'Mit anderen Einträgen verknüpfen' },
  unlink: { en: 'Take links away', de: 'Verknüpfungen lösen' },
  metadata: { en: 'What is known about it, for other catalogues', de: 'Was darüber bekannt ist, für andere Kataloge' },
  copy: {
    en: 'Make a new item like this one, the caller’s own; layers are not copied',
    de: 'Ein neues Objekt wie dieses anlegen, das dem Aufrufer gehört; Layer werden nicht kopiert',
  },
  crsSearch: {
    en: 'Coordinate systems by words of their name, or by their code',
    de: 'Koordinatensysteme nach Wörtern ihres Namens oder nach ihrem Code',
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
  sizeLimits: { en: 'How large files may be', de: 'Wie groß Dateien sein dürfen' },
  basemaps: {
    en: 'What maps can be drawn on, besides the packaged map of the world',
    de: 'Worauf Karten gezeichnet werden können, außer der mitgelieferten Weltkarte',
  },
  addMember: {
    en: 'Add a member, or change what a member is',
    de: 'Ein Mitglied aufnehmen, oder ändern, was es ist',
  },
  invited: {
    en: 'Invited: a member once the person has accepted',
    de: 'Eingeladen: Mitglied, sobald die Person zugesagt hat',
  },
  ownSessions: { en: 'Browsers in which one is signed in', de: 'Browser, in denen man angemeldet ist' },
  endSession: { en: 'Sign a browser out', de: 'Einen Browser abmelden' },
  endSessions: { en: 'Sign every other browser out', de: 'Alle anderen Browser abmelden' },
  ownTokens: { en: 'One’s own access tokens, without their text', de: 'Die eigenen Zugriffstoken, ohne ihren Text' },
  makeToken: {
    en: 'Make an access token for scripts; its text is in this answer alone',
    de: 'Ein Zugriffstoken für Skripte erstellen; sein Text steht nur in dieser Antwort',
  },
  revokeToken: { en: 'Revoke an access token', de: 'Ein Zugriffstoken widerrufen' },
  ownInvitations: { en: 'One’s own invitations to groups', de: 'Die eigenen Einladungen in Gruppen' },
  openInvitations: {
    en: 'Open invitations of a group, for its managers',
    de: 'Offene Einladungen einer Gruppe, für ihre Verwalter',
  },
  answerInvitation: { en: 'Accept or decline an invitation', de: 'Eine Einladung annehmen oder ablehnen' },
  withdrawInvitation: { en: 'Withdraw an invitation', de: 'Eine Einladung zurückziehen' },
  removeMember: { en: 'Remove a member', de: 'Ein Mitglied entfernen' },
  setPassword: {
    en: 'Set the password: one’s own with the old one, anybody’s as an administrator',
    de: 'Das Passwort setzen: das eigene mit dem alten, als Administrator jedes',
  },
  whoAmI: { en: 'Claims about who is signed in', de: 'Angaben über die angemeldete Person' },
  settings: {
    en: 'Switches of the publishing workflow, and of what everybody gets',
    de: 'Schalter für das Veröffentlichen, und dafür, was alle dürfen',
  },
  status: {
    en: 'How the program runs: copies, queues, failures, space; for administrators',
    de: 'Wie das Programm läuft: Instanzen, Warteschlangen, Fehler, Speicherplatz; für Administratoren',
  },
  storage: {
    en: 'Who uses how much space, and may: administrators see everybody, others themselves',
    de: 'Wer wie viel Speicherplatz belegt und darf: Administratoren sehen alle, andere sich selbst',
  },
  setQuota: {
    en: 'Set how much space an account may use (0: no limit, null: as the settings say); for administrators',
    de: 'Setzen, wie viel Platz ein Konto belegen darf (0: unbegrenzt, null: wie eingestellt); für Administratoren',
  },
  mode: {
    en: 'The mode of service (normal, read-only, maintenance) and its message',
    de: 'Der Betriebszustand (normal, nur lesend, Wartung) und seine Mitteilung',
  },
  setMode: {
    en: 'Set the mode of service; for administrators, in any mode',
    de: 'Den Betriebszustand setzen; für Administratoren, in jedem Zustand',
  },
  audit: {
    en: 'The audit log, newest first; for administrators',
    de: 'Das Protokoll, neueste Einträge zuerst; für Administratoren',
  },
  bin: {
    en: 'What was deleted and can still be restored by the caller, newest first',
    de: 'Was gelöscht wurde und sich noch wiederherstellen lässt, Neuestes zuerst',
  },
  restore: { en: 'Restore it from the bin, as it was', de: 'Aus dem Papierkorb wiederherstellen, wie es war' },
  purge: { en: 'Delete it for ever, with its data and files', de: 'Endgültig löschen, samt Daten und Dateien' },
  usedBy: {
    en: 'Maps, stories and apps that use it; those that the caller does not see are counted. For who may delete it',
    de: 'Karten, Storys und Apps, die es verwenden; nicht sichtbare werden gezählt. Für alle, die es löschen dürfen',
  },
  versions: {
    en: 'Versions of content, description and styles, newest first; for who may change them',
    de: 'Fassungen von Inhalt, Beschreibung und Stilen, neueste zuerst; für alle, die sie ändern dürfen',
  },
  oneVersion: { en: 'One version with all that is in it', de: 'Eine Fassung mit allem, was darin steht' },
  restoreVersion: {
    en: 'Save an earlier version again; that is a new version',
    de: 'Eine frühere Fassung wieder speichern; das ist eine neue Fassung',
  },
  handOver: {
    en: 'Hand everything that the account owns to another one; for administrators',
    de: 'Alles, was dem Konto gehört, einem anderen übergeben; für Administratoren',
  },
  turnSettings: { en: 'Turn switches; for administrators', de: 'Schalter umlegen; für Administratoren' },
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
    en: '`return=minimal`: answer without the record. `return=representation`: answer with the records where several are changed, too. `handling=strict`: refuse members that no field has, instead of ignoring them.',
    de: '`return=minimal`: ohne den Datensatz antworten. `return=representation`: auch dann mit den Datensätzen antworten, wenn mehrere geändert werden. `handling=strict`: Angaben, für die es kein Feld gibt, ablehnen statt übergehen.',
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
  done: { en: 'Done.', de: 'Erledigt.' },
  wrong: { en: 'Something in the request is wrong.', de: 'Etwas an der Anfrage ist falsch.' },
  signIn: { en: 'Somebody has to sign in first.', de: 'Dafür muss man angemeldet sein.' },
  refused: { en: 'Not allowed to this account.', de: 'Diesem Konto nicht erlaubt.' },
  missing: { en: 'Not there, or not for this account.', de: 'Nicht da, oder nicht für dieses Konto.' },
} as const;

/** `de-AT` is German; what nobody speaks here is English. */
export function languageOf(asked: string | undefined): Language {
  return asked !== undefined && /^de\b/i.test(asked) ? 'de' : 'en';
}
