// How many features are of a class or category, beside it; nothing while that is not known.

import { useText } from '../../../lib/i18n/text.ts';

export function Count({ n }: { readonly n: number | undefined }) {
  const t = useText();
  if (n === undefined) return null;
  return (
    <span className="soft number small-text" title={t.count('style.features', n)}>
      {t.number(n)}
    </span>
  );
}
