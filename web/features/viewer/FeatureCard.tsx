// What is known of one feature, beside the map it was clicked on.

import type { Attribute } from '../../api/types.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { Picked } from '../../map/MapView.tsx';
import { IconButton } from '../../ui/Button.tsx';
import './feature-card.css';

export function FeatureCard({
  feature,
  title,
  attributes,
  onClose,
}: {
  readonly feature: Picked;
  readonly title?: string;
  readonly attributes: readonly Attribute[];
  readonly onClose: () => void;
}) {
  const t = useText();
  const labels = new Map(attributes.map((one) => [one.attribute, one.attribute_label ?? one.attribute]));
  const hidden = new Set(attributes.filter(({ visible }) => !visible).map(({ attribute }) => attribute));
  const shown = Object.entries(feature.properties).filter(
    ([name, value]) => value !== null && value !== '' && !hidden.has(name),
  );
  return (
    <section className="feature-card" aria-label={t('identify.title')}>
      <header>
        <h2>{title ?? t('identify.title')}</h2>
        <IconButton icon="close" small name={t('action.close')} onClick={onClose} />
      </header>
      {shown.length === 0 ? (
        <p className="soft">{t('identify.nothing')}</p>
      ) : (
        <dl className="facts">
          {shown.map(([name, value]) => (
            <div className="fact" key={name}>
              <dt>{labels.get(name) ?? name}</dt>
              <dd>{typeof value === 'number' ? t.number(value, { maximumFractionDigits: 6 }) : String(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
