// All that lies at the place that was clicked, one after the other.

import { useText } from '../../lib/i18n/text.ts';
import { IconButton } from '../../ui/Button.tsx';
import { FeatureCard, NoteCard, PlainCard } from './FeatureCard.tsx';
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
  const one = layers.find(({ key }) => key === feature?.drawn);
  if (feature === undefined || one === undefined) return null;
  const steps = found.length > 1 && (
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
  );
  if ('external' in one)
    return (
      <PlainCard title={one.external.title} properties={feature.properties} onClose={onClose}>
        {steps}
      </PlainCard>
    );
  const { crowd } = feature;
  // Where its rows could not be told, there are no attributes of it either.
  const isTold = feature.id !== undefined || crowd === undefined;
  const more = crowd !== undefined && (
    <p className="soft small-text">
      {t.count('identify.crowd', crowd.count)}
      {(!isTold || found.filter(({ drawn }) => drawn === feature.drawn).length < crowd.count) &&
        ` ${t('identify.crowd-nearer')}`}
    </p>
  );
  if (!isTold)
    return (
      <NoteCard title={one.layer.title} onClose={onClose}>
        {steps}
        {more}
      </NoteCard>
    );
  return (
    <FeatureCard feature={feature} layer={one.layer} title={one.layer.title} onClose={onClose}>
      {steps}
      {more}
    </FeatureCard>
  );
}
