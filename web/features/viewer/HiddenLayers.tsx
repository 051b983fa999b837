// That a map has layers which are not shared with whoever looks at it; how many, and nothing else.

import { useText } from '../../lib/i18n/text.ts';
import { Icon } from '../../ui/Icon.tsx';

export function HiddenLayers({ hidden, shown }: { readonly hidden: number; readonly shown: number }) {
  const t = useText();
  if (hidden === 0) return null;
  return (
    <p className="notice small-text">
      <Icon name="lock" />
      <span>{t.count('viewer.hidden-layers', hidden, { total: hidden + shown })}</span>
    </p>
  );
}
