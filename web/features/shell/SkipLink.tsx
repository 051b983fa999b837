// The first thing the Tab key reaches: past the header.

import { useText } from '../../lib/i18n/text.ts';

export function SkipLink() {
  const t = useText();
  return (
    <a className="skip" href="#main">
      {t('nav.skip')}
    </a>
  );
}
