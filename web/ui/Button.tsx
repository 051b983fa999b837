// Buttons. One with an icon alone carries its name for screen readers and as a tip. Who presses one by keyboard stays on it: also when it is switched off
// by that (busy, or at the end of a list), and when its list is drawn in another order.

import { type ComponentProps, useState } from 'react';
import { Icon, type IconName } from './Icon.tsx';

type Look = 'plain' | 'primary' | 'quiet' | 'danger';
type Props = ComponentProps<'button'> & {
  readonly look?: Look;
  readonly small?: boolean;
  readonly icon?: IconName;
};

export function Button({
  look = 'plain',
  small = false,
  icon,
  children,
  className = '',
  type = 'button',
  disabled = false,
  onClick,
  onFocus,
  onBlur,
  ...rest
}: Props) {
  const [hasFocus, setFocus] = useState(false);
  // Browsers take the focus from what is disabled, and leave the person nowhere.
  const isHeld = disabled && hasFocus;
  const classes = ['button', look === 'plain' ? '' : look, small ? 'small' : '', className].filter(Boolean).join(' ');
  return (
    <button
      type={type}
      className={classes}
      disabled={disabled && !isHeld}
      aria-disabled={isHeld || undefined}
      onClick={(event) => {
        if (isHeld) return event.preventDefault();
        const pressed = event.currentTarget;
        // By a key: no pointer has a number of clicks of none.
        if (event.detail === 0) requestAnimationFrame(() => refocus(pressed));
        onClick?.(event);
      }}
      onFocus={(event) => {
        setFocus(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        const left = event.currentTarget;
        // Later: what is moved within the page loses the focus for a moment.
        requestAnimationFrame(() => setFocus(document.activeElement === left));
        onBlur?.(event);
      }}
      {...rest}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

function refocus(button: HTMLButtonElement): void {
  if (document.activeElement === document.body && button.isConnected) button.focus();
}

type IconProps = Omit<Props, 'children' | 'icon'> & { readonly icon: IconName; readonly name: string };

export function IconButton({ icon, name, look = 'quiet', className = '', ...rest }: IconProps) {
  return (
    <Button look={look} className={`icon ${className}`} aria-label={name} title={name} {...rest}>
      <Icon name={icon} />
    </Button>
  );
}
