// A dialog with a form: save and cancel in its footer, and the form handed over when it is saved.

import { type ReactNode, useId } from 'react';
import { useText } from '../lib/i18n/text.ts';
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
        onChange={(event) => onChange?.(new FormData(event.currentTarget))}
        onSubmit={(event) => {
          event.preventDefault();
          void onSave(new FormData(event.currentTarget));
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}
