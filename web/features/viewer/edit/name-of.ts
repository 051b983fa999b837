// What a feature of an edit session is called.

import type { EditFeature } from '../../../lib/edit/edit-session.ts';
import type { useText } from '../../../lib/i18n/text.ts';

export function nameOf({ stored, key }: EditFeature, t: ReturnType<typeof useText>): string {
  return stored === undefined ? t('edit.new', { n: key.slice(1) }) : t('edit.feature', { id: String(stored.id) });
}
