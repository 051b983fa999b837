// A dialog over the page. The browser keeps the focus in it and gives it back.

import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useText } from '../lib/i18n/text.ts';
import { IconButton } from './Button.tsx';

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
  useEffect(() => {
    const dialog = ref.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
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
