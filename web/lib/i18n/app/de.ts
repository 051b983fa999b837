import type { en } from './en.ts';

export const de: Readonly<Record<keyof typeof en, string>> = {
  'app.content': 'Inhalt',
  'app.empty': 'Dieses Dashboard hat noch keinen Inhalt.',
  'app.data': 'Inhalt (JSON)',
  'app.data-hint':
    'Die Einstellungen eines Kartenbetrachters erscheinen als Karte, eine Geschichte als Geschichte; alles andere als Liste.',
  'app.not-json': 'Das ist kein JSON: {reason}',
  'app.take-map': 'Eine Karte übernehmen',
  'app.preview': 'So sehen es die Leser',
  'app.layers-missing.one': '{n} Ebene dieses Dashboards ist nicht mehr da oder nicht mit Ihnen geteilt.',
  'app.layers-missing.other': '{n} Ebenen dieses Dashboards sind nicht mehr da oder nicht mit Ihnen geteilt.',
  'data.entries.one': '{n} Eintrag',
  'data.entries.other': '{n} Einträge',
  'data.more': '{n} weitere werden nicht gezeigt',
  'data.yes': 'Ja',
  'data.no': 'Nein',
  'data.nothing': 'nichts',
};
