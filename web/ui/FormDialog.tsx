// A dialog with a form: save and cancel in its footer, and the form handed over when it is saved.

import { type ReactNode, useId, useState } from 'react';
import { useText } from '../lib/i18n/text.ts';
import { useUnsaved } from '../lib/unsaved.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';

export function FormDialog({
  title,
  wide = false,
  className = 'stack',
  isBusy,
  isReady = true,
  onClose,
  onChange,
  onSave,
  children,
}: {
  readonly title: string;
  readonly wide?: boolean;
  readonly className?: string;
  readonly isBusy: boolean;
  /** False: something is missing yet. */
  readonly isReady?: boolean;
  readonly onClose: () => void;
  readonly onChange?: (form: FormData) => void;
  readonly onSave: (form: FormData) => Promise<void>;
  readonly children: ReactNode;
}) {
  const t = useText();
  const id = useId();
  const [isChanged, setChanged] = useState(false);
  const [isSent, setSent] = useState(false);
  // Also while a session has ended: what was filled in stays. What is under way is no reason to ask whoever goes on to where it leads.
  useUnsaved(isChanged && !isSent);
  return (
    <Dialog
      title={title}
      wide={wide}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" form={id} disabled={isBusy || !isReady}>
            {isBusy ? t('action.saving') : t('action.save')}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={className}
        onChange={(event) => {
          setChanged(true);
          onChange?.(new FormData(event.currentTarget));
        }}
        onSubmit={(event) => {
          event.preventDefault();
          setSent(true);
          void onSave(new FormData(event.currentTarget)).finally(() => setSent(false));
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}
