// How features get their colour: one for all, one per category, one per class of a number; or by how many there are.

import { NO_VALUE } from '../../../../src/geo/style/no-value.ts';
import { firstCategory, firstNumber } from '../../../lib/first-column.ts';
import { hex } from '../../../lib/form-values.ts';
import { COUNT_BREAKS } from '../../../lib/group-style.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { type Colouring, PLAIN } from '../../../lib/simple-style.ts';
import type { ViewerLayer } from '../viewer-state.ts';
import { attributesOf, isNumeric } from './attribute-choice.ts';
import { Categories } from './Categories.tsx';
import { Cluster } from './Cluster.tsx';
import { Graduated } from './Graduated.tsx';
import { Heat } from './Heat.tsx';
import { Hexagons } from './Hexagons.tsx';

/** A way to colour a layer as it is at first. */
function begun(kind: Colouring['kind'], attribute: string): Colouring {
  switch (kind) {
    case 'single':
      return { kind, colour: PLAIN.colour.kind === 'single' ? PLAIN.colour.colour : '#0b877d' };
    case 'heat':
      return { kind, ramp: 'heat', reach: 25 };
    case 'cluster':
      return { kind, ramp: 'heat', size: 64 };
    case 'hexagon':
      return { kind, ramp: 'heat', size: 32, of: 'count', attribute: '', breaks: COUNT_BREAKS };
    case 'categories':
      return { kind, attribute, entries: [], other: '#808080', none: NO_VALUE };
    case 'graduated':
      return { kind, attribute, breaks: [], colours: [], none: NO_VALUE };
  }
}

export function ColouringEditor({
  one,
  colouring,
  isPoint,
  onChange,
}: {
  readonly one: ViewerLayer;
  readonly colouring: Colouring;
  /** Of points alone heatmaps and groups are made. */
  readonly isPoint: boolean;
  readonly onChange: (next: Colouring) => void;
}) {
  const t = useText();
  const attributes = attributesOf(one);
  const numeric = attributes.filter(isNumeric);
  const kinds = [
    'single',
    ...(attributes.length > 0 ? ['categories' as const] : []),
    ...(numeric.length > 0 ? ['graduated' as const] : []),
    ...(isPoint ? (['heat', 'cluster', 'hexagon'] as const) : []),
  ] as const;
  const first = (kind: string): string => (kind === 'graduated' ? firstNumber(numeric) : firstCategory(attributes));
  return (
    <fieldset className="style-colours">
      <legend>{t('style.colour')}</legend>
      <div className="row tight">
        {kinds.map((kind) => (
          <label className="check" key={kind}>
            <input
              type="radio"
              name="colouring"
              checked={colouring.kind === kind}
              onChange={() => onChange(begun(kind, first(kind)))}
            />
            {t(`style.${kind}`)}
          </label>
        ))}
      </div>
      {colouring.kind === 'single' && (
        <input
          type="color"
          className="input"
          aria-label={t('style.colour')}
          value={hex(colouring.colour)}
          onChange={(event) => onChange({ kind: 'single', colour: event.target.value })}
        />
      )}
      {colouring.kind === 'heat' && <Heat one={one} colouring={colouring} onChange={onChange} />}
      {colouring.kind === 'cluster' && <Cluster colouring={colouring} onChange={onChange} />}
      {colouring.kind === 'hexagon' && <Hexagons one={one} colouring={colouring} onChange={onChange} />}
      {colouring.kind === 'categories' && <Categories one={one} colouring={colouring} onChange={onChange} />}
      {colouring.kind === 'graduated' && <Graduated one={one} colouring={colouring} onChange={onChange} />}
    </fieldset>
  );
}
