// A basemap by its address: tiles, a style, a service, or an archive of Protomaps; or such an archive as a file.

import { useState } from 'react';
import type { Failure } from '../../api/failure.ts';
import { BASEMAP_TYPES, type BasemapEntry, type BasemapType, readEntry } from '../../lib/basemap-form.ts';
import { useText } from '../../lib/i18n/text.ts';
import { InputField, SelectField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Wrong } from '../../ui/States.tsx';

const KINDS = [...BASEMAP_TYPES, 'file'] as const;

export function AddBasemap({
  isBusy,
  failure,
  onClose,
  onSave,
  onUpload,
}: {
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
  readonly onClose: () => void;
  readonly onSave: (entry: BasemapEntry) => Promise<void>;
  /** The form has the file. */
  readonly onUpload: (form: FormData) => Promise<void>;
}) {
  const t = useText();
  const [type, setType] = useState<BasemapType | 'file'>('xyz');
  return (
    <FormDialog
      title={t('basemaps.add')}
      isBusy={isBusy}
      onClose={onClose}
      onSave={(form) => (type === 'file' ? onUpload(form) : onSave(readEntry(form)))}
    >
      <InputField label={t('basemaps.title')} name="title" required maxLength={200} />
      <SelectField
        label={t('basemaps.type')}
        name="type"
        value={type}
        onChange={(event) => setType(KINDS.find((one) => one === event.target.value) ?? 'xyz')}
      >
        {KINDS.map((one) => (
          <option key={one} value={one}>
            {t(`basemaps.type.${one}`)}
          </option>
        ))}
      </SelectField>
      {type === 'file' ? (
        <InputField
          label={t('basemaps.file')}
          hint={t('basemaps.file-hint')}
          name="file"
          type="file"
          accept=".pmtiles"
          required
        />
      ) : (
        <InputField
          label={t('basemaps.address')}
          hint={t(`basemaps.address.${type}`)}
          name="url"
          required
          maxLength={2000}
          inputMode="url"
        />
      )}
      {(type === 'wms' || type === 'wmts') && (
        <InputField label={t('basemaps.layer')} name="layer" required={type === 'wms'} maxLength={500} />
      )}
      <InputField
        label={t('basemaps.attribution')}
        hint={t('basemaps.attribution-hint')}
        name="attribution"
        required={type === 'file'}
        maxLength={1000}
      />
      {type === 'file' && (
        <InputField label={t('basemaps.licence-page')} name="attribution_url" type="url" maxLength={2000} />
      )}
      <p className="soft small-text">{t(type === 'file' ? 'basemaps.file-about' : 'basemaps.add-about')}</p>
      <Wrong failure={failure} />
    </FormDialog>
  );
}
