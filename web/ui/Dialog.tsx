// A dialog over the page. The browser keeps the focus in it and gives it back; to a button that is switched off just now, it is given when that is over.

import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useText } from '../lib/i18n/text.ts';
import { IconButton } from './Button.tsx';

const FIRST_QUESTION = '.content :is(input:not([readonly]), select, textarea)';

export function Dialog({
  title,
  onClose,
  wide = false,
  footer,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}) {
  const t = useText();
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Closed before it is taken out of the page: only then the browser gives the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    if (dialog !== null && !dialog.open) dialog.showModal();
    // A form begins with its first question; on a phone that would cover half of it with a keyboard.
    if (window.matchMedia('(pointer: fine)').matches) dialog?.querySelector<HTMLElement>(FIRST_QUESTION)?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLButtonElement) requestAnimationFrame(() => giveBack(before));
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Some browsers close it without asking when Escape is pressed twice; whether it closes is for its owner to say.
      onClose={() => {
        if (ref.current === null || ref.current.open) return;
        ref.current.showModal();
        onClose();
      }}
    >
      <div className="inside">
        <header>
          <h2 id={heading}>{title}</h2>
          <IconButton icon="close" name={t('action.close')} onClick={onClose} />
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        <section className="content" tabIndex={0} aria-labelledby={heading}>
          {children}
        </section>
        {footer !== undefined && <footer>{footer}</footer>}
      </div>
    </dialog>
  );
}

/** What was confirmed is under way, and the button that asked for it waits: the focus is its again when it can be pressed, unless the person has gone on. */
function giveBack(button: HTMLButtonElement): void {
  // A button that is switched off keeps the focus until the next frame, and loses it then.
  const isNowhere = (): boolean =>
    button.isConnected && (document.activeElement === document.body || document.activeElement === button);
  if (!isNowhere()) return;
  if (!button.disabled) {
    button.focus();
    return;
  }
  const waiting = new MutationObserver(() => {
    if (button.disabled) return;
    waiting.disconnect();
    if (isNowhere()) button.focus();
  });
  waiting.observe(button, { attributeFilter: ['disabled'] });
}
