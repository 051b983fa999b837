// Texts of apps. The other languages have the same keys.

export const en = {
  'app.content': 'Content',
  'app.empty': 'This dashboard has no content yet.',
  'app.data': 'Content (JSON)',
  'app.data-hint': 'A map viewer configuration is shown as a map, a story as a story, and anything else as a list.',
  'app.not-json': 'Invalid JSON: {reason}',
  'app.take-map': 'Import a map',
  'app.preview': 'Preview for readers',
  'app.layers-missing.one': '{n} layer of this dashboard no longer exists, or is not shared with you.',
  'app.layers-missing.other': '{n} layers of this dashboard no longer exist, or are not shared with you.',
  'data.entries.one': '{n} entry',
  'data.entries.other': '{n} entries',
  'data.more': '{n} more not shown',
  'data.yes': 'Yes',
  'data.no': 'No',
  'data.nothing': 'nothing',
} as const satisfies Record<string, string>;
