// A quiet note on the map: which layers are shown as cells or as a sample, and how coarse.

import { detailText } from '../lib/detail.ts';
import { useText } from '../lib/i18n/text.ts';
import { Icon } from '../ui/Icon.tsx';
import type { LayerDetail } from './use-details.ts';

const MAX = 3;

export function DetailNotes({ details }: { readonly details: readonly LayerDetail[] }) {
  const t = useText();
  return (
    <div className="map-details" role="status">
      {details.slice(0, MAX).map(({ id, title, detail }) => (
        <p key={id}>
          <Icon name="info" />
          <span>
            {title !== '' && <strong>{title}: </strong>}
            {detailText(t, detail)}
          </span>
        </p>
      ))}
      {details.length > MAX && <p>{t.count('detail.more', details.length - MAX)}</p>}
    </div>
  );
}
