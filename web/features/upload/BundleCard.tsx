// Files that belong together, before they are sent: what they were recognised as, and what has to be said about them.

import { useEffect, useId, useRef, useState } from 'react';
import type { Failure } from '../../api/failure.ts';
import { sendUpload } from '../../api/send-upload.ts';
import type { Permissions } from '../../api/types.ts';
import { fileSize } from '../../lib/file-size.ts';
import { useText } from '../../lib/i18n/text.ts';
import { type Bundle, hasCoordinates } from '../../lib/sniff-upload.ts';
import { isWished } from '../../lib/table-choices.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { InputField, SelectField } from '../../ui/Field.tsx';
import { Wrong } from '../../ui/States.tsx';
import { SharingChoice, useNewSharing } from '../resource/sharing/SharingChoice.tsx';
import { CrsField } from './CrsField.tsx';
import { ProgressBar } from './ProgressBar.tsx';
import { TableLook } from './TableLook.tsx';
import { useTablePreview } from './use-table-preview.ts';

export function mayBeSent({ format, missing }: Bundle): boolean {
  return format !== 'unknown' && missing.length === 0;
}

export function BundleCard({
  bundle,
  onSent,
  onRemove,
  onDocument,
}: {
  readonly bundle: Bundle;
  readonly onSent: (upload: number) => void;
  readonly onRemove: () => void;
  /** What went wrong, for the card to show. */
  readonly onDocument: (title: string, permissions: Permissions) => Promise<Failure | undefined>;
}) {
  const t = useText();
  const [share, setShare] = useState<number>();
  const [isWaiting, setWaiting] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const sharing = useNewSharing();
  const id = useId();
  const [isBusy, during] = useBusy();
  const gone = useRef(new AbortController());
  useEffect(() => () => gone.current.abort(), []);
  const isDocument = bundle.format === 'document';
  const isReady = mayBeSent(bundle);
  const isTable = bundle.format === 'csv' && !hasCoordinates(bundle.columns);
  const [isPlain, setPlain] = useState(false);
  const table = useTablePreview(bundle);
  // What is asked here is chosen there.
  const isSeen = table.preview !== undefined;
  const asksColumns = isTable && !isPlain && !isSeen && !isWished(table.wish);
  const submit = async (form: FormData): Promise<void> => {
    setFailure(undefined);
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    if (isDocument) return setFailure(await during(onDocument(text('title'), sharing.permissions)));
    if (!(await during(table.check()))) return;
    setShare(0);
    gone.current = new AbortController();
    const fields = Object.fromEntries(
      [
        ['layer_title', text('title')],
        ['abstract', text('abstract')],
        ['charset', 'UTF-8'],
        ['time', 'false'],
        ['permissions', JSON.stringify(sharing.permissions)],
        ['crs', text('crs')],
        ['x', text('x')],
        ['y', text('y')],
        ['places', isTable && isPlain && !isSeen ? 'none' : ''],
        ...Object.entries(table.fields()),
      ].filter(([, value]) => value !== ''),
    ) as Record<string, string>;
    const reply = await sendUpload(bundle.files, bundle.main, fields, {
      onProgress: setShare,
      onWaiting: setWaiting,
      signal: gone.current.signal,
    });
    if (reply.ok) {
      table.remember();
      return onSent(reply.value.upload_id);
    }
    setShare(undefined);
    setFailure(reply.error);
  };
  return (
    <form
      className="panel stack upload-card"
      aria-label={bundle.main.name}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      <div className="row apart">
        <div>
          <h3>{bundle.main.name}</h3>
          <p className="soft small-text">
            {bundle.files.length > 1 ? bundle.files.map(({ name }) => name).join(', ') : null}
          </p>
        </div>
        <div className="row tight">
          <span className={isReady ? 'badge good' : 'badge bad'}>{t(`upload-format.${bundle.format}`)}</span>
          {bundle.crs !== undefined && <span className="badge">{bundle.crs}</span>}
          <span className="badge number">{fileSize(t, bundle.bytes)}</span>
        </div>
      </div>
      {bundle.format === 'unknown' && <p className="notice bad">{t('add.unknown')}</p>}
      {bundle.missing.length > 0 && (
        <p className="notice bad">
          {t('add.missing', { files: bundle.missing.map((ending) => `.${ending}`).join(', ') })}
        </p>
      )}
      <Wrong failure={failure} />
      {isReady && (
        <div className="upload-fields">
          <InputField
            label={t('meta.title')}
            name="title"
            required
            maxLength={255}
            defaultValue={titleOf(bundle.name)}
          />
          {!isDocument && <InputField label={t('meta.abstract')} name="abstract" maxLength={2000} />}
          {bundle.needsCrs && <CrsField hint={t('add.crs-hint')} />}
          {isTable && !isSeen && (
            <label className="check">
              <input type="checkbox" checked={isPlain} onChange={(event) => setPlain(event.target.checked)} />
              {t('add.plain-table')}
            </label>
          )}
          {asksColumns &&
            (['x', 'y'] as const).map((axis) => (
              <SelectField key={axis} label={t(`add.column-${axis}`)} name={axis} defaultValue="">
                <option value="">{t('sharing.choose')}</option>
                {bundle.columns.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </SelectField>
            ))}
        </div>
      )}
      {isReady && <TableLook table={table} />}
      {share !== undefined && <ProgressBar share={share} label={t(isWaiting ? 'add.offline' : 'add.sending')} />}
      <div className="row apart">
        {isReady ? <SharingChoice sharing={sharing} name={`sharing-${id}`} /> : <span />}
        <div className="row tight">
          <Button
            onClick={() => {
              if (share === undefined) table.drop();
              onRemove();
            }}
          >
            {t(share === undefined ? 'action.remove' : 'action.cancel')}
          </Button>
          {isReady && (
            <Button
              look="primary"
              type="submit"
              icon="upload"
              disabled={share !== undefined || isBusy || table.isLooking}
            >
              {isDocument ? t('add.send-document') : t('add.send')}
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}

function titleOf(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words === '' ? name : words[0]?.toUpperCase() + words.slice(1);
}
