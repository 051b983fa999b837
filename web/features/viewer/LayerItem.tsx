// One layer in the list of a map's layers: whether and how much of it is seen, its legend, and a menu of what can be done with it.

import { lazy, Suspense, useState } from 'react';
import { dataColumns } from '../../lib/dashboard/columns.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { LayerGroup } from '../../lib/map-config.ts';
import { pathOfResource } from '../../lib/route.ts';
import { useSession } from '../../lib/session.ts';
import type { FeatureFilter } from '../../map/drawn.ts';
import { legendEntries } from '../../map/layer-source.ts';
import type { LoadedSources } from '../../map/use-layer-sources.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { attributeNames, Legend } from '../resource/Legend.tsx';
import { FilterChips } from './FilterChips.tsx';
import { LoadTrouble } from './LoadTrouble.tsx';
import { LookDialog } from './LookDialog.tsx';
import { MapControls } from './MapControls.tsx';
import type { AnyLayer, ViewerAction, ViewerLayer } from './viewer-state.ts';

const AnalysisDialog = lazy(() =>
  import('../analysis/AnalysisDialog.tsx').then((m) => ({ default: m.AnalysisDialog })),
);

/** What the viewer does with a layer, and for which one it does so now. */
export type LayerActions = {
  readonly style: (key: string) => void;
  readonly filter: (key: string) => void;
  readonly edit: (key: string) => void;
  readonly table: (key: string) => void;
  readonly time: (key: string) => void;
  readonly retry: () => void;
  readonly zoom: (one: AnyLayer) => void;
  readonly tabled: string | undefined;
  readonly timed: string | undefined;
};

export function LayerItem({
  one,
  source,
  groups,
  hasTrouble,
  note,
  onPassing,
  isFirst,
  isLast,
  isFolded,
  isDragged,
  on,
  change,
  onFold,
  onDrag,
  onGroup,
}: {
  readonly one: ViewerLayer;
  readonly source: ReturnType<LoadedSources['get']>;
  readonly groups: readonly LayerGroup[];
  /** Parts of it cannot be loaded just now. */
  readonly hasTrouble: boolean;
  /** What has to be said of how it is shown; undefined: every feature is. */
  readonly note: string | undefined;
  readonly onPassing: (passing: FeatureFilter | undefined) => void;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isFolded: boolean;
  readonly isDragged: boolean;
  readonly on: LayerActions;
  readonly change: (action: ViewerAction) => void;
  readonly onFold: () => void;
  readonly onDrag: (pointer: number) => void;
  readonly onGroup: (group: string | undefined) => void;
}) {
  const t = useText();
  const { key, layer, visible, opacity, draft, own, group, filter } = one;
  const isVector = layer.storeType !== 'coverageStore';
  const [isLooking, setLooking] = useState(false);
  const [isAnalysing, setAnalysing] = useState(false);
  const { user } = useSession();
  const mayAnalyse =
    isVector &&
    user !== null &&
    user !== undefined &&
    layer.remote === null &&
    (layer.perms.includes('download_resourcebase') || layer.perms.includes('change_layer_data'));
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
          name={visible ? t('viewer.hide', { title: layer.title }) : t('viewer.show', { title: layer.title })}
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
          {layer.title}
        </button>
        <IconButton
          small
          icon="up"
          name={t('viewer.up', { title: layer.title })}
          disabled={isFirst}
          onClick={() => change({ kind: 'move', key, by: -1 })}
        />
        <IconButton
          small
          icon="down"
          name={t('viewer.down', { title: layer.title })}
          disabled={isLast}
          onClick={() => change({ kind: 'move', key, by: 1 })}
        />
        <Menu label={t('viewer.more', { title: layer.title })} icon="menu" iconOnly look="quiet small">
          {(close) => (
            <>
              <button
                type="button"
                className="item"
                onClick={() => {
                  on.zoom(one);
                  close();
                }}
              >
                <Icon name="target" />
                {t('viewer.zoom')}
              </button>
              <button
                type="button"
                className="item"
                onClick={() => {
                  close();
                  on.style(key);
                }}
              >
                <Icon name="style" />
                {t('viewer.style')}
              </button>
              {isVector && (
                <button
                  type="button"
                  className="item"
                  onClick={() => {
                    close();
                    on.filter(key);
                  }}
                >
                  <Icon name="sort" />
                  {t('filter.action')}
                </button>
              )}
              {isVector && (
                <button
                  type="button"
                  className="item"
                  onClick={() => {
                    close();
                    setLooking(true);
                  }}
                >
                  <Icon name="info" />
                  {t('look.action')}
                </button>
              )}
              {isVector && layer.perms.includes('change_layer_data') && (
                <button
                  type="button"
                  className="item"
                  onClick={() => {
                    close();
                    on.edit(key);
                  }}
                >
                  <Icon name="edit" />
                  {t('edit.action')}
                </button>
              )}
              {isVector && (
                <button
                  type="button"
                  className="item"
                  onClick={() => {
                    on.table(key);
                    close();
                  }}
                >
                  <Icon name="table" />
                  {on.tabled === key ? t('table.hide') : t('table.show')}
                </button>
              )}
              {mayAnalyse && (
                <button
                  type="button"
                  className="item"
                  onClick={() => {
                    close();
                    setAnalysing(true);
                  }}
                >
                  <Icon name="layer" />
                  {t('process.button')}
                </button>
              )}
              {isVector && dataColumns(layer).some(({ kind }) => kind === 'date') && (
                <button
                  type="button"
                  className="item"
                  onClick={() => {
                    on.time(key);
                    close();
                  }}
                >
                  <Icon name="history" />
                  {t(on.timed === key ? 'time.hide' : 'time.show')}
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
              <Link to={pathOfResource(layer)} className="item">
                <Icon name="info" />
                {t('viewer.details')}
              </Link>
              <button type="button" className="item" onClick={() => change({ kind: 'remove', key })}>
                <Icon name="trash" />
                {t('action.remove')}
              </button>
            </>
          )}
        </Menu>
      </div>
      {source?.ok === false && <p className="small-text notice warm">{t('viewer.layer-failed')}</p>}
      {hasTrouble && <LoadTrouble text={t('viewer.layer-trouble')} onRetry={on.retry} />}
      {filter !== undefined && (
        <FilterChips
          filter={filter}
          names={attributeNames(layer)}
          onChange={(next) => change({ kind: 'filter', key, filter: next })}
        />
      )}
      {visible && !isFolded && (
        <div className="layer-more">
          <label className="row tight small-text">
            <span>{t('viewer.opacity')}</span>
            <input
              className="grow"
              type="range"
              min="0"
              max="100"
              value={Math.round(opacity * 100)}
              aria-label={t('viewer.opacity-of', { title: layer.title })}
              onChange={(event) => change({ kind: 'set', key, to: { opacity: Number(event.target.value) / 100 } })}
            />
            <span className="number opacity-value">{Math.round(opacity * 100)} %</span>
          </label>
          {source?.ok === true && (
            <Legend
              entries={legendEntries(source.value, draft ?? own, opacity)}
              layer={layer.pk}
              title=""
              names={attributeNames(layer)}
            />
          )}
          {note !== undefined && <p className="legend-note">{note}</p>}
        </div>
      )}
      {/* Hidden, not gone: what was chosen goes on. */}
      <div hidden={!visible || isFolded}>
        <MapControls one={one} onPassing={onPassing} />
      </div>
      {isAnalysing && (
        <Suspense>
          <AnalysisDialog
            layer={layer}
            onMade={(made) => change({ kind: 'add', layer: made })}
            onClose={() => setAnalysing(false)}
          />
        </Suspense>
      )}
      {isLooking && <LookDialog one={one} change={change} onClose={() => setLooking(false)} />}
    </li>
  );
}

export function GroupChoices({
  groups,
  group,
  onChoose,
}: {
  readonly groups: readonly LayerGroup[];
  readonly group: string | undefined;
  readonly onChoose: (group: string | undefined) => void;
}) {
  const t = useText();
  return (
    <>
      {groups
        .filter(({ id }) => id !== group)
        .map(({ id, title }) => (
          <button key={id} type="button" className="item" onClick={() => onChoose(id)}>
            <Icon name="folder" />
            {t('group.into', { title })}
          </button>
        ))}
      {group !== undefined && (
        <button type="button" className="item" onClick={() => onChoose(undefined)}>
          <Icon name="folder" />
          {t('group.out')}
        </button>
      )}
    </>
  );
}
