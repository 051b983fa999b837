// Asks before work is lost that was not saved. Who presses Enter or Escape without reading stays.

import { useEffect, useRef } from 'react';
import { useText } from '../lib/i18n/text.ts';
import { type LeaveQuestion, useLeaveQuestion } from '../lib/unsaved.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';

export function UnsavedDialog() {
  const question = useLeaveQuestion();
  return question === undefined ? null : <Asked question={question} />;
}

function Asked({ question }: { readonly question: LeaveQuestion }) {
  const t = useText();
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => stay.current?.focus(), []);
  return (
    <Dialog
      title={t('unsaved.title')}
      onClose={question.stay}
      footer={
        <>
          <Button look="danger" onClick={question.leave}>
            {t('unsaved.leave')}
          </Button>
          <Button ref={stay} look="primary" onClick={question.stay}>
            {t('unsaved.stay')}
          </Button>
        </>
      }
    >
      <p>{t('unsaved.text')}</p>
    </Dialog>
  );
}
