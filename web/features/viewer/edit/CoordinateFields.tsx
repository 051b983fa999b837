// The coordinates of a feature as text: to draw without a pointer, to look at, and to be exact.

import type { Geometry } from 'geojson';
import { useState } from 'react';
import {
  type CoordinateFault,
  coordinateText,
  type DrawKind,
  parseCoordinates,
} from '../../../lib/edit/coordinate-text.ts';
import { type Text, useText } from '../../../lib/i18n/text.ts';
import { Button } from '../../../ui/Button.tsx';
import { SelectField, TextField } from '../../../ui/Field.tsx';

/** A longer text is nothing to type in. */
const MAX_TEXT = 200_000;

export function CoordinateFields({
  geometry,
  isNew,
  kinds,
  isMulti,
  onShape,
}: {
  readonly geometry: Geometry | null;
  /** Nothing is selected: what is typed becomes a new feature. */
  readonly isNew: boolean;
  readonly kinds: readonly DrawKind[];
  readonly isMulti: boolean;
  readonly onShape: (geometry: Geometry) => void;
}) {
  const t = useText();
  const was = coordinateText(geometry);
  const [text, setText] = useState(was);
  const [kind, setKind] = useState<DrawKind>(kindOf(geometry) ?? kinds[0] ?? 'point');
  const [fault, setFault] = useState<CoordinateFault>();
  if (was.length > MAX_TEXT || geometry?.type === 'GeometryCollection') return null;
  return (
    <details className="edit-coordinates">
      <summary>{t(isNew ? 'edit.coordinates-new' : 'edit.coordinates')}</summary>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const parsed = parseCoordinates(text, kind, isMulti);
          setFault(parsed.ok ? undefined : parsed.error);
          if (parsed.ok) onShape(parsed.value);
        }}
      >
        {kinds.length > 1 && (
          <SelectField
            label={t('edit.kind')}
            value={kind}
            onChange={(event) => setKind(kinds.find((one) => one === event.target.value) ?? kind)}
          >
            {kinds.map((one) => (
              <option key={one} value={one}>
                {t(`edit.tool.${one}`)}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label={t('edit.positions')}
          hint={t(`edit.positions-hint.${kind}`)}
          wrong={fault === undefined ? undefined : faultText(t, fault)}
          className="input number"
          rows={6}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" small disabled={text === was}>
          {t('edit.apply')}
        </Button>
      </form>
    </details>
  );
}

function kindOf(geometry: Geometry | null): DrawKind | undefined {
  if (geometry === null) return undefined;
  if (geometry.type.endsWith('Point')) return 'point';
  return geometry.type.endsWith('LineString') ? 'line' : 'polygon';
}

function faultText(t: Text, fault: CoordinateFault): string {
  switch (fault.kind) {
    case 'not-a-position':
    case 'off-earth':
      return t(`edit.fault.${fault.kind}`, { line: fault.line });
    case 'too-few':
      return t('edit.fault.too-few', { line: fault.line, n: fault.least });
    case 'several-parts':
    case 'empty':
      return t(`edit.fault.${fault.kind}`);
  }
}
