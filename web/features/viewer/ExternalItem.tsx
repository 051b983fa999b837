// A layer of somebody else's service in the list of a map's layers: shown, faded and moved as the others, with the legend that its service has.

import { PROTOCOLS } from '../../lib/external-layer.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { LayerGroup } from '../../lib/map-config.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { ExternalLegend } from './ExternalLegend.tsx';
import { GroupChoices } from './LayerItem.tsx';
import { LoadTrouble } from './LoadTrouble.tsx';
import type { ViewerAction, ViewerExternal } from './viewer-state.ts';

export function ExternalItem({
  one,
  groups,
  trouble,
  isFirst,
  isLast,
  isFolded,
  isDragged,
  change,
  onRetry,
  onZoom,
  onFold,
  onDrag,
  onGroup,
}: {
  readonly one: ViewerExternal;
  readonly groups: readonly LayerGroup[];
  /** Undefined: there is none. */
  readonly trouble: 'failed' | 'truncated' | undefined;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isFolded: boolean;
  readonly isDragged: boolean;
  readonly change: (action: ViewerAction) => void;
  readonly onRetry: () => void;
  readonly onZoom: () => void;
  readonly onFold: () => void;
  readonly onDrag: (pointer: number) => void;
  readonly onGroup: (group: string | undefined) => void;
}) {
  const t = useText();
  const { key, external, visible, opacity, group } = one;
  const { title } = external;
  return (
    <li className={isDragged ? 'layer-item dragged' : 'layer-item'} data-layer={key}>
      <div className="row tight">
        <span
          className="layer-grip"
          title={t('viewer.drag')}
          aria-hidden="true"
          onPointerDown={(event) => {
            if (event.button === 0) onDrag(event.pointerId);
          }}
        >
          <Icon name="menu" />
        </span>
        <IconButton
          small
          icon={visible ? 'eye' : 'eye-off'}
          name={visible ? t('viewer.hide', { title }) : t('viewer.show', { title })}
          aria-pressed={visible}
          onClick={() => change({ kind: 'set', key, to: { visible: !visible } })}
        />
        <button
          type="button"
          className="grow layer-title"
          aria-expanded={visible && !isFolded}
          disabled={!visible}
          onClick={onFold}
        >
          {title}
        </button>
        <IconButton
          small
          icon="up"
          name={t('viewer.up', { title })}
          disabled={isFirst}
          onClick={() => change({ kind: 'move', key, by: -1 })}
        />
        <IconButton
          small
          icon="down"
          name={t('viewer.down', { title })}
          disabled={isLast}
          onClick={() => change({ kind: 'move', key, by: 1 })}
        />
        <Menu label={t('viewer.more', { title })} icon="menu" iconOnly look="quiet small">
          {(close) => (
            <>
              {external.bbox !== undefined && (
                <button
                  type="button"
                  className="item"
                  onClick={() => {
                    onZoom();
                    close();
                  }}
                >
                  <Icon name="target" />
                  {t('viewer.zoom')}
                </button>
              )}
              <GroupChoices
                groups={groups}
                group={group}
                onChoose={(to) => {
                  close();
                  onGroup(to);
                }}
              />
              <button type="button" className="item" onClick={() => change({ kind: 'remove', key })}>
                <Icon name="trash" />
                {t('action.remove')}
              </button>
            </>
          )}
        </Menu>
      </div>
      {trouble === 'failed' && <LoadTrouble text={t('external.failed')} onRetry={onRetry} />}
      {trouble === 'truncated' && <p className="small-text notice warm">{t('external.truncated')}</p>}
      {visible && !isFolded && (
        <div className="layer-more">
          <p className="small-text soft external-from">
            {PROTOCOLS[external.kind]} · {hostOf(external.url)}
            {external.attribution !== '' && ` · ${external.attribution}`}
          </p>
          <label className="row tight small-text">
            <span>{t('viewer.opacity')}</span>
            <input
              className="grow"
              type="range"
              min="0"
              max="100"
              value={Math.round(opacity * 100)}
              aria-label={t('viewer.opacity-of', { title })}
              onChange={(event) => change({ kind: 'set', key, to: { opacity: Number(event.target.value) / 100 } })}
            />
            <span className="number opacity-value">{Math.round(opacity * 100)} %</span>
          </label>
          <ExternalLegend external={external} />
        </div>
      )}
    </li>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
