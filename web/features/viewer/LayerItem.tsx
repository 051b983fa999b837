// One layer in the list of a map's layers: whether and how much of it is seen, its legend, and a menu of what can be done with it.

import { lazy, Suspense, useState } from 'react';
import { dataColumns } from '../../lib/dashboard/columns.ts';
import { useText } from '../../lib/i18n/text.ts';
import { pathOfResource } from '../../lib/route.ts';
import { useSession } from '../../lib/session.ts';
import type { FeatureFilter } from '../../map/drawn.ts';
import { legendEntries } from '../../map/layer-source.ts';
import type { LoadedSources } from '../../map/use-layer-sources.ts';
import { MenuItem } from '../../ui/Menu.tsx';
import { attributeNames, Legend } from '../resource/Legend.tsx';
import { FilterChips } from './FilterChips.tsx';
import { LayerFrame, type Listed, OpacityField } from './LayerFrame.tsx';
import { LoadTrouble } from './LoadTrouble.tsx';
import { LookDialog } from './LookDialog.tsx';
import { MapControls } from './MapControls.tsx';
import type { AnyLayer, ViewerLayer } from './viewer-state.ts';

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
  hasTrouble,
  note,
  onPassing,
  on,
  ...listed
}: Listed & {
  readonly one: ViewerLayer;
  readonly source: ReturnType<LoadedSources['get']>;
  /** Parts of it cannot be loaded just now. */
  readonly hasTrouble: boolean;
  /** What has to be said of how it is shown; undefined: every feature is. */
  readonly note: string | undefined;
  readonly onPassing: (passing: FeatureFilter | undefined) => void;
  readonly on: LayerActions;
}) {
  const t = useText();
  const { key, layer, visible, opacity, draft, own, filter } = one;
  const { change, isFolded } = listed;
  const isVector = layer.storeType !== 'coverageStore';
  const [isLooking, setLooking] = useState(false);
  const [isAnalysing, setAnalysing] = useState(false);
  const { user } = useSession();
  const mayAnalyse =
    user !== null &&
    user !== undefined &&
    layer.remote === null &&
    (layer.perms.includes('download_resourcebase') || layer.perms.includes('change_layer_data'));
  return (
    <LayerFrame
      one={one}
      title={layer.title}
      page={pathOfResource(layer)}
      listed={listed}
      menu={
        <>
          <MenuItem icon="target" onClick={() => on.zoom(one)}>
            {t('viewer.zoom')}
          </MenuItem>
          <MenuItem icon="style" onClick={() => on.style(key)}>
            {t('viewer.style')}
          </MenuItem>
          {isVector && (
            <MenuItem icon="sort" onClick={() => on.filter(key)}>
              {t('filter.action')}
            </MenuItem>
          )}
          {isVector && (
            <MenuItem icon="info" onClick={() => setLooking(true)}>
              {t('look.action')}
            </MenuItem>
          )}
          {isVector && layer.perms.includes('change_layer_data') && (
            <MenuItem icon="edit" onClick={() => on.edit(key)}>
              {t('edit.action')}
            </MenuItem>
          )}
          {isVector && (
            <MenuItem icon="table" onClick={() => on.table(key)}>
              {on.tabled === key ? t('table.hide') : t('table.show')}
            </MenuItem>
          )}
          {mayAnalyse && (
            <MenuItem icon="layer" onClick={() => setAnalysing(true)}>
              {t('process.button')}
            </MenuItem>
          )}
          {isVector && dataColumns(layer).some(({ kind }) => kind === 'date') && (
            <MenuItem icon="history" onClick={() => on.time(key)}>
              {t(on.timed === key ? 'time.hide' : 'time.show')}
            </MenuItem>
          )}
        </>
      }
    >
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
          <OpacityField one={one} title={layer.title} change={change} />
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
    </LayerFrame>
  );
}
