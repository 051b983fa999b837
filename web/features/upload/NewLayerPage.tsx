// A new, empty layer or table from a form: what it is called, what is drawn in it, its columns, and whom it is shared with.

import { useId, useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { forgetLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { navigate } from '../../lib/navigation.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { InputField, SelectField } from '../../ui/Field.tsx';
import { Wrong } from '../../ui/States.tsx';
import { SharingChoice, useNewSharing } from '../resource/sharing/SharingChoice.tsx';
import { ColumnFields, type ColumnWish, NO_COLUMN } from './ColumnFields.tsx';
import { CrsField } from './CrsField.tsx';
import './upload.css';

const SHAPES = ['point', 'line', 'polygon', 'any', 'none'] as const;
type Shape = (typeof SHAPES)[number];

type Row = { readonly key: number; readonly column: ColumnWish };
let last = 0;
const row = (): Row => {
  last += 1;
  return { key: last, column: NO_COLUMN };
};

export function NewLayerPage() {
  const t = useText();
  usePageTitle(t('new-layer.title'));
  const [title, setTitle] = useState('');
  const [shape, setShape] = useState<Shape>('point');
  const [rows, setRows] = useState<readonly Row[]>(() => [row()]);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const sharing = useNewSharing();
  const id = useId();
  const written = rows.map(({ column }) => column).filter(({ name }) => name.trim() !== '');
  const unsaved = useUnsaved(title !== '' || written.length > 0);
  const submit = async (form: FormData): Promise<void> => {
    const body = {
      title,
      abstract: String(form.get('abstract') ?? ''),
      geometry: shape,
      columns: written,
      permissions: sharing.permissions,
      ...(shape === 'none' ? {} : { crs: String(form.get('crs') ?? '') }),
    };
    const reply = await during(send('POST', '/api/v2/layers/empty/', { body }));
    if (!reply.ok) return setFailure(reply.error);
    unsaved.release();
    forgetLoaded();
    navigate(`/layers/${reply.value.layer.pk}`);
  };
  return (
    <form
      className="stack loose add-page"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      <header className="stack tight">
        <h1>{t('new-layer.title')}</h1>
        <p className="soft">{t('new-layer.lead')}</p>
      </header>
      <Wrong failure={failure} />
      <div className="upload-fields">
        <InputField
          label={t('meta.title')}
          required
          maxLength={255}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        <InputField label={t('meta.abstract')} name="abstract" maxLength={2000} />
        <SelectField
          label={t('new-layer.shape')}
          value={shape}
          onChange={(event) => setShape(SHAPES.find((known) => known === event.target.value) ?? 'point')}
        >
          {SHAPES.map((known) => (
            <option key={known} value={known}>
              {t(`shape.${known}`)}
            </option>
          ))}
        </SelectField>
        {shape !== 'none' && <CrsField required initial="EPSG:4326" />}
      </div>
      <section className="stack" aria-labelledby={`${id}-columns`}>
        <h2 id={`${id}-columns`}>{t('columns.title')}</h2>
        <p className="soft">{t('new-layer.columns-lead')}</p>
        <ol className="new-columns">
          {rows.map(({ key, column }, i) => (
            <li key={key}>
              <ColumnFields
                column={column}
                number={i + 1}
                onChange={(changed) =>
                  setRows((now) => now.map((one) => (one.key === key ? { ...one, column: changed } : one)))
                }
              />
              <IconButton
                icon="trash"
                name={t('columns.remove-number', { n: String(i + 1) })}
                onClick={() => setRows((now) => now.filter((one) => one.key !== key))}
              />
            </li>
          ))}
        </ol>
        <div>
          <Button icon="plus" onClick={() => setRows((now) => [...now, row()])}>
            {t('columns.add')}
          </Button>
        </div>
      </section>
      <SharingChoice sharing={sharing} name={`sharing-${id}`} />
      <div>
        <Button look="primary" type="submit" disabled={isBusy || (shape === 'none' && written.length === 0)}>
          {t('new-layer.make')}
        </Button>
      </div>
    </form>
  );
}
