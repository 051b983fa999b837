// A layer of somebody else's service in the list of a map's layers: shown, faded and moved as the others, with the legend that its service has.

import { PROTOCOLS } from '../../lib/external-layer.ts';
import { useText } from '../../lib/i18n/text.ts';
import { MenuItem } from '../../ui/Menu.tsx';
import { ExternalLegend } from './ExternalLegend.tsx';
import { LayerFrame, type Listed, OpacityField } from './LayerFrame.tsx';
import { LoadTrouble } from './LoadTrouble.tsx';
import type { ViewerExternal } from './viewer-state.ts';

export function ExternalItem({
  one,
  trouble,
  onRetry,
  onZoom,
  ...listed
}: Listed & {
  readonly one: ViewerExternal;
  /** Undefined: there is none. */
  readonly trouble: 'failed' | 'truncated' | undefined;
  readonly onRetry: () => void;
  readonly onZoom: () => void;
}) {
  const t = useText();
  const { external, visible } = one;
  const { title } = external;
  return (
    <LayerFrame
      one={one}
      title={title}
      listed={listed}
      menu={
        external.bbox !== undefined && (
          <MenuItem icon="target" onClick={onZoom}>
            {t('viewer.zoom')}
          </MenuItem>
        )
      }
    >
      {trouble === 'failed' && <LoadTrouble text={t('external.failed')} onRetry={onRetry} />}
      {trouble === 'truncated' && <p className="small-text notice warm">{t('external.truncated')}</p>}
      {visible && !listed.isFolded && (
        <div className="layer-more">
          <p className="small-text soft external-from">
            {PROTOCOLS[external.kind]} · {hostOf(external.url)}
            {external.attribution !== '' && ` · ${external.attribution}`}
          </p>
          <OpacityField one={one} title={title} change={listed.change} />
          <ExternalLegend external={external} />
        </div>
      )}
    </LayerFrame>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
