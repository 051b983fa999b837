// How one map shows the features of a layer, whatever the layer itself says.

import { useState } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import { looksOf, NO_LOOK, popupOf } from '../../lib/presentation.ts';
import { isSameJson } from '../../lib/same-json.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { PresentationFields, type Presented } from '../presentation/PresentationFields.tsx';
import type { ViewerAction, ViewerLayer } from './viewer-state.ts';

export function LookDialog({
  one: { key, record, layer, look },
  change,
  onClose,
}: {
  readonly one: ViewerLayer;
  readonly change: (action: ViewerAction) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const [value, setValue] = useState<Presented>({ columns: looksOf(layer), popup: popupOf(layer) });
  const apply = (): void => {
    const [columns, popup] = [looksOf(record), popupOf(record)];
    // What is as the layer has it follows the layer.
    const next = {
      columns: isSameJson(value.columns, columns) ? undefined : value.columns,
      popup: isSameJson(value.popup, popup) ? undefined : value.popup,
    };
    change({ kind: 'look', key, look: next });
    onClose();
  };
  return (
    <Dialog
      title={t('look.of-map', { title: layer.title })}
      wide
      onClose={onClose}
      footer={
        <>
          <Button
            disabled={look.columns === undefined && look.popup === undefined}
            onClick={() => {
              change({ kind: 'look', key, look: NO_LOOK });
              onClose();
            }}
          >
            {t('look.as-layer')}
          </Button>
          <span className="grow" />
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" onClick={apply}>
            {t('look.apply')}
          </Button>
        </>
      }
    >
      <p className="soft">{t('look.of-map-about')}</p>
      <PresentationFields layer={record} value={value} onChange={setValue} />
    </Dialog>
  );
}
