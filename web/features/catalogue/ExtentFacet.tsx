// Narrowing by area: a box drawn on a map, or its four edges as numbers for who draws no boxes.

import { useMemo, useState } from 'react';
import { ringOf } from '../../lib/bbox.ts';
import { type Extent, parseExtent } from '../../lib/catalogue-state.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { Drawn } from '../../map/drawn.ts';
import { LazyMap } from '../../map/LazyMap.tsx';
import type { Moved } from '../../map/MapView.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { InputField } from '../../ui/Field.tsx';

type Change = (extent: Extent | undefined) => void;
const EDGES = ['west', 'south', 'east', 'north'] as const;

export function ExtentFacet({ extent, onChange }: { readonly extent: Extent | undefined; readonly onChange: Change }) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="facet">
      <h2 className="facet-title">{t('facet.extent')}</h2>
      {extent !== undefined && (
        <p className="small-text soft number">{extent.map((edge) => edge.toFixed(1)).join(', ')}</p>
      )}
      <div className="row tight">
        <Button small icon="target" onClick={() => setOpen(true)}>
          {extent === undefined ? t('facet.extent-draw') : t('facet.extent-change')}
        </Button>
        {extent !== undefined && (
          <Button small look="quiet" onClick={() => onChange(undefined)}>
            {t('action.clear')}
          </Button>
        )}
      </div>
      {isOpen && (
        <ExtentDialog
          extent={extent}
          onClose={() => setOpen(false)}
          onChange={(next) => {
            onChange(next);
            setOpen(false);
          }}
        />
      )}
    </div>
  );
}

function ExtentDialog({
  extent,
  onChange,
  onClose,
}: {
  readonly extent: Extent | undefined;
  readonly onChange: Change;
  readonly onClose: () => void;
}) {
  const t = useText();
  const [typed, setTyped] = useState<readonly string[]>(extent?.map(String) ?? ['', '', '', '']);
  const [view, setView] = useState<Moved>();
  const [isDrawing, setDrawing] = useState(true);
  const chosen = parseExtent(typed.join(','));
  const set = (next: Extent): void => setTyped(next.map((edge) => String(Math.round(edge * 1000) / 1000)));
  const key = chosen?.join(',');
  const drawn = useMemo<readonly Drawn[]>(() => {
    const box = parseExtent(key ?? '');
    return box === undefined
      ? []
      : [{ kind: 'shapes', id: 'box', look: 'box', data: { type: 'Polygon', coordinates: [ringOf(box)] } }];
  }, [key]);
  return (
    <Dialog
      title={t('extent.title')}
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" disabled={chosen === undefined} onClick={() => onChange(chosen)}>
            {t('extent.apply')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <div className="row apart">
          <label className="switch">
            <input type="checkbox" checked={isDrawing} onChange={(event) => setDrawing(event.target.checked)} />
            {t('extent.drawing')}
          </label>
          <Button small disabled={view === undefined} onClick={() => view !== undefined && set(view.extent)}>
            {t('extent.use-view')}
          </Button>
        </div>
        <div className="extent-map">
          <LazyMap
            label={t('extent.map')}
            drawn={drawn}
            start={extent}
            onMoved={setView}
            onBox={isDrawing ? set : undefined}
          />
        </div>
        <div className="extent-edges">
          {EDGES.map((edge, i) => (
            <InputField
              key={edge}
              label={t(`extent.${edge}`)}
              className="input small"
              inputMode="decimal"
              value={typed[i] ?? ''}
              onChange={(event) => setTyped(typed.map((one, j) => (i === j ? event.target.value : one)))}
            />
          ))}
        </div>
      </div>
    </Dialog>
  );
}
