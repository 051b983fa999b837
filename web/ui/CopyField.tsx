// An address or a piece of code to be copied.

import { useId } from 'react';
import { useText } from '../lib/i18n/text.ts';
import { IconButton } from './Button.tsx';
import { say } from './toast.tsx';

export function CopyField({ label, value }: { readonly label: string; readonly value: string }) {
  const t = useText();
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="copy-row">
        <input id={id} className="input" readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
        <IconButton
          icon="copy"
          look="plain"
          name={t('action.copy-named', { name: label })}
          onClick={() => void copyText(value, t('copied'))}
        />
      </div>
    </div>
  );
}

export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Only pages reached by https may use the clipboard directly.
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  say(done);
}
