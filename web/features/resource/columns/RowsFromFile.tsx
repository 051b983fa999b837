// Rows of a layer from a file: added to those it has, or in place of them. The import is followed here, and says what it changed.

import { useEffect, useRef, useState } from 'react';
import { send } from '../../../api/client.ts';
import type { Failure } from '../../../api/failure.ts';
import { sendUpload } from '../../../api/send-upload.ts';
import type { Layer } from '../../../api/types.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { type Bundle, groupFiles, sniffBundle } from '../../../lib/sniff-upload.ts';
import { useUnsaved } from '../../../lib/unsaved.ts';
import { useBusy } from '../../../lib/use-pending.ts';
import { Button } from '../../../ui/Button.tsx';
import { Wrong } from '../../../ui/States.tsx';
import { mayBeSent } from '../../upload/BundleCard.tsx';
import { CrsField } from '../../upload/CrsField.tsx';
import { DropZone } from '../../upload/DropZone.tsx';
import { ImportCard } from '../../upload/ImportCard.tsx';
import { ProgressBar } from '../../upload/ProgressBar.tsx';
import { TableLook } from '../../upload/TableLook.tsx';
import { useTablePreview } from '../../upload/use-table-preview.ts';
import { KeptData } from './KeptData.tsx';
import '../../upload/upload.css';

type Mode = 'append' | 'replace';

export function RowsFromFile({ layer, onChanged }: { readonly layer: Layer; readonly onChanged: () => void }) {
  const t = useText();
  const [bundle, setBundle] = useState<Bundle>();
  const [mode, setMode] = useState<Mode>('append');
  const [share, setShare] = useState<number>();
  const [isWaiting, setWaiting] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [upload, setUpload] = useState<number>();
  const [round, setRound] = useState(0);
  const table = useTablePreview(bundle);
  const [isBusy, during] = useBusy();
  const gone = useRef(new AbortController());
  useEffect(() => () => gone.current.abort(), []);
  useUnsaved(bundle !== undefined && share === undefined);
  const take = async (files: readonly File[]): Promise<void> => {
    const [first] = await Promise.all(groupFiles(files).map(sniffBundle));
    setFailure(undefined);
    setBundle(first);
  };
  const submit = async (form: FormData): Promise<void> => {
    if (bundle === undefined) return;
    setFailure(undefined);
    if (!(await during(table.check()))) return;
    setShare(0);
    gone.current = new AbortController();
    const crs = String(form.get('crs') ?? '').trim();
    const fields = { charset: 'UTF-8', missing: 'ask', ...table.fields(), ...(crs === '' ? {} : { crs }) };
    const address = `/api/v2/layers/${layer.pk}/${mode}/`;
    const reply = await sendUpload(
      bundle.files,
      bundle.main,
      fields,
      { onProgress: setShare, onWaiting: setWaiting, signal: gone.current.signal },
      address,
    );
    setShare(undefined);
    if (!reply.ok) return setFailure(reply.error);
    table.remember();
    setBundle(undefined);
    setUpload(reply.value.upload_id);
  };
  const forget = async (id: number): Promise<void> => {
    await send('DELETE', `/upload/delete/${id}`);
    setUpload(undefined);
  };
  const isReady = bundle !== undefined && mayBeSent(bundle) && bundle.format !== 'document';
  return (
    <section className="stack" aria-label={t('rows-from-file.title')}>
      <h2>{t('rows-from-file.title')}</h2>
      <p className="soft">{t('rows-from-file.lead')}</p>
      {upload !== undefined && (
        <ImportCard
          id={upload}
          onForget={() => void forget(upload)}
          onDone={() => {
            setRound((count) => count + 1);
            onChanged();
          }}
          isInto
        />
      )}
      {bundle === undefined ? (
        <DropZone onFiles={(files) => void take(files)} />
      ) : (
        <form
          className="panel stack"
          aria-label={bundle.main.name}
          onSubmit={(event) => {
            event.preventDefault();
            void submit(new FormData(event.currentTarget));
          }}
        >
          <h3>{bundle.main.name}</h3>
          {!isReady && <p className="notice bad">{t('add.unknown')}</p>}
          <Wrong failure={failure} />
          {isReady && (
            <fieldset className="sharing-choice">
              <legend>{t('rows-from-file.mode')}</legend>
              {(['append', 'replace'] as const).map((known) => (
                <div key={known} className="sharing-option">
                  <label className="check">
                    <input type="radio" name="mode" checked={mode === known} onChange={() => setMode(known)} />
                    {t(`rows-from-file.${known}`)}
                  </label>
                  <p className="soft small-text">{t(`rows-from-file.${known}-text`)}</p>
                </div>
              ))}
            </fieldset>
          )}
          {isReady && <p className="soft">{t('rows-from-file.kept')}</p>}
          {isReady && bundle.needsCrs && <CrsField hint={t('add.crs-hint')} />}
          {isReady && <TableLook table={table} />}
          {share !== undefined && <ProgressBar share={share} label={t(isWaiting ? 'add.offline' : 'add.sending')} />}
          <div className="row">
            <Button
              onClick={() => {
                if (share === undefined) table.drop();
                setBundle(undefined);
              }}
            >
              {t('action.remove')}
            </Button>
            {isReady && (
              <Button
                look={mode === 'replace' ? 'danger' : 'primary'}
                type="submit"
                icon="upload"
                disabled={share !== undefined || isBusy || table.isLooking}
              >
                {t(`rows-from-file.${mode}-button`)}
              </Button>
            )}
          </div>
        </form>
      )}
      <KeptData key={round} layer={layer} onChanged={onChanged} />
    </section>
  );
}
