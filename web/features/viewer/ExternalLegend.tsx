// The legend of a layer of somebody else's service, as the service draws it.

import { useState } from 'react';
import { useLoadedFor } from '../../api/use-loaded.ts';
import { type ExternalLayer, externalAddress } from '../../lib/external-layer.ts';
import { isListOf, isRecordOf, isText } from '../../lib/guard.ts';
import { useText } from '../../lib/i18n/text.ts';

/** Whether services of its kind have one. */
export function hasLegend({ kind }: ExternalLayer): boolean {
  return kind === 'wms' || kind === 'arcgis-map';
}

export function ExternalLegend({ external }: { readonly external: ExternalLayer }) {
  if (external.kind === 'wms') return <LegendPicture external={external} />;
  return external.kind === 'arcgis-map' ? <LegendList external={external} /> : null;
}

/** Services without one answer with an error: then there is none. */
function LegendPicture({ external }: { readonly external: ExternalLayer }) {
  const t = useText();
  const [isMissing, setMissing] = useState(false);
  if (isMissing) return null;
  return (
    <img
      className="external-legend"
      src={externalAddress(external, 'legend')}
      alt={t('external.legend-of', { title: external.title })}
      loading="lazy"
      onError={() => setMissing(true)}
    />
  );
}

const isLegend = isRecordOf<{ readonly legend: readonly { readonly label: string; readonly picture: string }[] }>({
  legend: isListOf(
    isRecordOf<{ readonly label: string; readonly picture: string }>({ label: isText, picture: isText }),
  ),
});

function LegendList({ external }: { readonly external: ExternalLayer }) {
  const [loaded] = useLoadedFor(isLegend, externalAddress(external, 'legend'));
  if (loaded.kind !== 'loaded') return null;
  return (
    <ul className="external-signs">
      {loaded.value.legend.map(({ label, picture }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries of a legend have no other name, and do not move.
        <li key={i}>
          <img src={picture} alt="" /> {label}
        </li>
      ))}
    </ul>
  );
}
