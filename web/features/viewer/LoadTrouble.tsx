// A mark on a layer that cannot be loaded just now, and trying again.

import { useText } from '../../lib/i18n/text.ts';
import { Button } from '../../ui/Button.tsx';

export function LoadTrouble({ text, onRetry }: { readonly text: string; readonly onRetry: () => void }) {
  const t = useText();
  return (
    <div className="small-text notice warm row apart tight">
      <span>{text}</span>
      <Button small onClick={onRetry}>
        {t('action.retry')}
      </Button>
    </div>
  );
}
