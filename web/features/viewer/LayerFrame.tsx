// What every layer in the list of a map's layers has, whoever's it is: its head, groups that it can be moved to, and how much of it is seen.

import type { ReactNode } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import type { LayerGroup } from '../../lib/map-config.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { MenuItem } from '../../ui/Menu.tsx';
import { ItemHead } from './ItemHead.tsx';
import type { AnyLayer, ViewerAction } from './viewer-state.ts';

/** A layer's place in the list. */
export type Listed = {
  readonly groups: readonly LayerGroup[];
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isFolded: boolean;
  readonly isDragged: boolean;
  readonly change: (action: ViewerAction) => void;
  readonly onFold: () => void;
  readonly onDrag: (pointer: number) => void;
  readonly onGroup: (group: string | undefined) => void;
};

export function LayerFrame({
  one: { key, visible, group },
  title,
  page,
  menu,
  listed: { groups, isFirst, isLast, isFolded, isDragged, change, onFold, onDrag, onGroup },
  children,
}: {
  readonly one: Pick<AnyLayer, 'key' | 'visible' | 'group'>;
  readonly title: string;
  /** Of the layer in the catalogue; undefined: it has none. */
  readonly page?: string;
  /** What can be done with it besides. */
  readonly menu: ReactNode;
  readonly listed: Listed;
  readonly children: ReactNode;
}) {
  const t = useText();
  return (
    <li className={isDragged ? 'layer-item dragged' : 'layer-item'} data-layer={key}>
      <ItemHead
        title={title}
        visible={visible}
        isFirst={isFirst}
        isLast={isLast}
        onShow={(to) => change({ kind: 'set', key, to: { visible: to } })}
        onMove={(by) => change({ kind: 'move', key, by })}
        onDrag={onDrag}
        menu={
          <>
            {menu}
            {groups
              .filter(({ id }) => id !== group)
              .map(({ id, title: name }) => (
                <MenuItem key={id} icon="folder" onClick={() => onGroup(id)}>
                  {t('group.into', { title: name })}
                </MenuItem>
              ))}
            {group !== undefined && (
              <MenuItem icon="folder" onClick={() => onGroup(undefined)}>
                {t('group.out')}
              </MenuItem>
            )}
            {page !== undefined && (
              <Link to={page} className="item">
                <Icon name="info" />
                {t('viewer.details')}
              </Link>
            )}
            <MenuItem icon="trash" onClick={() => change({ kind: 'remove', key })}>
              {t('action.remove')}
            </MenuItem>
          </>
        }
      >
        <button
          type="button"
          className="grow layer-title"
          aria-expanded={visible && !isFolded}
          disabled={!visible}
          onClick={onFold}
        >
          {title}
        </button>
      </ItemHead>
      {children}
    </li>
  );
}

export function OpacityField({
  one: { key, opacity },
  title,
  change,
}: {
  readonly one: Pick<AnyLayer, 'key' | 'opacity'>;
  readonly title: string;
  readonly change: (action: ViewerAction) => void;
}) {
  const t = useText();
  const percent = Math.round(opacity * 100);
  return (
    <label className="row tight small-text">
      <span>{t('viewer.opacity')}</span>
      <input
        className="grow"
        type="range"
        min="0"
        max="100"
        value={percent}
        aria-label={t('viewer.opacity-of', { title })}
        onChange={(event) => change({ kind: 'set', key, to: { opacity: Number(event.target.value) / 100 } })}
      />
      <span className="number opacity-value">{percent} %</span>
    </label>
  );
}
