// Undoing and redoing, by buttons and by keys.

import type { KeyboardEvent } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import type { Undoable } from '../../lib/undo.ts';
import { IconButton } from '../../ui/Button.tsx';

type Act = (action: { readonly kind: 'undo' | 'redo' }) => void;

export function UndoButtons({ states, act }: { readonly states: Undoable<unknown>; readonly act: Act }) {
  const t = useText();
  return (
    <>
      <IconButton
        icon="undo"
        name={t('edit.undo')}
        aria-keyshortcuts="Control+Z"
        disabled={states.before.length === 0}
        onClick={() => act({ kind: 'undo' })}
      />
      <IconButton
        icon="redo"
        name={t('edit.redo')}
        aria-keyshortcuts="Control+Shift+Z"
        disabled={states.after.length === 0}
        onClick={() => act({ kind: 'redo' })}
      />
    </>
  );
}

/** Fields have their own: what is typed in them is undone letter by letter. */
export function undoKeys(act: Act): (event: KeyboardEvent) => void {
  return (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select, dialog') !== null;
    if (isTyping || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
    event.preventDefault();
    act({ kind: event.shiftKey ? 'redo' : 'undo' });
  };
}
