// Features become one: whose attributes it has. Those that differ stand side by side, a column for each feature.

import { useId, useState } from 'react';
import { type EditFeature, fieldNow } from '../../../lib/edit/edit-session.ts';
import { type FormField, inputText } from '../../../lib/edit/feature-form.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { nameOf } from './name-of.ts';

export function MergeDialog({
  features,
  fields,
  onMerge,
  onClose,
}: {
  readonly features: readonly EditFeature[];
  readonly fields: readonly FormField[];
  /** Into this one. */
  readonly onMerge: (key: string) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const group = useId();
  const [chosen, setChosen] = useState(features[0]?.key);
  const rows = fields
    .map((field) => ({ field, texts: features.map((one) => inputText(fieldNow(one, field.name), field)) }))
    .filter(({ texts }) => texts.some((text) => text !== texts[0]));
  return (
    <Dialog
      title={t.count('edit.merge-title', features.length)}
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            look="primary"
            disabled={chosen === undefined}
            onClick={() => chosen !== undefined && onMerge(chosen)}
          >
            {t('edit.merge')}
          </Button>
        </>
      }
    >
      <p>{t('edit.merge-text')}</p>
      <div className="edit-merge" role="radiogroup" aria-label={t('edit.merge-text')}>
        <table className="data-table">
          <thead>
            <tr>
              <th scope="col">{t('edit.field')}</th>
              {features.map((feature) => (
                <th scope="col" key={feature.key}>
                  <label className="row tight">
                    <input
                      type="radio"
                      name={group}
                      checked={chosen === feature.key}
                      onChange={() => setChosen(feature.key)}
                    />
                    {nameOf(feature, t)}
                  </label>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ field, texts }) => (
              <tr key={field.name}>
                <th scope="row">{field.title}</th>
                {features.map(({ key }, i) => (
                  <td key={key} className={chosen === key ? 'chosen' : ''}>
                    {texts[i]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}
