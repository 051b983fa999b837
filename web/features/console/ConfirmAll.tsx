// A question before a request that changes or deletes every row of a table, with how many that are.

import { useEffect, useState } from 'react';
import { countRows } from '../../api/rest.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Waiting } from '../../ui/States.tsx';

export function ConfirmAll({
  table,
  method,
  onConfirm,
  onClose,
}: {
  readonly table: string;
  readonly method: 'PATCH' | 'DELETE';
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const { user } = useSession();
  const isSignedIn = user !== null && user !== undefined;
  const [counted, setCounted] = useState<{ readonly n: number | undefined }>();
  useEffect(() => {
    const gone = new AbortController();
    void countRows(table, isSignedIn, gone.signal).then((n) => {
      if (!gone.signal.aborted) setCounted({ n });
    });
    return () => gone.abort();
  }, [table, isSignedIn]);
  const what = method === 'DELETE' ? 'console.delete-all' : 'console.change-all';
  return (
    <Dialog
      title={t('console.no-filter')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            look="danger"
            icon={method === 'DELETE' ? 'trash' : 'edit'}
            disabled={counted === undefined}
            onClick={onConfirm}
          >
            {t(`${what}-button`)}
          </Button>
        </>
      }
    >
      {counted === undefined ? (
        <Waiting />
      ) : (
        <div className="stack tight" role="status">
          <p>
            <strong>
              {counted.n === undefined ? t(`${what}-uncounted`, { table }) : t.count(what, counted.n, { table })}
            </strong>
          </p>
          <p className="soft">{t('console.no-way-back')}</p>
        </div>
      )}
    </Dialog>
  );
}
