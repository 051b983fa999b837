// All that lies at the place that was clicked, one after the other.

import { useText } from '../../lib/i18n/text.ts';
import { IconButton } from '../../ui/Button.tsx';
import { FeatureCard } from './FeatureCard.tsx';
import type { Identified, Identify } from './use-identify.ts';

export function FoundFeatures({
  identify: { found, at, go },
  layers,
  onClose,
}: {
  readonly identify: Identify;
  readonly layers: readonly Identified[];
  readonly onClose: () => void;
}) {
  const t = useText();
  const feature = found[at];
  const layer = layers.find(({ key }) => key === feature?.drawn)?.layer;
  if (feature === undefined || layer === undefined) return null;
  return (
    <FeatureCard feature={feature} layer={layer} title={layer.title} onClose={onClose}>
      {found.length > 1 && (
        <nav className="row tight found-steps" aria-label={t('identify.steps')}>
          <IconButton small icon="left" name={t('identify.previous')} disabled={at === 0} onClick={() => go(at - 1)} />
          <span className="number small-text">{t('identify.n-of', { n: at + 1, total: found.length })}</span>
          <IconButton
            small
            icon="right"
            name={t('identify.next')}
            disabled={at === found.length - 1}
            onClick={() => go(at + 1)}
          />
        </nav>
      )}
    </FeatureCard>
  );
}
