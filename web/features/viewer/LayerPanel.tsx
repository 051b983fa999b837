// The layers of the map: their order and groups, how much of each is seen, their legends.

import { useRef, useState } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import type { LayerGroup } from '../../lib/map-config.ts';
import type { FeatureFilter } from '../../map/drawn.ts';
import { keyOf, type LoadedSources } from '../../map/use-layer-sources.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Empty } from '../../ui/States.tsx';
import { refOf } from './drawn-layers.ts';
import { ExternalItem } from './ExternalItem.tsx';
import { GroupItem } from './GroupItem.tsx';
import { HiddenLayers } from './HiddenLayers.tsx';
import { type LayerActions, LayerItem } from './LayerItem.tsx';
import { entriesOf } from './layer-groups.ts';
import type { ExternalFeatures } from './use-external-features.ts';
import { type AnyLayer, externalOf, hasData, isExternal, type ViewerAction } from './viewer-state.ts';

export function LayerPanel({
  layers,
  groups,
  hidden,
  sources,
  trouble,
  notes,
  onPassing,
  change,
  features,
  onAdd,
  onAddExternal,
  on,
}: {
  readonly layers: readonly AnyLayer[];
  readonly groups: readonly LayerGroup[];
  /** Of the map as it was saved, how many the reader may not see. */
  readonly hidden: number;
  readonly sources: LoadedSources;
  /** Layers with parts that cannot be loaded just now. */
  readonly trouble: readonly string[];
  /** By layer: what has to be said of how it is shown. */
  readonly notes: ReadonlyMap<string, string>;
  /** What the reader has chosen of a layer by its controls. */
  readonly onPassing: (key: string, passing: FeatureFilter | undefined) => void;
  readonly change: (action: ViewerAction) => void;
  /** Of layers of others, as far as they came. */
  readonly features: ExternalFeatures;
  readonly onAdd: () => void;
  /** Undefined: the settings let nobody add any. */
  readonly onAddExternal: (() => void) | undefined;
  readonly on: LayerActions;
}) {
  const t = useText();
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<string>();
  const [target, setTarget] = useState<string>();
  const [made, setMade] = useState<string>();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const fold = (key: string): void =>
    setFolded((all) => new Set(all.has(key) ? [...all].filter((one) => one !== key) : [...all, key]));
  const entries = entriesOf(layers, groups);
  /** Over the upper half of another layer it comes before it, over the lower half behind it; over a group into it. */
  const dragTo = (key: string, y: number): void => {
    const place = (selector: string): DOMRect | undefined =>
      list.current?.querySelector(selector)?.getBoundingClientRect();
    const over = groups.find(({ id }) => {
      const box = place(`[data-group="${CSS.escape(id)}"]`);
      return box !== undefined && y >= box.top && y <= box.bottom;
    });
    const to = layers.filter((one) => {
      if (one.key === key) return false;
      const box = place(`[data-layer="${one.key}"]`) ?? place(`[data-group="${CSS.escape(one.group ?? '')}"]`);
      return box !== undefined && y > box.top + box.height / 2;
    }).length;
    setTarget(over?.id);
    change({ kind: 'place', key, to, group: over?.id });
  };
  const drop = (): void => {
    setDragged(undefined);
    setTarget(undefined);
  };
  const itemOf = (one: AnyLayer) => {
    const { key, group } = one;
    const i = layers.indexOf(one);
    const shared = {
      groups,
      // At an end of the list it can still leave its group.
      isFirst: i === 0 && group === undefined,
      isLast: i === layers.length - 1 && group === undefined,
      isFolded: folded.has(key),
      isDragged: dragged === key,
      change,
      onFold: () => fold(key),
      onDrag: (pointer: number) => {
        // By the list: on its way into a group the layer is drawn anew, and would let go of the pointer.
        list.current?.setPointerCapture(pointer);
        setDragged(key);
      },
      onGroup: (to: string | undefined) => change({ kind: 'place', key, to: layers.length, group: to }),
    };
    const external = externalOf(one);
    if (hasData(one) || external === undefined) {
      if (isExternal(one)) return null;
      const source = sources.get(keyOf(refOf(one)));
      return (
        <LayerItem
          key={key}
          one={one}
          source={source}
          hasTrouble={trouble.includes(key)}
          note={notes.get(key)}
          onPassing={(passing) => onPassing(key, passing)}
          on={on}
          {...shared}
        />
      );
    }
    const found = features.get(key);
    const isFailed = trouble.includes(key);
    return (
      <ExternalItem
        key={key}
        one={external}
        trouble={isFailed || found === 'failed' ? 'failed' : found?.truncated === true ? 'truncated' : undefined}
        onRetry={on.retry}
        onZoom={() => on.zoom(one)}
        {...shared}
      />
    );
  };
  return (
    <>
      <div className="row apart side-head">
        <h2>{t('viewer.layers')}</h2>
        <span className="grow" />
        <IconButton
          small
          icon="folder"
          name={t('group.new')}
          onClick={() => {
            const id = crypto.randomUUID();
            setMade(id);
            change({ kind: 'add-group', id, title: t('group.untitled') });
          }}
        />
        {onAddExternal !== undefined && (
          <IconButton small icon="external" name={t('external.add')} onClick={onAddExternal} />
        )}
        <Button small look="primary" icon="plus" onClick={onAdd}>
          {t('viewer.add-layer')}
        </Button>
      </div>
      <HiddenLayers hidden={hidden} shown={layers.length} />
      {layers.length === 0 && groups.length === 0 && hidden === 0 && (
        <Empty title={t('viewer.no-layers')} icon="layer">
          <p>{t('viewer.no-layers-text')}</p>
        </Empty>
      )}
      <ol
        className={dragged === undefined ? 'layer-list' : 'layer-list dragging'}
        ref={list}
        onPointerMove={({ clientY }) => {
          if (dragged !== undefined) dragTo(dragged, clientY);
        }}
        onPointerUp={drop}
        onPointerCancel={drop}
      >
        {entries.map((entry, i) =>
          entry.kind === 'layer' ? (
            itemOf(entry.layer)
          ) : (
            <GroupItem
              key={entry.group.id}
              group={entry.group}
              count={entry.layers.length}
              isNew={entry.group.id === made}
              isFirst={i === 0}
              isLast={i === entries.length - 1}
              isTarget={target === entry.group.id}
              change={change}
            >
              {entry.layers.map(itemOf)}
            </GroupItem>
          ),
        )}
      </ol>
    </>
  );
}
