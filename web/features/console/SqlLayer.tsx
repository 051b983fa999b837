// The rows of a statement as a layer, or a table where none of its columns is a shape: all of them, not only those that are shown. A job, shown as an
// import is.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Wrong } from '../../ui/States.tsx';
import { ImportCard } from '../upload/ImportCard.tsx';
import '../upload/upload.css';

const PROCESS: string = 'sql';

export function SqlLayer({ statement }: { readonly statement: string }) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const [title, setTitle] = useState('');
  const [job, setJob] = useState<number>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const begin = async (): Promise<void> => {
    const body = { inputs: { statement }, title: title.trim() };
    const reply = await during(send('POST', `/ogc/processes/${PROCESS}/execution`, { body }));
    setFailure(reply.ok ? undefined : reply.error);
    if (reply.ok) setJob(reply.value.upload);
  };
  const close = (): void => {
    setOpen(false);
    setJob(undefined);
    setFailure(undefined);
  };
  return (
    <>
      <Button icon="layer" onClick={() => setOpen(true)}>
        {t('sql.layer')}
      </Button>
      {isOpen && (
        <Dialog title={t('sql.layer-title')} onClose={close}>
          {job !== undefined ? (
            <ImportCard
              id={job}
              isNew
              onForget={() => {
                void send('DELETE', `/upload/delete/${job}`).then(close);
              }}
            />
          ) : (
            <form
              className="stack"
              onSubmit={(event) => {
                event.preventDefault();
                void begin();
              }}
            >
              <p>{t('sql.layer-about')}</p>
              <Field label={t('meta.title')}>
                {(wired) => (
                  <input
                    {...wired}
                    className="input"
                    required
                    maxLength={255}
                    value={title}
                    onChange={(event) => setTitle(event.target.value)}
                  />
                )}
              </Field>
              <Wrong failure={failure} />
              <div className="row">
                <Button look="primary" type="submit" disabled={isBusy || title.trim() === ''}>
                  {t('sql.layer-make')}
                </Button>
              </div>
            </form>
          )}
        </Dialog>
      )}
    </>
  );
}
