// The head of a layer, or of a group of them, in the list of a map's layers: seen or not, its name, up and down, and a menu.

import type { ReactNode } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/Menu.tsx';

export function ItemHead({
  title,
  visible,
  isFirst,
  isLast,
  onShow,
  onMove,
  onDrag,
  menu,
  children,
}: {
  readonly title: string;
  readonly visible: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onShow: (visible: boolean) => void;
  readonly onMove: (by: -1 | 1) => void;
  /** By its pointer; undefined: it is not dragged. */
  readonly onDrag?: (pointer: number) => void;
  readonly menu: ReactNode;
  /** Its name, as a button. */
  readonly children: ReactNode;
}) {
  const t = useText();
  return (
    <div className="row tight">
      {onDrag !== undefined && (
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
      )}
      <IconButton
        small
        icon={visible ? 'eye' : 'eye-off'}
        name={visible ? t('viewer.hide', { title }) : t('viewer.show', { title })}
        aria-pressed={visible}
        onClick={() => onShow(!visible)}
      />
      {children}
      <IconButton small icon="up" name={t('viewer.up', { title })} disabled={isFirst} onClick={() => onMove(-1)} />
      <IconButton small icon="down" name={t('viewer.down', { title })} disabled={isLast} onClick={() => onMove(1)} />
      <Menu label={t('viewer.more', { title })} icon="menu" iconOnly look="quiet small">
        {menu}
      </Menu>
    </div>
  );
}
