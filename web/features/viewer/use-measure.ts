// Measuring on the map: what is measured, and the points that were set.

import { useMemo, useState } from 'react';
import type { Point } from '../../lib/measure.ts';
import type { Drawn } from '../../map/drawn.ts';
import { type MeasureKind, measureShapes } from './MeasureBar.tsx';

export type Measuring = {
  /** Undefined: nothing is being measured. */
  readonly kind: MeasureKind | undefined;
  readonly points: readonly Point[];
  readonly drawn: readonly Drawn[];
  /** Begins, or ends what is under way. */
  readonly toggle: (kind: MeasureKind) => void;
  readonly end: () => void;
  readonly add: (at: Point) => void;
  readonly clear: () => void;
};

export function useMeasure(): Measuring {
  const [kind, setKind] = useState<MeasureKind>();
  const [points, setPoints] = useState<readonly Point[]>([]);
  const drawn = useMemo<readonly Drawn[]>(
    () =>
      points.length === 0
        ? []
        : [{ kind: 'shapes', id: 'measure', look: 'measure', data: measureShapes(points, kind) }],
    [points, kind],
  );
  return {
    kind,
    points,
    drawn,
    toggle: (next) => {
      setKind(kind === next ? undefined : next);
      setPoints([]);
    },
    end: () => setKind(undefined),
    add: (at) => setPoints([...points, at]),
    clear: () => setPoints([]),
  };
}
