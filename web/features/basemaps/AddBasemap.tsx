// A basemap by its address: tiles, a style, a service, or an archive of Protomaps.

import { useState } from 'react';
import type { Failure } from '../../api/failure.ts';
import { BASEMAP_TYPES, type BasemapEntry, type BasemapType, readEntry } from '../../lib/basemap-form.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Wrong } from '../../ui/States.tsx';

export function AddBasemap({
  isBusy,
  failure,
  onClose,
  onSave,
}: {
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
  readonly onClose: () => void;
  readonly onSave: (entry: BasemapEntry) => Promise<void>;
}) {
  const t = useText();
  const [type, setType] = useState<BasemapType>('xyz');
  return (
    <FormDialog title={t('basemaps.add')} isBusy={isBusy} onClose={onClose} onSave={(form) => onSave(readEntry(form))}>
      <Field label={t('basemaps.title')}>
        {(wired) => <input {...wired} className="input" name="title" required maxLength={200} />}
      </Field>
      <Field label={t('basemaps.type')}>
        {(wired) => (
          <select
            {...wired}
            className="input"
            name="type"
            value={type}
            onChange={(event) => setType(BASEMAP_TYPES.find((one) => one === event.target.value) ?? 'xyz')}
          >
            {BASEMAP_TYPES.map((one) => (
              <option key={one} value={one}>
                {t(`basemaps.type.${one}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t('basemaps.address')} hint={t(`basemaps.address.${type}`)}>
        {(wired) => <input {...wired} className="input" name="url" required maxLength={2000} inputMode="url" />}
      </Field>
      {(type === 'wms' || type === 'wmts') && (
        <Field label={t('basemaps.layer')}>
          {(wired) => <input {...wired} className="input" name="layer" required={type === 'wms'} maxLength={500} />}
        </Field>
      )}
      <Field label={t('basemaps.attribution')} hint={t('basemaps.attribution-hint')}>
        {(wired) => <input {...wired} className="input" name="attribution" maxLength={1000} />}
      </Field>
      <p className="soft small-text">{t('basemaps.add-about')}</p>
      <Wrong failure={failure} />
    </FormDialog>
  );
}
