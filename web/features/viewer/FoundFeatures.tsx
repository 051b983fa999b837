// All that lies at the place that was clicked, one after the other.

import { useEffect, useState } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import type { Picked } from '../../map/MapView.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { FeatureCard } from './FeatureCard.tsx';
import type { Identified } from './use-identify.ts';

export function FoundFeatures({
  found,
  layers,
  onClose,
}: {
  readonly found: readonly Picked[];
  readonly layers: readonly Identified[];
  readonly onClose: () => void;
}) {
  const t = useText();
  const [at, setAt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place begins with its first feature.
  useEffect(() => setAt(0), [found]);
  const feature = found[at];
  const layer = layers.find(({ key }) => key === feature?.drawn)?.layer;
  if (feature === undefined || layer === undefined) return null;
  return (
    <FeatureCard feature={feature} layer={layer} title={layer.title} onClose={onClose}>
      {found.length > 1 && (
        <nav className="row tight found-steps" aria-label={t('identify.steps')}>
          <IconButton
            small
            icon="left"
            name={t('identify.previous')}
            disabled={at === 0}
            onClick={() => setAt(at - 1)}
          />
          <span className="number small-text">{t('identify.n-of', { n: at + 1, total: found.length })}</span>
          <IconButton
            small
            icon="right"
            name={t('identify.next')}
            disabled={at === found.length - 1}
            onClick={() => setAt(at + 1)}
          />
        </nav>
      )}
    </FeatureCard>
  );
}
