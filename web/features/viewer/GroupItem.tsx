// A group of layers in the list of a map's layers: shown, folded, named and moved as one.

import { type ReactNode, useState } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import { type LayerGroup, MAX_GROUP_TITLE } from '../../lib/map-config.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { MenuItem } from '../../ui/Menu.tsx';
import { ItemHead } from './ItemHead.tsx';
import type { ViewerAction } from './viewer-state.ts';

export function GroupItem({
  group,
  count,
  isNew,
  isFirst,
  isLast,
  isTarget,
  change,
  children,
}: {
  readonly group: LayerGroup;
  readonly count: number;
  /** Just made: its name is asked for. */
  readonly isNew: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** A layer is being dragged over it. */
  readonly isTarget: boolean;
  readonly change: (action: ViewerAction) => void;
  readonly children: ReactNode;
}) {
  const t = useText();
  const { id, title, isOpen, visible } = group;
  const [isNaming, setNaming] = useState(isNew);
  const set = (to: Partial<Omit<LayerGroup, 'id'>>): void => change({ kind: 'set-group', id, to });
  return (
    <li className={isTarget ? 'layer-group target' : 'layer-group'} data-group={id}>
      {isNaming ? (
        <form
          className="group-form"
          onSubmit={(event) => {
            event.preventDefault();
            const name = String(new FormData(event.currentTarget).get('title')).trim();
            if (name !== '') set({ title: name });
            setNaming(false);
          }}
        >
          <input
            ref={(input) => input?.select()}
            className="input small"
            name="title"
            required
            maxLength={MAX_GROUP_TITLE}
            defaultValue={title}
            aria-label={t('group.name')}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setNaming(false);
            }}
          />
          <Button small type="submit">
            {t('action.done')}
          </Button>
        </form>
      ) : (
        <ItemHead
          title={title}
          visible={visible}
          isFirst={isFirst || count === 0}
          isLast={isLast || count === 0}
          onShow={(to) => set({ visible: to })}
          onMove={(by) => change({ kind: 'move-group', id, by })}
          menu={
            <>
              <MenuItem icon="edit" onClick={() => setNaming(true)}>
                {t('group.rename')}
              </MenuItem>
              <MenuItem icon="trash" onClick={() => change({ kind: 'drop-group', id })}>
                {t('group.dissolve')}
              </MenuItem>
            </>
          }
        >
          <button
            type="button"
            className="grow group-title"
            aria-expanded={isOpen}
            onClick={() => set({ isOpen: !isOpen })}
          >
            <Icon name={isOpen ? 'down' : 'right'} />
            <span>{title}</span>
            <span className="soft number">{t.number(count)}</span>
          </button>
        </ItemHead>
      )}
      {isOpen && count === 0 && <p className="small-text soft group-empty">{t('group.empty')}</p>}
      {isOpen && count > 0 && <ol className="layer-list">{children}</ol>}
    </li>
  );
}
