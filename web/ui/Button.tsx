// Buttons. One with an icon alone carries its name for screen readers and as a tip.

import type { ComponentProps } from 'react';
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
  ...rest
}: Props) {
  const classes = ['button', look === 'plain' ? '' : look, small ? 'small' : '', className].filter(Boolean).join(' ');
  return (
    <button type={type} className={classes} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

type IconProps = Omit<Props, 'children' | 'icon'> & { readonly icon: IconName; readonly name: string };

export function IconButton({ icon, name, look = 'quiet', className = '', ...rest }: IconProps) {
  return (
    <Button look={look} className={`icon ${className}`} aria-label={name} title={name} {...rest}>
      <Icon name={icon} />
    </Button>
  );
}
