// A button that opens a list of actions; closed by Escape, by leaving it, and by choosing.

import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import { Link } from './Link.tsx';

const Close = createContext<() => void>(() => undefined);

export function Menu({
  label,
  icon,
  iconOnly = false,
  look = '',
  align = 'right',
  mark,
  children,
}: {
  readonly label: string;
  readonly icon?: IconName;
  readonly iconOnly?: boolean;
  readonly look?: string;
  readonly align?: 'left' | 'right';
  /** Stands small at the button; its label says the same. */
  readonly mark?: string | undefined;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    // Near the end of a panel it opens out of sight.
    list.current?.scrollIntoView({ block: 'nearest' });
    const away = (event: PointerEvent): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', away);
    return () => document.removeEventListener('pointerdown', away);
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears what bubbles up from the buttons inside.
    <div
      className="menu"
      ref={box}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) {
          event.stopPropagation();
          close();
        }
        if (isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) moveFocus(event, box.current);
      }}
      onBlur={(event) => {
        if (event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={button}
        type="button"
        className={`button ${look} ${iconOnly ? 'icon' : ''}`}
        aria-expanded={isOpen}
        {...(iconOnly ? { 'aria-label': label, title: label } : {})}
        onClick={() => setOpen(!isOpen)}
      >
        {icon !== undefined && <Icon name={icon} />}
        {!iconOnly && <span className="menu-label">{label}</span>}
        {!iconOnly && <Icon name="down" />}
        {mark !== undefined && (
          <span className="menu-mark" aria-hidden="true">
            {mark}
          </span>
        )}
      </button>
      {isOpen && (
        <div ref={list} className={align === 'left' ? 'list left' : 'list'}>
          <Close value={close}>{typeof children === 'function' ? children(close) : children}</Close>
        </div>
      )}
    </div>
  );
}

/** An action of the menu, done when it has closed: what opens then keeps the focus. */
export function MenuItem({
  icon,
  onClick,
  children,
  ...rest
}: {
  readonly icon?: IconName | undefined;
  readonly onClick: () => void;
  readonly children: ReactNode;
  readonly lang?: string;
  readonly className?: string;
  readonly 'aria-pressed'?: boolean;
}) {
  const close = use(Close);
  return (
    <button
      type="button"
      className="item"
      {...rest}
      onClick={() => {
        close();
        onClick();
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A page that the menu leads to. */
export function MenuLink({
  icon,
  to,
  children,
}: {
  readonly icon: IconName;
  readonly to: string;
  readonly children: ReactNode;
}) {
  return (
    <Link to={to} className="item" onClick={use(Close)}>
      <Icon name={icon} />
      {children}
    </Link>
  );
}

function moveFocus(event: React.KeyboardEvent, box: HTMLElement | null): void {
  const items = [...(box?.querySelectorAll<HTMLElement>('.list .item') ?? [])];
  if (items.length === 0) return;
  event.preventDefault();
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = event.key === 'ArrowDown' ? at + 1 : at < 0 ? items.length - 1 : at - 1;
  items[(next + items.length) % items.length]?.focus();
}
