// How a layer's features are shown, to be changed: its columns, its pop-up, and what a feature looks like then. Of the layer itself, or of one map.

import { useState } from 'react';
import type { ColumnLook, Popup } from '../../../src/geo/presentation/presentation.ts';
import type { Layer } from '../../api/types.ts';
import { useText } from '../../lib/i18n/text.ts';
import { withLook } from '../../lib/presentation.ts';
import { Tabs } from '../../ui/Tabs.tsx';
import { PopupCard } from '../viewer/FeatureCard.tsx';
import { ColumnRows } from './ColumnRows.tsx';
import { PopupFields } from './PopupFields.tsx';
import { useSampleRow } from './use-sample-row.ts';
import './presentation.css';

export type Presented = { readonly columns: readonly ColumnLook[]; readonly popup: Popup };

export function PresentationFields({
  layer,
  value,
  onChange,
}: {
  readonly layer: Layer;
  readonly value: Presented;
  readonly onChange: (value: Presented) => void;
}) {
  const t = useText();
  const [part, setPart] = useState<'columns' | 'popup'>('columns');
  const row = useSampleRow(layer);
  const { columns, popup } = value;
  return (
    <div className="presentation">
      <Tabs
        label={t('look.parts')}
        chosen={part}
        onChoose={setPart}
        tabs={[
          { name: 'columns', label: t('columns.title') },
          { name: 'popup', label: t('look.popup') },
        ]}
      >
        {part === 'columns' ? (
          <ColumnRows columns={columns} onChange={(next) => onChange({ ...value, columns: next })} />
        ) : (
          <PopupFields
            popup={popup}
            columns={columns}
            numeric={numericOf(layer)}
            onChange={(next) => onChange({ ...value, popup: next })}
          />
        )}
      </Tabs>
      <section className="look-preview" aria-label={t('look.preview')}>
        <h3>{t('look.preview')}</h3>
        {row === undefined ? (
          <p className="soft">{t('look.no-row')}</p>
        ) : (
          <PopupCard layer={withLook(layer, value)} row={row} title={layer.title} />
        )}
      </section>
    </div>
  );
}

const NUMBERS = /^xsd:(?:byte|short|int|integer|long|float|double|decimal|nonNegativeInteger)$/;
const numericOf = ({ attribute_set }: Layer): ReadonlySet<string> =>
  new Set(attribute_set.filter((one) => NUMBERS.test(one.attribute_type)).map(({ attribute }) => attribute));
