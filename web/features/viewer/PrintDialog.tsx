// How a map is printed: paper, resolution, format, and what stands beside the map.

import { useState } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { InputField, SelectField } from '../../ui/Field.tsx';
import { DPIS, PAPERS, type Paper, type PrintOptions } from './print-map.ts';

const PAPER_NAMES: Readonly<Record<Paper, string>> = { a4: 'A4', a3: 'A3', a2: 'A2', letter: 'Letter' };

export function PrintDialog({
  title,
  onPrint,
  onClose,
}: {
  readonly title: string;
  readonly onPrint: (options: PrintOptions) => Promise<boolean>;
  readonly onClose: () => void;
}) {
  const t = useText();
  const [options, setOptions] = useState<PrintOptions>({
    title,
    paper: 'a4',
    isLandscape: true,
    dpi: 150,
    format: 'pdf',
    hasLegend: true,
    hasScale: true,
    hasNorth: true,
  });
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const set = (to: Partial<PrintOptions>): void => setOptions({ ...options, ...to });
  const print = async (): Promise<void> => {
    setState('busy');
    const isDone = await onPrint(options);
    setState(isDone ? 'idle' : 'failed');
    if (isDone) onClose();
  };
  const check = (name: 'hasLegend' | 'hasScale' | 'hasNorth', label: string) => (
    <label className="check">
      <input type="checkbox" checked={options[name]} onChange={(event) => set({ [name]: event.target.checked })} />
      {label}
    </label>
  );
  return (
    <Dialog
      title={t('print.title')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" icon="print" disabled={state === 'busy'} onClick={() => void print()}>
            {state === 'busy' ? t('print.busy') : t('print.download')}
          </Button>
        </>
      }
    >
      <div className="stack">
        {state === 'failed' && <p className="notice warm">{t('print.failed')}</p>}
        <InputField
          label={t('meta.title')}
          maxLength={200}
          value={options.title}
          onChange={(event) => set({ title: event.target.value })}
        />
        <div className="style-row">
          <SelectField
            label={t('print.paper')}
            value={options.paper}
            onChange={(event) => {
              const paper = (Object.keys(PAPERS) as Paper[]).find((name) => name === event.target.value);
              if (paper !== undefined) set({ paper });
            }}
          >
            {(Object.keys(PAPERS) as Paper[]).map((name) => (
              <option key={name} value={name}>
                {PAPER_NAMES[name]}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={t('print.orientation')}
            value={options.isLandscape ? 'landscape' : 'portrait'}
            onChange={(event) => set({ isLandscape: event.target.value === 'landscape' })}
          >
            <option value="landscape">{t('print.landscape')}</option>
            <option value="portrait">{t('print.portrait')}</option>
          </SelectField>
          <SelectField
            label={t('print.dpi')}
            value={options.dpi}
            onChange={(event) => set({ dpi: DPIS.find((dpi) => String(dpi) === event.target.value) ?? 150 })}
          >
            {DPIS.map((dpi) => (
              <option key={dpi} value={dpi}>
                {dpi}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={t('print.format')}
            value={options.format}
            onChange={(event) => set({ format: event.target.value === 'png' ? 'png' : 'pdf' })}
          >
            <option value="pdf">PDF</option>
            <option value="png">PNG</option>
          </SelectField>
        </div>
        <div className="row">
          {check('hasLegend', t('print.legend'))}
          {check('hasScale', t('print.scale'))}
          {check('hasNorth', t('print.north'))}
        </div>
      </div>
    </Dialog>
  );
}
