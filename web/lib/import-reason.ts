// Why an import failed, as the portal's data tell it → a sentence in the reader's language. Of a reason that is not known here, the
// portal's own sentence is shown. Pure.

import type { Text } from './i18n/text.ts';
import { serverMessage, sizeText } from './server-message.ts';

/** `kind` and what belongs to it: `{"kind": "bad-row", "file": "wells.csv", "line": 4, "said": "…"}`. */
export type ImportReason = { readonly kind: string } & Readonly<Record<string, unknown>>;

export function importReason(t: Text, reason: ImportReason | null | undefined, otherwise: string): string {
  if (reason === null || reason === undefined) return otherwise;
  const text = t.find(`import-failure.${keyOf(reason)}`, { ...valuesOf(t, reason), which: whichOf(t, reason) });
  // A sentence with a gap in it is worse than one in another language.
  return text === undefined || /\{\w+\}/.test(text) ? otherwise : text;
}

/** Some reasons have another sentence when more is known. */
function keyOf(reason: ImportReason): string {
  switch (reason.kind) {
    case 'bad-archive':
      return `bad-archive.${String(reason['fault'])}`;
    case 'unsupported':
      return typeof reason['what'] === 'string' ? 'unsupported-what' : 'unsupported';
    case 'bad-feature':
      return typeof reason['column'] === 'string' ? 'bad-value' : 'bad-geometry';
    case 'outside-crs':
      return typeof reason['feature'] === 'number' ? 'outside-crs-feature' : 'outside-crs';
    default:
      return reason.kind;
  }
}

/** Where in the file, if that is known: what stands in brackets behind its name. */
function whichOf(t: Text, { kind, member, layer, line }: ImportReason): string {
  const where =
    kind === 'bad-encoding' && typeof line === 'number' ? t('import-failure.line', { line }) : (member ?? layer);
  return typeof where === 'string' && where !== '' ? ` (${where})` : '';
}

function valuesOf(t: Text, reason: ImportReason): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(reason)) {
    if (Array.isArray(value)) values[name] = `${value.slice(0, 5).join(', ')}${value.length > 5 ? ' …' : ''}`;
    else if (name === 'said') values[name] = sentence(serverMessage(t, { text: String(value) }));
    else if (name === 'bytes' || (name === 'limit' && reason.kind === 'too-much-data'))
      values['size'] = sizeText(t, Number(value));
    else if (typeof value === 'number') values[name] = t.number(value, { useGrouping: false });
    else if (typeof value === 'string') values[name] = value;
  }
  return values;
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
