import type { en } from './en.ts';

export const de: Readonly<Record<keyof typeof en, string>> = {
  'app.content': 'Inhalt',
  'app.empty': 'Dieses Dashboard hat noch keinen Inhalt.',
  'app.data': 'Inhalt (JSON)',
  'app.data-hint':
    'Die Konfiguration einer Kartenansicht wird als Karte gezeigt, eine Geschichte als Geschichte, alles andere als Liste.',
  'app.not-json': 'Kein gültiges JSON: {reason}',
  'app.take-map': 'Eine Karte übernehmen',
  'app.preview': 'Vorschau für Leser',
  'app.layers-missing.one': '{n} Ebene dieses Dashboards gibt es nicht mehr, oder sie ist nicht mit Ihnen geteilt.',
  'app.layers-missing.other': '{n} Ebenen dieses Dashboards gibt es nicht mehr, oder sie sind nicht mit Ihnen geteilt.',
  'data.entries.one': '{n} Eintrag',
  'data.entries.other': '{n} Einträge',
  'data.more': '{n} weitere werden nicht gezeigt',
  'data.yes': 'Ja',
  'data.no': 'Nein',
  'data.nothing': 'nichts',
};
