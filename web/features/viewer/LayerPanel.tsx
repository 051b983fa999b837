// The layers of the map: their order, how much of each is seen, their legends.

import { useText } from '../../lib/i18n/text.ts';
import { pathOfResource } from '../../lib/route.ts';
import { legendEntries } from '../../map/layer-source.ts';
import { keyOf, type LoadedSources } from '../../map/use-layer-sources.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Empty } from '../../ui/States.tsx';
import { attributeNames, Legend } from '../resource/Legend.tsx';
import { refOf } from './drawn-layers.ts';
import { HiddenLayers } from './HiddenLayers.tsx';
import type { ViewerAction, ViewerLayer } from './viewer-state.ts';

export function LayerPanel({
  layers,
  hidden,
  sources,
  trouble,
  change,
  onAdd,
  onStyle,
  onEdit,
  onTable,
  onZoom,
  table,
}: {
  readonly layers: readonly ViewerLayer[];
  /** Of the map as it was saved, how many the reader may not see. */
  readonly hidden: number;
  readonly sources: LoadedSources;
  /** Layers with parts that cannot be loaded just now. */
  readonly trouble: readonly string[];
  readonly change: (action: ViewerAction) => void;
  readonly onAdd: () => void;
  readonly onStyle: (key: string) => void;
  readonly onEdit: (key: string) => void;
  readonly onTable: (key: string) => void;
  readonly onZoom: (one: ViewerLayer) => void;
  readonly table: string | undefined;
}) {
  const t = useText();
  return (
    <>
      <div className="row apart side-head">
        <h2>{t('viewer.layers')}</h2>
        <Button small look="primary" icon="plus" onClick={onAdd}>
          {t('viewer.add-layer')}
        </Button>
      </div>
      <HiddenLayers hidden={hidden} shown={layers.length} />
      {layers.length === 0 && hidden === 0 && (
        <Empty title={t('viewer.no-layers')} icon="layer">
          <p>{t('viewer.no-layers-text')}</p>
        </Empty>
      )}
      <ol className="layer-list">
        {layers.map((one, i) => {
          const { key, layer, visible, opacity, draft, own } = one;
          const source = sources.get(keyOf(refOf(one)));
          const isVector = layer.storeType !== 'coverageStore';
          return (
            <li key={key} className="layer-item">
              <div className="row tight">
                <IconButton
                  small
                  icon={visible ? 'eye' : 'eye-off'}
                  name={visible ? t('viewer.hide', { title: layer.title }) : t('viewer.show', { title: layer.title })}
                  aria-pressed={visible}
                  onClick={() => change({ kind: 'set', key, to: { visible: !visible } })}
                />
                <span className="grow layer-title">{layer.title}</span>
                <IconButton
                  small
                  icon="up"
                  name={t('viewer.up', { title: layer.title })}
                  disabled={i === 0}
                  onClick={() => change({ kind: 'move', key, by: -1 })}
                />
                <IconButton
                  small
                  icon="down"
                  name={t('viewer.down', { title: layer.title })}
                  disabled={i === layers.length - 1}
                  onClick={() => change({ kind: 'move', key, by: 1 })}
                />
                <Menu label={t('viewer.more', { title: layer.title })} icon="menu" iconOnly look="quiet small">
                  {(close) => (
                    <>
                      <button
                        type="button"
                        className="item"
                        onClick={() => {
                          onZoom(one);
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
                          onStyle(key);
                        }}
                      >
                        <Icon name="style" />
                        {t('viewer.style')}
                      </button>
                      {isVector && layer.perms.includes('change_layer_data') && (
                        <button
                          type="button"
                          className="item"
                          onClick={() => {
                            close();
                            onEdit(key);
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
                            onTable(key);
                            close();
                          }}
                        >
                          <Icon name="table" />
                          {table === key ? t('table.hide') : t('table.show')}
                        </button>
                      )}
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
              {trouble.includes(key) && <p className="small-text notice warm">{t('viewer.layer-trouble')}</p>}
              {visible && (
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
                      onChange={(event) =>
                        change({ kind: 'set', key, to: { opacity: Number(event.target.value) / 100 } })
                      }
                    />
                    <span className="number opacity-value">{Math.round(opacity * 100)} %</span>
                  </label>
                  {source?.ok === true && (
                    <Legend
                      entries={legendEntries(source.value, draft ?? own, opacity)}
                      title=""
                      names={attributeNames(layer)}
                    />
                  )}
                </div>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}
